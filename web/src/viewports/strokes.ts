// How are many lines drawn at once? Each piece is a strip of so many pixels across, smooth at its edges; all of them lie
// in one buffer that grows. (Instances would be shorter, but cost thirty times as much where no graphics card is.)

import {
  BufferAttribute, BufferGeometry, type Color, DoubleSide, DynamicDrawUsage, Mesh, ShaderMaterial, Vector2, Vector4,
} from "three"; // prettier-ignore

export interface StrokeLook {
  /** [CSS pixels] */
  width: number;
  opacity?: number;
  /** Drawn whatever stands before it. */
  isOnTop?: boolean;
  order?: number;
}

/** Where a corner of a strip is, and how far across: to be put into a vertex shader. */
export const STRIP = `
  attribute vec3 other;
  attribute vec2 form; // which edge, and whether this is the piece's end
  uniform vec2 size;
  uniform float reach;
  varying float vAcross;
  vec4 strip() {
    vec4 here = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
    vec4 there = projectionMatrix * modelViewMatrix * vec4(other, 1.0);
    float before = here.z + here.w, beyond = there.z + there.w; // negative behind the eye: cut there
    if (before < 0.0 && beyond > 0.0) here = mix(here, there, before / (before - beyond));
    if (beyond < 0.0 && before > 0.0) there = mix(there, here, beyond / (beyond - before));
    vec2 way = (there.xy / there.w - here.xy / here.w) * size * form.y;
    way = dot(way, way) > 1e-12 ? normalize(way) : vec2(1.0, 0.0);
    vec2 off = (vec2(-way.y, way.x) * form.x - way * form.y * 0.25) * reach;
    here.xy += off * 2.0 / size * here.w;
    vAcross = form.x * reach;
    return here;
  }`;

const VERTEX = `${STRIP}
  attribute vec3 tint;
  varying vec3 vTint;
  void main() {
    vTint = tint;
    gl_Position = strip();
  }`;

const FRAGMENT = `
  uniform float reach;
  uniform float ratio;
  uniform float opacity;
  varying vec3 vTint;
  varying float vAcross;
  void main() {
    float cover = clamp((reach - abs(vAcross)) * ratio, 0.0, 1.0);
    gl_FragColor = vec4(vTint, opacity * cover);
  }`;

export const FEATHER = 0.5; // pixels beyond the edge, where it fades
const CORNERS = [
  [-1, 1],
  [1, 1],
  [-1, -1],
  [1, -1],
] as const; // edge, and 1 at the begin or -1 at the end
const viewport = new Vector4();

export class Strokes {
  readonly object: Mesh;
  private geometry = new BufferGeometry();
  private places = new Float32Array();
  private others = new Float32Array();
  private tints = new Float32Array();
  private room = 0;
  private count = 0;

  constructor(look: StrokeLook) {
    const size = new Vector2();
    const material = new ShaderMaterial({
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      uniforms: {
        size: { value: size },
        reach: { value: look.width / 2 + FEATHER },
        ratio: { value: 1 },
        opacity: { value: look.opacity ?? 1 },
      },
      transparent: true,
      side: DoubleSide, // which side is seen depends on which way a piece goes
      depthTest: !look.isOnTop,
      depthWrite: false,
    });
    this.grow(64);
    this.object = new Mesh(this.geometry, material);
    this.object.frustumCulled = false;
    this.object.renderOrder = look.order ?? 0;
    this.object.onBeforeRender = (renderer) => {
      renderer.getViewport(viewport);
      size.set(viewport.z, viewport.w);
      material.uniforms["ratio"]!.value = renderer.getPixelRatio();
    };
  }

  begin(): void {
    this.count = 0;
  }

  add(from: ArrayLike<number>, i: number, to: ArrayLike<number>, j: number, begin: Color, end: Color = begin): void {
    this.line(from[i]!, from[i + 1]!, from[i + 2]!, to[j]!, to[j + 1]!, to[j + 2]!, begin, end);
  }

  line(x: number, y: number, z: number, u: number, v: number, w: number, begin: Color, end: Color = begin): void {
    if (this.count === this.room) this.grow(2 * this.room);
    const first = 12 * this.count++;
    for (let at = first; at < first + 12; at += 3) {
      const isBegin = at < first + 6;
      put(isBegin ? this.places : this.others, at, x, y, z);
      put(isBegin ? this.others : this.places, at, u, v, w);
      (isBegin ? begin : end).toArray(this.tints, at);
    }
  }

  end(): void {
    this.geometry.setDrawRange(0, 6 * this.count);
    this.object.visible = this.count > 0;
    for (const name of ["position", "other", "tint"]) this.geometry.getAttribute(name).needsUpdate = true;
  }

  private grow(room: number): void {
    const longer = (array: Float32Array) => {
      const all = new Float32Array(12 * room);
      all.set(array);
      return all;
    };
    [this.places, this.others, this.tints] = [longer(this.places), longer(this.others), longer(this.tints)];
    this.geometry.dispose(); // gives back the buffers that were too small
    setPieces(this.geometry, room);
    this.geometry.setAttribute("position", new BufferAttribute(this.places, 3).setUsage(DynamicDrawUsage));
    this.geometry.setAttribute("other", new BufferAttribute(this.others, 3).setUsage(DynamicDrawUsage));
    this.geometry.setAttribute("tint", new BufferAttribute(this.tints, 3).setUsage(DynamicDrawUsage));
    this.room = room;
  }
}

/** Four corners for each of so many pieces. */
export function setPieces(geometry: BufferGeometry, count: number): void {
  const forms = new Float32Array(8 * count);
  const index = new Uint32Array(6 * count);
  for (let i = 0; i < count; i++) {
    forms.set(CORNERS.flat(), 8 * i);
    index.set([4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 2, 4 * i + 1, 4 * i + 3], 6 * i);
  }
  geometry.setIndex(new BufferAttribute(index, 1));
  geometry.setAttribute("form", new BufferAttribute(forms, 2));
}

export function put(array: Float32Array, at: number, x: number, y: number, z: number): void {
  array[at] = x;
  array[at + 1] = y;
  array[at + 2] = z;
}
