// What does a follower race, and whom did it meet? A ring where its target is with a thin line to it; and a flash where
// two bodies have just met, the larger the faster they were.

import { Group, Vector3 } from "three";

import type { CollisionView } from "../../messages";
import { doc } from "../../state/document.svelte";
import { playback } from "../../state/playback.svelte";
import { selection } from "../../state/selection.svelte";
import type { ActorMarkers } from "../actors/actor_markers";
import { ACTIVE, SELECTED } from "../primitives/colours";
import { DISC, Marks, RING } from "../primitives/marks";
import { Strokes } from "../primitives/strokes";

const MAX_TARGETS = 200; // targets
const [EARLY, LONG, SHORT] = [0.03, 0.35, 0.1]; // [s] that a flash is seen before and after
const [SMALL, LARGE, PER_SPEED] = [7, 42, 6]; // pixels, pixels, pixels for each metre a second
const FULL_DURATION_SPEED = 2; // [m/s]: slower ones are seen for a shorter time

export class FollowTargets {
  readonly object = new Group();
  private lines = new Strokes({ width: 1.4, opacity: 0.8, isOnTop: true, order: 5 });
  private marks = new Marks(8, true);
  private flashes = new Marks(9, true);

  constructor(private actorMarkers: ActorMarkers) {
    this.object.add(this.lines.object, this.marks.object, this.flashes.object);
  }

  /** Where the target of somebody is now. */
  target(name: string): Vector3 | null {
    const { targets } = playback.poses;
    const at = 3 * (doc.scene?.order.indexOf(name) ?? -1);
    if (at < 0 || targets.length < at + 3) return null;
    const position = new Vector3().fromArray(targets, at);
    return Number.isFinite(position.x + position.y + position.z) ? position : null;
  }

  /** Those who have met about now. */
  get activeHits(): CollisionView[] {
    const { time } = playback.poses;
    return (playback.collisions ?? []).filter((hit) => time > hit.time - EARLY && time < hit.time + flashDuration(hit));
  }

  update(): void {
    for (const part of [this.lines, this.marks, this.flashes]) part.begin();
    const { scene } = doc;
    const { poses } = playback;
    const { link } = selection;
    const names = poses.targets.length ? (scene?.order ?? []) : [];
    let count = 0;
    for (const name of names) {
      const [target, pose] = [this.target(name), this.actorMarkers.pose(name)];
      if (!target || !pose || ++count > MAX_TARGETS) continue;
      const isSelected = name === (link ?? selection.actor);
      const colour = isSelected ? SELECTED : (this.actorMarkers.colours.get(name) ?? SELECTED);
      const { x, y, z } = target;
      this.lines.line(pose.position.x, pose.position.y, pose.position.z, x, y, z, colour);
      this.marks.add(x, y, z, colour, 13, RING);
      this.marks.add(x, y, z, colour, 4, DISC);
    }
    for (const hit of this.activeHits) this.flash(hit, poses.time - hit.time);
    for (const part of [this.lines, this.marks, this.flashes]) part.end();
  }

  private flash(hit: CollisionView, age: number): void {
    const {
      position: [x, y, z],
      speed,
    } = hit;
    const left = 1 - Math.max(0, age) / flashDuration(hit);
    const size = Math.min(LARGE, SMALL + PER_SPEED * speed);
    this.flashes.add(x, y, z, ACTIVE, size * (1 - 0.4 * left), RING, 0.25 + 0.75 * left);
    this.flashes.add(x, y, z, SELECTED, 0.4 * size * left * left, DISC, 0.9 * left);
  }
}

/** How long a flash is seen [s]. */
function flashDuration({ speed }: CollisionView): number {
  return SHORT + (LONG - SHORT) * Math.min(1, speed / FULL_DURATION_SPEED);
}
