// How is a key moved? Press selects it; a drag moves all selected keys on the plane that faces the view.

import { Vector3 } from "three";

import { digitsFor } from "../../math/precision";
import { relativeKeyTime } from "../../scene/parts";
import { doc } from "../../state/document.svelte";
import { playback } from "../../state/playback.svelte";
import { selection } from "../../state/selection.svelte";
import type { Handles } from "../handles";
import type { StageRenderer } from "../stage_renderer";
import { Drag } from "./drag";
import type { Gesture, Press } from "./gesture";
import { selectKey } from "./select";

export function moveKeys(press: Press): Gesture | null {
  const { renderer, view, x, y } = press;
  const picked = press.button === 0 ? renderer.picker.key(view, x, y) : null;
  if (picked?.kind !== "key") return null;
  const click = selectKey(picked.actor, picked.key, press.isShift);
  const from = renderer.handles.key(picked.actor, picked.key);
  const grabbed = from && view.onPlane(x, y, from);
  let move: KeyMove | null = null;
  return {
    move(nextX, nextY) {
      const to = from && view.onPlane(nextX, nextY, from);
      if (!to || !grabbed) return;
      move ??= new KeyMove(renderer, digitsFor(view.metresPerPixel(from)));
      move.by(to.sub(grabbed));
    },
    end(isClick) {
      if (isClick) click();
      move?.end();
    },
    cancel() {
      move?.cancel();
    },
  };
}

/** Selected keys on their way; also what the arrows of the gizmo do. */
export class KeyMove {
  private drag: Drag;
  private actor: string;
  private from: Map<number, Vector3>;
  private at: { time?: number };

  /** `digits`: to which the places are rounded. */
  constructor(
    renderer: StageRenderer,
    private digits: number,
  ) {
    const { keyOwner: actor, keys } = selection;
    this.actor = actor ?? "";
    this.from = positionsOf(renderer.handles, this.actor, keys);
    this.at = relativeKeyTime(doc.keyedActor(actor), playback.poses.time);
    this.drag = new Drag(renderer, "move keys");
  }

  by(change: Vector3): void {
    const { actor, from, digits } = this;
    if (!from.size) return;
    this.drag.send(
      { do: "move_keys", actor, keys: [...from.keys()], by: change.toArray(), digits, ...this.at },
      { kind: "move", actor, from, by: change },
    );
  }

  end(): void {
    void this.drag.end();
  }

  cancel(): void {
    void this.drag.cancel();
  }
}

function positionsOf(handles: Handles, actor: string, keys: number[]): Map<number, Vector3> {
  return new Map(
    keys.flatMap((key) => {
      const position = handles.key(actor, key);
      return position ? [[key, position] as const] : [];
    }),
  );
}
