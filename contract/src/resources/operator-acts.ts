// Records of single acts of an operator: accounts that are frozen, settlement metadata.

import { type Static, Type } from 'typebox';
import { accountName } from '../ids.ts';
import { instant, nullable, oneOf } from '../primitives.ts';
import { environments } from './api-key.ts';
import { chainData } from './market.ts';

export const AccountFreeze = Type.Object(
  {
    account_id: accountName('An account, or one subaccount.'),
    lane: oneOf(environments),
    frozen: Type.Boolean(),
    message: nullable(Type.String({ description: 'As its owner reads it; null once it is not.' })),
    orders_cancelled: Type.Integer({ minimum: 0 }),
    ...instant('changed_at', 'When it was set.'),
  },
  { title: 'AccountFreeze' },
);
export type AccountFreeze = Static<typeof AccountFreeze>;

export const exampleAccountFreeze: AccountFreeze = {
  account_id: 'acc_01J0000000000004',
  lane: 'sandbox',
  frozen: true,
  message: 'Please write to support.',
  orders_cancelled: 2,
  changed_at: '2026-11-14T12:00:00.000Z',
  changed_at_ms: 1_794_657_600_000,
};

export const chainRecords = ['market', 'account', 'trade'] as const;

export const AttachedChainData = Type.Object(
  {
    lane: oneOf(environments),
    record: oneOf(chainRecords),
    id: Type.String(),
    chain_data: chainData,
    ...instant('attached_at', 'When it was set.'),
  },
  { title: 'AttachedChainData' },
);
export type AttachedChainData = Static<typeof AttachedChainData>;

export const exampleChainData: AttachedChainData = {
  lane: 'sandbox',
  record: 'market',
  id: 'm_0123456789abcdef',
  chain_data: { chain: 'example', tx: '0x00' },
  attached_at: '2026-11-14T12:00:00.000Z',
  attached_at_ms: 1_794_657_600_000,
};
