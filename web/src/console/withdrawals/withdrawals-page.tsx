// Withdrawals of the live lane: how much goes where, whose it is, how far it is and what it waits for.
import { labelOf, type OperatorOperations, type OutputOf } from '@sibyl/contract/console';
import { Badge, type Tone } from '../../components/badge.tsx';
import { Card } from '../../components/card.tsx';
import { Empty } from '../../components/empty.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { RowOutlines } from '../../components/list-table.tsx';
import { Select } from '../../components/select.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { ago, dateTime } from '../../format/times.ts';
import { useNow } from '../../live/use-now.ts';
import { ActButton } from '../acts/act-button.tsx';
import { Facts } from '../acts/facts.tsx';
import { FindForm } from '../find-form.tsx';
import { useAddress } from '../use-address.ts';
import { useAsk } from '../use-ask.ts';
import { NeverPaid, PayoutActs } from './payout-acts.tsx';

type Withdrawal = OutputOf<OperatorOperations['findWithdrawals']>[number];

const STATES = ['open', 'requested', 'held', 'sent', 'completed', 'failed'] as const;
const CHOICES = ['any', ...STATES] as const;
type State = (typeof CHOICES)[number];

/** Who pays what people pay by hand. */
const TILL = 'local';

const SHOWN = 100;
const EVERY_MS = 5_000;

const TONES: Readonly<Partial<Record<Withdrawal['state'], Tone>>> = {
  held: 'warn',
  sent: 'accent',
  completed: 'gain',
  failed: 'loss',
};

export function Page() {
  const { record, filter, open, narrow } = useAddress();
  const { owner = '' } = filter;
  const state: State = CHOICES.find((known) => known === filter.state) ?? 'open';
  const query = {
    limit: SHOWN,
    ...(state !== 'any' && { state }),
    ...(owner !== '' && { owner }),
  };
  const { data, error } = useAsk('findWithdrawals', { query }, { everyMs: EVERY_MS });
  const nowMs = useNow();
  return (
    <div className="flex flex-col gap-4">
      <h1 className="text-lg font-semibold">Withdrawals, live</h1>
      <FindForm
        label="Account, subaccount, user or key ID"
        initial={owner}
        onFind={(name) => narrow({ owner: name })}
      >
        <Select
          label="State"
          value={state}
          onChoose={(next) => narrow({ state: next })}
          choices={[
            { value: 'any', label: 'Any state' },
            ...STATES.map((value) => ({ value, label: labelOf(value) })),
          ]}
        />
      </FindForm>
      {error !== null && <ErrorNote error={error} />}
      {data === undefined && error === null && <RowOutlines />}
      {record !== null && <OpenWithdrawal key={record} id={record} />}
      {data !== undefined && (
        <Card isFlush title={data.length < SHOWN ? 'The newest first' : `The newest ${SHOWN}`}>
          <Table
            label="Withdrawals"
            columns={columnsAt(nowMs)}
            rows={data}
            keyOf={({ withdrawal_id: id }) => id}
            onOpen={({ withdrawal_id: id }) => open(id)}
            empty={<Empty title="No withdrawals">Try another state or owner.</Empty>}
          />
        </Card>
      )}
    </div>
  );
}

function OpenWithdrawal({ id }: { readonly id: string }) {
  const params = { withdrawal_id: id };
  const { data, error } = useAsk('inspectWithdrawal', { params }, { everyMs: EVERY_MS });
  if (error !== null) return <ErrorNote error={error} />;
  return data === undefined ? <RowOutlines /> : <Chosen withdrawal={data} />;
}

function Chosen({ withdrawal }: { readonly withdrawal: Withdrawal }) {
  const preset = { withdrawal_id: withdrawal.withdrawal_id, lane: 'live' };
  const isSent = !['requested', 'held'].includes(withdrawal.state);
  const { waits_for: wait } = withdrawal;
  const isByHand = wait === 'payout' || wait === 'payout_taken';
  const isPaidByHand = withdrawal.state === 'completed' && withdrawal.custody === TILL;
  return (
    <Card title={withdrawal.withdrawal_id}>
      <div className="flex flex-col gap-4">
        <Facts of={withdrawal} />
        {isByHand && <PayoutActs id={withdrawal.withdrawal_id} isTaken={wait === 'payout_taken'} />}
        {isPaidByHand && (
          <span>
            <NeverPaid withdrawal={withdrawal} />
          </span>
        )}
        {!isSent && !isByHand && (
          <span className="flex flex-wrap gap-2">
            {withdrawal.needs_approval && withdrawal.approval_id === null && (
              <ActButton act="approveWithdrawal" label="Let go" kind="primary" preset={preset} />
            )}
            <ActButton act="rejectWithdrawal" label="Give back" kind="danger" preset={preset} />
          </span>
        )}
      </div>
    </Card>
  );
}

function columnsAt(nowMs: number): readonly Column<Withdrawal>[] {
  return [
    {
      id: 'amount',
      title: 'Amount',
      isFigure: true,
      // A button, so that the keyboard reaches it; its press is that of the row.
      cell: ({ amount }) => (
        <button type="button" className="font-semibold">
          {amount}
        </button>
      ),
    },
    {
      id: 'destination',
      title: 'To',
      cell: ({ destination }) => <span className="wrap-anywhere">{destination}</span>,
    },
    {
      id: 'state',
      title: 'State',
      cell: ({ state }) => <Badge tone={TONES[state] ?? 'neutral'}>{state}</Badge>,
    },
    { id: 'waits', title: 'Waits for', cell: waitWords },
    {
      id: 'since',
      title: 'Asked for',
      isMinor: true,
      cell: ({ created_at_ms: atMs }) => ago('en', nowMs - atMs),
    },
    {
      id: 'account',
      title: 'Account',
      isMinor: true,
      cell: ({ account_id: account }) => <code className="text-xs">{account}</code>,
    },
  ];
}

function waitWords(withdrawal: Withdrawal): string {
  const {
    waits_for: wait,
    restriction,
    held_until_at_ms: untilMs,
    approval_id: approval,
  } = withdrawal;
  if (wait === null) return '';
  if (wait === 'compliance') return `compliance: ${restriction ?? ''}`;
  if (wait === 'time' && untilMs !== null) return `until ${dateTime('en', untilMs)}`;
  if (wait === 'payout') return 'somebody who pays it by hand';
  if (wait === 'payout_taken') return 'the word of whoever pays it by hand';
  if (wait === 'operator') return approval === null ? 'two operators' : 'a second operator';
  return wait.replace('_', ' ');
}
