// What has become of a meeting by now? It waits, is active, and then done; or late, or it has failed. And who is there?
import type { AppointmentView, GoalView } from "../messages";

export type State = "waiting" | "active" | "done" | "late" | "failed";

const SAME = 1e-6; // [s]: a moment is shown a little beside what was told of it

/** By the name of each meeting what was told of it, in order. */
export function byMeeting(told: AppointmentView[]): Map<string, AppointmentView[]> {
  const found = new Map<string, AppointmentView[]>();
  for (const one of told) {
    const known = found.get(one.meeting);
    if (known) known.push(one);
    else found.set(one.meeting, [one]);
  }
  return found;
}

/** How a meeting is at a moment [s], by what was told of it. */
export function stateAt(told: AppointmentView[] | undefined, time: number): State {
  let state: State = "waiting";
  for (const one of told ?? []) {
    if (one.time > time + SAME) break;
    if (one.state !== "reached") state = one.state;
  }
  return state;
}

/** Who has come to a meeting by a moment [s]. */
export function thereAt(told: AppointmentView[] | undefined, time: number): Set<string> {
  return new Set((told ?? []).filter((one) => one.state === "reached" && one.time <= time + SAME).map(({ actor }) => actor));
}

/** Which meetings matter at a moment [s]: those that somebody is on the way to; when there are none, the last that was told of. */
export function nowOn(told: Map<string, AppointmentView[]>, time: number): string[] {
  const names = [...told.keys()].filter((name) => ["active", "late"].includes(stateAt(told.get(name), time)));
  if (names.length) return names;
  const past = [...told.values()].flat().filter((one) => one.time <= time + SAME);
  return past.length ? [past.reduce((last, one) => (one.time >= last.time ? one : last)).meeting] : [];
}

/** How those who meet are told apart in little room: by the last part of their names, if no other has the same. */
export function shortNames(actors: string[]): string[] {
  const last = actors.map((actor) => actor.split("/").at(-1)!);
  return actors.map((actor, i) => (last[i] && last.filter((one) => one === last[i]).length === 1 ? last[i] : actor));
}

/** Where somebody is to be, in a word or two. */
export function goalWords({ key, distance, turns }: GoalView): string {
  return key === null ? `${Number((distance ?? 0).toPrecision(4))} m` : turns ? `turn to ${key}` : key;
}
