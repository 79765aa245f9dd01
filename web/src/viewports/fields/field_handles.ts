// Where is a field taken? At its handle: where the studio says, or, while it is dragged, where the pointer says at
// once. Handles in one place stand side by side, so that each can be seen and taken. Trackers have none: they are where
// their target is, and are seen as links.

import { Quaternion, Vector3 } from "three";

import type { FieldView } from "../../messages";
import { doc } from "../../state/document.svelte";
import { playback } from "../../state/playback.svelte";
import type { ActorMarkers } from "../actors/actor_markers";
import type { Handles } from "../handles";
import type { Spot, View } from "../views/view";
import type { FieldPoses } from "./field_poses";

const PICK_RADIUS = 13; // pixels
const HANDLE_GAP = 24; // pixels between handles in one place

export class FieldHandles {
  private asides = new Map<string, number>();

  constructor(
    private fieldPoses: FieldPoses,
    private handles: Handles,
    private actorMarkers: ActorMarkers,
  ) {}

  /** Fields that can be taken. */
  get all(): FieldView[] {
    return doc.scene?.fields.filter(({ is_placed }) => is_placed) ?? [];
  }

  position(name: string): Vector3 | null {
    const echo = this.handles.echo;
    const isMovedByCarrier = playback.isPlaying && doc.field(name)?.carrier !== null;
    if (echo?.kind === "field" && echo.field === name && !isMovedByCarrier) return echo.to.clone();
    return this.fieldPoses.position(name);
  }

  orientation(name: string): Quaternion {
    const echo = this.handles.echo;
    if (echo?.kind === "field turn" && echo.field === name) return echo.to.clone();
    return this.fieldPoses.orientation(name) ?? new Quaternion();
  }

  /** How many pixels a handle stands to the right of its place; under a hand as many as when it was taken. */
  aside(name: string): number {
    const echo = this.handles.echo;
    return echo?.kind === "field" && echo.field === name ? echo.aside : (this.asides.get(name) ?? 0);
  }

  /** Who stands where may have changed. What is nearer than `near` [m] is in one place. */
  layoutHandles(near: number): void {
    this.asides.clear();
    const before: Vector3[] = [];
    for (const { name, carrier } of this.all) {
      const position = this.fieldPoses.position(name);
      if (!position) continue;
      const isHere = (other: Vector3 | undefined) => other !== undefined && other.distanceTo(position) < near;
      const isOnCarrier = carrier !== null && isHere(this.actorMarkers.pose(carrier)?.position);
      this.asides.set(name, HANDLE_GAP * (before.filter(isHere).length + Number(isOnCarrier)));
      before.push(position);
    }
  }

  /** Where a handle is on the canvas. */
  spot(view: View, name: string): Spot | null {
    const position = this.position(name);
    if (!position) return null;
    const spot = view.spotOf(position);
    spot.x += this.aside(name);
    return spot;
  }

  /** The field whose handle is under a pixel, and how far from it. */
  pick(view: View, x: number, y: number): { field: string; away: number } | null {
    let [best, nearest]: [string | null, number] = [null, PICK_RADIUS];
    for (const { name } of this.all) {
      const spot = this.spot(view, name);
      const away = spot?.isVisible ? Math.hypot(spot.x - x, spot.y - y) : Infinity;
      if (away < nearest) [best, nearest] = [name, away];
    }
    return best === null ? null : { field: best, away: nearest };
  }
}
