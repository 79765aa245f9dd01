// What does a person mean who types 1/3+0.5, or *2 behind a number? A small calculator, which reads and never runs.

const CONSTANTS = new Map([
  ["pi", Math.PI],
  ["π", Math.PI],
]);

/** What was typed, as a number; null if it is none. `*2`, `/2`, `+=1` and `-=1` change what was there before. */
export function calculate(input: string, current: number | null): number | null {
  const text = input.replaceAll(",", ".").replaceAll("−", "-").trim();
  const change = /^(\*|\/|\+=|-=)(.*)$/.exec(text);
  if (!change) return finite(new Parser(text).parse());
  const by = new Parser(change[2] ?? "").parse();
  if (current === null || by === null) return null;
  return finite(
    { "*": current * by, "/": current / by, "+=": current + by, "-=": current - by }[change[1] ?? ""] ?? null,
  );
}

/** A number as short as it can be read. */
export function formatNumber(value: number, digits = 4): string {
  const short = Number(value.toFixed(digits));
  return String(Object.is(short, -0) ? 0 : short).replace("-", "−");
}

function finite(value: number | null): number | null {
  return value !== null && Number.isFinite(value) ? value : null;
}

/** Sums of products of powers; every method leaves `rest` behind what it read, or gives null. */
class Parser {
  private rest: string;

  constructor(rest: string) {
    this.rest = rest;
  }

  parse(): number | null {
    const value = this.sum();
    return this.rest.trim() === "" ? value : null;
  }

  private take(pattern: RegExp): string | null {
    const found = pattern.exec(this.rest.trimStart());
    if (!found) return null;
    this.rest = this.rest.trimStart().slice(found[0].length);
    return found[0];
  }

  private sum(): number | null {
    let value = this.product();
    for (let sign = this.take(/^[+-]/); sign !== null && value !== null; sign = this.take(/^[+-]/)) {
      const next = this.product();
      if (next === null) return null;
      value += sign === "+" ? next : -next;
    }
    return value;
  }

  private product(): number | null {
    let value = this.unary();
    for (let sign = this.take(/^[*/](?!\*)/); sign !== null && value !== null; sign = this.take(/^[*/](?!\*)/)) {
      const next = this.unary();
      if (next === null) return null;
      value = sign === "*" ? value * next : value / next;
    }
    return value;
  }

  private unary(): number | null {
    const sign = this.take(/^[+-]/);
    if (sign === null) return this.power();
    const value = this.unary();
    return value === null ? null : sign === "-" ? -value : value;
  }

  private power(): number | null {
    const base = this.atom();
    if (base === null || this.take(/^(\^|\*\*)/) === null) return base;
    const exponent = this.unary();
    return exponent === null ? null : base ** exponent;
  }

  private atom(): number | null {
    if (this.take(/^\(/) !== null) {
      const inside = this.sum();
      return this.take(/^\)/) === null ? null : inside;
    }
    const number = this.take(/^(\d+\.?\d*|\.\d+)(e[+-]?\d+)?/i);
    if (number !== null) return Number(number);
    const name = this.take(/^[a-zπ]+/i);
    return name === null ? null : (CONSTANTS.get(name.toLowerCase()) ?? null);
  }
}
