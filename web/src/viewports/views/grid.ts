// How long is a metre here? A grid on the floor, or on the plane a view looks at, that coarsens as one goes away; the
// axes through the origin are coloured.

import { BufferGeometry, Color, Float32BufferAttribute, LineBasicMaterial, LineSegments } from "three";

import { AXES, GRID, GRID_STRONG, GROUND } from "../primitives/colours";
import { PerspectiveView } from "./perspective_view";
import type { View } from "./view";

const MIN_SPACING = 26; // pixels between two lines
const PLANES = { perspective: [0, 2], top: [0, 2], front: [0, 1], side: [2, 1] } as const;

export class Grid {
  readonly object: LineSegments;
  private geometry = new BufferGeometry();
  private shown = "";

  constructor() {
    const material = new LineBasicMaterial({ vertexColors: true, depthWrite: false });
    this.object = new LineSegments(this.geometry, material);
    this.object.frustumCulled = false;
    this.object.renderOrder = -1;
  }

  /** Lay the grid for a view. */
  update(view: View, reach: number): void {
    const isPerspective = view instanceof PerspectiveView;
    const extent = isPerspective ? 2 * Math.max(view.through ? reach : view.distance, 1e-4) : 0;
    const pixel = isPerspective ? extent / 900 : view.metresPerPixel(view.target);
    const step = roundStep(MIN_SPACING * pixel);
    const plane = PLANES[view.name];
    const half = plane.map((_, k) => {
      const size = isPerspective ? extent : 0.5 * pixel * (k ? view.rectangle.height : view.rectangle.width);
      return Math.ceil(size / step) + 1;
    }) as [number, number];
    const middle = plane.map((axis) => Math.round(view.target.getComponent(axis) / step)) as [number, number];
    const layoutKey = [step, ...half, ...middle].join();
    if (layoutKey === this.shown) return;
    this.shown = layoutKey;
    this.build(plane, step, middle, half, isPerspective);
  }

  private build(
    plane: readonly [number, number],
    step: number,
    middle: [number, number],
    half: [number, number],
    isFading: boolean,
  ): void {
    const positions: number[] = [];
    const colours: number[] = [];
    const end = new Color();
    const line = (along: 0 | 1, i: number) => {
      const across = along ? 0 : 1;
      const fade = isFading ? Math.min(1, Math.abs(i - middle[across]) / half[across]) : 0;
      const strong = i === 0 ? AXES[plane[along]]!.clone().lerp(GROUND, 0.35) : i % 10 === 0 ? GRID_STRONG : GRID;
      const colour = strong.clone().lerp(GROUND, fade);
      end.copy(isFading ? GROUND : colour);
      for (const sign of [-1, 1]) {
        const [from, to] = [
          [0, 0, 0],
          [0, 0, 0],
        ];
        from[plane[across]] = to[plane[across]] = i * step;
        from[plane[along]] = middle[along] * step;
        to[plane[along]] = (middle[along] + sign * half[along]) * step;
        positions.push(...from, ...to);
        colours.push(...colour.toArray(), ...end.toArray());
      }
    };
    // The axes come last, over the others.
    for (const isAxis of [false, true])
      for (const along of [0, 1] as const) {
        const across = along ? 0 : 1;
        for (let i = middle[across] - half[across]; i <= middle[across] + half[across]; i++)
          if ((i === 0) === isAxis) line(along, i);
      }
    this.geometry.dispose();
    this.geometry.setAttribute("position", new Float32BufferAttribute(positions, 3));
    this.geometry.setAttribute("color", new Float32BufferAttribute(colours, 3));
  }
}

/** The least of 1, 2, 5, 10, 20 … at least so long. */
export function roundStep(length: number): number {
  const ten = 10 ** Math.floor(Math.log10(length));
  return ten * ([1, 2, 5].find((digit) => digit * ten >= length * 0.999) ?? 10);
}
