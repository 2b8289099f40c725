// Readings of time and alarms: the only way in which time enters the server's core.

export interface Clock {
  /** Milliseconds since 1970; may jump either way when the host's clock is set. */
  wallMs(): number;

  /** Whole milliseconds since an arbitrary moment; never goes back. */
  monotonicMs(): number;

  /** Rings once after the delay; the returned function takes the alarm back. */
  setAlarm(delayMs: number, ring: () => void): () => void;
}
