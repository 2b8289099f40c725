// Withdrawals as operators see them: looked up, agreed to by two, paid by hand, or given back.

import { type Static, Type } from 'typebox';
import { compliance, identified } from '../bundles.ts';
import { noInput, operation } from '../define.ts';
import { accountName, idOf, pathId } from '../ids.ts';
import { pageQuery } from '../paging.ts';
import { nullable, oneOf } from '../primitives.ts';
import { orApproval } from '../resources/approval.ts';
import { exampleHeldWithdrawal, Withdrawal, withdrawalStates } from '../resources/withdrawal.ts';
import {
  ActInput,
  act,
  closed,
  looking,
  OwnerActInput,
  operatorErrors,
  operatorReadErrors,
  plane,
} from './plane.ts';

const AccountWithdrawal = Type.Object(
  { account_id: accountName('Whose money it is.'), ...Withdrawal.properties },
  { title: 'AccountWithdrawal' },
);

const FoundWithdrawal = Type.Object(
  {
    ...AccountWithdrawal.properties,
    user_id: nullable(idOf('user'), 'Who answers for it; null where nobody has registered.'),
    custody: Type.String({ description: 'Who pays it.' }),
    waits_for: nullable(
      oneOf([
        'operator',
        'compliance',
        'frozen',
        'time',
        'payout',
        'payout_taken',
        'custody',
        'other_custody',
      ]),
      'Two operators have to agree; compliance has something against its owner by now; its account is frozen; held_until_at; somebody who takes it up and pays it by hand; the word of whoever has taken it up; the answer of the custody; a custody that is not set up here. Null if it is about to be sent or at its end.',
    ),
    restriction: nullable(Type.String(), 'The code of what compliance has against its owner.'),
    approval_id: nullable(
      idOf('approval'),
      'The act of letting it go, where that waits for a second operator.',
    ),
  },
  { title: 'FoundWithdrawal' },
);

const exampleFound: Static<typeof FoundWithdrawal> = {
  account_id: 'acc_01J0000000000004',
  ...exampleHeldWithdrawal,
  reason: 'above_limit',
  needs_approval: true,
  held_until_at: null,
  held_until_at_ms: null,
  user_id: 'usr_01J0000000000005',
  custody: 'custody',
  waits_for: 'operator',
  restriction: null,
  approval_id: 'apr_01J0000000000001',
};

const watched = {
  ...looking,
  since: '0.3',
} as const;

export const findWithdrawals = operation({
  ...watched,
  id: 'findWithdrawals',
  path: '/admin/v1/withdrawals',
  summary: 'Find withdrawals',
  description:
    'Those of the live lane, the newest first: all of them, in a state, or of an owner; each with what it waits for.',
  list: true,
  input: {
    ...noInput,
    query: pageQuery({
      state: Type.Optional(
        oneOf(['open', ...withdrawalStates], { description: 'open: not at its end.' }),
      ),
      owner: Type.Optional(
        Type.String({
          minLength: 3,
          maxLength: 128,
          description:
            'The whole of an account_id, subaccount_id, user_id or key_id: all of its family.',
        }),
      ),
    }),
  },
  data: Type.Array(FoundWithdrawal),
  errors: [...operatorReadErrors],
  example: { query: { state: 'held', limit: 1 }, data: [exampleFound] },
});

export const inspectWithdrawal = operation({
  ...watched,
  id: 'inspectWithdrawal',
  path: '/admin/v1/withdrawals/{withdrawal_id}',
  summary: 'Look at a withdrawal',
  description: 'How much goes where, whose it is, how far it is and what it waits for.',
  input: {
    ...noInput,
    params: Type.Object({ withdrawal_id: pathId('withdrawal', 'The withdrawal.') }),
  },
  data: FoundWithdrawal,
  errors: [...operatorReadErrors, ...identified],
  example: { params: { withdrawal_id: exampleFound.withdrawal_id }, data: exampleFound },
});

const example: Static<typeof AccountWithdrawal> = {
  account_id: 'acc_01J0000000000004',
  ...exampleHeldWithdrawal,
  state: 'requested',
  reason: null,
  held_until_at: null,
  held_until_at_ms: null,
};

const decision = {
  ...plane,
  since: '0.3',
  role: 'treasurer',
  stepUp: true,
  method: 'POST',
  idempotency: 'optional',
  input: {
    params: Type.Object({ withdrawal_id: pathId('withdrawal', 'One that waits.') }),
    query: null,
    body: ActInput,
  },
  errors: [...operatorErrors, ...identified, 'STATE_CONFLICT'],
} as const;
const asked = {
  params: { withdrawal_id: exampleHeldWithdrawal.withdrawal_id },
  body: { lane: 'live', reason: 'the owner was called' },
} as const;

export const approveWithdrawal = operation({
  ...decision,
  id: 'approveWithdrawal',
  approval: 'always',
  path: '/admin/v1/withdrawals/{withdrawal_id}/approve',
  summary: 'Let a withdrawal go out',
  description:
    'One that is held because it is above the limit. It goes out once a second operator agrees, and not before the time that it is held until. What compliance has against its owner by now is said at once, and again when it is agreed to.',
  data: orApproval(AccountWithdrawal),
  errors: [...decision.errors, ...compliance],
  example: { ...asked, data: example },
});

export const rejectWithdrawal = operation({
  ...decision,
  input: { ...decision.input, body: OwnerActInput },
  id: 'rejectWithdrawal',
  path: '/admin/v1/withdrawals/{withdrawal_id}/reject',
  summary: 'Give a withdrawal back',
  description:
    'As long as it was not sent, or was taken up to be paid by hand and never will be: its money is free again at once, and its owner reads the message, never the reason. One that has ended otherwise is STATE_CONFLICT, with how.',
  data: AccountWithdrawal,
  example: {
    ...asked,
    body: { ...asked.body, message: 'The address cannot be paid to.' },
    data: { ...example, state: 'failed', reason: 'The address cannot be paid to.' },
  },
});

export const takeWithdrawal = operation({
  ...decision,
  id: 'takeWithdrawal',
  path: '/admin/v1/withdrawals/{withdrawal_id}/take',
  summary: 'Take a withdrawal up to pay it by hand',
  description:
    'Right before its money is handed over, where the till of the server is the custody: it is sent, for one operator alone, and its owner cannot cancel it any more. STATE_CONFLICT says in waits_for what stops it, with restriction or held_until_at: compliance, a frozen account, a time, an approval, or whoever has taken it up before.',
  data: AccountWithdrawal,
  example: { ...asked, data: { ...example, state: 'sent' } },
});

const REFERENCE_MAX = 128;

export const markWithdrawalPaid = operation({
  ...decision,
  id: 'markWithdrawalPaid',
  path: '/admin/v1/withdrawals/{withdrawal_id}/paid',
  summary: 'Say that a withdrawal was paid by hand',
  description:
    'One that was taken up, after its money was handed over: its owner reads that it is paid, with the reference. The same words of the same operator again change nothing; of another one they are STATE_CONFLICT with who said so and when (told_by, told_at). A reference that another withdrawal was paid by is ALREADY_EXISTS with its withdrawal_id, unless shared_transfer says that one transfer paid both. It cannot be taken back: what was told by mistake and never paid is given back by a correction of the balance, with the withdrawal_id as external_ref.',
  input: {
    ...decision.input,
    body: Type.Object(
      {
        ...act,
        reference: Type.String({
          minLength: 1,
          maxLength: REFERENCE_MAX,
          pattern: '\\S',
          'x-expected': `1 to ${REFERENCE_MAX} characters, not all of them spaces`,
          description:
            'By what the payment is found again, such as the number of a transfer; its owner reads it.',
        }),
        shared_transfer: Type.Optional(
          Type.Boolean({
            description:
              'That another withdrawal was paid by the same reference is meant: one transfer paid both.',
          }),
        ),
      },
      { title: 'PaidByHandInput', ...closed },
    ),
  },
  data: AccountWithdrawal,
  errors: [...decision.errors, 'ALREADY_EXISTS'],
  example: {
    params: asked.params,
    body: { ...asked.body, reference: 'transfer 2026-4711' },
    data: { ...example, state: 'completed', reference: 'transfer 2026-4711' },
  },
});
