// Text that people type: what may not stand in it, and what to say when it does.
// Patterns are published, so they must mean the same in JavaScript without the u flag, in Python and in RE2. These share
// neither \u nor \p, only \x with two digits: other characters stand in the patterns as themselves.

/** Ends of lines in any script and control characters: they break whatever is read line by line. */
const controls = '\\x00-\\x1f\\x7f-\\x9f\u2028\u2029';

/** Marks that turn the direction of writing: with them one name looks like another. */
const directions = '\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069';

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
const invisible = [
  '\u00ad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f',
  '\u202a-\u202e\u2060-\u2064\u2066-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb',
].join('');

/** Those beyond U+FFFF have no portable pattern; `x-visible` makes the server refuse them as well. */
const INVISIBLE_BEYOND = /[\p{Cf}\u{e0000}-\u{e0fff}]/u;

export function isVisible(text: string): boolean {
  return !INVISIBLE_BEYOND.test(text);
}

export const visibleText = Object.freeze({
  pattern: `^[^${controls}${invisible}]*$`,
  'x-visible': true,
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
