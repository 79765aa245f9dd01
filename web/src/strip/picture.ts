// What is on the small picture of a key? The path from the front with this key marked and how it is turned, or its
// drawing.
import type { Drawn } from "../document.svelte";

export interface Frame {
  path: string;
  place(x: number, y: number): [number, number];
  axes: [number, number];
  /** Nobody goes anywhere: the keys only turn, or wait. */
  isPoint: boolean;
}

const POINTS = 96;
const FLAT = 0.04; // of its breadth: a path on the ground is better seen from above

/** The way of an actor in a box, and how to place a point there. */
export function frameOf(curve: Drawn, width: number, height: number, margin = 9): Frame {
  const line = curve.arrays.line ?? new Float32Array();
  const places = [line, curve.arrays.keys ?? new Float32Array()];
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (const array of places)
    for (let i = 0; i < array.length; i++) {
      low[i % 3] = Math.min(low[i % 3]!, array[i]!);
      high[i % 3] = Math.max(high[i % 3]!, array[i]!);
    }
  const wide = [0, 1, 2].map((axis) => high[axis]! - low[axis]!) as [number, number, number];
  const isFlat = wide[1] < FLAT * Math.max(wide[0], wide[2]);
  const axes: [number, number] = isFlat ? [0, 2] : wide[0] < FLAT * wide[2] ? [2, 1] : [0, 1];
  const place = fitted(low, high, axes, width, height, margin);
  let path = "";
  const count = line.length / 3;
  const every = Math.max(1, Math.floor(count / POINTS));
  for (let i = 0; i < count; i = i === count - 1 ? count : Math.min(count - 1, i + every)) {
    const [x, y] = place(line[3 * i + axes[0]]!, line[3 * i + axes[1]]!);
    path += `${i ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`;
  }
  const isPoint = !(Math.max(...wide) > 1e-6 * Math.max(1, ...low.map(Math.abs)));
  return { path, place, axes, isPoint };
}

const SLANT = 0.42; // how far an axis towards the viewer is drawn aside

/** The ends of a key's own axes x, y, z about its mark, as long as `length`: how it is turned. */
export function turnOf(curve: Drawn, key: number, [across, up]: [number, number], length: number): [number, number][] {
  const [w = 1, x = 0, y = 0, z = 0] = curve.arrays.key_turns?.subarray(4 * key, 4 * key + 4) ?? [];
  const columns = [
    [1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)],
    [2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)],
    [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)],
  ];
  const [deep, down] = [3 - across - up, up === 2 ? 1 : -1];
  const towards = across === 2 ? -SLANT : SLANT; // from the side X goes away, else what is deep comes nearer
  return columns.map((way) => [
    length * (way[across]! - towards * way[deep]!),
    length * (down * way[up]! + towards * way[deep]!),
  ]);
}

/** Whether any key of a path is turned. */
export function isTurned(curve: Drawn): boolean {
  const turns = curve.arrays.key_turns ?? new Float32Array();
  for (let i = 0; i < turns.length; i += 4) if (Math.abs(turns[i]!) < 0.99999) return true;
  return false;
}

/** How to place points between `low` and `high` into a box; seen from above, what is nearer is lower. */
export function fitted(
  low: number[],
  high: number[],
  axes: [number, number],
  width: number,
  height: number,
  margin: number,
): (x: number, y: number) => [number, number] {
  const [across, up] = axes;
  const spans = [high[across]! - low[across]!, high[up]! - low[up]!];
  const size = Math.min((width - 2 * margin) / Math.max(1e-9, spans[0]!), (height - 2 * margin) / Math.max(1e-9, spans[1]!));
  const scale = Number.isFinite(size) && size < 1e8 ? size : 1;
  const middle = [(low[across]! + high[across]!) / 2, (low[up]! + high[up]!) / 2];
  const sign = up === 2 ? 1 : -1;
  return (x, y) => [width / 2 + scale * (x - middle[0]!), height / 2 + sign * scale * (y - middle[1]!)];
}

/** The points of one key's drawing, as x and y. */
export function drawingOf(curve: Drawn, key: number): [number, number][] {
  const all = curve.arrays.drawings;
  const count = curve.shapes.drawings?.[1] ?? 0;
  if (!all || !count) return [];
  return Array.from({ length: count }, (_, i) => {
    const begin = 3 * (key * count + i);
    return [all[begin] ?? 0, all[begin + 1] ?? 0];
  });
}

/** The corners of all drawings of a path. */
export function drawingBounds(curve: Drawn): [number[], number[]] {
  const low = [Infinity, Infinity];
  const high = [-Infinity, -Infinity];
  (curve.arrays.drawings ?? new Float32Array()).forEach((value, i) => {
    if (i % 3 === 2) return;
    low[i % 3] = Math.min(low[i % 3]!, value);
    high[i % 3] = Math.max(high[i % 3]!, value);
  });
  return [low, high];
}
