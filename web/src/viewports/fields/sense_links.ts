// Who senses what? A dashed line from who is steered to what steers it, with a dot there; the fainter, the less it
// listens. And while a link is being drawn, a line to the pointer.

import { Color, Group, Vector3 } from "three";

import type { ActorView, SenseView } from "../../messages";
import { doc } from "../../state/document.svelte";
import { selection } from "../../state/selection.svelte";
import type { ActorMarkers } from "../actors/actor_markers";
import { ACTIVE, FIELD, GROUND } from "../primitives/colours";
import { DISC, Marks, RING } from "../primitives/marks";
import { Strokes } from "../primitives/strokes";
import type { FieldHandles } from "./field_handles";
import type { FieldPoses } from "./field_poses";

const MAX_LINKS = 200; // links
const MAX_DASHES = 40; // of a link
const DASH = 6; // pixels in the view that is nearest, with the gap behind it
const FILLED = 0.55; // of it, before the gap
const MIN_OPACITY = 0.3;

/** A line that was drawn: the middle of the dash nearest to its middle, and how much of its colour it has. */
export interface DrawnLink {
  middle: Vector3;
  opacity: number;
}

export class SenseLinks {
  readonly object = new Group();
  /** A link that is being drawn: from where to where, and who is under the pointer. */
  drawn: { from: string; to: Vector3; onto: string | null } | null = null;
  private dashes = new Strokes({ width: 1.6, order: 3 });
  private dots = new Marks(6, true);
  private dragLine = new Strokes({ width: 2, isOnTop: true, order: 8 });
  private colour = new Color();
  private shown = new Map<string, DrawnLink>();

  constructor(
    private fieldPoses: FieldPoses,
    private fields: FieldHandles,
    private actorMarkers: ActorMarkers,
  ) {
    this.object.add(this.dashes.object, this.dots.object, this.dragLine.object);
  }

  /** The line between an actor and the field or actor that it senses, if it is drawn. */
  between(actor: string, sensed: string): DrawnLink | null {
    return this.shown.get(JSON.stringify([actor, sensed])) ?? null;
  }

  /** `pixel`: how long one is where it is the shortest [m]. */
  update(pixel: number): void {
    this.shown.clear();
    for (const part of [this.dashes, this.dots, this.dragLine]) part.begin();
    const { actorView: selected } = selection;
    if (selected) for (const sense of selected.senses ?? []) this.link(selected, sense, pixel);
    if (selection.field !== null) this.linksTo(selection.field, pixel);
    this.drawing();
    for (const part of [this.dashes, this.dots, this.dragLine]) part.end();
  }

  private linksTo(field: string, pixel: number): void {
    let count = 0;
    for (const actor of doc.scene?.actors ?? [])
      for (const sense of actor.senses ?? []) {
        if (sense.name !== field) continue;
        this.link(actor, sense, pixel);
        if (++count === MAX_LINKS) return;
      }
  }

  private link({ name }: ActorView, sense: SenseView, pixel: number): void {
    const from = this.actorMarkers.pose(name)?.position;
    const to = this.end(sense);
    if (!from || !to || sense.affinity <= 0) return;
    const opacity = MIN_OPACITY + (1 - MIN_OPACITY) * Math.min(1, sense.affinity);
    this.colour.copy(GROUND).lerp(FIELD, opacity);
    const pieces = Math.min(MAX_DASHES, Math.max(2, Math.round(from.distanceTo(to) / (DASH * pixel))));
    for (let i = 0; i < pieces; i++) {
      const [a, b] = [i / pieces, (i + FILLED) / pieces];
      // prettier-ignore
      this.dashes.line(
        from.x + a * (to.x - from.x), from.y + a * (to.y - from.y), from.z + a * (to.z - from.z),
        from.x + b * (to.x - from.x), from.y + b * (to.y - from.y), from.z + b * (to.z - from.z),
        this.colour,
      );
    }
    this.dots.add(to.x, to.y, to.z, this.colour, 8, DISC);
    const middle = from.clone().lerp(to, (Math.floor(pieces / 2) + FILLED / 2) / pieces);
    this.shown.set(JSON.stringify([name, sense.name ?? sense.target]), { middle, opacity });
  }

  /** Where what is sensed stands. */
  private end({ name, target }: SenseView): Vector3 | null {
    if (name !== null) return this.fields.position(name) ?? this.fieldPoses.position(name);
    return target === null ? null : (this.actorMarkers.pose(target)?.position ?? null);
  }

  private drawing(): void {
    const from = this.drawn && this.actorMarkers.pose(this.drawn.from)?.position;
    if (!this.drawn || !from) return;
    const { to, onto } = this.drawn;
    this.dragLine.line(from.x, from.y, from.z, to.x, to.y, to.z, ACTIVE);
    this.dots.add(to.x, to.y, to.z, ACTIVE, 8, DISC);
    const target = onto === null ? null : this.actorMarkers.pose(onto)?.position;
    if (target) this.dots.add(target.x, target.y, target.z, ACTIVE, 30, RING);
  }
}
