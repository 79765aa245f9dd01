// The connection to the server as the page sees it: sending commands and drags, and whether their results are shown.
// What is refused is shown as a notice.
import { type Done, type FormulaChecked, type Progress, PROTOCOL_VERSION, type Welcome } from "../messages";
import { doc, type SceneDocument } from "../state/document.svelte";
import { type Notices, notices } from "../state/notices.svelte";
import { type Command, type Listener, MessageSocket, type Query, RefusedError } from "./message_socket";
import { resultText } from "./result_text";

export { RefusedError };

const RETRIES_BEFORE_WARNING = 4;
/** Commands without a visible effect are confirmed by a notice; the top bar names the others. */
const NOTIFIED = new Set<Command["do"]>(["save", "export", "recover"]);
/** Tabs on one document must not continue each other's gestures. */
const TAB = Math.random().toString(36).slice(2, 8);

export class Connection {
  isConnected = $state(false);
  /** Whether many attempts to connect have failed: a server that is restarted has another address. */
  isUnreachable = $state(false);
  welcome = $state.raw<Welcome | null>(null);
  progress = $state.raw<Progress | null>(null);
  /** The server's name for the last edit. */
  lastStep = $state("");
  /** The revision of the last edit from this page. */
  private sentRevision = $state(0);
  private pendingCount = $state(0);
  private lastGesture = 0;
  private socket: MessageSocket | null = null;
  private doc: SceneDocument;
  private notices: Notices;

  constructor(doc: SceneDocument, notices: Notices) {
    this.doc = doc;
    this.notices = notices;
  }

  open(address: string, listener: Listener): void {
    this.socket = new MessageSocket(address, listener);
    this.socket.open();
  }

  /** The page was built for another protocol version than the server's: it must be reloaded. */
  get isOutdated(): boolean {
    return this.welcome !== null && this.welcome.protocol !== PROTOCOL_VERSION;
  }

  /** The newest edit of this page is not on screen yet. */
  get isBehind(): boolean {
    return (this.doc.scene?.revision ?? 0) < this.sentRevision;
  }

  /** Something is under way after which the page will show something else. */
  get isWorking(): boolean {
    return this.isConnected && (this.pendingCount > 0 || this.isBehind || this.progress !== null);
  }

  /** Send an edit or a command. A refusal is shown as a notice, and thrown. */
  async send(message: Command): Promise<Done> {
    this.pendingCount += 1;
    try {
      const done = await this.openSocket.send(message);
      this.sentRevision = done.revision;
      this.notices.clearFor(message);
      if (done.text && NOTIFIED.has(message.do))
        this.notices.add("note", resultText(message, done.text), this.welcome?.folder_path);
      else if (done.text) this.lastStep = done.text;
      return done;
    } catch (error) {
      this.showError(error as Error);
      throw error;
    } finally {
      this.pendingCount -= 1;
    }
  }

  /** As `send`, where nothing depends on whether it is refused. */
  dispatch(message: Command): void {
    this.send(message).catch((error: unknown) => {
      if (!(error instanceof RefusedError)) throw error;
    });
  }

  /** Check a formula that is being typed. */
  check(formula: Query): Promise<FormulaChecked> {
    return this.openSocket.ask(formula);
  }

  /** The first message of a page: its protocol version, and how many frames per second its trails show. */
  sendHello(fps: number): void {
    this.dispatch({ do: "hello", fps, protocol: PROTOCOL_VERSION });
  }

  /** A name for a gesture that is about to begin. */
  gesture(name: string): string {
    this.lastGesture += 1;
    return `${name} ${TAB} ${this.lastGesture}`;
  }

  /** Send the state of a gesture, as a whole since it began. The newest replaces those that are not sent yet. */
  drag(gesture: string, message: Command): void {
    this.openSocket.drag(
      gesture,
      message,
      (error) => this.showError(error),
      ({ text }) => {
        this.notices.clearFor(message);
        this.lastStep = text ?? this.lastStep;
      },
    );
  }

  /** Wait until all of a gesture has been applied. */
  endDrag(gesture: string): Promise<void> {
    return this.openSocket.whenSettled(gesture);
  }

  /** Undo a gesture as if it had never begun. */
  async cancelDrag(gesture: string): Promise<void> {
    await this.endDrag(gesture);
    await this.openSocket
      .send({ do: "cancel_gesture" }, gesture)
      .catch((error: unknown) => this.showError(error as Error));
  }

  handleOpen(isReconnect: boolean): void {
    this.isConnected = true;
    this.isUnreachable = false;
    this.sentRevision = 0;
    this.progress = null;
    if (isReconnect) this.notices.add("note", "The studio is back. The document is as it keeps it.");
  }

  handleClose(retries: number): void {
    this.isConnected = false;
    this.isUnreachable = retries >= RETRIES_BEFORE_WARNING;
  }

  /** An outdated page shows one notice, not one for each command that is refused. */
  private showError(error: Error): void {
    if (!this.isOutdated) this.notices.add("error", error.message);
  }

  private get openSocket(): MessageSocket {
    if (!this.socket) throw new Error("The connection is used before it is opened.");
    return this.socket;
  }
}

export const connection = new Connection(doc, notices);
