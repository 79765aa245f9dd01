// How is half of space seen? As its surface around the stage, with a grid that fades away, and a cross of lines through
// its middle that is seen from the side too.

import { type Color, DoubleSide, Group, Mesh, PlaneGeometry, ShaderMaterial, Vector3 } from "three";

import { doc } from "../../state/document.svelte";
import { selection } from "../../state/selection.svelte";
import type { ActorMarkers } from "../actors/actor_markers";
import { SELECTED } from "../primitives/colours";
import { Strokes } from "../primitives/strokes";
import { shapeOf } from "./body_shapes";

const VERTEX = `
  uniform float size;
  varying vec2 vPlace;
  void main() {
    vPlace = position.xy * size;
    gl_Position = projectionMatrix * modelViewMatrix * vec4(position * size, 1.0);
  }`;

const FRAGMENT = `
  uniform float size, grid, strength;
  uniform vec3 tint;
  varying vec2 vPlace;
  void main() {
    vec2 turn = vPlace / grid;
    vec2 away = abs(fract(turn - 0.5) - 0.5) / fwidth(turn);
    float line = 1.0 - min(min(away.x, away.y), 1.0);
    float fade = 1.0 - smoothstep(0.45, 1.0, length(vPlace) / size);
    gl_FragColor = vec4(tint, fade * strength * (0.06 + 0.13 * line));
  }`;

const VISIBLE_RANGE = 2; // times the stage's radius that a plane is seen
const LIT = 1.8; // times as strong is the selected one
const CELLS = 10; // of the grid, about, to the stage's radius
const ACROSS = [new Vector3(1, 0, 0), new Vector3(0, 1, 0)];

export class Planes {
  readonly object = new Group();
  private meshes: Mesh[] = [];
  private lines = new Strokes({ width: 1.3, opacity: 0.55, order: 0.6 });

  constructor(private actorMarkers: ActorMarkers) {
    this.object.add(this.lines.object);
  }

  /** `middle` and `reach` [m]: where the stage is. */
  update(middle: Vector3, reach: number): void {
    this.lines.begin();
    let count = 0;
    for (const { name, body } of doc.scene?.actors ?? []) {
      const pose = body && shapeOf(body).kind === "plane" ? this.actorMarkers.pose(name) : null;
      if (!body || !pose) continue;
      const { normal = [0, 1, 0], offset = 0 } = shapeOf(body);
      const up = new Vector3(...normal).normalize();
      const mesh = (this.meshes[count] ??= this.createMesh());
      const position = up.clone().multiplyScalar(offset).applyQuaternion(pose.orientation).add(pose.position);
      up.applyQuaternion(pose.orientation);
      mesh.position.copy(middle).addScaledVector(up, up.dot(position.sub(middle)));
      mesh.quaternion.setFromUnitVectors(new Vector3(0, 0, 1), up);
      this.look(mesh, VISIBLE_RANGE * reach, this.actorMarkers.colours.get(name) ?? SELECTED, name === selection.actor);
      count += 1;
    }
    this.lines.end();
    this.meshes.forEach((mesh, i) => (mesh.visible = i < count));
  }

  private look(mesh: Mesh, size: number, colour: Color, isSelected: boolean): void {
    const { uniforms } = mesh.material as ShaderMaterial;
    uniforms["size"]!.value = size;
    uniforms["grid"]!.value = 10 ** Math.round(Math.log10(size / (VISIBLE_RANGE * CELLS)));
    uniforms["strength"]!.value = isSelected ? LIT : 1;
    (uniforms["tint"]!.value as Color).copy(colour);
    for (const across of ACROSS) {
      const direction = across
        .clone()
        .multiplyScalar(0.5 * size)
        .applyQuaternion(mesh.quaternion);
      const [from, to] = [mesh.position.clone().sub(direction), mesh.position.clone().add(direction)];
      this.lines.line(from.x, from.y, from.z, to.x, to.y, to.z, colour);
    }
  }

  private createMesh(): Mesh {
    const material = new ShaderMaterial({
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      uniforms: { size: { value: 1 }, grid: { value: 1 }, strength: { value: 1 }, tint: { value: SELECTED.clone() } },
      transparent: true,
      depthWrite: false,
      side: DoubleSide,
    });
    const mesh = new Mesh(new PlaneGeometry(2, 2), material);
    mesh.frustumCulled = false;
    mesh.renderOrder = -0.5;
    this.object.add(mesh);
    return mesh;
  }
}
