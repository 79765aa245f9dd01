// What holds bodies together? A spring is a thin coil between its ends, a hinge, ball joint or pin a small mark where it
// holds; the joints of a figure are seen while it is selected.

import { Group, Vector3 } from "three";

import type { ConnectionView } from "../../messages";
import { doc } from "../../state/document.svelte";
import { selection } from "../../state/selection.svelte";
import type { ActorMarkers } from "../actors/actor_markers";
import { SELECTED, GROUND, HANDLE } from "../primitives/colours";
import { DIAMOND, DISC, Marks, RING } from "../primitives/marks";
import { Strokes } from "../primitives/strokes";

const [TURNS, PER_TURN] = [7, 8];
const STRAIGHT = 0.12; // of a spring at each of its ends
const RADIUS = 1 / 70; // of the stage's radius
const THINNEST = 0.5; // of its length: a coil is never wider
const FORMS = { hinge: DISC, ball: RING, pin: DIAMOND } as const;

export class ConnectionMarks {
  readonly object = new Group();
  private coils = new Strokes({ width: 1.6, isOnTop: true, order: 6 });
  private marks = new Marks(8, true);
  private middles = new Map<number, Vector3>();

  constructor(private actorMarkers: ActorMarkers) {
    this.object.add(this.coils.object, this.marks.object);
  }

  /** Where the middle of a connection is drawn, by its number. */
  middle(connection: number): Vector3 | null {
    return this.middles.get(connection) ?? null;
  }

  update(reach: number): void {
    for (const part of [this.coils, this.marks]) part.begin();
    this.middles.clear();
    const { scene } = doc;
    scene?.connections.forEach((one, i) => this.connection(one, i, reach));
    this.joints();
    for (const part of [this.coils, this.marks]) part.end();
  }

  private connection(one: ConnectionView, number: number, reach: number): void {
    const [from, to] = [this.position(one.link, one.at), this.position(one.to, one.to_at)];
    if (one.kind === "reach" || !from || !to) return;
    const isSelected = this.isSelected(one.link) || (one.to !== null && this.isSelected(one.to));
    const colour = isSelected ? SELECTED : HANDLE;
    if (one.kind === "spring") {
      this.coil(from, to, RADIUS * reach, colour);
      for (const { x, y, z } of [from, to]) this.marks.add(x, y, z, colour, 5, DISC);
    } else this.mark(from, FORMS[one.kind], isSelected);
    this.middles.set(number, from.clone().lerp(to, 0.5));
  }

  /** Where the parts of the selected figure hang. */
  private joints(): void {
    const { scene } = doc;
    const { link } = selection;
    for (const { name, actor, joint } of scene?.links ?? []) {
      const position =
        joint && joint.kind !== "pin" && actor === selection.actor ? this.position(name, joint.at) : null;
      if (joint && position) this.mark(position, FORMS[joint.kind], name === link);
    }
  }

  private mark({ x, y, z }: Vector3, form: number, isSelected: boolean): void {
    this.marks.add(x, y, z, GROUND, isSelected ? 13 : 11, DISC, 0.85);
    this.marks.add(x, y, z, isSelected ? SELECTED : HANDLE, isSelected ? 9 : 7, form);
  }

  private coil(from: Vector3, to: Vector3, wide: number, colour: typeof SELECTED): void {
    const along = to.clone().sub(from);
    const long = along.length();
    if (long === 0) return;
    const side = new Vector3(0, 0, 1).cross(along);
    if (side.lengthSq() < 1e-6 * long * long) side.set(1, 0, 0).cross(along);
    const radius = Math.min(wide, THINNEST * long);
    side.setLength(radius);
    const up = side.clone().cross(along).setLength(radius);
    const count = TURNS * PER_TURN;
    let before = from;
    for (let i = 0; i <= count + 1; i++) {
      const angle = (2 * Math.PI * i) / PER_TURN;
      const share = STRAIGHT + ((1 - 2 * STRAIGHT) * i) / count;
      const here = i > count ? to : from.clone().addScaledVector(along, share);
      if (i > 0 && i < count) here.addScaledVector(side, Math.sin(angle)).addScaledVector(up, Math.cos(angle) - 1);
      this.coils.line(before.x, before.y, before.z, here.x, here.y, here.z, colour);
      before = here;
    }
  }

  private isSelected(name: string): boolean {
    const { link } = selection;
    return name === (link ?? selection.actor);
  }

  /** Where a place on somebody is now, or one in the world. */
  private position(name: string | null, own: readonly number[]): Vector3 | null {
    const position = new Vector3().fromArray(own);
    if (name === null) return position;
    const pose = this.actorMarkers.pose(name);
    return pose && position.applyQuaternion(pose.orientation).add(pose.position);
  }
}
