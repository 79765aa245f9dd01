// Who belongs together? Everybody whose name begins alike up to a "/": a flock is "starling/0", "starling/1" and so on.

/** What a name begins with, "starling/" of "starling/7"; null if it stands alone. */
export function groupOf(name: string): string | null {
  const end = name.lastIndexOf("/");
  return end < 0 ? null : name.slice(0, end + 1);
}

/** All beginnings that names share. */
export function groupsIn(names: string[]): string[] {
  return [...new Set(names.flatMap((name) => groupOf(name) ?? []))];
}
