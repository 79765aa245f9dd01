// Which gesture does a press begin? The first of these that takes it. Escape calls it off.

import { held } from "../../actions/escape";
import type { Picture } from "../stage_renderer";
import type { View } from "../views/view";
import { boxSelect } from "./box_select";
import { dragPoint } from "./drag_point";
import { dragStart } from "./drag_start";
import { dragTangent } from "./drag_tangent";
import type { Beginning, Gesture, Press } from "./gesture";
import { insertKey } from "./insert_key";
import { canLead, leadPointer } from "./drive_pointer";
import { link } from "./link";
import { moveField } from "./move_field";
import { moveKeys } from "./move_keys";
import { navigate, orbitBeside, wheel } from "./navigate";
import { pickGoal } from "./pick_goal";
import { pullGizmo } from "./pull_gizmo";
import { selectActor } from "./select";

const BESIDE: Beginning[] = [boxSelect, orbitBeside];
const ALL: Beginning[] = [
  pickGoal, insertKey, link, pullGizmo, dragTangent, navigate, dragStart, dragPoint, moveKeys, moveField, selectActor, ...BESIDE,
]; // prettier-ignore
const STILL = 3; // pixels a click may wander

export class Pointer {
  private under: { id: number; press: Press; gesture: Gesture; isClick: boolean; letGo: () => void } | null = null;

  constructor(private picture: Picture) {
    const { canvas } = picture;
    canvas.addEventListener("pointerdown", (event) => this.down(event));
    canvas.addEventListener("pointermove", (event) => this.move(event));
    canvas.addEventListener("pointerup", (event) => this.up(event));
    canvas.addEventListener("pointerleave", () => this.under || this.glance(null));
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

  /** The cursor tells what a press would do; in a live run the mouse may lead somebody. */
  private hover(x: number, y: number): void {
    const { picture } = this;
    const view = picture.viewAt(x, y);
    this.glance(view && (picture.fields.pick(view, x, y)?.field ?? null));
    if (!view) return;
    if (canLead(picture)) leadPointer(picture, view, x, y);
    picture.canvas.style.cursor = this.cursor(view, x, y);
  }

  private cursor(view: View, x: number, y: number): string {
    const { gizmo, picker, starts, fields, studio } = this.picture;
    const { keyholder, tool } = studio;
    if (studio.meetings.picking) return picker.key(view, x, y) ? "pointer" : "crosshair";
    if (tool === "insert") return "copy";
    if (tool === "link") return picker.actor(view, x, y) ? "alias" : "";
    const canGrasp =
      gizmo.pick(view, x, y) !== null ||
      picker.tangent(view, x, y) !== null ||
      starts.pick(view, x, y) !== null ||
      picker.point(view, x, y) !== null ||
      picker.keyOf(keyholder === null ? [] : [keyholder], view, x, y) !== null ||
      fields.pick(view, x, y) !== null;
    return canGrasp ? "grab" : canLead(this.picture) ? "crosshair" : "";
  }

  /** The handle under the mouse is lit. */
  private glance(field: string | null): void {
    const { fieldMarks } = this.picture;
    if (fieldMarks.hovered === field) return;
    fieldMarks.hovered = field;
    this.picture.ask("fields");
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
