// What is at the keys? A mark at each; for the selected actor also its faint shape with the way it faces, and at
// selected keys the handles of the tangents.

import { type Color, Group, type Quaternion, Vector3 } from "three";

import { goalKey } from "../../meetings/goal_keys";
import type { GoalView } from "../../messages";
import { doc } from "../../state/document.svelte";
import { selection } from "../../state/selection.svelte";
import type { Handles, TangentSide } from "../handles";
import { ACTIVE, AXES, SELECTED, GROUND, HANDLE } from "../primitives/colours";
import { DART, Darts } from "../primitives/darts";
import { DIAMOND, DISC, HOLLOW, Marks, RING } from "../primitives/marks";
import { Strokes } from "../primitives/strokes";
import type { View } from "../views/view";
import type { ActorMarkers } from "./actor_markers";

const DIRECTIONS = [new Vector3(1, 0, 0), new Vector3(0, 1, 0), new Vector3(0, 0, 1)];
const SIDES: TangentSide[] = ["arrive", "leave"];
const SHAPE = 0.85; // of a dart: how large a key's shape is
const FACING = 1.5; // of a dart: how long the way it faces is
const MAX_SHAPES = 200; // of a longer path only the selected keys have a shape

export class KeyMarkers {
  readonly object = new Group();
  private darts = new Darts(0.42);
  private drawings = new Strokes({ width: 1.4, opacity: 0.35, order: 2 });
  private axes = new Strokes({ width: 1.6, order: 3 });
  private tangents = new Strokes({ width: 1.6, isOnTop: true, order: 6 });
  private marks = new Marks(7, true);
  private facings: { position: Vector3; orientation: Quaternion; tints: Color[] }[] = [];

  constructor(
    private handles: Handles,
    private actorMarkers: ActorMarkers,
  ) {
    for (const part of this.parts) this.object.add(part.object);
  }

  private get parts() {
    return [this.darts, this.drawings, this.axes, this.tangents, this.marks];
  }

  update(): void {
    for (const part of this.parts) part.begin();
    this.facings = [];
    const { curves } = doc;
    const { keyOwner } = selection;
    for (const name of curves.keys()) if (name !== keyOwner) this.unselected(name);
    if (keyOwner !== null && curves.has(keyOwner)) this.drawSelected(keyOwner);
    for (const goal of doc.meeting(selection.meeting)?.goals ?? []) this.goal(goal);
    for (const part of this.parts) part.end();
  }

  /** Where somebody is to be in the selected meeting is ringed. */
  private goal(goal: GoalView): void {
    const key = goalKey(goal);
    const position = key < 0 ? null : this.handles.key(goal.actor, key);
    if (position) this.marks.add(position.x, position.y, position.z, ACTIVE, 23, RING);
  }

  private unselected(name: string): void {
    const colour = (this.actorMarkers.colours.get(name) ?? SELECTED).clone().lerp(GROUND, 0.3);
    for (let i = 0; i < this.handles.count(name); i++) {
      const position = this.handles.key(name, i);
      if (position) this.marks.add(position.x, position.y, position.z, colour, 9, HOLLOW);
    }
  }

  private drawSelected(name: string): void {
    const selected = new Set(selection.keys);
    const colour = this.actorMarkers.colours.get(name) ?? SELECTED;
    const count = this.handles.count(name);
    this.addDrawings(name, colour);
    if (selected.size === 1) this.addDrawingPoints(name, selection.keys[0]!);
    for (let i = 0; i < count; i++) {
      const position = this.handles.key(name, i);
      if (!position) continue;
      const isSelected = selected.has(i);
      if (isSelected || count <= MAX_SHAPES) this.shape(name, i, position, colour, isSelected);
      const { x, y, z } = position;
      this.marks.add(x, y, z, GROUND, isSelected ? 19 : 15, DIAMOND, 0.9);
      this.marks.add(x, y, z, isSelected ? ACTIVE : colour, isSelected ? 15 : 11, DIAMOND);
      if (isSelected) for (const side of SIDES) this.tangent(name, i, side, position);
    }
  }

  private shape(name: string, key: number, position: Vector3, colour: Color, isSelected: boolean): void {
    const orientation = this.handles.orientation(name, key);
    if (!orientation || doc.actor(name)?.points) return;
    this.darts.add({ position, orientation }, SHAPE * DART, colour);
    this.facings.push({
      position,
      orientation,
      tints: AXES.map((axis) => axis.clone().lerp(GROUND, isSelected ? 0 : 0.45)),
    });
  }

  /** The way a key faces is as long in every view. */
  prepare(view: View): void {
    this.axes.begin();
    for (const { position, orientation, tints } of this.facings) {
      const long = FACING * DART * view.metresPerPixel(position);
      DIRECTIONS.forEach((direction, k) => {
        const tip = direction.clone().applyQuaternion(orientation).multiplyScalar(long).add(position);
        this.axes.line(position.x, position.y, position.z, tip.x, tip.y, tip.z, tints[k]!);
      });
    }
    this.axes.end();
  }

  private addDrawings(name: string, colour: Color): void {
    const curve = doc.curves.get(name);
    const [drawings, shape] = [curve?.arrays["drawings"], curve?.shapes["drawings"]];
    if (!drawings || !shape) return;
    const [keys = 0, points = 0] = shape;
    for (let k = 0; k < keys; k++)
      for (let i = 0; i < points - 1; i++) {
        const at = 3 * (k * points + i);
        this.drawings.add(drawings, at, drawings, at + 3, colour);
      }
  }

  /** The points of the selected key's drawing, to be dragged. */
  private addDrawingPoints(name: string, key: number): void {
    for (let i = 0; i < this.handles.points(name); i++) {
      const position = this.handles.point(name, key, i);
      if (!position) continue;
      this.marks.add(position.x, position.y, position.z, GROUND, 11, DISC, 0.9);
      this.marks.add(position.x, position.y, position.z, ACTIVE, 8, DISC);
    }
  }

  private tangent(name: string, key: number, side: TangentSide, position: Vector3): void {
    const grip = this.handles.grip(name, key, side);
    if (!grip) return;
    this.tangents.line(position.x, position.y, position.z, grip.x, grip.y, grip.z, HANDLE);
    this.marks.add(grip.x, grip.y, grip.z, GROUND, 13, DISC, 0.9);
    this.marks.add(grip.x, grip.y, grip.z, HANDLE, 10, DISC);
  }
}
