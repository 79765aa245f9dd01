// Rough paths with relative keys at the moment shown. They come with the poses and replace the paths of the curves.
import type { CurveData } from "./document.svelte";

interface PathUpdate {
  revision: number;
  arrays: Record<string, Float32Array>;
}

export class RelativePaths {
  private updates = new Map<string, PathUpdate>();

  /** Read the paths of a moment, labelled by the index of their actor in `order`, and put them into the curves. */
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

  /** The curve with its path at the moment shown, unless that path is older than the curve. */
  applyTo(curve: CurveData): CurveData {
    const update = this.updates.get(curve.actor);
    const hasSameKeys =
      update?.arrays["keys"]?.length === undefined || update.arrays["keys"].length === curve.arrays["keys"]?.length;
    return !update || update.revision < curve.revision || !hasSameKeys
      ? curve
      : { ...curve, arrays: { ...curve.arrays, ...update.arrays } };
  }
}
