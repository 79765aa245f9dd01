// The websocket to the server: requests with their replies, drags, and reconnection. A drag has at most one request
// under way, and the newest of those that wait replaces the others, so a slow server is one step behind, never a queue.
import type { AnyMessage, AnyNumbers, AnyUpdate, CheckFormula, Done, FormulaChecked } from "../messages";

type WithoutId<M> = M extends unknown ? Omit<M, "id" | "gesture"> : never;
export type Command = WithoutId<AnyMessage>;
export type Query = WithoutId<CheckFormula>;
type Reply = Done | FormulaChecked;

export interface Listener {
  onUpdate(update: AnyUpdate): void;
  onArrays(header: AnyNumbers, arrays: Record<string, Float32Array>): void;
  onOpen(isReconnect: boolean): void;
  /** `retries`: attempts to connect that have failed since. */
  onClose(retries: number): void;
}

/** The server refused a command, with the reason; the document is unchanged. */
export class RefusedError extends Error {}

interface PendingReply {
  done(answer: Reply): void;
  refused(why: Error): void;
}

interface Drag {
  next: Command | null;
  isSending: boolean;
  idleCallbacks: (() => void)[];
}

const FIRST_RETRY_DELAY = 400;
const MAX_RETRY_DELAY = 5000;
/** Commands that are sent repeatedly but change no document: they are no step to undo, and have no gesture. */
const NOT_UNDOABLE = new Set<Command["do"]>(["seek", "point", "show_fields"]);

export class MessageSocket {
  private socket: WebSocket | null = null;
  private pendingReplies = new Map<number, PendingReply>();
  private drags = new Map<string, Drag>();
  private lastId = 0;
  private retryDelay = FIRST_RETRY_DELAY;
  private hasOpened = false;
  private retries = 0;

  private address: string;
  private listener: Listener;

  constructor(address: string, listener: Listener) {
    this.address = address;
    this.listener = listener;
  }

  open(): void {
    const socket = new WebSocket(this.address);
    socket.binaryType = "arraybuffer";
    socket.onopen = () => {
      this.retryDelay = FIRST_RETRY_DELAY;
      this.retries = 0;
      this.listener.onOpen(this.hasOpened);
      this.hasOpened = true;
    };
    socket.onmessage = (event: MessageEvent<string | ArrayBuffer>) => this.receive(event.data);
    socket.onclose = () => this.handleClose();
    this.socket = socket;
  }

  get isOpen(): boolean {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  /** Send a command. Resolves when it is applied, rejects when it is refused. */
  send(message: Command, gesture?: string): Promise<Done> {
    return this.request<Done>(message, gesture);
  }

  /** Send a query, which changes nothing. */
  ask(message: Query): Promise<FormulaChecked> {
    return this.request<FormulaChecked>(message);
  }

  private request<A extends Reply>(message: Command, gesture?: string): Promise<A> {
    const socket = this.socket;
    if (!socket || !this.isOpen) return Promise.reject(new RefusedError("The studio is not reached just now."));
    const id = ++this.lastId;
    return new Promise((done, refused) => {
      this.pendingReplies.set(id, { done: (answer) => done(answer as A), refused });
      socket.send(JSON.stringify(gesture ? { ...message, id, gesture } : { ...message, id }));
    });
  }

  /** Send the state of a gesture. `refused` and `done` are called for each message that is sent of it. */
  drag(
    gesture: string,
    message: Command,
    refused: (why: Error) => void,
    done: (done: Done) => void = () => undefined,
  ): void {
    const drag = this.drags.get(gesture) ?? { next: null, isSending: false, idleCallbacks: [] };
    this.drags.set(gesture, drag);
    drag.next = message;
    if (!drag.isSending) void this.sendQueued(gesture, drag, refused, done);
  }

  /** Wait until all of a gesture has been applied. */
  whenSettled(gesture: string): Promise<void> {
    const drag = this.drags.get(gesture);
    if (!drag?.isSending) {
      this.drags.delete(gesture);
      return Promise.resolve();
    }
    return new Promise((idle) => drag.idleCallbacks.push(idle));
  }

  private async sendQueued(
    gesture: string,
    drag: Drag,
    refused: (why: Error) => void,
    done: (done: Done) => void,
  ): Promise<void> {
    drag.isSending = true;
    while (drag.next) {
      const message = drag.next;
      drag.next = null;
      try {
        done(await this.send(message, NOT_UNDOABLE.has(message.do) ? undefined : gesture));
      } catch (why) {
        refused(why as Error);
      }
    }
    drag.isSending = false;
    for (const idle of drag.idleCallbacks) idle();
    if (drag.idleCallbacks.length) this.drags.delete(gesture);
    drag.idleCallbacks = [];
  }

  private receive(data: string | ArrayBuffer): void {
    if (typeof data !== "string") {
      this.listener.onArrays(...unpackArrays(data));
      return;
    }
    const update = JSON.parse(data) as AnyUpdate;
    if (update.is === "done" || update.is === "refused" || update.is === "formula_checked") {
      const reply = this.pendingReplies.get(update.id);
      this.pendingReplies.delete(update.id);
      if (update.is === "refused") reply?.refused(new RefusedError(update.reason));
      else reply?.done(update);
    }
    this.listener.onUpdate(update);
  }

  private handleClose(): void {
    const replies = [...this.pendingReplies.values()];
    this.pendingReplies.clear();
    for (const reply of replies) reply.refused(new RefusedError("The studio went away before it answered."));
    this.listener.onClose(this.retries++);
    setTimeout(() => this.open(), this.retryDelay);
    this.retryDelay = Math.min(this.retryDelay * 2, MAX_RETRY_DELAY);
  }
}

/** Read a binary message: the length of its header, the header, and the concatenated float32 arrays. */
export function unpackArrays(data: ArrayBuffer): [AnyNumbers, Record<string, Float32Array>] {
  const length = new DataView(data).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(data, 4, length))) as AnyNumbers;
  const arrays: Record<string, Float32Array> = {};
  for (const { name, shape, begin } of header.arrays) {
    const count = shape.reduce((product, side) => product * side, 1);
    arrays[name] = new Float32Array(data, 4 + length + 4 * begin, count);
  }
  return [header, arrays];
}

/** The address of the server's websocket. */
export function liveAddress(): string {
  const address = new URL("live", window.location.href);
  address.protocol = address.protocol.replace("http", "ws");
  address.hash = address.search = "";
  return address.href;
}
