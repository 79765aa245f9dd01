// How does somebody come to sense a field? With the link tool, by a drag from who is steered to the field's handle, or
// to another actor, to whom it then keeps its offset.

import { connection } from "../../connection/connection.svelte";
import { doc } from "../../state/document.svelte";
import { notices } from "../../state/notices.svelte";
import { selection } from "../../state/selection.svelte";
import { viewport } from "../../state/viewport.svelte";
import type { StageRenderer } from "../stage_renderer";
import type { View } from "../views/view";
import type { Gesture, Press } from "./gesture";

const TO_A_FIELD = 1;
const TO_AN_ACTOR = 0.3; // gentle enough to settle

type Target = { kind: "field" | "actor"; name: string };

export function link(press: Press): Gesture | null {
  const { renderer, view, x, y } = press;
  const { links, fieldMarks } = renderer;
  if (viewport.tool !== "link" || press.button !== 0) return null;
  const actor = renderer.picker.actor(view, x, y)?.actor;
  if (actor === undefined) return null;
  if (!doc.actor(actor)?.spline) return refusal(actor);
  const position = renderer.actorMarkers.pose(actor)!.position;
  const show = (target: Target | null, nextX: number, nextY: number) => {
    const to = view.onPlane(nextX, nextY, position) ?? position;
    links.drawn = { from: actor, to, onto: target?.kind === "actor" ? target.name : null };
    fieldMarks.hovered = target?.kind === "field" ? target.name : null;
    renderer.requestDraw("fields");
  };
  const clear = () => {
    links.drawn = fieldMarks.hovered = null;
    renderer.requestDraw("fields");
  };
  let target: Target | null = null;
  return {
    move(nextX, nextY) {
      target = targetAt(renderer, view, actor, nextX, nextY);
      show(target, nextX, nextY);
    },
    end(isClick) {
      clear();
      if (isClick) selection.select(actor);
      else if (target) addLink(actor, target);
      else notices.add("note", `Let go over a field or another actor, then ${actor} senses it.`);
    },
    cancel: clear,
  };
}

function targetAt(renderer: StageRenderer, view: View, actor: string, x: number, y: number): Target | null {
  const field = renderer.fields.pick(view, x, y)?.field;
  if (field !== undefined) return { kind: "field", name: field };
  const other = renderer.picker.actor(view, x, y)?.actor;
  return other === undefined || other === actor ? null : { kind: "actor", name: other };
}

function addLink(actor: string, { kind, name }: Target): void {
  const field = kind === "field" ? name : { kind: "keep_offset", target: name };
  selection.select(actor);
  connection.dispatch({
    do: "link_actors",
    actors: [actor],
    field,
    affinity: kind === "field" ? TO_A_FIELD : TO_AN_ACTOR,
  });
}

function refusal(actor: string): Gesture {
  return {
    move() {},
    end: () => notices.add("note", `${actor} is not steered by fields, so it senses none. Drag from a dynamic spline.`),
    cancel() {},
  };
}
