// Prices as their streams tell them, drawn at most once a frame.
import type { FrameOn } from '@sibyl/sdk';
import { useEffect, useState } from 'react';
import { positionKey } from './account-view.ts';
import { useSocket } from './use-live.ts';

export type Ticker = Extract<FrameOn<'ticker'>, { type: 'ticker' }>['data'];

export type Tickers = ReadonlyMap<string, Ticker>;

/** A connection hears so many streams at most; whoever holds more sees the rest at the price of the last snapshot. */
const HEARD_MAX = 120;

const none: Tickers = new Map();

/** Of a market, by outcome; empty until the stream has spoken, and for null. */
export function useTickers(marketId: string | null): Tickers {
  return useStreams(marketId ?? '', byOutcome);
}

interface Outcome {
  readonly market_id: string;
  readonly outcome_id: string;
}

/** Of outcomes of many markets, by market and outcome, as `positionKey` writes them. */
export function useTickersOf(outcomes: readonly Outcome[]): Tickers {
  const streams = outcomes.map(({ market_id: id, outcome_id: outcome }) => `${id}:${outcome}`);
  return useStreams(streams.slice(0, HEARD_MAX).sort().join(' '), positionKey);
}

function byOutcome({ outcome_id: id }: Ticker): string {
  return id;
}

/** The streams with a space between them; others begin with nothing. */
function useStreams(wanted: string, keyOf: (ticker: Ticker) => string): Tickers {
  const socket = useSocket();
  const [tickers, setTickers] = useState<Tickers>(none);
  useEffect(() => {
    setTickers(none);
    if (socket === null || socket.state === 'closed' || wanted === '') return;
    const heard = new Map<string, Ticker>();
    let frame = 0;
    const draw = (): void => {
      frame = 0;
      const news = [...heard];
      heard.clear();
      setTickers((before) => new Map([...before, ...news]));
    };
    const subscriptions = wanted.split(' ').map((stream) => {
      const subscription = socket.subscribe(`ticker:${stream}`, {
        onFrame: (each) => {
          if (each.type !== 'ticker') return;
          heard.set(keyOf(each.data), each.data);
          if (frame === 0) frame = requestAnimationFrame(draw);
        },
      });
      subscription.ready.catch(() => undefined);
      return subscription;
    });
    return () => {
      cancelAnimationFrame(frame);
      for (const subscription of subscriptions) subscription.close();
    };
  }, [socket, wanted, keyOf]);
  return tickers;
}
