// Which colour has an actor in lists and strips? The same as on the stage.
import type { ActorView, Scene } from "../messages";
import { colourOf } from "../viewports/primitives/colours";

export function actorColour(scene: Scene | null, actor: ActorView | undefined): string {
  return actor ? `#${colourOf(actor.look, scene?.order.indexOf(actor.name) ?? 0).getHexString()}` : "#a9b0bd";
}
