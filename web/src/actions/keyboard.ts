// Which keys do what? This list is the only one: the page listens to it, and the "?" sheet is made from it.
import { playback } from "../state/playback.svelte";
import { screen } from "../state/screen.svelte";
import { viewport, type Tool, type ViewName } from "../state/viewport.svelte";
import * as actions from "./actions";

export interface Shortcut {
  /** As it is written on the sheet; several ways are divided by a space. */
  keys: string;
  description: string;
  group: "Time" | "Keys" | "Document" | "Tools and views";
  act: () => unknown;
}

const view = (name: ViewName) => () => (viewport.maximised = viewport.maximised === name ? null : name);
const tool = (name: Tool) => () => (viewport.tool = viewport.tool === name ? "select" : name);

export const SHORTCUTS: Shortcut[] = [
  { keys: "Space", description: "Play, or pause", group: "Time", act: () => actions.playOrPause() },
  { keys: "ArrowRight", description: "One frame on", group: "Time", act: () => actions.stepFrames(1) },
  { keys: "ArrowLeft", description: "One frame back", group: "Time", act: () => actions.stepFrames(-1) },
  { keys: "Shift+ArrowRight", description: "Ten frames on", group: "Time", act: () => actions.stepFrames(10) },
  { keys: "Shift+ArrowLeft", description: "Ten frames back", group: "Time", act: () => actions.stepFrames(-10) },
  { keys: "Home", description: "To the first frame", group: "Time", act: () => actions.goTo(0) },
  { keys: "End", description: "To the last frame", group: "Time", act: () => actions.goTo(actions.duration()) },
  { keys: "J", description: "Play backwards; again: faster", group: "Time", act: () => actions.shuttle(-1) },
  { keys: "K", description: "Stop here", group: "Time", act: () => playback.pause() },
  { keys: "L", description: "Play forwards; again: faster", group: "Time", act: () => actions.shuttle(1) },

  {
    keys: "V",
    description: "Live: let it run and change what runs, or end that",
    group: "Time",
    act: actions.toggleLive,
  },

  { keys: "I", description: "Insert a key where the actor is now", group: "Keys", act: actions.insertKey },
  { keys: "ArrowDown", description: "Select the next key", group: "Keys", act: () => actions.stepKeys(1) },
  { keys: "ArrowUp", description: "Select the key before", group: "Keys", act: () => actions.stepKeys(-1) },
  { keys: "Ctrl+A", description: "Select all keys of the actor", group: "Keys", act: actions.selectAllKeys },
  { keys: "Ctrl+C", description: "Copy the selected keys", group: "Keys", act: actions.copyKeys },
  { keys: "Ctrl+V", description: "Paste them behind the selected key", group: "Keys", act: actions.pasteKeys },
  {
    keys: "Delete Backspace",
    description: "Delete the selected keys, speed value, field, meeting or arrow",
    group: "Keys",
    act: actions.deleteSelected,
  },
  { keys: "Escape", description: "Select nothing", group: "Keys", act: actions.deselect },

  { keys: "Ctrl+Z", description: "Undo", group: "Document", act: actions.undo },
  { keys: "Shift+Ctrl+Z Ctrl+Y", description: "Redo", group: "Document", act: actions.redo },
  { keys: "Ctrl+S", description: "Save", group: "Document", act: actions.save },
  {
    keys: "Shift+Ctrl+S",
    description: "Save under another name",
    group: "Document",
    act: () => (screen.dialog = "save"),
  },
  { keys: "Ctrl+O", description: "Open a scene", group: "Document", act: () => (screen.dialog = "open") },
  { keys: "Ctrl+E", description: "Export", group: "Document", act: () => (screen.dialog = "export") },
  { keys: "?", description: "This sheet", group: "Document", act: () => (screen.dialog = "help") },

  { keys: "G", description: "Move keys or a field by arrows", group: "Tools and views", act: tool("move") },
  { keys: "R", description: "Turn keys or a field by rings", group: "Tools and views", act: tool("turn") },
  { keys: "S", description: "Stretch a field along its axes", group: "Tools and views", act: tool("stretch") },
  { keys: "C", description: "Link who is steered to a field, by a drag", group: "Tools and views", act: tool("link") },
  { keys: "0", description: "Perspective alone, or all views", group: "Tools and views", act: view("perspective") },
  { keys: "1", description: "Front alone, or all views", group: "Tools and views", act: view("front") },
  { keys: "3", description: "Side alone, or all views", group: "Tools and views", act: view("side") },
  { keys: "7", description: "Top alone, or all views", group: "Tools and views", act: view("top") },
  {
    keys: "F",
    description: "Show the selection in full",
    group: "Tools and views",
    act: () => (viewport.framings += 1),
  },
];

/** What the mouse does on the stage. */
export const MOUSE = [
  { gesture: "Click", description: "Select a key, an actor or a field; with Shift: one more" },
  { gesture: "Drag a key", description: "Move the selected keys, in the plane of the view" },
  { gesture: "Drag a pink dot", description: "Shape the tangent by hand" },
  { gesture: "Drag a point", description: "Reshape the drawing of the selected key" },
  { gesture: "Drag a field", description: "Move it; with the link tool: from who is steered to it" },
  { gesture: "Drag a ring, a pink arrow", description: "Where who is steered begins, and how fast" },
  { gesture: "Drag beside", description: "Select by a box; in perspective: look around" },
  { gesture: "Right drag", description: "Shift the view" },
  { gesture: "Wheel", description: "Nearer, farther" },
  { gesture: "Esc while dragging", description: "As if nothing was dragged" },
];

const BY_KEYS = new Map(SHORTCUTS.flatMap((one) => one.keys.split(" ").map((keys) => [keys, one] as const)));
const NAMES: Record<string, string> = { ArrowRight: "→", ArrowLeft: "←", ArrowUp: "↑", ArrowDown: "↓", Escape: "Esc" };

/** The ways to press a shortcut, each as the names on its keys. */
export function keyCaps(keys: string): string[][] {
  return keys.split(" ").map((combination) => combination.split("+").map((key) => NAMES[key] ?? key));
}

/** What was pressed, as the list writes it. */
function shortcutOf(event: KeyboardEvent): string {
  const key = event.key === " " ? "Space" : event.key.length === 1 ? event.key.toUpperCase() : event.key;
  // A "?" needs Shift on most keyboards and none on others: it is the sign that counts.
  const shift = event.shiftKey && key !== "?" ? "Shift+" : "";
  return `${shift}${event.ctrlKey || event.metaKey ? "Ctrl+" : ""}${key}`;
}

const TEXT_KEYS = /^(Shift\+)?(.|Arrow.*|Home|End|Delete|Backspace|Escape|Space|Ctrl\+[ACVXYZ]|Shift\+Ctrl\+Z)$/;
const LIST_KEYS = /^(Shift\+)?(.|Arrow.*|Home|End|Escape|Space)$/;

/** Keys that a focused control needs for itself. */
function isUsedBy(target: EventTarget | null, keys: string): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.closest("textarea, input:not([type=range]):not([type=checkbox])")) return TEXT_KEYS.test(keys);
  if (target.closest("select")) return LIST_KEYS.test(keys);
  if (target.closest("input[type=range]")) return /Arrow|Home|End/.test(keys);
  // Whoever clicked a button and presses Space wants to play; whoever came by Tab wants to press it.
  return keys === "Space" && hasTabbed && target.closest("button, [role=button], [role=slider], input") !== null;
}

let hasTabbed = false;

export function resetTabFocus(): void {
  hasTabbed = false;
}

export function onKeyDown(event: KeyboardEvent): void {
  if (event.key === "Tab") hasTabbed = true;
  const keys = shortcutOf(event);
  const shortcut = BY_KEYS.get(keys);
  if (!shortcut || event.defaultPrevented || event.altKey || screen.hasDialog || isUsedBy(event.target, keys)) return;
  event.preventDefault();
  if (keys === "Space" && event.target instanceof HTMLButtonElement) event.target.blur(); // or letting go presses it
  if (
    (event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement) &&
    keys.includes("Ctrl")
  )
    event.target.blur(); // what was typed counts
  shortcut.act();
}
