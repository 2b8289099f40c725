// The exchange's errors in the languages that it does not answer in itself. No first page needs them: they are loaded
// beside it, and until they are there an error speaks English.
import type { catalogues } from '@sibyl/contract/texts';
import type { Locale } from './texts.ts';

let known: typeof catalogues | null = null;

export async function loadCatalogues(): Promise<void> {
  known ??= (await import('@sibyl/contract/texts')).catalogues;
}

/** What the catalogue says for a code; undefined if it does not, or is not there yet. */
export function catalogueMessage(locale: Locale, code: string): string | undefined {
  const sentences: Readonly<Record<string, string | undefined>> = known?.[locale].errors ?? {};
  return sentences[code];
}
