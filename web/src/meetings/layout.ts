// Where do meetings stand in their graph? Each to the right of all it comes after, with as few crossings as can be.
import dagre from "@dagrejs/dagre";

import type { MeetingView } from "../messages";

export const WIDTH = 158; // pixels
const TITLE = 28;
const LINE = 18;
const [FROM_RANK, FROM_NODE, AROUND] = [40, 12, 12];
const LEAST = 0.75; // times its size: smaller could not be read

export interface Place {
  x: number;
  y: number;
  height: number;
}

export interface Layout {
  places: Map<string, Place>;
  width: number;
  height: number;
}

export function laidOut(meetings: MeetingView[]): Layout {
  const graph = new dagre.graphlib.Graph();
  graph.setGraph({ rankdir: "LR", ranksep: FROM_RANK, nodesep: FROM_NODE });
  graph.setDefaultEdgeLabel(() => ({}));
  const known = new Set(meetings.map(({ name }) => name));
  for (const { name, goals } of meetings) graph.setNode(name, { width: WIDTH, height: TITLE + LINE * goals.length + 6 });
  for (const { name, after } of meetings) for (const one of after) if (known.has(one)) graph.setEdge(one, name);
  if (meetings.length) dagre.layout(graph);
  const aside = levels(graph);
  const places = new Map<string, Place>();
  for (const { name } of meetings) {
    const { x, y, width, height } = graph.node(name);
    places.set(name, { x: x - width / 2, y: y - height / 2 - (aside.get(x) ?? 0), height });
  }
  const top = Math.min(...[...places.values()].map(({ y }) => y));
  for (const place of places.values()) place.y -= top;
  const height = Math.max(0, ...[...places.values()].map((place) => place.y + place.height));
  return { places, width: graph.graph().width ?? 0, height };
}

/** How far to shift each column, by its x, so that the longest chain goes straight on; else side meetings push it down. */
function levels(graph: dagre.graphlib.Graph): Map<number, number> {
  const before = new Map<string, string | null>();
  const length = new Map<string, number>();
  const inOrder = graph.nodes().sort((one, two) => graph.node(one).x - graph.node(two).x);
  for (const name of inOrder) {
    const known = (graph.predecessors(name) ?? []).map(String).filter((one) => length.has(one));
    const longest = known.sort((one, two) => length.get(two)! - length.get(one)!)[0] ?? null;
    before.set(name, longest);
    length.set(name, longest === null ? 1 : length.get(longest)! + 1);
  }
  let name = inOrder.reduce<string | null>((best, one) => (best === null || length.get(one)! > length.get(best)! ? one : best), null);
  const aside = new Map<number, number>();
  for (; name !== null; name = before.get(name) ?? null) aside.set(graph.node(name).x, graph.node(name).y);
  return aside;
}

export interface Shown {
  x: number;
  y: number;
  zoom: number;
}

/** How it is shown in a panel of some size: whole and in its middle, or from its beginning as large as can be read. */
export function fitted({ width, height }: Layout, panelWidth: number, panelHeight: number): Shown {
  const whole = Math.min((panelWidth - 2 * AROUND) / width, (panelHeight - 2 * AROUND) / height, 1);
  const zoom = Number.isFinite(whole) ? Math.max(LEAST, whole) : 1;
  const from = (size: number, room: number) => Math.max(AROUND, (room - size * zoom) / 2);
  return { x: from(width, panelWidth), y: from(height, panelHeight), zoom };
}

/** The same at the same size, shifted only if some meetings are not in sight: then to where they are, with what is around. */
export function turnedTo(layout: Layout, names: string[], shown: Shown, panelWidth: number, panelHeight: number): Shown {
  const { zoom } = shown;
  const box = together(layout, names, panelWidth / zoom, panelHeight / zoom);
  if (!box || !panelWidth || !panelHeight) return shown;
  const along = (from: number, low: number, high: number, size: number, room: number) => {
    if (low * zoom + from >= 0 && high * zoom + from <= room) return from;
    const [first, last] = [AROUND, room - AROUND - size * zoom]; // where its beginning, and where its end is in sight
    const middle = room / 2 - ((low + high) / 2) * zoom;
    return last > first ? (first + last) / 2 : Math.min(first, Math.max(last, middle));
  };
  const x = along(shown.x, box.left, box.right, layout.width, panelWidth);
  const y = along(shown.y, box.top, box.bottom, layout.height, panelHeight);
  return x === shown.x && y === shown.y ? shown : { x, y, zoom };
}

/** Whether one of some meetings can be seen. */
export function inSight({ places }: Layout, names: string[], { x, y, zoom }: Shown, panelWidth: number, panelHeight: number): boolean {
  return names.some((name) => {
    const place = places.get(name);
    if (!place) return false;
    const [left, top] = [place.x * zoom + x, place.y * zoom + y];
    return left < panelWidth && left + WIDTH * zoom > 0 && top < panelHeight && top + place.height * zoom > 0;
  });
}

interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** A box around meetings, from the last one back to as many as there is room for. */
function together({ places }: Layout, names: string[], width: number, height: number): Box | null {
  const found = names.flatMap((name) => places.get(name) ?? []).sort((one, two) => two.x - one.x || one.y - two.y);
  let box: Box | null = null;
  for (const place of found) {
    const more = around(box, place);
    if (!box || (more.right - more.left <= width && more.bottom - more.top <= height)) box = more;
  }
  return box;
}

function around(box: Box | null, { x, y, height }: Place): Box {
  const [right, bottom] = [x + WIDTH, y + height];
  if (!box) return { left: x, right, top: y, bottom };
  return { left: Math.min(x, box.left), right: Math.max(right, box.right), top: Math.min(y, box.top), bottom: Math.max(bottom, box.bottom) };
}
