// How does the mouse lead the actor "pointer" in a live run? Wherever it goes over a view, without a button, on the plane
// that faces the view and in which the pointer is. A run that is paused or rewound is only looked at.

import { hasPointer, POINTER } from "../../scene/pointer_actor";
import type { Picture } from "../stage_renderer";
import type { View } from "../views/view";

export function canLead({ studio }: Picture): boolean {
  return studio.isLive && studio.isPlaying && hasPointer(studio);
}

export function leadPointer(picture: Picture, view: View, x: number, y: number): void {
  const place = picture.cast.standing(POINTER)?.place;
  const to = place && view.onPlane(x, y, place);
  if (!to) return;
  picture.hasLed = true;
  picture.studio.drag(POINTER, { do: "point", to: to.toArray() });
}
