// A cancellation before it is proposed: the payout by three windows, who gains and who loses, and what speaks against it.
import type { InputOf, OperatorOperations, OutputOf } from '@sibyl/contract/console';
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { CheckBox } from '../../components/check-box.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { Field } from '../../components/field.tsx';
import { Figure } from '../../components/figure.tsx';
import { Select } from '../../components/select.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { dateTime, duration } from '../../format/times.ts';
import { ActButton } from '../acts/act-button.tsx';
import { useAsk } from '../use-ask.ts';
import { CancellationChart } from './cancellation-chart.tsx';
import { holderColumns, lateColumns } from './cancellation-holders.tsx';
import type { FoundMarket } from './markets-page.tsx';

export type Preview = OutputOf<OperatorOperations['previewCancellation']>;
type Value = Preview['default'];
type Query = InputOf<OperatorOperations['previewCancellation']>['query'];
type Cause = NonNullable<Query['cause']>;

const CAUSES: readonly { readonly value: Cause; readonly label: string }[] = [
  { value: 'event', label: 'The event became void' },
  { value: 'question', label: 'The question is ambiguous' },
  { value: 'source', label: 'The source failed' },
  { value: 'other', label: 'Another cause' },
];

const FLAGS: Readonly<Record<Preview['flags'][number], string>> = {
  thin: 'Thin: few families or little depth in the default window. Name a window.',
  moved: 'Moved: the default window and the last 24 hours differ by more than 5¢. Name a window.',
  late_trades: 'Late trades: trades after the end of the window stand as they are.',
};

export function Cancellation({ market }: { readonly market: FoundMarket }) {
  const [query, setQuery] = useState<Query | null>(null);
  const { market_id: id, lane } = market;
  const { data, error, isFetching } = useAsk(
    'previewCancellation',
    { params: { market_id: id }, query: query ?? { lane } },
    { isWanted: query !== null },
  );
  return (
    <section aria-label="Cancellation" className="flex flex-col gap-4 border-t border-line pt-4">
      <Terms market={market} isBusy={isFetching} onAsk={setQuery} />
      {error !== null && <ErrorNote error={error} />}
      {data !== undefined && query !== null && (
        <Shown market={market} preview={data} query={query} />
      )}
    </section>
  );
}

interface TermsProps {
  readonly market: FoundMarket;
  readonly isBusy: boolean;
  readonly onAsk: (query: Query) => void;
}

/** What the cancellation is asked with; the window may stay empty. */
function Terms({ market, isBusy, onAsk }: TermsProps) {
  const [cause, setCause] = useState<Cause>('event');
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const [excluded, setExcluded] = useState<readonly string[]>([]);
  const fromMs = new Date(from).getTime();
  const toMs = new Date(to).getTime();
  const isNamed = !Number.isNaN(fromMs) && !Number.isNaN(toMs);
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        onAsk({
          lane: market.lane,
          cause,
          ...(isNamed && { from_ms: fromMs, to_ms: toMs }),
          ...(excluded.length > 0 && { excluded: excluded.join(',') }),
        });
      }}
    >
      <p className="text-muted">
        Halt the market before you preview: the payout changes while it trades.
      </p>
      <div className="flex flex-wrap items-end gap-2">
        <Select label="Cause" value={cause} choices={CAUSES} onChoose={setCause} />
        <Field
          label="Window from (optional)"
          type="datetime-local"
          step="1"
          value={from}
          onChange={(event) => setFrom(event.target.value)}
        />
        <Field
          label="Window to (optional)"
          type="datetime-local"
          step="1"
          value={to}
          onChange={(event) => setTo(event.target.value)}
        />
      </div>
      <fieldset className="flex flex-wrap gap-x-4 gap-y-1">
        <legend className="text-xs text-muted">Outcomes known to be false</legend>
        {market.outcomes.map(({ id, label }) => (
          <CheckBox
            key={id}
            label={label}
            isChecked={excluded.includes(id)}
            onToggle={(isChecked) =>
              setExcluded(isChecked ? [...excluded, id] : excluded.filter((each) => each !== id))
            }
          />
        ))}
      </fieldset>
      <Button size="small" type="submit" isBusy={isBusy}>
        Preview a cancellation
      </Button>
    </form>
  );
}

interface ShownProps {
  readonly market: FoundMarket;
  readonly preview: Preview;
  readonly query: Query;
}

function Shown({ market, preview, query }: ShownProps) {
  return (
    <>
      <ul className="flex flex-col gap-1">
        {preview.flags.map((flag) => (
          <li key={flag} className="rounded-md bg-warn-soft p-2 font-semibold text-warn">
            {FLAGS[flag]}
          </li>
        ))}
      </ul>
      <Values market={market} preview={preview} />
      <dl className="grid grid-cols-2 gap-3 sm:grid-cols-4">
        <Figure label="Families that traded">{preview.families}</Figure>
        <Figure label="Holders">{preview.holders}</Figure>
        <Figure label="Fees returned">{preview.fees_returned}</Figure>
        <Figure label="Pool receives">
          {preview.pool_paid} of {preview.pool_deposit}
        </Figure>
        <Figure label="Pool excess to insurance">{preview.pool_excess}</Figure>
      </dl>
      <CancellationChart market={market} preview={preview} />
      <Holders title="Largest losers" rows={preview.losers} />
      <Holders title="Largest gainers" rows={preview.gainers} />
      {preview.late_trades.length > 0 && (
        <div>
          <h3 className="font-semibold">Trades after the window, by family</h3>
          <Table
            label="Trades after the window"
            columns={lateColumns}
            rows={preview.late_trades}
            keyOf={({ family }) => family}
          />
        </div>
      )}
      <ActButton
        act="proposeCancellation"
        label="Propose this cancellation"
        kind="danger"
        preset={{ market_id: market.market_id }}
        values={valuesOf(preview, query)}
      />
    </>
  );
}

/** The act starts with what was previewed. */
function valuesOf(preview: Preview, { cause, from_ms, to_ms, excluded }: Query) {
  const { payout_vector: expected } = preview.named ?? preview.default;
  return {
    cause: cause ?? 'other',
    ...(from_ms !== undefined && { window: { from_ms, to_ms } }),
    ...(excluded !== undefined && { excluded: excluded.split(',') }),
    expected,
  };
}

function Values({ market, preview }: Omit<ShownProps, 'query'>) {
  const values = [
    { name: 'Default', value: preview.default },
    { name: 'Last 24 hours', value: preview.last_day },
    ...(preview.named === null ? [] : [{ name: 'Named window', value: preview.named }]),
  ];
  const columns: readonly Column<(typeof values)[number]>[] = [
    { id: 'name', title: 'Window', cell: ({ name }) => name },
    ...market.outcomes.map(({ id, label }) => ({
      id,
      title: label,
      isFigure: true,
      cell: ({ value }: { readonly value: Value }) =>
        value.payout_vector.find(({ outcome_id }) => outcome_id === id)?.payout ?? '',
    })),
    { id: 'span', title: 'Prices of', isMinor: true, cell: ({ value }) => spanOf(value) },
    { id: 'sources', title: 'Sources', isMinor: true, cell: ({ value }) => sourcesOf(value) },
  ];
  return (
    <Table label="Payout per share" columns={columns} rows={values} keyOf={({ name }) => name} />
  );
}

function spanOf({ window, window_ms: ms }: Value): string {
  if (window === null) return 'never traded';
  const span = `${dateTime('en', window.from_at_ms)} to ${dateTime('en', window.to_at_ms)}`;
  return `${span}: ${duration('en', ms)}`;
}

function sourcesOf({ sources }: Value): string {
  return Object.entries(sources)
    .filter(([, share]) => share > 0)
    .map(([name, share]) => `${name} ${share} %`)
    .join(', ');
}

interface HoldersProps {
  readonly title: string;
  readonly rows: Preview['gainers'];
}

function Holders({ title, rows }: HoldersProps) {
  if (rows.length === 0) return null;
  return (
    <div>
      <h3 className="font-semibold">{title}</h3>
      <Table label={title} columns={holderColumns} rows={rows} keyOf={({ account_id: id }) => id} />
    </div>
  );
}
