// Where are the keys and their tangents? Where the studio says; those under the pointer, where the pointer says, at
// once. A tangent's handle stands a third of dP/du from its key, as Bézier's does.

import { Quaternion, Vector3 } from "three";

import { doc, type CurveData } from "../state/document.svelte";
import { playback } from "../state/playback.svelte";

export type TangentSide = "arrive" | "leave";
const REACH = 1 / 3;

/** What a drag shows before the studio has answered. */
export type Echo =
  | { kind: "move"; actor: string; from: Map<number, Vector3>; by: Vector3 }
  | { kind: "turn"; actor: string; from: Map<number, Quaternion>; by: Quaternion }
  | { kind: "tangent"; actor: string; key: number; sides: TangentSide[]; to: Vector3 }
  | { kind: "point"; actor: string; key: number; point: number; to: Vector3 }
  | { kind: "start"; actor: string; to: Vector3 }
  | { kind: "velocity"; actor: string; to: Vector3 }
  | { kind: "field"; field: string; to: Vector3; aside: number }
  | { kind: "field turn"; field: string; to: Quaternion }
  | { kind: "field stretch"; field: string; by: Vector3 };

/** Where the studio says that fields are. */
export interface FieldPoseSource {
  position(name: string): Vector3 | null;
  orientation(name: string): Quaternion | null;
}

export class Handles {
  echo: Echo | null = null;

  constructor(private fieldPoses: FieldPoseSource) {}

  count(actor: string): number {
    return doc.curves.get(actor)?.shapes["keys"]?.[0] ?? 0;
  }

  key(actor: string, key: number): Vector3 | null {
    const echo = this.echo;
    if (echo?.kind === "move" && echo.actor === actor) {
      const from = echo.from.get(key);
      if (from) return from.clone().add(echo.by);
    }
    return vectorAt(doc.curves.get(actor), "keys", key);
  }

  /** How many points the drawing of a key has; none if it is no drawing. */
  points(actor: string): number {
    return doc.curves.get(actor)?.shapes["drawings"]?.[1] ?? 0;
  }

  /** Where a point of a key's drawing is. */
  point(actor: string, key: number, point: number): Vector3 | null {
    const echo = this.echo;
    if (echo?.kind === "point" && echo.actor === actor && echo.key === key && echo.point === point)
      return echo.to.clone();
    return vectorAt(doc.curves.get(actor), "drawings", key * this.points(actor) + point);
  }

  /** Whether the studio says by now what the pointer said. */
  get isEchoConfirmed(): boolean {
    const echo = this.echo;
    if (!echo || echo.kind === "field stretch") return true;
    const near = (reported: Vector3 | null, shown: Vector3) =>
      reported !== null && reported.distanceTo(shown) <= 1e-4 * (1 + shown.length());
    if (echo.kind === "field") return near(this.fieldPoses.position(echo.field), echo.to);
    if (echo.kind === "field turn")
      return Math.abs(this.fieldPoses.orientation(echo.field)?.dot(echo.to) ?? 0) > 1 - 1e-6;
    if (echo.kind === "start" || echo.kind === "velocity")
      return near(this.startVector(echo.actor, echo.kind), echo.to);
    const curve = doc.curves.get(echo.actor);
    if (echo.kind === "move")
      return [...echo.from].every(([key, from]) => near(vectorAt(curve, "keys", key), from.clone().add(echo.by)));
    if (echo.kind === "point")
      return near(vectorAt(curve, "drawings", echo.key * this.points(echo.actor) + echo.point), echo.to);
    if (echo.kind === "tangent") return echo.sides.every((side) => near(vectorAt(curve, side, echo.key), echo.to));
    return [...echo.from].every(([key, from]) => {
      const reported = orientationAt(curve, key);
      return reported !== null && Math.abs(reported.dot(echo.by.clone().multiply(from))) > 1 - 1e-6;
    });
  }

  /** What the studio tells anew once it has answered a drag. */
  get answer(): unknown {
    const echo = this.echo;
    if (!echo) return null;
    if ("field" in echo) return playback.poses;
    if (echo.kind === "start" || echo.kind === "velocity") return this.startSource(echo.actor);
    return doc.curves.get(echo.actor);
  }

  /** What says where somebody begins who has no path. */
  private startSource(actor: string) {
    const view = doc.actor(actor);
    return view?.spline ?? view?.start;
  }

  /** Where who is steered by fields begins, or a free or still body [m], or how fast [m/s]. */
  startHandlePosition(actor: string, part: "start" | "velocity"): Vector3 | null {
    const echo = this.echo;
    if (echo?.kind === part && echo.actor === actor) return echo.to.clone();
    return this.startVector(actor, part);
  }

  private startVector(actor: string, part: "start" | "velocity"): Vector3 | null {
    const startVector = this.startSource(actor);
    const three = part === "start" ? startVector?.position : startVector?.velocity;
    return three ? new Vector3().fromArray(three) : null;
  }

  orientation(actor: string, key: number): Quaternion | null {
    const echo = this.echo;
    const from = echo?.kind === "turn" && echo.actor === actor ? echo.from.get(key) : undefined;
    if (echo?.kind === "turn" && from) return echo.by.clone().multiply(from);
    return orientationAt(doc.curves.get(actor), key);
  }

  /** dP/du on one side of a key; none where the path does not go on. */
  tangent(actor: string, key: number, side: TangentSide): Vector3 | null {
    const echo = this.echo;
    const last = this.count(actor) - 1;
    const isClosed = doc.keyedActor(actor)?.closed ?? false;
    if (!isClosed && ((side === "arrive" && key === 0) || (side === "leave" && key === last))) return null;
    if (echo?.kind === "tangent" && echo.actor === actor && echo.key === key && echo.sides.includes(side))
      return echo.to.clone();
    return vectorAt(doc.curves.get(actor), side, key);
  }

  /** Where a tangent is grasped. */
  grip(actor: string, key: number, side: TangentSide): Vector3 | null {
    const [position, tangent] = [this.key(actor, key), this.tangent(actor, key, side)];
    if (!position || !tangent || tangent.lengthSq() === 0) return null;
    return position.addScaledVector(tangent, side === "leave" ? REACH : -REACH);
  }

  /** The tangent whose handle is at a place. */
  static tangentTo(grip: Vector3, key: Vector3, side: TangentSide): Vector3 {
    return grip
      .clone()
      .sub(key)
      .multiplyScalar(side === "leave" ? 1 / REACH : -1 / REACH);
  }
}

function vectorAt(curve: CurveData | undefined, name: string, i: number): Vector3 | null {
  const array = curve?.arrays[name];
  if (!array || array.length < 3 * (i + 1)) return null;
  const position = new Vector3().fromArray(array, 3 * i);
  return Number.isFinite(position.x + position.y + position.z) ? position : null;
}

function orientationAt(curve: CurveData | undefined, i: number): Quaternion | null {
  const turns = curve?.arrays["key_orientations"];
  if (!turns || turns.length < 4 * (i + 1)) return null;
  return new Quaternion(turns[4 * i + 1], turns[4 * i + 2], turns[4 * i + 3], turns[4 * i]);
}
