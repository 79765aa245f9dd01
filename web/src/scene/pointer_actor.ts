// Whom does the mouse lead in a live run? The actor "pointer", if it stands in the world, where the mouse points.

import type { Studio } from "../state/studio.svelte";

export const POINTER = "pointer";

export function hasPointer(studio: Studio): boolean {
  return studio.actor(POINTER)?.parent === null;
}
