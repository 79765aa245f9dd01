// How does a key become somebody's goal in a meeting? While one is asked for, by a click on it.

import { goalPicked } from "../../meetings/actions";
import type { Gesture, Press } from "./gesture";

export function pickGoal(press: Press): Gesture | null {
  const { picture, view, x, y } = press;
  if (press.button !== 0 || !picture.studio.meetings.picking) return null;
  const picked = picture.picker.key(view, x, y);
  if (picked?.kind !== "key") return null;
  return {
    move() {},
    end(isClick) {
      if (isClick) goalPicked(picked.actor, picked.key);
    },
    cancel() {},
  };
}
