// Where and how does somebody begin who is steered by fields? A ring where it begins and an arrow whose tip is its
// velocity, or, where it stands still, a dot beside the ring; those of the selected actor can be dragged.

import { Group, Vector3 } from "three";

import type { Studio } from "../../document.svelte";
import type { Cast } from "../cast";
import { CHOSEN, GROUND, HANDLE } from "../colours";
import type { Handles } from "../handles";
import { DISC, Marks, RING } from "../marks";
import type { Spot, View } from "../view";
import { ArrowShapes } from "./arrow_shapes";

const NEAR = 12; // pixels
const LONG = 0.2; // of the stage's radius: about so long is the arrow
const SHORT = 0.03; // shorter than this its tip would be under the ring: it stands beside
const BESIDE = 24; // pixels
const MOST_SHOWN = 200; // of those who are not selected

export class Starts {
  readonly object = new Group();
  private rings = new Marks(7, true);
  private arrows = new ArrowShapes({ width: 2.4, head: 15, isOnTop: true, order: 6 });
  /** How many seconds of going on the arrow is long; the same as long as the actor is selected. */
  private ahead = { actor: "", seconds: 1, reach: 1 };

  constructor(
    private studio: Studio,
    private handles: Handles,
    private cast: Cast,
  ) {
    this.object.add(this.arrows.object, this.rings.object);
  }

  /** Seconds from where somebody begins to the tip of its velocity. */
  get seconds(): number {
    return this.ahead.seconds;
  }

  update(reach: number): void {
    this.rings.begin();
    this.arrows.begin();
    const { selection, scene } = this.studio;
    let count = 0;
    for (const { name, spline } of scene?.actors ?? []) {
      if (!spline || name === selection.actor || ++count > MOST_SHOWN) continue;
      const colour = (this.cast.colours.get(name) ?? CHOSEN).clone().lerp(GROUND, 0.3);
      this.rings.add(...spline.position, colour, 10, RING);
    }
    if (selection.actor !== null) this.selected(selection.actor, reach);
    this.rings.end();
    this.arrows.end();
  }

  /** Where the tip of a velocity is. */
  tip(actor: string): Vector3 | null {
    const [start, velocity] = [this.handles.beginning(actor, "start"), this.handles.beginning(actor, "velocity")];
    return start && velocity ? start.addScaledVector(velocity, this.ahead.seconds) : null;
  }

  /** Where on the canvas a handle of the selected actor is taken. */
  spot(view: View, actor: string, what: "start" | "velocity"): Spot | null {
    const place = what === "start" ? this.handles.beginning(actor, "start") : this.tip(actor);
    if (!place) return null;
    const spot = view.spotOf(place);
    if (what === "velocity") spot.x += this.beside(actor);
    return spot;
  }

  pick(view: View, x: number, y: number): "start" | "velocity" | null {
    const actor = this.studio.selection.actor;
    if (actor === null || !this.studio.actor(actor)?.spline) return null;
    const away = (what: "start" | "velocity") => {
      const spot = this.spot(view, actor, what);
      return spot?.isSeen ? Math.hypot(spot.x - x, spot.y - y) : Infinity;
    };
    const [start, velocity] = [away("start"), away("velocity")];
    if (Math.min(start, velocity) > NEAR) return null;
    return velocity < start ? "velocity" : "start";
  }

  /** How many pixels beside its place a tip stands. */
  beside(actor: string): number {
    const { echo } = this.handles;
    if (echo?.kind === "velocity" && echo.actor === actor) return 0;
    const velocity = this.handles.beginning(actor, "velocity");
    return velocity && velocity.length() * this.ahead.seconds < SHORT * this.ahead.reach ? BESIDE : 0;
  }

  private selected(name: string, reach: number): void {
    const [start, velocity] = [this.handles.beginning(name, "start"), this.handles.beginning(name, "velocity")];
    if (!start || !velocity) return;
    this.look(name, velocity.length(), reach);
    const colour = this.cast.colours.get(name) ?? CHOSEN;
    this.rings.add(start.x, start.y, start.z, GROUND, 20, DISC, 0.6);
    this.rings.add(start.x, start.y, start.z, colour, 17, RING);
    const tip = this.tip(name)!;
    const beside = this.beside(name);
    if (!beside) this.arrows.add(start.x, start.y, start.z, tip.x, tip.y, tip.z, HANDLE);
    else this.rings.add(tip.x, tip.y, tip.z, HANDLE, 10, DISC, 1, beside);
  }

  private look(actor: string, speed: number, reach: number): void {
    if (this.ahead.actor === actor && this.studio.scene !== null) return;
    const seconds = speed > 0 ? (LONG * reach) / speed : 1;
    this.ahead = { actor, seconds: 2 ** Math.round(Math.log2(Math.min(64, Math.max(1 / 64, seconds)))), reach };
  }
}
