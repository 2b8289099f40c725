// The current time for countdowns and ages: one timer for the whole page.
import { useSyncExternalStore } from 'react';

const TICK_MS = 1_000;

let nowMs = Date.now();
let timer: ReturnType<typeof setInterval> | null = null;
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    nowMs = Date.now();
    for (const each of listeners) each();
  }, TICK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0 || timer === null) return;
    clearInterval(timer);
    timer = null;
  };
}

/** Drawn anew every second. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => nowMs);
}
