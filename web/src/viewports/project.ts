// Where on the page is a handle? For whoever drives the studio with a real mouse: tests, and recordings of the screen.

import { Vector3 } from "three";

import type { TangentSide } from "./handles";
import type { ViewName } from "./layout";
import type { Picture } from "./picture";

export type Wanted =
  | { key: number }
  | { key: number; point: number }
  | { tangent: number; side: TangentSide }
  | { u: number }
  | { pose: true };

/** Page pixels of a handle in a view that is shown; null if it is not seen there. */
export function project(
  picture: Picture,
  actor: string,
  what: Wanted,
  view: ViewName,
): { x: number; y: number } | null {
  const place = placeOf(picture, actor, what);
  if (!place || !picture.views[view].isShown) return null;
  picture.placeCameras();
  const spot = picture.views[view].spotOf(place);
  const { left, top } = picture.canvas.getBoundingClientRect();
  return spot.isSeen ? { x: left + spot.x, y: top + spot.y } : null;
}

function placeOf({ handles, cast, studio }: Picture, actor: string, what: Wanted): Vector3 | null {
  if ("point" in what) return handles.point(actor, what.key, what.point);
  if ("key" in what) return handles.key(actor, what.key);
  if ("tangent" in what) return handles.grip(actor, what.tangent, what.side);
  if ("pose" in what) return cast.standing(actor)?.place ?? null;
  const { line, line_u: parameters } = studio.curves.get(actor)?.arrays ?? {};
  if (!line || !parameters) return null;
  for (let i = 1; i < parameters.length; i++) {
    const [from, to] = [parameters[i - 1]!, parameters[i]!];
    if (what.u < Math.min(from, to) || what.u > Math.max(from, to)) continue;
    const share = to === from ? 0 : (what.u - from) / (to - from);
    return new Vector3().fromArray(line, 3 * (i - 1)).lerp(new Vector3().fromArray(line, 3 * i), share);
  }
  return null;
}
