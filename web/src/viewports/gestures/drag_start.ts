// How is it said where and how somebody begins who is steered by fields, or a free or still body? Drag the ring where it begins, or the tip of
// its velocity, on the plane that faces the view.

import { digitsFor, roundTo } from "../../math/precision";
import { doc } from "../../state/document.svelte";
import { selection } from "../../state/selection.svelte";
import { Drag } from "./drag";
import type { Gesture, Press } from "./gesture";

export function dragStart(press: Press): Gesture | null {
  const { renderer, view, x, y } = press;
  const { startHandles, handles } = renderer;
  const handle = press.button === 0 ? startHandles.pick(view, x, y) : null;
  const actor = selection.actor;
  if (handle === null || actor === null) return null;
  const start = handles.startHandlePosition(actor, "start");
  const position = handle === "start" ? start : startHandles.tip(view, actor);
  const spot = startHandles.spot(view, actor, handle);
  if (!start || !position || !spot) return null;
  const isSteered = doc.actor(actor)?.spline != null;
  const [offX, offY] = [x - spot.x, y - spot.y];
  const seconds = startHandles.seconds(view, actor);
  const digits = digitsFor(view.metresPerPixel(position) / (handle === "start" ? 1 : seconds));
  let drag: Drag | null = null;
  return {
    move(nextX, nextY) {
      const to = view.onPlane(nextX - offX, nextY - offY, position);
      if (!to) return;
      drag ??= new Drag(renderer, `drag ${handle}`);
      if (handle === "start") {
        const by = to.clone().sub(start).toArray();
        drag.send(
          { do: isSteered ? "move_splines" : "move_bodies", actors: [actor], by, digits },
          { kind: "start", actor, to },
        );
        return;
      }
      const velocity = to.sub(start).divideScalar(seconds);
      const rounded = velocity.toArray().map((value) => roundTo(value, digits));
      drag.send(
        { do: isSteered ? "set_splines" : "set_movers", actors: [actor], changes: { velocity: rounded } },
        { kind: "velocity", actor, to: velocity },
      );
    },
    end: () => void drag?.end(),
    cancel: () => void drag?.cancel(),
  };
}
