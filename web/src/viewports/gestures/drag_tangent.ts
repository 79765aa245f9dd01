// How is a tangent set by hand? Drag its handle on the plane that faces the view. Both sides follow, so that the curve
// stays smooth; with Alt only this one.

import { shownAt } from "../../scene/parts";
import { digitsFor } from "../../math/rounding";
import { Handles, type TangentSide } from "../handles";
import { Drag } from "./drag";
import type { Gesture, Press } from "./gesture";

export function dragTangent(press: Press): Gesture | null {
  const { picture, view, x, y } = press;
  const picked = press.button === 0 ? picture.picker.tangent(view, x, y) : null;
  if (picked?.kind !== "tangent") return null;
  const { actor, key, side } = picked;
  const [place, grip] = [picture.handles.key(actor, key), picture.handles.grip(actor, key, side)];
  const grasped = grip && view.onPlane(x, y, grip);
  if (!place || !grip || !grasped) return null;
  const digits = digitsFor(view.metresPerPixel(grip));
  const at = shownAt(picture.studio.keyed(actor), picture.studio.poses.time);
  let drag: Drag | null = null;
  return {
    move(nextX, nextY, isAlt) {
      const under = view.onPlane(nextX, nextY, grip);
      if (!under) return;
      const to = Handles.tangentTo(under.sub(grasped).add(grip), place, side);
      const sides: TangentSide[] = isAlt ? [side] : ["arrive", "leave"];
      drag ??= new Drag(picture, "drag tangent");
      drag.say(
        { do: "drag_tangent", actor, key, side: isAlt ? side : "both", to: to.toArray(), digits, ...at },
        { kind: "tangent", actor, key, sides, to },
      );
    },
    end: () => void drag?.end(),
    cancel: () => void drag?.cancel(),
  };
}
