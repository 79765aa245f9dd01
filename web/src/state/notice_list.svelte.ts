// What is a person told beside the document, and for how long? Errors until they are read, notes for a few seconds.
import type { Said } from "../connection/connection";
import type { Notice } from "../messages";
import type { Shown } from "./types";

const SECONDS = 9;
const AT_MOST = 4;

/** What changes nothing of the document does not answer what was told. */
const BY_THE_WAY = new Set<Said["do"]>([
  "seek", "play", "pause", "hello", "ping", "cancel_export", "live", "point", "show_fields", "check_formula",
]);

export class Noticeboard {
  shown = $state<Shown[]>([]);
  private last = 0;

  /** `title`: what is only needed to find something again. */
  note(kind: Notice["kind"], text: string, title = ""): void {
    // A drag may be refused sixty times a second: once is enough to read.
    if (this.shown.some((notice) => notice.text === text)) return;
    const id = ++this.last;
    this.shown.push({ kind, text, id, title });
    if (this.shown.length > AT_MOST) this.shown.shift();
    if (kind !== "error") setTimeout(() => this.dismiss(id), SECONDS * 1000);
  }

  /** Something was done: what was told before is no news any more. */
  went(message: Said): void {
    if (BY_THE_WAY.has(message.do) || !this.shown.length) return; // a drag does much, mostly with nothing told
    this.shown = this.shown.filter(({ kind }) => kind === "warning");
  }

  /** The hand went on: what it was only told by the way is out of its way. */
  dismissNotes(): void {
    if (this.shown.some(({ kind }) => kind === "note")) this.shown = this.shown.filter(({ kind }) => kind !== "note");
  }

  dismiss(id: number): void {
    this.shown = this.shown.filter((notice) => notice.id !== id);
  }
}
