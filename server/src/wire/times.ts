// Instants as the interface gives them: ISO 8601 in UTC, with epoch milliseconds beside it.

export function isoTime(atMs: number): string {
  return new Date(atMs).toISOString();
}

export function isoTimeOrNull(atMs: number | null): string | null {
  return atMs === null ? null : isoTime(atMs);
}
