// The arrows of force fields: of the selected field, and of every field whose arrows are pinned.
import { SvelteMap, SvelteSet } from "svelte/reactivity";

import { connection, type Connection } from "../connection/connection.svelte";
import type { Arrows } from "../messages";
import { doc, type SceneDocument } from "./document.svelte";
import { selection, type Selection } from "./selection.svelte";

/** A field's arrows on three lattices of `count` places: first as seen from the top, then the front, then the side. */
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

const MAX_SHOWN = 64; // the server draws no more for one page
/** What the server draws for a page that has not requested anything. */
const NO_REQUEST = JSON.stringify([[], 5]);

export class FieldArrows {
  grids = new SvelteMap<string, FieldArrowGrid>();
  /** Fields whose arrows stay while they are not selected. */
  pinned = new SvelteSet<string>();
  /** How far around a field its arrows are drawn [m]. */
  reach = $state(5);
  private lastRequest = NO_REQUEST;
  private connection: Connection;
  private doc: SceneDocument;
  private selection: Selection;

  constructor(connection: Connection, doc: SceneDocument, selection: Selection) {
    this.connection = connection;
    this.doc = doc;
    this.selection = selection;
  }

  /** Names of the fields whose arrows are shown, in the scene's order. */
  get visible(): string[] {
    const { field: selected } = this.selection;
    const names = (this.doc.scene?.fields ?? [])
      .map(({ name }) => name)
      .filter((name) => name === selected || this.pinned.has(name));
    return names.length <= MAX_SHOWN
      ? names
      : [...names.filter((name) => name !== selected).slice(1 - MAX_SHOWN), ...(selected === null ? [] : [selected])];
  }

  /** Request the arrows of these fields, unless they are requested already. */
  request(fields: string[], reach: number): void {
    const request = JSON.stringify([fields, reach]);
    if (request === this.lastRequest) return;
    this.lastRequest = request;
    for (const name of [...this.grids.keys()]) if (!fields.includes(name)) this.grids.delete(name);
    this.connection.drag("show fields", { do: "show_fields", fields, reach });
  }

  receive(header: Arrows, arrays: Record<string, Float32Array>): void {
    const { field, time, revision, best } = header;
    const { positions = new Float32Array(), pushes = new Float32Array() } = arrays;
    if (!this.visible.includes(field) || revision < (this.grids.get(field)?.revision ?? 0)) return;
    this.grids.set(field, { field, time, revision, best, positions, pushes, count: positions.length / 9 });
  }

  togglePinned(name: string): void {
    if (!this.pinned.delete(name)) this.pinned.add(name);
  }

  rename(from: string, to: string): void {
    if (this.pinned.delete(from)) this.pinned.add(to);
  }

  /** Another document is open. */
  clear(): void {
    this.pinned.clear();
    this.grids.clear();
  }

  /** The server was connected anew, and draws no arrows yet. */
  forgetRequest(): void {
    this.lastRequest = NO_REQUEST;
    this.grids.clear();
  }
}

export const fieldArrows = new FieldArrows(connection, doc, selection);
