// How does one view see the stage? A camera in a rectangle, and the way between pixels and metres.

import { type OrthographicCamera, type PerspectiveCamera, Plane, Ray, Vector3 } from "three";

import { NOWHERE, type Rectangle, type ViewName } from "./layout";

/** A place on the canvas [CSS pixels], and whether it lies before the camera. */
export interface Spot {
  x: number;
  y: number;
  isVisible: boolean;
}

const MARGIN = 42; // pixels
const projected = new Vector3();

export abstract class View {
  abstract readonly name: ViewName;
  abstract readonly camera: PerspectiveCamera | OrthographicCamera;
  readonly target = new Vector3();
  rectangle: Rectangle = NOWHERE;

  /** Put the camera where this view stands; `reach` [m] is how far the stage goes from its target. */
  abstract placeCamera(reach: number): void;
  /** Move the target so that the stage follows the pointer by so many pixels. */
  abstract pan(dx: number, dy: number): void;
  /** Come nearer (factor < 1) or go away, keeping what is under a pixel there. */
  abstract zoom(factor: number, x: number, y: number): void;
  /** Show some places with air around them, at least so much of the stage [m]. */
  abstract frame(positions: Vector3[], minSize: number): void;
  /** How long a pixel is at a place [m]. */
  abstract metresPerPixel(at: Vector3): number;

  get isShown(): boolean {
    return this.rectangle.width > 0;
  }

  get aspect(): number {
    return this.isShown ? this.rectangle.width / Math.max(1, this.rectangle.height) : 1;
  }

  /** How much larger than what it frames a view is, across and up, so that handles and names have room. */
  get air(): [number, number] {
    const { width, height } = this.rectangle;
    if (!this.isShown) return [1.25, 1.25];
    const around = (size: number) => size / (size - 2 * Math.min(MARGIN, size / 5));
    return [around(width), around(height)];
  }

  /** Which way this view looks. */
  get forward(): Vector3 {
    return this.camera.getWorldDirection(new Vector3());
  }

  project(x: number, y: number, z: number, spot: Spot = { x: 0, y: 0, isVisible: false }): Spot {
    projected.set(x, y, z).applyMatrix4(this.camera.matrixWorldInverse);
    const isBefore = projected.z < 0;
    projected.applyMatrix4(this.camera.projectionMatrix);
    const { left, top, width, height } = this.rectangle;
    spot.x = left + ((projected.x + 1) / 2) * width;
    spot.y = top + ((1 - projected.y) / 2) * height;
    spot.isVisible = isBefore && Math.abs(projected.x) <= 1.05 && Math.abs(projected.y) <= 1.05;
    return spot;
  }

  spotOf(position: Vector3): Spot {
    return this.project(position.x, position.y, position.z);
  }

  /** The line of sight through a pixel. */
  rayThrough(x: number, y: number): Ray {
    const { left, top, width, height } = this.rectangle;
    const [right, up] = [((x - left) / width) * 2 - 1, 1 - ((y - top) / height) * 2];
    const near = new Vector3(right, up, -1).unproject(this.camera);
    const far = new Vector3(right, up, 1).unproject(this.camera);
    return new Ray(near, far.sub(near).normalize());
  }

  /** The middle of places along a direction, and half of how far they go. */
  protected static extent(positions: Vector3[], direction: Vector3): { middle: number; half: number } {
    let [low, high] = [Infinity, -Infinity];
    for (const position of positions) {
      const along = position.dot(direction);
      if (along < low) low = along;
      if (along > high) high = along;
    }
    return { middle: (low + high) / 2, half: (high - low) / 2 };
  }

  /** What a pixel means on the plane through a place that faces the view. */
  onPlane(x: number, y: number, through: Vector3): Vector3 | null {
    const plane = new Plane().setFromNormalAndCoplanarPoint(this.forward, through);
    return this.rayThrough(x, y).intersectPlane(plane, new Vector3());
  }
}
