// Where is everybody just now? A dart for an actor, a pyramid for a camera, a line through its points for a drawing.

import {
  Color, DoubleSide, Group, InstancedMesh, Matrix4, MeshBasicMaterial, Quaternion, Vector3,
} from "three"; // prettier-ignore

import type { Studio } from "../document.svelte";
import type { ActorView } from "../messages";
import { CHOSEN, colourOf } from "./colours";
import { dart, pyramid } from "./dart";
import { DISC, Marks, RING } from "./marks";
import { Strokes } from "./strokes";

/** Where an actor stands and how it is turned. */
export interface Standing {
  place: Vector3;
  turn: Quaternion;
}

const matrix = new Matrix4();
const scale = new Vector3();

export class Cast {
  readonly object = new Group();
  private strokes = new Strokes({ width: 2, order: 4 });
  private dots = new Marks(5);
  private rings = new Marks(9, true);
  private darts = new Darts(1);
  colours = new Map<string, Color>();
  /** Who comes when in the order of the cast. */
  private places = new Map<string, number>();

  constructor(private studio: Studio) {
    this.object.add(this.darts.object, this.strokes.object, this.dots.object, this.rings.object);
  }

  /** Where an actor is at the moment shown. */
  standing(name: string): Standing | null {
    const i = this.places.get(name);
    return i === undefined ? null : standingAt(this.studio.poses.poses, i);
  }

  /** Whose looks changed. */
  recast(): void {
    const { scene } = this.studio;
    const places = new Map(scene?.order.map((name, i) => [name, i]));
    this.places = places;
    this.colours = new Map(scene?.actors.map(({ name, look }) => [name, colourOf(look, places.get(name) ?? 0)]));
  }

  /** `size` [m] is how large a dart is. */
  update(size: number): void {
    const { scene, poses, selection, view } = this.studio;
    for (const part of [this.strokes, this.dots, this.rings, this.darts]) part.begin();
    const cast = new Map(scene?.actors.map((actor) => [actor.name, actor]));
    let point = 0;
    (scene?.order ?? []).forEach((name, i) => {
      const actor = cast.get(name);
      const standing = standingAt(poses.poses, i);
      if (!actor || !standing) return;
      const colour = this.colours.get(name) ?? CHOSEN;
      if (actor.points) {
        this.drawing(poses.points, point, actor.points, colour);
        point += actor.points;
      } else if (actor.is_camera && name !== view.camera) this.camera(actor, standing, size, colour);
      else if (!actor.is_camera) this.darts.add(standing, size, colour);
      const { x, y, z } = standing.place;
      if (name !== view.camera) this.dots.add(x, y, z, colour, 7, DISC);
      if (name === selection.actor && name !== view.camera) this.rings.add(x, y, z, CHOSEN, 26, RING, 0.9);
    });
    for (const part of [this.strokes, this.dots, this.rings, this.darts]) part.end();
  }

  private drawing(points: Float32Array, first: number, count: number, colour: Color): void {
    for (let i = first; i < first + count - 1 && 3 * (i + 2) <= points.length; i++)
      this.strokes.add(points, 3 * i, points, 3 * (i + 1), colour);
  }

  private camera(actor: ActorView, { place, turn }: Standing, size: number, colour: Color): void {
    const corners = pyramid(actor.fov ?? 50).map((corner) =>
      new Vector3().fromArray(corner).multiplyScalar(1.6 * size).applyQuaternion(turn).add(place),
    );
    for (let i = 0; i < corners.length; i += 2) {
      const [from, to] = [corners[i]!, corners[i + 1]!];
      this.strokes.line(from.x, from.y, from.z, to.x, to.y, to.z, colour);
    }
  }
}

/** Many darts in one drawing call. */
export class Darts {
  readonly object = new Group();
  private mesh: InstancedMesh;
  private material: MeshBasicMaterial;
  private count = 0;

  constructor(opacity: number) {
    const isFaint = opacity < 1;
    this.material = new MeshBasicMaterial({
      vertexColors: true, side: DoubleSide, transparent: isFaint, opacity, depthWrite: !isFaint,
    }); // prettier-ignore
    this.mesh = this.grown(16);
  }

  begin(): void {
    this.count = 0;
  }

  add({ place, turn }: Standing, size: number, colour: Color): void {
    if (this.count === this.mesh.instanceMatrix.count) this.mesh = this.grown(2 * this.count);
    this.mesh.setMatrixAt(this.count, matrix.compose(place, turn, scale.setScalar(size)));
    this.mesh.setColorAt(this.count, colour);
    this.count += 1;
  }

  end(): void {
    this.mesh.count = this.count;
    this.mesh.visible = this.count > 0;
    this.mesh.instanceMatrix.needsUpdate = true;
    if (this.mesh.instanceColor) this.mesh.instanceColor.needsUpdate = true;
  }

  private grown(room: number): InstancedMesh {
    const larger = new InstancedMesh(dart(), this.material, room);
    larger.frustumCulled = false;
    const old = this.mesh as InstancedMesh | undefined;
    const colour = new Color();
    for (let i = 0; old && i < this.count; i++) {
      old.getMatrixAt(i, matrix);
      larger.setMatrixAt(i, matrix);
      old.getColorAt(i, colour);
      larger.setColorAt(i, colour);
    }
    old?.geometry.dispose();
    old?.dispose();
    this.object.clear().add(larger);
    return larger;
  }
}

function standingAt(poses: Float32Array, i: number): Standing | null {
  if (poses.length < 7 * (i + 1)) return null;
  const at = 7 * i;
  const place = new Vector3().fromArray(poses, at);
  if (!Number.isFinite(place.x + place.y + place.z)) return null;
  return { place, turn: new Quaternion(poses[at + 4], poses[at + 5], poses[at + 6], poses[at + 3]) };
}
