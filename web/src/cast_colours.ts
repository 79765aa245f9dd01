// Which colour has an actor in lists and strips? Its own if it says one, else one that all eyes can tell apart.
import type { ActorView, Scene } from "./messages";

const CAST = ["#e69f00", "#56b4e9", "#009e73", "#f0e442", "#4a90d9", "#d55e00", "#cc79a7"];

export function colourIn(scene: Scene | null, actor: ActorView | undefined): string {
  if (!actor) return "#a9b0bd";
  if (typeof actor.look === "string" && CSS.supports("color", actor.look)) return actor.look;
  const index = scene?.order.indexOf(actor.name) ?? 0;
  return CAST[Math.max(0, index) % CAST.length] ?? "#a9b0bd";
}
