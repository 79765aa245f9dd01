// Where is everybody just now? A dart for an actor, a pyramid for a camera, a line through its points for a drawing.

import { type Color, Group, Quaternion, Vector3 } from "three";

import type { ActorView } from "../../messages";
import { softBodyOf, surfacePointCount } from "../../scene/parts";
import { doc } from "../../state/document.svelte";
import { playback } from "../../state/playback.svelte";
import { selection } from "../../state/selection.svelte";
import { viewport } from "../../state/viewport.svelte";
import { SELECTED, colourOf } from "../primitives/colours";
import { pyramid } from "../primitives/dart";
import { DART, Darts, type Pose } from "../primitives/darts";
import { DISC, Marks, RING } from "../primitives/marks";
import { Strokes } from "../primitives/strokes";
import type { View } from "../views/view";

export type { Pose };

const CROWD_SIZE = 100; // actors: then each is smaller
const CROWD_SCALE = 0.65;
const CAMERA_DEPTH = 1.6; // times a dart: how far a camera's pyramid goes

export class ActorMarkers {
  readonly object = new Group();
  private strokes = new Strokes({ width: 2, order: 4 });
  private dots = new Marks(5);
  private rings = new Marks(9, true);
  private darts = new Darts(1);
  private pyramids = new Strokes({ width: 2, order: 4 });
  private cameras: { actor: ActorView; pose: Pose; colour: Color }[] = [];
  colours = new Map<string, Color>();
  /** Who comes when in the order of the cast. */
  private rows = new Map<string, number>();
  /** Whose a surface is, by its name. */
  private softBodies = new Map<string, ActorView>();
  /** Where among all points the surface of an actor begins. */
  private surfaceStarts = new Map<string, number>();

  constructor() {
    this.object.add(this.darts.object, this.pyramids.object, this.strokes.object, this.dots.object, this.rings.object);
  }

  /** Where an actor is at the moment shown. */
  pose(name: string): Pose | null {
    const i = this.rows.get(name);
    return i === undefined ? null : poseAt(playback.poses.poses, i);
  }

  /** Where among all points the surface of a soft body begins, if it is known. */
  surfaceStart(actor: string): number | null {
    return this.surfaceStarts.get(actor) ?? null;
  }

  /** Whose looks changed. */
  updateLooks(): void {
    const { scene } = doc;
    const rows = new Map(scene?.order.map((name, i) => [name, i]));
    this.rows = rows;
    this.colours = new Map(scene?.actors.map(({ name, look }) => [name, colourOf(look, rows.get(name) ?? 0)]));
    for (const { name, actor } of scene?.links ?? []) this.colours.set(name, this.colours.get(actor) ?? SELECTED);
    this.softBodies = new Map(
      scene?.order.flatMap((name) => (softBodyOf(scene, name) ? [[name, softBodyOf(scene, name)!] as const] : [])),
    );
  }

  update(): void {
    const { scene } = doc;
    const { poses } = playback;
    const { link } = selection;
    const { camera } = viewport;
    for (const part of [this.strokes, this.dots, this.rings, this.darts]) part.begin();
    const actors = new Map(scene?.actors.map((actor) => [actor.name, actor]));
    const size = DART * ((scene?.order.length ?? 0) > CROWD_SIZE ? CROWD_SCALE : 1);
    let point = 0;
    this.cameras = [];
    this.surfaceStarts.clear();
    (scene?.order ?? []).forEach((name, i) => {
      const soft = this.softBodies.get(name);
      if (soft?.body) {
        this.surfaceStarts.set(soft.name, point);
        point += surfacePointCount(soft.body);
      }
      const actor = actors.get(name);
      const pose = poseAt(poses.poses, i);
      if (!actor || !pose) return;
      const colour = this.colours.get(name) ?? SELECTED;
      if (actor.points) {
        this.drawing(poses.points, point, actor.points, colour);
        point += actor.points;
      } else if (actor.is_camera && name !== camera) this.cameras.push({ actor, pose, colour });
      else if (!actor.is_camera && !actor.body) this.darts.add(pose, size, colour);
      const { x, y, z } = pose.position;
      if (name !== camera && !actor.body) this.dots.add(x, y, z, colour, 7, DISC);
      if (name === selection.actor && name !== camera && link === null)
        this.rings.add(x, y, z, SELECTED, 26, RING, 0.9);
    });
    const part = link === null ? null : this.pose(link);
    if (part) this.rings.add(part.position.x, part.position.y, part.position.z, SELECTED, 26, RING, 0.9);
    for (const part of [this.strokes, this.dots, this.rings, this.darts]) part.end();
  }

  private drawing(points: Float32Array, first: number, count: number, colour: Color): void {
    for (let i = first; i < first + count - 1 && 3 * (i + 2) <= points.length; i++)
      this.strokes.add(points, 3 * i, points, 3 * (i + 1), colour);
  }

  /** Cameras are as large in every view. */
  prepare(view: View): void {
    this.pyramids.begin();
    for (const { actor, pose, colour } of this.cameras) {
      const size = CAMERA_DEPTH * DART * view.metresPerPixel(pose.position);
      const corners = pyramid(actor.fov ?? 50).map((corner) =>
        new Vector3().fromArray(corner).multiplyScalar(size).applyQuaternion(pose.orientation).add(pose.position),
      );
      for (let i = 0; i < corners.length; i += 2) {
        const [from, to] = [corners[i]!, corners[i + 1]!];
        this.pyramids.line(from.x, from.y, from.z, to.x, to.y, to.z, colour);
      }
    }
    this.pyramids.end();
  }
}

function poseAt(poses: Float32Array, i: number): Pose | null {
  if (poses.length < 7 * (i + 1)) return null;
  const at = 7 * i;
  const position = new Vector3().fromArray(poses, at);
  if (!Number.isFinite(position.x + position.y + position.z)) return null;
  return { position, orientation: new Quaternion(poses[at + 4], poses[at + 5], poses[at + 6], poses[at + 3]) };
}
