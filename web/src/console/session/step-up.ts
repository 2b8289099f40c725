// A call that needs a fresh proof of who is at the console waits here until the dialog has one, or was closed.
import { useSyncExternalStore } from 'react';

type Waiting = (isConfirmed: boolean) => void;

let waiting: readonly Waiting[] = [];
const listeners = new Set<() => void>();

/** Whether the operator has confirmed the session; several calls wait for one answer. */
export function confirmSession(): Promise<boolean> {
  return new Promise((resolve) => change([...waiting, resolve]));
}

export function answerStepUp(isConfirmed: boolean): void {
  const asked = waiting;
  change([]);
  for (const resolve of asked) resolve(isConfirmed);
}

export function useStepUp(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => waiting.length > 0,
  );
}

function change(next: readonly Waiting[]): void {
  waiting = next;
  for (const listener of listeners) listener();
}
