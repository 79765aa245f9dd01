// What can a person do from a button as well as from the keyboard? Each deed is here once.
import { connection } from "../connection/connection.svelte";
import type { Command } from "../connection/message_socket";
import { deleteSelectedMeeting } from "../meetings/actions";
import type { ActorView, SenseView } from "../messages";
import { freeName, specOf, suggestedName } from "../scene/field_spec";
import { followsPath, relativeKeyTime } from "../scene/parts";
import { doc } from "../state/document.svelte";
import { fieldArrows } from "../state/field_arrows.svelte";
import { notices } from "../state/notices.svelte";
import { playback } from "../state/playback.svelte";
import { screen } from "../state/screen.svelte";
import { selection } from "../state/selection.svelte";

// ---- the document ---------------------------------------------------------------------------------------------------

/** Do something that leaves this document; ask first if it is not saved. */
async function leaveScene(message: Command): Promise<void> {
  const scene = doc.scene;
  if (scene && !scene.is_saved && scene.order.length) {
    const name = scene.file ?? "This scene";
    const text = `${name} has changes that are not saved. Save them, or go on without them.`;
    const answer = await screen.askToLeave("Leave without saving?", text, "Leave without saving", "Stay");
    if (answer === "save" && !scene.file) {
      screen.afterSave = () => ignoreRefusal(switchScene(message));
      screen.dialog = "save";
      return;
    }
    if (!answer) return;
    if (answer === "save") await connection.send({ do: "save" });
  }
  await switchScene(message);
}

async function switchScene(message: Command): Promise<void> {
  const { revision } = await connection.send(message);
  screen.dialog = null;
  selection.select(null);
  screen.openedRevision = revision;
}

const ignoreRefusal = (action: Promise<unknown>): void => void action.catch(() => undefined); // `send` has shown why

export const newScene = () => ignoreRefusal(leaveScene({ do: "new" }));
export const openFile = (file: string) => ignoreRefusal(leaveScene({ do: "open", file }));
export const openExample = (name: string) => ignoreRefusal(leaveScene({ do: "open_example", name }));
export const undo = () => doc.scene?.steps.undo && connection.dispatch({ do: "undo" });
export const redo = () => doc.scene?.steps.redo && connection.dispatch({ do: "redo" });

export function save(): void {
  if (!doc.scene?.file) screen.dialog = "save";
  else connection.dispatch({ do: "save" });
}

// ---- keys -----------------------------------------------------------------------------------------------------------

/** The selected keys, if any: of which actor and which. */
function selectedKeys(): { actor: ActorView; keys: number[] } | null {
  const actor = doc.keyedActor(selection.keyOwner);
  return actor && selection.keys.length ? { actor, keys: [...selection.keys] } : null;
}

export function copyKeys(): void {
  const selected = selectedKeys();
  if (!selected) return;
  screen.clipboard = selected.keys.map((key) => selected.actor.keys[key]?.spec ?? {});
  notices.add(
    "note",
    screen.clipboard.length === 1 ? "One key is copied." : `${screen.clipboard.length} keys are copied.`,
  );
}

export function pasteKeys(): void {
  const actor = doc.keyedActor(selection.keyOwner);
  if (!actor || !screen.clipboard.length) return;
  const after = Math.max(-1, ...(selection.keys.length ? selection.keys : [actor.keys.length - 1]));
  const keys = screen.clipboard;
  const pasted = keys.map((_, index) => after + 1 + index);
  ignoreRefusal(
    connection
      .send({ do: "paste_keys", actor: actor.name, after, keys })
      .then(() => selection.select(actor.name, pasted)),
  );
}

/** Pick no more goals, or select nothing. */
export function deselect(): void {
  if (selection.goalPicking) selection.goalPicking = null;
  else selection.select(selection.keyOwner);
}

/** The selected meeting or arrow, the selected keys; where there are none, the selected speed value or field. */
export function deleteSelected(): void {
  const { keys, field } = selection;
  if (selection.meeting !== null) deleteSelectedMeeting();
  else if (keys.length) deleteKeys();
  else if (field !== null) removeField(field);
  else deleteSpeedValue();
}

export function deleteSpeedValue(index = selection.speedValue): void {
  const actor = selection.actorView;
  if (!actor || index === null) return;
  selection.speedValue = null;
  connection.dispatch({ do: "delete_speed", actor: actor.name, index });
}

export function deleteKeys(): void {
  const selected = selectedKeys();
  if (!selected) return;
  ignoreRefusal(
    connection
      .send({ do: "delete_keys", actor: selected.actor.name, keys: selected.keys })
      .then(() => selection.select(selected.actor.name)),
  );
}

/** A key where the actor is now; the curve keeps its shape. */
export function insertKey(): void {
  const actor = doc.keyedActor(selection.keyOwner);
  const u = actor && currentParameter(actor);
  if (!actor || u === null || u === undefined) {
    notices.add("note", "Select an actor with a path, then a key is put where it is now.");
    return;
  }
  if (Math.abs(u - Math.round(u)) < 1e-3) {
    notices.add("note", `${actor.name} is at a key already. Go to a moment between two keys, then insert one.`);
    return;
  }
  const index = Math.floor(u) + 1;
  ignoreRefusal(
    connection
      .send({ do: "insert_key", actor: actor.name, u, ...relativeKeyTime(actor, playback.poses.time) })
      .then(() => selection.select(actor.name, [index])),
  );
}

/** Where on its path an actor is at the moment shown. */
function currentParameter(actor: ActorView): number | null {
  if (followsPath(actor)) return targetParameter(actor.name);
  const along = doc.curves.get(actor.name)?.arrays.line_u;
  if (!along?.length) return null;
  const [begin, end] = actor.span;
  const share = end > begin ? Math.min(1, Math.max(0, (playback.time - begin) / (end - begin))) : 0;
  const row = share * (along.length - 1);
  const before = Math.floor(row);
  const [u, next] = [along[before] ?? 0, along[before + 1] ?? along[before] ?? 0];
  return u + (row - before) * (next - u);
}

/** Where on its rough path the target of somebody is at the moment shown. */
function targetParameter(name: string): number | null {
  const { path, path_u: along } = doc.curves.get(name)?.arrays ?? {};
  const at = 3 * (doc.scene?.order.indexOf(name) ?? -1);
  const [x, y, z] = at < 0 ? [] : playback.poses.targets.slice(at, at + 3);
  if (!path || !along || x === undefined || y === undefined || z === undefined) return null;
  let [best, nearest] = [0, Infinity];
  for (let i = 0; i < along.length; i++) {
    const distance = Math.hypot(path[3 * i]! - x, path[3 * i + 1]! - y, path[3 * i + 2]! - z);
    if (distance < nearest) [best, nearest] = [along[i]!, distance];
  }
  return best;
}

export function selectAllKeys(): void {
  const actor = doc.keyedActor(selection.keyOwner);
  if (actor)
    selection.select(
      actor.name,
      actor.keys.map((_, i) => i),
    );
}

/** Go to the key before or behind the selected one. */
export function stepKeys(by: number): void {
  const actor = doc.keyedActor(selection.keyOwner);
  if (!actor?.keys.length) return;
  const keys = selection.keys;
  const from = keys.length ? (by > 0 ? keys[keys.length - 1]! : keys[0]!) : by > 0 ? -1 : actor.keys.length;
  selection.select(actor.name, [Math.min(actor.keys.length - 1, Math.max(0, from + by))]);
}

// ---- fields ---------------------------------------------------------------------------------------------------------

export const removeField = (field: string) => connection.dispatch({ do: "remove_field", field });

export function renameField(field: string, name: string): void {
  const isSelected = selection.field === field;
  const done = () => {
    fieldArrows.rename(field, name);
    if (isSelected) selection.selectField(name);
  };
  ignoreRefusal(connection.send({ do: "rename_field", field, name }).then(done));
}

export function addField(name: string, field: unknown): void {
  ignoreRefusal(connection.send({ do: "add_field", name, field }).then(() => selection.selectField(name)));
}

/** Put on the stage, under a name of its own, what an actor senses; it opens in the inspector. */
export function nameSense(actor: string, { spec, target }: SenseView): void {
  const isTracker =
    connection.welcome?.kinds.some(({ kind, is_tracker }) => is_tracker && kind === specOf(spec).kind) ?? false;
  const name = freeName(suggestedName(spec, target, isTracker), doc.scene?.fields.map((field) => field.name) ?? []);
  ignoreRefusal(
    connection.send({ do: "name_sensed", actor, field: spec, name }).then(() => selection.selectField(name)),
  );
}

// ---- time -----------------------------------------------------------------------------------------------------------

/** How far time goes: over the scene, or as far as a live run has come. */
export const duration = () => (playback.isLive ? playback.simulatedUntil : (doc.scene?.duration ?? 0));

/** Show a moment within the scene, or rewind a live run to it. */
export const goTo = (time: number) => playback.seek(Math.min(duration(), Math.max(0, time)));

export const stepFrames = (frames: number) => goTo((Math.round(playback.time * playback.fps) + frames) / playback.fps);

export function playOrPause(speed = 1): void {
  if (playback.isPlaying) playback.pause();
  else startPlayback(speed);
}

function startPlayback(speed: number): void {
  if (playback.isLive) return playback.play(1); // it goes on from where it is, and only forwards
  const isAtEnd = speed > 0 ? playback.time >= duration() - 1e-6 : playback.time <= 1e-6;
  if (isAtEnd) playback.time = speed > 0 ? 0 : duration();
  playback.play(speed);
}

const MAX_SPEED = 8;

/** J and L: play that way; again, twice as fast. */
export function shuttle(direction: 1 | -1): void {
  if (playback.isLive && direction < 0) return; // a run has no way back but to rewind it
  const isFaster = playback.isPlaying && Math.sign(playback.speed) === direction;
  startPlayback(isFaster ? direction * Math.min(MAX_SPEED, Math.abs(playback.speed) * 2) : direction);
}

/** Begin a live run, or show the scene again as it is said. */
export const toggleLive = () => playback.setLive(!playback.isLive);
