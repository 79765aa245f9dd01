// How are many arrows drawn at once? Each is a shaft of so many pixels across and a head that faces the eye, smooth at
// their edges; all of them lie in one buffer that grows. One that points at the eye is a dot.

import {
  BufferAttribute, BufferGeometry, type Color, DoubleSide, DynamicDrawUsage, Mesh, ShaderMaterial, Vector2, Vector4,
} from "three"; // prettier-ignore

import { put } from "../strokes";

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

const CORNERS = [
  [0, -1, 0], [0, 1, 0], [1, -1, 0], [1, 1, 0],
  [1, -1, 1], [1, 1, 1], [2, -1, 1], [2, 1, 1],
] as const; // prettier-ignore
const PIECES = [0, 1, 2, 2, 1, 3, 4, 5, 6, 6, 5, 7];
const EACH = CORNERS.length;
const viewport = new Vector4();

/** `width` of a shaft and longest `head` [CSS pixels]. */
export interface ArrowLook {
  width: number;
  head: number;
  opacity?: number;
  isOnTop?: boolean;
  order?: number;
}

export class ArrowShapes {
  readonly object: Mesh;
  private geometry = new BufferGeometry();
  private tails = new Float32Array();
  private tips = new Float32Array();
  private tints = new Float32Array();
  private room = 0;
  private count = 0;

  constructor(look: ArrowLook) {
    const size = new Vector2();
    const material = new ShaderMaterial({
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      uniforms: {
        size: { value: size },
        look: { value: new Vector2(look.width / 2, look.head) },
        ratio: { value: 1 },
        opacity: { value: look.opacity ?? 1 },
      },
      transparent: true,
      side: DoubleSide,
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

  get isEmpty(): boolean {
    return this.count === 0;
  }

  begin(): void {
    this.count = 0;
  }

  /** An arrow from a place to another. */
  add(x: number, y: number, z: number, u: number, v: number, w: number, { r, g, b }: Color): void {
    if (this.count === this.room) this.grow(2 * this.room);
    const first = 3 * EACH * this.count++;
    for (let at = first; at < first + 3 * EACH; at += 3) {
      put(this.tails, at, x, y, z);
      put(this.tips, at, u, v, w);
      put(this.tints, at, r, g, b);
    }
  }

  end(): void {
    this.geometry.setDrawRange(0, PIECES.length * this.count);
    this.object.visible = this.count > 0;
    for (const name of ["position", "other", "tint"]) this.geometry.getAttribute(name).needsUpdate = true;
  }

  private grow(room: number): void {
    const longer = (array: Float32Array) => {
      const all = new Float32Array(3 * EACH * room);
      all.set(array);
      return all;
    };
    [this.tails, this.tips, this.tints] = [longer(this.tails), longer(this.tips), longer(this.tints)];
    const forms = new Float32Array(3 * EACH * room);
    const index = new Uint32Array(PIECES.length * room);
    for (let i = 0; i < room; i++) {
      forms.set(CORNERS.flat(), 3 * EACH * i);
      index.set(PIECES.map((corner) => EACH * i + corner), PIECES.length * i);
    }
    this.geometry.dispose(); // gives back the buffers that were too small
    this.geometry.setIndex(new BufferAttribute(index, 1));
    this.geometry.setAttribute("form", new BufferAttribute(forms, 3));
    this.geometry.setAttribute("position", new BufferAttribute(this.tails, 3).setUsage(DynamicDrawUsage));
    this.geometry.setAttribute("other", new BufferAttribute(this.tips, 3).setUsage(DynamicDrawUsage));
    this.geometry.setAttribute("tint", new BufferAttribute(this.tints, 3).setUsage(DynamicDrawUsage));
    this.room = room;
  }
}
