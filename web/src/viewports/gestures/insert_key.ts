// How does a curve get one more key? With the insert tool, by a click on it; it keeps its shape.

import { connection } from "../../connection/connection.svelte";
import { relativeKeyTime } from "../../scene/parts";
import { doc } from "../../state/document.svelte";
import { playback } from "../../state/playback.svelte";
import { selection } from "../../state/selection.svelte";
import { viewport } from "../../state/viewport.svelte";
import type { Gesture, Press } from "./gesture";

const PICK_RADIUS = 16; // pixels

export function insertKey(press: Press): Gesture | null {
  const { renderer, view, x, y } = press;
  if (viewport.tool !== "insert" || press.button !== 0) return null;
  const selected = selection.keyOwner;
  const named = selected === null ? [] : [selected];
  const found =
    renderer.picker.onCurve(
      view,
      x,
      y,
      named.filter((name) => hasKeys(name)),
      PICK_RADIUS,
    ) ??
    renderer.picker.onCurve(
      view,
      x,
      y,
      [...doc.curves.keys()].filter((name) => hasKeys(name)),
      PICK_RADIUS,
    );
  if (!found) return null;
  return {
    move() {},
    end(isClick) {
      if (isClick) void insert(found.actor, found.u);
    },
    cancel() {},
  };
}

async function insert(actor: string, u: number): Promise<void> {
  try {
    await connection.send({
      do: "insert_key",
      actor,
      u,
      ...relativeKeyTime(doc.keyedActor(actor), playback.poses.time),
    });
  } catch {
    return; // the notice says why
  }
  viewport.tool = "select";
  selection.select(actor, [Math.floor(u) + 1]);
}

function hasKeys(name: string): boolean {
  return (doc.keyedActor(name)?.keys.length ?? 0) > 0;
}
