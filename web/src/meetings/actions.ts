// What can a person do to meetings, from a button as well as from the keyboard or the stage?
import { studio } from "../state/studio.svelte";
import { screen } from "../state/screen.svelte";

const FEWEST = 2; // it takes two to meet: until then the next goal is asked for
const quietly = (deed: Promise<unknown>): void => void deed.catch(() => undefined); // `send` has shown why

/** A meeting at the selected key, or where the selected actor ends; without any, at the next key that is clicked. */
export function addMeeting(): void {
  const { actor, keys } = studio.selection;
  const count = studio.chosen?.keys.length ?? 0;
  screen.lower = "meetings";
  if (actor !== null && studio.link === null && count) quietly(begin(actor, keys[0] ?? count - 1));
  else studio.meetings.picking = { meeting: null };
}

/** A key was clicked for a goal: it is one of the meeting, or a new meeting begins there. */
export function goalPicked(actor: string, key: number): void {
  const { picking } = studio.meetings;
  if (!picking) return;
  if (picking.meeting === null) quietly(begin(actor, key));
  else quietly(join(picking.meeting, actor, key));
}

/** Let the next key that is clicked be a goal of this meeting, or end that. */
export function togglePicking(meeting: string): void {
  studio.meetings.picking = studio.meetings.picking ? null : { meeting };
}

function freeName(taken: string[]): string {
  let number = taken.length + 1;
  while (taken.includes(`meeting ${number}`)) number += 1;
  return `meeting ${number}`;
}

async function begin(actor: string, key: number): Promise<void> {
  const name = freeName(studio.scene?.meetings.map((one) => one.name) ?? []);
  await studio.send({ do: "add_meeting", goals: { [actor]: { key } }, name });
  studio.selectMeeting(name);
  studio.meetings.picking = { meeting: name };
}

async function join(meeting: string, actor: string, key: number): Promise<void> {
  await studio.send({ do: "set_goal", meeting, actor, goal: { key } });
  const goals = studio.meeting(meeting)?.goals.map((one) => one.actor) ?? [];
  if (new Set([...goals, actor]).size >= FEWEST) studio.meetings.picking = null;
}

export function renameMeeting(meeting: string, name: string): void {
  const isChosen = studio.meetings.chosen === meeting;
  quietly(studio.send({ do: "set_meeting", meeting, changes: { name } }).then(() => isChosen && studio.selectMeeting(name)));
}

/** The chosen arrow, or the chosen meeting. */
export function deleteChosen(): void {
  const { chosen, after } = studio.meetings;
  if (chosen === null) return;
  if (after !== null) studio.say({ do: "disconnect_meetings", meeting: chosen, after });
  else studio.say({ do: "remove_meeting", meeting: chosen });
}
