// Records of the operator plane: mode, maintenance, deposit, tier of a user, reconciliation, history.

import { type Static, Type } from 'typebox';
import { accountName, idOf } from '../ids.ts';
import { tiers } from '../limits.ts';
import { instant, Money, moneyOf, nullable, nullableInstant, oneOf } from '../primitives.ts';
import { environments } from './api-key.ts';

export const platformModes = ['normal', 'read_only', 'cancel_only'] as const;

export const PlatformMode = Type.Object(
  {
    lane: oneOf(environments),
    mode: oneOf(platformModes),
    ...instant('changed_at', 'When it was set.'),
  },
  { title: 'PlatformMode' },
);
export type PlatformMode = Static<typeof PlatformMode>;

/** Of work that goes on in the background. */
export const workStates = ['running', 'done', 'failed'] as const;

export const clockDecisions = ['accept', 'keep'] as const;

export const ClockState = Type.Object(
  {
    lane: oneOf(environments),
    decision: oneOf(clockDecisions),
    offset_ms: Type.Integer({
      description: 'By how much the wall clock is ahead of journal time with consent, from now on.',
    }),
    ...instant('decided_at', 'Journal time at which trading went on.'),
  },
  { title: 'ClockState' },
);
export type ClockState = Static<typeof ClockState>;

export const maintenancePhases = ['scheduled', 'started', 'ended'] as const;
export const maintenanceEffects = ['read_only', 'cancel_only', 'down'] as const;

export const MaintenanceState = Type.Object(
  {
    phase: oneOf(maintenancePhases),
    effect: oneOf(maintenanceEffects),
    ...instant('starts_at', 'When it begins or began.'),
    ...nullableInstant('ends_at', 'When it ends or ended, as far as known.'),
    message: nullable(Type.String()),
    actor: Type.String(),
    reason: Type.String(),
  },
  { title: 'MaintenanceState' },
);
export type MaintenanceState = Static<typeof MaintenanceState>;

export const CreditedDeposit = Type.Object(
  {
    deposit_id: idOf('deposit'),
    account_id: accountName('Whose money it is.'),
    lane: oneOf(environments),
    asset: oneOf(['USDT']),
    amount: Money,
    external_ref: Type.String(),
    balance_free: Money,
    ...instant('created_at', 'When it was booked.'),
    booked_before: Type.Boolean({
      description:
        'True if the reference was booked already, at created_at: nothing was booked now.',
    }),
    notes: Type.Array(Type.String(), { description: 'What whoever books should know, in words.' }),
  },
  { title: 'CreditedDeposit' },
);
export type CreditedDeposit = Static<typeof CreditedDeposit>;

export const AccountTier = Type.Object(
  {
    account_id: idOf('account'),
    user_id: nullable(idOf('user')),
    tier: oneOf(tiers),
    rate_multiplier: Type.Integer({ minimum: 1 }),
  },
  { title: 'AccountTier' },
);
export type AccountTier = Static<typeof AccountTier>;

const LedgerTotal = Type.Object(
  { account: Type.String({ description: 'Kind of ledger account.' }), total: Money },
  { title: 'LedgerTotal' },
);

const InvariantCheck = Type.Object(
  {
    rule: Type.String({ description: 'Id of the rule.' }),
    holds: Type.Boolean(),
    checked: Type.Integer({ minimum: 0, description: 'How many records it was checked on.' }),
    detail: nullable(Type.String({ description: 'The first violation.' })),
  },
  { title: 'InvariantCheck' },
);

const CustodyReport = Type.Object(
  {
    name: Type.String(),
    state: oneOf(['agrees', 'differs', 'moving', 'silent'], {
      description:
        'moving: it was never still, and what moved or was booked within the last minute explains the distance; silent: the custody gave no clear answer.',
    }),
    balance: nullable(Money, 'What the custody holds by its own books.'),
    ledger: moneyOf('What is outside by the ledger.'),
    paid_unbooked: nullable(Money, 'Paid by the custody, and not yet completed in the ledger.'),
    difference: nullable(
      Money,
      'Balance and what is not booked yet, less the ledger; null if money moved while the custody was asked.',
    ),
    difference_least: nullable(Money, 'At least that, whatever of what moves is in its books.'),
    difference_most: nullable(Money, 'At most that.'),
    by_hand: moneyOf('What operators booked by hand beside a custody that was not told of it.'),
    seq_before: Type.Integer({
      format: 'int64',
      minimum: 0,
      description: 'Last command of the ledger when it was read before the custody was asked.',
    }),
    seq_after: Type.Integer({
      format: 'int64',
      minimum: 0,
      description: 'Last command when it was read again, after the answer.',
    }),
    ...instant('asked_at', 'When the custody was asked.'),
    ...instant('answered_at', 'When its answer was there, or nobody waited for it any longer.'),
  },
  { title: 'CustodyReport' },
);
export type CustodyReport = Static<typeof CustodyReport>;

export const Reconciliation = Type.Object(
  {
    lane: oneOf(environments),
    balanced: Type.Boolean({ description: 'Everything sums to zero and every rule holds.' }),
    seq: Type.Integer({
      format: 'int64',
      minimum: 0,
      description: 'As of which command it holds.',
    }),
    state_hash: Type.String({ description: 'Hash of the state the report is about.' }),
    asset: oneOf(['USDT']),
    totals: Type.Array(LedgerTotal),
    sum: Money,
    invariants: Type.Array(InvariantCheck),
    custody: nullable(CustodyReport, 'Of the live lane; null in the sandbox.'),
    ...instant('taken_at', 'When the report was made.'),
  },
  { title: 'Reconciliation' },
);
export type Reconciliation = Static<typeof Reconciliation>;

const count = (description: string) => Type.Integer({ format: 'int64', minimum: 0, description });

/** Work that goes on in the background and is over some time. */
const BackgroundRun = Type.Object(
  {
    state: oneOf(workStates),
    seq: count('Last command that it has come to.'),
    head_seq: count('The command that it has to reach.'),
    ...instant('started_at', 'When it was begun.'),
    ...nullableInstant('ended_at', 'When it was over.'),
    actor: Type.String(),
    reason: Type.String(),
    error: nullable(Type.String({ description: 'Why it failed; what was there before stays.' })),
  },
  { title: 'BackgroundRun' },
);

export const ReconciliationState = Type.Object(
  {
    lane: oneOf(environments),
    run: nullable(BackgroundRun, 'The last one since the start; null without one.'),
    report: nullable(Reconciliation, 'What the last complete one came to, also over a restart.'),
  },
  { title: 'ReconciliationState' },
);
export type ReconciliationState = Static<typeof ReconciliationState>;

export const HistoryState = Type.Object(
  {
    lane: oneOf(environments),
    seq: count('Last command that history shows.'),
    durable_seq: count('Last command of the journal.'),
    available: Type.Boolean({ description: 'Whether history can be read.' }),
    rebuild: nullable(BackgroundRun, 'The last one since the start; null without one.'),
  },
  { title: 'HistoryState' },
);
export type HistoryState = Static<typeof HistoryState>;

const exampleInstant = '2026-11-14T12:00:00.000Z';
const exampleInstantMs = 1_794_657_600_000;

export const exampleMode: PlatformMode = {
  lane: 'sandbox',
  mode: 'read_only',
  changed_at: exampleInstant,
  changed_at_ms: exampleInstantMs,
};

export const exampleClock: ClockState = {
  lane: 'sandbox',
  decision: 'accept',
  offset_ms: 0,
  decided_at: exampleInstant,
  decided_at_ms: exampleInstantMs,
};

export const exampleMaintenance: MaintenanceState = {
  phase: 'started',
  effect: 'cancel_only',
  starts_at: exampleInstant,
  starts_at_ms: exampleInstantMs,
  ends_at: '2026-11-14T13:00:00.000Z',
  ends_at_ms: 1_794_661_200_000,
  message: null,
  actor: 'operator',
  reason: 'new disks',
};

export const exampleHistory: HistoryState = {
  lane: 'sandbox',
  seq: 42,
  durable_seq: 42,
  available: true,
  rebuild: {
    state: 'running',
    seq: 12,
    head_seq: 42,
    started_at: exampleInstant,
    started_at_ms: exampleInstantMs,
    ended_at: null,
    ended_at_ms: null,
    actor: 'operator',
    reason: 'ticket 4711',
    error: null,
  },
};

export const exampleCreditedDeposit: CreditedDeposit = {
  deposit_id: 'dep_01J0000000000008',
  account_id: 'acc_01J0000000000004',
  lane: 'live',
  asset: 'USDT',
  amount: '250.000000',
  external_ref: 'wire-0001',
  balance_free: '250.000000',
  created_at: exampleInstant,
  created_at_ms: exampleInstantMs,
  booked_before: false,
  notes: [],
};

export const exampleAccountTier: AccountTier = {
  account_id: 'acc_01J0000000000004',
  user_id: 'usr_01J0000000000005',
  tier: 'trade_full',
  rate_multiplier: 1,
};

const exampleReport: Reconciliation = {
  lane: 'sandbox',
  balanced: true,
  seq: 42,
  state_hash: '0'.repeat(64),
  asset: 'USDT',
  totals: [
    { account: 'user_free', total: '9994.807773' },
    { account: 'market_escrow', total: '1050.866261' },
    { account: 'external_faucet', total: '-11045.674034' },
  ],
  sum: '0.000000',
  invariants: [{ rule: 'LG1', holds: true, checked: 3, detail: null }],
  custody: null,
  taken_at: exampleInstant,
  taken_at_ms: exampleInstantMs,
};

export const exampleReconciliation: ReconciliationState = {
  lane: 'sandbox',
  run: {
    state: 'done',
    seq: 42,
    head_seq: 42,
    started_at: exampleInstant,
    started_at_ms: exampleInstantMs,
    ended_at: exampleInstant,
    ended_at_ms: exampleInstantMs,
    actor: 'operator',
    reason: 'ticket 4711',
    error: null,
  },
  report: exampleReport,
};
