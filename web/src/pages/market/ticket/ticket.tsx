// The ticket: what to buy or sell, how much and at which price, what it would do, and the one button that does it.
import { nameOf } from '@sibyl/contract/names';
import type { Market, OrderInput } from '@sibyl/sdk';
import { type FormEvent, useState } from 'react';
import { useBarred } from '../../../account/use-barred.ts';
import { Button } from '../../../components/button.tsx';
import { Segmented } from '../../../components/segmented.tsx';
import { openOverlay } from '../../../frame/overlay.ts';
import { lane } from '../../../lane.ts';
import { useNow } from '../../../live/use-now.ts';
import type { Tickers } from '../../../live/use-tickers.ts';
import { useSession, useWho } from '../../../session/use-session.ts';
import { useLocale, useTexts } from '../../../texts/use-texts.ts';
import { type Draft, type DraftChange, type Reading, readDraft } from '../draft.ts';
import { useIsMock } from '../mock-oracle.ts';
import { noTexts } from '../no-texts.ts';
import { Confirmation } from './confirmation.tsx';
import { LimitFields } from './limit-fields.tsx';
import { NothingFree, useIsBroke } from './nothing-free.tsx';
import { OutcomeChoice } from './outcome-choice.tsx';
import { PreviewProblem } from './preview-problem.tsx';
import { QuantityField } from './quantity-field.tsx';
import { ticketTexts } from './texts.ts';
import { TicketAnswer } from './ticket-answer.tsx';
import { TicketFigures } from './ticket-figures.tsx';
import { useEstimate } from './use-estimate.ts';
import { usePlacing } from './use-placing.ts';
import { usePreview } from './use-preview.ts';
import { useShortage } from './use-shortage.ts';

export interface TicketProps {
  readonly market: Market;
  readonly tickers: Tickers;
  readonly draft: Draft;
  readonly change: (change: DraftChange) => void;
  /** Why the market takes no orders; null if it does. */
  readonly refusal: string | null;
}

export function Ticket(props: TicketProps) {
  const t = useTexts(ticketTexts);
  return (
    <section aria-label={t('ticket')} className="rounded-lg border border-line bg-surface p-4">
      <TicketForm {...props} />
    </section>
  );
}

export function TicketForm({ market, tickers, draft, change, refusal: closed }: TicketProps) {
  const t = useTexts(ticketTexts);
  const locale = useLocale();
  const barred = useBarred(draft.side);
  const refusal = closed ?? barred;
  const nowMs = useNow();
  const placing = usePlacing();
  const [confirmed, setConfirmed] = useState<OrderInput | null>(null);
  const who = useWho();
  const [asked, setAsked] = useState({ draft, who });
  // What was asked and answered is about the ticket as it stood, whoever changes it: a field, the book, a key, a sign-in.
  if (asked.draft !== draft || asked.who !== who) {
    setAsked({ draft, who });
    setConfirmed(null);
    placing.forget();
  }
  const reading = readDraft(locale, market, draft, nowMs);
  const input = reading.ok ? reading.input : null;
  const estimate = useEstimate(market, input, tickers);
  const shortage = useShortage(market, input, estimate);
  const isBroke = useIsBroke() && draft.side === 'buy';
  const canAsk = refusal === null && shortage === null && !isBroke;
  const preview = usePreview(canAsk ? input : null);
  const send = (order: OrderInput): void => {
    setConfirmed(null);
    void placing.place(order);
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (input === null || refusal !== null || shortage !== null || placing.isBusy) return;
    if (lane === 'live') setConfirmed(input);
    else send(input);
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-3" noValidate>
      <Choices market={market} tickers={tickers} draft={draft} change={change} />
      {draft.type === 'limit' && (
        <LimitFields
          market={market}
          tickers={tickers}
          draft={draft}
          change={change}
          reading={reading}
        />
      )}
      <QuantityField market={market} draft={draft} change={change} reading={reading} />
      {refusal === null && isBroke && <NothingFree />}
      {refusal === null && !isBroke && (
        <TicketFigures
          market={market}
          input={input}
          preview={preview}
          estimate={estimate}
          tickers={tickers}
        />
      )}
      {preview.error !== null && placing.answer === null && (
        <PreviewProblem error={preview.error} onAccept={() => change({ isFarAccepted: true })} />
      )}
      <CreatorSettles market={market} />
      {confirmed === null ? (
        <Submit
          market={market}
          draft={draft}
          reading={reading}
          refusal={refusal ?? shortage}
          isBusy={placing.isBusy}
        />
      ) : (
        <Confirmation
          market={market}
          input={confirmed}
          preview={preview}
          onConfirm={() => send(confirmed)}
          onBack={() => setConfirmed(null)}
        />
      )}
      <div aria-live="polite">
        {placing.answer !== null && (
          <TicketAnswer market={market} answer={placing.answer} onUndo={placing.undo} />
        )}
      </div>
      {lane === 'live' && <p className="text-xs text-muted">{t('liveNote')}</p>}
    </form>
  );
}

/** Before an order in a market of play money whose creator decides how it ends, at any time. */
function CreatorSettles({ market }: { readonly market: Market }) {
  const t = useTexts(ticketTexts);
  const isMock = useIsMock(market);
  if (lane !== 'sandbox' || isMock !== true || market.creator_address === null) return null;
  return (
    <p role="note" className="rounded-md bg-warn-soft p-3 text-xs text-warn">
      {t('creatorSettles')}
    </p>
  );
}

function Choices({ market, tickers, draft, change }: Omit<TicketProps, 'refusal'>) {
  const t = useTexts(ticketTexts);
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <Segmented
          label={t('side')}
          value={draft.side}
          onChoose={(side) => change({ side })}
          choices={[
            { value: 'buy', label: t('buy') },
            { value: 'sell', label: t('sell') },
          ]}
        />
        <Segmented
          label={t('kind')}
          value={draft.type}
          onChoose={(type) => change({ type })}
          choices={[
            { value: 'market', label: t('market') },
            { value: 'limit', label: t('limit') },
          ]}
        />
      </div>
      <OutcomeChoice market={market} tickers={tickers} draft={draft} change={change} />
    </>
  );
}

interface SubmitProps {
  readonly market: Market;
  readonly draft: Draft;
  readonly reading: Reading;
  readonly refusal: string | null;
  readonly isBusy: boolean;
}

/** Names side, outcome and lane, so that nobody presses it by mistake. */
function Submit({ market, draft, reading, refusal, isBusy }: SubmitProps) {
  const t = useTexts(ticketTexts);
  const say = useTexts(noTexts);
  const locale = useLocale();
  const session = useSession();
  if (lane === 'live' && session.status === 'visitor') {
    return (
      <Button kind="primary" size="large" isWide onClick={() => openOverlay('sign_in')}>
        {t('signIn')}
      </Button>
    );
  }
  const name = nameOf(locale, market, draft.outcomeId);
  const missing = !reading.ok && 'missing' in reading ? t(`missing_${reading.missing}`) : null;
  const wrong = !reading.ok && 'problem' in reading ? t('mend') : null;
  return (
    <Button
      kind="primary"
      size="large"
      isWide
      type="submit"
      isBusy={isBusy}
      refusal={refusal ?? missing ?? wrong}
    >
      <span dir="auto" className="truncate">
        {t(draft.side === 'buy' ? 'buyOf' : 'sellOf', {
          outcome: draft.isNo ? say('noOn', { outcome: name }) : name,
          lane: t(lane),
        })}
      </span>
    </Button>
  );
}
