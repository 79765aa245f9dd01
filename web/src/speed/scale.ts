// Where on the speed panel is a moment, a speed, a stripe?
import { REST_SPEED } from "../math/precision";
import type { ActorView } from "../messages";

export const MARGIN = { left: 54, right: 12, top: 52, bottom: 10 };
/** Where the seconds are written, between the stripes and the curve. */
export const RULER = 42;
/** So many samples: finer than pixels is not seen. */
export const MAX_SAMPLES = 2000;
const LABEL_GAP = 60; // pixels from a second to the next that is written

export interface Scale {
  width: number;
  height: number;
  top: number;
  x(share: number): number;
  y(value: number): number;
  shareAt(x: number): number;
  valueAt(y: number): number;
}

/** A scale on which the speed `top` is at the upper edge. */
export function scaleOf(width: number, height: number, top: number): Scale {
  const across = Math.max(1, width - MARGIN.left - MARGIN.right);
  const up = Math.max(1, height - MARGIN.top - MARGIN.bottom);
  return {
    width,
    height,
    top,
    x: (share) => MARGIN.left + share * across,
    y: (value) => MARGIN.top + (1 - value / top) * up,
    shareAt: (x) => Math.min(1, Math.max(0, (x - MARGIN.left) / across)),
    valueAt: (y) => Math.max(0, (1 - (y - MARGIN.top) / up) * top),
  };
}

/** The largest of these speeds, with room above it; on steps, so that small changes do not move the scale. */
export function topOf(values: Iterable<number>): number {
  let max = 0;
  for (const value of values) max = Math.max(max, value);
  if (!(max > 0)) return 1;
  const step = 10 ** Math.floor(Math.log10(max)) / 2;
  return Math.ceil((max * 1.1) / step) * step;
}

/** A round number that is not below a rough one: 1, 2, 5, 10 and so on. */
function niceStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough));
  return power * ([1, 2, 5, 10].find((round) => round * power >= rough) ?? 10);
}

/** Round moments within a span, so many as there is room for. */
export function secondsOf([begin, end]: [number, number], width: number): number[] {
  if (!(end > begin)) return [];
  const step = niceStep(((end - begin) * LABEL_GAP) / Math.max(LABEL_GAP, width));
  const first = Math.ceil(begin / step - 1e-9);
  return Array.from({ length: Math.floor(end / step + 1e-9) - first + 1 }, (_, i) => (first + i) * step);
}

/** Round speeds from nought on, some of them: 0, 1, 2, 3, or 0, 0.5, 1. */
export function ticksOf(top: number): number[] {
  const step = niceStep(top / 5);
  return Array.from({ length: Math.floor(top / step + 1e-9) + 1 }, (_, i) => i * step);
}

/** The speed that somebody had along a trail, as pairs of x and m/s, no finer than it can be drawn. */
export function measuredProfile(shares: Float32Array, speeds: Float32Array): Float32Array {
  const every = Math.max(1, Math.ceil(speeds.length / MAX_SAMPLES));
  const pairs: number[] = [];
  for (let i = 0; i < speeds.length; i += every) {
    const speed = speeds[i]!;
    if (Number.isFinite(speed)) pairs.push(shares[i]!, speed < REST_SPEED ? 0 : speed);
  }
  return new Float32Array(pairs);
}

/** The speed curve as an SVG path, from pairs of x and speed. */
export function curvePath(profile: Float32Array, scale: Scale): string {
  let path = "";
  for (let i = 0; i + 1 < profile.length; i += 2) {
    path += `${i ? "L" : "M"}${scale.x(profile[i]!).toFixed(1)} ${scale.y(profile[i + 1]!).toFixed(1)}`;
  }
  return path;
}

/** How far along its path an actor is at a moment, as a share of the length, by the stripes on both sides of it. */
export function shareAtTime(
  actor: ActorView,
  time: number,
  stripes: Float32Array,
  length: number,
  fps: number,
): number | null {
  if (!stripes.length || !(length > 0)) return null;
  const row = Math.min(stripes.length - 1, Math.max(0, (time - actor.span[0]) * fps));
  const before = Math.floor(row);
  const [from, to] = [stripes[before]!, stripes[before + 1] ?? stripes[before]!];
  return (from + (row - before) * (to - from)) / length;
}
