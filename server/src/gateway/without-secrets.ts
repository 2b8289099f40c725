// Texts without the secret part of the credentials that stand in them.

/** Keys and sessions keep their public part, also where they are written as in a URL; the rest is nobody's business. */
export function withoutSecrets(text: string): string {
  const readable = text.includes('%') ? withoutEscaped(text) : text;
  if (!readable.includes('_')) return readable;
  return readable.replace(SECRET, '$1');
}

/** Whatever stands before it: an escape of a line's end leaves a letter there. */
const SECRET = /((?:sk_live|sk_test|ses|ops|oat|ort|oac|acs)_[0-9A-Za-z]{16})_[0-9A-Za-z_-]+/g;
const ESCAPE = /%([0-9A-Fa-f]{2})/g;
const BLANKS = /(\s+)/;
/** Nobody who means well escapes more often. */
const ESCAPED_MAX = 4;
const CUT = '[cut]';

function withoutEscaped(text: string): string {
  const words = text.split(BLANKS);
  return words.map((word) => (word.includes('%') ? withoutEscapedSecrets(word) : word)).join('');
}

/** The word as it was if nothing is hidden in it. */
function withoutEscapedSecrets(word: string): string {
  let plain = word;
  for (let count = 0; ; count += 1) {
    const before = plain;
    plain = plain.replace(ESCAPE, (_escape, hex: string) => String.fromCharCode(parseInt(hex, 16)));
    if (plain === before) break;
    if (count === ESCAPED_MAX) return CUT;
  }
  const cut = plain.replace(SECRET, '$1');
  return cut === plain ? word : cut;
}
