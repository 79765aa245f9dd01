// The moment that is shown: playing, scrubbing and live runs, the poses at that moment, and the collisions of the take.
import { connection, type Connection, RefusedError } from "../connection/connection.svelte";
import type { Command } from "../connection/message_socket";
import type { CollisionView, Poses, Transport } from "../messages";

/** Poses at one moment [s]. */
export interface FramePoses {
  time: number;
  /** (actors, 7) in the scene's order. */
  poses: Float32Array;
  /** The points of all drawings, concatenated. */
  points: Float32Array;
  /** (fields, 7) */
  fields: Float32Array;
  /** (actors, 3), where there are followers. */
  targets: Float32Array;
}

export type Repeat = "once" | "cycle" | "ping-pong";

const EMPTY = new Float32Array();

export class Playback {
  time = $state(0);
  fps = $state(24);
  speed = $state(1);
  repeat = $state<Repeat>("cycle");
  isPlaying = $state(false);
  /** Whether a live run is shown instead of the take, and how far it has been simulated [s]. */
  isLive = $state(false);
  simulatedUntil = $state(0);
  poses = $state.raw<FramePoses>({ time: 0, poses: EMPTY, points: EMPTY, fields: EMPTY, targets: EMPTY });
  /** The collisions of the take, or of the live run so far; null until they are known. */
  collisions = $state.raw<CollisionView[] | null>(null);
  private isScrubbing = false;
  /** Requests to play or pause without an answer yet: what the server sends of playing until then is older. */
  private pendingRequests = 0;
  private isPlayingOnServer = false;

  private connection: Connection;

  constructor(connection: Connection) {
    this.connection = connection;
  }

  /** Show a moment [s]; playing stops. */
  seek(time: number): void {
    if (this.isPlaying) this.pause();
    this.time = time;
    this.isScrubbing = true;
    this.connection.drag("seek", { do: "seek", time });
    void this.connection.endDrag("seek").then(() => (this.isScrubbing = false));
  }

  play(speed: number): void {
    this.speed = speed;
    this.setPlaying({ do: "play", time: this.time, speed, repeat: this.repeat }, true);
  }

  pause(): void {
    this.setPlaying({ do: "pause" }, false);
  }

  /** Start a live run at the first moment, or end it and show the take again. */
  setLive(isLive: boolean): void {
    this.connection.dispatch({ do: "live", is_on: isLive });
  }

  setFps(fps: number): void {
    this.fps = fps;
    this.connection.sendHello(fps);
  }

  receiveTransport(transport: Transport): void {
    this.isPlayingOnServer = transport.is_playing;
    if (!this.pendingRequests) this.isPlaying = transport.is_playing;
    this.isLive = transport.is_live;
    this.simulatedUntil = transport.simulated_until;
    if (transport.is_playing) this.speed = transport.speed;
    if (!this.isScrubbing) this.time = transport.time;
  }

  receivePoses(header: Poses, arrays: Record<string, Float32Array>): void {
    const { poses = EMPTY, points = EMPTY, fields = EMPTY, targets = EMPTY } = arrays;
    this.poses = { time: header.time, poses, points, fields, targets };
    if (!this.isPlaying || this.isScrubbing) return;
    this.time = header.time;
    if (this.isLive) this.simulatedUntil = Math.max(this.simulatedUntil, header.time);
  }

  /** The server is not connected any more. */
  stop(): void {
    this.isPlaying = this.isPlayingOnServer = this.isLive = false;
  }

  /** Play or pause: shown at once, and undone if the server refuses. */
  private setPlaying(message: Command, isPlaying: boolean): void {
    this.isPlaying = isPlaying;
    this.pendingRequests += 1;
    this.connection
      .send(message)
      .catch((error: unknown) => {
        if (!(error instanceof RefusedError)) throw error;
        if (this.pendingRequests === 1) this.isPlaying = this.isPlayingOnServer; // else a newer request decides
      })
      .finally(() => (this.pendingRequests -= 1));
  }
}

export const playback = new Playback(connection);
