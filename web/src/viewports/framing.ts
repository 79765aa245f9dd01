// What shall be seen? The selected keys, the selected actor, or everything; and everything of another scene.

import { Vector3 } from "three";

import type { Scene } from "../messages";
import type { Picture } from "./picture";

/** Show the selection, or everything when nothing is selected. */
export function frameSelection(picture: Picture): void {
  const { actor, keys } = picture.studio.selection;
  if (actor === null) return frameAll(picture);
  const places = keys.flatMap((key) => picture.handles.key(actor, key) ?? []);
  frame(picture, places.length ? places : picture.placesOf([actor]));
}

export function frameAll(picture: Picture): void {
  const { actors = [], order = [] } = picture.studio.scene ?? {};
  // A camera stands apart to see the others: it is among what is framed only where there is nothing else.
  const seen = actors.filter((actor) => !actor.is_camera).map((actor) => actor.name);
  frame(picture, picture.placesOf(seen.length ? seen : order));
}

function frame(picture: Picture, places: Vector3[]): void {
  if (!places.length) places = [new Vector3(-2, 0, -2), new Vector3(2, 2, 2)];
  picture.measure();
  // A single key is shown with what is around it.
  for (const view of Object.values(picture.views)) view.frame(places, 0.4 * picture.reach);
  picture.studio.view.camera = null;
  picture.ask();
}

/** Whether a scene is another one, not the one before with an actor more or less. */
export class Openings {
  private known = new Set<string>();
  private file: string | null = null;
  private isWaiting = true;

  /** True once, when another scene and all its curves have come. */
  isNew(scene: Scene | null, curves: ReadonlyMap<string, unknown>): boolean {
    if (!scene) return false;
    const isOther = scene.file !== this.file && scene.file !== null && this.file !== null;
    if (isOther || !scene.order.some((name) => this.known.has(name))) this.isWaiting = true;
    this.known = new Set(scene.order);
    this.file = scene.file;
    if (!this.isWaiting || !scene.order.every((name) => curves.has(name))) return false;
    this.isWaiting = scene.order.length === 0;
    return true;
  }
}
