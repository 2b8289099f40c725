// What a press begins: whether it is under way, and why it failed.
import { useState } from 'react';

export interface Work {
  readonly isBusy: boolean;
  /** Null unless the last one failed. */
  readonly error: unknown;
  readonly run: (work: () => Promise<unknown>) => Promise<void>;
}

export function useWork(): Work {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const run = async (work: () => Promise<unknown>): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      await work();
    } catch (fault) {
      setError(fault);
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, error, run };
}
