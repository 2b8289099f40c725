// Calls that need a fresh proof of who is at the page: it is asked for, and the same call is made again after it.
import { type SibylClient, StepUpMfaRequiredError } from '@sibyl/sdk';

/** What would do, as the exchange said, and what to do with the outcome. */
export interface AskedProof {
  readonly factors: readonly string[];
  readonly given: () => void;
  readonly refused: () => void;
}

class StepUpStore {
  #asked: AskedProof | null = null;
  readonly #listeners = new Set<() => void>();

  get asked(): AskedProof | null {
    return this.#asked;
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Resolves to whether it was given. */
  ask(factors: readonly string[]): Promise<boolean> {
    this.#asked?.refused();
    return new Promise((resolve) => {
      const end = (isGiven: boolean) => () => {
        this.#set(null);
        resolve(isGiven);
      };
      this.#set({ factors, given: end(true), refused: end(false) });
    });
  }

  #set(asked: AskedProof | null): void {
    this.#asked = asked;
    for (const listener of this.#listeners) listener();
  }
}

export const stepUpStore = new StepUpStore();

/** The factors that would do; empty if the error is another one, or nothing would. */
export function factorsOf(error: unknown): readonly string[] {
  if (!(error instanceof StepUpMfaRequiredError)) return [];
  const { factors } = error.details;
  return Array.isArray(factors) ? factors.map(String) : [];
}

type Call = (...values: unknown[]) => unknown;

/** The same client, whose calls ask for the proof that they need. The call of the proof itself is left alone. */
export function askingForProof(client: SibylClient): SibylClient {
  const groups = Object.entries(client).map(([name, group]): [string, unknown] => {
    if (typeof group !== 'object' || group === null) return [name, group];
    const calls = Object.entries(group as Readonly<Record<string, Call>>);
    return [
      name,
      Object.fromEntries(
        calls.map(([call, send]) => [call, call === 'stepUp' ? send : repeating(send)]),
      ),
    ];
  });
  return Object.freeze(Object.fromEntries(groups)) as unknown as SibylClient;
}

function repeating(send: Call): Call {
  return (...values) => {
    const answer = send(...values);
    // A list is walked page by page, and no read needs a proof.
    if (!(answer instanceof Promise) || Symbol.asyncIterator in answer) return answer;
    return answer.catch(async (error: unknown) => {
      const factors = factorsOf(error);
      if (factors.length === 0 || !(await stepUpStore.ask(factors))) throw error;
      return send(...values);
    });
  };
}
