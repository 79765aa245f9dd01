// How does a key become somebody's goal in a meeting? While one is asked for, by a click on it.

import { addPickedGoal } from "../../meetings/actions";
import { selection } from "../../state/selection.svelte";
import type { Gesture, Press } from "./gesture";

export function pickGoal(press: Press): Gesture | null {
  const { renderer, view, x, y } = press;
  if (press.button !== 0 || !selection.goalPicking) return null;
  const picked = renderer.picker.key(view, x, y);
  if (picked?.kind !== "key") return null;
  return {
    move() {},
    end(isClick) {
      if (isClick) addPickedGoal(picked.actor, picked.key);
    },
    cancel() {},
  };
}
