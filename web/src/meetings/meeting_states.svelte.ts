// The states of meetings in the take, or in the live run so far.
import type { MeetingEventView } from "../messages";
import { activeMeetings, arrivedAt, eventsByMeeting, type State, stateAt } from "./states";

export class MeetingStates {
  events = $state.raw<MeetingEventView[]>([]);
  private byName = $derived(eventsByMeeting(this.events));

  eventsOf(meeting: string): MeetingEventView[] {
    return this.byName.get(meeting) ?? [];
  }

  /** The state of a meeting at a time [s]. */
  at(meeting: string, time: number): State {
    return stateAt(this.byName.get(meeting), time);
  }

  /** The actors that have reached their goal of a meeting by a time [s]. */
  arrivedAt(meeting: string, time: number): Set<string> {
    return arrivedAt(this.byName.get(meeting), time);
  }

  /** The meetings that are active at a time [s]. */
  activeAt(time: number): string[] {
    return activeMeetings(this.byName, time);
  }
}

export const meetingStates = new MeetingStates();
