// How do the page and the studio talk? Every message gets an answer, and a drag never has more than one under way:
// the newest replaces those that wait, so a slow studio is behind by one step, never by a queue.
import type { AnyMessage, AnyNumbers, AnyUpdate, CheckFormula, Done, FormulaChecked } from "../messages";

type WithoutId<M> = M extends unknown ? Omit<M, "id" | "gesture"> : never;
export type Command = WithoutId<AnyMessage>;
export type Query = WithoutId<CheckFormula>;
type Reply = Done | FormulaChecked;

export interface ConnectionListener {
  onUpdate(view: AnyUpdate): void;
  onArrays(head: AnyNumbers, arrays: Record<string, Float32Array>): void;
  onOpen(isReconnect: boolean): void;
  /** `tries`: how often it was looked for in vain since. */
  onLost(retries: number): void;
}

/** The studio said no, and why; the document is as it was. */
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
/** What is told again and again but changes no document: it is no step to undo, and has no gesture. */
const NOT_UNDOABLE = new Set<Command["do"]>(["seek", "point", "show_fields"]);

export class Connection {
  private socket: WebSocket | null = null;
  private waiting = new Map<number, PendingReply>();
  private drags = new Map<string, Drag>();
  private lastId = 0;
  private retryDelay = FIRST_RETRY_DELAY;
  private hasOpened = false;
  private retries = 0;

  private address: string;
  private listener: ConnectionListener;

  constructor(address: string, listener: ConnectionListener) {
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

  /** Say something; the answer comes when it is carried out, an error when it is refused. */
  send(message: Command, gesture?: string): Promise<Done> {
    return this.request<Done>(message, gesture);
  }

  /** Ask something, which changes nothing. */
  ask(message: Query): Promise<FormulaChecked> {
    return this.request<FormulaChecked>(message);
  }

  private request<A extends Reply>(message: Command, gesture?: string): Promise<A> {
    const socket = this.socket;
    if (!socket || !this.isOpen) return Promise.reject(new RefusedError("The studio is not reached just now."));
    const id = ++this.lastId;
    return new Promise((done, refused) => {
      this.waiting.set(id, { done: (answer) => done(answer as A), refused });
      socket.send(JSON.stringify(gesture ? { ...message, id, gesture } : { ...message, id }));
    });
  }

  /** Say where a gesture is by now. `refused` hears why not, `done` what it is called, as often as it is said. */
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

  /** When all of a gesture has been carried out. */
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
      const [head, arrays] = unpackArrays(data);
      this.listener.onArrays(head, arrays);
      return;
    }
    const view = JSON.parse(data) as AnyUpdate;
    if (view.is === "done" || view.is === "refused" || view.is === "formula_checked") {
      const waiting = this.waiting.get(view.id);
      this.waiting.delete(view.id);
      if (view.is === "refused") waiting?.refused(new RefusedError(view.reason));
      else waiting?.done(view);
    }
    this.listener.onUpdate(view);
  }

  private handleClose(): void {
    const waiting = [...this.waiting.values()];
    this.waiting.clear();
    for (const reply of waiting) reply.refused(new RefusedError("The studio went away before it answered."));
    this.listener.onLost(this.retries++);
    setTimeout(() => this.open(), this.retryDelay);
    this.retryDelay = Math.min(this.retryDelay * 2, MAX_RETRY_DELAY);
  }
}

/** A binary message: the length of its head, the head, and float32 arrays one behind the other. */
export function unpackArrays(data: ArrayBuffer): [AnyNumbers, Record<string, Float32Array>] {
  const length = new DataView(data).getUint32(0, true);
  const head = JSON.parse(new TextDecoder().decode(new Uint8Array(data, 4, length))) as AnyNumbers;
  const arrays: Record<string, Float32Array> = {};
  for (const { name, shape, begin } of head.arrays) {
    const count = shape.reduce((product, side) => product * side, 1);
    arrays[name] = new Float32Array(data, 4 + length + 4 * begin, count);
  }
  return [head, arrays];
}

/** Where this page's studio listens. */
export function liveAddress(): string {
  const address = new URL("live", window.location.href);
  address.protocol = address.protocol.replace("http", "ws");
  address.hash = address.search = "";
  return address.href;
}
