// Who senses what? A dashed line from who is steered to what steers it, with a dot there; the fainter, the less it
// listens. And while a link is being drawn, a line to the pointer.

import { Color, Group, Vector3 } from "three";

import type { Studio } from "../../state/studio.svelte";
import type { ActorView, SenseView } from "../../messages";
import type { Cast } from "../actors/actor_markers";
import { ACTIVE, FIELD, GROUND } from "../primitives/colours";
import { DISC, Marks, RING } from "../primitives/marks";
import { Strokes } from "../primitives/strokes";
import type { FieldHandles } from "./field_handles";
import type { Told } from "./field_poses";

const MOST = 200; // links
const MOST_DASHES = 40; // of a link
const DASH = 6; // pixels in the view that is nearest, with the gap behind it
const FILLED = 0.55; // of it, before the gap
const FAINTEST = 0.3;

/** A line that was drawn: the middle of the dash nearest to its middle, and how much of its colour it has. */
export interface DrawnLink {
  middle: Vector3;
  opacity: number;
}

export class Links {
  readonly object = new Group();
  /** A link that is being drawn: from where to where, and who is under the pointer. */
  drawn: { from: string; to: Vector3; onto: string | null } | null = null;
  private dashes = new Strokes({ width: 1.6, order: 3 });
  private dots = new Marks(6, true);
  private rubber = new Strokes({ width: 2, isOnTop: true, order: 8 });
  private colour = new Color();
  private shown = new Map<string, DrawnLink>();

  constructor(
    private studio: Studio,
    private told: Told,
    private fields: FieldHandles,
    private cast: Cast,
  ) {
    this.object.add(this.dashes.object, this.dots.object, this.rubber.object);
  }

  /** The line between an actor and the field or actor that it senses, if it is drawn. */
  between(actor: string, sensed: string): DrawnLink | null {
    return this.shown.get(JSON.stringify([actor, sensed])) ?? null;
  }

  /** `pixel`: how long one is where it is the shortest [m]. */
  update(pixel: number): void {
    this.shown.clear();
    for (const part of [this.dashes, this.dots, this.rubber]) part.begin();
    const { selection, chosen } = this.studio;
    if (chosen) for (const sense of chosen.senses ?? []) this.link(chosen, sense, pixel);
    if (selection.field !== null) this.linksTo(selection.field, pixel);
    this.drawing();
    for (const part of [this.dashes, this.dots, this.rubber]) part.end();
  }

  private linksTo(field: string, pixel: number): void {
    let count = 0;
    for (const actor of this.studio.scene?.actors ?? [])
      for (const sense of actor.senses ?? []) {
        if (sense.name !== field) continue;
        this.link(actor, sense, pixel);
        if (++count === MOST) return;
      }
  }

  private link({ name }: ActorView, sense: SenseView, pixel: number): void {
    const from = this.cast.standing(name)?.place;
    const to = this.end(sense);
    if (!from || !to || sense.affinity <= 0) return;
    const opacity = FAINTEST + (1 - FAINTEST) * Math.min(1, sense.affinity);
    this.colour.copy(GROUND).lerp(FIELD, opacity);
    const pieces = Math.min(MOST_DASHES, Math.max(2, Math.round(from.distanceTo(to) / (DASH * pixel))));
    for (let i = 0; i < pieces; i++) {
      const [a, b] = [i / pieces, (i + FILLED) / pieces];
      this.dashes.line(
        from.x + a * (to.x - from.x), from.y + a * (to.y - from.y), from.z + a * (to.z - from.z),
        from.x + b * (to.x - from.x), from.y + b * (to.y - from.y), from.z + b * (to.z - from.z),
        this.colour,
      ); // prettier-ignore
    }
    this.dots.add(to.x, to.y, to.z, this.colour, 8, DISC);
    const middle = from.clone().lerp(to, (Math.floor(pieces / 2) + FILLED / 2) / pieces);
    this.shown.set(JSON.stringify([name, sense.name ?? sense.target]), { middle, opacity });
  }

  /** Where what is sensed stands. */
  private end({ name, target }: SenseView): Vector3 | null {
    if (name !== null) return this.fields.place(name) ?? this.told.place(name);
    return target === null ? null : (this.cast.standing(target)?.place ?? null);
  }

  private drawing(): void {
    const from = this.drawn && this.cast.standing(this.drawn.from)?.place;
    if (!this.drawn || !from) return;
    const { to, onto } = this.drawn;
    this.rubber.line(from.x, from.y, from.z, to.x, to.y, to.z, ACTIVE);
    this.dots.add(to.x, to.y, to.z, ACTIVE, 8, DISC);
    const target = onto === null ? null : this.cast.standing(onto)?.place;
    if (target) this.dots.add(target.x, target.y, target.z, ACTIVE, 30, RING);
  }
}
