// Names under which the browser tests reach parts of the studio that are called differently by now.
import type { AnyView } from "../messages";
import type { Studio } from "./studio.svelte";

/** What a test may call although it is private. */
interface Internals {
  onUpdate(view: AnyView): void;
}

/** Let `studio` answer to these names too. */
export function addTestNames(studio: Studio): void {
  const { meetings } = studio;
  Object.defineProperties(studio, {
    say: { value: studio.dispatch.bind(studio) },
    told: { value: (view: AnyView) => (studio as unknown as Internals).onUpdate(view) },
    said: { get: () => studio.lastStep, set: (step: string) => (studio.lastStep = step) },
    areHitsTold: { get: () => studio.areHitsKnown, set: (areKnown: boolean) => (studio.areHitsKnown = areKnown) },
  });
  Object.defineProperty(meetings, "told", {
    get: () => meetings.events,
    set: (events: typeof meetings.events) => (meetings.events = events),
  });
}
