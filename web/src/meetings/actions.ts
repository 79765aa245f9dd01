// What can a person do to meetings, from a button as well as from the keyboard or the stage?
import { screen } from "../state/screen.svelte";
import { studio } from "../state/studio.svelte";

const MIN_GOALS = 2; // it takes two to meet: until then the next goal is asked for
const ignoreRefusal = (action: Promise<unknown>): void => void action.catch(() => undefined); // `send` has shown why

/** A meeting at the selected key, or where the selected actor ends; without any, at the next key that is clicked. */
export function addMeeting(): void {
  const { actor, keys } = studio.selection;
  const count = studio.chosen?.keys.length ?? 0;
  screen.lowerPanel = "meetings";
  if (actor !== null && studio.link === null && count) ignoreRefusal(createMeeting(actor, keys[0] ?? count - 1));
  else studio.meetings.picking = { meeting: null };
}

/** A key was clicked for a goal: it is one of the meeting, or a new meeting begins there. */
export function addPickedGoal(actor: string, key: number): void {
  const { picking } = studio.meetings;
  if (!picking) return;
  if (picking.meeting === null) ignoreRefusal(createMeeting(actor, key));
  else ignoreRefusal(addGoal(picking.meeting, actor, key));
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

async function createMeeting(actor: string, key: number): Promise<void> {
  const name = freeName(studio.scene?.meetings.map((one) => one.name) ?? []);
  await studio.send({ do: "add_meeting", goals: { [actor]: { key } }, name });
  studio.selectMeeting(name);
  studio.meetings.picking = { meeting: name };
}

async function addGoal(meeting: string, actor: string, key: number): Promise<void> {
  await studio.send({ do: "set_goal", meeting, actor, goal: { key } });
  const goals = studio.meeting(meeting)?.goals.map((one) => one.actor) ?? [];
  if (new Set([...goals, actor]).size >= MIN_GOALS) studio.meetings.picking = null;
}

export function renameMeeting(meeting: string, name: string): void {
  const isChosen = studio.meetings.chosen === meeting;
  ignoreRefusal(
    studio.send({ do: "set_meeting", meeting, changes: { name } }).then(() => isChosen && studio.selectMeeting(name)),
  );
}

/** The chosen arrow, or the chosen meeting. */
export function deleteChosenMeeting(): void {
  const { chosen, after } = studio.meetings;
  if (chosen === null) return;
  if (after !== null) studio.dispatch({ do: "disconnect_meetings", meeting: chosen, after });
  else studio.dispatch({ do: "remove_meeting", meeting: chosen });
}
