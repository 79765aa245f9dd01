// Which gesture does a press begin? The first of these that takes it. Escape calls it off.

import { onEscape } from "../../actions/escape";
import { selection } from "../../state/selection.svelte";
import { viewport } from "../../state/viewport.svelte";
import type { StageRenderer } from "../stage_renderer";
import type { View } from "../views/view";
import { boxSelect } from "./box_select";
import { dragPoint } from "./drag_point";
import { dragStart } from "./drag_start";
import { dragTangent } from "./drag_tangent";
import { canDrivePointer, drivePointer } from "./drive_pointer";
import type { Gesture, GestureStart, Press } from "./gesture";
import { insertKey } from "./insert_key";
import { link } from "./link";
import { moveField } from "./move_field";
import { moveKeys } from "./move_keys";
import { navigate, orbitBackground, wheel } from "./navigate";
import { pickGoal } from "./pick_goal";
import { pullGizmo } from "./pull_gizmo";
import { selectActor } from "./select";

const BACKGROUND: GestureStart[] = [boxSelect, orbitBackground];
const ALL: GestureStart[] = [
  pickGoal,
  insertKey,
  link,
  pullGizmo,
  dragTangent,
  navigate,
  dragStart,
  dragPoint,
  moveKeys,
  moveField,
  selectActor,
  ...BACKGROUND,
];
const CLICK_TOLERANCE = 3; // pixels a click may wander

export class Pointer {
  private active: { id: number; press: Press; gesture: Gesture; isClick: boolean; releaseEscape: () => void } | null =
    null;

  constructor(private renderer: StageRenderer) {
    const { canvas } = renderer;
    canvas.addEventListener("pointerdown", (event) => this.down(event));
    canvas.addEventListener("pointermove", (event) => this.move(event));
    canvas.addEventListener("pointerup", (event) => this.up(event));
    canvas.addEventListener("pointerleave", () => this.active || this.setHovered(null));
    canvas.addEventListener("pointercancel", () => this.cancel());
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
    canvas.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
  }

  /** Call off what is under way. */
  private cancel(): void {
    if (!this.active) return;
    const { gesture, releaseEscape } = this.active;
    releaseEscape();
    this.active = null;
    gesture.cancel();
  }

  private down(event: PointerEvent): void {
    if (this.active) return;
    const { canvas } = this.renderer;
    const { x, y } = this.canvasPoint(event);
    const view = this.renderer.viewAt(x, y);
    if (!view) return;
    canvas.focus({ preventScroll: true });
    event.preventDefault();
    this.renderer.placeCameras();
    const press: Press = {
      renderer: this.renderer,
      view,
      x,
      y,
      button: event.button,
      isShift: event.shiftKey,
      isAlt: event.altKey,
      background: () => first(BACKGROUND, press),
    };
    const gesture = first(ALL, press);
    if (!gesture) return;
    canvas.setPointerCapture(event.pointerId);
    this.active = { id: event.pointerId, press, gesture, isClick: true, releaseEscape: onEscape(() => this.cancel()) };
  }

  private move(event: PointerEvent): void {
    const { x, y } = this.canvasPoint(event);
    const { active } = this;
    if (!active) return this.hover(x, y);
    if (event.pointerId !== active.id) return;
    if (active.isClick && Math.hypot(x - active.press.x, y - active.press.y) <= CLICK_TOLERANCE) return;
    active.isClick = false;
    active.gesture.move(x, y, event.altKey);
  }

  private up(event: PointerEvent): void {
    const { active } = this;
    if (!active || event.pointerId !== active.id || event.button !== active.press.button) return;
    this.active = null;
    active.releaseEscape();
    active.gesture.end(active.isClick);
    this.renderer.requestDraw("ghosts");
  }

  private wheel(event: WheelEvent): void {
    event.preventDefault();
    const { x, y } = this.canvasPoint(event);
    const view = this.renderer.viewAt(x, y);
    if (view) wheel(this.renderer, view, x, y, event);
  }

  /** The cursor tells what a press would do; in a live run the mouse may lead somebody. */
  private hover(x: number, y: number): void {
    const { renderer } = this;
    const view = renderer.viewAt(x, y);
    this.setHovered(view && (renderer.fields.pick(view, x, y)?.field ?? null));
    if (!view) return;
    if (canDrivePointer()) drivePointer(renderer, view, x, y);
    renderer.canvas.style.cursor = this.cursor(view, x, y);
  }

  private cursor(view: View, x: number, y: number): string {
    const { gizmo, picker, startHandles, fields } = this.renderer;
    const { keyOwner } = selection;
    const { tool } = viewport;
    if (selection.goalPicking) return picker.key(view, x, y) ? "pointer" : "crosshair";
    if (tool === "insert") return "copy";
    if (tool === "link") return picker.actor(view, x, y) ? "alias" : "";
    const canGrasp =
      gizmo.pick(view, x, y) !== null ||
      picker.tangent(view, x, y) !== null ||
      startHandles.pick(view, x, y) !== null ||
      picker.point(view, x, y) !== null ||
      picker.keyOf(keyOwner === null ? [] : [keyOwner], view, x, y) !== null ||
      fields.pick(view, x, y) !== null;
    return canGrasp ? "grab" : canDrivePointer() ? "crosshair" : "";
  }

  /** The handle under the mouse is lit. */
  private setHovered(field: string | null): void {
    const { fieldMarks } = this.renderer;
    if (fieldMarks.hovered === field) return;
    fieldMarks.hovered = field;
    this.renderer.requestDraw("fields");
  }

  private canvasPoint(event: MouseEvent): { x: number; y: number } {
    const { left, top } = this.renderer.canvas.getBoundingClientRect();
    return { x: event.clientX - left, y: event.clientY - top };
  }
}

function first(starters: GestureStart[], press: Press): Gesture | null {
  for (const begin of starters) {
    const gesture = begin(press);
    if (gesture) return gesture;
  }
  return null;
}
