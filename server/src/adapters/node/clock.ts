// The host's clocks.
import type { Clock } from '../../ports/clock.ts';

export const systemClock: Clock = {
  wallMs: () => Date.now(),
  monotonicMs: () => Math.floor(performance.now()),
  setAlarm(delayMs, ring) {
    const timer = setTimeout(ring, delayMs);
    return () => clearTimeout(timer);
  },
};
