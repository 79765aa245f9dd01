// What stands for an actor? A dart: its nose shows where it faces (+Z), its ridge what is up for it (+Y).

import { BufferGeometry, Float32BufferAttribute } from "three";

const NOSE = [0, 0, 1] as const;
const LEFT = [0.62, -0.12, -0.75] as const;
const RIGHT = [-0.62, -0.12, -0.75] as const;
const RIDGE = [0, 0.42, -0.75] as const;
const NOTCH = [0, 0, -0.4] as const;

// Every face with how bright it is: shaded once and for all, so that nothing has to be lit.
const FACES = [
  [NOSE, RIDGE, LEFT, 1],
  [NOSE, RIGHT, RIDGE, 0.8],
  [NOSE, LEFT, NOTCH, 0.5],
  [NOSE, NOTCH, RIGHT, 0.45],
  [LEFT, RIDGE, NOTCH, 0.62],
  [RIDGE, RIGHT, NOTCH, 0.55],
] as const;

export function dart(): BufferGeometry {
  const geometry = new BufferGeometry();
  const corners = FACES.flatMap(([a, b, c]) => [...a, ...b, ...c]);
  const shades = FACES.flatMap(([, , , bright]) => new Array<number>(9).fill(bright));
  geometry.setAttribute("position", new Float32BufferAttribute(corners, 3));
  geometry.setAttribute("color", new Float32BufferAttribute(shades, 3));
  return geometry;
}

/** The lines of a camera's pyramid of sight, along +Z: pairs of places, for a depth of one. */
export function pyramid(fov: number): number[][] {
  const tall = Math.tan((Math.min(fov, 150) * Math.PI) / 360);
  const wide = tall * (16 / 9);
  const [a, b, c, d] = [
    [wide, tall, 1],
    [-wide, tall, 1],
    [-wide, -tall, 1],
    [wide, -tall, 1],
  ] as [number[], number[], number[], number[]];
  const up = [0, tall * 1.6, 1]; // a small roof, to see what is up
  const eye = [0, 0, 0];
  return [eye, a, eye, b, eye, c, eye, d, a, b, b, c, c, d, d, a, a, up, up, b];
}
