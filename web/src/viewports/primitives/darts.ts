// How are many darts drawn at once? In one drawing call, each so many pixels large however far away: a marker is to be
// seen, not to cover the stage.

import {
  Color,
  DoubleSide,
  Group,
  InstancedMesh,
  Matrix4,
  ShaderMaterial,
  type Quaternion,
  Vector3,
  Vector4,
} from "three";

import { dart } from "./dart";

/** Where somebody stands and how it is turned. */
export interface Pose {
  position: Vector3;
  orientation: Quaternion;
}

/** How many pixels one of a dart's units is: it is 1.75 of them long. */
export const DART = 9;

// Of what is drawn, w is 1 without perspective and else how far away it is: so much larger is a pixel there.
const VERTEX = `
  uniform float tall;
  varying vec3 vTint;
  void main() {
    mat4 seen = modelViewMatrix * instanceMatrix;
    vec4 middle = projectionMatrix * seen[3];
    float pixel = 2.0 * middle.w / (projectionMatrix[1][1] * tall);
    vTint = color * instanceColor;
    gl_Position = projectionMatrix * (seen[3] + vec4(mat3(seen) * position * pixel, 0.0));
  }`;

const FRAGMENT = `
  uniform float opacity;
  varying vec3 vTint;
  void main() {
    gl_FragColor = vec4(vTint, opacity);
  }`;

const matrix = new Matrix4();
const scale = new Vector3();
const viewport = new Vector4();

export class Darts {
  readonly object = new Group();
  private mesh: InstancedMesh;
  private material: ShaderMaterial;
  private count = 0;

  constructor(opacity: number) {
    const isFaint = opacity < 1;
    this.material = new ShaderMaterial({
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      uniforms: { tall: { value: 1 }, opacity: { value: opacity } },
      vertexColors: true,
      side: DoubleSide,
      transparent: isFaint,
      depthWrite: !isFaint,
    });
    this.mesh = this.grown(16);
  }

  begin(): void {
    this.count = 0;
  }

  /** `size` [CSS pixels] of one of its units. */
  add({ position, orientation }: Pose, size: number, colour: Color): void {
    if (this.count === this.mesh.instanceMatrix.count) this.mesh = this.grown(2 * this.count);
    this.mesh.setMatrixAt(this.count, matrix.compose(position, orientation, scale.setScalar(size)));
    this.mesh.setColorAt(this.count, colour);
    this.count += 1;
  }

  end(): void {
    this.mesh.count = this.count;
    this.mesh.visible = this.count > 0;
    this.mesh.instanceMatrix.needsUpdate = true;
    if (this.mesh.instanceColor) this.mesh.instanceColor.needsUpdate = true;
  }

  private grown(room: number): InstancedMesh {
    const larger = new InstancedMesh(dart(), this.material, room);
    larger.frustumCulled = false;
    larger.onBeforeRender = (renderer) => (this.material.uniforms["tall"]!.value = renderer.getViewport(viewport).w);
    const old = this.mesh as InstancedMesh | undefined;
    const colour = new Color();
    for (let i = 0; old && i < this.count; i++) {
      old.getMatrixAt(i, matrix);
      larger.setMatrixAt(i, matrix);
      old.getColorAt(i, colour);
      larger.setColorAt(i, colour);
    }
    old?.geometry.dispose();
    old?.dispose();
    this.object.clear().add(larger);
    return larger;
  }
}
