// How are the words of a field changed, as the scene file writes them? Nothing is computed here: a word is said, said
// otherwise or not said any more, and Python tells what that means.

export type FieldSpec = Record<string, unknown>;

/** A field's words; of fields that add up, which the file may write as a list, those of a "sum". */
export function specOf(value: unknown): FieldSpec {
  return Array.isArray(value) ? { kind: "sum", fields: value } : ((value ?? {}) as FieldSpec);
}

export const transformsOf = (spec: FieldSpec): FieldSpec[] => (spec.then as FieldSpec[] | undefined) ?? [];
export const partsOf = (spec: FieldSpec): unknown[] => (spec.fields as unknown[] | undefined) ?? [];

/** With something said; null: not said any more. */
export function withOption(spec: FieldSpec, option: string, value: unknown): FieldSpec {
  const { [option]: _, ...others } = spec;
  return value === null ? others : { ...spec, [option]: value };
}

function withTransforms(spec: FieldSpec, then: FieldSpec[]): FieldSpec {
  return withOption(spec, "then", then.length ? then : null);
}

/** With a limit, which moves along with the field, or with none. */
export function withLimit(spec: FieldSpec, limit: FieldSpec | null): FieldSpec {
  const then = transformsOf(spec);
  const at = then.findLastIndex(({ kind }) => kind === "within");
  if (limit === null)
    return withTransforms(
      spec,
      then.filter((_, index) => index !== at),
    );
  if (at < 0) {
    const center = spec.center ?? spec.point; // it ends around the place where it is
    return withTransforms(spec, [{ kind: "within", ...limit, ...(center ? { center } : {}) }, ...then]);
  }
  const { radius: _radius, size: _size, ...others } = then[at]!;
  return withTransforms(spec, then.with(at, { ...others, ...limit }));
}

/** Carried by somebody, or by nobody. */
export function withCarrier(spec: FieldSpec, carrier: string | null): FieldSpec {
  const then = transformsOf(spec);
  const at = then.findLastIndex(({ kind }) => kind === "carried_by");
  if (carrier === null)
    return withTransforms(
      spec,
      then.filter((_, index) => index !== at),
    );
  return withTransforms(
    spec,
    at < 0 ? [...then, { kind: "carried_by", carrier }] : then.with(at, { ...then[at], carrier }),
  );
}

/** What a field says of its carrier and its end, as it stands behind "Where it is"; nothing if it says nothing. */
export function transformText(spec: FieldSpec): string {
  const then = transformsOf(spec);
  const carrier = then.findLast(({ kind }) => kind === "carried_by")?.carrier;
  const limit = then.findLast(({ kind }) => kind === "within");
  const texts = [
    carrier === undefined ? "" : ` · moves with ${[carrier].flat().join(", ")}`,
    limit === undefined ? "" : ` · ends in a ${"size" in limit ? "box" : "ball"}`,
    then.some(({ kind }) => kind === "turned") ? " · turned" : "",
    then.some(({ kind }) => kind === "scaled") ? " · stretched" : "",
  ];
  return texts.join("");
}

/** With one more field that adds up with it. */
export function withPart(spec: FieldSpec, part: FieldSpec): FieldSpec {
  return spec.kind === "sum" ? { ...spec, fields: [...partsOf(spec), part] } : { kind: "sum", fields: [spec, part] };
}

/** Without one of the fields that add up; where one is left it stands alone, with what was done to all. */
export function withoutPart(spec: FieldSpec, index: number): FieldSpec {
  const parts = partsOf(spec).filter((_, at) => at !== index);
  const [last] = parts;
  if (parts.length > 1) return { ...spec, fields: parts };
  const alone = specOf(last);
  return withTransforms(alone, [...transformsOf(alone), ...transformsOf(spec)]);
}

/** The words as the file writes them: a sum to which nothing was done is a list. */
export function toFileValue(spec: FieldSpec): unknown {
  return spec.kind === "sum" && !transformsOf(spec).length ? partsOf(spec) : spec;
}

export function capitalize(option: string): string {
  const spec = option.replaceAll("_", " ");
  return spec.charAt(0).toUpperCase() + spec.slice(1);
}

/** What to call something that was somebody's own: "vortex of lamp", "keep offset to man". */
export function suggestedName(value: unknown, target: string | null, isTracker: boolean): string {
  const kind = String(specOf(value).kind);
  return target === null ? kind : `${kind} ${kind === "avoid" ? "" : isTracker ? "to " : "of "}${target}`;
}

/** A name that is not taken: "vortex", then "vortex 2". */
export function freeName(suggestion: string, taken: string[]): string {
  const name = suggestion.replaceAll("_", " ");
  for (let number = 1; ; number++) {
    const free = number === 1 ? name : `${name} ${number}`;
    if (!taken.includes(free)) return free;
  }
}
