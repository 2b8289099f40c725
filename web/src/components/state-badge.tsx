// The state of a market in one word.
import type { Market } from '@sibyl/sdk';
import { useTexts } from '../texts/use-texts.ts';
import { Badge, type Tone } from './badge.tsx';
import { componentTexts } from './texts.ts';

const tones: Readonly<Record<string, Tone>> = {
  scheduled: 'accent',
  active: 'gain',
  locked: 'neutral',
  settling: 'warn',
  resolved: 'neutral',
  cancelled: 'loss',
};

export function StateBadge({ market }: { readonly market: Pick<Market, 'status' | 'halted'> }) {
  const t = useTexts(componentTexts);
  if (market.halted && market.status === 'active') return <Badge tone="warn">{t('halted')}</Badge>;
  const { status } = market;
  const isKnown = Object.hasOwn(tones, status);
  return (
    <Badge tone={tones[status] ?? 'neutral'}>
      {isKnown ? t(status as keyof typeof componentTexts) : status}
    </Badge>
  );
}
