// How are keys or a field moved along an axis, turned about one, or a field stretched? By pulling an arrow, a ring or a
// bar of the gizmo.

import { Quaternion, Vector3 } from "three";

import { shownAt } from "../../scene/parts";
import { digitsFor } from "../../math/rounding";
import { along, type Axis, type Grip } from "../gizmo";
import type { Picture } from "../stage_renderer";
import { Drag } from "./drag";
import type { Gesture, Press } from "./gesture";
import { FieldMove, FieldStretch, FieldTurn } from "./move_field";
import { KeyMove } from "./move_keys";

const EDGE_ON = 0.25; // a ring seen so flatly is pulled like a rope
const PER_TURN = 500; // pixels of rope for a full turn
const PER_DOUBLE = 80; // pixels to the right or up to make all of a field twice as large
const SMALLEST = 0.02; // of what it was, that a field is pushed to

export function pullGizmo(press: Press): Gesture | null {
  const { picture, view, x, y } = press;
  if (press.button !== 0) return null;
  const grip = picture.gizmo.pick(view, x, y);
  const place = picture.gizmo.place;
  if (grip === null || !place) return null;
  if (grip === "middle" || picture.studio.tool === "stretch") return stretch(press, grip, place);
  return picture.studio.tool === "turn" ? turn(press, grip, place) : shift(press, grip, place);
}

function shift({ picture, view, x, y }: Press, axis: Axis, place: Vector3): Gesture {
  // How far the pointer goes along the arrow on screen says how far the keys go along it in the world.
  const unit = along(axis, 40 * view.metresPerPixel(place));
  const [from, to] = [view.spotOf(place), view.spotOf(place.clone().add(unit))];
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  let move: KeyMove | FieldMove | null = null;
  return {
    move(nextX, nextY) {
      const share = ((nextX - x) * dx + (nextY - y) * dy) / (dx * dx + dy * dy);
      move ??= new (isField(picture) ? FieldMove : KeyMove)(picture, digitsFor(view.metresPerPixel(place)));
      move.by(unit.clone().multiplyScalar(share));
    },
    end: () => move?.end(),
    cancel: () => move?.cancel(),
  };
}

function turn({ picture, view, x, y }: Press, axis: Axis, place: Vector3): Gesture {
  const middle = view.spotOf(place);
  const facing = along(axis, 1).dot(view.forward);
  const begun = Math.atan2(y - middle.y, x - middle.x);
  const isFlat = Math.abs(facing) < EDGE_ON;
  const around = along(axis, 1);
  const tangent = new Vector3().crossVectors(around, view.forward).normalize();
  const rope = view.spotOf(place.clone().addScaledVector(tangent, 40 * view.metresPerPixel(place)));
  const [ropeX, ropeY] = [(rope.x - middle.x) / 40, (rope.y - middle.y) / 40];
  let turned: KeyTurn | FieldTurn | null = null;
  return {
    move(nextX, nextY) {
      const swept = Math.atan2(nextY - middle.y, nextX - middle.x) - begun;
      const pulled = -((nextX - x) * ropeX + (nextY - y) * ropeY) * ((2 * Math.PI) / PER_TURN);
      turned ??= new (isField(picture) ? FieldTurn : KeyTurn)(picture);
      // Clockwise on screen is a positive turn about what points away from the eye.
      turned.by(new Quaternion().setFromAxisAngle(around, isFlat ? pulled : swept * Math.sign(facing)));
    },
    end: () => turned?.end(),
    cancel: () => turned?.cancel(),
  };
}

/** The end of a bar follows the pointer; in the middle all three follow a way to the right or up. */
function stretch({ picture, view, x, y }: Press, grip: Grip, place: Vector3): Gesture {
  const middle = view.spotOf(place);
  const way = grip === "middle" ? null : picture.gizmo.way(grip).multiplyScalar(40 * view.metresPerPixel(place));
  const end = way && view.spotOf(place.clone().add(way));
  const [dx, dy] = end ? [end.x - middle.x, end.y - middle.y] : [0, 0];
  const along = (nextX: number, nextY: number) => (nextX - middle.x) * dx + (nextY - middle.y) * dy;
  let stretched: FieldStretch | null = null;
  return {
    move(nextX, nextY) {
      const grown = 2 ** ((nextX - x - (nextY - y)) / PER_DOUBLE);
      const factor = grip === "middle" ? grown : along(nextX, nextY) / along(x, y);
      const factors = grip === "middle" ? new Vector3(1, 1, 1).multiplyScalar(factor) : new Vector3(1, 1, 1).setComponent(grip, factor);
      stretched ??= new FieldStretch(picture);
      stretched.by(factors.max(new Vector3(SMALLEST, SMALLEST, SMALLEST)));
    },
    end: () => stretched?.end(),
    cancel: () => stretched?.cancel(),
  };
}

function isField({ studio }: Picture): boolean {
  return studio.selection.field !== null;
}

class KeyTurn {
  private drag: Drag;
  private actor: string;
  private from: Map<number, Quaternion>;
  private at: { time?: number };

  constructor(picture: Picture) {
    const { keyholder: actor, selection: { keys } } = picture.studio;
    this.actor = actor ?? "";
    this.at = shownAt(picture.studio.keyed(actor), picture.studio.poses.time);
    this.drag = new Drag(picture, "turn keys");
    this.from = new Map(keys.map((key) => [key, picture.handles.turn(this.actor, key) ?? new Quaternion()]));
  }

  by(way: Quaternion): void {
    const { actor, from } = this;
    const by: [number, number, number, number] = [way.w, way.x, way.y, way.z];
    this.drag.say(
      { do: "turn_keys", actor, keys: [...from.keys()], by, ...this.at },
      { kind: "turn", actor, from, by: way },
    );
  }

  end(): void {
    void this.drag.end();
  }

  cancel(): void {
    void this.drag.cancel();
  }
}
