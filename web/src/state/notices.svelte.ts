// Messages to the user beside the document. Errors stay until they are dismissed, notes for a few seconds.
import type { Command } from "../connection/message_socket";
import type { Notice } from "../messages";

export interface NoticeEntry {
  kind: Notice["kind"];
  text: string;
  id: number;
  /** A tooltip. */
  title: string;
}

const NOTE_SECONDS = 9;
const MAX_ENTRIES = 4;

/** Commands that do not change the document leave errors in place. */
const NOT_EDITS = new Set<Command["do"]>([
  "seek",
  "play",
  "pause",
  "hello",
  "ping",
  "cancel_export",
  "live",
  "point",
  "show_fields",
  "check_formula",
]);

export class Notices {
  entries = $state<NoticeEntry[]>([]);
  private lastId = 0;

  /** `title` becomes the tooltip. */
  add(kind: Notice["kind"], text: string, title = ""): void {
    // A drag may be refused sixty times a second: once is enough to read.
    if (this.entries.some((notice) => notice.text === text)) return;
    const id = ++this.lastId;
    this.entries.push({ kind, text, id, title });
    if (this.entries.length > MAX_ENTRIES) this.entries.shift();
    if (kind !== "error") setTimeout(() => this.dismiss(id), NOTE_SECONDS * 1000);
  }

  /** Something was edited: notes and errors from before are outdated. */
  clearFor(message: Command): void {
    if (NOT_EDITS.has(message.do) || !this.entries.length) return; // a drag sends many, mostly without any entry
    this.entries = this.entries.filter(({ kind }) => kind === "warning");
  }

  /** The user goes on working: remove notes. */
  dismissNotes(): void {
    if (this.entries.some(({ kind }) => kind === "note"))
      this.entries = this.entries.filter(({ kind }) => kind !== "note");
  }

  dismiss(id: number): void {
    this.entries = this.entries.filter((notice) => notice.id !== id);
  }
}

export const notices = new Notices();
