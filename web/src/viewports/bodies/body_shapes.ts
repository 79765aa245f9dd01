// What form has a body? A ball, a box, a capsule or a mesh, as large as it is, around its own place.

import { BoxGeometry, BufferGeometry, CapsuleGeometry, Float32BufferAttribute, SphereGeometry } from "three";

import type { BodyView } from "../../messages";

/** How the surface is marked, so that it is seen how a body turns: in patches, or along its edges. */
export type SurfacePattern = "patches" | "edges" | "faces";

export interface BodyGeometry {
  geometry: BufferGeometry;
  marked: SurfacePattern;
}

/** The words of a shape, whatever it is. */
export interface ShapeSpec {
  kind?: string;
  radius?: number;
  length?: number;
  size?: [number, number, number];
  normal?: [number, number, number];
  offset?: number;
  file?: string;
  scale?: number;
}

export const shapeOf = (body: BodyView): ShapeSpec => body.shape;

/** The surface of a body; a plane, and a mesh that cannot be read, have none. */
export function bodyGeometry(body: BodyView): BodyGeometry | null {
  const { kind, radius = 1, length = 1, size = [1, 1, 1] } = shapeOf(body);
  if (kind === "sphere") return { geometry: new SphereGeometry(radius, 28, 18), marked: "patches" };
  if (kind === "box") return { geometry: new BoxGeometry(...size), marked: "edges" };
  if (kind === "capsule") return { geometry: new CapsuleGeometry(radius, length, 8, 24), marked: "patches" };
  if (!body.faces) return null;
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new Float32BufferAttribute(body.faces, 3));
  geometry.setAttribute("uv", new Float32BufferAttribute(new Float32Array((2 * body.faces.length) / 3), 2));
  geometry.computeVertexNormals();
  return { geometry, marked: "faces" };
}

/** Half of how far a body goes along its own axes, and where the middle of that is [m]; nothing of a plane. */
export function extentOf(body: BodyView): { half: number[]; middle: number[] } | null {
  const { kind, radius = 0, length = 0, size } = shapeOf(body);
  const middle = [0, 0, 0];
  if (kind === "sphere") return { half: [radius, radius, radius], middle };
  if (kind === "capsule") return { half: [radius, radius + length / 2, radius], middle };
  if (kind === "box" && size) return { half: size.map((side) => side / 2), middle };
  if (!body.faces?.length) return null;
  const [low, high] = [
    [Infinity, Infinity, Infinity],
    [-Infinity, -Infinity, -Infinity],
  ] as [number[], number[]];
  body.faces.forEach((value, i) => {
    low[i % 3] = Math.min(low[i % 3]!, value);
    high[i % 3] = Math.max(high[i % 3]!, value);
  });
  return {
    half: low.map((least, axis) => (high[axis]! - least) / 2),
    middle: low.map((least, axis) => (high[axis]! + least) / 2),
  };
}
