// How is the studio told of a drag? Each time as a whole since it began; what is shown meanwhile is the echo. Called
// off, what was done is undone.

import type { Said } from "../../connection";
import type { Echo } from "../handles";
import type { Picture } from "../picture";

export class Drag {
  private name: string;
  private before: number | undefined;
  private isOver = false;

  constructor(
    private picture: Picture,
    what: string,
  ) {
    this.name = picture.studio.gesture(what);
    this.before = picture.studio.scene?.revision;
  }

  say(message: Said, echo: Echo): void {
    if (this.isOver) return;
    this.picture.handles.echo = echo;
    this.picture.studio.drag(this.name, message);
    this.picture.ask("ghosts");
  }

  end(): void {
    void this.settle();
  }

  cancel(): void {
    this.forget();
    void this.settle().then(() => {
      const { studio } = this.picture;
      // A drag that was refused throughout has left nothing to undo.
      if (studio.scene?.revision !== this.before) studio.say({ do: "undo" });
    });
  }

  private async settle(): Promise<void> {
    this.isOver = true;
    await this.picture.studio.endDrag(this.name);
    this.forget();
  }

  private forget(): void {
    this.picture.handles.echo = null;
    this.picture.ask("ghosts");
  }
}
