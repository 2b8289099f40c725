// Journal time: what the sequencer stamps on commands, computed from readings that it passes in.

/** The last time given out, and the monotonic reading at which it was. */
export interface JournalClock {
  readonly journalMs: number;
  readonly monotonicMs: number;
}

/** How far journal time may lean towards the wall clock for each monotonic second: a twentieth. */
const SLEW_DIVISOR = 20;

/** A start reads the wall clock once; what the journal already holds is never undercut. */
export function startClock(
  lastJournalMs: number,
  wallMs: number,
  monotonicMs: number,
): JournalClock {
  return { journalMs: wallMs > lastJournalMs ? wallMs : lastJournalMs, monotonicMs };
}

/**
 * Advances by the monotonic time elapsed and leans gently towards the wall clock, so that a slow drift is followed
 * while a jump of days, either way, moves journal time by no more than a twentieth of the time that really passed.
 */
export function advanceClock(
  clock: JournalClock,
  wallMs: number,
  monotonicMs: number,
): JournalClock {
  const elapsedMs = monotonicMs > clock.monotonicMs ? monotonicMs - clock.monotonicMs : 0;
  const steadyMs = clock.journalMs + elapsedMs;
  const lean = Number.isSafeInteger(elapsedMs) ? leanOf(elapsedMs) : 0;
  const gapMs = wallMs - steadyMs;
  const correctionMs = gapMs > lean ? lean : gapMs < -lean ? -lean : gapMs;
  return { journalMs: steadyMs + correctionMs, monotonicMs };
}

function leanOf(elapsedMs: number): number {
  return (elapsedMs - (elapsedMs % SLEW_DIVISOR)) / SLEW_DIVISOR; // exact: the remainder was taken off
}
