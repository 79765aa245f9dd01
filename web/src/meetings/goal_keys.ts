// Which keys can somebody be at? Those of its path, by their names; null for one without.
import type { GoalView } from "../messages";
import type { Studio } from "../state/studio.svelte";

export function keyNames(studio: Studio, actor: string): (string | null)[] {
  const reach = studio.scene?.connections.find(({ link, keys }) => link === actor && keys.length);
  return (
    reach?.keys ??
    studio.actor(actor)?.keys.map(({ spec }) => (typeof spec["name"] === "string" ? spec["name"] : null)) ??
    []
  );
}

/** The number of the key that a goal is at; below nought if it is at none. */
export const goalKey = (studio: Studio, { actor, key }: GoalView): number =>
  key === null ? -1 : keyNames(studio, actor).indexOf(key);
