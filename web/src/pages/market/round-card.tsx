// A fast round: how long it takes orders and when it ends, the price it is about, how the rounds before ended, and the way to the next.
import { nameOf, numberFormat, outcomeName } from '@sibyl/contract/names';
import type { FrameOn, Market } from '@sibyl/sdk';
import { compareAmounts, subtractAmounts } from '@sibyl/sdk';
import { useQuery } from '@tanstack/react-query';
import { memo, useState } from 'react';
import { Card } from '../../components/card.tsx';
import { Figure } from '../../components/figure.tsx';
import { PageLink } from '../../components/page-link.tsx';
import { useNote } from '../../components/toasts.tsx';
import { clockTime, countdown } from '../../format/times.ts';
import { useGo } from '../../frame/use-go.ts';
import { basePath } from '../../lane.ts';
import { useStream } from '../../live/use-live.ts';
import { useLocksAt } from '../../live/use-locks-at.ts';
import { useNow } from '../../live/use-now.ts';
import { useClient } from '../../session/use-session.ts';
import type { Locale } from '../../texts/texts.ts';
import { useLocale, useTexts } from '../../texts/use-texts.ts';
import { ReferenceLine } from './reference-line.tsx';
import { marketTexts } from './texts.ts';

export type Tick = Extract<FrameOn<'fast_tick'>, { type: 'fast_tick' }>['data'];

type Settled = Extract<FrameOn<'fast_tick'>, { type: 'fast_round_settled' }>['data'];

/** A round of five minutes, a tick a second. */
const TICKS_MAX = 300;

export const RoundCard = memo(function RoundCard({ market }: { readonly market: Market }) {
  const t = useTexts(marketTexts);
  const locale = useLocale();
  const [ticks, setTicks] = useState<readonly Tick[]>([]);
  const locksAtMs = useLocksAt(market);
  const tellResult = useResultNote(market);
  useStream(`fast_tick:${market.market_id}`, (frame) => {
    if (frame.type === 'fast_round_settled') tellResult(frame.data);
    if (frame.type !== 'fast_tick') return;
    setTicks((before) => [...before, frame.data].slice(-TICKS_MAX));
  });
  const last = ticks.at(-1);
  const strike = market.params.strike === undefined ? null : String(market.params.strike);
  return (
    <Card title={t('round')} aside={<NextRound market={market} />}>
      <div className="flex flex-col gap-3">
        <dl className="grid grid-cols-2 gap-3 sm:grid-cols-4">
          <Phase label="ordersUntil" market={market} atMs={locksAtMs} />
          <Phase label="resultAt" market={market} atMs={market.closes_at_ms} />
          <Figure label={t('strike')}>{strike === null ? '–' : decimal(locale, strike)}</Figure>
          <Figure label={t('reference')}>
            {last === undefined ? '–' : <PriceNow price={last.reference_price} strike={strike} />}
          </Figure>
        </dl>
        {ticks.length > 0 && (
          <ReferenceLine
            ticks={ticks}
            strike={strike}
            locksAtMs={locksAtMs}
            endsAtMs={market.closes_at_ms}
          />
        )}
        <LastRounds market={market} />
      </div>
    </Card>
  );
});

interface PhaseProps {
  readonly label: 'ordersUntil' | 'resultAt';
  readonly market: Market;
  readonly atMs: number;
}

/** One of the two ends of a round: its time, and the countdown until then. */
function Phase({ label, market: { status }, atMs }: PhaseProps) {
  const t = useTexts(marketTexts);
  const locale = useLocale();
  const leftMs = atMs - useNow();
  const isRunning = status === 'active' || (label === 'resultAt' && status === 'locked');
  const time = clockTime(locale, atMs);
  return (
    <Figure label={t(label, { time })}>
      {isRunning && leftMs > 0
        ? countdown(leftMs)
        : t(label === 'resultAt' && isRunning ? 'anyMoment' : 'over')}
    </Figure>
  );
}

interface PriceNowProps {
  readonly price: string;
  readonly strike: string | null;
}

/** The price, and how far it is above or below the target. */
function PriceNow({ price, strike }: PriceNowProps) {
  const locale = useLocale();
  if (strike === null) return decimal(locale, price);
  const isAbove = compareAmounts(price, strike) >= 0;
  const distance = isAbove ? subtractAmounts(price, strike) : subtractAmounts(strike, price);
  return (
    <>
      {decimal(locale, price)}{' '}
      <span className={`text-xs ${isAbove ? 'text-gain' : 'text-loss'}`}>
        <span aria-hidden="true">{isAbove ? '▲' : '▼'}</span> {isAbove ? '+' : '−'}
        {decimal(locale, distance)}
      </span>
    </>
  );
}

/** Shows the result the moment the round is decided, with the way to the round that takes orders. */
function useResultNote(market: Market): (settled: Settled) => void {
  const t = useTexts(marketTexts);
  const locale = useLocale();
  const note = useNote();
  const go = useGo();
  return ({ winning_outcome_id: winner, settle_price: price, next_round_id: next }) => {
    if (winner === null) return;
    const outcome = nameOf(locale, market, winner);
    const says = price === null ? undefined : t('settledAt', { price: decimal(locale, price) });
    const action = { label: t('nextRound'), onPress: () => go(`/m/${next}`) };
    note(t('hasWon', { outcome }), says, next === null ? undefined : action);
  };
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
