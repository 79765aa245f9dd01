// How are soft bodies seen? By their surfaces as they are just now, glassy enough that what dents them is seen.

import {
  BufferAttribute,
  BufferGeometry,
  type Color,
  DoubleSide,
  DynamicDrawUsage,
  Group,
  Mesh,
  type Ray,
  ShaderMaterial,
  Vector3,
} from "three";

import type { BodyView } from "../../messages";
import { surfacePointCount } from "../../scene/parts";
import { doc } from "../../state/document.svelte";
import { playback } from "../../state/playback.svelte";
import { selection } from "../../state/selection.svelte";
import type { ActorMarkers } from "../actors/actor_markers";
import { SELECTED } from "../primitives/colours";

const VERTEX = `
  varying vec3 vNormal, vPlace;
  void main() {
    vec4 place = modelViewMatrix * vec4(position, 1.0);
    vNormal = mat3(modelViewMatrix) * normal;
    vPlace = place.xyz;
    gl_Position = projectionMatrix * place;
  }`;

const FRAGMENT = `
  uniform vec3 tint;
  varying vec3 vNormal, vPlace;
  void main() {
    vec3 out_ = normalize(vNormal);
    vec3 eye = isOrthographic ? vec3(0.0, 0.0, 1.0) : normalize(-vPlace);
    float light = 0.5 + 0.5 * max(dot(out_, normalize(vec3(-0.35, 0.65, 0.7))), 0.0);
    float rim = pow(1.0 - abs(dot(out_, eye)), 2.0);
    gl_FragColor = vec4(tint * light + 0.3 * rim, 0.62 + 0.33 * rim);
  }`;

const LIT = 0.3; // how much whiter who is selected is

/** One surface. */
class Surface {
  readonly mesh: Mesh;
  private positions: BufferAttribute;
  private tint: Color;

  constructor(readonly body: BodyView) {
    const geometry = new BufferGeometry();
    this.positions = new BufferAttribute(new Float32Array(3 * surfacePointCount(body)), 3).setUsage(DynamicDrawUsage);
    geometry.setAttribute("position", this.positions);
    geometry.setIndex(body.surface ?? []);
    this.tint = SELECTED.clone();
    const material = new ShaderMaterial({
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      uniforms: { tint: { value: this.tint } },
      transparent: true,
      side: DoubleSide,
    });
    this.mesh = new Mesh(geometry, material);
    this.mesh.frustumCulled = false;
  }

  put(points: Float32Array, first: number, colour: Color): void {
    this.positions.array.set(points.subarray(3 * first, 3 * first + this.positions.array.length));
    this.positions.needsUpdate = true;
    this.mesh.geometry.computeVertexNormals();
    this.tint.copy(colour);
  }

  /** How far along a line of sight it is met [m]; null if it is not. */
  hitDistance(ray: Ray): number | null {
    const [a, b, c, on] = [new Vector3(), new Vector3(), new Vector3(), new Vector3()];
    const index = this.body.surface ?? [];
    let nearest = Infinity;
    for (let i = 0; i + 2 < index.length; i += 3) {
      [a, b, c].forEach((corner, k) => corner.fromBufferAttribute(this.positions, index[i + k]!));
      if (ray.intersectTriangle(a, b, c, false, on)) nearest = Math.min(nearest, on.distanceTo(ray.origin));
    }
    return nearest === Infinity ? null : nearest;
  }

  dispose(): void {
    this.mesh.geometry.dispose();
    (this.mesh.material as ShaderMaterial).dispose();
  }
}

export class SoftSurfaces {
  readonly object = new Group();
  private surfaces = new Map<string, Surface>();

  constructor(private actorMarkers: ActorMarkers) {}

  update(): void {
    const { scene } = doc;
    const { poses } = playback;
    const drawn = new Set<string>();
    for (const { name, body } of scene?.actors ?? []) {
      const first = body?.surface ? this.actorMarkers.surfaceStart(name) : null;
      if (!body || first === null || poses.points.length < 3 * (first + surfacePointCount(body))) continue;
      const colour = (this.actorMarkers.colours.get(name) ?? SELECTED).clone();
      if (name === selection.actor) colour.lerp(SELECTED, LIT);
      this.surface(name, body).put(poses.points, first, colour);
      drawn.add(name);
    }
    for (const [name, surface] of this.surfaces) if (!drawn.has(name)) this.forget(name, surface);
  }

  hitDistance(name: string, ray: Ray): number | null {
    return this.surfaces.get(name)?.hitDistance(ray) ?? null;
  }

  private surface(name: string, body: BodyView): Surface {
    let surface = this.surfaces.get(name);
    if (surface && surface.body !== body) {
      this.forget(name, surface);
      surface = undefined;
    }
    if (!surface) {
      surface = new Surface(body);
      this.surfaces.set(name, surface);
      this.object.add(surface.mesh);
    }
    return surface;
  }

  private forget(name: string, surface: Surface): void {
    this.object.remove(surface.mesh);
    this.surfaces.delete(name);
    surface.dispose();
  }
}
