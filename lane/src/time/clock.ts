// Readings of time and alarms: the only way in which time enters the server's core.

export interface Clock {
  /** Milliseconds since 1970; may jump either way when the host's clock is set. */
  wallMs(): number;

  /** Whole milliseconds since an arbitrary moment; never goes back, and stands still while the machine sleeps. */
  monotonicMs(): number;

  /** Milliseconds since the machine was started, those that it slept included. May take some microseconds to read. */
  bootMs(): number;

  /** Rings once after the delay; the returned function takes the alarm back. */
  setAlarm(delayMs: number, ring: () => void): () => void;
}
