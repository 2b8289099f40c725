// Which outcome: the two sides with their prices beside each other, or a list of answers.
import { outcomeName } from '@sibyl/contract/names';
import type { Market } from '@sibyl/sdk';
import { Select } from '../../../components/select.tsx';
import { cents } from '../../../format/amounts.ts';
import { useLocale, useTexts } from '../../../texts/use-texts.ts';
import { noTexts } from '../no-texts.ts';
import { noPrice } from './order-figures.ts';
import { ticketTexts } from './texts.ts';
import type { TicketProps } from './ticket.tsx';

type Props = Omit<TicketProps, 'refusal'>;

export function OutcomeChoice(props: Props) {
  const t = useTexts(ticketTexts);
  const say = useTexts(noTexts);
  const locale = useLocale();
  const { market, draft, change } = props;
  if (market.outcomes.length > 2) {
    return (
      <>
        <Select
          label={t('outcome')}
          value={draft.outcomeId}
          onChoose={(outcomeId) => change({ outcomeId })}
          choices={market.outcomes.map((outcome) => ({
            value: outcome.id,
            label: outcomeName(locale, market, outcome),
          }))}
        />
        {draft.side === 'buy' && (
          <fieldset aria-label={say('stance')} className="grid grid-cols-2 gap-2">
            <AgainstOrFor {...props} isFor />
            <AgainstOrFor {...props} isFor={false} />
          </fieldset>
        )}
        {draft.isNo && <p className="text-xs text-muted">{say('noNote')}</p>}
      </>
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
  return (
    <Choice
      isFirst={isFirst}
      isChosen={draft.outcomeId === outcome.id}
      price={price}
      onChoose={() => change({ outcomeId: outcome.id })}
    >
      {outcomeName(locale, market, outcome)}
    </Choice>
  );
}

/** For and against the chosen answer: No costs what its sale leaves of a set. */
function AgainstOrFor({ tickers, draft, change, isFor }: Props & { readonly isFor: boolean }) {
  const say = useTexts(noTexts);
  const ticker = tickers.get(draft.outcomeId);
  return (
    <Choice
      isFirst={isFor}
      isChosen={draft.isNo !== isFor}
      price={isFor ? ticker?.best_ask : noPrice(ticker?.best_bid ?? null)}
      onChoose={() => change({ isNo: !isFor })}
    >
      {say(isFor ? 'yes' : 'no')}
    </Choice>
  );
}

interface ChoiceProps {
  readonly isFirst: boolean;
  readonly isChosen: boolean;
  readonly price: string | null | undefined;
  readonly onChoose: () => void;
  readonly children: string;
}

function Choice({ isFirst, isChosen, price, onChoose, children }: ChoiceProps) {
  const locale = useLocale();
  const colour = isFirst
    ? 'aria-pressed:border-gain aria-pressed:bg-gain-soft aria-pressed:text-gain'
    : 'aria-pressed:border-loss aria-pressed:bg-loss-soft aria-pressed:text-loss';
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      onClick={onChoose}
      className={`flex h-11 min-w-0 items-center justify-center gap-2 rounded-md border border-line px-2 font-semibold hover:border-muted ${colour}`}
    >
      <bdi className="truncate">{children}</bdi>
      <span className="shrink-0">
        {price === null || price === undefined ? '–' : `${cents(locale, price)}¢`}
      </span>
    </button>
  );
}
