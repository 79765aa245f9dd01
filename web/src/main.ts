import { mount } from "svelte";

import { connection } from "./connection/connection.svelte";
import { liveAddress } from "./connection/message_socket";
import "./look.css";
import { meetingStates } from "./meetings/meeting_states.svelte";
import { doc } from "./state/document.svelte";
import { fieldArrows } from "./state/field_arrows.svelte";
import { notices } from "./state/notices.svelte";
import { playback } from "./state/playback.svelte";
import { selection } from "./state/selection.svelte";
import { updates } from "./state/updates";
import { viewport } from "./state/viewport.svelte";
import Studio from "./Studio.svelte";

// The state, for tests; the viewports add the positions of handles on the page.
declare global {
  interface Window {
    __keypose: Record<string, unknown>;
  }
}
const state = { connection, doc, fieldArrows, meetingStates, notices, playback, selection, updates, viewport };
window.__keypose = { ...window.__keypose, ...state };

const root = document.getElementById("studio");
if (root) mount(Studio, { target: root });
connection.open(liveAddress(), updates);
