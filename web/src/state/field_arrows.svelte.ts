// Whose arrows are on the stage? Those of the selected field, and of every field whose eye is open.
import { SvelteMap, SvelteSet } from "svelte/reactivity";

import type { Arrows, FieldView } from "../messages";

/** A field's arrows on three lattices of `count` places: first seen from the top, then the front, then the side. */
export interface Pushing {
  field: string;
  time: number;
  revision: number;
  best: Arrows["best"];
  /** (3, count, 3) [m] */
  places: Float32Array;
  /** (3, count, 3) [m/s²] */
  pushes: Float32Array;
  count: number;
}

const MOST_SHOWN = 64; // as many as the studio draws for one page

export class FieldArrows {
  drawn = new SvelteMap<string, Pushing>();
  /** Fields whose arrows stay when they are not selected. */
  eyes = new SvelteSet<string>();

  /** Names of what is shown, in the scene's order. */
  shown(fields: FieldView[], selected: string | null): string[] {
    const names = fields.map(({ name }) => name).filter((name) => name === selected || this.eyes.has(name));
    return names.length <= MOST_SHOWN ? names : [...names.filter((name) => name !== selected).slice(1 - MOST_SHOWN), ...(selected === null ? [] : [selected])];
  }

  came(head: Arrows, arrays: Record<string, Float32Array>): void {
    const { field, time, revision, best } = head;
    const { places = new Float32Array(), pushes = new Float32Array() } = arrays;
    if (revision < (this.drawn.get(field)?.revision ?? 0)) return;
    this.drawn.set(field, { field, time, revision, best, places, pushes, count: places.length / 9 });
  }

  /** Forget what is not shown any more. */
  keep(shown: string[]): void {
    for (const name of [...this.drawn.keys()]) if (!shown.includes(name)) this.drawn.delete(name);
  }

  toggleEye(name: string): void {
    if (!this.eyes.delete(name)) this.eyes.add(name);
  }

  renamed(from: string, to: string): void {
    if (this.eyes.delete(from)) this.eyes.add(to);
  }

  clear(): void {
    this.eyes.clear();
    this.drawn.clear();
  }
}
