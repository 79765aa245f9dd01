// Which colours are on the stage? After Okabe and Ito, on dark; speed goes from dim blue to bright yellow, so that its
// order is seen by every eye and in grey too.

import { Color, ColorManagement } from "three";

ColorManagement.enabled = false; // colours are said as they are shown; nothing here is lit by real light

export const GROUND = new Color("#15171c");
export const GRID = new Color("#262a33");
export const GRID_STRONG = new Color("#363c48");
export const X_AXIS = new Color("#e8703a");
export const Y_AXIS = new Color("#2fbf94");
export const Z_AXIS = new Color("#56b4e9");
export const AXES = [X_AXIS, Y_AXIS, Z_AXIS] as const;
export const SELECTED = new Color("#ffffff");
export const ACTIVE = new Color("#ffb000");
export const HANDLE = new Color("#f0b4d8");
export const FIELD = new Color("#c9a2ff");

const DARKEST = 0.42; // so that a name can be read

const CAST = ["#e69f00", "#56b4e9", "#009e73", "#f0e442", "#4a90d9", "#d55e00", "#cc79a7"];

/** An actor's own colour, or one by its place in the cast. Too dark ones are lifted off the ground. */
export function colourOf(look: unknown, index: number): Color {
  const isCssColour = typeof look === "string" && CSS.supports("color", look);
  const colour = new Color(isCssColour ? toHex(look) : CAST[Math.max(0, index) % CAST.length]);
  const light = lightness(colour);
  return light < DARKEST ? colour.lerp(SELECTED, (DARKEST - light) / (1 - light)) : colour;
}

function lightness({ r, g, b }: Color): number {
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

let palette: CanvasRenderingContext2D | null = null;

/** Any CSS colour as #rrggbb; transparent ones are not for actors. */
function toHex(css: string): string {
  palette ??= document.createElement("canvas").getContext("2d");
  if (!palette) return "#ffffff";
  palette.fillStyle = "#ffffff";
  palette.fillStyle = css;
  return /^#[0-9a-f]{6}$/i.test(palette.fillStyle) ? palette.fillStyle : "#ffffff";
}

// ---- speed, and how strongly a field pushes ---------------------------------------------------------------------------

const STEPS = 256;
type Lab = readonly [number, number, number]; // OKLab, in which lightness grows as it is seen

const SPEEDS = ramp([
  [0.5, -0.035, -0.125],
  [0.94, -0.02, 0.165],
]); // blue to yellow through grey
const FORCES = ramp([
  [0.44, 0.05, -0.11],
  [0.68, 0.16, -0.07],
  [0.96, 0.04, 0.005],
]); // violet to pale rose: nothing on a trail looks like it

/** Colour of a speed between the slowest (0) and the fastest (1). */
export function speedColour(share: number, colour: Color): Color {
  return shade(SPEEDS, share, colour);
}

/** Colour of a push between none (0) and the strongest (1). */
export function forceColour(share: number, colour: Color): Color {
  return shade(FORCES, share, colour);
}

function shade(shades: Float32Array, share: number, colour: Color): Color {
  const i = 3 * Math.round(Math.min(1, Math.max(0, share || 0)) * (STEPS - 1));
  return colour.setRGB(shades[i]!, shades[i + 1]!, shades[i + 2]!);
}

function ramp(stops: Lab[]): Float32Array {
  const shades = new Float32Array(3 * STEPS);
  for (let i = 0; i < STEPS; i++) {
    const x = (i / (STEPS - 1)) * (stops.length - 1);
    const before = Math.min(Math.floor(x), stops.length - 2);
    const [from, to] = [stops[before]!, stops[before + 1]!];
    const [l, a, b] = [0, 1, 2].map((k) => from[k]! + (x - before) * (to[k]! - from[k]!)) as [number, number, number];
    const cones = [
      (l + 0.3963377774 * a + 0.2158037573 * b) ** 3,
      (l - 0.1055613458 * a - 0.0638541728 * b) ** 3,
      (l - 0.0894841775 * a - 1.291485548 * b) ** 3,
    ] as const;
    const light = [
      4.0767416621 * cones[0] - 3.3077115913 * cones[1] + 0.2309699292 * cones[2],
      -1.2684380046 * cones[0] + 2.6097574011 * cones[1] - 0.3413193965 * cones[2],
      -0.0041960863 * cones[0] - 0.7034186147 * cones[1] + 1.707614701 * cones[2],
    ];
    light.forEach((value, k) => {
      const bound = Math.min(1, Math.max(0, value));
      shades[3 * i + k] = bound <= 0.0031308 ? 12.92 * bound : 1.055 * bound ** (1 / 2.4) - 0.055;
    });
  }
  return shades;
}
