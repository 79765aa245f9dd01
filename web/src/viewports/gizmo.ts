// How are selected keys or a field moved along an axis, turned about one, or a field stretched along its own? By three
// arrows, three rings, or three bars with a box at their ends, of the same size in every view.

import { Quaternion, Vector3 } from "three";

import type { Studio } from "../state/studio.svelte";
import { AXES } from "./primitives/colours";
import type { FieldHandles } from "./fields/field_handles";
import type { Handles } from "./handles";
import { holds } from "./views/layout";
import { Strokes } from "./primitives/strokes";
import type { View } from "./views/view";

export type Axis = 0 | 1 | 2;
/** What is grasped: an axis, or, to stretch all axes at once, the middle. */
export type Grip = Axis | "middle";
const LENGTH = 72; // pixels
const NEAR = 9;
const NEAR_MIDDLE = 12;
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
    private studio: Studio,
    private handles: Handles,
    private fields: FieldHandles,
  ) {}

  /** The middle of the selected keys, or where the selected field is, while a tool is in hand. */
  get place(): Vector3 | null {
    const { tool, selection, keyholder, chosenField } = this.studio;
    if (!TOOLS.includes(tool)) return null;
    if (chosenField) return chosenField.is_placed ? this.fields.place(chosenField.name) : null;
    if (tool === "stretch" || keyholder === null) return null;
    const places = selection.keys.flatMap((key) => this.handles.key(keyholder, key) ?? []);
    if (!places.length) return null;
    return places.reduce((sum, place) => sum.add(place), new Vector3()).divideScalar(places.length);
  }

  /** How its axes are turned: a field is stretched along its own. */
  get turn(): Quaternion {
    const { tool, chosenField } = this.studio;
    return tool === "stretch" && chosenField ? this.fields.turn(chosenField.name) : UPRIGHT;
  }

  /** Which way an axis points. */
  way(axis: Axis): Vector3 {
    return along(axis, 1).applyQuaternion(this.turn);
  }

  /** Give it its size in a view. */
  prepare(view: View): void {
    const [place, { tool }] = [this.place, this.studio];
    const size = place ? LENGTH * view.metresPerPixel(place) : 0;
    this.rings.object.visible = place !== null && tool === "turn";
    for (const axis of [0, 1, 2] as Axis[]) {
      const canPull = place !== null && isPulled(view, place, size, this.way(axis));
      this.arrows[axis]!.object.visible = canPull && tool === "move";
      this.bars[axis]!.object.visible = canPull && tool === "stretch";
    }
    if (!place) return;
    for (const object of this.objects) {
      object.position.copy(place);
      object.quaternion.copy(this.turn);
      object.scale.setScalar(size);
    }
    for (const axis of [0, 1, 2] as Axis[])
      for (const { object } of [this.arrows[axis]!, this.bars[axis]!])
        object.scale.setComponent(axis, size * this.side(view, place, size, axis) * this.stretched(axis));
  }

  /** The axis under a pixel. */
  pick(view: View, x: number, y: number): Grip | null {
    const [place, { tool }] = [this.place, this.studio];
    if (!place) return null;
    const size = LENGTH * view.metresPerPixel(place);
    const middle = tool === "stretch" ? this.fields.spot(view, this.studio.selection.field ?? "") : null;
    if (middle && Math.hypot(middle.x - x, middle.y - y) < NEAR_MIDDLE) return "middle";
    const isTurning = tool === "turn";
    let [best, nearest]: [Axis | null, number] = [null, NEAR];
    for (const axis of [0, 1, 2] as Axis[]) {
      if (!isTurning && !isPulled(view, place, size, this.way(axis))) continue;
      const side = this.side(view, place, size, axis);
      const outline = isTurning ? circle(axis) : [INNER, 1].map((far) => this.way(axis).multiplyScalar(far * side));
      const spots = outline.map((point) => view.spotOf(point.multiplyScalar(size).add(place)));
      const count = isTurning ? spots.length : 1;
      for (let i = 0; i < count; i++) {
        const away = awayFrom(x, y, spots[i]!, spots[(i + 1) % spots.length]!);
        if (away < nearest) [best, nearest] = [axis, away];
      }
    }
    return best;
  }

  /** 1, or -1 for an arrow whose head would lie outside of the view: it points the other way where there is room. */
  private side(view: View, place: Vector3, size: number, axis: Axis): 1 | -1 {
    const isInside = (sign: number) => {
      const { x, y } = view.spotOf(this.way(axis).multiplyScalar(sign * size).add(place));
      return holds(view.rectangle, x, y);
    };
    return isInside(1) || !isInside(-1) ? 1 : -1;
  }

  /** A bar follows the pointer that pulls it. */
  private stretched(axis: Axis): number {
    const { echo } = this.handles;
    return echo?.kind === "field stretch" ? Math.min(3, echo.by.getComponent(axis)) : 1;
  }
}

/** An arrow that points at one's eye cannot be pulled, and would hide the key. */
function isPulled(view: View, place: Vector3, size: number, way: Vector3): boolean {
  const [root, tip] = [view.spotOf(place), view.spotOf(way.multiplyScalar(size).add(place))];
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
    ring.forEach((place, i) => strokes.line(...place.toArray(), ...ring[(i + 1) % ROUND]!.toArray(), AXES[axis]));
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
export function awayFrom(x: number, y: number, a: { x: number; y: number }, b: { x: number; y: number }): number {
  const share = shareAlong(x, y, a, b);
  return Math.hypot(x - a.x - share * (b.x - a.x), y - a.y - share * (b.y - a.y));
}

/** Where between two pixels (0 … 1) a third is nearest. */
export function shareAlong(x: number, y: number, a: { x: number; y: number }, b: { x: number; y: number }): number {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const squared = dx * dx + dy * dy;
  return squared ? Math.min(1, Math.max(0, ((x - a.x) * dx + (y - a.y) * dy) / squared)) : 0;
}
