// How does the mouse lead the actor "pointer" in a live run? Wherever it goes over a view, without a button, on the plane
// that faces the view and in which the pointer is. A run that is paused or rewound is only looked at.

import { connection } from "../../connection/connection.svelte";
import { hasPointer, POINTER } from "../../scene/pointer_actor";
import { playback } from "../../state/playback.svelte";
import type { StageRenderer } from "../stage_renderer";
import type { View } from "../views/view";

export function canDrivePointer(): boolean {
  return playback.isLive && playback.isPlaying && hasPointer();
}

export function drivePointer(renderer: StageRenderer, view: View, x: number, y: number): void {
  const position = renderer.actorMarkers.pose(POINTER)?.position;
  const to = position && view.onPlane(x, y, position);
  if (!to) return;
  renderer.hasDrivenPointer = true;
  connection.drag(POINTER, { do: "point", to: to.toArray() });
}
