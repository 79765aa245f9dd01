// Where are rough paths whose keys others carry? They come with every moment, and stand in place of what curves say.
import type { CurveData } from "./studio.svelte";

interface PathUpdate {
  revision: number;
  arrays: Record<string, Float32Array>;
}

export class RelativePaths {
  private updates = new Map<string, PathUpdate>();

  /** Take those of a moment, in which everybody has a number in this order, and put them in place in the curves. */
  receive(
    revision: number,
    arrays: Record<string, Float32Array>,
    order: readonly string[],
    curves: Map<string, CurveData>,
  ): void {
    this.updates.clear();
    for (const [label, values] of Object.entries(arrays)) {
      const [name, number] = label.split(" ");
      const actor = number === undefined ? undefined : order[Number(number)];
      if (actor === undefined || name === undefined) continue;
      if (!this.updates.has(actor)) this.updates.set(actor, { revision, arrays: {} });
      this.updates.get(actor)!.arrays[name] = values;
    }
    for (const name of this.updates.keys()) {
      const curve = curves.get(name);
      if (curve) curves.set(name, this.applyTo(curve));
    }
  }

  /** A curve with its path as it is at the moment shown, unless that was told before the curve was. */
  applyTo(curve: CurveData): CurveData {
    const update = this.updates.get(curve.actor);
    const hasSameKeys =
      update?.arrays["keys"]?.length === undefined || update.arrays["keys"].length === curve.arrays["keys"]?.length;
    return !update || update.revision < curve.revision || !hasSameKeys
      ? curve
      : { ...curve, arrays: { ...curve.arrays, ...update.arrays } };
  }
}
