// Money on its way out, and the destinations that it may go to.

import { type Static, Type } from 'typebox';
import { idOf } from '../ids.ts';
import { personalText } from '../plain-text.ts';
import { instant, Money, nullable, nullableInstant, oneOf } from '../primitives.ts';

export const withdrawalStates = ['requested', 'held', 'sent', 'completed', 'failed'] as const;

/** Where money may go: an address of a wallet, an account of a bank, whatever the custody pays to. */
export const destinationText = Type.String({
  pattern: '^[!-~](?:[ -~]{2,254}[!-~])$',
  'x-expected': '4 to 256 printable ASCII characters, without spaces at the ends',
  description: 'As the custody knows it, such as an address of a wallet or an IBAN.',
});

export const destinationLabel = Type.String({
  ...personalText,
  minLength: 1,
  maxLength: 64,
  description: 'What you call it.',
});

export const Destination = Type.Object(
  {
    destination_id: idOf('destination'),
    label: destinationLabel,
    destination: destinationText,
    is_usable: Type.Boolean({ description: 'Whether a withdrawal may go there now.' }),
    ...instant('usable_from_at', 'From when on withdrawals may go there.'),
    ...instant('created_at', 'When it was added.'),
  },
  { title: 'Destination' },
);
export type Destination = Static<typeof Destination>;

export const Withdrawal = Type.Object(
  {
    withdrawal_id: idOf('withdrawal'),
    subaccount_id: nullable(idOf('subaccount'), 'Whose money it is; null for your own account.'),
    asset: oneOf(['USDT']),
    amount: Money,
    destination: Type.String({ description: 'Where it goes.' }),
    state: oneOf(withdrawalStates, {
      description:
        'requested: about to be sent; held: waits for a time or an operator; sent: with the custody; completed: paid; failed: given back.',
    }),
    reason: nullable(
      Type.String(),
      'Why it is held (credentials_changed, above_limit) or has failed (cancelled, rejected, or in words).',
    ),
    needs_approval: Type.Boolean({ description: 'An operator has to agree to it first.' }),
    ...nullableInstant('held_until_at', 'It is held until then at least.'),
    reference: nullable(Type.String(), 'What the custody calls the payment, once it is completed.'),
    ...instant('created_at', 'When it was asked for.'),
    ...instant('updated_at', 'When its state last changed.'),
  },
  { title: 'Withdrawal' },
);
export type Withdrawal = Static<typeof Withdrawal>;

export const exampleDestination: Destination = {
  destination_id: 'dst_01J0000000000030',
  label: 'my wallet',
  destination: 'DE89 3704 0044 0532 0130 00',
  is_usable: true,
  usable_from_at: '2026-11-14T12:00:00.000Z',
  usable_from_at_ms: 1_794_657_600_000,
  created_at: '2026-11-14T12:00:00.000Z',
  created_at_ms: 1_794_657_600_000,
};

export const exampleWithdrawal: Withdrawal = {
  withdrawal_id: 'wd_01J0000000000013',
  subaccount_id: null,
  asset: 'USDT',
  amount: '100.000000',
  destination: exampleDestination.destination,
  state: 'requested',
  reason: null,
  needs_approval: false,
  held_until_at: null,
  held_until_at_ms: null,
  reference: null,
  created_at: '2026-11-14T12:00:00.000Z',
  created_at_ms: 1_794_657_600_000,
  updated_at: '2026-11-14T12:00:00.000Z',
  updated_at_ms: 1_794_657_600_000,
};

export const exampleHeldWithdrawal: Withdrawal = {
  ...exampleWithdrawal,
  state: 'held',
  reason: 'credentials_changed',
  held_until_at: '2026-11-15T12:00:00.000Z',
  held_until_at_ms: 1_794_744_000_000,
};
