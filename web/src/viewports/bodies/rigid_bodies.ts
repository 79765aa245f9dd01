// How are bodies seen? As what they are: each form once, drawn for everybody who has it, in the colour of its actor.
// What stands still is glassy, so that it hides nobody behind it.

import { type Color, DynamicDrawUsage, Group, InstancedMesh, Matrix4, ShaderMaterial, Vector3 } from "three";

import type { BodyView } from "../../messages";
import { doc } from "../../state/document.svelte";
import { selection } from "../../state/selection.svelte";
import type { ActorMarkers, Pose } from "../actors/actor_markers";
import { SELECTED } from "../primitives/colours";
import { bodyGeometry, type SurfacePattern } from "./body_shapes";

const VERTEX = `
  varying vec3 vTint, vNormal, vPlace, vOwn;
  varying vec2 vSide;
  void main() {
    mat4 seen = modelViewMatrix * instanceMatrix;
    vec4 place = seen * vec4(position, 1.0);
    vTint = instanceColor;
    vNormal = mat3(seen) * normal;
    vPlace = place.xyz;
    vOwn = position;
    vSide = uv;
    gl_Position = projectionMatrix * place;
  }`;

const FRAGMENT = `
  uniform float opacity;
  uniform int marked;
  varying vec3 vTint, vNormal, vPlace, vOwn;
  varying vec2 vSide;
  void main() {
    vec3 out_ = normalize(vNormal);
    vec3 eye = isOrthographic ? vec3(0.0, 0.0, 1.0) : normalize(-vPlace);
    float light = 0.5 + 0.5 * max(dot(out_, normalize(vec3(-0.35, 0.65, 0.7))), 0.0);
    float rim = pow(1.0 - abs(dot(out_, eye)), 3.0);
    if (marked == 0) light *= vOwn.x * vOwn.y * vOwn.z > 0.0 ? 0.74 : 1.0;
    vec3 colour = vTint * light + 0.25 * rim;
    float cover = opacity;
    if (marked == 1) {
      vec2 away = min(vSide, 1.0 - vSide) / fwidth(vSide);
      float edge = 1.0 - clamp(min(away.x, away.y) - 0.6, 0.0, 1.0);
      colour = mix(colour, min(vTint * 1.25 + 0.12, 1.0), edge);
      cover = mix(cover, 1.0, 0.8 * edge);
    }
    gl_FragColor = vec4(colour, cover);
  }`;

const PATTERN_CODES: Record<SurfacePattern, number> = { patches: 0, edges: 1, faces: 2 };
const [SOLID, GLASSY] = [0.94, 0.34];
const LIT = 0.3; // how much whiter who is selected is
const ONE = new Vector3(1, 1, 1);
const matrix = new Matrix4();

/** Everybody with one form. */
class ShapeBatch {
  readonly mesh: InstancedMesh;
  count = 0;

  constructor(
    body: BodyView,
    isStill: boolean,
    private capacity: number,
  ) {
    const form = bodyGeometry(body)!;
    const material = new ShaderMaterial({
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      uniforms: { opacity: { value: isStill ? GLASSY : SOLID }, marked: { value: PATTERN_CODES[form.marked] } },
      transparent: true,
      depthWrite: !isStill,
    });
    this.mesh = new InstancedMesh(form.geometry, material, capacity);
    this.mesh.instanceMatrix.setUsage(DynamicDrawUsage);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = isStill ? 0.5 : 0;
  }

  get isFull(): boolean {
    return this.count === this.capacity;
  }

  add({ position, orientation }: Pose, colour: Color): void {
    this.mesh.setMatrixAt(this.count, matrix.compose(position, orientation, ONE));
    this.mesh.setColorAt(this.count, colour);
    this.count += 1;
  }

  end(): void {
    this.mesh.count = this.count;
    this.mesh.visible = this.count > 0;
    this.mesh.instanceMatrix.needsUpdate = true;
    if (this.mesh.instanceColor) this.mesh.instanceColor.needsUpdate = true;
  }

  dispose(): void {
    this.mesh.geometry.dispose();
    (this.mesh.material as ShaderMaterial).dispose();
    this.mesh.dispose();
  }
}

/** Somebody with a body, and whether nothing moves it. */
export interface BodyInstance {
  name: string;
  /** Who is selected with it: itself, or the actor of which it is a part. */
  actor: string;
  body: BodyView;
  isStill: boolean;
}

export class RigidBodies {
  readonly object = new Group();
  private batches = new Map<string, ShapeBatch>();
  private keys = new WeakMap<BodyView, string>();

  constructor(private actorMarkers: ActorMarkers) {}

  /** Everybody who has a body, parts of figures too. */
  get all(): BodyInstance[] {
    const { scene } = doc;
    const actors = (scene?.actors ?? []).flatMap(({ name, body, start }) =>
      body ? [{ name, actor: name, body, isStill: start !== null && start.velocity === null }] : [],
    );
    const links = (scene?.links ?? []).flatMap(({ name, actor, body }) =>
      body ? [{ name, actor, body, isStill: false }] : [],
    );
    return [...actors, ...links];
  }

  update(): void {
    for (const batch of this.batches.values()) batch.count = 0;
    const { actor, link } = selection;
    const all = this.all;
    for (const one of all) {
      const pose = this.actorMarkers.pose(one.name);
      const batch = pose && !one.body.surface && this.batchOf(one, all.length); // who is soft has a surface
      if (!pose || !batch) continue;
      const colour = (this.actorMarkers.colours.get(one.actor) ?? SELECTED).clone();
      if (link === null ? one.actor === actor : one.name === link) colour.lerp(SELECTED, LIT);
      batch.add(pose, colour);
    }
    for (const [key, batch] of this.batches) {
      batch.end();
      if (!batch.count) this.forget(key, batch);
    }
  }

  private batchOf({ body, isStill }: BodyInstance, capacity: number): ShapeBatch | null {
    if (body.shape["kind"] === "plane" || (body.shape["kind"] === "mesh" && !body.faces)) return null;
    let key = this.keys.get(body);
    if (key === undefined) this.keys.set(body, (key = `${isStill} ${JSON.stringify([body.shape, body.faces])}`));
    let batch = this.batches.get(key);
    if (batch?.isFull) {
      this.forget(key, batch);
      batch = undefined;
    }
    if (!batch) {
      batch = new ShapeBatch(body, isStill, capacity);
      this.batches.set(key, batch);
      this.object.add(batch.mesh);
    }
    return batch;
  }

  private forget(key: string, batch: ShapeBatch): void {
    this.batches.delete(key);
    this.object.remove(batch.mesh);
    batch.dispose();
  }
}
