// Where do meetings stand in their graph? Each to the right of all it comes after, with as few crossings as can be.
import dagre from "@dagrejs/dagre";

import type { MeetingView } from "../messages";

export const NODE_WIDTH = 158; // pixels
const TITLE_HEIGHT = 28;
const LINE_HEIGHT = 18;
const [RANK_GAP, NODE_GAP, MARGIN] = [40, 12, 12];
const MIN_ZOOM = 0.75; // times its size: smaller could not be read

export interface NodeBox {
  x: number;
  y: number;
  height: number;
}

export interface Layout {
  boxes: Map<string, NodeBox>;
  width: number;
  height: number;
}

export function layoutGraph(meetings: MeetingView[]): Layout {
  const graph = new dagre.graphlib.Graph();
  graph.setGraph({ rankdir: "LR", ranksep: RANK_GAP, nodesep: NODE_GAP });
  graph.setDefaultEdgeLabel(() => ({}));
  const known = new Set(meetings.map(({ name }) => name));
  for (const { name, goals } of meetings)
    graph.setNode(name, { width: NODE_WIDTH, height: TITLE_HEIGHT + LINE_HEIGHT * goals.length + 6 });
  for (const { name, after } of meetings) for (const one of after) if (known.has(one)) graph.setEdge(one, name);
  if (meetings.length) dagre.layout(graph);
  const shifts = columnShifts(graph);
  const boxes = new Map<string, NodeBox>();
  for (const { name } of meetings) {
    const { x, y, width, height } = graph.node(name);
    boxes.set(name, { x: x - width / 2, y: y - height / 2 - (shifts.get(x) ?? 0), height });
  }
  const top = Math.min(...[...boxes.values()].map(({ y }) => y));
  for (const node of boxes.values()) node.y -= top;
  const height = Math.max(0, ...[...boxes.values()].map((node) => node.y + node.height));
  return { boxes, width: graph.graph().width ?? 0, height };
}

/** How far to shift each column, by its x, so that the longest chain goes straight on; else side meetings push it down. */
function columnShifts(graph: dagre.graphlib.Graph): Map<number, number> {
  const before = new Map<string, string | null>();
  const length = new Map<string, number>();
  const inOrder = graph.nodes().sort((one, two) => graph.node(one).x - graph.node(two).x);
  for (const name of inOrder) {
    const known = (graph.predecessors(name) ?? []).map(String).filter((one) => length.has(one));
    const longest = known.sort((one, two) => length.get(two)! - length.get(one)!)[0] ?? null;
    before.set(name, longest);
    length.set(name, longest === null ? 1 : length.get(longest)! + 1);
  }
  let name = inOrder.reduce<string | null>(
    (best, one) => (best === null || length.get(one)! > length.get(best)! ? one : best),
    null,
  );
  const shifts = new Map<number, number>();
  for (; name !== null; name = before.get(name) ?? null) shifts.set(graph.node(name).x, graph.node(name).y);
  return shifts;
}

export interface GraphViewport {
  x: number;
  y: number;
  zoom: number;
}

/** How it is shown in a panel of some size: whole and in its middle, or from its beginning as large as can be read. */
export function fitViewport({ width, height }: Layout, panelWidth: number, panelHeight: number): GraphViewport {
  const whole = Math.min((panelWidth - 2 * MARGIN) / width, (panelHeight - 2 * MARGIN) / height, 1);
  const zoom = Number.isFinite(whole) ? Math.max(MIN_ZOOM, whole) : 1;
  const offset = (size: number, panel: number) => Math.max(MARGIN, (panel - size * zoom) / 2);
  return { x: offset(width, panelWidth), y: offset(height, panelHeight), zoom };
}

/** The same at the same size, shifted only if some meetings are not in sight: then to where they are, with what is around. */
export function panTo(
  layout: Layout,
  names: string[],
  viewport: GraphViewport,
  panelWidth: number,
  panelHeight: number,
): GraphViewport {
  const { zoom } = viewport;
  const box = boundingBox(layout, names, panelWidth / zoom, panelHeight / zoom);
  if (!box || !panelWidth || !panelHeight) return viewport;
  const pan = (offset: number, low: number, high: number, size: number, panel: number) => {
    if (low * zoom + offset >= 0 && high * zoom + offset <= panel) return offset;
    const [first, last] = [MARGIN, panel - MARGIN - size * zoom]; // where its beginning, and where its end is in sight
    const middle = panel / 2 - ((low + high) / 2) * zoom;
    return last > first ? (first + last) / 2 : Math.min(first, Math.max(last, middle));
  };
  const x = pan(viewport.x, box.left, box.right, layout.width, panelWidth);
  const y = pan(viewport.y, box.top, box.bottom, layout.height, panelHeight);
  return x === viewport.x && y === viewport.y ? viewport : { x, y, zoom };
}

/** Whether one of some meetings can be seen. */
export function isVisible(
  { boxes }: Layout,
  names: string[],
  { x, y, zoom }: GraphViewport,
  panelWidth: number,
  panelHeight: number,
): boolean {
  return names.some((name) => {
    const node = boxes.get(name);
    if (!node) return false;
    const [left, top] = [node.x * zoom + x, node.y * zoom + y];
    return left < panelWidth && left + NODE_WIDTH * zoom > 0 && top < panelHeight && top + node.height * zoom > 0;
  });
}

interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** A box around meetings, from the last one back to as many as there is room for. */
function boundingBox({ boxes }: Layout, names: string[], width: number, height: number): Box | null {
  const found = names.flatMap((name) => boxes.get(name) ?? []).sort((one, two) => two.x - one.x || one.y - two.y);
  let box: Box | null = null;
  for (const node of found) {
    const larger = expandBox(box, node);
    if (!box || (larger.right - larger.left <= width && larger.bottom - larger.top <= height)) box = larger;
  }
  return box;
}

function expandBox(box: Box | null, { x, y, height }: NodeBox): Box {
  const [right, bottom] = [x + NODE_WIDTH, y + height];
  if (!box) return { left: x, right, top: y, bottom };
  return {
    left: Math.min(x, box.left),
    right: Math.max(right, box.right),
    top: Math.min(y, box.top),
    bottom: Math.max(bottom, box.bottom),
  };
}
