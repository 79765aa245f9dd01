// How are keys or a field moved along an axis, turned about one, or a field stretched? By pulling an arrow, a ring or a
// bar of the gizmo.

import { Quaternion, Vector3 } from "three";

import { digitsFor } from "../../math/precision";
import { relativeKeyTime } from "../../scene/parts";
import { doc } from "../../state/document.svelte";
import { playback } from "../../state/playback.svelte";
import { selection } from "../../state/selection.svelte";
import { viewport } from "../../state/viewport.svelte";
import { along, type Axis, type Grip } from "../gizmo";
import type { StageRenderer } from "../stage_renderer";
import { Drag } from "./drag";
import type { Gesture, Press } from "./gesture";
import { FieldMove, FieldStretch, FieldTurn } from "./move_field";
import { KeyMove } from "./move_keys";

const EDGE_ON = 0.25; // a ring seen so flatly is pulled like a rope
const PER_TURN = 500; // pixels of rope for a full turn
const PER_DOUBLE = 80; // pixels to the right or up to make all of a field twice as large
const SMALLEST = 0.02; // of what it was, that a field is pushed to

export function pullGizmo(press: Press): Gesture | null {
  const { renderer, view, x, y } = press;
  if (press.button !== 0) return null;
  const grip = renderer.gizmo.pick(view, x, y);
  const position = renderer.gizmo.position;
  if (grip === null || !position) return null;
  if (grip === "middle" || viewport.tool === "stretch") return stretch(press, grip, position);
  return viewport.tool === "turn" ? rotate(press, grip, position) : translate(press, grip, position);
}

function translate({ renderer, view, x, y }: Press, axis: Axis, position: Vector3): Gesture {
  // How far the pointer goes along the arrow on screen says how far the keys go along it in the world.
  const unit = along(axis, 40 * view.metresPerPixel(position));
  const [from, to] = [view.spotOf(position), view.spotOf(position.clone().add(unit))];
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  let move: KeyMove | FieldMove | null = null;
  return {
    move(nextX, nextY) {
      const share = ((nextX - x) * dx + (nextY - y) * dy) / (dx * dx + dy * dy);
      move ??= new (isField() ? FieldMove : KeyMove)(renderer, digitsFor(view.metresPerPixel(position)));
      move.by(unit.clone().multiplyScalar(share));
    },
    end: () => move?.end(),
    cancel: () => move?.cancel(),
  };
}

function rotate({ renderer, view, x, y }: Press, axis: Axis, position: Vector3): Gesture {
  const middle = view.spotOf(position);
  const facing = along(axis, 1).dot(view.forward);
  const startAngle = Math.atan2(y - middle.y, x - middle.x);
  const isFlat = Math.abs(facing) < EDGE_ON;
  const around = along(axis, 1);
  const tangent = new Vector3().crossVectors(around, view.forward).normalize();
  const rope = view.spotOf(position.clone().addScaledVector(tangent, 40 * view.metresPerPixel(position)));
  const [ropeX, ropeY] = [(rope.x - middle.x) / 40, (rope.y - middle.y) / 40];
  let rotation: KeyTurn | FieldTurn | null = null;
  return {
    move(nextX, nextY) {
      const swept = Math.atan2(nextY - middle.y, nextX - middle.x) - startAngle;
      const pulled = -((nextX - x) * ropeX + (nextY - y) * ropeY) * ((2 * Math.PI) / PER_TURN);
      rotation ??= new (isField() ? FieldTurn : KeyTurn)(renderer);
      // Clockwise on screen is a positive turn about what points away from the eye.
      rotation.by(new Quaternion().setFromAxisAngle(around, isFlat ? pulled : swept * Math.sign(facing)));
    },
    end: () => rotation?.end(),
    cancel: () => rotation?.cancel(),
  };
}

/** The end of a bar follows the pointer; in the middle all three follow a way to the right or up. */
function stretch({ renderer, view, x, y }: Press, grip: Grip, position: Vector3): Gesture {
  const middle = view.spotOf(position);
  const direction =
    grip === "middle" ? null : renderer.gizmo.direction(grip).multiplyScalar(40 * view.metresPerPixel(position));
  const end = direction && view.spotOf(position.clone().add(direction));
  const [dx, dy] = end ? [end.x - middle.x, end.y - middle.y] : [0, 0];
  const along = (nextX: number, nextY: number) => (nextX - middle.x) * dx + (nextY - middle.y) * dy;
  let scaling: FieldStretch | null = null;
  return {
    move(nextX, nextY) {
      const grown = 2 ** ((nextX - x - (nextY - y)) / PER_DOUBLE);
      const factor = grip === "middle" ? grown : along(nextX, nextY) / along(x, y);
      const factors =
        grip === "middle"
          ? new Vector3(1, 1, 1).multiplyScalar(factor)
          : new Vector3(1, 1, 1).setComponent(grip, factor);
      scaling ??= new FieldStretch(renderer);
      scaling.by(factors.max(new Vector3(SMALLEST, SMALLEST, SMALLEST)));
    },
    end: () => scaling?.end(),
    cancel: () => scaling?.cancel(),
  };
}

function isField(): boolean {
  return selection.field !== null;
}

class KeyTurn {
  private drag: Drag;
  private actor: string;
  private from: Map<number, Quaternion>;
  private at: { time?: number };

  constructor(renderer: StageRenderer) {
    const { keyOwner: actor, keys } = selection;
    this.actor = actor ?? "";
    this.at = relativeKeyTime(doc.keyedActor(actor), playback.poses.time);
    this.drag = new Drag(renderer, "turn keys");
    this.from = new Map(keys.map((key) => [key, renderer.handles.orientation(this.actor, key) ?? new Quaternion()]));
  }

  by(direction: Quaternion): void {
    const { actor, from } = this;
    const by: [number, number, number, number] = [direction.w, direction.x, direction.y, direction.z];
    this.drag.send(
      { do: "turn_keys", actor, keys: [...from.keys()], by, ...this.at },
      { kind: "turn", actor, from, by: direction },
    );
  }

  end(): void {
    void this.drag.end();
  }

  cancel(): void {
    void this.drag.cancel();
  }
}
