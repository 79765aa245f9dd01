// From a stroke to points, and from a moment's numbers to one drawing.
import type { KeyView, Scene } from "../messages";
import type { FramePoses } from "../state/playback.svelte";
import type { Plane } from "./thumbnail";

export type Point = [number, number, number];

/** The points of a key as its file says them; of a flat drawing they lie at z = 0. */
export function keyPoints(key: KeyView): Point[] {
  const position = key.spec.position as number[][] | undefined;
  return (position ?? []).map(([x = 0, y = 0, z = 0]) => [x, y, z]);
}

/** What two numbers on a plane are in space; how deep it lies is as it was. */
export function toSpace([x, y]: [number, number], [across, up]: Plane, before: Point = [0, 0, 0]): Point {
  const point: Point = [...before];
  [point[across], point[up]] = [x, y];
  return point;
}

/** So many points along a stroke, at even distances. */
export function resample(stroke: [number, number][], count: number): [number, number][] {
  const along = [0];
  for (let i = 1; i < stroke.length; i++) {
    const [[x, y], [u, v]] = [stroke[i - 1]!, stroke[i]!];
    along.push(along[i - 1]! + Math.hypot(u - x, v - y));
  }
  const length = along[along.length - 1]!;
  let behind = 1;
  return Array.from({ length: count }, (_, i) => {
    const target = count > 1 ? (length * i) / (count - 1) : 0;
    while (behind < stroke.length - 1 && along[behind]! < target) behind++;
    const [from, to] = [stroke[behind - 1]!, stroke[behind]!];
    const step = along[behind]! - along[behind - 1]!;
    const share = step > 0 ? (target - along[behind - 1]!) / step : 0;
    return [from[0] + share * (to[0] - from[0]), from[1] + share * (to[1] - from[1])];
  });
}

/** An actor's drawing at the moment shown, on a plane. */
export function currentPoints(scene: Scene, frame: FramePoses, name: string, [across, up]: Plane): [number, number][] {
  let begin = 0;
  for (const actor of scene.actors) {
    if (actor.name === name)
      return Array.from({ length: actor.points }, (_, i) => {
        const at = 3 * (begin + i);
        return [frame.points[at + across] ?? 0, frame.points[at + up] ?? 0];
      });
    begin += actor.points;
  }
  return [];
}
