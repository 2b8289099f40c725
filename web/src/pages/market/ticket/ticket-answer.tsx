// What the exchange answered to the order, in one sentence; undoing is offered only where it is true.
import type { Market, Order, PlacedOrder } from '@sibyl/sdk';
import { parseAmount } from '@sibyl/sdk';
import { Button } from '../../../components/button.tsx';
import { Icon } from '../../../components/icon.tsx';
import { cents, exactMoney, shares } from '../../../format/amounts.ts';
import { nameOf } from '../../../format/outcomes.ts';
import { useAccount } from '../../../live/account-provider.tsx';
import { isUnanswered } from '../../../texts/errors.ts';
import { useLocale, useTexts } from '../../../texts/use-texts.ts';
import { PreviewProblem } from './preview-problem.tsx';
import { ticketTexts } from './texts.ts';
import type { Answer } from './use-placing.ts';

interface Props {
  readonly market: Market;
  readonly answer: Answer;
  readonly onUndo: (order: Order) => void;
}

export function TicketAnswer({ market, answer, onUndo }: Props) {
  const t = useTexts(ticketTexts);
  const account = useAccount();
  if (answer.kind === 'failed') {
    if (isUnanswered(answer.error)) return <Note isGood={false}>{t('unanswered')}</Note>;
    return <PreviewProblem error={answer.error} />;
  }
  if (answer.kind === 'undone') return <Note isGood>{t('undone')}</Note>;
  const { order } = answer;
  // The account's stream knows whether it still rests.
  const isResting = account?.orders.has(order.order_id) ?? false;
  return (
    <Note isGood={order.status !== 'rejected'}>
      <Sentence market={market} order={order} />
      {isResting && (
        <Button size="small" onClick={() => onUndo(order)}>
          {t('undo')}
        </Button>
      )}
    </Note>
  );
}

function Sentence({ market, order }: { readonly market: Market; readonly order: PlacedOrder }) {
  const t = useTexts(ticketTexts);
  const locale = useLocale();
  const name = nameOf(locale, market, order.outcome_id);
  if (order.status === 'rejected')
    return <p>{t(rejections[order.reject_reason ?? ''] ?? 'rejected')}</p>;
  const isFilled = parseAmount(order.filled_size) > 0n;
  const isWaiting = order.status === 'pending' || order.status === 'partially_filled';
  const isCut = order.status === 'cancelled' && order.max_cost === null;
  return (
    <div className="flex min-w-0 flex-col gap-0.5">
      {isFilled && (
        <p dir="auto" className="font-semibold">
          {t(order.side === 'buy' ? 'bought' : 'sold', {
            size: shares(locale, order.filled_size),
            outcome: name,
            price: cents(locale, order.avg_fill_price ?? '0', 2),
          })}
        </p>
      )}
      {isFilled && (
        <p className="text-xs">{t('feePaid', { fee: exactMoney(locale, order.fee_paid) })}</p>
      )}
      {isWaiting && (
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

const rejections: Readonly<Record<string, keyof typeof ticketTexts>> = {
  fok_unfillable: 'rejectedFok',
  post_only_would_cross: 'rejectedPostOnly',
  late: 'rejectedLate',
  nothing_to_reduce: 'rejectedReduce',
};

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
