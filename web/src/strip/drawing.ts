// From a stroke to points, and from a moment's numbers to one drawing.
import type { Moment } from "../document.svelte";
import type { Scene } from "../messages";

/** So many points along a stroke, at even distances. */
export function evenly(stroke: [number, number][], count: number): [number, number][] {
  const along = [0];
  for (let i = 1; i < stroke.length; i++) {
    const [[x, y], [u, v]] = [stroke[i - 1]!, stroke[i]!];
    along.push(along[i - 1]! + Math.hypot(u - x, v - y));
  }
  const length = along[along.length - 1]!;
  let behind = 1;
  return Array.from({ length: count }, (_, i) => {
    const wanted = count > 1 ? (length * i) / (count - 1) : 0;
    while (behind < stroke.length - 1 && along[behind]! < wanted) behind++;
    const [from, to] = [stroke[behind - 1]!, stroke[behind]!];
    const step = along[behind]! - along[behind - 1]!;
    const share = step > 0 ? (wanted - along[behind - 1]!) / step : 0;
    return [from[0] + share * (to[0] - from[0]), from[1] + share * (to[1] - from[1])];
  });
}

/** An actor's drawing at the moment shown. */
export function pointsNow(scene: Scene, moment: Moment, name: string): [number, number][] {
  let begin = 0;
  for (const actor of scene.actors) {
    if (actor.name === name)
      return Array.from({ length: actor.points }, (_, i) => {
        const at = 3 * (begin + i);
        return [moment.points[at] ?? 0, moment.points[at + 1] ?? 0];
      });
    begin += actor.points;
  }
  return [];
}
