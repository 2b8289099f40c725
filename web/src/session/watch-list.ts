// The markets that somebody watches: kept in this browser, for each lane by itself.
import { useSyncExternalStore } from 'react';
import { lane } from '../lane.ts';

const STORED = `sibyl.watched.${lane}`;
const WATCHED_MAX = 50;

let watched: readonly string[] = read();
const listeners = new Set<() => void>();

export function useWatched(): readonly string[] {
  return useSyncExternalStore(subscribe, () => watched);
}

/** The newest come first; the oldest are dropped when there are too many. */
export function setWatched(marketId: string, isWatched: boolean): void {
  const others = watched.filter((id) => id !== marketId);
  watched = isWatched ? [marketId, ...others].slice(0, WATCHED_MAX) : others;
  try {
    localStorage.setItem(STORED, JSON.stringify(watched));
  } catch {
    // Storage is full or closed: it holds until the page is left.
  }
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function read(): readonly string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(STORED) ?? '[]');
    return Array.isArray(stored) ? stored.filter((id) => typeof id === 'string') : [];
  } catch {
    return [];
  }
}
