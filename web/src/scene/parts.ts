// Whose part is this? Links of figures and the surfaces of soft bodies have poses of their own beside the actors.
import type { ActorView, BodyView, Scene } from "../messages";

const SURFACE_SUFFIX = "/skin";

/** Who is meant by the name of an actor, of a part of a figure, or of the surface of a soft body. */
export function ownerOf(scene: Scene | null, name: string): string {
  return scene?.links.find((link) => link.name === name)?.actor ?? softBodyOf(scene, name)?.name ?? name;
}

/** Whose surface this is, if it is one. */
export function softBodyOf(scene: Scene | null, name: string): ActorView | undefined {
  if (!name.endsWith(SURFACE_SUFFIX)) return undefined;
  const owner = name.slice(0, -SURFACE_SUFFIX.length);
  return scene?.actors.find((actor) => actor.name === owner && actor.body?.surface);
}

const counts = new WeakMap<BodyView, number>();

/** How many points the surface of a soft body has. */
export function surfacePointCount(body: BodyView): number {
  let count = counts.get(body);
  if (count === undefined)
    counts.set(body, (count = 1 + (body.surface ?? []).reduce((max, index) => Math.max(max, index), -1)));
  return count;
}

/** When what carries the keys of somebody is looked at, as it is shown: of who races along a rough path, now. */
export function relativeKeyTime(actor: ActorView | undefined, time: number): { time?: number } {
  return followsPath(actor) ? { time } : {};
}

/** Whether its keys are those of a rough path, along which a target races: it follows that, or is led along it. */
export const followsPath = (actor: ActorView | undefined): boolean =>
  actor !== undefined && (actor.follow !== null || actor.is_driven);

/** Whether an actor is made of parts. */
export const isFigure = (scene: Scene | null, actor: string | undefined): boolean =>
  scene?.links.some((link) => link.actor === actor) ?? false;

/** Whether something is said of who is selected: of a figure with all its parts, of one of its parts alone. */
export const belongsTo = (name: string, isPart: boolean) => (index: string) =>
  index === name || (!isPart && index.startsWith(`${name}/`));
