// What does this page know? The document as the studio last told it, and what a person has chosen and is doing here.
// Python owns the document: nothing here is changed by an edit until the studio says so.
import { SvelteMap } from "svelte/reactivity";

import { type Command, Connection, liveAddress, type Query, RefusedError } from "../connection/connection";
import { resultText } from "../connection/result_text";
import { Meetings } from "../meetings/meeting_state.svelte";
import type {
  ActorView,
  AnyNumbers,
  AnyUpdate,
  Done,
  FieldView,
  FormulaChecked,
  CollisionView,
  MeetingView,
  Notice,
  Progress,
  Scene,
  Transport,
  Welcome,
} from "../messages";
import { softBodyOf } from "../scene/parts";
import { type FieldArrowGrid, FieldArrows } from "./field_arrows.svelte";
import { NoticeList } from "./notice_list.svelte";
import { RelativePaths } from "./relative_paths";
import type { CurveData, FramePoses, NoticeEntry, Repeat, Selection, Tool, ViewName } from "./types";

export type { CurveData, FramePoses, Repeat, Selection, NoticeEntry, Tool, ViewName };

const EMPTY = new Float32Array();
const RETRIES_BEFORE_WARNING = 4;
/** What leaves no trace on screen is told in a notice; what an edit did is seen, and named quietly. */
const NOTIFIED = new Set<Command["do"]>(["save", "export", "recover"]);

/** What a studio that was not told draws arrows of. */
const NO_ARROWS = JSON.stringify([[], 5]);

export class Studio {
  scene = $state.raw<Scene | null>(null);
  welcome = $state.raw<Welcome | null>(null);
  curves = new SvelteMap<string, CurveData>();
  /** `poses` (actors, 7) in the scene's order, `points` of all drawings one behind the other, `fields` (fields, 7), and
   * `targets` (actors, 3) where somebody follows. */
  poses = $state.raw<FramePoses>({ time: 0, poses: EMPTY, points: EMPTY, fields: EMPTY, targets: EMPTY });
  /** Who hit whom in the film, or in the live run so far. */
  hits = $state.raw<CollisionView[]>([]);
  /** Whether it is known by now who hits whom in this scene; before it is shot nobody does. */
  areHitsKnown = $state(false);
  selection = $state<Selection>({ actor: null, keys: [], field: null });
  /** Which part of the selected actor, if that is a figure. */
  link = $state<string | null>(null);
  /** How far around a field its arrows are wanted [m]; the views know how much they show. */
  reach = $state(5);
  /** Which value of the selected actor's drawn speed is selected; not together with a key that is selected later. */
  speedValue = $state<number | null>(null);
  time = $state(0);
  fps = $state(24);
  isPlaying = $state(false);
  /** Whether what is seen is a run, tick by tick, and how far it has come [s]. */
  isLive = $state(false);
  reached = $state(0);
  playSpeed = $state(1);
  repeat = $state<Repeat>("cycle");
  tool = $state<Tool>("select");
  view = $state<{ maximised: ViewName | null; camera: string | null }>({ maximised: null, camera: null });
  /** How often the viewports were asked to show the selection in full. */
  framings = $state(0);
  isConnected = $state(false);
  /** Whether it was looked for in vain for long: a studio that is started anew has another address. */
  isUnreachable = $state(false);
  /** The revision last made from here; its picture may still be under way. */
  private sentRevision = $state(0);
  /** How many edits and commands wait for their answer. */
  private pendingCount = $state(0);
  /** How many wishes to play or to pause are not heard yet: what is told of that until then is older than they are. */
  private pendingPlayback = 0;
  /** Whether it plays, as was told last. */
  private isPlayingOnServer = false;
  /** What the last step was called. */
  lastStep = $state("");
  progress = $state.raw<Progress | null>(null);

  readonly fieldArrows = new FieldArrows();
  readonly meetings = new Meetings();
  readonly noticeList = new NoticeList();
  readonly shownFields: string[] = $derived(this.fieldArrows.visible(this.scene?.fields ?? [], this.selection.field));
  private byName = $derived(new Map(this.scene?.actors.map((actor) => [actor.name, actor])));
  private relativePaths = new RelativePaths();
  private connection: Connection;
  private lastGesture = 0;
  private isScrubbing = false;
  private arrowRequest = NO_ARROWS;

  constructor(address: string) {
    this.connection = new Connection(address, {
      onUpdate: (view) => this.onUpdate(view),
      onArrays: (head, arrays) => this.onArrays(head, arrays),
      onOpen: (isReconnect) => this.onOpen(isReconnect),
      onLost: (retries) => this.onLost(retries),
    });
  }

  open(): void {
    this.connection.open();
  }

  actor(name: string | null): ActorView | undefined {
    return name === null ? undefined : this.byName.get(name);
  }

  /** The selected actor. */
  get chosen(): ActorView | undefined {
    return this.actor(this.selection.actor);
  }

  /** Whose keys are selected, or could be: the selected part, or the selected actor. */
  get keyOwner(): string | null {
    return this.link ?? this.selection.actor;
  }

  /** An actor, or a part of a figure, with the keys of its path; a part that is not led has none. */
  keyedActor(name: string | null): ActorView | undefined {
    return this.actor(name) ?? this.scene?.driven.find((one) => one.name === name);
  }

  field(name: string | null): FieldView | undefined {
    return name === null ? undefined : this.scene?.fields.find((field) => field.name === name);
  }

  /** The selected field. */
  get chosenField(): FieldView | undefined {
    return this.field(this.selection.field);
  }

  meeting(name: string | null): MeetingView | undefined {
    return name === null ? undefined : this.scene?.meetings.find((meeting) => meeting.name === name);
  }

  get arrows(): SvelteMap<string, FieldArrowGrid> {
    return this.fieldArrows.grids;
  }

  /** Whether what was done last is not on screen yet: a large scene takes a moment to be drawn. */
  get isBehind(): boolean {
    return (this.scene?.revision ?? 0) < this.sentRevision;
  }

  /** Whether something is under way after which other trails or words will be seen. */
  get isWorking(): boolean {
    return this.isConnected && (this.pendingCount > 0 || this.isBehind || this.progress !== null);
  }

  /** Somebody, or a part of a figure, and some of its keys. */
  select(name: string | null, keys: number[] = []): void {
    const link = this.scene?.links.find((one) => one.name === name);
    this.selection = { actor: link?.actor ?? name, keys: [...keys].sort((a, b) => a - b), field: null };
    this.speedValue = null;
    this.link = link?.name ?? null;
    this.meetings.choose(null);
  }

  /** Who is meant by the name of what was touched: a surface is its actor's. */
  selectPart(name: string): void {
    this.select(softBodyOf(this.scene, name)?.name ?? name);
  }

  selectField(field: string | null): void {
    this.selection = { actor: null, keys: [], field };
    this.speedValue = this.link = null;
    this.meetings.choose(null);
  }

  /** A meeting, or with `after` the arrow to it from that one. */
  selectMeeting(meeting: string | null, after: string | null = null): void {
    this.selectField(null);
    this.meetings.choose(meeting, after);
  }

  /** An edit or a command. What is refused is shown as a notice, and thrown. */
  async send(message: Command): Promise<Done> {
    this.pendingCount += 1;
    try {
      const done = await this.connection.send(message);
      this.sentRevision = done.revision;
      this.noticeList.clearFor(message);
      if (done.text && NOTIFIED.has(message.do))
        this.notify("note", resultText(message, done.text), this.welcome?.folder_path);
      else if (done.text) this.lastStep = done.text;
      return done;
    } catch (error) {
      this.notify("error", (error as Error).message);
      throw error;
    } finally {
      this.pendingCount -= 1;
    }
  }

  /** What is wrong with a formula that is being typed? */
  check(formula: Query): Promise<FormulaChecked> {
    return this.connection.ask(formula);
  }

  /** As `send`, when nothing depends on whether it is refused. */
  dispatch(message: Command): void {
    this.send(message).catch((error: unknown) => {
      if (!(error instanceof RefusedError)) throw error;
    });
  }

  /** A name for a gesture that is about to begin. */
  gesture(name: string): string {
    this.lastGesture += 1;
    return `${name} ${tab} ${this.lastGesture}`;
  }

  /** Where a gesture is by now, told as a whole since it began. The newest replaces those not yet sent. */
  drag(gesture: string, message: Command): void {
    this.connection.drag(
      gesture,
      message,
      (error) => this.notify("error", error.message),
      ({ text }) => {
        this.noticeList.clearFor(message);
        this.lastStep = text ?? this.lastStep;
      },
    );
  }

  endDrag(gesture: string): Promise<void> {
    return this.connection.whenSettled(gesture);
  }

  /** Take a gesture back as if it had never begun. */
  async cancelDrag(gesture: string): Promise<void> {
    await this.endDrag(gesture);
    await this.connection
      .send({ do: "cancel_gesture" }, gesture)
      .catch((error: unknown) => this.notify("error", (error as Error).message));
  }

  /** Show a moment [s]; playing stops. */
  seek(time: number): void {
    if (this.isPlaying) this.pause();
    this.time = time;
    this.isScrubbing = true;
    this.drag("seek", { do: "seek", time });
    void this.endDrag("seek").then(() => (this.isScrubbing = false));
  }

  play(speed: number): void {
    this.playSpeed = speed;
    this.setPlaying({ do: "play", time: this.time, speed, repeat: this.repeat }, true);
  }

  pause(): void {
    this.setPlaying({ do: "pause" }, false);
  }

  /** Let it play or not; that is seen at once, and holds unless it is refused. */
  private setPlaying(message: Command, isPlaying: boolean): void {
    this.isPlaying = isPlaying;
    this.pendingPlayback += 1;
    this.send(message)
      .catch((error: unknown) => {
        if (!(error instanceof RefusedError)) throw error;
        if (this.pendingPlayback === 1) this.isPlaying = this.isPlayingOnServer; // else something else was wished since
      })
      .finally(() => (this.pendingPlayback -= 1));
  }

  /** Let the scene run from its first moment, tick by tick; or end that and show the document again. */
  setLive(isLive: boolean): void {
    this.dispatch({ do: "live", is_on: isLive });
  }

  /** Tell whose arrows are wanted, unless it is known; the newest wish replaces those not yet sent. */
  showFields(fields: string[], reach: number): void {
    const arrowRequest = JSON.stringify([fields, reach]);
    if (arrowRequest === this.arrowRequest) return;
    this.arrowRequest = arrowRequest;
    this.fieldArrows.retain(fields);
    this.drag("show fields", { do: "show_fields", fields, reach });
  }

  setFps(fps: number): void {
    this.fps = fps;
    this.dispatch({ do: "hello", fps });
  }

  get notices(): NoticeEntry[] {
    return this.noticeList.entries;
  }

  /** Tell something; `title`: what is only needed to find it again. */
  notify(kind: Notice["kind"], text: string, title = ""): void {
    this.noticeList.add(kind, text, title);
  }

  private onOpen(isReconnect: boolean): void {
    this.isConnected = true;
    this.isUnreachable = false;
    this.sentRevision = 0;
    this.arrowRequest = NO_ARROWS;
    this.progress = null;
    this.fieldArrows.grids.clear();
    this.hits = this.meetings.events = [];
    this.areHitsKnown = false;
    this.curves.clear(); // another run of the studio counts its revisions anew
    if (isReconnect) this.notify("note", "The studio is back. The document is as it keeps it.");
    this.dispatch({ do: "hello", fps: this.fps });
  }

  private onLost(retries: number): void {
    this.isConnected = false;
    this.isUnreachable = retries >= RETRIES_BEFORE_WARNING;
    this.isPlaying = this.isPlayingOnServer = this.isLive = false;
  }

  private onUpdate(view: AnyUpdate): void {
    switch (view.is) {
      case "scene":
        this.merge(view);
        break;
      case "welcome":
        this.welcome = view;
        break;
      case "notice":
        this.notify(view.kind, view.text);
        break;
      case "progress":
        this.progress = view.is_over ? null : view;
        break;
      case "transport":
        this.updateTransport(view);
        break;
      case "collisions":
        this.hits = view.collisions;
        this.areHitsKnown = true;
        break;
      case "meeting_events":
        this.meetings.events = view.events;
        break;
    }
  }

  private updateTransport(transport: Transport): void {
    this.isPlayingOnServer = transport.is_playing;
    if (!this.pendingPlayback) this.isPlaying = transport.is_playing;
    this.isLive = transport.is_live;
    this.reached = transport.simulated_until;
    if (transport.is_playing) this.playSpeed = transport.speed;
    if (!this.isScrubbing) this.time = transport.time;
  }

  private onArrays(head: AnyNumbers, arrays: Record<string, Float32Array>): void {
    if (head.is === "curve") {
      const { actor, revision, length, duration } = head;
      if (revision < (this.curves.get(actor)?.revision ?? 0)) return;
      const shapes = Object.fromEntries(head.arrays.map((array) => [array.name, array.shape]));
      this.curves.set(actor, this.relativePaths.applyTo({ actor, revision, length, duration, arrays, shapes }));
      return;
    }
    if (head.is === "arrows") {
      if (this.shownFields.includes(head.field)) this.fieldArrows.receive(head, arrays);
      return;
    }
    const { poses = EMPTY, points = EMPTY, fields = EMPTY, targets = EMPTY } = arrays;
    this.poses = { time: head.time, poses, points, fields, targets };
    this.relativePaths.receive(head.revision, arrays, this.scene?.order ?? [], this.curves);
    if (!this.isPlaying || this.isScrubbing) return;
    this.time = head.time;
    if (this.isLive) this.reached = Math.max(this.reached, head.time);
  }

  private merge(update: Scene): void {
    const known = new Map(update.is_complete ? [] : this.scene?.actors.map((actor) => [actor.name, actor]));
    for (const actor of update.actors) known.set(actor.name, actor);
    if (update.opened_at !== this.scene?.opened_at) {
      this.speedValue = null;
      this.hits = this.meetings.events = [];
      this.areHitsKnown = false;
      this.fieldArrows.clear();
    }
    this.scene = { ...update, actors: update.order.flatMap((name) => known.get(name) ?? []) };
    const names = new Set(update.order);
    for (const name of [...this.curves.keys()]) if (!names.has(name)) this.curves.delete(name);
    this.pruneSelection();
  }

  /** What is selected may be gone by now. */
  private pruneSelection(): void {
    const { actor: name, keys, field } = this.selection;
    this.meetings.prune(this.scene?.meetings ?? []);
    if (this.link !== null && !this.scene?.links.some((one) => one.name === this.link)) this.select(name);
    const keyCount = this.keyedActor(this.keyOwner)?.keys.length ?? 0;
    const actor = this.actor(name);
    if (field !== null && !this.field(field)) this.selectField(null);
    if (name !== null && !actor) this.select(null);
    else if (keys.some((key) => key >= keyCount))
      this.select(
        this.keyOwner,
        keys.filter((key) => key < keyCount),
      );
    if (this.speedValue !== null && this.speedValue >= (actor?.speed.values.length ?? 0)) this.speedValue = null;
    if (this.view.camera !== null && !this.actor(this.view.camera)) this.view.camera = null;
  }
}

/** Tabs on one document must not continue each other's gestures. */
const tab = Math.random().toString(36).slice(2, 8);

export const studio = new Studio(liveAddress());
