// How far a newcomer is in the tour. It is offered once, follows what the reader really does, and can be left at any step.

export type TourStep = 'welcome' | 'market' | 'order' | 'done';

export const tourSteps: readonly TourStep[] = ['welcome', 'market', 'order', 'done'];

const STORED = 'sibyl.tour';
const SEEN = 'seen';

class Tour {
  #step: TourStep | null;
  #listeners = new Set<() => void>();

  constructor() {
    this.#step = readStep();
  }

  /** Null if it is over, or was never begun. */
  get step(): TourStep | null {
    return this.#step;
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** The reader has done what the step asked for; steps that were left out count as done. */
  reached(step: TourStep): void {
    const { step: now } = this;
    if (now === null || tourSteps.indexOf(step) <= tourSteps.indexOf(now)) return;
    this.#become(step);
  }

  leave(): void {
    this.#become(null);
  }

  #become(step: TourStep | null): void {
    this.#step = step;
    localStorage.setItem(STORED, step ?? SEEN);
    for (const listener of this.#listeners) listener();
  }
}

/**
 * A tour that was begun goes on after a reload; one that was seen never comes again. Its last word is about what has just
 * happened, and was seen when it did.
 */
function readStep(): TourStep | null {
  const stored = localStorage.getItem(STORED);
  if (stored === SEEN || stored === 'done') return null;
  return tourSteps.find((step) => step === stored) ?? 'welcome';
}

export const tour = new Tour();
