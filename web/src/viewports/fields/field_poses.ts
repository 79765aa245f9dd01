// Where does the studio say that the fields are at the moment shown, and how are they turned?

import { Quaternion, Vector3 } from "three";

import type { Scene } from "../../messages";
import { doc } from "../../state/document.svelte";
import { playback } from "../../state/playback.svelte";
import type { FieldPoseSource } from "../handles";

export class FieldPoses implements FieldPoseSource {
  private rows = new Map<string, number>();
  private scene: Scene | null = null;

  position(name: string): Vector3 | null {
    const at = this.rowOf(name);
    if (at === null) return null;
    const position = new Vector3().fromArray(playback.poses.fields, at);
    return Number.isFinite(position.x + position.y + position.z) ? position : null;
  }

  orientation(name: string): Quaternion | null {
    const at = this.rowOf(name);
    const rows = playback.poses.fields;
    return at === null ? null : new Quaternion(rows[at + 4], rows[at + 5], rows[at + 6], rows[at + 3]);
  }

  private rowOf(name: string): number | null {
    const { scene } = doc;
    const { poses } = playback;
    if (scene !== this.scene) {
      this.scene = scene;
      this.rows = new Map(scene?.fields.map((field, i) => [field.name, 7 * i]));
    }
    const at = this.rows.get(name);
    return at === undefined || poses.fields.length < at + 7 ? null : at;
  }
}
