// How is a field moved, turned, stretched? Press selects it; a drag of its handle moves it on the plane that faces the
// view, the gizmo does the rest. A field that is carried is moved as seen from its carrier when the drag began.

import { Quaternion, Vector3 } from "three";

import { digitsFor } from "../../math/precision";
import { playback } from "../../state/playback.svelte";
import { selection } from "../../state/selection.svelte";
import type { StageRenderer } from "../stage_renderer";
import { Drag } from "./drag";
import type { Gesture, Press } from "./gesture";

export function moveField(press: Press): Gesture | null {
  const { renderer, view, x, y } = press;
  const { fields } = renderer;
  const field = press.button === 0 ? fields.pick(view, x, y)?.field : undefined;
  const from = field === undefined ? null : fields.position(field);
  if (field === undefined || !from) return null;
  selection.selectField(field);
  // A handle may stand beside its place, which goes as far as the pointer does.
  const spot = view.spotOf(from);
  const [offX, offY] = [x - spot.x, y - spot.y];
  let move: FieldMove | null = null;
  return {
    move(nextX, nextY) {
      const to = view.onPlane(nextX - offX, nextY - offY, from);
      if (!to) return;
      move ??= new FieldMove(renderer, digitsFor(view.metresPerPixel(from)));
      move.by(to.sub(from));
    },
    end: () => move?.end(),
    cancel: () => move?.cancel(),
  };
}

/** The selected field under a hand. */
class FieldDrag {
  protected drag: Drag;
  protected field: string;
  protected time: number;

  constructor(renderer: StageRenderer, name: string) {
    this.drag = new Drag(renderer, name);
    this.field = selection.field ?? "";
    this.time = playback.time;
  }

  end(): void {
    void this.drag.end();
  }

  cancel(): void {
    void this.drag.cancel();
  }
}

export class FieldMove extends FieldDrag {
  private from: Vector3;
  private aside: number;

  /** `digits`: to which its place is rounded. */
  constructor(
    renderer: StageRenderer,
    private digits: number,
  ) {
    super(renderer, "move field");
    this.from = renderer.fields.position(this.field) ?? new Vector3();
    this.aside = renderer.fields.aside(this.field);
  }

  by(change: Vector3): void {
    const { field, time, digits, aside } = this;
    this.drag.send(
      { do: "move_field", field, by: change.toArray(), time, digits },
      { kind: "field", field, to: this.from.clone().add(change), aside },
    );
  }
}

export class FieldTurn extends FieldDrag {
  private from: Quaternion;

  constructor(renderer: StageRenderer) {
    super(renderer, "turn field");
    this.from = renderer.fields.orientation(this.field);
  }

  by(change: Quaternion): void {
    const { field, time } = this;
    this.drag.send(
      { do: "turn_field", field, by: [change.w, change.x, change.y, change.z], time },
      { kind: "field turn", field, to: change.clone().multiply(this.from) },
    );
  }
}

const FACTOR_DIGITS = 3;

export class FieldStretch extends FieldDrag {
  constructor(renderer: StageRenderer) {
    super(renderer, "stretch field");
  }

  by(factors: Vector3): void {
    const { field, time } = this;
    this.drag.send(
      { do: "stretch_field", field, by: factors.toArray(), time, digits: FACTOR_DIGITS },
      { kind: "field stretch", field, by: factors },
    );
  }
}
