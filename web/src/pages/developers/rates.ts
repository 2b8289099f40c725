// What the exchange last said of each bucket of the rate limit, as far as calls of these pages were counted in it.
import type { AnswerMeta, RateLimit } from '@sibyl/sdk';
import { useSyncExternalStore } from 'react';

let rates: ReadonlyMap<string, RateLimit> = new Map();
const listeners = new Set<() => void>();

/** Handed to calls as `onAnswer`. */
export function noteRate({ rateLimit }: AnswerMeta): void {
  const { category, limit } = rateLimit;
  if (category === null || limit === null) return;
  rates = new Map(rates).set(category, rateLimit);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useRates(): ReadonlyMap<string, RateLimit> {
  return useSyncExternalStore(subscribe, () => rates);
}
