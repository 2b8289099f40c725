// The state of a lane in one word.
import { Badge, type Tone } from '../../components/badge.tsx';
import { useTexts } from '../../texts/use-texts.ts';
import { statusTexts } from './texts.ts';

const tones: Readonly<Record<string, Tone>> = {
  ok: 'gain',
  degraded: 'warn',
  read_only: 'warn',
  maintenance: 'accent',
  down: 'loss',
};

export function LaneState({ state }: { readonly state: string }) {
  const t = useTexts(statusTexts);
  return <Badge tone={tones[state] ?? 'neutral'}>{isKnown(state) ? t(state) : state}</Badge>;
}

/** Whether this page has words for it; a newer exchange may say others. */
export function isKnown(word: string): word is keyof typeof statusTexts {
  return Object.hasOwn(statusTexts, word);
}
