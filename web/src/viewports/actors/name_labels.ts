// What is everybody called? Names beside the actors and the fields, in every view; where two would cover each other, the
// selected one is shown and the later one stands below or is not. No other name covers a field's handle.

import { doc } from "../../state/document.svelte";
import { selection } from "../../state/selection.svelte";
import { viewport } from "../../state/viewport.svelte";
import type { FieldHandles } from "../fields/field_handles";
import { SELECTED, FIELD } from "../primitives/colours";
import type { Spot, View } from "../views/view";
import type { ActorMarkers } from "./actor_markers";

const LABEL_HEIGHT = 18;
const MAX_WIDTH = 168;
const SMALL = 300;
const MAX_LABELS = 60; // names in a view

const LOWER = [-25, 9]; // pixels from an actor to where its name may stand
const LOWER_OF_FIELDS = [-25, 9, 27, 45]; // of which several are often in one place
const HANDLE = 18; // pixels across
const BARELY = 2; // pixels of a handle that a name above it may touch

/** Who has a name. */
interface LabelEntry {
  id: string;
  name: string;
  isField: boolean;
  isSelected: boolean;
}

interface Label {
  element: HTMLElement;
  width: number;
}

export class NameLabels {
  private labels = new Map<string, Label>();
  private ruler: CanvasRenderingContext2D | null = null;

  constructor(
    private actorMarkers: ActorMarkers,
    private fields: FieldHandles,
    private container: HTMLElement,
  ) {}

  update(views: View[]): void {
    const entries = this.entries();
    const used = new Set<string>();
    for (const view of views) {
      // What is taken so far: left, top, width. The view's own label is, and what is in its right corner.
      const corner = view.name === "perspective" ? 130 : 36;
      const taken: [number, number, number][] = [
        [view.rectangle.left, view.rectangle.top + 4, 190],
        [view.rectangle.left + view.rectangle.width - corner, view.rectangle.top + 4, corner],
      ];
      for (const { name } of this.fields.all) {
        const spot = this.fields.spot(view, name);
        if (spot?.isVisible) taken.push([spot.x - HANDLE / 2, spot.y + BARELY - HANDLE / 2, HANDLE]);
      }
      const maxTaken = taken.length + MAX_LABELS;
      // In a small plan one name is enough: the perspective view beside it has them all.
      const isSmall = view.name !== "perspective" && view.rectangle.height < SMALL;
      for (const one of isSmall ? entries.filter(({ isSelected }) => isSelected) : entries) {
        if (taken.length > maxTaken) break;
        const spot = this.spot(view, one);
        if (!spot?.isVisible) continue;
        const id = `${view.name} ${one.id}`;
        const label = this.label(id, one);
        const { left, top, width, height } = view.rectangle;
        const x = Math.round(Math.min(spot.x + 13, left + width - label.width - 4));
        const isFree = (y: number) =>
          !taken.some(([a, b, w]) => x < a + w && a < x + label.width && Math.abs(b - y) < LABEL_HEIGHT);
        const heights = (one.isField ? LOWER_OF_FIELDS : LOWER).map((lower) =>
          Math.round(Math.min(Math.max(spot.y + lower, top + 2), top + height - LABEL_HEIGHT - 2)),
        );
        const y = heights.find(isFree) ?? (one.isSelected ? heights[0] : undefined);
        if (y === undefined) continue;
        taken.push([x, y, label.width]);
        used.add(id);
        label.element.style.transform = `translate(${x}px, ${y}px)`;
        label.element.hidden = false;
        label.element.classList.toggle("selected", one.isSelected);
        const colour = (one.isField ? FIELD : (this.actorMarkers.colours.get(one.name) ?? SELECTED))
          .clone()
          .lerp(SELECTED, 0.25);
        label.element.style.color = `#${colour.getHexString()}`;
      }
    }
    for (const [id, { element }] of this.labels) if (!used.has(id)) element.hidden = true;
    if (this.labels.size > 8 * MAX_LABELS) this.forget(used);
  }

  /** Actors, then fields; who is selected comes first. */
  private entries(): LabelEntry[] {
    const { scene } = doc;
    const { link } = selection;
    const known = new Set([...(scene?.actors.map((actor) => actor.name) ?? []), ...(link === null ? [] : [link])]);
    const actors = (scene?.order ?? []).filter((name) => known.has(name));
    const all = [
      ...actors.map((name) => ({ id: name, name, isField: false, isSelected: name === (link ?? selection.actor) })),
      ...this.fields.all.map(({ name }) => ({
        id: `field ${name}`,
        name,
        isField: true,
        isSelected: name === selection.field,
      })),
    ];
    return all.sort((a, b) => Number(b.isSelected) - Number(a.isSelected));
  }

  private spot(view: View, { name, isField }: LabelEntry): Spot | null {
    if (isField) return this.fields.spot(view, name);
    const pose = name === viewport.camera ? null : this.actorMarkers.pose(name);
    return pose && view.spotOf(pose.position);
  }

  private label(id: string, { name, isField }: LabelEntry): Label {
    let label = this.labels.get(id);
    if (!label) {
      const element = document.createElement("span");
      element.className = isField ? "actor-name field-name" : "actor-name";
      element.textContent = name;
      this.container.append(element);
      label = { element, width: Math.min(MAX_WIDTH, this.widthOf(name)) };
      this.labels.set(id, label);
    }
    return label;
  }

  /** As the text will be; asking its element would lay the page out once for every name. */
  private widthOf(name: string): number {
    if (!this.ruler) {
      this.ruler = document.createElement("canvas").getContext("2d");
      if (!this.ruler) return MAX_WIDTH;
      this.ruler.font = `600 12px ${getComputedStyle(this.container).fontFamily}`;
    }
    return Math.ceil(this.ruler.measureText(name).width) + 10;
  }

  private forget(used: Set<string>): void {
    for (const [id, { element }] of this.labels)
      if (!used.has(id)) {
        element.remove();
        this.labels.delete(id);
      }
  }
}
