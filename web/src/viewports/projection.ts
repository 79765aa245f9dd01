// Where on the page is a handle? For whoever drives the studio with a real mouse: tests, and recordings of the screen.

import { Vector3 } from "three";

import type { TangentSide } from "./handles";
import type { ViewName } from "./views/layout";
import type { Picture } from "./stage_renderer";
import type { Spot, View } from "./views/view";

type PlaceOfActor =
  | { key: number }
  | { key: number; point: number }
  | { tangent: number; side: TangentSide }
  | { u: number }
  | { pose: true };

/** A field's handle has no actor; a link is a dash in the middle of the line to what is sensed; a wake is where
 * somebody was at a moment [s] of the live run; a path is a place on the rough path of a follower, and a hit one of the
 * flashes that are seen just now, counted from 0; a tie is the middle of a connection, by its number; a place is one of
 * the world [m], whoever is there. */
export type Wanted =
  | PlaceOfActor
  | { field: string }
  | { link: string }
  | { start: true }
  | { velocity: true }
  | { wake: number }
  | { target: true }
  | { path: number }
  | { hit: number }
  | { tie: number }
  | { place: [number, number, number] };

interface OnPage {
  x: number;
  y: number;
  /** Of a link: the more it counts, the less faint. */
  opacity?: number;
}

/** Page pixels of a handle in a view that is shown; null if it is not seen there. */
export function project(picture: Picture, actor: string, what: Wanted, view: ViewName): OnPage | null {
  if (!picture.views[view].isShown) return null;
  picture.placeCameras();
  const link = "link" in what ? picture.links.between(actor, what.link) : null;
  const spot = link ? picture.views[view].spotOf(link.middle) : spotOf(picture, actor, what, picture.views[view]);
  if (!spot?.isSeen) return null;
  const { left, top } = picture.canvas.getBoundingClientRect();
  return { x: left + spot.x, y: top + spot.y, ...(link && { opacity: link.opacity }) };
}

function spotOf(picture: Picture, actor: string, what: Wanted, view: View): Spot | null {
  if ("link" in what) return null;
  if ("field" in what) return picture.fields.spot(view, what.field);
  if ("start" in what) return picture.starts.spot(view, actor, "start");
  if ("velocity" in what) return picture.starts.spot(view, actor, "velocity");
  const place = weighty(picture, actor, what);
  return place && view.spotOf(place);
}

function weighty(picture: Picture, actor: string, what: Exclude<Wanted, { link: string } | { field: string }>): Vector3 | null {
  if ("wake" in what) return picture.wakes.placeAt(actor, what.wake);
  if ("target" in what) return picture.aims.target(actor);
  if ("tie" in what) return picture.ties.middle(what.tie);
  if ("place" in what) return new Vector3().fromArray(what.place);
  if ("path" in what) return picture.roughPaths.placeAt(actor, what.path);
  if (!("hit" in what)) return "start" in what || "velocity" in what ? null : placeOf(picture, actor, what);
  const hit = picture.aims.flashing[what.hit];
  return hit ? new Vector3().fromArray(hit.place) : null;
}

function placeOf({ handles, cast, studio }: Picture, actor: string, what: PlaceOfActor): Vector3 | null {
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
