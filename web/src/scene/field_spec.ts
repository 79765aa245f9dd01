// How are the words of a field changed, as the scene file writes them? Nothing is computed here: a word is said, said
// otherwise or not said any more, and Python tells what that means.

export type Words = Record<string, unknown>;

/** A field's words; of fields that add up, which the file may write as a list, those of a "sum". */
export function wordsOf(said: unknown): Words {
  return Array.isArray(said) ? { kind: "sum", fields: said } : ((said ?? {}) as Words);
}

export const placingsOf = (words: Words): Words[] => (words.then as Words[] | undefined) ?? [];
export const partsOf = (words: Words): unknown[] => (words.fields as unknown[] | undefined) ?? [];

/** With something said; null: not said any more. */
export function withWord(words: Words, word: string, value: unknown): Words {
  const { [word]: _, ...others } = words;
  return value === null ? others : { ...words, [word]: value };
}

function withPlacings(words: Words, then: Words[]): Words {
  return withWord(words, "then", then.length ? then : null);
}

/** With a limit, which moves along with the field, or with none. */
export function withLimit(words: Words, limit: Words | null): Words {
  const then = placingsOf(words);
  const at = then.findLastIndex(({ kind }) => kind === "within");
  if (limit === null) return withPlacings(words, then.filter((_, index) => index !== at));
  if (at < 0) {
    const center = words.center ?? words.point; // it ends around the place where it is
    return withPlacings(words, [{ kind: "within", ...limit, ...(center ? { center } : {}) }, ...then]);
  }
  const { radius: _radius, size: _size, ...others } = then[at]!;
  return withPlacings(words, then.with(at, { ...others, ...limit }));
}

/** Carried by somebody, or by nobody. */
export function withCarrier(words: Words, carrier: string | null): Words {
  const then = placingsOf(words);
  const at = then.findLastIndex(({ kind }) => kind === "carried_by");
  if (carrier === null) return withPlacings(words, then.filter((_, index) => index !== at));
  return withPlacings(words, at < 0 ? [...then, { kind: "carried_by", carrier }] : then.with(at, { ...then[at], carrier }));
}

/** What a field says of its carrier and its end, as it stands behind "Where it is"; nothing if it says nothing. */
export function placingInWords(words: Words): string {
  const then = placingsOf(words);
  const carrier = then.findLast(({ kind }) => kind === "carried_by")?.carrier;
  const limit = then.findLast(({ kind }) => kind === "within");
  const told = [
    carrier === undefined ? "" : ` · moves with ${[carrier].flat().join(", ")}`,
    limit === undefined ? "" : ` · ends in a ${"size" in limit ? "box" : "ball"}`,
    then.some(({ kind }) => kind === "turned") ? " · turned" : "",
    then.some(({ kind }) => kind === "scaled") ? " · stretched" : "",
  ];
  return told.join("");
}

/** With one more field that adds up with it. */
export function withPart(words: Words, part: Words): Words {
  return words.kind === "sum" ? { ...words, fields: [...partsOf(words), part] } : { kind: "sum", fields: [words, part] };
}

/** Without one of the fields that add up; where one is left it stands alone, with what was done to all. */
export function withoutPart(words: Words, index: number): Words {
  const parts = partsOf(words).filter((_, at) => at !== index);
  const [last] = parts;
  if (parts.length > 1) return { ...words, fields: parts };
  const alone = wordsOf(last);
  return withPlacings(alone, [...placingsOf(alone), ...placingsOf(words)]);
}

/** The words as the file writes them: a sum to which nothing was done is a list. */
export function asSaid(words: Words): unknown {
  return words.kind === "sum" && !placingsOf(words).length ? partsOf(words) : words;
}

export function capital(word: string): string {
  const words = word.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** What to call something that was somebody's own: "vortex of lamp", "keep offset to man". */
export function nameOf(said: unknown, target: string | null, isTracker: boolean): string {
  const kind = String(wordsOf(said).kind);
  return target === null ? kind : `${kind} ${kind === "avoid" ? "" : isTracker ? "to " : "of "}${target}`;
}

/** A name that is not taken: "vortex", then "vortex 2". */
export function freeName(wish: string, taken: string[]): string {
  const name = wish.replaceAll("_", " ");
  for (let number = 1; ; number++) {
    const free = number === 1 ? name : `${name} ${number}`;
    if (!taken.includes(free)) return free;
  }
}
