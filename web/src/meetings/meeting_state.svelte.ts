// What does this page know of meetings beside the script? What became of them, which is chosen, and whose goal is being
// picked on the stage.
import type { MeetingEventView, MeetingView } from "../messages";
import { activeMeetings, arrivedAt, eventsByMeeting, type State, stateAt } from "./states";

export class Meetings {
  /** What became of them in the film, or in the live run so far. */
  events = $state.raw<MeetingEventView[]>([]);
  chosen = $state<string | null>(null);
  /** Together with the chosen one: the arrow from this one to it is chosen. */
  after = $state<string | null>(null);
  /** The next key that is clicked in a view is a goal: of this meeting, or of a new one. */
  picking = $state.raw<{ meeting: string | null } | null>(null);

  private byName = $derived(eventsByMeeting(this.events));

  choose(meeting: string | null, after: string | null = null): void {
    this.chosen = meeting;
    this.after = after;
  }

  eventsOf(meeting: string): MeetingEventView[] {
    return this.byName.get(meeting) ?? [];
  }

  state(meeting: string, time: number): State {
    return stateAt(this.byName.get(meeting), time);
  }

  arrived(meeting: string, time: number): Set<string> {
    return arrivedAt(this.byName.get(meeting), time);
  }

  /** Which matter at a moment [s]. */
  activeAt(time: number): string[] {
    return activeMeetings(this.byName, time);
  }

  /** What is chosen may be gone by now. */
  prune(arrived: MeetingView[]): void {
    const chosen = arrived.find(({ name }) => name === this.chosen);
    if (!chosen) this.choose(null);
    else if (this.after !== null && !chosen.after.includes(this.after)) this.after = null;
    const { picking } = this;
    if (picking && picking.meeting !== null && !arrived.some(({ name }) => name === picking.meeting))
      this.picking = null;
  }
}
