// How are selected keys moved along an axis, or turned about one? By three arrows, or three rings, of the same size in
// every view.

import { Vector3 } from "three";

import type { Studio } from "../document.svelte";
import { AXES } from "./colours";
import type { Handles } from "./handles";
import { holds } from "./layout";
import { Strokes } from "./strokes";
import type { View } from "./view";

export type Axis = 0 | 1 | 2;
const LENGTH = 72; // pixels
const NEAR = 9;
const HEAD = 0.16;
const INNER = 0.22;
const ROUND = 48;
const SHORTEST = 14;

export class Gizmo {
  private arrows = ([0, 1, 2] as Axis[]).map(arrow);
  private rings = rings();
  readonly objects = [...this.arrows, this.rings].map((strokes) => strokes.object);

  constructor(
    private studio: Studio,
    private handles: Handles,
  ) {}

  /** The middle of the selected keys, while a tool is in hand. */
  get place(): Vector3 | null {
    const { tool, selection } = this.studio;
    if ((tool !== "move" && tool !== "turn") || selection.actor === null) return null;
    const places = selection.keys.flatMap((key) => this.handles.key(selection.actor!, key) ?? []);
    if (!places.length) return null;
    return places.reduce((sum, place) => sum.add(place), new Vector3()).divideScalar(places.length);
  }

  /** Give it its size in a view. */
  prepare(view: View): void {
    const place = this.place;
    const isTurning = this.studio.tool === "turn";
    const size = place ? LENGTH * view.metresPerPixel(place) : 0;
    this.rings.object.visible = place !== null && isTurning;
    this.arrows.forEach(({ object }, axis) => {
      object.visible = place !== null && !isTurning && canPull(view, place, size, axis as Axis);
    });
    if (!place) return;
    for (const object of this.objects) {
      object.position.copy(place);
      object.scale.setScalar(size);
    }
    this.arrows.forEach(({ object }, axis) => {
      object.scale.setComponent(axis, size * sideOf(view, place, size, axis as Axis));
    });
  }

  /** The axis under a pixel. */
  pick(view: View, x: number, y: number): Axis | null {
    const place = this.place;
    if (!place) return null;
    const size = LENGTH * view.metresPerPixel(place);
    const isTurning = this.studio.tool === "turn";
    let [best, nearest]: [Axis | null, number] = [null, NEAR];
    for (const axis of [0, 1, 2] as Axis[]) {
      const outline = isTurning ? circle(axis) : [INNER, 1].map((far) => along(axis, far * sideOf(view, place, size, axis)));
      const spots = outline.map((point) => view.spotOf(point.multiplyScalar(size).add(place)));
      if (!isTurning && !canPull(view, place, size, axis)) continue;
      const count = isTurning ? spots.length : 1;
      for (let i = 0; i < count; i++) {
        const away = awayFrom(x, y, spots[i]!, spots[(i + 1) % spots.length]!);
        if (away < nearest) [best, nearest] = [axis, away];
      }
    }
    return best;
  }
}

/** 1, or -1 for an arrow whose head would lie outside of the view: it points the other way where there is room. */
function sideOf(view: View, place: Vector3, size: number, axis: Axis): 1 | -1 {
  const isInside = (sign: number) => {
    const { x, y } = view.spotOf(along(axis, sign * size).add(place));
    return holds(view.rectangle, x, y);
  };
  return isInside(1) || !isInside(-1) ? 1 : -1;
}

/** An arrow that points at one's eye cannot be pulled, and would hide the key. */
function canPull(view: View, place: Vector3, size: number, axis: Axis): boolean {
  const [root, tip] = [view.spotOf(place), view.spotOf(along(axis, size).add(place))];
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
