// Where and how does somebody begin who is steered by fields? A ring where it begins and an arrow whose tip is its
// velocity, or, where it stands still, a dot beside the ring; those of the selected actor can be dragged. The arrow is as
// many seconds of going on as there is room for in a view, and stays so as long as there is.

import { Group, Vector3 } from "three";

import { doc } from "../../state/document.svelte";
import { selection } from "../../state/selection.svelte";
import type { Handles } from "../handles";
import { ArrowShapes } from "../primitives/arrow_shapes";
import { SELECTED, GROUND, HANDLE } from "../primitives/colours";
import { DISC, Marks, RING } from "../primitives/marks";
import { contains, type ViewName } from "../views/layout";
import type { Spot, View } from "../views/view";
import type { ActorMarkers } from "./actor_markers";

const PICK_RADIUS = 12; // pixels
const LONG = 0.2; // of a view: about so long is an arrow
const LONGEST = 0.4; // of a view: longer than this it is made shorter
const SHORT = 12; // pixels: shorter than this its tip is under the ring, and it is made longer, or stands beside
const MAX_SECONDS = 1024;
const TIP_OFFSET = 24; // pixels
const MAX_SHOWN = 200; // of those who are not selected

export class StartHandles {
  readonly object = new Group();
  private rings = new Marks(7, true);
  private selected = new Marks(7, true);
  private arrows = new ArrowShapes({ width: 2.4, head: 15, isOnTop: true, order: 6 });
  /** How many seconds of going on the arrow is long in a view, and whose it is. */
  private ahead = new Map<ViewName, { actor: string; seconds: number }>();

  constructor(
    private handles: Handles,
    private actorMarkers: ActorMarkers,
  ) {
    this.object.add(this.arrows.object, this.rings.object, this.selected.object);
  }

  update(): void {
    this.rings.begin();
    const { scene } = doc;
    let count = 0;
    for (const { name, spline, start } of scene?.actors ?? []) {
      const from = spline ?? (start?.velocity ? start : null);
      if (!from || name === selection.actor || ++count > MAX_SHOWN) continue;
      const colour = (this.actorMarkers.colours.get(name) ?? SELECTED).clone().lerp(GROUND, 0.3);
      this.rings.add(...from.position, colour, 10, RING);
    }
    this.rings.end();
  }

  /** The ring and the arrow of the selected actor. */
  prepare(view: View): void {
    const { actor } = selection;
    this.selected.begin();
    this.arrows.begin();
    if (actor !== null) this.drawSelected(view, actor);
    this.selected.end();
    this.arrows.end();
  }

  /** Where the tip of a velocity is in a view. */
  tip(view: View, actor: string): Vector3 | null {
    const [start, velocity] = [
      this.handles.startHandlePosition(actor, "start"),
      this.handles.startHandlePosition(actor, "velocity"),
    ];
    return start && velocity ? start.addScaledVector(velocity, this.seconds(view, actor)) : null;
  }

  /** Seconds from where somebody begins to the tip of its velocity. Under a hand that drags the tip they stay. */
  seconds(view: View, actor: string): number {
    const before = this.ahead.get(view.name);
    const isKnown = before?.actor === actor;
    const { echo } = this.handles;
    if (isKnown && echo?.kind === "velocity") return before.seconds;
    const [start, velocity] = [
      this.handles.startHandlePosition(actor, "start"),
      this.handles.startHandlePosition(actor, "velocity"),
    ];
    const rate = start && velocity ? velocity.length() / view.metresPerPixel(start) : 0; // pixels a second
    const room = Math.min(view.rectangle.width, view.rectangle.height);
    const isInside = (seconds: number) => {
      const { x, y } = view.spotOf(start!.clone().addScaledVector(velocity!, seconds));
      return contains(view.rectangle, x, y);
    };
    const fits = (seconds: number) =>
      seconds * rate >= SHORT && seconds * rate <= LONGEST * room && (isInside(seconds) || !isInside(0));
    if (isKnown && (!(rate > 0) || fits(before.seconds))) return before.seconds;
    const fitting = rate > 0 ? 2 ** Math.round(Math.log2((LONG * room) / rate)) : 1;
    const shorter = [fitting, fitting / 2, fitting / 4].find((one) => rate > 0 && fits(one)); // near an edge
    const seconds = Math.min(MAX_SECONDS, Math.max(1 / MAX_SECONDS, shorter ?? fitting));
    this.ahead.set(view.name, { actor, seconds });
    return seconds;
  }

  /** Where on the canvas a handle of the selected actor is taken. */
  spot(view: View, actor: string, part: "start" | "velocity"): Spot | null {
    const position = part === "start" ? this.handles.startHandlePosition(actor, "start") : this.tip(view, actor);
    if (!position) return null;
    const spot = view.spotOf(position);
    if (part === "velocity") spot.x += this.tipOffset(view, actor);
    return spot;
  }

  pick(view: View, x: number, y: number): "start" | "velocity" | null {
    const actor = selection.actor;
    if (actor === null || !this.handles.startHandlePosition(actor, "start")) return null;
    const away = (part: "start" | "velocity") => {
      const spot = this.spot(view, actor, part);
      return spot?.isVisible ? Math.hypot(spot.x - x, spot.y - y) : Infinity;
    };
    const [start, velocity] = [away("start"), away("velocity")];
    if (Math.min(start, velocity) > PICK_RADIUS) return null;
    return velocity < start ? "velocity" : "start";
  }

  /** How many pixels beside its place a tip stands. */
  private tipOffset(view: View, actor: string): number {
    const { echo } = this.handles;
    if (echo?.kind === "velocity" && echo.actor === actor) return 0;
    const [start, tip] = [this.handles.startHandlePosition(actor, "start"), this.tip(view, actor)];
    return start && tip && start.distanceTo(tip) < SHORT * view.metresPerPixel(start) ? TIP_OFFSET : 0;
  }

  private drawSelected(view: View, name: string): void {
    const [start, tip] = [this.handles.startHandlePosition(name, "start"), this.tip(view, name)];
    if (!start) return;
    const colour = this.actorMarkers.colours.get(name) ?? SELECTED;
    this.selected.add(start.x, start.y, start.z, GROUND, 20, DISC, 0.6);
    this.selected.add(start.x, start.y, start.z, colour, 17, RING);
    if (!tip) return; // it stays
    const tipOffset = this.tipOffset(view, name);
    if (!tipOffset) this.arrows.add(start.x, start.y, start.z, tip.x, tip.y, tip.z, HANDLE);
    else this.selected.add(tip.x, tip.y, tip.z, HANDLE, 10, DISC, 1, tipOffset);
  }
}
