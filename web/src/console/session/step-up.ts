// A call that needs a fresh proof of who is at the console waits here until the dialog has one, or was closed.
import { useSyncExternalStore } from 'react';

type Waiting = (isConfirmed: boolean) => void;

let waiting: readonly Waiting[] = [];
/** What would do, as the exchange last said. */
let proofs: readonly string[] = [];
const listeners = new Set<() => void>();

/** Whether the operator has confirmed the session; several calls wait for one answer. */
export function confirmSession(factors: readonly string[]): Promise<boolean> {
  proofs = factors;
  return new Promise((resolve) => change([...waiting, resolve]));
}

export function answerStepUp(isConfirmed: boolean): void {
  const asked = waiting;
  change([]);
  for (const resolve of asked) resolve(isConfirmed);
}

/** What the operator can prove it with; null while nothing waits for it. */
export function useStepUp(): readonly string[] | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => (waiting.length > 0 ? proofs : null),
  );
}

function change(next: readonly Waiting[]): void {
  waiting = next;
  for (const listener of listeners) listener();
}
