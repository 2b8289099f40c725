// A service that the server needs gives no answer: since when, and what is told when that begins and ends.

export interface Outage {
  readonly sinceMs: number;
  /** What the first question came to that got no clear answer. */
  readonly reason: string;
}

export interface OutageWatcher {
  began(outage: Outage): void;
  ended(outage: Outage, nowMs: number): void;
}

/** Of the database of users and keys. */
export interface DatabaseWatcher extends OutageWatcher {
  /** Another process used the database meanwhile: what this one knows of it may be wrong. */
  lost(): void;
}
