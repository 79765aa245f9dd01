// Where has everybody come from, in a live run? A line behind each who moves, that fades as it grows old. What is
// rewound is forgotten.

import {
  BufferAttribute,
  BufferGeometry,
  DoubleSide,
  DynamicDrawUsage,
  Group,
  Mesh,
  ShaderMaterial,
  Vector2,
  Vector3,
  Vector4,
} from "three";

import { doc } from "../../state/document.svelte";
import { playback } from "../../state/playback.svelte";
import { SELECTED } from "../primitives/colours";
import { put, setForms } from "../primitives/shapes";
import { FEATHER, PIECE, STRIP } from "../primitives/strokes";
import type { ActorMarkers } from "./actor_markers";

const MAX_SEGMENTS = 600; // pieces behind one
const MAX_TOTAL_SEGMENTS = 60_000; // pieces behind all
const STEP = 1 / 30; // s of a piece
const WIDTH = 2; // pixels
const NEVER = -1;

const VERTEX = `${STRIP}
  attribute float born;
  attribute vec3 tint;
  uniform float now;
  uniform float lasting;
  varying vec4 vTint;
  void main() {
    vTint = vec4(tint, 0.9 * (1.0 - 0.85 * clamp((now - born) / lasting, 0.0, 1.0)));
    gl_Position = born < 0.0 ? vec4(2.0, 2.0, 2.0, 1.0) : strip();
  }`;

const FRAGMENT = `
  uniform float reach;
  varying vec4 vTint;
  varying float vAcross;
  void main() {
    gl_FragColor = vec4(vTint.rgb, vTint.a * clamp(reach - abs(vAcross), 0.0, 1.0));
  }`;

const viewport = new Vector4();

/** Pieces lie moment by moment in a ring of moments, each with one piece for everybody: only the newest is told anew. */
export class LiveTrails {
  readonly object = new Group();
  private movers: { name: string; row: number }[] = [];
  private signature = "";
  private moments = 0;
  private newest = -1;
  private segmentStart = 0; // the newest piece [s]
  private times = new Float64Array();
  private last = new Float32Array(); // where everybody was when the newest piece began
  private positions = buffer(0, 3);
  private others = buffer(0, 3);
  private births = buffer(0, 1);
  private material = new ShaderMaterial({
    vertexShader: VERTEX,
    fragmentShader: FRAGMENT,
    uniforms: {
      now: { value: 0 },
      lasting: { value: MAX_SEGMENTS * STEP },
      size: { value: new Vector2() },
      reach: { value: WIDTH / 2 + FEATHER },
    },
    transparent: true,
    side: DoubleSide,
    depthWrite: false,
  });

  constructor(private actorMarkers: ActorMarkers) {}

  /** Where on its wake somebody was at a moment [s]; null if that is not seen, or not any more. */
  positionAt(name: string, time: number): Vector3 | null {
    const i = this.movers.findIndex((mover) => mover.name === name);
    let nearest = -1;
    this.times.forEach((end, moment) => {
      if (end >= time && (nearest < 0 || end < this.times[nearest]!)) nearest = moment;
    });
    const end = 4 * (nearest * this.movers.length + i) + 2;
    return i < 0 || nearest < 0 ? null : new Vector3().fromArray(this.positions.array, 3 * end);
  }

  /** Poses came. */
  grow(): void {
    if (!playback.isLive) return this.clear();
    this.updateLooks();
    if (!this.movers.length) return;
    const { time } = playback.poses;
    this.rewind(time);
    this.material.uniforms["now"]!.value = time;
    if (this.newest < 0) this.next(time);
    else if (time > this.times[this.newest]!) {
      this.draw(time);
      if (time - this.segmentStart >= STEP) this.next(time);
    }
  }

  /** Forget all. */
  clear(): void {
    if (!this.signature) return;
    this.signature = "";
    this.movers = [];
    this.newest = -1;
    this.times = new Float64Array();
    for (const strips of this.object.children) (strips as Mesh).geometry.dispose();
    this.object.clear();
  }

  /** Who moves may be others by now: then all begins anew. */
  private updateLooks(): void {
    const movers = (doc.scene?.order ?? [])
      .map((name, row) => ({ name, row }))
      .filter(({ name }) => name === "pointer" || doc.actor(name)?.kind === "mover");
    const signature = movers.map(({ name, row }) => `${row} ${name}`).join("\n");
    if (signature === this.signature) return;
    this.clear();
    this.signature = signature;
    this.movers = movers;
    this.moments = Math.max(2, Math.min(MAX_SEGMENTS, Math.floor(MAX_TOTAL_SEGMENTS / Math.max(1, movers.length))));
    this.times = new Float64Array(this.moments).fill(NEVER);
    this.last = new Float32Array(3 * movers.length);
    this.object.add(this.strips(4 * this.moments * movers.length));
  }

  private strips(corners: number): Mesh {
    this.positions = buffer(corners, 3);
    this.others = buffer(corners, 3);
    this.births = buffer(corners, 1);
    this.births.array.fill(NEVER);
    const tints = new Float32Array(3 * corners);
    for (let i = 0; i < corners; i++)
      (this.actorMarkers.colours.get(this.movers[(i >> 2) % this.movers.length]!.name) ?? SELECTED).toArray(
        tints,
        3 * i,
      );
    const geometry = new BufferGeometry();
    setForms(geometry, PIECE, corners / PIECE.corners.length);
    geometry.setAttribute("position", this.positions);
    geometry.setAttribute("other", this.others);
    geometry.setAttribute("born", this.births);
    geometry.setAttribute("tint", new BufferAttribute(tints, 3));
    const strips = new Mesh(geometry, this.material);
    strips.frustumCulled = false;
    strips.renderOrder = 2;
    strips.onBeforeRender = (renderer) => {
      renderer.getViewport(viewport);
      (this.material.uniforms["size"]!.value as Vector2).set(viewport.z, viewport.w);
    };
    return strips;
  }

  /** From here on a new piece. */
  private next(time: number): void {
    const { poses } = playback.poses;
    this.movers.forEach(({ row }, i) =>
      put(this.last, 3 * i, poses[7 * row]!, poses[7 * row + 1]!, poses[7 * row + 2]!),
    );
    this.newest = (this.newest + 1) % this.moments;
    this.segmentStart = time;
    this.draw(time);
  }

  /** The newest piece ends where everybody is now. */
  private draw(time: number): void {
    const { poses } = playback.poses;
    const [positions, others, births] = [this.positions.array, this.others.array, this.births.array];
    const first = 4 * this.newest * this.movers.length;
    for (let i = 0; i < this.movers.length; i++) {
      const { row } = this.movers[i]!;
      const [x, y, z] = [this.last[3 * i]!, this.last[3 * i + 1]!, this.last[3 * i + 2]!];
      const [u, v, w] = [poses[7 * row]!, poses[7 * row + 1]!, poses[7 * row + 2]!];
      const isSomewhere = Number.isFinite(x + y + z + u + v + w);
      for (let corner = 0; corner < 4; corner++) {
        const at = first + 4 * i + corner;
        put(corner < 2 ? positions : others, 3 * at, x, y, z);
        put(corner < 2 ? others : positions, 3 * at, u, v, w);
        births[at] = isSomewhere ? time : NEVER;
      }
    }
    this.times[this.newest] = time;
    this.markUpdated(this.newest);
  }

  /** Forget what has not happened yet. */
  private rewind(time: number): void {
    const each = 4 * this.movers.length;
    while (this.newest >= 0 && this.times[this.newest]! > time + 1e-9) {
      this.births.array.fill(NEVER, each * this.newest, each * (this.newest + 1));
      this.markUpdated(this.newest);
      this.times[this.newest] = NEVER;
      const before = (this.newest + this.moments - 1) % this.moments;
      this.newest = this.times[before] === NEVER ? -1 : before;
      if (this.newest >= 0 && this.times[this.newest]! <= time) this.next(time);
    }
  }

  private markUpdated(moment: number): void {
    const each = 4 * this.movers.length;
    for (const attribute of [this.positions, this.others, this.births]) {
      attribute.addUpdateRange(attribute.itemSize * each * moment, attribute.itemSize * each);
      attribute.needsUpdate = true;
    }
  }
}

function buffer(corners: number, each: number): BufferAttribute & { array: Float32Array } {
  return new BufferAttribute(new Float32Array(each * corners), each).setUsage(DynamicDrawUsage) as BufferAttribute & {
    array: Float32Array;
  };
}
