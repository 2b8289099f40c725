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
