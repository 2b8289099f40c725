// The ticket on a phone: two buttons at the thumb, and a sheet from below.

import { outcomeName } from '@sibyl/contract/names';
import { Button } from '../../../components/button.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { cents } from '../../../format/amounts.ts';
import { useLocale, useTexts } from '../../../texts/use-texts.ts';
import type { DraftChange } from '../draft.ts';
import { noTexts } from '../no-texts.ts';
import { noPrice } from './order-figures.ts';
import { ticketTexts } from './texts.ts';
import { TicketForm, type TicketProps } from './ticket.tsx';

interface Props extends TicketProps {
  readonly isOpen: boolean;
  readonly onOpen: () => void;
  readonly onClose: () => void;
}

export function TicketSheet({ isOpen, onOpen, onClose, ...ticket }: Props) {
  const t = useTexts(ticketTexts);
  const say = useTexts(noTexts);
  const locale = useLocale();
  const { market, tickers, change, refusal, draft } = ticket;
  const isMulti = market.outcomes.length > 2;
  const open = (next: DraftChange): void => {
    change({ side: 'buy', ...next });
    onOpen();
  };
  const ticker = tickers.get(draft.outcomeId);
  // Of many answers the chosen one, for and against; of two each.
  const sides = isMulti
    ? [
        { name: say('yes'), price: ticker?.best_ask, next: { isNo: false } },
        { name: say('no'), price: noPrice(ticker?.best_bid ?? null), next: { isNo: true } },
      ]
    : market.outcomes.map((outcome) => ({
        name: outcomeName(locale, market, outcome),
        price: tickers.get(outcome.id)?.best_ask,
        next: { outcomeId: outcome.id },
      }));
  return (
    <>
      {refusal === null && (
        // The frame makes room for what is marked so: it would lie on the end of the page.
        <div
          data-bar
          className="fixed inset-x-0 bottom-[calc(3.5rem+env(safe-area-inset-bottom))] z-10 flex gap-2 border-t border-line bg-surface p-3"
        >
          {sides.map(({ name, price, next }, index) => (
            <Button
              key={name}
              kind={index === 0 ? 'gain' : 'loss'}
              size="large"
              isWide
              onClick={() => open(next)}
            >
              <bdi className="truncate">{name}</bdi>
              {price !== null && price !== undefined && <span>{cents(locale, price)}¢</span>}
            </Button>
          ))}
        </div>
      )}
      <Dialog title={t('ticket')} isOpen={isOpen} onClose={onClose}>
        <TicketForm {...ticket} />
      </Dialog>
    </>
  );
}
