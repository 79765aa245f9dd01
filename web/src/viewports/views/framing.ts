// What shall be seen? The selected keys, the selected actor, or everything; and everything of another scene.

import { Box3, Vector3 } from "three";

import type { Drawn } from "../../state/studio.svelte";
import type { Scene } from "../../messages";
import type { Picture } from "../stage_renderer";

const NEAR = 2; // times the stage's radius: handles of fields farther away are not looked for

/** Show the selection, or everything when nothing is selected. */
export function frameSelection(picture: Picture): void {
  const { keyholder, selection: { actor, keys, field } } = picture.studio;
  const middle = field === null ? null : picture.fields.place(field);
  if (middle) return frame(picture, around(middle, picture.studio.field(field)?.radius ?? picture.reach / 2));
  if (actor === null || keyholder === null) return frameAll(picture);
  const places = keys.flatMap((key) => picture.handles.key(keyholder, key) ?? []);
  const parts = picture.studio.scene?.links.filter((link) => link.actor === actor).map(({ name }) => name) ?? [];
  frame(picture, places.length ? places : picture.placesOf([actor, ...parts]));
}

export function frameAll(picture: Picture): void {
  picture.measure();
  const places = picture.placesOf(picture.studio.scene?.order ?? []);
  const middle = new Box3().setFromPoints(places).getCenter(new Vector3());
  const isNear = (place: Vector3) => !places.length || place.distanceTo(middle) < NEAR * picture.reach;
  frame(picture, [...places, ...picture.fields.all.flatMap(({ name }) => picture.fields.place(name) ?? []).filter(isNear)]);
}

function around(middle: Vector3, radius: number): Vector3[] {
  return [-radius, radius].map((far) => middle.clone().addScalar(far));
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
  private openedAt = -1;
  private since = 0;
  private state: "awaited" | "ticking" | "seen" = "awaited";

  /** True when another scene and all its curves have come; and once more when those who take ticks have been shot. */
  isNew(scene: Scene | null, curves: ReadonlyMap<string, Drawn>): boolean {
    if (!scene) return false;
    const isOpened = scene.opened_at !== this.openedAt;
    if (isOpened || !scene.order.some((name) => this.known.has(name))) {
      this.state = "awaited";
      this.since = isOpened ? scene.opened_at : scene.revision;
    }
    this.known = new Set(scene.order);
    this.openedAt = scene.opened_at;
    // Of the scene before there may be curves of the same names.
    const here = scene.order.flatMap((name) => curves.get(name) ?? []).filter((curve) => curve.revision >= this.since);
    if (this.state === "seen" || here.length < scene.actors.length + scene.links.length) return false; // surfaces have none
    const isWhole = here.every((curve) => curve.arrays.line?.length);
    const wasAwaited = this.state === "awaited";
    if (here.length) this.state = isWhole ? "seen" : "ticking";
    return wasAwaited || isWhole;
  }
}
