// Latencies as people read them.
import { numberFormat } from '@sibyl/contract/names';
import type { Locale } from '../texts/texts.ts';

export function latency(locale: Locale, us: number | null): string {
  if (us === null) return '–';
  const ms = us / 1_000;
  return numberFormat(locale, {
    style: 'unit',
    unit: 'millisecond',
    maximumSignificantDigits: ms < 1 ? 2 : 3,
  }).format(ms);
}
