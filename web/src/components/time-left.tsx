// How long something has still to go, kept current; afterwards it says that it is over.
import { duration } from '../format/times.ts';
import { useNow } from '../live/use-now.ts';
import { useLocale, useTexts } from '../texts/use-texts.ts';
import { componentTexts } from './texts.ts';

interface Props {
  readonly atMs: number;
  readonly kind: 'opens' | 'closes';
}

export function TimeLeft({ atMs, kind }: Props) {
  const t = useTexts(componentTexts);
  const locale = useLocale();
  const leftMs = atMs - useNow();
  if (leftMs <= 0) return kind === 'opens' ? t('opensNow') : t('closed');
  return t(kind === 'opens' ? 'opensIn' : 'closesIn', { time: duration(locale, leftMs) });
}
