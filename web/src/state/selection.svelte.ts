// What is selected: an actor or a link of a figure with some of its keys, a field, or a meeting.
import type { ActorView, FieldView } from "../messages";
import { softBodyOf } from "../scene/parts";
import { doc, type SceneDocument } from "./document.svelte";

export class Selection {
  actor = $state<string | null>(null);
  /** The selected link of the selected actor, if that is a figure. */
  link = $state<string | null>(null);
  /** Indices of the selected keys, ascending. */
  keys = $state.raw<number[]>([]);
  /** The selected value of the actor's drawn speed; a key that is selected later takes its place. */
  speedValue = $state<number | null>(null);
  field = $state<string | null>(null);
  meeting = $state<string | null>(null);
  /** If the arrow between two meetings is selected: the meeting from which it leads to the selected one. */
  arrowFrom = $state<string | null>(null);
  /** While set, the next key that is clicked in a view becomes a goal: of this meeting, or of a new one. */
  goalPicking = $state.raw<{ meeting: string | null } | null>(null);

  private doc: SceneDocument;

  constructor(doc: SceneDocument) {
    this.doc = doc;
  }

  get actorView(): ActorView | undefined {
    return this.doc.actor(this.actor);
  }

  get fieldView(): FieldView | undefined {
    return this.doc.field(this.field);
  }

  /** The link or actor whose keys are selected, or could be. */
  get keyOwner(): string | null {
    return this.link ?? this.actor;
  }

  /** Select an actor or a link of a figure, and some of its keys. */
  select(name: string | null, keys: number[] = []): void {
    const link = this.doc.scene?.links.find((one) => one.name === name);
    this.clear();
    this.actor = link?.actor ?? name;
    this.link = link?.name ?? null;
    this.keys = [...keys].sort((a, b) => a - b);
  }

  /** Select what a clicked object belongs to: of a surface, the actor that has the soft body. */
  selectPart(name: string): void {
    this.select(softBodyOf(this.doc.scene, name)?.name ?? name);
  }

  selectField(field: string | null): void {
    this.clear();
    this.field = field;
  }

  /** Select a meeting, or the arrow that leads to it from the meeting `arrowFrom`. */
  selectMeeting(meeting: string | null, arrowFrom: string | null = null): void {
    this.clear();
    this.meeting = meeting;
    this.arrowFrom = arrowFrom;
  }

  /** Deselect what the document does not contain any more. */
  prune(): void {
    const { scene } = this.doc;
    this.pruneMeetings();
    if (this.link !== null && !scene?.links.some((link) => link.name === this.link)) this.select(this.actor);
    if (this.field !== null && !this.fieldView) this.selectField(null);
    const keyCount = this.doc.keyedActor(this.keyOwner)?.keys.length ?? 0;
    if (this.actor !== null && !this.actorView) this.select(null);
    else if (this.keys.some((key) => key >= keyCount))
      this.select(
        this.keyOwner,
        this.keys.filter((key) => key < keyCount),
      );
    if (this.speedValue !== null && this.speedValue >= (this.actorView?.speed.values.length ?? 0))
      this.speedValue = null;
  }

  private pruneMeetings(): void {
    const meeting = this.doc.meeting(this.meeting);
    if (!meeting) this.meeting = this.arrowFrom = null;
    else if (this.arrowFrom !== null && !meeting.after.includes(this.arrowFrom)) this.arrowFrom = null;
    const picking = this.goalPicking?.meeting ?? null;
    if (picking !== null && !this.doc.meeting(picking)) this.goalPicking = null;
  }

  private clear(): void {
    this.actor = this.link = this.speedValue = this.field = this.meeting = this.arrowFrom = null;
    if (this.keys.length) this.keys = [];
  }
}

export const selection = new Selection(doc);
