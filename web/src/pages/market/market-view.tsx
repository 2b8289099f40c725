// The layout of a market's page: parts beside each other on a wide screen, below each other on a phone.
import type { Market } from '@sibyl/sdk';
import { useRouterState } from '@tanstack/react-router';
import { useCallback, useEffect, useEffectEvent, useState } from 'react';
import { isTaken } from '../../frame/use-frame-keys.ts';
import { useHealth } from '../../frame/use-health.ts';
import { lane } from '../../lane.ts';
import { useMedia, WIDE } from '../../live/use-media.ts';
import { useTickers } from '../../live/use-tickers.ts';
import { useLocale, useTexts } from '../../texts/use-texts.ts';
import { Book } from './book/book-card.tsx';
import { Chart } from './chart/chart-card.tsx';
import { type DraftChange, useDraft } from './draft.ts';
import { MarketHead } from './market-head.tsx';
import { MarketNote } from './market-note.tsx';
import { Outcomes } from './outcomes.tsx';
import { OwnPart } from './own/own-part.tsx';
import { Papers } from './papers/papers.tsx';
import { RoundCard } from './round-card.tsx';
import { SandboxTools } from './sandbox-tools.tsx';
import { ScalarRange } from './scalar-range.tsx';
import { Tape } from './tape.tsx';
import { marketTexts } from './texts.ts';
import { Ticket } from './ticket/ticket.tsx';
import { TicketSheet } from './ticket/ticket-sheet.tsx';
import { whyNoOrders } from './trading-state.ts';

interface Props {
  readonly market: Market;
  readonly haltReason: string | null;
}

export function MarketView({ market, haltReason }: Props) {
  const t = useTexts(marketTexts);
  const locale = useLocale();
  const tickers = useTickers(market.market_id);
  const isReadOnly = useHealth().health?.read_only ?? false;
  const refusal = whyNoOrders({ t, locale, market, haltReason, isReadOnly });
  const asked = useRouterState({ select: ({ location }) => location.searchStr });
  const [draft, change] = useDraft(market, asked);
  const isWide = useMedia(WIDE);
  const [isSheetOpen, setSheetOpen] = useState(() => asked.includes('outcome='));
  const choose = useCallback(
    (next: DraftChange): void => {
      change(next);
      setSheetOpen(true);
      const quantity = document.getElementById('ticket-quantity');
      quantity?.focus();
      // What is typed next replaces the quantity that the ticket begins with.
      if (quantity instanceof HTMLInputElement) quantity.select();
    },
    [change],
  );
  const takePrice = useCallback((price: string) => choose({ type: 'limit', price }), [choose]);
  useTradeKeys((side) => choose({ side }));
  const ticket = { market, tickers, draft, change, refusal };
  const outcome = market.outcomes.find(({ id }) => id === draft.outcomeId) ?? market.outcomes[0];
  const isOver = market.status === 'resolved' || market.status === 'cancelled';
  if (outcome === undefined) return null;
  return (
    <div className="grid gap-4 lg:grid-cols-[minmax(0,1fr)_20rem] xl:grid-cols-[minmax(0,1fr)_22rem]">
      <div className="flex min-w-0 flex-col gap-4">
        <MarketHead market={market} outcome={outcome} tickers={tickers} />
        <MarketNote market={market} refusal={refusal} />
        {market.market_type === 'fast' && <RoundCard market={market} />}
        <ScalarRange market={market} tickers={tickers} />
        {market.outcome_schema === 'multi' && <Outcomes {...ticket} onChoose={choose} />}
        <div className="flex min-w-0 flex-col gap-4 xl:grid xl:grid-cols-[minmax(0,1fr)_20rem] xl:items-start">
          <div className="contents xl:flex xl:min-w-0 xl:flex-col xl:gap-4">
            <div className="min-w-0">
              <Chart market={market} outcome={outcome} tickers={tickers} />
            </div>
            <div className="order-2 min-w-0">
              <OwnPart market={market} tickers={tickers} refusal={refusal} onClose={choose} />
            </div>
            <div className="order-4 min-w-0">
              <Papers market={market} />
            </div>
          </div>
          <div className="contents xl:flex xl:min-w-0 xl:flex-col xl:gap-4">
            {!isOver && (
              <div className="order-1 min-w-0">
                <Book market={market} outcome={outcome} onPrice={takePrice} />
              </div>
            )}
            <div className="order-3 min-w-0">
              <Tape market={market} />
            </div>
          </div>
        </div>
      </div>
      {isWide ? (
        <div className="sticky top-18 flex max-h-[calc(100dvh-5rem)] flex-col gap-4 self-start overflow-y-auto">
          <Ticket {...ticket} />
          {lane === 'sandbox' && <SandboxTools market={market} />}
        </div>
      ) : (
        <>
          {lane === 'sandbox' && <SandboxTools market={market} />}
          <TicketSheet
            {...ticket}
            isOpen={isSheetOpen}
            onOpen={() => setSheetOpen(true)}
            onClose={() => setSheetOpen(false)}
          />
        </>
      )}
    </div>
  );
}

function useTradeKeys(onSide: (side: 'buy' | 'sell') => void): void {
  const choose = useEffectEvent(onSide);
  useEffect(() => {
    let lastKey = '';
    const press = (event: KeyboardEvent): void => {
      const { key } = event;
      // After a g the key belongs to the pages.
      const isOurs = lastKey !== 'g' && !event.ctrlKey && !event.metaKey && !event.altKey;
      lastKey = key;
      if (!isOurs || isTaken(event.target) || (key !== 'b' && key !== 's')) return;
      event.preventDefault();
      choose(key === 'b' ? 'buy' : 'sell');
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
}
