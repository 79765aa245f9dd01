// Whom does the mouse lead in a live run? The actor "pointer", if it stands in the world, where the mouse points.

import { doc } from "../state/document.svelte";

export const POINTER = "pointer";

export function hasPointer(): boolean {
  return doc.actor(POINTER)?.parent === null;
}
