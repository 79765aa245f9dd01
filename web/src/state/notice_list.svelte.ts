// What is a person told beside the document, and for how long? Errors until they are read, notes for a few seconds.
import type { Command } from "../connection/connection";
import type { Notice } from "../messages";
import type { NoticeEntry } from "./types";

const NOTE_SECONDS = 9;
const MAX_ENTRIES = 4;

/** What changes nothing of the document does not answer what was told. */
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

export class NoticeList {
  entries = $state<NoticeEntry[]>([]);
  private lastId = 0;

  /** `title`: what is only needed to find something again. */
  add(kind: Notice["kind"], text: string, title = ""): void {
    // A drag may be refused sixty times a second: once is enough to read.
    if (this.entries.some((notice) => notice.text === text)) return;
    const id = ++this.lastId;
    this.entries.push({ kind, text, id, title });
    if (this.entries.length > MAX_ENTRIES) this.entries.shift();
    if (kind !== "error") setTimeout(() => this.dismiss(id), NOTE_SECONDS * 1000);
  }

  /** Something was done: what was told before is no news any more. */
  clearFor(message: Command): void {
    if (NOT_EDITS.has(message.do) || !this.entries.length) return; // a drag does much, mostly with nothing told
    this.entries = this.entries.filter(({ kind }) => kind === "warning");
  }

  /** The hand went on: what it was only told by the way is out of its way. */
  dismissNotes(): void {
    if (this.entries.some(({ kind }) => kind === "note"))
      this.entries = this.entries.filter(({ kind }) => kind !== "note");
  }

  dismiss(id: number): void {
    this.entries = this.entries.filter((notice) => notice.id !== id);
  }
}
