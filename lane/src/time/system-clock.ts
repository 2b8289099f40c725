// The host's clocks.
import { uptime } from 'node:os';
import type { Clock } from './clock.ts';

export const systemClock: Clock = {
  wallMs: () => Date.now(),
  monotonicMs: () => Math.floor(performance.now()),
  bootMs: () => Math.floor(uptime() * 1000),
  setAlarm(delayMs, ring) {
    const timer = setTimeout(ring, delayMs);
    return () => clearTimeout(timer);
  },
};
