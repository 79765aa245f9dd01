// Where is everybody just now? A dart for an actor, a pyramid for a camera, a line through its points for a drawing.

import { type Color, Group, Quaternion, Vector3 } from "three";

import type { Studio } from "../../state/studio.svelte";
import type { ActorView } from "../../messages";
import { pointsOf, softOf } from "../../scene/parts";
import { CHOSEN, colourOf } from "../primitives/colours";
import { pyramid } from "../primitives/dart";
import { DART, Darts, type Standing } from "../primitives/darts";
import { DISC, Marks, RING } from "../primitives/marks";
import { Strokes } from "../primitives/strokes";
import type { View } from "../views/view";

export type { Standing };

const CROWD = 100; // actors: then each is smaller
const SMALLER = 0.65;
const FAR = 1.6; // times a dart: how far a camera's pyramid goes

export class Cast {
  readonly object = new Group();
  private strokes = new Strokes({ width: 2, order: 4 });
  private dots = new Marks(5);
  private rings = new Marks(9, true);
  private darts = new Darts(1);
  private pyramids = new Strokes({ width: 2, order: 4 });
  private cameras: { actor: ActorView; standing: Standing; colour: Color }[] = [];
  colours = new Map<string, Color>();
  /** Who comes when in the order of the cast. */
  private places = new Map<string, number>();
  /** Whose a surface is, by its name. */
  private softs = new Map<string, ActorView>();
  /** Where among all points the surface of an actor begins. */
  private skins = new Map<string, number>();

  constructor(private studio: Studio) {
    this.object.add(this.darts.object, this.pyramids.object, this.strokes.object, this.dots.object, this.rings.object);
  }

  /** Where an actor is at the moment shown. */
  standing(name: string): Standing | null {
    const i = this.places.get(name);
    return i === undefined ? null : standingAt(this.studio.poses.poses, i);
  }

  /** Where among all points the surface of a soft body begins, if it is known. */
  skinAt(actor: string): number | null {
    return this.skins.get(actor) ?? null;
  }

  /** Whose looks changed. */
  recast(): void {
    const { scene } = this.studio;
    const places = new Map(scene?.order.map((name, i) => [name, i]));
    this.places = places;
    this.colours = new Map(scene?.actors.map(({ name, look }) => [name, colourOf(look, places.get(name) ?? 0)]));
    for (const { name, actor } of scene?.links ?? []) this.colours.set(name, this.colours.get(actor) ?? CHOSEN);
    this.softs = new Map(scene?.order.flatMap((name) => (softOf(scene, name) ? [[name, softOf(scene, name)!] as const] : [])));
  }

  update(): void {
    const { scene, poses, selection, link, view } = this.studio;
    for (const part of [this.strokes, this.dots, this.rings, this.darts]) part.begin();
    const cast = new Map(scene?.actors.map((actor) => [actor.name, actor]));
    const size = DART * ((scene?.order.length ?? 0) > CROWD ? SMALLER : 1);
    let point = 0;
    this.cameras = [];
    this.skins.clear();
    (scene?.order ?? []).forEach((name, i) => {
      const soft = this.softs.get(name);
      if (soft?.body) {
        this.skins.set(soft.name, point);
        point += pointsOf(soft.body);
      }
      const actor = cast.get(name);
      const standing = standingAt(poses.poses, i);
      if (!actor || !standing) return;
      const colour = this.colours.get(name) ?? CHOSEN;
      if (actor.points) {
        this.drawing(poses.points, point, actor.points, colour);
        point += actor.points;
      } else if (actor.is_camera && name !== view.camera) this.cameras.push({ actor, standing, colour });
      else if (!actor.is_camera && !actor.body) this.darts.add(standing, size, colour);
      const { x, y, z } = standing.place;
      if (name !== view.camera && !actor.body) this.dots.add(x, y, z, colour, 7, DISC);
      if (name === selection.actor && name !== view.camera && link === null) this.rings.add(x, y, z, CHOSEN, 26, RING, 0.9);
    });
    const part = link === null ? null : this.standing(link);
    if (part) this.rings.add(part.place.x, part.place.y, part.place.z, CHOSEN, 26, RING, 0.9);
    for (const part of [this.strokes, this.dots, this.rings, this.darts]) part.end();
  }

  private drawing(points: Float32Array, first: number, count: number, colour: Color): void {
    for (let i = first; i < first + count - 1 && 3 * (i + 2) <= points.length; i++)
      this.strokes.add(points, 3 * i, points, 3 * (i + 1), colour);
  }

  /** Cameras are as large in every view. */
  prepare(view: View): void {
    this.pyramids.begin();
    for (const { actor, standing, colour } of this.cameras) {
      const size = FAR * DART * view.metresPerPixel(standing.place);
      const corners = pyramid(actor.fov ?? 50).map((corner) =>
        new Vector3().fromArray(corner).multiplyScalar(size).applyQuaternion(standing.turn).add(standing.place),
      );
      for (let i = 0; i < corners.length; i += 2) {
        const [from, to] = [corners[i]!, corners[i + 1]!];
        this.pyramids.line(from.x, from.y, from.z, to.x, to.y, to.z, colour);
      }
    }
    this.pyramids.end();
  }
}

function standingAt(poses: Float32Array, i: number): Standing | null {
  if (poses.length < 7 * (i + 1)) return null;
  const at = 7 * i;
  const place = new Vector3().fromArray(poses, at);
  if (!Number.isFinite(place.x + place.y + place.z)) return null;
  return { place, turn: new Quaternion(poses[at + 4], poses[at + 5], poses[at + 6], poses[at + 3]) };
}
