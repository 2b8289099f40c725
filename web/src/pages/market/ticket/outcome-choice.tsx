// Which outcome: the two sides with their prices beside each other, or a list of answers.
import type { Market } from '@sibyl/sdk';
import { Select } from '../../../components/select.tsx';
import { cents } from '../../../format/amounts.ts';
import { outcomeName } from '../../../format/outcomes.ts';
import { useLocale, useTexts } from '../../../texts/use-texts.ts';
import { ticketTexts } from './texts.ts';
import type { TicketProps } from './ticket.tsx';

type Props = Omit<TicketProps, 'refusal'>;

export function OutcomeChoice(props: Props) {
  const t = useTexts(ticketTexts);
  const locale = useLocale();
  const { market, draft, change } = props;
  if (market.outcomes.length > 2) {
    return (
      <Select
        label={t('outcome')}
        value={draft.outcomeId}
        onChoose={(outcomeId) => change({ outcomeId })}
        choices={market.outcomes.map((outcome) => ({
          value: outcome.id,
          label: outcomeName(locale, market, outcome),
        }))}
      />
    );
  }
  return (
    <fieldset aria-label={t('outcome')} className="grid grid-cols-2 gap-2">
      {market.outcomes.map((outcome, index) => (
        <Side key={outcome.id} {...props} outcome={outcome} isFirst={index === 0} />
      ))}
    </fieldset>
  );
}

interface SideProps extends Props {
  readonly outcome: Market['outcomes'][number];
  readonly isFirst: boolean;
}

function Side({ market, tickers, draft, change, outcome, isFirst }: SideProps) {
  const locale = useLocale();
  const ticker = tickers.get(outcome.id);
  const offered = draft.side === 'buy' ? ticker?.best_ask : ticker?.best_bid;
  const price = ticker === undefined ? outcome.price : offered;
  const colour = isFirst
    ? 'aria-pressed:border-gain aria-pressed:bg-gain-soft aria-pressed:text-gain'
    : 'aria-pressed:border-loss aria-pressed:bg-loss-soft aria-pressed:text-loss';
  return (
    <button
      type="button"
      aria-pressed={draft.outcomeId === outcome.id}
      onClick={() => change({ outcomeId: outcome.id })}
      className={`flex h-11 min-w-0 items-center justify-center gap-2 rounded-md border border-line px-2 font-semibold hover:border-muted ${colour}`}
    >
      <bdi className="truncate">{outcomeName(locale, market, outcome)}</bdi>
      <span className="shrink-0">
        {price === null || price === undefined ? '–' : `${cents(locale, price)}¢`}
      </span>
    </button>
  );
}
