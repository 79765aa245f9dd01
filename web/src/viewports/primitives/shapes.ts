// How are many shapes of one form drawn at once? Each goes from a place to another and has the form's corners, which its
// shader puts so many pixels from there; all of them lie in one buffer that grows. (Instances would be shorter, but cost
// thirty times as much where no graphics card is.)

import {
  BufferAttribute,
  BufferGeometry,
  DoubleSide,
  DynamicDrawUsage,
  type IUniform,
  Mesh,
  ShaderMaterial,
  Vector2,
  Vector4,
} from "three";

/** What is told of each corner, the shader's `form`, and which corners make triangles. */
export interface Form {
  corners: readonly (readonly number[])[];
  pieces: readonly number[];
}

export interface ShapeLook {
  opacity?: number;
  /** Drawn whatever stands before it. */
  isOnTop?: boolean;
  order?: number;
}

const viewport = new Vector4();

export class Shapes {
  readonly object: Mesh;
  protected positions = new Float32Array();
  protected others = new Float32Array();
  protected tints = new Float32Array();
  /** How many numbers of these arrays are one shape's. */
  protected readonly each: number;
  private geometry = new BufferGeometry();
  private room = 0;
  private count = 0;

  constructor(
    private form: Form,
    shaders: { vertexShader: string; fragmentShader: string },
    uniforms: Record<string, IUniform>,
    look: ShapeLook,
  ) {
    const [size, ratio] = [new Vector2(), { value: 1 }];
    const material = new ShaderMaterial({
      ...shaders,
      uniforms: { ...uniforms, size: { value: size }, ratio, opacity: { value: look.opacity ?? 1 } },
      transparent: true,
      side: DoubleSide, // which side is seen depends on which way it goes
      depthTest: !look.isOnTop,
      depthWrite: false,
    });
    this.each = 3 * form.corners.length;
    this.grow(64);
    this.object = new Mesh(this.geometry, material);
    this.object.frustumCulled = false;
    this.object.renderOrder = look.order ?? 0;
    this.object.onBeforeRender = (renderer) => {
      renderer.getViewport(viewport);
      size.set(viewport.z, viewport.w);
      ratio.value = renderer.getPixelRatio();
    };
  }

  get isEmpty(): boolean {
    return this.count === 0;
  }

  begin(): void {
    this.count = 0;
  }

  end(): void {
    this.geometry.setDrawRange(0, this.form.pieces.length * this.count);
    this.object.visible = this.count > 0;
    for (const name of ["position", "other", "tint"]) this.geometry.getAttribute(name).needsUpdate = true;
  }

  /** One shape more: where its numbers begin. */
  protected next(): number {
    if (this.count === this.room) this.grow(2 * this.room);
    return this.each * this.count++;
  }

  private grow(room: number): void {
    const longer = (array: Float32Array) => {
      const all = new Float32Array(this.each * room);
      all.set(array);
      return all;
    };
    [this.positions, this.others, this.tints] = [longer(this.positions), longer(this.others), longer(this.tints)];
    this.geometry.dispose(); // gives back the buffers that were too small
    setForms(this.geometry, this.form, room);
    this.geometry.setAttribute("position", new BufferAttribute(this.positions, 3).setUsage(DynamicDrawUsage));
    this.geometry.setAttribute("other", new BufferAttribute(this.others, 3).setUsage(DynamicDrawUsage));
    this.geometry.setAttribute("tint", new BufferAttribute(this.tints, 3).setUsage(DynamicDrawUsage));
    this.room = room;
  }
}

/** The corners and triangles of so many shapes. */
export function setForms(geometry: BufferGeometry, { corners, pieces }: Form, count: number): void {
  const numbers = corners.flat();
  const forms = new Float32Array(numbers.length * count);
  const index = new Uint32Array(pieces.length * count);
  for (let i = 0; i < count; i++) {
    forms.set(numbers, numbers.length * i);
    for (let k = 0; k < pieces.length; k++) index[pieces.length * i + k] = corners.length * i + pieces[k]!;
  }
  geometry.setIndex(new BufferAttribute(index, 1));
  geometry.setAttribute("form", new BufferAttribute(forms, numbers.length / corners.length));
}

export function put(array: Float32Array, at: number, x: number, y: number, z: number): void {
  array[at] = x;
  array[at + 1] = y;
  array[at + 2] = z;
}
