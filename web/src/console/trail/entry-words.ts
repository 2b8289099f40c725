// An entry of the audit log as a sentence: who, what, whom and how much.
import {
  type AnyOperation,
  type OperatorOperations,
  type OutputOf,
  operatorOperations,
} from '@sibyl/contract/console';
import type { Tone } from '../../components/badge.tsx';
import { phraseFor } from '../acts/act-words.ts';
import { past, saidIn } from '../acts/said.ts';

export type Entry = OutputOf<OperatorOperations['listTrail']>[number];

const operations: Readonly<Record<string, AnyOperation>> = operatorOperations;

const OUTCOMES: Readonly<Record<string, { readonly tone: Tone; readonly words: string }>> = {
  ok: { tone: 'gain', words: 'done' },
  proposed: { tone: 'warn', words: 'pending approval' },
  replayed: { tone: 'neutral', words: 'repeated' },
  interrupted: { tone: 'loss', words: 'interrupted' },
  failed: { tone: 'loss', words: 'failed' },
};

export function outcomeOf(outcome: string) {
  return OUTCOMES[outcome] ?? { tone: 'loss' as const, words: 'refused' };
}

export function sentenceOf(entry: Entry, nameOf: (id: string) => string): string {
  const who = nameOf(entry.operator_id);
  // Commands of a stopped server name their target alone.
  if (!Object.hasOwn(operations, entry.operation)) {
    return `${who}: ${entry.operation} ${entry.target}`.trim();
  }
  const phrase = phraseFor(entry.operation, saidIn(inputOf(entry)));
  const isDone = entry.outcome === 'ok' || entry.outcome === 'replayed';
  if (isDone) return `${who} ${past(phrase)}`;
  return `${who} ${entry.outcome === 'proposed' ? 'asked' : 'tried'} to ${phrase}`;
}

export function inputOf({ operation, target, what }: Entry): Readonly<Record<string, unknown>> {
  return { ...paramsIn(operations[operation]?.path ?? '', target), ...bodyIn(what) };
}

/** The ids in a path. */
function paramsIn(path: string, target: string): Readonly<Record<string, string>> {
  const places = target.split('/');
  return Object.fromEntries(
    path.split('/').flatMap((part, at) => {
      const [, name] = /^\{(\w+)\}$/.exec(part) ?? [];
      const id = places[at];
      return name === undefined || id === undefined ? [] : [[name, id]];
    }),
  );
}

/** A long text is cut off in the audit log, and can no longer be read as fields. */
function bodyIn(what: string): Readonly<Record<string, unknown>> {
  try {
    return what === '' ? {} : JSON.parse(what);
  } catch {
    return {};
  }
}
