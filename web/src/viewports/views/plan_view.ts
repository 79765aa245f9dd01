// How does the stage look from above, from the front, from the side? Without perspective, so that lengths are true.

import { OrthographicCamera, Vector3 } from "three";

import { View } from "./view";

const DEEPEST = 1000; // times what is seen across: farther away nothing is told apart from what is behind it

export type Side = "top" | "front" | "side";

// Where the camera stands, and what is up on the screen: X to the right from above and in front, Z to the left from +X.
const FROM: Record<Side, [Vector3, Vector3]> = {
  top: [new Vector3(0, 1, 0), new Vector3(0, 0, -1)],
  front: [new Vector3(0, 0, 1), new Vector3(0, 1, 0)],
  side: [new Vector3(1, 0, 0), new Vector3(0, 1, 0)],
};

export class PlanView extends View {
  readonly camera = new OrthographicCamera();
  /** How much is seen from the lower edge to the upper one [m]. */
  span = 10;

  constructor(readonly name: Side) {
    super();
  }

  get from(): Vector3 {
    return FROM[this.name][0];
  }

  private get up(): Vector3 {
    return FROM[this.name][1];
  }

  private get right(): Vector3 {
    return new Vector3().crossVectors(this.up, this.from);
  }

  override placeCamera(reach: number): void {
    const { camera, span } = this;
    const away = 2 * Math.max(Math.min(reach, DEEPEST * span), span);
    [camera.left, camera.right] = [(-span / 2) * this.aspect, (span / 2) * this.aspect];
    [camera.bottom, camera.top] = [-span / 2, span / 2];
    [camera.near, camera.far] = [away * 1e-3, 2 * away];
    camera.up.copy(this.up);
    camera.position.copy(this.target).addScaledVector(this.from, away);
    camera.lookAt(this.target);
    camera.updateProjectionMatrix();
    camera.updateMatrixWorld();
  }

  override pan(dx: number, dy: number): void {
    const scale = this.metresPerPixel();
    this.target.addScaledVector(this.right, -dx * scale).addScaledVector(this.up, dy * scale);
  }

  override zoom(factor: number, x: number, y: number): void {
    const under = this.onPlane(x, y, this.target);
    this.span = Math.min(1e7, Math.max(1e-4, this.span * factor));
    if (under) this.target.lerp(under, 1 - factor);
  }

  override frame(positions: Vector3[], minSize: number): void {
    const [wide, tall, deep] = [this.right, this.up, this.from].map((direction) => View.extent(positions, direction));
    this.target.set(0, 0, 0).addScaledVector(this.right, wide!.middle).addScaledVector(this.up, tall!.middle);
    this.target.addScaledVector(this.from, deep!.middle);
    const [across, above] = this.air;
    this.span = Math.max(2 * above * tall!.half, (2 * across * wide!.half) / this.aspect, minSize);
  }

  override metresPerPixel(): number {
    return this.span / Math.max(1, this.rectangle.height);
  }
}
