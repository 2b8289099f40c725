// Operations of the Sandbox group: helpers that exist only where the money is fake.

import { Type } from 'typebox';
import { common, credentialed, write } from '../bundles.ts';
import { noInput, operation } from '../define.ts';
import { accountName, idOf, outcomeId } from '../ids.ts';
import { instant, Money, oneOf } from '../primitives.ts';
import { assets } from '../resources/account.ts';
import { exampleMarket, Market } from '../resources/market.ts';
import { exampleResolution, Resolution } from '../resources/resolution.ts';

// The specification lets every write carry an Idempotency-Key, so these three read it as well.
const helper = {
  method: 'POST',
  group: 'Sandbox',
  auth: 'credential',
  permission: 'trade',
  scope: 'orders:trade',
  rate: 'account_write',
  idempotency: 'optional',
  readOnlyMode: 'blocked',
  counted: true,
  since: '0.2',
  list: false,
  sandboxOnly: true,
} as const;

/** A frozen account, one that is not open in the sandbox, and the live address. */
const ofAccounts = ['SANDBOX_ONLY', 'SUBACCOUNT_FROZEN', 'NOT_FOUND'] as const;

const FaucetCredit = Type.Object(
  {
    account_id: accountName(),
    asset: oneOf(assets),
    amount: Money,
    balance_free: Money,
    ...instant('next_at', 'When the faucet gives again without a reset.'),
  },
  { title: 'FaucetCredit' },
);

const useFaucet = operation({
  ...helper,
  id: 'useFaucet',
  call: 'sandbox.faucet',
  path: '/v1/sandbox/faucet',
  summary: 'Test money',
  description:
    'Credits 10,000 test USDT; once per hour and account, else RATE_LIMITED. A reset frees the hour, at most ten times per UTC day. An address may do so for as many accounts a day as the rules of compliance say, else ANTI_ABUSE_BLOCKED.',
  input: noInput,
  data: FaucetCredit,
  errors: [...common, ...credentialed, ...write, ...ofAccounts, 'ANTI_ABUSE_BLOCKED'],
  example: {
    data: {
      account_id: 'acc_01J0000000000004',
      asset: 'USDT',
      amount: '10000.000000',
      balance_free: '10000.000000',
      next_at: '2026-11-14T13:00:00.000Z',
      next_at_ms: 1_794_661_200_000,
    },
  },
});

const SandboxReset = Type.Object(
  {
    account_id: accountName(),
    orders_cancelled: Type.Integer({ minimum: 0 }),
    positions_cleared: Type.Integer({ minimum: 0 }),
    balance_free: Money,
    balance_reserved: Money,
  },
  { title: 'SandboxReset' },
);

const resetSandbox = operation({
  ...helper,
  // It ends everything that the account holds, whoever ordered it.
  scope: null,
  id: 'resetSandbox',
  call: 'sandbox.reset',
  path: '/v1/sandbox/reset',
  summary: 'Start over',
  description:
    'Cancels open orders, clears positions and sets the balance to 0; idempotent. The faucet then gives again without waiting for its hour, at most ten times per UTC day. A reset of a subaccount alone does not free the faucet. Deposits of your own open markets and bonds stay there and come back when the market ends.',
  input: noInput,
  data: SandboxReset,
  errors: [...common, ...credentialed, ...write, ...ofAccounts, 'STATE_CONFLICT'],
  example: {
    data: {
      account_id: 'acc_01J0000000000004',
      orders_cancelled: 1,
      positions_cleared: 1,
      balance_free: '0.000000',
      balance_reserved: '0.000000',
    },
  },
});

const MockSettlement = Type.Object(
  {
    market: Market,
    resolution: Resolution,
    payouts: Type.Object(
      {
        accounts_paid: Type.Integer({ minimum: 0 }),
        total_paid: Money,
        own_payout: Money,
      },
      { title: 'SettlementPayouts' },
    ),
  },
  { title: 'MockSettlement' },
);

const settleWithMockOracle = operation({
  ...helper,
  // It decides a market for everybody in it, as does who makes one.
  scope: 'markets:create',
  id: 'settleWithMockOracle',
  call: 'sandbox.settle',
  path: '/v1/sandbox/mock-oracle',
  summary: 'Settle a market',
  description:
    "Resolves a market that you created from a template with the oracle source sandbox_mock, in one step. Other markets are MARKET_NOT_FOUND, also the sandbox's own; finished ones are STATE_CONFLICT.",
  input: {
    ...noInput,
    body: Type.Object(
      { market_id: idOf('market'), winning_outcome_id: outcomeId },
      { title: 'MockOracleInput', additionalProperties: false },
    ),
  },
  data: MockSettlement,
  errors: [
    ...common,
    ...credentialed,
    ...write,
    ...ofAccounts,
    'MARKET_NOT_FOUND',
    'STATE_CONFLICT',
  ],
  example: {
    body: { market_id: exampleMarket.market_id, winning_outcome_id: 'yes' },
    data: {
      market: {
        ...exampleMarket,
        status: 'resolved',
        outcomes: [
          { id: 'yes', label: 'Yes', price: '1.000000', volume_24h: '57.094742' },
          { id: 'no', label: 'No', price: '0.000000', volume_24h: '0.000000' },
        ],
        settles_at: exampleResolution.finalized_at,
        settles_at_ms: exampleResolution.finalized_at_ms,
        open_interest: '0.000000',
        resolution: exampleResolution,
        payout_vector: exampleResolution.payout_vector,
      },
      resolution: exampleResolution,
      payouts: { accounts_paid: 1, total_paid: '20.000000', own_payout: '467.094742' },
    },
  },
});

export const sandboxOperations = Object.freeze({ useFaucet, resetSandbox, settleWithMockOracle });
