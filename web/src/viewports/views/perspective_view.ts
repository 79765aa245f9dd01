// How does one walk around the stage? The view circles its target; or it looks through a camera of the cast.

import { PerspectiveCamera, Quaternion, Vector3 } from "three";

import { View } from "./view";

const FOV = 40; // degrees, vertical
const CENTRINGS = 4;
const DEEPEST = 1e4; // times the distance of what is looked at: farther away nothing is seen
const STEEPEST = Math.PI / 2 - 0.01;
const ABOUT = new Quaternion(0, 1, 0, 0); // an actor looks along +Z, a camera of three.js along -Z

/** Where a camera of the cast is, and how much it sees. */
export interface CameraPose {
  position: Vector3;
  orientation: Quaternion;
  fov: number;
}

export class PerspectiveView extends View {
  readonly name = "perspective";
  readonly camera = new PerspectiveCamera(FOV);
  yaw = 0.6;
  pitch = 0.45;
  distance = 10;
  through: CameraPose | null = null;

  override placeCamera(reach: number): void {
    const { camera } = this;
    camera.aspect = this.aspect;
    if (this.through) {
      camera.fov = this.through.fov;
      camera.position.copy(this.through.position);
      camera.quaternion.copy(this.through.orientation).multiply(ABOUT);
      camera.near = Math.max(reach * 1e-3, 1e-6);
      camera.far = camera.near * 1e5;
    } else {
      camera.fov = FOV;
      camera.position.copy(this.direction().multiplyScalar(this.distance).add(this.target));
      camera.lookAt(this.target);
      camera.near = this.distance * 0.01;
      camera.far = this.distance * 50 + Math.min(reach * 10, this.distance * DEEPEST);
    }
    camera.updateProjectionMatrix();
    camera.updateMatrixWorld();
  }

  /** From the target to the camera. */
  direction(): Vector3 {
    const flat = Math.cos(this.pitch);
    return new Vector3(Math.sin(this.yaw) * flat, Math.sin(this.pitch), Math.cos(this.yaw) * flat);
  }

  orbit(dx: number, dy: number): void {
    this.yaw -= dx * 0.008;
    this.pitch = Math.min(STEEPEST, Math.max(-STEEPEST, this.pitch + dy * 0.008));
  }

  override pan(dx: number, dy: number): void {
    const scale = this.metresPerPixel(this.target);
    const right = new Vector3().setFromMatrixColumn(this.camera.matrixWorld, 0);
    const up = new Vector3().setFromMatrixColumn(this.camera.matrixWorld, 1);
    this.target.addScaledVector(right, -dx * scale).addScaledVector(up, dy * scale);
  }

  override zoom(factor: number, x: number, y: number): void {
    const under = this.onPlane(x, y, this.target);
    this.distance = Math.min(1e7, Math.max(1e-4, this.distance * factor));
    if (under) this.target.lerp(under, 1 - factor);
  }

  override frame(positions: Vector3[], minSize: number): void {
    const [across, above] = this.air;
    const half = Math.tan((FOV * Math.PI) / 360);
    const [tall, wide] = [half / above, (half * this.aspect) / across];
    const back = this.direction();
    const right = new Vector3(0, 1, 0).cross(back).normalize();
    const up = new Vector3().crossVectors(back, right);
    this.target.set(0, 0, 0);
    for (const direction of [right, up, back])
      this.target.addScaledVector(direction, View.extent(positions, direction).middle);
    const reach = () => {
      this.distance = minSize / tall / 2;
      for (const position of positions) {
        const off = position.clone().sub(this.target);
        const needed = Math.max(Math.abs(off.dot(up)) / tall, Math.abs(off.dot(right)) / wide);
        this.distance = Math.max(this.distance, needed + off.dot(back));
      }
    };
    reach();
    // What is near looks larger: the middle of the picture is not the middle of the stage.
    for (let i = 0; i < CENTRINGS; i++) {
      const onScreen = positions.map((position) => {
        const off = position.clone().sub(this.target);
        return new Vector3(off.dot(right), off.dot(up), 0).multiplyScalar(
          this.distance / (this.distance - off.dot(back)),
        );
      });
      this.target.addScaledVector(right, View.extent(onScreen, new Vector3(1, 0, 0)).middle);
      this.target.addScaledVector(up, View.extent(onScreen, new Vector3(0, 1, 0)).middle);
      reach();
    }
  }

  /** Stand where the camera of the cast stands, free to walk from there. */
  leaveCamera(reach: number): void {
    if (!this.through) return;
    const back = new Vector3(0, 0, -1).applyQuaternion(this.through.orientation);
    this.distance = Math.max(reach, 1e-3);
    this.target.copy(this.through.position).addScaledVector(back, -this.distance);
    this.yaw = Math.atan2(back.x, back.z);
    this.pitch = Math.asin(Math.min(1, Math.max(-1, back.y)));
    this.through = null;
  }

  override metresPerPixel(at: Vector3): number {
    const depth = new Vector3().copy(at).applyMatrix4(this.camera.matrixWorldInverse).z;
    const tall = 2 * Math.tan((this.camera.fov * Math.PI) / 360) * Math.max(-depth, this.camera.near);
    return tall / Math.max(1, this.rectangle.height);
  }
}
