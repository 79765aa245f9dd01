// How does one walk around? Drag beside everything circles the stage in the perspective view; the middle or right
// button, or Alt, pushes any view along; the middle button circles where that can be done.

import { selection } from "../../state/selection.svelte";
import { viewport } from "../../state/viewport.svelte";
import type { StageRenderer } from "../stage_renderer";
import { PerspectiveView } from "../views/perspective_view";
import type { View } from "../views/view";
import type { Gesture, Press } from "./gesture";

export function navigate(press: Press): Gesture | null {
  const { button, isShift, isAlt, view } = press;
  if (button === 2 || (button === 0 && isAlt)) return pan(press);
  if (button === 1) return view instanceof PerspectiveView && !isShift ? orbit(press) : pan(press);
  return null;
}

/** The last that is tried: nothing is under the pointer. */
export function orbitBackground(press: Press): Gesture | null {
  return press.button === 0 && press.view instanceof PerspectiveView ? orbit(press) : null;
}

function orbit(press: Press): Gesture {
  const view = press.view as PerspectiveView;
  return dragGesture(press, (dx, dy) => view.orbit(dx, dy));
}

function pan(press: Press): Gesture {
  return dragGesture(press, (dx, dy) => press.view.pan(dx, dy));
}

function dragGesture({ renderer, view, x, y, button }: Press, moveView: (dx: number, dy: number) => void): Gesture {
  let [lastX, lastY] = [x, y];
  return {
    move(nextX, nextY) {
      leaveCamera(renderer, view);
      moveView(nextX - lastX, nextY - lastY);
      [lastX, lastY] = [nextX, nextY];
      renderer.requestDraw();
    },
    end(isClick) {
      if (!isClick || button !== 0) return;
      if (selection.keys.length) selection.select(selection.keyOwner);
      else selection.select(null);
    },
    cancel() {},
  };
}

/** Who walks while looking through a camera stands on own feet again; the camera itself is moved by its keys. */
function leaveCamera(renderer: StageRenderer, view: View): void {
  if (!(view instanceof PerspectiveView) || !view.through) return;
  view.leaveCamera(renderer.reach);
  viewport.camera = null;
}

export function wheel(renderer: StageRenderer, view: View, x: number, y: number, event: WheelEvent): void {
  const pixels = event.deltaMode === 1 ? event.deltaY * 20 : event.deltaMode === 2 ? event.deltaY * 300 : event.deltaY;
  leaveCamera(renderer, view);
  view.zoom(Math.exp(Math.min(1, Math.max(-1, pixels * 0.0015))), x, y);
  renderer.requestDraw();
}
