// How are dots, keys and handles drawn? As marks of so many pixels however far away: discs, diamonds, rings, squares.

import { BufferAttribute, BufferGeometry, type Color, DynamicDrawUsage, Points, ShaderMaterial, Vector4 } from "three";

import { put } from "./shapes";

export const DISC = 0;
export const DIAMOND = 1;
export const HOLLOW = 2; // a diamond's outline
export const RING = 3;
export const EYED = 4; // a square with a dot in it

const VERTEX = `
  attribute vec4 tint;
  attribute vec3 form; // size and kind, and how far it stands to the right of its place
  uniform float ratio;
  uniform float width;
  varying vec4 vTint;
  varying vec2 vForm;
  void main() {
    vTint = tint;
    vForm = vec2(form.x * ratio, form.y);
    gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
    gl_Position.x += form.z * 2.0 / width * gl_Position.w;
    gl_PointSize = form.x * ratio;
  }`;

const FRAGMENT = `
  varying vec4 vTint;
  varying vec2 vForm;
  void main() {
    vec2 off = (gl_PointCoord - 0.5) * vForm.x;
    bool isEyed = vForm.y > 3.5;
    bool isRound = vForm.y < 0.5 || (vForm.y > 2.5 && !isEyed);
    float away = isEyed ? max(abs(off.x), abs(off.y)) : isRound ? length(off) : (abs(off.x) + abs(off.y));
    float cover = clamp(vForm.x * 0.5 - away, 0.0, 1.0);
    if (vForm.y > 1.5) cover *= clamp(away - vForm.x * 0.5 + 2.8, 0.0, 1.0);
    if (isEyed) cover = max(cover, clamp(vForm.x * 0.2 - length(off) + 0.5, 0.0, 1.0));
    if (cover <= 0.0) discard;
    gl_FragColor = vec4(vTint.rgb, vTint.a * cover);
  }`;

const viewport = new Vector4();

export class Marks {
  readonly object: Points;
  private geometry = new BufferGeometry();
  private room = 0;
  private count = 0;
  private positions = new Float32Array();
  private tints = new Float32Array();
  private forms = new Float32Array();

  constructor(order: number, isOnTop = false) {
    const material = new ShaderMaterial({
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      uniforms: { ratio: { value: 1 }, width: { value: 1 } },
      transparent: true,
      depthTest: !isOnTop,
      depthWrite: false,
    });
    this.grow(64);
    this.object = new Points(this.geometry, material);
    this.object.frustumCulled = false;
    this.object.renderOrder = order;
    this.object.onBeforeRender = (renderer) => {
      material.uniforms["ratio"]!.value = renderer.getPixelRatio();
      material.uniforms["width"]!.value = renderer.getViewport(viewport).z;
    };
  }

  begin(): void {
    this.count = 0;
  }

  /** `aside`: how many pixels to the right of its place, where others stand already. */
  add(x: number, y: number, z: number, colour: Color, size: number, form: number, opacity = 1, aside = 0): void {
    if (this.count === this.room) this.grow(2 * this.room);
    const i = this.count++;
    put(this.positions, 3 * i, x, y, z);
    colour.toArray(this.tints, 4 * i);
    this.tints[4 * i + 3] = opacity;
    put(this.forms, 3 * i, size, form, aside);
  }

  end(): void {
    this.geometry.setDrawRange(0, this.count);
    this.object.visible = this.count > 0;
    for (const name of ["position", "tint", "form"]) this.geometry.getAttribute(name).needsUpdate = true;
  }

  private grow(room: number): void {
    this.geometry.dispose();
    this.positions = grown(this.positions, 3 * room);
    this.tints = grown(this.tints, 4 * room);
    this.forms = grown(this.forms, 3 * room);
    this.geometry.setAttribute("position", new BufferAttribute(this.positions, 3).setUsage(DynamicDrawUsage));
    this.geometry.setAttribute("tint", new BufferAttribute(this.tints, 4).setUsage(DynamicDrawUsage));
    this.geometry.setAttribute("form", new BufferAttribute(this.forms, 3).setUsage(DynamicDrawUsage));
    this.room = room;
  }
}

function grown(array: Float32Array, length: number): Float32Array<ArrayBuffer> {
  const larger = new Float32Array(length);
  larger.set(array);
  return larger;
}
