// How is the studio told of a drag? Each time as a whole since it began; what is shown meanwhile is the echo. Called
// off, the document is as if it had never begun.

import type { Said } from "../../connection/connection";
import type { Echo } from "../handles";
import type { Picture } from "../stage_renderer";

const PATIENCE = 12; // frames to wait for an answer that agrees with the pointer

export class Drag {
  private name: string;
  private echo: Echo | null = null;
  private isOver = false;

  constructor(
    private picture: Picture,
    what: string,
  ) {
    this.name = picture.studio.gesture(what);
  }

  say(message: Said, echo: Echo): void {
    if (this.isOver) return;
    this.picture.handles.echo = this.echo = echo;
    this.picture.studio.drag(this.name, message);
    this.picture.ask("ghosts");
  }

  /** The handle stays under the pointer until what it shapes has come there, or will not. */
  async end(): Promise<void> {
    await this.settle();
    const { handles } = this.picture;
    const last = handles.answer;
    // An answer that comes now is the studio's last word, whether it agrees or, undone meanwhile, does not.
    const isOpen = () => handles.echo === this.echo && handles.answer === last && !handles.isEchoTrue;
    for (let i = 0; i < PATIENCE && isOpen(); i++) await new Promise(requestAnimationFrame);
    this.forget();
  }

  async cancel(): Promise<void> {
    this.isOver = true;
    this.forget();
    if (this.echo) await this.picture.studio.cancelDrag(this.name);
  }

  private async settle(): Promise<void> {
    this.isOver = true;
    await this.picture.studio.endDrag(this.name);
  }

  private forget(): void {
    const { handles } = this.picture;
    if (handles.echo === this.echo) handles.echo = null; // by now it may be another drag's
    this.picture.ask("ghosts");
  }
}
