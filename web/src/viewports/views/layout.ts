// Where on the canvas is each view? Four in a square, or one over all of it.

import type { ViewName } from "../../state/viewport.svelte";

export type { ViewName };

export const VIEWS: readonly ViewName[] = ["top", "perspective", "front", "side"];

/** In CSS pixels from the canvas's upper left corner. */
export interface Rectangle {
  left: number;
  top: number;
  width: number;
  height: number;
}

export const NOWHERE: Rectangle = { left: 0, top: 0, width: 0, height: 0 };
const GAP = 2;

/** The rectangles of the views that are shown. */
export function viewRectangles(width: number, height: number, maximised: ViewName | null): Map<ViewName, Rectangle> {
  if (maximised) return new Map([[maximised, { left: 0, top: 0, width, height }]]);
  const left = Math.max(1, Math.floor((width - GAP) / 2));
  const top = Math.max(1, Math.floor((height - GAP) / 2));
  const columns = [
    { left: 0, width: left },
    { left: left + GAP, width: Math.max(1, width - left - GAP) },
  ];
  const rows = [
    { top: 0, height: top },
    { top: top + GAP, height: Math.max(1, height - top - GAP) },
  ];
  return new Map(VIEWS.map((name, i) => [name, { ...columns[i % 2]!, ...rows[i >> 1]! }]));
}

export function contains(position: Rectangle, x: number, y: number): boolean {
  return (
    x >= position.left && y >= position.top && x < position.left + position.width && y < position.top + position.height
  );
}
