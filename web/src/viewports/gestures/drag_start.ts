// How is it said where and how somebody begins who is steered by fields, or a free or still body? Drag the ring where it begins, or the tip of
// its velocity, on the plane that faces the view.

import { digitsFor, roundedTo } from "../../math/rounding";
import { Drag } from "./drag";
import type { Gesture, Press } from "./gesture";

export function dragStart(press: Press): Gesture | null {
  const { picture, view, x, y } = press;
  const { starts, handles, studio } = picture;
  const what = press.button === 0 ? starts.pick(view, x, y) : null;
  const actor = studio.selection.actor;
  if (what === null || actor === null) return null;
  const start = handles.beginning(actor, "start");
  const place = what === "start" ? start : starts.tip(view, actor);
  const spot = starts.spot(view, actor, what);
  if (!start || !place || !spot) return null;
  const isSteered = studio.actor(actor)?.spline != null;
  const [offX, offY] = [x - spot.x, y - spot.y];
  const seconds = starts.seconds(view, actor);
  const digits = digitsFor(view.metresPerPixel(place) / (what === "start" ? 1 : seconds));
  let drag: Drag | null = null;
  return {
    move(nextX, nextY) {
      const to = view.onPlane(nextX - offX, nextY - offY, place);
      if (!to) return;
      drag ??= new Drag(picture, `drag ${what}`);
      if (what === "start") {
        const by = to.clone().sub(start).toArray();
        drag.say({ do: isSteered ? "move_splines" : "move_bodies", actors: [actor], by, digits }, { kind: "start", actor, to });
        return;
      }
      const velocity = to.sub(start).divideScalar(seconds);
      const said = velocity.toArray().map((value) => roundedTo(value, digits));
      drag.say(
        { do: isSteered ? "set_splines" : "set_movers", actors: [actor], changes: { velocity: said } },
        { kind: "velocity", actor, to: velocity },
      );
    },
    end: () => void drag?.end(),
    cancel: () => void drag?.cancel(),
  };
}
