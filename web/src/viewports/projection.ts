// Where on the page is a handle? For whoever drives the studio with a real mouse: tests, and recordings of the screen.

import { Vector3 } from "three";

import { doc } from "../state/document.svelte";
import type { TangentSide } from "./handles";
import type { StageRenderer } from "./stage_renderer";
import type { ViewName } from "./views/layout";
import type { Spot, View } from "./views/view";

type ActorPoint =
  | { key: number }
  | { key: number; point: number }
  | { tangent: number; side: TangentSide }
  | { u: number }
  | { pose: true };

/** A field's handle has no actor; a link is a dash in the middle of the line to what is sensed; a wake is where
 * somebody was at a moment [s] of the live run; a path is a place on the rough path of a follower, and a hit one of the
 * flashes that are seen just now, counted from 0; a tie is the middle of a connection, by its number; a place is one of
 * the world [m], whoever is there. */
export type ProjectionTarget =
  | ActorPoint
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

interface PagePoint {
  x: number;
  y: number;
  /** Of a link: the more it counts, the less faint. */
  opacity?: number;
}

/** Page pixels of a handle in a view that is shown; null if it is not seen there. */
export function project(
  renderer: StageRenderer,
  actor: string,
  target: ProjectionTarget,
  view: ViewName,
): PagePoint | null {
  if (!renderer.views[view].isShown) return null;
  renderer.placeCameras();
  const link = "link" in target ? renderer.links.between(actor, target.link) : null;
  const spot = link ? renderer.views[view].spotOf(link.middle) : spotOf(renderer, actor, target, renderer.views[view]);
  if (!spot?.isVisible) return null;
  const { left, top } = renderer.canvas.getBoundingClientRect();
  return { x: left + spot.x, y: top + spot.y, ...(link && { opacity: link.opacity }) };
}

function spotOf(renderer: StageRenderer, actor: string, target: ProjectionTarget, view: View): Spot | null {
  if ("link" in target) return null;
  if ("field" in target) return renderer.fields.spot(view, target.field);
  if ("start" in target) return renderer.startHandles.spot(view, actor, "start");
  if ("velocity" in target) return renderer.startHandles.spot(view, actor, "velocity");
  const position = worldPosition(renderer, actor, target);
  return position && view.spotOf(position);
}

function worldPosition(
  renderer: StageRenderer,
  actor: string,
  target: Exclude<ProjectionTarget, { link: string } | { field: string }>,
): Vector3 | null {
  if ("wake" in target) return renderer.liveTrails.positionAt(actor, target.wake);
  if ("target" in target) return renderer.followTargets.target(actor);
  if ("tie" in target) return renderer.connectionMarks.middle(target.tie);
  if ("place" in target) return new Vector3().fromArray(target.place);
  if ("path" in target) return renderer.roughPaths.positionAt(actor, target.path);
  if (!("hit" in target))
    return "start" in target || "velocity" in target ? null : actorPosition(renderer, actor, target);
  const hit = renderer.followTargets.activeHits[target.hit];
  return hit ? new Vector3().fromArray(hit.position) : null;
}

function actorPosition({ handles, actorMarkers }: StageRenderer, actor: string, target: ActorPoint): Vector3 | null {
  if ("point" in target) return handles.point(actor, target.key, target.point);
  if ("key" in target) return handles.key(actor, target.key);
  if ("tangent" in target) return handles.grip(actor, target.tangent, target.side);
  if ("pose" in target) return actorMarkers.pose(actor)?.position ?? null;
  const { line, line_u: parameters } = doc.curves.get(actor)?.arrays ?? {};
  if (!line || !parameters) return null;
  for (let i = 1; i < parameters.length; i++) {
    const [from, to] = [parameters[i - 1]!, parameters[i]!];
    if (target.u < Math.min(from, to) || target.u > Math.max(from, to)) continue;
    const share = to === from ? 0 : (target.u - from) / (to - from);
    return new Vector3().fromArray(line, 3 * (i - 1)).lerp(new Vector3().fromArray(line, 3 * i), share);
  }
  return null;
}
