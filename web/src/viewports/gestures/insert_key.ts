// How does a curve get one more key? With the insert tool, by a click on it; it keeps its shape.

import { relativeKeyTime } from "../../scene/parts";
import type { Studio } from "../../state/studio.svelte";
import type { Gesture, Press } from "./gesture";

const PICK_RADIUS = 16; // pixels

export function insertKey(press: Press): Gesture | null {
  const { renderer, view, x, y } = press;
  const { studio } = renderer;
  if (studio.tool !== "insert" || press.button !== 0) return null;
  const chosen = studio.keyOwner;
  const named = chosen === null ? [] : [chosen];
  const found =
    renderer.picker.onCurve(
      view,
      x,
      y,
      named.filter((name) => hasKeys(studio, name)),
      PICK_RADIUS,
    ) ??
    renderer.picker.onCurve(
      view,
      x,
      y,
      [...studio.curves.keys()].filter((name) => hasKeys(studio, name)),
      PICK_RADIUS,
    );
  if (!found) return null;
  return {
    move() {},
    end(isClick) {
      if (isClick) void insert(studio, found.actor, found.u);
    },
    cancel() {},
  };
}

async function insert(studio: Studio, actor: string, u: number): Promise<void> {
  try {
    await studio.send({ do: "insert_key", actor, u, ...relativeKeyTime(studio.keyedActor(actor), studio.poses.time) });
  } catch {
    return; // the notice says why
  }
  studio.tool = "select";
  studio.select(actor, [Math.floor(u) + 1]);
}

function hasKeys(studio: Studio, name: string): boolean {
  return (studio.keyedActor(name)?.keys.length ?? 0) > 0;
}
