// Which keys can somebody be at? Those of its path, by their names; null for one without.
import type { GoalView } from "../messages";
import { doc } from "../state/document.svelte";

export function keyNames(actor: string): (string | null)[] {
  const reach = doc.scene?.connections.find(({ link, keys }) => link === actor && keys.length);
  return (
    reach?.keys ??
    doc.actor(actor)?.keys.map(({ spec }) => (typeof spec["name"] === "string" ? spec["name"] : null)) ??
    []
  );
}

/** The number of the key that a goal is at; below nought if it is at none. */
export const goalKey = ({ actor, key }: GoalView): number => (key === null ? -1 : keyNames(actor).indexOf(key));
