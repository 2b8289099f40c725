// One market: what it is, how it stands, and everything that can be done to it.
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { Figure } from '../../components/figure.tsx';
import { dateTime } from '../../format/times.ts';
import { ActButton } from '../acts/act-button.tsx';
import { Cancellation } from './cancellation.tsx';
import type { FoundMarket } from './markets-page.tsx';

interface Props {
  readonly market: FoundMarket;
  readonly onClose: () => void;
}

export function MarketPanel({ market, onClose }: Props) {
  return (
    <Card
      title={market.title.trim() === '' ? market.market_id : market.title}
      aside={
        <span className="flex items-center gap-1">
          <code className="text-xs">{market.market_id}</code>
          <CopyButton text={market.market_id} />
          <Button size="small" onClick={onClose}>
            Close
          </Button>
        </span>
      }
    >
      <div className="flex flex-col gap-4">
        <Facts market={market} />
        {market.halt_message !== null && <Halt message={market.halt_message} />}
        {market.cancellation === null ? (
          <Answer market={market} />
        ) : (
          <ProposedCancellation market={market} cancellation={market.cancellation} />
        )}
        <Acts market={market} />
        {isOpenToCancel(market) && <Cancellation key={market.market_id} market={market} />}
      </div>
    </Card>
  );
}

/** The name under which the engine halts a market. */
const BREAKER = 'circuit_breaker';

function Halt({ message }: { readonly message: string }) {
  return (
    <p className="break-words">
      {message === BREAKER ? (
        'Halted by the circuit breaker: prices moved too far.'
      ) : (
        <>
          Users read: <q>{message}</q>
        </>
      )}
    </p>
  );
}

const NO_VOLUME = '0.000000';

function isOpenToCancel({ status, cancellation }: FoundMarket): boolean {
  return status !== 'resolved' && status !== 'cancelled' && cancellation === null;
}

const day = new Intl.DateTimeFormat('en', { dateStyle: 'medium' });

function Facts({ market }: { readonly market: FoundMarket }) {
  const { outcomes } = market;
  return (
    <dl className="grid grid-cols-2 gap-3 sm:grid-cols-4">
      <Figure label="State">{market.halted ? `${market.status}, halted` : market.status}</Figure>
      <Figure label="Closes">{day.format(market.closes_at_ms)}</Figure>
      <Figure label="Volume">{market.total_volume}</Figure>
      <Figure label="Open interest">{market.open_interest}</Figure>
      <Figure label="Tick">{market.tick_size}</Figure>
      <Figure label="Objections for">{market.challenge_sec} s</Figure>
      <Figure label="Template">{market.template_id}</Figure>
      <Figure label="Made by">{market.creator_id ?? 'the platform'}</Figure>
      <div className="col-span-full">
        <dt className="text-xs text-muted">Outcomes</dt>
        <dd>{outcomes.map(({ id, label, price }) => `${label} (${id}) ${price}`).join(', ')}</dd>
      </div>
    </dl>
  );
}

function Answer({ market }: { readonly market: FoundMarket }) {
  const { resolution } = market;
  if (resolution === null) return null;
  const { state, winning_outcome_id: winner, challenge_ends_at_ms: endsMs, evidence } = resolution;
  return (
    <div className="rounded-md bg-page p-3">
      <p className="flex flex-wrap items-center gap-2">
        <strong>Answer: {winner ?? 'split'}</strong>
        <Badge tone={resolution.disputed ? 'loss' : 'accent'}>
          {resolution.disputed ? 'disputed' : state}
        </Badge>
        {endsMs !== null && (
          <span className="text-muted">challenge until {dateTime('en', endsMs)}</span>
        )}
      </p>
      {winner === null && <p className="mt-1">{payouts(market)}</p>}
      {market.proposed_by !== null && <p className="mt-1">Proposed by {market.proposed_by}</p>}
      <Evidence lines={evidence} />
      <Dispute market={market} />
    </div>
  );
}

interface CancellationProps {
  readonly market: FoundMarket;
  readonly cancellation: NonNullable<FoundMarket['cancellation']>;
}

function ProposedCancellation({ market, cancellation }: CancellationProps) {
  const {
    cause,
    reason,
    window,
    excluded,
    proposed_by: by,
    notice_ends_at_ms: ends,
  } = cancellation;
  return (
    <section aria-label="Proposed cancellation" className="rounded-md bg-page p-3">
      <p className="flex flex-wrap items-center gap-2">
        <strong>{market.status === 'cancelled' ? 'Cancelled' : 'Cancellation proposed'}</strong>
        <Badge tone="warn">{cause}</Badge>
        {ends !== null && <span className="text-muted">notice until {dateTime('en', ends)}</span>}
      </p>
      <p className="mt-1 wrap-anywhere">{reason}</p>
      {by !== null && <p className="mt-1">Proposed by {by}</p>}
      <p className="mt-1">
        {window === null
          ? 'Default window'
          : `Window ${dateTime('en', window.from_at_ms)} to ${dateTime('en', window.to_at_ms)}`}
        {excluded.length > 0 && `, without ${excluded.join(', ')}`}
      </p>
      <p className="mt-1">{payouts(market)}</p>
      <Evidence lines={market.resolution?.evidence ?? []} />
    </section>
  );
}

function payouts({ resolution }: FoundMarket): string {
  const vector = resolution?.payout_vector ?? [];
  return vector.map(({ outcome_id: id, payout }) => `${id} ${payout}`).join(', ');
}

/** Whoever rules reads both sides. */
function Dispute({ market }: { readonly market: FoundMarket }) {
  const { dispute } = market;
  if (dispute === null) return null;
  return (
    <section aria-label="Dispute" className="mt-3 border-t border-line pt-3">
      <p>
        <strong>Disputed by</strong> <code className="text-xs">{dispute.raised_by}</code> with a
        bond of {dispute.bond}, {dateTime('en', dispute.raised_at_ms)}; without a ruling by{' '}
        {dateTime('en', dispute.ruling_due_at_ms)} the proposal of an operator is carried out, and
        that of an account is dropped.
      </p>
      <Evidence lines={dispute.evidence} />
    </section>
  );
}

function Evidence({ lines }: { readonly lines: readonly string[] }) {
  if (lines.length === 0) return <p className="mt-1 text-muted">No evidence was given.</p>;
  return (
    <ul className="mt-1 text-muted">
      {lines.map((line) => (
        <li key={line} className="wrap-anywhere">
          {line}
        </li>
      ))}
    </ul>
  );
}

function Acts({ market }: { readonly market: FoundMarket }) {
  const preset = { market_id: market.market_id };
  const options = {
    winning_outcome_id: market.outcomes.map(({ id, label }) => ({ value: id, label })),
  };
  const isOver = market.status === 'resolved' || market.status === 'cancelled';
  return (
    <div className="flex flex-wrap gap-2">
      {!market.approved && (
        <ActButton act="approveMarket" label="Approve" kind="primary" preset={preset} />
      )}
      {market.halted ? (
        <ActButton act="resumeMarket" label="Resume" kind="primary" preset={preset} />
      ) : (
        !isOver && <ActButton act="haltMarket" label="Halt" preset={preset} />
      )}
      {market.cancellation !== null && market.status === 'settling' && (
        <ActButton
          act="confirmCancellation"
          label="Confirm or drop the cancellation"
          kind="danger"
          preset={preset}
        />
      )}
      {!isOver && market.total_volume === NO_VOLUME && (
        <ActButton act="cancelMarket" label="Cancel, untraded" kind="danger" preset={preset} />
      )}
      {!isOver && market.cancellation === null && (
        <>
          <ActButton
            act="proposeResolution"
            label="Propose an answer"
            preset={preset}
            options={options}
          />
          <ActButton act="ruleResolution" label="Rule" preset={preset} options={options} />
          <ActButton act="setTickSize" label="Finer tick" preset={preset} />
        </>
      )}
      <ActButton act="clarifyMarket" label="Clarify" preset={preset} />
      <ActButton
        act="attachChainData"
        label="Attach chain data"
        preset={{ record: 'market', id: market.market_id }}
      />
    </div>
  );
}
