// How are selected keys or a field moved along an axis, turned about one, or a field stretched along its own? By three
// arrows, three rings, or three bars with a box at their ends, of the same size in every view.

import { Quaternion, Vector3 } from "three";

import { selection } from "../state/selection.svelte";
import { viewport } from "../state/viewport.svelte";
import type { FieldHandles } from "./fields/field_handles";
import type { Handles } from "./handles";
import { AXES } from "./primitives/colours";
import { Strokes } from "./primitives/strokes";
import { contains } from "./views/layout";
import type { View } from "./views/view";

export type Axis = 0 | 1 | 2;
/** What is grasped: an axis, or, to stretch all axes at once, the middle. */
export type Grip = Axis | "middle";
const LENGTH = 72; // pixels
const PICK_RADIUS = 9;
const MIDDLE_PICK_RADIUS = 12;
const HEAD = 0.16;
const BOX = 0.06;
const INNER = 0.22;
const ROUND = 48;
const SHORTEST = 14;
const TOOLS = ["move", "turn", "stretch"];
const UPRIGHT = new Quaternion();

export class Gizmo {
  private arrows = ([0, 1, 2] as Axis[]).map(arrow);
  private bars = ([0, 1, 2] as Axis[]).map(bar);
  private rings = rings();
  readonly objects = [...this.arrows, ...this.bars, this.rings].map((strokes) => strokes.object);

  constructor(
    private handles: Handles,
    private fields: FieldHandles,
  ) {}

  /** The middle of the selected keys, or where the selected field is, while a tool is in hand. */
  get position(): Vector3 | null {
    const { tool } = viewport;
    const { keyOwner, fieldView: selectedField } = selection;
    if (!TOOLS.includes(tool)) return null;
    if (selectedField) return selectedField.is_placed ? this.fields.position(selectedField.name) : null;
    if (tool === "stretch" || keyOwner === null) return null;
    const positions = selection.keys.flatMap((key) => this.handles.key(keyOwner, key) ?? []);
    if (!positions.length) return null;
    return positions.reduce((sum, position) => sum.add(position), new Vector3()).divideScalar(positions.length);
  }

  /** How its axes are turned: a field is stretched along its own. */
  get orientation(): Quaternion {
    const { tool } = viewport;
    const { fieldView: selectedField } = selection;
    return tool === "stretch" && selectedField ? this.fields.orientation(selectedField.name) : UPRIGHT;
  }

  /** Which way an axis points. */
  direction(axis: Axis): Vector3 {
    return along(axis, 1).applyQuaternion(this.orientation);
  }

  /** Give it its size in a view. */
  prepare(view: View): void {
    const [position, { tool }] = [this.position, viewport];
    const size = position ? LENGTH * view.metresPerPixel(position) : 0;
    this.rings.object.visible = position !== null && tool === "turn";
    for (const axis of [0, 1, 2] as Axis[]) {
      const isPullable = position !== null && canPull(view, position, size, this.direction(axis));
      this.arrows[axis]!.object.visible = isPullable && tool === "move";
      this.bars[axis]!.object.visible = isPullable && tool === "stretch";
    }
    if (!position) return;
    for (const object of this.objects) {
      object.position.copy(position);
      object.quaternion.copy(this.orientation);
      object.scale.setScalar(size);
    }
    for (const axis of [0, 1, 2] as Axis[])
      for (const { object } of [this.arrows[axis]!, this.bars[axis]!])
        object.scale.setComponent(axis, size * this.side(view, position, size, axis) * this.scaleOf(axis));
  }

  /** The axis under a pixel. */
  pick(view: View, x: number, y: number): Grip | null {
    const [position, { tool }] = [this.position, viewport];
    if (!position) return null;
    const size = LENGTH * view.metresPerPixel(position);
    const middle = tool === "stretch" ? this.fields.spot(view, selection.field ?? "") : null;
    if (middle && Math.hypot(middle.x - x, middle.y - y) < MIDDLE_PICK_RADIUS) return "middle";
    const isTurning = tool === "turn";
    let [best, nearest]: [Axis | null, number] = [null, PICK_RADIUS];
    for (const axis of [0, 1, 2] as Axis[]) {
      if (!isTurning && !canPull(view, position, size, this.direction(axis))) continue;
      const side = this.side(view, position, size, axis);
      const outline = isTurning
        ? circle(axis)
        : [INNER, 1].map((far) => this.direction(axis).multiplyScalar(far * side));
      const spots = outline.map((point) => view.spotOf(point.multiplyScalar(size).add(position)));
      const count = isTurning ? spots.length : 1;
      for (let i = 0; i < count; i++) {
        const away = distanceToSegment(x, y, spots[i]!, spots[(i + 1) % spots.length]!);
        if (away < nearest) [best, nearest] = [axis, away];
      }
    }
    return best;
  }

  /** 1, or -1 for an arrow whose head would lie outside of the view: it points the other way where there is room. */
  private side(view: View, position: Vector3, size: number, axis: Axis): 1 | -1 {
    const isInside = (sign: number) => {
      const { x, y } = view.spotOf(
        this.direction(axis)
          .multiplyScalar(sign * size)
          .add(position),
      );
      return contains(view.rectangle, x, y);
    };
    return isInside(1) || !isInside(-1) ? 1 : -1;
  }

  /** A bar follows the pointer that pulls it. */
  private scaleOf(axis: Axis): number {
    const { echo } = this.handles;
    return echo?.kind === "field stretch" ? Math.min(3, echo.by.getComponent(axis)) : 1;
  }
}

/** An arrow that points at one's eye cannot be pulled, and would hide the key. */
function canPull(view: View, position: Vector3, size: number, direction: Vector3): boolean {
  const [root, tip] = [view.spotOf(position), view.spotOf(direction.multiplyScalar(size).add(position))];
  return Math.hypot(tip.x - root.x, tip.y - root.y) >= SHORTEST;
}

function arrow(axis: Axis): Strokes {
  const strokes = new Strokes({ width: 3, isOnTop: true, order: 8 });
  const [root, tip] = [along(axis, INNER), along(axis, 1)]; // the key in the middle can still be seen and taken
  strokes.begin();
  strokes.line(...root.toArray(), ...tip.toArray(), AXES[axis]);
  for (const other of [(axis + 1) % 3, (axis + 2) % 3] as Axis[])
    for (const sign of [-1, 1]) {
      const barb = along(axis, 1 - HEAD).add(along(other, (sign * HEAD) / 2));
      strokes.line(...tip.toArray(), ...barb.toArray(), AXES[axis]);
    }
  strokes.end();
  return strokes;
}

function bar(axis: Axis): Strokes {
  const strokes = new Strokes({ width: 3, isOnTop: true, order: 8 });
  const [root, tip] = [along(axis, INNER), along(axis, 1)];
  const [u, v] = [along(((axis + 1) % 3) as Axis, BOX), along(((axis + 2) % 3) as Axis, BOX)];
  strokes.begin();
  strokes.line(...root.toArray(), ...tip.toArray(), AXES[axis]);
  const corners = [u.clone().add(v), u.clone().sub(v), u.clone().add(v).negate(), v.clone().sub(u)];
  for (const end of [1 - 2 * BOX, 1])
    corners.forEach((corner, i) => {
      const [from, to] = [corner, corners[(i + 1) % 4]!].map((off) => along(axis, end).add(off).toArray());
      strokes.line(...from!, ...to!, AXES[axis]);
    });
  strokes.end();
  return strokes;
}

function rings(): Strokes {
  const strokes = new Strokes({ width: 2.5, isOnTop: true, order: 8 });
  strokes.begin();
  for (const axis of [0, 1, 2] as Axis[]) {
    const ring = circle(axis);
    ring.forEach((position, i) => strokes.line(...position.toArray(), ...ring[(i + 1) % ROUND]!.toArray(), AXES[axis]));
  }
  strokes.end();
  return strokes;
}

export function along(axis: Axis, length: number): Vector3 {
  return new Vector3().setComponent(axis, length);
}

function circle(axis: Axis): Vector3[] {
  const [u, v] = [along(((axis + 1) % 3) as Axis, 1), along(((axis + 2) % 3) as Axis, 1)];
  return Array.from({ length: ROUND }, (_, i) => {
    const angle = (2 * Math.PI * i) / ROUND;
    return u.clone().multiplyScalar(Math.cos(angle)).addScaledVector(v, Math.sin(angle));
  });
}

/** How far a pixel is from a line between two. */
export function distanceToSegment(
  x: number,
  y: number,
  a: { x: number; y: number },
  b: { x: number; y: number },
): number {
  const share = nearestShare(x, y, a, b);
  return Math.hypot(x - a.x - share * (b.x - a.x), y - a.y - share * (b.y - a.y));
}

/** Where between two pixels (0 … 1) a third is nearest. */
export function nearestShare(x: number, y: number, a: { x: number; y: number }, b: { x: number; y: number }): number {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const squared = dx * dx + dy * dy;
  return squared ? Math.min(1, Math.max(0, ((x - a.x) * dx + (y - a.y) * dy) / squared)) : 0;
}
