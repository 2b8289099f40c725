// Makes a failing list of commands shorter while it still fails in the same way.

/** What the items come to: null when nothing fails, else a text; alike first lines count as the same failure. */
export type Trial<T> = (items: readonly T[]) => string | null;

export interface ShrinkOptions<T> {
  /** Trials stop once this says so; the shortest list so far is kept. */
  readonly isTimeUp: () => boolean;
  /** A guess at what matters, tried before anything else. */
  readonly matters?: (item: T) => boolean;
  readonly progress?: (length: number) => void;
}

/** Delta debugging: ever smaller pieces are left out, as long as the failure stays. */
export function shrink<T>(
  items: readonly T[],
  trial: Trial<T>,
  options: ShrinkOptions<T>,
): readonly T[] {
  const wanted = signature(trial(items));
  if (wanted === null) return items;
  let best = items;
  const attempt = (candidate: readonly T[]): boolean => {
    if (candidate.length === 0 || candidate.length === best.length) return false;
    if (signature(trial(candidate)) !== wanted) return false;
    best = candidate;
    options.progress?.(best.length);
    return true;
  };
  if (options.matters !== undefined) attempt(items.filter(options.matters));
  let size = Math.ceil(best.length / 2);
  while (size >= 1 && !options.isTimeUp()) {
    let removed = false;
    for (let end = best.length; end > 0 && !options.isTimeUp(); end -= size) {
      const start = Math.max(0, end - size);
      removed = attempt([...best.slice(0, start), ...best.slice(end)]) || removed;
    }
    if (!removed && size === 1) break;
    if (!removed || size > 1) size = Math.floor(size / 2);
  }
  return best;
}

function signature(failure: string | null): string | null {
  if (failure === null) return null;
  const [first] = failure.split('\n');
  return (first ?? '').replaceAll(/m_[0-9a-f]{16}/g, 'm').replaceAll(/\d+/g, '#');
}
