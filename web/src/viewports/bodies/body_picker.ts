// Whose body is under a pixel? The nearest one that the line of sight meets. Planes are beside everything: they are
// chosen by their name.

import { Box3, Quaternion, Ray, Vector3 } from "three";

import type { BodyView } from "../../messages";
import type { Cast, Standing } from "../actors/actor_markers";
import type { View } from "../views/view";
import { extentOf, shapeOf } from "./body_shapes";
import type { Skins } from "./soft_surfaces";
import type { Bodied, Solids } from "./rigid_bodies";

export class Touch {
  constructor(
    private solids: Solids,
    private skins: Skins,
    private cast: Cast,
  ) {}

  pick(view: View, x: number, y: number): Bodied | null {
    const sight = view.rayThrough(x, y);
    let [best, nearest]: [Bodied | null, number] = [null, Infinity];
    for (const one of this.solids.all) {
      const standing = this.cast.standing(one.name);
      const rigid = one.body.surface ? null : standing;
      const away = rigid ? metAt(sight, rigid, one.body) : this.skins.metAt(one.name, sight);
      if (away !== null && away < nearest) [best, nearest] = [one, away];
    }
    return best;
  }
}

/** How far along a line of sight a body is met [m]; null if it is not. */
function metAt(sight: Ray, { place, turn }: Standing, body: BodyView): number | null {
  const back = new Quaternion().copy(turn).invert();
  const own = new Ray(sight.origin.clone().sub(place).applyQuaternion(back), sight.direction.clone().applyQuaternion(back));
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
  return own.intersectBox(new Box3(middle.clone().sub(half), middle.add(half)), new Vector3())?.distanceTo(own.origin) ?? null;
}
