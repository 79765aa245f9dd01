// What does a follower race, and whom did it meet? A ring where its target is with a thin line to it; and a flash where
// two bodies have just met, the larger the faster they were.

import { Group, Vector3 } from "three";

import type { Studio } from "../../state/studio.svelte";
import type { HitView } from "../../messages";
import type { Cast } from "../actors/actor_markers";
import { ACTIVE, CHOSEN } from "../primitives/colours";
import { DISC, Marks, RING } from "../primitives/marks";
import { Strokes } from "../primitives/strokes";

const MOST = 200; // targets
const [EARLY, LONG, SHORT] = [0.03, 0.35, 0.1]; // [s] that a flash is seen before and after
const [SMALL, LARGE, PER_SPEED] = [7, 42, 6]; // pixels, pixels, pixels for each metre a second
const LOUD = 2; // [m/s]: slower ones are seen for a shorter time

export class Aims {
  readonly object = new Group();
  private lines = new Strokes({ width: 1.4, opacity: 0.8, isOnTop: true, order: 5 });
  private marks = new Marks(8, true);
  private flashes = new Marks(9, true);

  constructor(
    private studio: Studio,
    private cast: Cast,
  ) {
    this.object.add(this.lines.object, this.marks.object, this.flashes.object);
  }

  /** Where the target of somebody is now. */
  target(name: string): Vector3 | null {
    const { targets } = this.studio.poses;
    const at = 3 * (this.studio.scene?.order.indexOf(name) ?? -1);
    if (at < 0 || targets.length < at + 3) return null;
    const place = new Vector3().fromArray(targets, at);
    return Number.isFinite(place.x + place.y + place.z) ? place : null;
  }

  /** Those who have met about now. */
  get flashing(): HitView[] {
    const { time } = this.studio.poses;
    return this.studio.hits.filter((hit) => time > hit.time - EARLY && time < hit.time + lasting(hit));
  }

  update(): void {
    for (const part of [this.lines, this.marks, this.flashes]) part.begin();
    const { scene, poses, selection, link } = this.studio;
    const names = poses.targets.length ? (scene?.order ?? []) : [];
    let count = 0;
    for (const name of names) {
      const [target, standing] = [this.target(name), this.cast.standing(name)];
      if (!target || !standing || ++count > MOST) continue;
      const isChosen = name === (link ?? selection.actor);
      const colour = isChosen ? CHOSEN : (this.cast.colours.get(name) ?? CHOSEN);
      const { x, y, z } = target;
      this.lines.line(standing.place.x, standing.place.y, standing.place.z, x, y, z, colour);
      this.marks.add(x, y, z, colour, 13, RING);
      this.marks.add(x, y, z, colour, 4, DISC);
    }
    for (const hit of this.flashing) this.flash(hit, poses.time - hit.time);
    for (const part of [this.lines, this.marks, this.flashes]) part.end();
  }

  private flash(hit: HitView, age: number): void {
    const { place: [x, y, z], speed } = hit; // prettier-ignore
    const left = 1 - Math.max(0, age) / lasting(hit);
    const size = Math.min(LARGE, SMALL + PER_SPEED * speed);
    this.flashes.add(x, y, z, ACTIVE, size * (1 - 0.4 * left), RING, 0.25 + 0.75 * left);
    this.flashes.add(x, y, z, CHOSEN, 0.4 * size * left * left, DISC, 0.9 * left);
  }
}

/** How long a flash is seen [s]. */
function lasting({ speed }: HitView): number {
  return SHORT + (LONG - SHORT) * Math.min(1, speed / LOUD);
}
