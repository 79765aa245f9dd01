// What is seen of the fields themselves? A square with a dot in it for each, with a line to its place if it stands beside
// that; of the selected one also where it ends.

import { Group, Quaternion, Vector3 } from "three";

import { selection } from "../../state/selection.svelte";
import { ACTIVE, SELECTED, FIELD, GROUND } from "../primitives/colours";
import { DISC, EYED, Marks, RING } from "../primitives/marks";
import { Strokes } from "../primitives/strokes";
import type { View } from "../views/view";
import type { FieldHandles } from "./field_handles";

const ROUND = 64;

export class FieldMarks {
  readonly object = new Group();
  /** Whose handle the pointer is over, or a link is drawn to. */
  hovered: string | null = null;
  private grounds = new Marks(5, true);
  private marks = new Marks(7, true);
  private limits = new Strokes({ width: 1.2, opacity: 0.5, order: 2 });

  private leaders = new Strokes({ width: 1.4, opacity: 0.9, isOnTop: true, order: 6 });

  constructor(private handles: FieldHandles) {
    for (const part of [this.limits, this.grounds, this.leaders, this.marks]) this.object.add(part.object);
  }

  update(): void {
    for (const part of [this.marks, this.grounds, this.limits]) part.begin();
    const selected = selection.field;
    for (const { name } of this.handles.all) {
      const position = this.handles.position(name);
      if (!position) continue;
      const { x, y, z } = position;
      const [aside, isSelected] = [this.handles.aside(name), name === selected];
      const colour = isSelected ? ACTIVE : name === this.hovered ? SELECTED : FIELD;
      this.grounds.add(x, y, z, GROUND, isSelected ? 24 : 19, DISC, 0.75, aside);
      this.marks.add(x, y, z, colour, isSelected ? 17 : 14, EYED, 1, aside);
      if (name === this.hovered) this.marks.add(x, y, z, SELECTED, 30, RING, 0.8, aside);
    }
    const field = selection.fieldView;
    const position = field && this.handles.position(field.name);
    if (field && position) this.limit(position, this.handles.orientation(field.name), field.radius, field.size);
    for (const part of [this.marks, this.grounds, this.limits]) part.end();
  }

  /** Lines from handles to the places they stand beside; how long these are differs from view to view. */
  prepare(view: View): void {
    this.leaders.begin();
    for (const { name } of this.handles.all) {
      const position = this.handles.aside(name) ? this.handles.position(name) : null;
      const spot = position && this.handles.spot(view, name);
      const handle = spot?.isVisible ? view.onPlane(spot.x, spot.y, position!) : null;
      if (!position || !handle) continue;
      const colour = name === selection.field ? ACTIVE : FIELD;
      this.leaders.line(position.x, position.y, position.z, handle.x, handle.y, handle.z, colour);
    }
    this.leaders.end();
  }

  private limit(
    position: Vector3,
    orientation: Quaternion,
    radius: number | null,
    size: [number, number, number] | null,
  ): void {
    if (radius !== null && Number.isFinite(radius)) this.ball(position, radius);
    if (size?.every(Number.isFinite)) this.box(position, orientation, size);
  }

  private ball(middle: Vector3, radius: number): void {
    const [from, to] = [new Vector3(), new Vector3()];
    for (let axis = 0; axis < 3; axis++)
      for (let i = 0; i < ROUND; i++) {
        onCircle(from, middle, radius, axis, i);
        onCircle(to, middle, radius, axis, i + 1);
        this.limits.line(from.x, from.y, from.z, to.x, to.y, to.z, FIELD);
      }
  }

  private box(middle: Vector3, orientation: Quaternion, size: [number, number, number]): void {
    const corners = Array.from({ length: 8 }, (_, i) =>
      new Vector3(...size.map((side, k) => ((i >> k) & 1 ? 0.5 : -0.5) * side))
        .applyQuaternion(orientation)
        .add(middle),
    );
    for (let i = 0; i < 8; i++)
      for (const bit of [1, 2, 4]) {
        if (i & bit) continue;
        const [from, to] = [corners[i]!, corners[i | bit]!];
        this.limits.line(from.x, from.y, from.z, to.x, to.y, to.z, FIELD);
      }
  }
}

function onCircle(position: Vector3, middle: Vector3, radius: number, axis: number, i: number): void {
  const angle = (2 * Math.PI * i) / ROUND;
  position.copy(middle);
  position.setComponent((axis + 1) % 3, position.getComponent((axis + 1) % 3) + radius * Math.cos(angle));
  position.setComponent((axis + 2) % 3, position.getComponent((axis + 2) % 3) + radius * Math.sin(angle));
}
