// How are several keys selected at once? By a box around them, beside everything: in the plan views, or with Shift.

import { doc } from "../../state/document.svelte";
import { selection } from "../../state/selection.svelte";
import { PerspectiveView } from "../views/perspective_view";
import type { Gesture, Press } from "./gesture";

export function boxSelect(press: Press): Gesture | null {
  const { renderer, view, isShift } = press;
  if (press.button !== 0 || (view instanceof PerspectiveView && !isShift)) return null;
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
      renderer.setSelectionBox(box());
    },
    end(isClick) {
      renderer.setSelectionBox(null);
      const { keyOwner: actor, keys } = selection;
      if (isClick) {
        if (!isShift) selection.select(keys.length ? actor : null);
        return;
      }
      const found = keysIn(press, box());
      const previous = isShift && found?.actor === actor ? keys : [];
      if (found) selection.select(found.actor, [...new Set([...previous, ...found.keys])]);
      else if (!isShift) selection.select(actor);
    },
    cancel: () => renderer.setSelectionBox(null),
  };
}

/** Keys of one actor in a box: of the selected one, or else of who has most there. */
function keysIn(
  { renderer, view }: Press,
  box: { left: number; top: number; width: number; height: number },
): { actor: string; keys: number[] } | null {
  const { handles } = renderer;
  const inside = (actor: string) =>
    Array.from({ length: handles.count(actor) }, (_, key) => key).filter((key) => {
      const position = handles.key(actor, key);
      const spot = position && view.spotOf(position);
      return (
        spot?.isVisible &&
        spot.x >= box.left &&
        spot.x <= box.left + box.width &&
        spot.y >= box.top &&
        spot.y <= box.top + box.height
      );
    });
  const first = selection.keyOwner;
  const own = first === null ? [] : inside(first);
  if (first !== null && own.length) return { actor: first, keys: own };
  const others = [...doc.curves.keys()].map((actor) => ({ actor, keys: inside(actor) }));
  const densest = others.reduce<{ actor: string; keys: number[] } | null>(
    (best, next) => (next.keys.length > (best?.keys.length ?? 0) ? next : best),
    null,
  );
  return densest;
}
