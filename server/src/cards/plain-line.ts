// What others wrote, as one line that can stand in any drawing or page: no marks that turn the direction of writing, no
// characters that cannot be shown, and no longer than it may be.

/** Controls, marks of direction, and what is no character at all. */
const UNWANTED =
  /[\p{Cc}\p{Cs}\u061c\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2060-\u206f\ufeff\ufffe\uffff]/gu;

/** Accents beyond those that any script sets on one letter, which would be drawn over other lines. */
const STACKED = /(\p{M}{4})\p{M}+/gu;

export function plainLine(text: string, charactersMax: number): string {
  // Long before it is looked through: no text is so long by right.
  const bounded = text.slice(0, charactersMax * 4);
  const line = bounded.replace(UNWANTED, ' ').replace(STACKED, '$1').replace(/\s+/g, ' ').trim();
  const characters = [...line];
  return characters.length <= charactersMax
    ? line
    : `${characters
        .slice(0, charactersMax - 1)
        .join('')
        .trimEnd()}…`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** For text and for attributes in quotes. */
export function escapeMarkup(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character]!);
}
