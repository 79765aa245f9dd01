// The open document as the server last sent it: its scene and the curves of its actors. Only the server changes it.
import { SvelteMap } from "svelte/reactivity";

import type { ActorView, Curve, FieldView, MeetingView, Scene } from "../messages";
import { RelativePaths } from "./relative_paths";

/** An actor's curve: its arrays by name, and their shapes. */
export interface CurveData {
  actor: string;
  revision: number;
  length: number;
  duration: number;
  arrays: Record<string, Float32Array>;
  shapes: Record<string, number[]>;
}

export class SceneDocument {
  scene = $state.raw<Scene | null>(null);
  readonly curves = new SvelteMap<string, CurveData>();
  private actorsByName = $derived(new Map(this.scene?.actors.map((actor) => [actor.name, actor])));
  private relativePaths = new RelativePaths();

  actor(name: string | null): ActorView | undefined {
    return name === null ? undefined : this.actorsByName.get(name);
  }

  /** An actor, or a link of a figure, with the keys of its path; a link that is not driven has none. */
  keyedActor(name: string | null): ActorView | undefined {
    return this.actor(name) ?? this.scene?.driven.find((link) => link.name === name);
  }

  field(name: string | null): FieldView | undefined {
    return name === null ? undefined : this.scene?.fields.find((field) => field.name === name);
  }

  meeting(name: string | null): MeetingView | undefined {
    return name === null ? undefined : this.scene?.meetings.find((meeting) => meeting.name === name);
  }

  /** Take an update of the scene; an incomplete one leaves out the actors that did not change. */
  receiveScene(update: Scene): void {
    const actors = new Map(update.is_complete ? [] : this.actorsByName);
    for (const actor of update.actors) actors.set(actor.name, actor);
    this.scene = { ...update, actors: update.order.flatMap((name) => actors.get(name) ?? []) };
    const names = new Set(update.order);
    for (const name of [...this.curves.keys()]) if (!names.has(name)) this.curves.delete(name);
  }

  receiveCurve(header: Curve, arrays: Record<string, Float32Array>): void {
    const { actor, revision, length, duration } = header;
    if (revision < (this.curves.get(actor)?.revision ?? 0)) return;
    const shapes = Object.fromEntries(header.arrays.map((array) => [array.name, array.shape]));
    this.curves.set(actor, this.relativePaths.applyTo({ actor, revision, length, duration, arrays, shapes }));
  }

  /** Take the rough paths that came with the poses of a moment. */
  receiveRelativePaths(revision: number, arrays: Record<string, Float32Array>): void {
    this.relativePaths.receive(revision, arrays, this.scene?.order ?? [], this.curves);
  }

  /** Forget the curves: a server that was restarted counts its revisions from the beginning. */
  clearCurves(): void {
    this.curves.clear();
  }
}

export const doc = new SceneDocument();
