// What does a person mean who types 1/3+0.5, or *2 behind a number? A small calculator, which reads and never runs.

const WORDS = new Map([["pi", Math.PI], ["π", Math.PI]]);

/** What was typed, as a number; null if it is none. `*2`, `/2`, `+=1` and `-=1` change what was there before. */
export function calculated(typed: string, before: number | null): number | null {
  const text = typed.replaceAll(",", ".").replaceAll("−", "-").trim();
  const change = /^(\*|\/|\+=|-=)(.*)$/.exec(text);
  if (!change) return finite(new Reader(text).whole());
  const by = new Reader(change[2] ?? "").whole();
  if (before === null || by === null) return null;
  return finite({ "*": before * by, "/": before / by, "+=": before + by, "-=": before - by }[change[1] ?? ""] ?? null);
}

/** A number as short as it can be read. */
export function shown(value: number, digits = 4): string {
  const short = Number(value.toFixed(digits));
  return String(Object.is(short, -0) ? 0 : short).replace("-", "−");
}

function finite(value: number | null): number | null {
  return value !== null && Number.isFinite(value) ? value : null;
}

/** Sums of products of powers; every method leaves `rest` behind what it read, or gives null. */
class Reader {
  private rest: string;

  constructor(rest: string) {
    this.rest = rest;
  }

  whole(): number | null {
    const value = this.sum();
    return this.rest.trim() === "" ? value : null;
  }

  private taken(pattern: RegExp): string | null {
    const found = pattern.exec(this.rest.trimStart());
    if (!found) return null;
    this.rest = this.rest.trimStart().slice(found[0].length);
    return found[0];
  }

  private sum(): number | null {
    let value = this.product();
    for (let sign = this.taken(/^[+-]/); sign !== null && value !== null; sign = this.taken(/^[+-]/)) {
      const next = this.product();
      if (next === null) return null;
      value += sign === "+" ? next : -next;
    }
    return value;
  }

  private product(): number | null {
    let value = this.signed();
    for (let sign = this.taken(/^[*/](?!\*)/); sign !== null && value !== null; sign = this.taken(/^[*/](?!\*)/)) {
      const next = this.signed();
      if (next === null) return null;
      value = sign === "*" ? value * next : value / next;
    }
    return value;
  }

  private signed(): number | null {
    const sign = this.taken(/^[+-]/);
    if (sign === null) return this.power();
    const value = this.signed();
    return value === null ? null : sign === "-" ? -value : value;
  }

  private power(): number | null {
    const base = this.atom();
    if (base === null || this.taken(/^(\^|\*\*)/) === null) return base;
    const exponent = this.signed();
    return exponent === null ? null : base ** exponent;
  }

  private atom(): number | null {
    if (this.taken(/^\(/) !== null) {
      const inside = this.sum();
      return this.taken(/^\)/) === null ? null : inside;
    }
    const number = this.taken(/^(\d+\.?\d*|\.\d+)(e[+-]?\d+)?/i);
    if (number !== null) return Number(number);
    const word = this.taken(/^[a-zπ]+/i);
    return word === null ? null : (WORDS.get(word.toLowerCase()) ?? null);
  }
}
