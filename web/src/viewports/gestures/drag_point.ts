// How is a drawing changed where it is seen? The points of the one selected key are dragged on the plane that faces the
// view; those of a flat drawing stay in its plane.

import { digitsFor } from "../../math/precision";
import { doc } from "../../state/document.svelte";
import { Drag } from "./drag";
import type { Gesture, Press } from "./gesture";

export function dragPoint(press: Press): Gesture | null {
  const { renderer, view, x, y } = press;
  const picked = press.button === 0 ? renderer.picker.point(view, x, y) : null;
  if (!picked) return null;
  const { actor, key, point } = picked;
  const from = renderer.handles.point(actor, key, point);
  const grabbed = from && view.onPlane(x, y, from);
  if (!from || !grabbed) return null;
  const actorView = doc.actor(actor);
  const isFlat = actorView?.dimension === 2 && actorView.parent === null;
  const digits = digitsFor(view.metresPerPixel(from));
  let drag: Drag | null = null;
  return {
    move(nextX, nextY) {
      const by = view.onPlane(nextX, nextY, from)?.sub(grabbed);
      if (!by) return;
      if (isFlat) by.z = 0;
      drag ??= new Drag(renderer, "drag point");
      drag.send(
        { do: "move_points", actor, key, points: [point], by: by.toArray(), in_world: true, digits },
        { kind: "point", actor, key, point, to: from.clone().add(by) },
      );
    },
    end: () => void drag?.end(),
    cancel: () => void drag?.cancel(),
  };
}
