// Words of the interface in the reader's language; one that this page does not know yet stays as it is.
import type { Translate } from '../../../texts/texts.ts';
import { webhookTexts } from './texts.ts';

export function wordOf(t: Translate<keyof typeof webhookTexts>, word: string): string {
  return Object.hasOwn(webhookTexts, word) ? t(word as keyof typeof webhookTexts) : word;
}
