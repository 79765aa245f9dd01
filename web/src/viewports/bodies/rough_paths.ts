// Where was somebody to go, roughly? Dashes along the path that a body follows; what it did is its trail.

import { Group, Vector3 } from "three";

import { ownerOf } from "../../scene/parts";
import { doc } from "../../state/document.svelte";
import { selection } from "../../state/selection.svelte";
import type { ActorMarkers } from "../actors/actor_markers";
import { SELECTED, GROUND } from "../primitives/colours";
import { Strokes } from "../primitives/strokes";

const DASH = 1 / 70; // of the stage's radius
const FADED = 0.35; // how far paths of others sink into the ground

export class RoughPaths {
  readonly object = new Group();
  private dashes = new Strokes({ width: 1.3, order: 3 });

  constructor(private actorMarkers: ActorMarkers) {
    this.object.add(this.dashes.object);
  }

  update(reach: number): void {
    const { curves } = doc;
    this.dashes.begin();
    for (const { actor, arrays } of curves.values()) {
      const path = arrays["path"];
      if (!path) continue;
      const colour = (this.actorMarkers.colours.get(actor) ?? SELECTED).clone();
      if (selection.actor !== null && selection.actor !== ownerOf(doc.scene, actor)) colour.lerp(GROUND, FADED);
      for (const [from, to] of splitDashes(path, DASH * reach))
        this.dashes.line(from.x, from.y, from.z, to.x, to.y, to.z, colour);
    }
    this.dashes.end();
  }

  /** Where on the rough path of somebody a parameter is. */
  positionAt(name: string, u: number): Vector3 | null {
    const { path, path_u: along } = doc.curves.get(name)?.arrays ?? {};
    if (!path || !along?.length) return null;
    const share = (u / along[along.length - 1]!) * (along.length - 1);
    const before = Math.min(Math.max(0, Math.floor(share)), along.length - 2);
    return new Vector3()
      .fromArray(path, 3 * before)
      .lerp(new Vector3().fromArray(path, 3 * before + 3), share - before);
  }
}

/** Pieces of a line, each about so long, with as much between them as they are long. */
function* splitDashes(line: Float32Array, long: number): Generator<[Vector3, Vector3]> {
  const [before, here] = [new Vector3(), new Vector3()];
  let [covered, isOn] = [0, true];
  for (let i = 3; i + 2 < line.length; i += 3) {
    before.fromArray(line, i - 3);
    here.fromArray(line, i);
    const whole = before.distanceTo(here);
    let at = 0;
    while (at < whole) {
      const next = Math.min(whole, at + long - covered);
      if (isOn) yield [before.clone().lerp(here, at / whole), before.clone().lerp(here, next / whole)];
      covered += next - at;
      at = next;
      if (covered >= long * (1 - 1e-9)) [covered, isOn] = [0, !isOn];
    }
  }
}
