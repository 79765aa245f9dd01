// Which gesture does a press begin? The first of these that takes it. Escape calls it off.

import { held } from "../../held";
import type { Picture } from "../picture";
import { boxSelect } from "./box_select";
import { dragPoint } from "./drag_point";
import { dragTangent } from "./drag_tangent";
import type { Beginning, Gesture, Press } from "./gesture";
import { insertKey } from "./insert_key";
import { moveKeys } from "./move_keys";
import { navigate, orbitBeside, wheel } from "./navigate";
import { pullGizmo } from "./pull_gizmo";
import { selectActor } from "./select";

const BESIDE: Beginning[] = [boxSelect, orbitBeside];
const ALL: Beginning[] = [insertKey, pullGizmo, dragTangent, navigate, dragPoint, moveKeys, selectActor, ...BESIDE];
const STILL = 3; // pixels a click may wander

export class Pointer {
  private under: { id: number; press: Press; gesture: Gesture; isClick: boolean; letGo: () => void } | null = null;

  constructor(private picture: Picture) {
    const { canvas } = picture;
    canvas.addEventListener("pointerdown", (event) => this.down(event));
    canvas.addEventListener("pointermove", (event) => this.move(event));
    canvas.addEventListener("pointerup", (event) => this.up(event));
    canvas.addEventListener("pointercancel", () => this.cancel());
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
    canvas.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
  }

  /** Call off what is under way. */
  private cancel(): void {
    if (!this.under) return;
    const { gesture, letGo } = this.under;
    letGo();
    this.under = null;
    gesture.cancel();
  }

  private down(event: PointerEvent): void {
    if (this.under) return;
    const { canvas } = this.picture;
    const { x, y } = this.at(event);
    const view = this.picture.viewAt(x, y);
    if (!view) return;
    canvas.focus({ preventScroll: true });
    event.preventDefault();
    this.picture.placeCameras();
    const press: Press = {
      picture: this.picture, view, x, y,
      button: event.button, isShift: event.shiftKey, isAlt: event.altKey,
      beside: () => first(BESIDE, press),
    }; // prettier-ignore
    const gesture = first(ALL, press);
    if (!gesture) return;
    canvas.setPointerCapture(event.pointerId);
    this.under = { id: event.pointerId, press, gesture, isClick: true, letGo: held(() => this.cancel()) };
  }

  private move(event: PointerEvent): void {
    const { x, y } = this.at(event);
    const { under } = this;
    if (!under) return this.hover(x, y);
    if (event.pointerId !== under.id) return;
    if (under.isClick && Math.hypot(x - under.press.x, y - under.press.y) <= STILL) return;
    under.isClick = false;
    under.gesture.move(x, y, event.altKey);
  }

  private up(event: PointerEvent): void {
    const { under } = this;
    if (!under || event.pointerId !== under.id || event.button !== under.press.button) return;
    this.under = null;
    under.letGo();
    under.gesture.end(under.isClick);
    this.picture.ask("ghosts");
  }

  private wheel(event: WheelEvent): void {
    event.preventDefault();
    const { x, y } = this.at(event);
    const view = this.picture.viewAt(x, y);
    if (view) wheel(this.picture, view, x, y, event);
  }

  /** The cursor tells what a press would do. */
  private hover(x: number, y: number): void {
    const { picture } = this;
    const view = picture.viewAt(x, y);
    const { selection, tool } = picture.studio;
    if (!view) return;
    const canGrasp =
      picture.gizmo.pick(view, x, y) !== null ||
      picture.picker.tangent(view, x, y) !== null ||
      picture.picker.point(view, x, y) !== null ||
      picture.picker.keyOf(selection.actor === null ? [] : [selection.actor], view, x, y) !== null;
    picture.canvas.style.cursor = tool === "insert" ? "copy" : canGrasp ? "grab" : "";
  }

  private at(event: MouseEvent): { x: number; y: number } {
    const { left, top } = this.picture.canvas.getBoundingClientRect();
    return { x: event.clientX - left, y: event.clientY - top };
  }
}

function first(beginnings: Beginning[], press: Press): Gesture | null {
  for (const begin of beginnings) {
    const gesture = begin(press);
    if (gesture) return gesture;
  }
  return null;
}
