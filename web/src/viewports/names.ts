// What is everybody called? Names beside the actors, in every view; where two would cover each other, the selected one
// is shown and the later one is not.

import type { Studio } from "../document.svelte";
import type { Cast } from "./cast";
import { CHOSEN } from "./colours";
import type { View } from "./view";

const TALL = 18;
const WIDEST = 168;
const SMALL = 300;
const MOST = 60; // names in a view

interface Shown {
  element: HTMLElement;
  width: number;
}

export class Names {
  private shown = new Map<string, Shown>();
  private ruler: CanvasRenderingContext2D | null = null;

  constructor(
    private studio: Studio,
    private cast: Cast,
    private place: HTMLElement,
  ) {}

  update(views: View[]): void {
    const { order = [], actors = [] } = this.studio.scene ?? {};
    const known = new Set(actors.map((actor) => actor.name));
    const chosen = this.studio.selection.actor;
    const first = (name: string) => Number(name === chosen);
    const names = order.filter((name) => known.has(name)).sort((a, b) => first(b) - first(a));
    const used = new Set<string>();
    for (const view of views) {
      // What is taken so far: left, top, width. The view's own label is, and what is in its right corner.
      const corner = view.name === "perspective" ? 130 : 36;
      const taken: [number, number, number][] = [
        [view.rectangle.left, view.rectangle.top + 4, 190],
        [view.rectangle.left + view.rectangle.width - corner, view.rectangle.top + 4, corner],
      ];
      // In a small plan one name is enough: the perspective view beside it has them all.
      const isSmall = view.name !== "perspective" && view.rectangle.height < SMALL;
      for (const name of isSmall ? names.filter((other) => other === chosen) : names) {
        if (taken.length > MOST) break;
        const standing = name === this.studio.view.camera ? null : this.cast.standing(name);
        const spot = standing && view.spotOf(standing.place);
        if (!spot?.isSeen) continue;
        const label = this.label(`${view.name} ${name}`, name);
        const { left, top, width, height } = view.rectangle;
        const x = Math.round(Math.min(spot.x + 13, left + width - label.width - 4));
        const y = Math.round(Math.min(Math.max(spot.y - 25, top + 2), top + height - TALL - 2));
        if (taken.some(([a, b, w]) => x < a + w && a < x + label.width && Math.abs(b - y) < TALL)) continue;
        taken.push([x, y, label.width]);
        used.add(`${view.name} ${name}`);
        label.element.style.transform = `translate(${x}px, ${y}px)`;
        label.element.hidden = false;
        label.element.classList.toggle("chosen", name === chosen);
        const colour = (this.cast.colours.get(name) ?? CHOSEN).clone().lerp(CHOSEN, 0.25);
        label.element.style.color = `#${colour.getHexString()}`;
      }
    }
    for (const [id, { element }] of this.shown) if (!used.has(id)) element.hidden = true;
    if (this.shown.size > 8 * MOST) this.forget(used);
  }

  private label(id: string, name: string): Shown {
    let label = this.shown.get(id);
    if (!label) {
      const element = document.createElement("span");
      element.className = "actor-name";
      element.textContent = name;
      this.place.append(element);
      label = { element, width: Math.min(WIDEST, this.widthOf(name)) };
      this.shown.set(id, label);
    }
    return label;
  }

  /** As the text will be; asking its element would lay the page out once for every name. */
  private widthOf(name: string): number {
    if (!this.ruler) {
      this.ruler = document.createElement("canvas").getContext("2d");
      if (!this.ruler) return WIDEST;
      this.ruler.font = `600 12px ${getComputedStyle(this.place).fontFamily}`;
    }
    return Math.ceil(this.ruler.measureText(name).width) + 10;
  }

  private forget(used: Set<string>): void {
    for (const [id, { element }] of this.shown)
      if (!used.has(id)) {
        element.remove();
        this.shown.delete(id);
      }
  }
}
