// Which way does everybody go, and how fast? A line along the way and a dot per frame, coloured by speed; the dots of
// the selected actor are larger and brighter. Beside a selected field all are fainter, so that its arrows are seen.

import { Color, Group } from "three";

import { REST_SPEED } from "../../math/precision";
import { ownerOf } from "../../scene/parts";
import { doc, type CurveData } from "../../state/document.svelte";
import { playback } from "../../state/playback.svelte";
import { selection } from "../../state/selection.svelte";
import { GROUND, speedColour } from "../primitives/colours";
import { DISC, Marks } from "../primitives/marks";
import { Strokes } from "../primitives/strokes";

/** The speeds [m/s] that are shown in the first and the last colour, and whose they are. */
export interface SpeedScale {
  slow: number;
  fast: number;
  of: string | null;
}

const FADED = 0.45; // how far trails of others sink into the ground
const LINE_FADED = 0.35; // and lines, so that dots stand out
const MAX_PIECES = 20_000; // of lines of others; beyond, they are drawn more coarsely
const MAX_DOTS = 20_000; // beyond, only the selected actor has dots

export class Trails {
  readonly object = new Group();
  private others = new Strokes({ width: 1.6, order: 1 });
  private selected = new Strokes({ width: 2, order: 2 });
  private otherDots = new Marks(1);
  private selectedDots = new Marks(3);
  scale: SpeedScale = { slow: 0, fast: 1, of: null };

  constructor() {
    this.object.add(this.others.object, this.otherDots.object, this.selected.object, this.selectedDots.object);
  }

  update(): void {
    const curves = this.shown();
    const selected = selection.actor === null ? undefined : curves.get(selection.link ?? selection.actor);
    this.scale = scaleOf(selected ? [selected] : [...curves.values()], selected?.actor ?? null);
    let [dots, pieces] = [0, 0];
    for (const { arrays } of curves.values()) {
      dots += (arrays["dots"]?.length ?? 0) / 3;
      pieces += (arrays["line"]?.length ?? 0) / 3;
    }
    const stride = Math.max(1, Math.ceil(pieces / MAX_PIECES));
    for (const part of [this.others, this.otherDots, this.selected, this.selectedDots]) part.begin();
    for (const curve of curves.values()) {
      // In a live run who moves has a wake instead: it may go elsewhere than what was shot.
      const actor = doc.actor(ownerOf(doc.scene, curve.actor));
      if (playback.isLive && actor?.kind === "mover") continue;
      if (actor?.start && !actor.start.velocity) continue; // it goes nowhere
      const isSelected = curve === selected;
      const faded = isSelected || !(selected || selection.field !== null) ? 0 : FADED;
      this.line(curve, isSelected ? this.selected : this.others, faded, isSelected ? 1 : stride);
      if (isSelected) this.dots(curve, this.selectedDots, 7, faded);
      else if (dots <= MAX_DOTS) this.dots(curve, this.otherDots, 4.5, faded);
    }
    for (const part of [this.others, this.otherDots, this.selected, this.selectedDots]) part.end();
  }

  /** Everybody's; of a figure's parts only what is led or selected leaves a trail. */
  private shown(): Map<string, CurveData> {
    const { scene, curves } = doc;
    const { link } = selection;
    const driven = new Set(scene?.connections.flatMap((one) => (one.kind === "reach" ? [one.link] : [])));
    const hidden = new Set(scene?.links.flatMap(({ name }) => (driven.has(name) || name === link ? [] : [name])));
    return new Map([...curves].filter(([name]) => !hidden.has(name)));
  }

  private line(curve: CurveData, strokes: Strokes, faded: number, stride: number): void {
    const { line, line_speed: speed } = curve.arrays;
    if (!line) return;
    const [begin, end] = [new Color(), new Color()];
    const fade = faded + (1 - faded) * LINE_FADED;
    this.tint(speed?.[0], fade, begin);
    const last = line.length / 3 - 1;
    for (let i = 0; i < last; i += stride) {
      const next = Math.min(i + stride, last);
      this.tint(speed?.[next], fade, end);
      strokes.add(line, 3 * i, line, 3 * next, begin, end);
      begin.copy(end);
    }
  }

  private dots(curve: CurveData, marks: Marks, size: number, faded: number): void {
    const { dots, dot_speed: speed } = curve.arrays;
    if (!dots) return;
    const colour = new Color();
    for (let i = 0; 3 * i < dots.length; i++) {
      this.tint(speed?.[i], faded, colour);
      marks.add(dots[3 * i]!, dots[3 * i + 1]!, dots[3 * i + 2]!, colour, size, DISC);
    }
  }

  private tint(speed: number | undefined, faded: number, colour: Color): void {
    const { slow, fast } = this.scale;
    speedColour(((speed ?? slow) - slow) / (fast - slow), colour).lerp(GROUND, faded);
  }
}

/** From the slowest to the fastest of some curves; wide enough that a steady speed has one colour. */
export function scaleOf(curves: CurveData[], of: string | null): SpeedScale {
  let [slow, fast] = [Infinity, -Infinity];
  for (const curve of curves)
    for (const speed of curve.arrays["dot_speed"] ?? []) {
      if (speed < slow) slow = speed;
      if (speed > fast) fast = speed;
    }
  if (!(slow <= fast) || fast < REST_SPEED) return { slow: 0, fast: 1, of };
  const short = Math.max(0, 0.1 * fast - (fast - slow)) / 2;
  return { slow: Math.max(0, slow - short), fast: fast + short, of };
}
