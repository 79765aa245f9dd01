// How is a tangent set by hand? Drag its handle on the plane that faces the view. Both sides follow, so that the curve
// stays smooth; with Alt only this one.

import { digitsFor } from "../../math/precision";
import { relativeKeyTime } from "../../scene/parts";
import { doc } from "../../state/document.svelte";
import { playback } from "../../state/playback.svelte";
import { Handles, type TangentSide } from "../handles";
import { Drag } from "./drag";
import type { Gesture, Press } from "./gesture";

export function dragTangent(press: Press): Gesture | null {
  const { renderer, view, x, y } = press;
  const picked = press.button === 0 ? renderer.picker.tangent(view, x, y) : null;
  if (picked?.kind !== "tangent") return null;
  const { actor, key, side } = picked;
  const [position, grip] = [renderer.handles.key(actor, key), renderer.handles.grip(actor, key, side)];
  const grabbed = grip && view.onPlane(x, y, grip);
  if (!position || !grip || !grabbed) return null;
  const digits = digitsFor(view.metresPerPixel(grip));
  const at = relativeKeyTime(doc.keyedActor(actor), playback.poses.time);
  let drag: Drag | null = null;
  return {
    move(nextX, nextY, isAlt) {
      const under = view.onPlane(nextX, nextY, grip);
      if (!under) return;
      const to = Handles.tangentTo(under.sub(grabbed).add(grip), position, side);
      const sides: TangentSide[] = isAlt ? [side] : ["arrive", "leave"];
      drag ??= new Drag(renderer, "drag tangent");
      drag.send(
        { do: "drag_tangent", actor, key, side: isAlt ? side : "both", to: to.toArray(), digits, ...at },
        { kind: "tangent", actor, key, sides, to },
      );
    },
    end: () => void drag?.end(),
    cancel: () => void drag?.cancel(),
  };
}
