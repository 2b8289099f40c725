// Asks once more before an order with real money is sent.

import type { Market, OrderInput } from '@sibyl/sdk';
import { useEffect, useRef } from 'react';
import { Button } from '../../../components/button.tsx';
import { cents, money, shares } from '../../../format/amounts.ts';
import { nameOf } from '../../../format/outcomes.ts';
import { lane } from '../../../lane.ts';
import { useAsset } from '../../../live/use-asset.ts';
import { useLocale, useTexts } from '../../../texts/use-texts.ts';
import { ticketTexts } from './texts.ts';

interface Props {
  readonly market: Market;
  readonly input: OrderInput;
  readonly onConfirm: () => void;
  readonly onBack: () => void;
}

export function Confirmation({ market, input, onConfirm, onBack }: Props) {
  const t = useTexts(ticketTexts);
  const locale = useLocale();
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), []);
  const asset = useAsset(market);
  const name = nameOf(locale, market, input.outcome_id);
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
        {t(input.side === 'buy' ? 'buyOf' : 'sellOf', { outcome: name, lane: t(lane) })}
      </p>
      <p>
        {amount}, {price}
      </p>
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
