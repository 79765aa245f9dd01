// Whose body is under a pixel? The nearest one that the line of sight meets. Planes are beside everything: they are
// selected by their name.

import { Box3, Quaternion, Ray, Vector3 } from "three";

import type { BodyView } from "../../messages";
import type { ActorMarkers, Pose } from "../actors/actor_markers";
import type { View } from "../views/view";
import { extentOf, shapeOf } from "./body_shapes";
import type { BodyInstance, RigidBodies } from "./rigid_bodies";
import type { SoftSurfaces } from "./soft_surfaces";

export class BodyPicker {
  constructor(
    private rigidBodies: RigidBodies,
    private softSurfaces: SoftSurfaces,
    private actorMarkers: ActorMarkers,
  ) {}

  pick(view: View, x: number, y: number): BodyInstance | null {
    const ray = view.rayThrough(x, y);
    let [best, nearest]: [BodyInstance | null, number] = [null, Infinity];
    for (const one of this.rigidBodies.all) {
      const pose = this.actorMarkers.pose(one.name);
      const rigid = one.body.surface ? null : pose;
      const away = rigid ? hitDistance(ray, rigid, one.body) : this.softSurfaces.hitDistance(one.name, ray);
      if (away !== null && away < nearest) [best, nearest] = [one, away];
    }
    return best;
  }
}

/** How far along a line of sight a body is met [m]; null if it is not. */
function hitDistance(ray: Ray, { position, orientation }: Pose, body: BodyView): number | null {
  const back = new Quaternion().copy(orientation).invert();
  const own = new Ray(
    ray.origin.clone().sub(position).applyQuaternion(back),
    ray.direction.clone().applyQuaternion(back),
  );
  const { kind, radius = 0, length = 0 } = shapeOf(body);
  if (kind === "sphere" || kind === "capsule") {
    const half = kind === "sphere" ? 0 : length / 2;
    const on = new Vector3();
    const squared = own.distanceSqToSegment(new Vector3(0, -half, 0), new Vector3(0, half, 0), on);
    return squared <= radius * radius ? on.distanceTo(own.origin) - Math.sqrt(radius * radius - squared) : null;
  }
  const extent = extentOf(body);
  if (!extent) return null;
  const [half, middle] = [new Vector3().fromArray(extent.half), new Vector3().fromArray(extent.middle)];
  return (
    own.intersectBox(new Box3(middle.clone().sub(half), middle.add(half)), new Vector3())?.distanceTo(own.origin) ??
    null
  );
}
