// What can a person do to meetings, from a button as well as from the keyboard or the stage?
import { connection } from "../connection/connection.svelte";
import { doc } from "../state/document.svelte";
import { screen } from "../state/screen.svelte";
import { selection } from "../state/selection.svelte";

const MIN_GOALS = 2; // it takes two to meet: until then the next goal is asked for
const ignoreRefusal = (action: Promise<unknown>): void => void action.catch(() => undefined); // `send` has shown why

/** A meeting at the selected key, or where the selected actor ends; without any, at the next key that is clicked. */
export function addMeeting(): void {
  const { actor, keys } = selection;
  const count = selection.actorView?.keys.length ?? 0;
  screen.lowerPanel = "meetings";
  if (actor !== null && selection.link === null && count) ignoreRefusal(createMeeting(actor, keys[0] ?? count - 1));
  else selection.goalPicking = { meeting: null };
}

/** A key was clicked for a goal: it is one of the meeting, or a new meeting begins there. */
export function addPickedGoal(actor: string, key: number): void {
  const { goalPicking } = selection;
  if (!goalPicking) return;
  if (goalPicking.meeting === null) ignoreRefusal(createMeeting(actor, key));
  else ignoreRefusal(addGoal(goalPicking.meeting, actor, key));
}

/** Let the next key that is clicked be a goal of this meeting, or end that. */
export function togglePicking(meeting: string): void {
  selection.goalPicking = selection.goalPicking ? null : { meeting };
}

function freeName(taken: string[]): string {
  let number = taken.length + 1;
  while (taken.includes(`meeting ${number}`)) number += 1;
  return `meeting ${number}`;
}

async function createMeeting(actor: string, key: number): Promise<void> {
  const name = freeName(doc.scene?.meetings.map((one) => one.name) ?? []);
  await connection.send({ do: "add_meeting", goals: { [actor]: { key } }, name });
  selection.selectMeeting(name);
  selection.goalPicking = { meeting: name };
}

async function addGoal(meeting: string, actor: string, key: number): Promise<void> {
  await connection.send({ do: "set_goal", meeting, actor, goal: { key } });
  const goals = doc.meeting(meeting)?.goals.map((one) => one.actor) ?? [];
  if (new Set([...goals, actor]).size >= MIN_GOALS) selection.goalPicking = null;
}

export function renameMeeting(meeting: string, name: string): void {
  const isSelected = selection.meeting === meeting;
  ignoreRefusal(
    connection
      .send({ do: "set_meeting", meeting, changes: { name } })
      .then(() => isSelected && selection.selectMeeting(name)),
  );
}

/** The selected arrow, or the selected meeting. */
export function deleteSelectedMeeting(): void {
  const { meeting, arrowFrom } = selection;
  if (meeting === null) return;
  if (arrowFrom !== null) connection.dispatch({ do: "disconnect_meetings", meeting, after: arrowFrom });
  else connection.dispatch({ do: "remove_meeting", meeting });
}
