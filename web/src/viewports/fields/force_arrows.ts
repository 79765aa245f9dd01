// Which way does a field push, and how strongly? Arrows on a lattice through its place, in each view on the plane it
// looks at. A push a thousand times as strong has an arrow ten times as long, so that weak and strong are both seen.

import { Color, Group } from "three";

import type { FieldArrowGrid } from "../../state/field_arrows.svelte";
import { fieldArrows } from "../../state/field_arrows.svelte";
import { ArrowShapes } from "../primitives/arrow_shapes";
import { forceColour } from "../primitives/colours";
import { type ViewName, VIEWS } from "../views/layout";
import type { View } from "../views/view";

const PLANES = { top: 0, front: 1, side: 2 } as const;
const MAX_RELATIVE_LENGTH = 3; // times the usual: how long a very strong push may be, so that the usual ones are still seen
const FILLED = 0.92; // of the way to the next arrow

/** The strongest push [m/s²] that is told from stronger ones, whether there are such, and whose they are. */
export interface ForceScale {
  strong: number;
  isCut: boolean;
  of: string;
}

export class ForceArrows {
  readonly object = new Group();
  scale: ForceScale | null = null;
  private shapes: Record<ViewName, ArrowShapes>;
  private colour = new Color();

  constructor() {
    const shapes = () => new ArrowShapes({ width: 1.5, head: 8, opacity: 0.9, order: 0 });
    this.shapes = { perspective: shapes(), top: shapes(), front: shapes(), side: shapes() };
    for (const name of VIEWS) this.object.add(this.shapes[name].object);
  }

  update(): void {
    const longest = this.measure();
    for (const view of VIEWS) {
      const shapes = this.shapes[view];
      shapes.begin();
      if (longest > 0)
        for (const name of fieldArrows.visible) {
          const pushing = fieldArrows.grids.get(name);
          if (pushing) this.plane(pushing, PLANES[view === "perspective" ? pushing.best : view], longest, shapes);
        }
      shapes.end();
    }
  }

  /** Only the arrows of its own plane are seen in a view. */
  prepare(view: View): void {
    for (const name of VIEWS) this.shapes[name].object.visible = name === view.name && !this.shapes[name].isEmpty;
  }

  /** The cube root of the strongest push that is told from stronger ones. */
  private measure(): number {
    let [strongest, sum, count] = [0, 0, 0];
    const names = fieldArrows.visible;
    for (const name of names) {
      const { pushes } = fieldArrows.grids.get(name) ?? {};
      for (let i = 0; pushes && i + 2 < pushes.length; i += 3) {
        const root = Math.cbrt(Math.hypot(pushes[i]!, pushes[i + 1]!, pushes[i + 2]!));
        if (!Number.isFinite(root) || root === 0) continue;
        [sum, count] = [sum + root, count + 1];
        if (root > strongest) strongest = root;
      }
    }
    const longest = count ? Math.min(strongest, (MAX_RELATIVE_LENGTH * sum) / count) : 0;
    this.scale = count
      ? { strong: longest ** 3, isCut: longest < strongest, of: names.length === 1 ? names[0]! : "" }
      : null;
    return longest;
  }

  private plane(
    { positions, pushes, count }: FieldArrowGrid,
    plane: number,
    longest: number,
    shapes: ArrowShapes,
  ): void {
    const first = 3 * plane * count;
    const step = Math.hypot(
      positions[first + 3]! - positions[first]!,
      positions[first + 4]! - positions[first + 1]!,
      positions[first + 5]! - positions[first + 2]!,
    );
    for (let i = first; i < first + 3 * count; i += 3) {
      const [u, v, w] = [pushes[i]!, pushes[i + 1]!, pushes[i + 2]!];
      const strength = Math.hypot(u, v, w);
      if (!(strength > 0) || !Number.isFinite(strength)) continue;
      const share = Math.min(1, Math.cbrt(strength) / longest);
      const half = (0.5 * FILLED * step * share) / strength;
      const [x, y, z] = [positions[i]!, positions[i + 1]!, positions[i + 2]!];
      forceColour(share, this.colour);
      shapes.add(x - half * u, y - half * v, z - half * w, x + half * u, y + half * v, z + half * w, this.colour);
    }
  }
}
