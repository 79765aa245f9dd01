// What is seen on this page, and what a person has chosen on it?
import type { Notice } from "../messages";

/** An actor's curve: its arrays by name, and their shapes. */
export interface CurveData {
  actor: string;
  revision: number;
  length: number;
  duration: number;
  arrays: Record<string, Float32Array>;
  shapes: Record<string, number[]>;
}

/** Where everybody is. */
export interface FramePoses {
  time: number;
  poses: Float32Array;
  points: Float32Array;
  fields: Float32Array;
  targets: Float32Array;
}

/** One actor and some of its keys, or one field. */
export interface Selection {
  actor: string | null;
  keys: number[];
  field: string | null;
}

export type Tool = "select" | "move" | "turn" | "stretch" | "insert" | "link";
export type ViewName = "perspective" | "top" | "front" | "side";
export type Repeat = "once" | "cycle" | "ping-pong";
export type NoticeEntry = { kind: Notice["kind"]; text: string; id: number; title: string };
