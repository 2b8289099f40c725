// What the exchange answered to the order, in one sentence; undoing is offered only where it is true.
import { nameOf } from '@sibyl/contract/names';
import type { Market, Order, PlacedOrder } from '@sibyl/sdk';
import { parseAmount } from '@sibyl/sdk';
import { useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { Icon } from '../../../components/icon.tsx';
import { cents, money, shares } from '../../../format/amounts.ts';
import { useAccount } from '../../../live/account-provider.tsx';
import { isUnanswered } from '../../../texts/errors.ts';
import { useLocale, useTexts } from '../../../texts/use-texts.ts';
import { noTexts } from '../no-texts.ts';
import { noPrice } from './order-figures.ts';
import { PreviewProblem } from './preview-problem.tsx';
import { ticketTexts } from './texts.ts';
import type { Answer } from './use-placing.ts';

interface Props {
  readonly market: Market;
  readonly answer: Answer;
  readonly onUndo: (order: Order) => void;
}

export function TicketAnswer(props: Props) {
  const { answer } = props;
  return (
    <div key={answer.kind === 'placed' ? answer.order.order_id : answer.kind} ref={seen}>
      <AnswerNote {...props} />
    </div>
  );
}

function AnswerNote({ market, answer, onUndo }: Props) {
  const t = useTexts(ticketTexts);
  if (answer.kind === 'failed') {
    if (isUnanswered(answer.error)) return <Note isGood={false}>{t('unanswered')}</Note>;
    return <PreviewProblem error={answer.error} />;
  }
  if (answer.kind === 'undone') return <Note isGood>{t('undone')}</Note>;
  const { order, isNo } = answer;
  const placed = { market, order, isNo, onUndo };
  return <Placed key={order.order_id} {...placed} />;
}

interface PlacedProps extends Pick<Props, 'market' | 'onUndo'> {
  readonly order: PlacedOrder;
  /** Against the answer, whose shares were sold for it. */
  readonly isNo: boolean;
}

/** The account's stream knows whether it still rests; its first word may come after the answer. */
function Placed({ market, order, isNo, onUndo }: PlacedProps) {
  const t = useTexts(ticketTexts);
  const account = useAccount();
  const isResting = account?.orders.has(order.order_id) ?? false;
  const [hasRested, setRested] = useState(false);
  if (isResting && !hasRested) setRested(true);
  return (
    <Note isGood={order.status !== 'rejected'}>
      {isWaiting(order) && hasRested && !isResting ? (
        <p>{t('restsNoMore')}</p>
      ) : (
        <Sentence market={market} order={order} isNo={isNo} />
      )}
      {isResting && (
        <Button size="small" onClick={() => onUndo(order)}>
          {t('undo')}
        </Button>
      )}
    </Note>
  );
}

/** By the answer, in which the stream's first word may still be missing. */
function isWaiting({ status }: PlacedOrder): boolean {
  return status === 'pending' || status === 'partially_filled';
}

function Sentence({ market, order, isNo }: Omit<PlacedProps, 'onUndo'>) {
  const t = useTexts(ticketTexts);
  const say = useTexts(noTexts);
  const locale = useLocale();
  const name = nameOf(locale, market, order.outcome_id);
  const outcome = isNo ? say('noOn', { outcome: name }) : name;
  const average = order.avg_fill_price ?? '0';
  if (order.status === 'rejected') return <p>{t(rejectionOf(order.reject_reason))}</p>;
  const isFilled = parseAmount(order.filled_size) > 0n;
  const isCut = order.status === 'cancelled' && order.max_cost === null;
  return (
    <div className="flex min-w-0 flex-col gap-0.5">
      {isFilled && (
        <p dir="auto" className="font-semibold">
          {t(order.side === 'buy' || isNo ? 'bought' : 'sold', {
            size: shares(locale, order.filled_size),
            outcome,
            price: cents(locale, (isNo ? noPrice(average) : average) ?? '0', 2),
          })}
        </p>
      )}
      {isFilled && (
        <p className="text-xs">{t('feePaid', { fee: money(locale, order.fee_paid) })}</p>
      )}
      {isWaiting(order) && (
        <p dir="auto" className={isFilled ? '' : 'font-semibold'}>
          {t('resting', {
            size: shares(locale, order.remaining_size),
            outcome: name,
            price: cents(locale, order.price ?? '0', 2),
          })}
        </p>
      )}
      {isCut && <p>{t(isFilled ? 'restCancelled' : 'nothingFilled')}</p>}
    </div>
  );
}

/** The text for the reason of a rejection. */
export function rejectionOf(reason: string | null): keyof typeof ticketTexts {
  return rejections[reason ?? ''] ?? 'rejected';
}

const rejections: Readonly<Record<string, keyof typeof ticketTexts>> = {
  fok_unfillable: 'rejectedFok',
  post_only_would_cross: 'rejectedPostOnly',
  late: 'rejectedLate',
  nothing_to_reduce: 'rejectedReduce',
};

/** The sheet of a phone may end above it; it grows once the account's stream offers to undo. */
function seen(answer: HTMLElement | null): (() => void) | undefined {
  if (answer === null || answer.closest('[role=dialog]') === null) return undefined;
  const sizes = new ResizeObserver(() => answer.scrollIntoView({ block: 'nearest' }));
  sizes.observe(answer);
  return () => sizes.disconnect();
}

interface NoteProps {
  readonly isGood: boolean;
  readonly children: React.ReactNode;
}

function Note({ isGood, children }: NoteProps) {
  return (
    <div
      role="status"
      className={`flex items-center justify-between gap-3 rounded-md p-3 ${isGood ? 'bg-gain-soft text-gain' : 'bg-warn-soft text-warn'}`}
    >
      <Icon name={isGood ? 'check' : 'warn'} />
      <div className="flex min-w-0 flex-1 items-center justify-between gap-2">{children}</div>
    </div>
  );
}
