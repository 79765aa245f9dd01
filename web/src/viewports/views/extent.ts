// How large is the stage? As far as trails, paths and bodies go. Planes are everywhere, and what falls for ever goes
// anywhere: of a free body only what is near the others counts.

import { Box3, Vector3 } from "three";

import type { ActorView } from "../../messages";
import { doc, type CurveData } from "../../state/document.svelte";
import type { Pose } from "../actors/actor_markers";
import { extentOf } from "../bodies/body_shapes";

const LINES = ["line", "path"];
const FREE_RANGE = 2; // times the size of all else that a free body may go from there
const MIN_FREE_RANGE = 5; // [m] that it may go

export interface Extent {
  middle: Vector3;
  /** How far it goes from there [m]. */
  reach: number;
  /** Where free bodies count. */
  bounds: Box3;
}

/** Null while nothing is known. */
export function extentOfStage(): Extent | null {
  const [box, free] = [new Box3(), [] as CurveData[]];
  for (const curve of doc.curves.values()) {
    const actor = doc.actor(curve.actor);
    if (actor?.body?.shape["kind"] === "plane") continue;
    if (isFree(actor)) free.push(curve);
    for (const name of LINES) expand(box, curve.arrays[name], isFree(actor) ? 1 : Infinity);
    const half = (actor?.body && extentOf(actor.body)?.half) ?? [];
    const first = curve.arrays["line"] ?? curve.arrays["path"] ?? [];
    if (half.length && first.length >= 3) {
      const [position, around] = [new Vector3().fromArray(first), new Vector3().setScalar(Math.max(...half))];
      if (isSomewhere(position)) box.union(new Box3(position.clone().sub(around), position.clone().add(around)));
    }
  }
  if (box.isEmpty()) return null;
  const bounds = box.clone().expandByScalar(Math.max(MIN_FREE_RANGE, FREE_RANGE * box.getSize(new Vector3()).length()));
  for (const { arrays } of free) expand(box, arrays["line"], Infinity, bounds);
  return {
    middle: box.getCenter(new Vector3()),
    reach: Math.max(box.getSize(new Vector3()).length() / 2, 1e-3),
    bounds,
  };
}

/** Every place that is seen of an actor, as far as it counts. */
export function positionsOfActor(name: string, pose: Pose | null, bounds: Box3 | null): Vector3[] {
  const [positions, actor, arrays] = [[] as Vector3[], doc.actor(name), doc.curves.get(name)?.arrays ?? {}];
  for (const part of [...LINES, "keys", "drawings"]) {
    const array = arrays[part] ?? [];
    for (let i = 0; i + 2 < array.length; i += 3) positions.push(new Vector3().fromArray(array, i));
  }
  if (pose) positions.push(pose.position);
  const part = doc.scene?.links.find((link) => link.name === name);
  if (part?.body) positions.push(...swingCorners(arrays["line"], Math.max(0, ...(extentOf(part.body)?.half ?? []))));
  const body = actor?.body ?? part?.body;
  const extent = pose && body ? extentOf(body) : null;
  if (pose && extent)
    positions.push(...corners(extent).map((corner) => corner.applyQuaternion(pose.orientation).add(pose.position)));
  const isNear = isFree(actor) && bounds ? (position: Vector3) => bounds.containsPoint(position) : () => true;
  return positions.filter((position) => isSomewhere(position) && isNear(position));
}

/** How far a part of a figure may come while its middle goes along a line: it swings, and which way is not told. */
function swingCorners(line: Float32Array | undefined, around: number): Vector3[] {
  const box = new Box3();
  expand(box, line, Infinity);
  if (box.isEmpty()) return [];
  const [middle, half] = [
    box.getCenter(new Vector3()),
    box.getSize(new Vector3()).multiplyScalar(0.5).addScalar(around),
  ];
  return corners({ half: half.toArray(), middle: middle.toArray() });
}

const isFree = (actor: ActorView | undefined) => (actor?.start?.velocity ?? null) !== null;
const isSomewhere = ({ x, y, z }: Vector3) => Number.isFinite(x + y + z);

/** Let a box hold as many places of a line, those in a room. */
function expand(box: Box3, line: Float32Array | undefined, maxCount: number, bounds?: Box3): void {
  const position = new Vector3();
  for (let i = 0; line && i + 2 < Math.min(line.length, 3 * maxCount); i += 3) {
    position.fromArray(line, i);
    if (isSomewhere(position) && (!bounds || bounds.containsPoint(position))) box.expandByPoint(position);
  }
}

/** The corners of the box around a body, as it sees them. */
function corners({ half, middle }: { half: number[]; middle: number[] }): Vector3[] {
  const [x, y, z] = half as [number, number, number];
  const signs = [-1, 1];
  return signs.flatMap((a) =>
    signs.flatMap((b) => signs.map((c) => new Vector3(a * x, b * y, c * z).add(new Vector3().fromArray(middle)))),
  );
}
