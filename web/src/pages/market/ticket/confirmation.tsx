// Asks once more before an order with real money is sent.

import { nameOf } from '@sibyl/contract/names';
import { type Market, type OrderInput, parseAmount } from '@sibyl/sdk';
import { useEffect, useRef } from 'react';
import { Button } from '../../../components/button.tsx';
import { cents, money, shares } from '../../../format/amounts.ts';
import { lane } from '../../../lane.ts';
import { useLocale, useTexts } from '../../../texts/use-texts.ts';
import { noTexts } from '../no-texts.ts';
import { ticketTexts } from './texts.ts';
import type { Preview } from './use-preview.ts';

interface Props {
  readonly market: Market;
  readonly input: OrderInput;
  readonly preview: Preview;
  readonly onConfirm: () => void;
  readonly onBack: () => void;
}

export function Confirmation({ market, input, preview, onConfirm, onBack }: Props) {
  const t = useTexts(ticketTexts);
  const locale = useLocale();
  const say = useTexts(noTexts);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), []);
  const { asset } = market;
  const name = nameOf(locale, market, input.outcome_id);
  const isNo = input.mint === true;
  const amount =
    input.max_cost === undefined
      ? t('countOf', { size: shares(locale, input.size) })
      : t('forAtMost', { amount: money(locale, input.max_cost), asset });
  const price =
    input.price === undefined
      ? t('atMarket')
      : t('atLimit', { price: cents(locale, input.price, 2) });
  return (
    <div
      ref={box}
      tabIndex={-1}
      role="alertdialog"
      aria-label={t('confirm')}
      className="flex flex-col gap-2 rounded-md border border-live p-3 outline-none"
    >
      <p dir="auto" className="font-semibold">
        {t(input.side === 'buy' || isNo ? 'buyOf' : 'sellOf', {
          outcome: isNo ? say('noOn', { outcome: name }) : name,
          lane: t(lane),
        })}
      </p>
      <p>
        {amount}, {price}
      </p>
      <Forecast market={market} preview={preview} />
      <div className="flex gap-2">
        <Button isWide onClick={onBack}>
          {t('back')}
        </Button>
        <Button kind="primary" isWide onClick={onConfirm}>
          {t('confirm')}
        </Button>
      </div>
    </div>
  );
}

/** What the exchange would do with it now; nothing while that is not known. */
function Forecast({ market, preview: { placed, isOld } }: Pick<Props, 'market' | 'preview'>) {
  const t = useTexts(ticketTexts);
  const locale = useLocale();
  const { asset } = market;
  if (placed?.preview === undefined || isOld) return null;
  const { filled_size: filled, remaining_size: left, status, side, preview } = placed;
  const isBuy = side === 'buy' || preview.minted !== undefined;
  const isFilling = parseAmount(filled) > 0n;
  const isWaiting = status === 'pending' || status === 'partially_filled';
  const total = money(locale, preview.total);
  return (
    <div role="status">
      {isFilling && (
        <p>
          {t(isBuy ? 'willBuy' : 'willSell', {
            size: shares(locale, filled),
            amount: `${total} ${asset}`,
          })}
        </p>
      )}
      {isWaiting && <p>{t('willRest', { size: shares(locale, left) })}</p>}
      {!isFilling && !isWaiting && <p>{t(isBuy ? 'willDoNothing' : 'willNotSell')}</p>}
    </div>
  );
}
