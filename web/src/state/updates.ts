// Where each update from the server goes. Updates of another protocol version than the page's are not read.
import { connection } from "../connection/connection.svelte";
import type { Listener } from "../connection/message_socket";
import { meetingStates } from "../meetings/meeting_states.svelte";
import type { AnyNumbers, AnyUpdate, Scene } from "../messages";
import { doc } from "./document.svelte";
import { fieldArrows } from "./field_arrows.svelte";
import { notices } from "./notices.svelte";
import { playback } from "./playback.svelte";
import { selection } from "./selection.svelte";
import { viewport } from "./viewport.svelte";

export const updates: Listener = {
  onUpdate(update: AnyUpdate): void {
    if (update.is === "welcome") connection.welcome = update;
    if (connection.isOutdated) return;
    switch (update.is) {
      case "scene":
        receiveScene(update);
        break;
      case "notice":
        notices.add(update.kind, update.text);
        break;
      case "progress":
        connection.progress = update.is_over ? null : update;
        break;
      case "transport":
        playback.receiveTransport(update);
        break;
      case "collisions":
        playback.collisions = update.collisions;
        break;
      case "meeting_events":
        meetingStates.events = update.events;
        break;
    }
  },

  onArrays(header: AnyNumbers, arrays: Record<string, Float32Array>): void {
    if (connection.isOutdated) return;
    switch (header.is) {
      case "curve":
        doc.receiveCurve(header, arrays);
        break;
      case "arrows":
        fieldArrows.receive(header, arrays);
        break;
      case "poses":
        playback.receivePoses(header, arrays);
        doc.receiveRelativePaths(header.revision, arrays);
        break;
    }
  },

  onOpen(isReconnect: boolean): void {
    connection.handleOpen(isReconnect);
    fieldArrows.forgetRequest();
    clearResults();
    doc.clearCurves();
    connection.sendHello(playback.fps);
  },

  onClose(retries: number): void {
    connection.handleClose(retries);
    playback.stop();
  },
};

function receiveScene(update: Scene): void {
  if (update.opened_at !== doc.scene?.opened_at) {
    selection.speedValue = null;
    fieldArrows.clear();
    clearResults();
  }
  doc.receiveScene(update);
  selection.prune();
  if (viewport.camera !== null && !doc.actor(viewport.camera)) viewport.camera = null;
}

/** Forget what came of simulating another document. */
function clearResults(): void {
  playback.collisions = null;
  meetingStates.events = [];
}
