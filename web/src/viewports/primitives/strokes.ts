// How are many lines drawn at once? Each piece is a strip of so many pixels across, smooth at its edges.

import type { Color } from "three";

import { type Form, put, type ShapeLook, Shapes } from "./shapes";

export interface StrokeLook extends ShapeLook {
  /** [CSS pixels] */
  width: number;
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
/** Four corners: which edge, and 1 at the begin or -1 at the end. */
// prettier-ignore
export const PIECE: Form = { corners: [[-1, 1], [1, 1], [-1, -1], [1, -1]], pieces: [0, 1, 2, 2, 1, 3] };

export class Strokes extends Shapes {
  constructor(look: StrokeLook) {
    super(
      PIECE,
      { vertexShader: VERTEX, fragmentShader: FRAGMENT },
      { reach: { value: look.width / 2 + FEATHER } },
      look,
    );
  }

  add(from: ArrayLike<number>, i: number, to: ArrayLike<number>, j: number, begin: Color, end: Color = begin): void {
    this.line(from[i]!, from[i + 1]!, from[i + 2]!, to[j]!, to[j + 1]!, to[j + 2]!, begin, end);
  }

  line(x: number, y: number, z: number, u: number, v: number, w: number, begin: Color, end: Color = begin): void {
    const first = this.next();
    for (let at = first; at < first + this.each; at += 3) {
      const isBegin = at < first + 6;
      put(isBegin ? this.positions : this.others, at, x, y, z);
      put(isBegin ? this.others : this.positions, at, u, v, w);
      (isBegin ? begin : end).toArray(this.tints, at);
    }
  }
}
