// What has become of a meeting by now? It waits, is active, and then done; or late, or it has failed. And who is there?
import type { MeetingEventView, GoalView } from "../messages";

export type State = "waiting" | "active" | "done" | "late" | "failed";

const TIME_TOLERANCE = 1e-6; // [s]: a moment is shown a little beside what was told of it

/** By the name of each meeting what was told of it, in order. */
export function eventsByMeeting(events: MeetingEventView[]): Map<string, MeetingEventView[]> {
  const found = new Map<string, MeetingEventView[]>();
  for (const event of events) {
    const list = found.get(event.meeting);
    if (list) list.push(event);
    else found.set(event.meeting, [event]);
  }
  return found;
}

/** How a meeting is at a moment [s], by what was told of it. */
export function stateAt(events: MeetingEventView[] | undefined, time: number): State {
  let state: State = "waiting";
  for (const event of events ?? []) {
    if (event.time > time + TIME_TOLERANCE) break;
    if (event.state !== "reached") state = event.state;
  }
  return state;
}

/** Who has come to a meeting by a moment [s]. */
export function arrivedAt(events: MeetingEventView[] | undefined, time: number): Set<string> {
  return new Set(
    (events ?? [])
      .filter((event) => event.state === "reached" && event.time <= time + TIME_TOLERANCE)
      .map(({ actor }) => actor),
  );
}

/** Which meetings matter at a moment [s]: those that somebody is on the way to; when there are none, the last that was told of. */
export function activeMeetings(events: Map<string, MeetingEventView[]>, time: number): string[] {
  const names = [...events.keys()].filter((name) => ["active", "late"].includes(stateAt(events.get(name), time)));
  if (names.length) return names;
  const past = [...events.values()].flat().filter((event) => event.time <= time + TIME_TOLERANCE);
  return past.length ? [past.reduce((last, event) => (event.time >= last.time ? event : last)).meeting] : [];
}

/** How those who meet are told apart in little room: by the last part of their names, if no other has the same. */
export function shortNames(actors: string[]): string[] {
  const last = actors.map((actor) => actor.split("/").at(-1)!);
  return actors.map((actor, i) =>
    last[i] && last.filter((event) => event === last[i]).length === 1 ? last[i] : actor,
  );
}

/** Where somebody is to be, in a word or two. */
export function goalText({ key, distance, is_orientation }: GoalView): string {
  return key === null ? `${Number((distance ?? 0).toPrecision(4))} m` : is_orientation ? `turn to ${key}` : key;
}
