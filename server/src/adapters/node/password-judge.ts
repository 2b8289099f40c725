// The worker thread that rates passwords: a hostile one can cost zxcvbn a second, for which the event loop must not stall.
import { parentPort } from 'node:worker_threads';
import { type MatchExtended, ZxcvbnFactory } from '@zxcvbn-ts/core';
import * as common from '@zxcvbn-ts/language-common';
import * as english from '@zxcvbn-ts/language-en';
import type { Strength } from '../../ports/passwords.ts';

/** On zxcvbn's scale of 0 to 4: safely unguessable needs more than 10^8 tries. */
const SCORE_MIN = 3;

/** What comes after is not judged: the work grows with the square of the length. */
const JUDGED_LENGTH_MAX = 48;

const judge = new ZxcvbnFactory({
  dictionary: { ...common.dictionary, ...english.dictionary },
  graphs: common.adjacencyGraphs,
  translations: english.translations,
  maxLength: JUDGED_LENGTH_MAX,
  l33tMaxSubstitutions: 10,
});

parentPort?.on('message', ({ id, password, about }: Question) => {
  const { score, sequence } = judge.check(password, [...about]);
  const strength: Strength =
    score >= SCORE_MIN ? { isStrong: true } : { isStrong: false, reason: reasonOf(sequence) };
  parentPort?.postMessage({ id, strength });
});

/** By the dictionaries in which parts of it were found. */
function reasonOf(sequence: readonly MatchExtended[]): 'personal' | 'common' | 'guessable' {
  const names = sequence.flatMap((part) => ('dictionaryName' in part ? [part.dictionaryName] : []));
  if (names.includes('userInputs')) return 'personal';
  return names.some((name) => name?.startsWith('passwords')) ? 'common' : 'guessable';
}

interface Question {
  readonly id: number;
  readonly password: string;
  readonly about: readonly string[];
}
