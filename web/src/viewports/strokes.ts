// How are many lines drawn at once? All segments in one buffer that grows, each end with its colour.

import { InstancedInterleavedBuffer, InterleavedBufferAttribute, type Color } from "three";
import { LineMaterial } from "three/addons/lines/LineMaterial.js";
import { LineSegments2 } from "three/addons/lines/LineSegments2.js";
import { LineSegmentsGeometry } from "three/addons/lines/LineSegmentsGeometry.js";

export interface StrokeLook {
  /** [CSS pixels] */
  width: number;
  opacity?: number;
  /** Drawn whatever stands before it. */
  isOnTop?: boolean;
  order?: number;
}

export class Strokes {
  readonly object: LineSegments2;
  private geometry = new LineSegmentsGeometry();
  private places!: InstancedInterleavedBuffer;
  private colours!: InstancedInterleavedBuffer;
  private room = 0;
  private count = 0;

  constructor(look: StrokeLook) {
    const material = new LineMaterial({
      vertexColors: true,
      linewidth: look.width,
      transparent: true,
      opacity: look.opacity ?? 1,
      depthTest: !look.isOnTop,
      depthWrite: false,
    });
    this.grow(64);
    this.object = new LineSegments2(this.geometry, material);
    this.object.frustumCulled = false;
    this.object.renderOrder = look.order ?? 0;
  }

  begin(): void {
    this.count = 0;
  }

  add(from: ArrayLike<number>, i: number, to: ArrayLike<number>, j: number, begin: Color, end: Color = begin): void {
    this.line(from[i]!, from[i + 1]!, from[i + 2]!, to[j]!, to[j + 1]!, to[j + 2]!, begin, end);
  }

  line(x: number, y: number, z: number, u: number, v: number, w: number, begin: Color, end: Color = begin): void {
    if (this.count === this.room) this.grow(2 * this.room);
    const at = 6 * this.count++;
    const places = this.places.array as Float32Array;
    const colours = this.colours.array as Float32Array;
    places[at] = x;
    places[at + 1] = y;
    places[at + 2] = z;
    places[at + 3] = u;
    places[at + 4] = v;
    places[at + 5] = w;
    begin.toArray(colours, at);
    end.toArray(colours, at + 3);
  }

  end(): void {
    this.geometry.instanceCount = this.count;
    this.object.visible = this.count > 0;
    this.places.needsUpdate = true;
    this.colours.needsUpdate = true;
  }

  private grow(room: number): void {
    const copied = (old: InstancedInterleavedBuffer | undefined) => {
      const array = new Float32Array(6 * room);
      if (old) array.set(old.array as Float32Array);
      return new InstancedInterleavedBuffer(array, 6, 1);
    };
    this.geometry.dispose(); // gives back the buffers that were too small
    this.places = copied(this.room ? this.places : undefined);
    this.colours = copied(this.room ? this.colours : undefined);
    this.geometry.setAttribute("instanceStart", new InterleavedBufferAttribute(this.places, 3, 0));
    this.geometry.setAttribute("instanceEnd", new InterleavedBufferAttribute(this.places, 3, 3));
    this.geometry.setAttribute("instanceColorStart", new InterleavedBufferAttribute(this.colours, 3, 0));
    this.geometry.setAttribute("instanceColorEnd", new InterleavedBufferAttribute(this.colours, 3, 3));
    this.room = room;
  }
}
