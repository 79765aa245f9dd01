// How is a drawing changed where it is seen? The points of the one selected key are dragged on the plane that faces the
// view; those of a flat drawing stay in its plane.

import { digitsFor } from "../../math/rounding";
import { Drag } from "./drag";
import type { Gesture, Press } from "./gesture";

export function dragPoint(press: Press): Gesture | null {
  const { picture, view, x, y } = press;
  const picked = press.button === 0 ? picture.picker.point(view, x, y) : null;
  if (!picked) return null;
  const { actor, key, point } = picked;
  const from = picture.handles.point(actor, key, point);
  const grasped = from && view.onPlane(x, y, from);
  if (!from || !grasped) return null;
  const seen = picture.studio.actor(actor);
  const isFlat = seen?.dimension === 2 && seen.parent === null;
  const digits = digitsFor(view.metresPerPixel(from));
  let drag: Drag | null = null;
  return {
    move(nextX, nextY) {
      const by = view.onPlane(nextX, nextY, from)?.sub(grasped);
      if (!by) return;
      if (isFlat) by.z = 0;
      drag ??= new Drag(picture, "drag point");
      drag.say(
        { do: "move_points", actor, key, points: [point], by: by.toArray(), in_world: true, digits },
        { kind: "point", actor, key, point, to: from.clone().add(by) },
      );
    },
    end: () => void drag?.end(),
    cancel: () => void drag?.cancel(),
  };
}
