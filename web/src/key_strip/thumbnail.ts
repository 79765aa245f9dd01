// What is on the small picture of a key? The path from the front with this key marked and how it is turned, or its
// drawing.
import type { CurveData } from "../state/document.svelte";

export interface Thumbnail {
  path: string;
  place(x: number, y: number): [number, number];
  axes: [number, number];
  /** Nobody goes anywhere: the keys only turn, or wait. */
  isPoint: boolean;
}

const MAX_POINTS = 96;
const FLAT = 0.04; // of its breadth: a path on the ground is better seen from above

/** Which two axes go to the right and up, seen as in the views of that name. */
export type Plane = [number, number];
export const PLANES: Record<"front" | "top" | "side", Plane> = { front: [0, 1], top: [0, 2], side: [2, 1] };

export function planeName(plane: Plane): keyof typeof PLANES {
  return plane === PLANES.top ? "top" : plane === PLANES.side ? "side" : "front";
}

/** The corners of a box around places (x, y, z one behind the other). */
export function boundsOf(...arrays: ArrayLike<number>[]): [number[], number[]] {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (const array of arrays)
    for (let i = 0; i < array.length; i++) {
      low[i % 3] = Math.min(low[i % 3]!, array[i]!);
      high[i % 3] = Math.max(high[i % 3]!, array[i]!);
    }
  return [low, high];
}

/** From where the most of it is seen: from the front, unless it is flat from there. */
export function planeOf(low: number[], high: number[]): Plane {
  const [x, y, z] = [0, 1, 2].map((axis) => high[axis]! - low[axis]!) as [number, number, number];
  return y < FLAT * Math.max(x, z) ? PLANES.top : x < FLAT * z ? PLANES.side : PLANES.front;
}

/** The way of an actor in a box, and how to place a point there. */
export function pathThumbnail(curve: CurveData, width: number, height: number, margin = 9): Thumbnail {
  const line = curve.arrays.path ?? curve.arrays.line ?? new Float32Array(); // keys are on the rough path
  const [low, high] = boundsOf(line, curve.arrays.keys ?? []);
  const extents = low.map((least, axis) => high[axis]! - least);
  const axes = planeOf(low, high);
  const place = fitToBox(low, high, axes, width, height, margin);
  let path = "";
  const count = line.length / 3;
  const every = Math.max(1, Math.floor(count / MAX_POINTS));
  for (let i = 0; i < count; i = i === count - 1 ? count : Math.min(count - 1, i + every)) {
    const [x, y] = place(line[3 * i + axes[0]]!, line[3 * i + axes[1]]!);
    path += `${i ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`;
  }
  const isPoint = !(Math.max(...extents) > 1e-6 * Math.max(1, ...low.map(Math.abs)));
  return { path, place, axes, isPoint };
}

const SLANT = 0.42; // how far an axis towards the viewer is drawn aside

/** The ends of a key's own axes x, y, z about its mark, as long as `length`: how it is turned. */
export function keyAxes(
  curve: CurveData,
  key: number,
  [across, up]: [number, number],
  length: number,
): [number, number][] {
  const [w = 1, x = 0, y = 0, z = 0] = curve.arrays.key_orientations?.subarray(4 * key, 4 * key + 4) ?? [];
  const columns = [
    [1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)],
    [2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)],
    [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)],
  ];
  const deep = 3 - across - up; // towards whoever looks
  const [right, down] = axisSigns([across, up]);
  return columns.map((column) => [
    length * (right * column[across]! - SLANT * column[deep]!),
    length * (down * column[up]! + SLANT * column[deep]!),
  ]);
}

/** Whether any key of a path is turned. */
export function hasRotation(curve: CurveData): boolean {
  const turns = curve.arrays.key_orientations ?? new Float32Array();
  for (let i = 0; i < turns.length; i += 4) if (Math.abs(turns[i]!) < 0.99999) return true;
  return false;
}

/** Which way axes go to the right and down: Z nearer is lower from above, and to the left from the side. */
export function axisSigns([across, up]: Plane): [number, number] {
  return [across === 2 ? -1 : 1, up === 2 ? 1 : -1];
}

/** How to place points between `low` and `high` into a box. */
export function fitToBox(
  low: number[],
  high: number[],
  axes: Plane,
  width: number,
  height: number,
  margin: number,
): (x: number, y: number) => [number, number] {
  const [across, up] = axes;
  const spans = [high[across]! - low[across]!, high[up]! - low[up]!];
  const size = Math.min(
    (width - 2 * margin) / Math.max(1e-9, spans[0]!),
    (height - 2 * margin) / Math.max(1e-9, spans[1]!),
  );
  const scale = Number.isFinite(size) && size < 1e8 ? size : 1;
  const middle = [(low[across]! + high[across]!) / 2, (low[up]! + high[up]!) / 2];
  const [right, down] = axisSigns(axes);
  return (x, y) => [width / 2 + right * scale * (x - middle[0]!), height / 2 + down * scale * (y - middle[1]!)];
}

/** The points of one key's drawing, on a plane. */
export function keyDrawing(curve: CurveData, key: number, [across, up]: Plane): [number, number][] {
  const all = curve.arrays.drawings;
  const count = curve.shapes.drawings?.[1] ?? 0;
  if (!all || !count) return [];
  return Array.from({ length: count }, (_, i) => {
    const begin = 3 * (key * count + i);
    return [all[begin + across] ?? 0, all[begin + up] ?? 0];
  });
}
