// What is a gesture? From a press to a release; it hears where the pointer is, and can be called off.

import type { StageRenderer } from "../stage_renderer";
import type { View } from "../views/view";

export interface Press {
  renderer: StageRenderer;
  view: View;
  /** [CSS pixels] from the canvas's corner. */
  x: number;
  y: number;
  button: number;
  isShift: boolean;
  isAlt: boolean;
  /** What a drag here does when it is not for what was pressed. */
  background(): Gesture | null;
}

export interface Gesture {
  /** The pointer went further than a click allows. */
  move(x: number, y: number, isAlt: boolean): void;
  /** The button was let go; `isClick`: without having moved. */
  end(isClick: boolean): void;
  cancel(): void;
}

/** Begins a gesture, if this press is one for it. */
export type GestureStart = (press: Press) => Gesture | null;
