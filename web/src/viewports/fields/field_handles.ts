// Where is a field taken? At its handle: where the studio says, or, while it is dragged, where the pointer says at
// once. Handles in one place stand side by side, so that each can be seen and taken. Trackers have none: they are where
// their target is, and are seen as links.

import { Quaternion, Vector3 } from "three";

import type { Studio } from "../../state/studio.svelte";
import type { FieldView } from "../../messages";
import type { Cast } from "../actors/actor_markers";
import type { Handles } from "../handles";
import type { Spot, View } from "../views/view";
import type { Told } from "./field_poses";

const NEAR = 13; // pixels
const ASIDE = 24; // pixels between handles in one place

export class FieldHandles {
  private asides = new Map<string, number>();

  constructor(
    private studio: Studio,
    private told: Told,
    private handles: Handles,
    private cast: Cast,
  ) {}

  /** Fields that can be taken. */
  get all(): FieldView[] {
    return this.studio.scene?.fields.filter(({ is_placed }) => is_placed) ?? [];
  }

  place(name: string): Vector3 | null {
    const echo = this.handles.echo;
    const isCarriedOn = this.studio.isPlaying && this.studio.field(name)?.carrier !== null;
    if (echo?.kind === "field" && echo.field === name && !isCarriedOn) return echo.to.clone();
    return this.told.place(name);
  }

  turn(name: string): Quaternion {
    const echo = this.handles.echo;
    if (echo?.kind === "field turn" && echo.field === name) return echo.to.clone();
    return this.told.turn(name) ?? new Quaternion();
  }

  /** How many pixels a handle stands to the right of its place; under a hand as many as when it was taken. */
  aside(name: string): number {
    const echo = this.handles.echo;
    return echo?.kind === "field" && echo.field === name ? echo.aside : (this.asides.get(name) ?? 0);
  }

  /** Who stands where may have changed. What is nearer than `near` [m] is in one place. */
  settle(near: number): void {
    this.asides.clear();
    const before: Vector3[] = [];
    for (const { name, carrier } of this.all) {
      const place = this.told.place(name);
      if (!place) continue;
      const isHere = (other: Vector3 | undefined) => other !== undefined && other.distanceTo(place) < near;
      const isOnCarrier = carrier !== null && isHere(this.cast.standing(carrier)?.place);
      this.asides.set(name, ASIDE * (before.filter(isHere).length + Number(isOnCarrier)));
      before.push(place);
    }
  }

  /** Where a handle is on the canvas. */
  spot(view: View, name: string): Spot | null {
    const place = this.place(name);
    if (!place) return null;
    const spot = view.spotOf(place);
    spot.x += this.aside(name);
    return spot;
  }

  /** The field whose handle is under a pixel, and how far from it. */
  pick(view: View, x: number, y: number): { field: string; away: number } | null {
    let [best, nearest]: [string | null, number] = [null, NEAR];
    for (const { name } of this.all) {
      const spot = this.spot(view, name);
      const away = spot?.isSeen ? Math.hypot(spot.x - x, spot.y - y) : Infinity;
      if (away < nearest) [best, nearest] = [name, away];
    }
    return best === null ? null : { field: best, away: nearest };
  }
}
