// How exactly does a hand drag? To a step well below a pixel, a power of ten, so that files read well.
// And what is only rounding?

const MAX_DIGITS = 12;
/** Whoever is slower than this [m/s] is at rest: only what was rounded moves. */
export const REST_SPEED = 1e-6;

/** How many digits behind the point (below nought: before it) a number dragged by pixels of this size needs. */
export function digitsFor(pixel: number): number {
  const digits = -Math.floor(Math.log10(pixel / 10));
  return Number.isFinite(digits) ? Math.min(MAX_DIGITS, Math.max(-MAX_DIGITS, digits)) : MAX_DIGITS;
}

export function roundTo(value: number, digits: number): number {
  return digits >= 0 ? Number(value.toFixed(digits)) : Math.round(value * 10 ** digits) / 10 ** digits;
}
