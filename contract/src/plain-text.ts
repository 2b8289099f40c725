// Text that people type: what may not stand in it, and what to say when it does.

/** Ends of lines in any script and control characters: they break whatever is read line by line. */
const controls = '\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029';

/** Marks that turn the direction of writing: with them one name looks like another. */
const directions = '\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069';

/** One character of a line. */
export const lineCharacter = `[^${controls}]`;

export const oneLine = Object.freeze({
  pattern: `^${lineCharacter}*$`,
  'x-expected': 'text without line breaks and control characters',
});

export const personalText = Object.freeze({
  pattern: `^[^${controls}${directions}]*$`,
  'x-expected': 'text without line breaks, control characters and marks of direction',
});

/** Joiners, fillers, selectors and tags: with them two texts look the same. */
const invisible =
  '\\p{Cf}\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u2800\\u3164\\ufe00-\\ufe0f\\uffa0\\u{e0000}-\\u{e0fff}';

export const visibleText = Object.freeze({
  pattern: `^[^${controls}${invisible}]*$`,
  'x-expected': 'text without line breaks, control characters and what cannot be seen',
});

/**
 * Letters carry at most two accents in Vietnamese, and vowel signs, points and accents of Hebrew, Thai or Tibetan seldom
 * come to four; with more of them a text is drawn over the lines above and below.
 */
const MARKS_IN_A_ROW_MAX = 4;

const HIDDEN: readonly (readonly [RegExp, string])[] = [
  [new RegExp(`[${controls}]`), 'text without line breaks and control characters'],
  [new RegExp(`[${directions}]`), 'text without marks that turn the direction of writing'],
  [
    new RegExp(`\\p{M}{${MARKS_IN_A_ROW_MAX + 1}}`, 'u'),
    `text with at most ${MARKS_IN_A_ROW_MAX} accents on a letter`,
  ],
];

/** Spaces, joiners, fillers and marks by themselves: nothing is seen of them. */
const UNSEEN = /^[\s\p{C}\p{Z}\p{M}\u115f\u1160\u2800\u3164\uffa0]+$/u;

/** What words that all are shown fail to be, or null. How short they may be is not judged here: none at all pass. */
export function shownTextFault(text: string): string | null {
  for (const [pattern, expected] of HIDDEN) if (pattern.test(text)) return expected;
  return UNSEEN.test(text) ? 'text that can be seen' : null;
}
