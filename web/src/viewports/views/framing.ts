// What shall be seen? The selected keys, the selected actor, or everything; and everything of another scene.

import { Box3, Vector3 } from "three";

import type { Scene } from "../../messages";
import { doc, type CurveData } from "../../state/document.svelte";
import { selection } from "../../state/selection.svelte";
import { viewport } from "../../state/viewport.svelte";
import type { StageRenderer } from "../stage_renderer";

const FIELD_RANGE = 2; // times the stage's radius: handles of fields farther away are not looked for

/** Show the selection, or everything when nothing is selected. */
export function frameSelection(renderer: StageRenderer): void {
  const { keyOwner, actor, keys, field } = selection;
  const middle = field === null ? null : renderer.fields.position(field);
  if (middle) return frame(renderer, around(middle, doc.field(field)?.radius ?? renderer.reach / 2));
  if (actor === null || keyOwner === null) return frameAll(renderer);
  const positions = keys.flatMap((key) => renderer.handles.key(keyOwner, key) ?? []);
  const parts = doc.scene?.links.filter((link) => link.actor === actor).map(({ name }) => name) ?? [];
  frame(renderer, positions.length ? positions : renderer.positionsOf([actor, ...parts]));
}

export function frameAll(renderer: StageRenderer): void {
  renderer.measure();
  const positions = renderer.positionsOf(doc.scene?.order ?? []);
  const middle = new Box3().setFromPoints(positions).getCenter(new Vector3());
  const isNear = (position: Vector3) => !positions.length || position.distanceTo(middle) < FIELD_RANGE * renderer.reach;
  frame(renderer, [
    ...positions,
    ...renderer.fields.all.flatMap(({ name }) => renderer.fields.position(name) ?? []).filter(isNear),
  ]);
}

function around(middle: Vector3, radius: number): Vector3[] {
  return [-radius, radius].map((far) => middle.clone().addScalar(far));
}

function frame(renderer: StageRenderer, positions: Vector3[]): void {
  if (!positions.length) positions = [new Vector3(-2, 0, -2), new Vector3(2, 2, 2)];
  renderer.measure();
  // A single key is shown with what is around it.
  for (const view of Object.values(renderer.views)) view.frame(positions, 0.4 * renderer.reach);
  viewport.camera = null;
  renderer.requestDraw();
}

/** Whether a scene is another one, not the one before with an actor more or less. */
export class SceneOpenings {
  private known = new Set<string>();
  private openedAt = -1;
  private since = 0;
  private state: "awaited" | "ticking" | "seen" = "awaited";

  /** True when another scene and all its curves have come; and once more when those who take ticks have been shot. */
  isNew(scene: Scene | null, curves: ReadonlyMap<string, CurveData>): boolean {
    if (!scene) return false;
    const isOpened = scene.opened_at !== this.openedAt;
    if (isOpened || !scene.order.some((name) => this.known.has(name))) {
      this.state = "awaited";
      this.since = isOpened ? scene.opened_at : scene.revision;
    }
    this.known = new Set(scene.order);
    this.openedAt = scene.opened_at;
    // Of the scene before there may be curves of the same names.
    const newCurves = scene.order
      .flatMap((name) => curves.get(name) ?? [])
      .filter((curve) => curve.revision >= this.since);
    if (this.state === "seen" || newCurves.length < scene.actors.length + scene.links.length) return false; // surfaces have none
    const isWhole = newCurves.every((curve) => curve.arrays.line?.length);
    const wasAwaited = this.state === "awaited";
    if (newCurves.length) this.state = isWhole ? "seen" : "ticking";
    return wasAwaited || isWhole;
  }
}
