// How is a key moved? Press selects it; a drag moves all selected keys on the plane that faces the view.

import { Vector3 } from "three";

import { shownAt } from "../../scene/parts";
import { digitsFor } from "../../math/rounding";
import type { Handles } from "../handles";
import type { Picture } from "../stage_renderer";
import { Drag } from "./drag";
import type { Gesture, Press } from "./gesture";
import { pressed } from "./select";

export function moveKeys(press: Press): Gesture | null {
  const { picture, view, x, y } = press;
  const picked = press.button === 0 ? picture.picker.key(view, x, y) : null;
  if (picked?.kind !== "key") return null;
  const click = pressed(picture.studio, picked.actor, picked.key, press.isShift);
  const from = picture.handles.key(picked.actor, picked.key);
  const grasped = from && view.onPlane(x, y, from);
  let move: KeyMove | null = null;
  return {
    move(nextX, nextY) {
      const to = from && view.onPlane(nextX, nextY, from);
      if (!to || !grasped) return;
      move ??= new KeyMove(picture, digitsFor(view.metresPerPixel(from)));
      move.by(to.sub(grasped));
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
    picture: Picture,
    private digits: number,
  ) {
    const { keyholder: actor, selection: { keys } } = picture.studio;
    this.actor = actor ?? "";
    this.from = placesOf(picture.handles, this.actor, keys);
    this.at = shownAt(picture.studio.keyed(actor), picture.studio.poses.time);
    this.drag = new Drag(picture, "move keys");
  }

  by(way: Vector3): void {
    const { actor, from, digits } = this;
    if (!from.size) return;
    this.drag.say(
      { do: "move_keys", actor, keys: [...from.keys()], by: way.toArray(), digits, ...this.at },
      { kind: "move", actor, from, by: way },
    );
  }

  end(): void {
    void this.drag.end();
  }

  cancel(): void {
    void this.drag.cancel();
  }
}

function placesOf(handles: Handles, actor: string, keys: number[]): Map<number, Vector3> {
  return new Map(
    keys.flatMap((key) => {
      const place = handles.key(actor, key);
      return place ? [[key, place] as const] : [];
    }),
  );
}
