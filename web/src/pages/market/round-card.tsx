// A fast round: the time it has left, the price it is about, how the rounds before ended, and the way to the next.
import type { FrameOn, Market } from '@sibyl/sdk';
import { useQuery } from '@tanstack/react-query';
import { memo, useState } from 'react';
import { Card } from '../../components/card.tsx';
import { Figure } from '../../components/figure.tsx';
import { PageLink } from '../../components/page-link.tsx';
import { numberFormat } from '../../format/formats.ts';
import { outcomeName } from '../../format/outcomes.ts';
import { clockTime, countdown } from '../../format/times.ts';
import { basePath } from '../../lane.ts';
import { useStream } from '../../live/use-live.ts';
import { useNow } from '../../live/use-now.ts';
import { useClient } from '../../session/use-session.ts';
import type { Locale } from '../../texts/texts.ts';
import { useLocale, useTexts } from '../../texts/use-texts.ts';
import { ReferenceLine } from './reference-line.tsx';
import { marketTexts } from './texts.ts';

type Tick = Extract<FrameOn<'fast_tick'>, { type: 'fast_tick' }>['data'];

/** A round of five minutes, a tick a second. */
const TICKS_MAX = 300;

export const RoundCard = memo(function RoundCard({ market }: { readonly market: Market }) {
  const t = useTexts(marketTexts);
  const locale = useLocale();
  const [ticks, setTicks] = useState<readonly Tick[]>([]);
  useStream(`fast_tick:${market.market_id}`, (frame) => {
    if (frame.type !== 'fast_tick') return;
    setTicks((before) => [...before, frame.data].slice(-TICKS_MAX));
  });
  const last = ticks.at(-1);
  const { strike } = market.params;
  const strikeText = strike === undefined ? null : decimal(locale, String(strike));
  return (
    <Card title={t('round')} aside={<NextRound market={market} />}>
      <div className="flex flex-col gap-3">
        <dl className="grid grid-cols-3 gap-3">
          <Figure label={t('timeLeft')}>
            {market.status === 'active' && last !== undefined ? <Left tick={last} /> : '–'}
          </Figure>
          <Figure label={t('strike')}>{strikeText ?? '–'}</Figure>
          <Figure label={t('reference')}>
            {last === undefined ? '–' : decimal(locale, last.reference_price)}
          </Figure>
        </dl>
        {market.status === 'active' && (
          <ReferenceLine
            prices={ticks.map(({ reference_price: price }) => price)}
            strike={strike === undefined ? null : String(strike)}
          />
        )}
        <LastRounds market={market} />
      </div>
    </Card>
  );
});

function Left({ tick }: { readonly tick: Tick }) {
  return countdown(tick.ts_ms + tick.ms_to_lock - useNow());
}

/** The round of the same kind that takes orders now, if it is another. */
function NextRound({ market }: { readonly market: Market }) {
  const t = useTexts(marketTexts);
  const next = useRounds(market, 'active').find(({ market_id: id }) => id !== market.market_id);
  if (next === undefined) return null;
  return (
    <PageLink to={`/m/${next.market_id}`} className="font-semibold text-accent hover:underline">
      {t('nextRound')}
    </PageLink>
  );
}

const RESULTS_MAX = 8;
/** A round that ends is another question, and asked at once. */
const ASK_AGAIN_MS = 60_000;

function LastRounds({ market }: { readonly market: Market }) {
  const t = useTexts(marketTexts);
  const locale = useLocale();
  const rounds = useRounds(market, 'resolved').slice(0, RESULTS_MAX);
  if (rounds.length === 0) return null;
  return (
    <div className="flex flex-wrap items-center gap-2">
      <span className="text-xs text-muted">{t('lastRounds')}</span>
      {rounds.map((round) => {
        const id = round.resolution?.winning_outcome_id;
        const winner = round.outcomes.find((outcome) => outcome.id === id);
        const isFirst = winner !== undefined && winner.id === round.outcomes[0]?.id;
        return (
          <PageLink
            key={round.market_id}
            to={`/m/${round.market_id}`}
            className={`rounded-sm px-1.5 text-xs font-semibold ${isFirst ? 'bg-gain-soft text-gain' : 'bg-loss-soft text-loss'}`}
          >
            <span aria-hidden="true">{isFirst ? '▲' : '▼'}</span>{' '}
            {winner === undefined ? '–' : outcomeName(locale, round, winner)}
            <span className="sr-only"> {clockTime(locale, round.closes_at_ms)}</span>
          </PageLink>
        );
      })}
    </div>
  );
}

function useRounds(market: Market, state: 'active' | 'resolved'): readonly Market[] {
  const client = useClient();
  const { data } = useQuery({
    queryKey: ['rounds-of', basePath, market.template_id, state, market.status],
    queryFn: async () => {
      const query = { market_type: 'fast', state, sort: 'created_at', limit: 50 } as const;
      const { items } = await client.markets.list(query);
      return items.filter(({ template_id: id }) => id === market.template_id);
    },
    refetchInterval: ASK_AGAIN_MS,
  });
  return data ?? [];
}

/** A price of something else than shares: as it is, with the reader's signs. */
function decimal(locale: Locale, text: string): string {
  return numberFormat(locale, { maximumFractionDigits: 6 }).format(text as `${number}`);
}
