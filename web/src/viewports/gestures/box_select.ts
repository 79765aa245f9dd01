// How are several keys selected at once? By a box around them, beside everything: in the plan views, or with Shift.

import { PerspectiveView } from "../views/perspective_view";
import type { Gesture, Press } from "./gesture";

export function boxSelect(press: Press): Gesture | null {
  const { picture, view, isShift } = press;
  if (press.button !== 0 || (view instanceof PerspectiveView && !isShift)) return null;
  const { studio } = picture;
  let [x, y] = [press.x, press.y];
  const box = () => ({
    left: Math.min(x, press.x),
    top: Math.min(y, press.y),
    width: Math.abs(x - press.x),
    height: Math.abs(y - press.y),
  });
  return {
    move(nextX, nextY) {
      [x, y] = [nextX, nextY];
      picture.rubber(box());
    },
    end(isClick) {
      picture.rubber(null);
      const { keyholder: actor, selection: { keys } } = studio;
      if (isClick) {
        if (!isShift) studio.select(keys.length ? actor : null);
        return;
      }
      const found = keysIn(press, box());
      const kept = isShift && found?.actor === actor ? keys : [];
      if (found) studio.select(found.actor, [...new Set([...kept, ...found.keys])]);
      else if (!isShift) studio.select(actor);
    },
    cancel: () => picture.rubber(null),
  };
}

/** Keys of one actor in a box: of the selected one, or else of who has most there. */
function keysIn(
  { picture, view }: Press,
  box: { left: number; top: number; width: number; height: number },
): { actor: string; keys: number[] } | null {
  const { studio, handles } = picture;
  const inside = (actor: string) =>
    Array.from({ length: handles.count(actor) }, (_, key) => key).filter((key) => {
      const place = handles.key(actor, key);
      const spot = place && view.spotOf(place);
      return (
        spot?.isSeen &&
        spot.x >= box.left && spot.x <= box.left + box.width &&
        spot.y >= box.top && spot.y <= box.top + box.height
      ); // prettier-ignore
    });
  const first = studio.keyholder;
  const own = first === null ? [] : inside(first);
  if (first !== null && own.length) return { actor: first, keys: own };
  const others = [...studio.curves.keys()].map((actor) => ({ actor, keys: inside(actor) }));
  const most = others.reduce<{ actor: string; keys: number[] } | null>(
    (best, next) => (next.keys.length > (best?.keys.length ?? 0) ? next : best),
    null,
  );
  return most;
}
