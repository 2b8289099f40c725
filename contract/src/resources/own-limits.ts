// What users allow themselves, and how long they keep themselves out.

import { type Static, Type } from 'typebox';
import { epochMs, Money, nullable } from '../primitives.ts';

const OwnLimit = Type.Object(
  {
    amount: nullable(Money, 'What holds now; null is no limit.'),
    used: Money,
    next_amount: nullable(Money, 'What will hold from next_from_ms on; null is no limit.'),
    next_from_ms: nullable(epochMs('When the next amount holds; null if nothing waits.')),
  },
  { title: 'OwnLimit' },
);

const OwnPeriods = Type.Object(
  { day: OwnLimit, week: OwnLimit, month: OwnLimit },
  { title: 'OwnPeriods', description: 'Of UTC; weeks begin on Monday.' },
);

export const OwnLimits = Type.Object(
  {
    deposit: OwnPeriods,
    loss: OwnPeriods,
    excluded_until_ms: nullable(
      Type.Integer({ format: 'int64' }),
      'Null while not excluded; the end of the year 9999 is for ever.',
    ),
  },
  { title: 'OwnLimits' },
);
export type OwnLimits = Static<typeof OwnLimits>;

const none = { amount: null, used: '0.000000', next_amount: null, next_from_ms: null };
/** Of somebody who has set none. */
export const noOwnLimits: OwnLimits = {
  deposit: { day: none, week: none, month: none },
  loss: { day: none, week: none, month: none },
  excluded_until_ms: null,
};

export const exampleOwnLimits: OwnLimits = {
  ...noOwnLimits,
  loss: { ...noOwnLimits.loss, day: { ...none, amount: '100.000000' } },
};
