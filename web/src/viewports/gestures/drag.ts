// How is the studio told of a drag? Each time as a whole since it began; what is shown meanwhile is the echo. Called
// off, the document is as if it had never begun.

import { connection } from "../../connection/connection.svelte";
import type { Command } from "../../connection/message_socket";
import type { Echo } from "../handles";
import type { StageRenderer } from "../stage_renderer";

const MAX_WAIT_FRAMES = 12; // frames to wait for an answer that agrees with the pointer

export class Drag {
  private name: string;
  private echo: Echo | null = null;
  private isFinished = false;

  constructor(
    private renderer: StageRenderer,
    name: string,
  ) {
    this.name = connection.gesture(name);
  }

  send(message: Command, echo: Echo): void {
    if (this.isFinished) return;
    this.renderer.handles.echo = this.echo = echo;
    connection.drag(this.name, message);
    this.renderer.requestDraw("ghosts");
  }

  /** The handle stays under the pointer until what it shapes has come there, or will not. */
  async end(): Promise<void> {
    await this.settle();
    const { handles } = this.renderer;
    const last = handles.answer;
    // An answer that comes now is the studio's last word, whether it agrees or, undone meanwhile, does not.
    const isOpen = () => handles.echo === this.echo && handles.answer === last && !handles.isEchoConfirmed;
    for (let i = 0; i < MAX_WAIT_FRAMES && isOpen(); i++) await new Promise(requestAnimationFrame);
    this.clearEcho();
  }

  async cancel(): Promise<void> {
    this.isFinished = true;
    this.clearEcho();
    if (this.echo) await connection.cancelDrag(this.name);
  }

  private async settle(): Promise<void> {
    this.isFinished = true;
    await connection.endDrag(this.name);
  }

  private clearEcho(): void {
    const { handles } = this.renderer;
    if (handles.echo === this.echo) handles.echo = null; // by now it may be another drag's
    this.renderer.requestDraw("ghosts");
  }
}
