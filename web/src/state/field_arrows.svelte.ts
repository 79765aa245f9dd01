// Whose arrows are on the stage? Those of the selected field, and of every field whose eye is open.
import { SvelteMap, SvelteSet } from "svelte/reactivity";

import type { Arrows, FieldView } from "../messages";

/** A field's arrows on three lattices of `count` places: first seen from the top, then the front, then the side. */
export interface FieldArrowGrid {
  field: string;
  time: number;
  revision: number;
  best: Arrows["best"];
  /** (3, count, 3) [m] */
  positions: Float32Array;
  /** (3, count, 3) [m/s²] */
  pushes: Float32Array;
  count: number;
}

const MAX_SHOWN = 64; // as many as the studio draws for one page

export class FieldArrows {
  grids = new SvelteMap<string, FieldArrowGrid>();
  /** Fields whose arrows stay when they are not selected. */
  pinned = new SvelteSet<string>();

  /** Names of what is shown, in the scene's order. */
  visible(fields: FieldView[], selected: string | null): string[] {
    const names = fields.map(({ name }) => name).filter((name) => name === selected || this.pinned.has(name));
    return names.length <= MAX_SHOWN
      ? names
      : [...names.filter((name) => name !== selected).slice(1 - MAX_SHOWN), ...(selected === null ? [] : [selected])];
  }

  receive(header: Arrows, arrays: Record<string, Float32Array>): void {
    const { field, time, revision, best } = header;
    const { positions = new Float32Array(), pushes = new Float32Array() } = arrays;
    if (revision < (this.grids.get(field)?.revision ?? 0)) return;
    this.grids.set(field, { field, time, revision, best, positions, pushes, count: positions.length / 9 });
  }

  /** Forget what is not shown any more. */
  retain(visible: string[]): void {
    for (const name of [...this.grids.keys()]) if (!visible.includes(name)) this.grids.delete(name);
  }

  togglePinned(name: string): void {
    if (!this.pinned.delete(name)) this.pinned.add(name);
  }

  rename(from: string, to: string): void {
    if (this.pinned.delete(from)) this.pinned.add(to);
  }

  clear(): void {
    this.pinned.clear();
    this.grids.clear();
  }
}
