// What an order would do: as the exchange previewed it, or as the order book suggests to a visitor.

import { limits } from '@sibyl/contract/limits';
import {
  formatAmount,
  type Market,
  type OrderInput,
  parseAmount,
  subtractAmounts,
} from '@sibyl/sdk';
import type { ReactNode } from 'react';
import { Amount } from '../../../components/amount.tsx';
import { Profit } from '../../../components/profit.tsx';
import { cents, money, priceDirectionOf, shares, signedCents } from '../../../format/amounts.ts';
import { lane } from '../../../lane.ts';
import type { Tickers } from '../../../live/use-tickers.ts';
import { useSession } from '../../../session/use-session.ts';
import { useLocale, useTexts } from '../../../texts/use-texts.ts';
import { doesNothing, figuresOf, type OrderFigures } from './order-figures.ts';
import { ticketTexts } from './texts.ts';
import { rejectionOf } from './ticket-answer.tsx';
import type { Preview } from './use-preview.ts';

interface Props {
  readonly market: Market;
  readonly input: OrderInput | null;
  readonly preview: Preview;
  /** Of a visitor's order; null for an account. */
  readonly estimate: OrderFigures | null;
  readonly tickers: Tickers;
}

/** Figures that are asked for anew step back and have a bar beside them; they stay readable. */
const WAITING =
  'relative text-muted before:absolute before:inset-y-0 before:-left-3 before:w-0.5 before:rounded-sm before:bg-accent';

export function TicketFigures({ market, input, preview, estimate, tickers }: Props) {
  const isVisitor = useSession().status !== 'signed_in';
  const { placed, isOld } = preview;
  const figures = isVisitor ? estimate : placed && figuresOf(placed);
  return (
    <>
      <dl
        aria-busy={!isVisitor && isOld}
        className={`flex flex-col gap-1.5 ${input?.order_type === 'limit' ? 'min-h-38' : 'min-h-46'} ${!isVisitor && isOld ? WAITING : ''}`}
      >
        {isVisitor && <BestPrice market={market} input={input} tickers={tickers} />}
        {figures !== null && <Rows market={market} figures={figures} />}
      </dl>
      {figures !== null && doesNothing(figures) && <Nothing figures={figures} />}
      {isVisitor && <EstimateNote />}
    </>
  );
}

function BestPrice({ market, input, tickers }: Pick<Props, 'market' | 'input' | 'tickers'>) {
  const t = useTexts(ticketTexts);
  const locale = useLocale();
  const ticker = tickers.get(input?.outcome_id ?? market.outcomes[0]?.id ?? '');
  const isBuy = input?.side !== 'sell';
  const price = isBuy ? ticker?.best_ask : ticker?.best_bid;
  const size = isBuy ? ticker?.ask_size : ticker?.bid_size;
  return (
    <Line label={t(isBuy ? 'bestAsk' : 'bestBid')}>
      {price === null || price === undefined
        ? t('nobody')
        : t('sharesAt', { size: shares(locale, size ?? '0'), price: cents(locale, price, 2) })}
    </Line>
  );
}

function EstimateNote() {
  const t = useTexts(ticketTexts);
  const locale = useLocale();
  return (
    <p className="text-xs text-muted">
      {lane === 'sandbox'
        ? t('demoNote', { amount: money(locale, limits.demo.balance) })
        : t('visitorNote')}
    </p>
  );
}

/** Why none of it would fill or rest. */
function Nothing({ figures: { isBuy, rejectReason } }: { readonly figures: OrderFigures }) {
  const t = useTexts(ticketTexts);
  const cancelled = isBuy ? 'willDoNothing' : 'willNotSell';
  return (
    <p role="status" className="rounded-md bg-warn-soft p-3 text-warn">
      {t(rejectReason === null ? cancelled : rejectionOf(rejectReason))}
    </p>
  );
}

interface RowsProps {
  readonly market: Market;
  readonly figures: OrderFigures;
}

function Rows({ market, figures }: RowsProps) {
  const t = useTexts(ticketTexts);
  const locale = useLocale();
  const { asset } = market;
  const { isBuy, filled, resting, fee, notional, total, average, freeAfter } = figures;
  const isFilling = parseAmount(filled) > 0n;
  const isResting = parseAmount(resting) > 0n;
  const proceeds = isResting ? 'proceedsFilled' : 'proceeds';
  return (
    <>
      {average !== null && (
        <Line label={t('average')}>
          {`${cents(locale, average, 2)}¢`} <Impact impact={figures.impact} />
        </Line>
      )}
      {isFilling && <Line label={t('fillsNow')}>{shares(locale, filled)}</Line>}
      {isResting && <Line label={t('rests')}>{shares(locale, resting)}</Line>}
      {!doesNothing(figures) && (
        <>
          <Line label={t('fee')}>
            <Amount amount={fee} />
            {isFilling && (
              <span className="text-muted">
                {' '}
                {t('feeRate', { percent: shares(locale, percentOf(fee, notional)) })}
              </span>
            )}
          </Line>
          <Line label={t(isBuy ? 'cost' : proceeds)} isStrong>
            <Amount amount={total} /> {asset}
          </Line>
          {isBuy && <Payout market={market} figures={figures} />}
        </>
      )}
      {freeAfter !== null && (
        <Line label={t('freeAfter')}>
          <Amount amount={freeAfter} />
        </Line>
      )}
    </>
  );
}

/** A share of a range pays all of it at one end only. */
function Payout({ market, figures: { filled, resting, total } }: RowsProps) {
  const t = useTexts(ticketTexts);
  const isScalar = market.outcome_schema === 'scalar';
  const payout = formatAmount(parseAmount(filled) + parseAmount(resting));
  return (
    <>
      <Line label={t(isScalar ? 'paysMost' : 'pays')}>
        <Amount amount={payout} />
      </Line>
      <Line label={t(isScalar ? 'profitMost' : 'profit')}>
        <Profit amount={subtractAmounts(payout, total)} />
      </Line>
    </>
  );
}

function Impact({ impact }: Pick<OrderFigures, 'impact'>) {
  const t = useTexts(ticketTexts);
  const locale = useLocale();
  if (impact === null || priceDirectionOf(impact) === 'flat') return null;
  return <span className="text-muted">{t('impact', { change: signedCents(locale, impact) })}</span>;
}

interface LineProps {
  readonly label: string;
  readonly isStrong?: boolean;
  readonly children: ReactNode;
}

function Line({ label, isStrong = false, children }: LineProps) {
  return (
    <div className="flex justify-between gap-3">
      <dt className="text-muted">{label}</dt>
      <dd className={`text-right ${isStrong ? 'font-semibold' : ''}`}>{children}</dd>
    </div>
  );
}

/** The fee in percent of the value of what fills. */
function percentOf(fee: string, notional: string): string {
  const whole = parseAmount(notional);
  if (whole <= 0n) return '0';
  const hundredths = (parseAmount(fee) * 10_000n + whole / 2n) / whole;
  return formatAmount(hundredths * 10_000n);
}
