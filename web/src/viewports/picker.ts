// What is under the pointer? Sought among projected places, with room for an unsteady hand; what was selected before
// comes first.

import { doc } from "../state/document.svelte";
import { selection } from "../state/selection.svelte";
import { viewport } from "../state/viewport.svelte";
import type { ActorMarkers } from "./actors/actor_markers";
import type { BodyPicker } from "./bodies/body_picker";
import { distanceToSegment, nearestShare } from "./gizmo";
import type { Handles, TangentSide } from "./handles";
import type { Spot, View } from "./views/view";

const HANDLE_RADIUS = 12; // pixels
const ACTOR_RADIUS = 16;
const LINE_RADIUS = 9;

export type Picked =
  | { kind: "tangent"; actor: string; key: number; side: TangentSide }
  | { kind: "key"; actor: string; key: number }
  | { kind: "point"; actor: string; key: number; point: number }
  | { kind: "actor"; actor: string };

export class Picker {
  constructor(
    private handles: Handles,
    private actorMarkers: ActorMarkers,
    private bodyPicker: BodyPicker,
  ) {}

  pick(view: View, x: number, y: number): Picked | null {
    const found = this.tangent(view, x, y) ?? this.key(view, x, y) ?? this.body(view, x, y);
    return found ?? this.actor(view, x, y) ?? this.trail(view, x, y);
  }

  /** Whose body is under a pixel; a part of a figure by its own name. */
  private body(view: View, x: number, y: number): Picked | null {
    const found = this.bodyPicker.pick(view, x, y);
    return found && { kind: "actor", actor: found.name };
  }

  tangent(view: View, x: number, y: number): Picked | null {
    const { keyOwner: actor, keys } = selection;
    if (actor === null) return null;
    let [best, nearest]: [Picked | null, number] = [null, HANDLE_RADIUS];
    for (const key of keys)
      for (const side of ["leave", "arrive"] as const) {
        const grip = this.handles.grip(actor, key, side);
        const away = grip ? distance(view.spotOf(grip), x, y) : Infinity;
        if (away < nearest) [best, nearest] = [{ kind: "tangent", actor, key, side }, away];
      }
    // A short tangent lies under its key: there the key is meant.
    const key = best && this.key(view, x, y);
    const spot = key?.kind === "key" ? this.handles.key(key.actor, key.key) : null;
    return spot && distance(view.spotOf(spot), x, y) <= nearest ? null : best;
  }

  key(view: View, x: number, y: number): Picked | null {
    const first = selection.keyOwner;
    const names = [...doc.curves.keys()].filter((name) => name !== first);
    if (first !== null) {
      const found = this.keyOf([first], view, x, y);
      if (found) return found;
    }
    return this.keyOf(names, view, x, y);
  }

  /** A point of the drawing of the one key that is selected. */
  point(view: View, x: number, y: number): Extract<Picked, { kind: "point" }> | null {
    const { keyOwner: actor, keys } = selection;
    const [key] = keys;
    if (actor === null || key === undefined || keys.length > 1) return null;
    const middle = this.handles.key(actor, key);
    let nearest = Math.min(HANDLE_RADIUS, middle ? distance(view.spotOf(middle), x, y) : Infinity);
    let best: Extract<Picked, { kind: "point" }> | null = null;
    for (let point = 0; point < this.handles.points(actor); point++) {
      const position = this.handles.point(actor, key, point);
      const away = position ? distance(view.spotOf(position), x, y) : Infinity;
      if (away < nearest) [best, nearest] = [{ kind: "point", actor, key, point }, away];
    }
    return best;
  }

  keyOf(names: string[], view: View, x: number, y: number): Picked | null {
    let [best, nearest]: [Picked | null, number] = [null, HANDLE_RADIUS];
    for (const actor of names)
      for (let key = 0; key < this.handles.count(actor); key++) {
        const position = this.handles.key(actor, key);
        const away = position ? distance(view.spotOf(position), x, y) : Infinity;
        if (away < nearest) [best, nearest] = [{ kind: "key", actor, key }, away];
      }
    return best;
  }

  /** Who stands under a pixel. */
  actor(view: View, x: number, y: number): Extract<Picked, { kind: "actor" }> | null {
    let [best, nearest]: [Extract<Picked, { kind: "actor" }> | null, number] = [null, ACTOR_RADIUS];
    for (const actor of doc.scene?.order ?? []) {
      if (!this.actorMarkers.colours.has(actor)) continue; // a surface
      const pose = this.actorMarkers.pose(actor);
      const away = pose ? distance(view.spotOf(pose.position), x, y) : Infinity;
      if (away < nearest && actor !== viewport.camera) [best, nearest] = [{ kind: "actor", actor }, away];
    }
    return best;
  }

  private trail(view: View, x: number, y: number): Picked | null {
    const found = this.onCurve(view, x, y, [...doc.curves.keys()]);
    return found && { kind: "actor", actor: found.actor };
  }

  /** Where on the curves of some actors a pixel is, and how far it is from there. */
  onCurve(
    view: View,
    x: number,
    y: number,
    names: string[],
    radius = LINE_RADIUS,
  ): { actor: string; u: number } | null {
    let [best, nearest]: [{ actor: string; u: number } | null, number] = [null, radius];
    let before: Spot = { x: 0, y: 0, isVisible: false };
    let spot: Spot = { x: 0, y: 0, isVisible: false };
    for (const actor of names) {
      const { line: trail, line_u: times, path, path_u: along } = doc.curves.get(actor)?.arrays ?? {};
      const [line, u] = path ? [path, along] : [trail, times]; // keys are on the rough path, not on what was made of it
      for (let i = 0; line && 3 * i < line.length; i++) {
        [before, spot] = [spot, before];
        view.project(line[3 * i]!, line[3 * i + 1]!, line[3 * i + 2]!, spot);
        if (i === 0 || !(before.isVisible || spot.isVisible)) continue;
        const away = distanceToSegment(x, y, before, spot);
        if (away >= nearest) continue;
        const [from, to] = [u?.[i - 1] ?? 0, u?.[i] ?? 0];
        const share = nearestShare(x, y, before, spot);
        // Where a closed path begins anew, its parameter jumps.
        best = { actor, u: Math.abs(to - from) < 1 ? from + share * (to - from) : share < 0.5 ? from : to };
        nearest = away;
      }
    }
    return best;
  }
}

function distance(spot: Spot, x: number, y: number): number {
  return spot.isVisible ? Math.hypot(spot.x - x, spot.y - y) : Infinity;
}
