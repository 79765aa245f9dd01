// Where has everybody come from, in a live run? A line behind each who moves, that fades as it grows old. What is
// rewound is forgotten.

import { BufferAttribute, BufferGeometry, DynamicDrawUsage, Group, LineSegments, ShaderMaterial } from "three";

import type { Studio } from "../../document.svelte";
import type { Cast } from "../cast";
import { CHOSEN } from "../colours";

const LONGEST = 600; // pieces behind one
const MOST = 100_000; // pieces behind all
const STEP = 1 / 30; // s of a piece
const NEVER = -1;

const VERTEX = `
  attribute float born;
  attribute vec3 tint;
  uniform float now;
  uniform float lasting;
  varying vec4 vTint;
  void main() {
    float age = (now - born) / lasting;
    vTint = vec4(tint, 0.9 * (1.0 - 0.8 * clamp(age, 0.0, 1.0)));
    gl_Position = born < 0.0 ? vec4(2.0, 2.0, 2.0, 1.0) : projectionMatrix * modelViewMatrix * vec4(position, 1.0);
  }`;

const FRAGMENT = `
  varying vec4 vTint;
  void main() {
    gl_FragColor = vTint;
  }`;

/** Pieces lie moment by moment in a ring of moments, each with one piece for everybody: only the newest is told anew. */
export class Wakes {
  readonly object = new Group();
  private movers: { name: string; row: number }[] = [];
  private told = "";
  private moments = 0;
  private newest = -1;
  private begun = 0; // the newest piece [s]
  private times = new Float64Array();
  private last = new Float32Array(); // where everybody was when the newest piece began
  private places = new BufferAttribute(new Float32Array(), 3);
  private births = new BufferAttribute(new Float32Array(), 1);
  private material = new ShaderMaterial({
    vertexShader: VERTEX,
    fragmentShader: FRAGMENT,
    uniforms: { now: { value: 0 }, lasting: { value: LONGEST * STEP } },
    transparent: true,
    depthWrite: false,
  });

  constructor(
    private studio: Studio,
    private cast: Cast,
  ) {}

  /** How many pieces are seen behind everybody. */
  get length(): number {
    return this.times.reduce((count, time) => count + Number(time >= 0), 0);
  }

  /** Poses came. */
  grow(): void {
    const { isLive, poses } = this.studio;
    if (!isLive) return this.clear();
    this.recast();
    if (!this.movers.length) return;
    const { time } = poses;
    this.rewind(time);
    this.material.uniforms["now"]!.value = time;
    const before = this.newest < 0 ? NEVER : this.times[this.newest]!;
    if (before === NEVER) this.next(time);
    else if (time > before) {
      this.draw(time);
      if (time - this.begun >= STEP) this.next(time);
    }
  }

  /** Forget all. */
  clear(): void {
    if (!this.told) return;
    this.told = "";
    this.movers = [];
    this.newest = -1;
    this.times = new Float64Array();
    for (const child of [...this.object.children]) (child as LineSegments).geometry.dispose();
    this.object.clear();
  }

  /** Who moves may be others by now: then all begins anew. */
  private recast(): void {
    const { scene } = this.studio;
    const movers = (scene?.order ?? [])
      .map((name, row) => ({ name, row }))
      .filter(({ name }) => name === "pointer" || this.studio.actor(name)?.kind === "mover");
    const told = movers.map(({ name, row }) => `${row} ${name}`).join("\n");
    if (told === this.told) return;
    this.clear();
    this.told = told;
    this.movers = movers;
    this.moments = Math.max(2, Math.min(LONGEST, Math.floor(MOST / Math.max(1, movers.length))));
    this.times = new Float64Array(this.moments).fill(NEVER);
    const count = 2 * this.moments * movers.length;
    this.last = new Float32Array(3 * movers.length);
    this.places = new BufferAttribute(new Float32Array(3 * count), 3).setUsage(DynamicDrawUsage);
    this.births = new BufferAttribute(new Float32Array(count).fill(NEVER), 1).setUsage(DynamicDrawUsage);
    const tints = new Float32Array(3 * count);
    for (let i = 0; i < count; i++)
      (this.cast.colours.get(movers[(i >> 1) % movers.length]!.name) ?? CHOSEN).toArray(tints, 3 * i);
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", this.places);
    geometry.setAttribute("born", this.births);
    geometry.setAttribute("tint", new BufferAttribute(tints, 3));
    const lines = new LineSegments(geometry, this.material);
    lines.frustumCulled = false;
    lines.renderOrder = 2;
    this.object.add(lines);
  }

  /** From here on a new piece. */
  private next(time: number): void {
    const { poses } = this.studio.poses;
    this.movers.forEach(({ row }, i) => {
      for (let k = 0; k < 3; k++) this.last[3 * i + k] = poses[7 * row + k]!;
    });
    this.newest = (this.newest + 1) % this.moments;
    this.begun = time;
    this.draw(time);
  }

  /** The newest piece ends where everybody is now. */
  private draw(time: number): void {
    const { poses } = this.studio.poses;
    const [places, births] = [this.places.array, this.births.array];
    const first = 2 * this.newest * this.movers.length;
    this.movers.forEach(({ row }, i) => {
      const at = first + 2 * i;
      for (let k = 0; k < 3; k++) {
        places[3 * at + k] = this.last[3 * i + k]!;
        places[3 * at + 3 + k] = poses[7 * row + k]!;
      }
      births[at] = births[at + 1] = time;
    });
    this.times[this.newest] = time;
    this.touched(first, 2 * this.movers.length);
  }

  /** Forget what has not happened yet. */
  private rewind(time: number): void {
    const each = 2 * this.movers.length;
    while (this.newest >= 0 && this.times[this.newest]! > time + 1e-9) {
      this.births.array.fill(NEVER, each * this.newest, each * (this.newest + 1));
      this.touched(each * this.newest, each);
      this.times[this.newest] = NEVER;
      const before = (this.newest + this.moments - 1) % this.moments;
      this.newest = this.times[before] === NEVER ? -1 : before;
      if (this.newest >= 0 && this.times[this.newest]! <= time) this.next(time);
    }
  }

  private touched(first: number, count: number): void {
    this.places.addUpdateRange(3 * first, 3 * count);
    this.births.addUpdateRange(first, count);
    this.places.needsUpdate = this.births.needsUpdate = true;
  }
}
