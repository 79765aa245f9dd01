// How are many arrows drawn at once? Each is a shaft of so many pixels across and a head that faces the eye, smooth at
// their edges. One that points at the eye is a dot.

import { type Color, Vector2 } from "three";

import { type Form, put, type ShapeLook, Shapes } from "./shapes";

const VERTEX = `
  attribute vec3 other;
  attribute vec3 form; // along: 0 the tail, 1 the neck, 2 the tip; which edge; whether it is of the head
  attribute vec3 tint;
  uniform vec2 size;
  uniform vec2 look; // half of a shaft's width, and the longest head
  varying vec3 vTint;
  varying vec4 vForm; // along and across from the neck, length of the head, half width of it
  void main() {
    vec4 tail = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
    vec4 tip = projectionMatrix * modelViewMatrix * vec4(other, 1.0);
    float before = tail.z + tail.w, beyond = tip.z + tip.w; // negative behind the eye: cut there
    if (before < 0.0 && beyond > 0.0) tail = mix(tail, tip, before / (before - beyond));
    if (beyond < 0.0 && before > 0.0) tip = mix(tip, tail, beyond / (beyond - before));
    vec2 from = tail.xy / tail.w * size * 0.5, to = tip.xy / tip.w * size * 0.5;
    float far = length(to - from);
    vec2 way = far > 1e-3 ? (to - from) / far : vec2(1.0, 0.0);
    float head = clamp(0.5 * far, 2.0 * look.x, look.y);
    float wide = max(0.42 * head, look.x + 0.3);
    float along = form.x < 0.5 ? 0.0 : form.x < 1.5 ? max(far - head, 0.0) : max(far, head);
    float edge = form.y * ((form.z > 0.5 ? wide : look.x) + 0.5);
    vec4 here = form.x < 0.5 ? tail : tip;
    here.xy = (from + way * along + vec2(-way.y, way.x) * edge) * 2.0 / size * here.w;
    vTint = tint;
    vForm = vec4(form.x > 1.5 ? head : 0.0, edge, form.z > 0.5 ? head : 0.0, form.z > 0.5 ? wide : look.x);
    gl_Position = here;
  }`;

const FRAGMENT = `
  uniform float opacity;
  uniform float ratio;
  varying vec3 vTint;
  varying vec4 vForm;
  void main() {
    float half_ = vForm.z > 0.0 ? vForm.w * (1.0 - vForm.x / vForm.z) : vForm.w;
    float cover = clamp((half_ + 0.5 - abs(vForm.y)) * ratio, 0.0, 1.0);
    gl_FragColor = vec4(vTint, opacity * cover);
  }`;

// prettier-ignore
const ARROW: Form = {
  corners: [
    [0, -1, 0], [0, 1, 0], [1, -1, 0], [1, 1, 0],
    [1, -1, 1], [1, 1, 1], [2, -1, 1], [2, 1, 1],
  ],
  pieces: [0, 1, 2, 2, 1, 3, 4, 5, 6, 6, 5, 7],
};

/** `width` of a shaft and longest `head` [CSS pixels]. */
export interface ArrowLook extends ShapeLook {
  width: number;
  head: number;
}

export class ArrowShapes extends Shapes {
  constructor(look: ArrowLook) {
    const sizes = { look: { value: new Vector2(look.width / 2, look.head) } };
    super(ARROW, { vertexShader: VERTEX, fragmentShader: FRAGMENT }, sizes, look);
  }

  /** An arrow from a place to another. */
  add(x: number, y: number, z: number, u: number, v: number, w: number, { r, g, b }: Color): void {
    const first = this.next();
    for (let at = first; at < first + this.each; at += 3) {
      put(this.positions, at, x, y, z);
      put(this.others, at, u, v, w);
      put(this.tints, at, r, g, b);
    }
  }
}
