// The worker thread that rates passwords: a hostile one can cost zxcvbn a second, for which the event loop must not stall.
import { parentPort } from 'node:worker_threads';
import { ZxcvbnFactory } from '@zxcvbn-ts/core';
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
  const { score, feedback } = judge.check(password, [...about]);
  const strength: Strength =
    score >= SCORE_MIN
      ? { isStrong: true }
      : { isStrong: false, reason: feedback.warning ?? 'This password is easy to guess.' };
  parentPort?.postMessage({ id, strength });
});

interface Question {
  readonly id: number;
  readonly password: string;
  readonly about: readonly string[];
}
