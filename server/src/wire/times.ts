// Instants as the interface gives them: ISO 8601 in UTC, with epoch milliseconds beside it.

/** The orders of a batch, and those of one moment, have the same time: it is written once. */
let lastMs = Number.NaN;
let lastText = '';

export function isoTime(atMs: number): string {
  if (atMs !== lastMs) {
    lastText = new Date(atMs).toISOString();
    lastMs = atMs;
  }
  return lastText;
}

export function isoTimeOrNull(atMs: number | null): string | null {
  return atMs === null ? null : isoTime(atMs);
}
