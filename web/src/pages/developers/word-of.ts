// Words of the interface in the reader's language; one that this page does not know yet stays as it is.
import type { Texts, Translate } from '../../texts/texts.ts';

export function wordOf<Key extends string>(
  t: Translate<Key>,
  texts: Texts<Key>,
  word: string,
): string {
  return Object.hasOwn(texts, word) ? t(word as Key) : word;
}
