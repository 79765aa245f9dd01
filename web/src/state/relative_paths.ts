// Where are rough paths whose keys others carry? They come with every moment, and stand in place of what curves say.
import type { Drawn } from "./studio.svelte";

interface Bent {
  revision: number;
  arrays: Record<string, Float32Array>;
}

export class BentPaths {
  private known = new Map<string, Bent>();

  /** Take those of a moment, in which everybody has a number in this order, and put them in place in the curves. */
  came(revision: number, arrays: Record<string, Float32Array>, order: readonly string[], curves: Map<string, Drawn>): void {
    this.known.clear();
    for (const [word, values] of Object.entries(arrays)) {
      const [name, number] = word.split(" ");
      const actor = number === undefined ? undefined : order[Number(number)];
      if (actor === undefined || name === undefined) continue;
      if (!this.known.has(actor)) this.known.set(actor, { revision, arrays: {} });
      this.known.get(actor)!.arrays[name] = values;
    }
    for (const name of this.known.keys()) {
      const curve = curves.get(name);
      if (curve) curves.set(name, this.over(curve));
    }
  }

  /** A curve with its path as it is at the moment shown, unless that was told before the curve was. */
  over(curve: Drawn): Drawn {
    const bent = this.known.get(curve.actor);
    const isSame = bent?.arrays["keys"]?.length === undefined || bent.arrays["keys"].length === curve.arrays["keys"]?.length;
    return !bent || bent.revision < curve.revision || !isSame ? curve : { ...curve, arrays: { ...curve.arrays, ...bent.arrays } };
  }
}
