// The rounds that take orders now, with the time they have left.

import { outcomeName, titleOf } from '@sibyl/contract/names';
import type { FrameOn, Market } from '@sibyl/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { Icon } from '../../components/icon.tsx';
import { PageLink } from '../../components/page-link.tsx';
import { cents } from '../../format/amounts.ts';
import { countdown, minuteTime } from '../../format/times.ts';
import { basePath } from '../../lane.ts';
import { useStream } from '../../live/use-live.ts';
import { useNow } from '../../live/use-now.ts';
import { useClient } from '../../session/use-session.ts';
import { useLocale, useTexts } from '../../texts/use-texts.ts';
import { marketsTexts } from './texts.ts';

type Tick = Extract<FrameOn<'fast_tick'>, { type: 'fast_tick' }>['data'];

const ROUNDS_MAX = 6;

export function FastStrip() {
  const t = useTexts(marketsTexts);
  const client = useClient();
  const queries = useQueryClient();
  const [ticks, setTicks] = useState<ReadonlyMap<string, Tick>>(new Map());
  const queryKey = ['rounds', basePath];
  const { data: rounds } = useQuery({
    queryKey,
    queryFn: async () => {
      const query = { market_type: 'fast', state: 'active', sort: 'closes_at' } as const;
      return (await client.markets.list({ ...query, limit: ROUNDS_MAX })).items;
    },
    refetchInterval: 60_000,
  });
  const readAgain = (): void => {
    queries.invalidateQueries({ queryKey }).catch(() => undefined);
  };
  const heard = useRef(new Set<string>());
  /** A round that began between the read and the stream; asked for once, as there may be more of them than are shown. */
  const readIfNew = (known: readonly Market[], marketId: string): void => {
    if (heard.current.has(marketId)) return;
    heard.current.add(marketId);
    if (known.every(({ market_id: id }) => id !== marketId)) readAgain();
  };
  useStream(
    'fast_tick',
    (frame) => {
      if (frame.type === 'fast_tick') {
        // Rounds go on ticking between their lock and their result.
        if (frame.data.ms_to_lock === 0) return;
        if (rounds !== undefined) readIfNew(rounds, frame.data.market_id);
        setTicks((before) => new Map(before).set(frame.data.market_id, frame.data));
      } else if (frame.type === 'fast_round_opened' || frame.type === 'fast_round_locked') {
        readAgain();
      }
    },
    (isAfterGap) => {
      if (isAfterGap) readAgain();
    },
  );
  if (rounds === undefined || rounds.length === 0) return null;
  return (
    <ul
      aria-label={t('fastRounds')}
      className="-mx-4 flex gap-2 overflow-x-auto px-4 sm:mx-0 sm:px-0"
    >
      {rounds.map((round) => (
        <li key={round.market_id} className="shrink-0">
          <Round round={round} tick={ticks.get(round.market_id) ?? null} />
        </li>
      ))}
    </ul>
  );
}

function Round({ round, tick }: { readonly round: Market; readonly tick: Tick | null }) {
  const locale = useLocale();
  const [up] = round.outcomes;
  const price = tick?.up_price ?? up?.price ?? '0';
  const { symbol } = round.params;
  return (
    <PageLink
      to={`/m/${round.market_id}`}
      className="flex h-10 items-center gap-3 rounded-md border border-line bg-surface px-3 hover:border-muted"
    >
      <Icon name="chart" />
      <span className="max-w-56 truncate font-semibold">
        {typeof symbol === 'string' ? symbol : titleOf(round)}
      </span>
      <span className="text-muted">
        {minuteTime(locale, round.opens_at_ms)}–{minuteTime(locale, round.closes_at_ms)}
      </span>
      <span className="font-semibold text-gain">
        {up === undefined ? '' : outcomeName(locale, round, up)} {cents(locale, price, 0)}¢
      </span>
      {tick !== null && <Left tick={tick} />}
    </PageLink>
  );
}

function Left({ tick }: { readonly tick: Tick }) {
  const leftMs = tick.ts_ms + tick.ms_to_lock - useNow();
  return <span className="w-10 text-right text-muted">{countdown(leftMs)}</span>;
}
