// How do the page and the studio talk? Every message gets an answer, and a drag never has more than one under way:
// the newest replaces those that wait, so a slow studio is behind by one step, never by a queue.
import type { AnyMessage, AnyNumbers, AnyView, CheckFormula, Done, FormulaChecked } from "../messages";

type WithoutId<M> = M extends unknown ? Omit<M, "id" | "gesture"> : never;
export type Said = WithoutId<AnyMessage>;
export type Asked = WithoutId<CheckFormula>;
type Answer = Done | FormulaChecked;

export interface Listener {
  told(view: AnyView): void;
  drawn(head: AnyNumbers, arrays: Record<string, Float32Array>): void;
  opened(isAgain: boolean): void;
  /** `tries`: how often it was looked for in vain since. */
  lost(tries: number): void;
}

/** The studio said no, and why; the document is as it was. */
export class RefusedError extends Error {}

interface Waiting {
  done(answer: Answer): void;
  refused(why: Error): void;
}

interface Drag {
  next: Said | null;
  isUnderWay: boolean;
  whenIdle: (() => void)[];
}

const FIRST_PAUSE = 400;
const LONGEST_PAUSE = 5000;
/** What is told again and again but changes no document: it is no step to undo, and has no gesture. */
const NO_STEPS = new Set<Said["do"]>(["seek", "point", "show_fields"]);

export class Connection {
  private socket: WebSocket | null = null;
  private waiting = new Map<number, Waiting>();
  private drags = new Map<string, Drag>();
  private lastId = 0;
  private pause = FIRST_PAUSE;
  private wasOpen = false;
  private tries = 0;

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
      this.pause = FIRST_PAUSE;
      this.tries = 0;
      this.listener.opened(this.wasOpen);
      this.wasOpen = true;
    };
    socket.onmessage = (event: MessageEvent<string | ArrayBuffer>) => this.hear(event.data);
    socket.onclose = () => this.lose();
    this.socket = socket;
  }

  get isOpen(): boolean {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  /** Say something; the answer comes when it is carried out, an error when it is refused. */
  send(message: Said, gesture?: string): Promise<Done> {
    return this.answered<Done>(message, gesture);
  }

  /** Ask something, which changes nothing. */
  ask(message: Asked): Promise<FormulaChecked> {
    return this.answered<FormulaChecked>(message);
  }

  private answered<A extends Answer>(message: Said, gesture?: string): Promise<A> {
    const socket = this.socket;
    if (!socket || !this.isOpen) return Promise.reject(new RefusedError("The studio is not reached just now."));
    const id = ++this.lastId;
    return new Promise((done, refused) => {
      this.waiting.set(id, { done: (answer) => done(answer as A), refused });
      socket.send(JSON.stringify(gesture ? { ...message, id, gesture } : { ...message, id }));
    });
  }

  /** Say where a gesture is by now. `refused` hears why not, `done` what it is called, as often as it is said. */
  drag(gesture: string, message: Said, refused: (why: Error) => void, done: (done: Done) => void = () => undefined): void {
    const drag = this.drags.get(gesture) ?? { next: null, isUnderWay: false, whenIdle: [] };
    this.drags.set(gesture, drag);
    drag.next = message;
    if (!drag.isUnderWay) void this.follow(gesture, drag, refused, done);
  }

  /** When all of a gesture has been carried out. */
  settled(gesture: string): Promise<void> {
    const drag = this.drags.get(gesture);
    if (!drag?.isUnderWay) {
      this.drags.delete(gesture);
      return Promise.resolve();
    }
    return new Promise((idle) => drag.whenIdle.push(idle));
  }

  private async follow(gesture: string, drag: Drag, refused: (why: Error) => void, done: (done: Done) => void): Promise<void> {
    drag.isUnderWay = true;
    while (drag.next) {
      const message = drag.next;
      drag.next = null;
      try {
        done(await this.send(message, NO_STEPS.has(message.do) ? undefined : gesture));
      } catch (why) {
        refused(why as Error);
      }
    }
    drag.isUnderWay = false;
    for (const idle of drag.whenIdle) idle();
    if (drag.whenIdle.length) this.drags.delete(gesture);
    drag.whenIdle = [];
  }

  private hear(data: string | ArrayBuffer): void {
    if (typeof data !== "string") {
      const [head, arrays] = unpacked(data);
      this.listener.drawn(head, arrays);
      return;
    }
    const view = JSON.parse(data) as AnyView;
    if (view.is === "done" || view.is === "refused" || view.is === "formula_checked") {
      const waiting = this.waiting.get(view.id);
      this.waiting.delete(view.id);
      if (view.is === "refused") waiting?.refused(new RefusedError(view.why));
      else waiting?.done(view);
    }
    this.listener.told(view);
  }

  private lose(): void {
    const waiting = [...this.waiting.values()];
    this.waiting.clear();
    for (const one of waiting) one.refused(new RefusedError("The studio went away before it answered."));
    this.listener.lost(this.tries++);
    setTimeout(() => this.open(), this.pause);
    this.pause = Math.min(this.pause * 2, LONGEST_PAUSE);
  }
}

/** A binary message: the length of its head, the head, and float32 arrays one behind the other. */
export function unpacked(data: ArrayBuffer): [AnyNumbers, Record<string, Float32Array>] {
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
