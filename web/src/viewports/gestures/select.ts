// What does a click choose? A key or an actor; with Shift one more, or one less.

import { selection } from "../../state/selection.svelte";
import type { Gesture, Press } from "./gesture";

/** A key was pressed: it is selected at once, so that it can be dragged. What comes back is done if it was a click. */
export function selectKey(actor: string, key: number, isShift: boolean): () => void {
  const keys = selection.keyOwner === actor ? selection.keys : [];
  const isIn = keys.includes(key);
  if (!isIn) selection.select(actor, isShift ? [...keys, key] : [key]);
  return () => {
    if (isIn) selection.select(actor, isShift ? keys.filter((other) => other !== key) : [key]);
  };
}

export function selectActor(press: Press): Gesture | null {
  const { renderer, view, x, y } = press;
  if (press.button !== 0) return null;
  const picked = renderer.picker.pick(view, x, y);
  if (picked?.kind !== "actor") return null;
  const background = press.background();
  return {
    move: (nextX, nextY, isAlt) => background?.move(nextX, nextY, isAlt),
    end(isClick) {
      if (isClick) selection.selectPart(picked.actor);
      else background?.end(false);
    },
    cancel: () => background?.cancel(),
  };
}
