// Ceilings of the tiers: read them, and set those of one.

import { Type } from 'typebox';
import { noInput, operation } from '../define.ts';
import { limits } from '../limits.ts';
import { moneyInput, nullable, oneOf } from '../primitives.ts';
import { exampleTierCeilings, liveTiers, TierCeilings } from '../resources/tier-ceilings.ts';
import { closed, looking, operatorReadErrors, plane, promptErrors, reason } from './plane.ts';

export const setTierCeilings = operation({
  ...plane,
  role: 'admin',
  id: 'setTierCeilings',
  stepUp: true,
  method: 'POST',
  path: '/admin/v1/tiers',
  summary: 'Ceilings of a tier',
  description:
    'Sets what keys of a tier may stake and how their rate limits are multiplied. What is only raised holds at once; if anything is lowered, all of it holds 90 days later, and until then every answer to such a key has Deprecation and Sunset.',
  idempotency: 'optional',
  input: {
    ...noInput,
    body: Type.Object(
      {
        reason,
        tier: oneOf(liveTiers),
        order_notional_max: Type.Optional(nullable(moneyInput('Cap per order; null for none.'))),
        daily_notional_max: Type.Optional(nullable(moneyInput('Cap per UTC day; null for none.'))),
        rate_multiplier: Type.Optional(
          Type.Integer({ minimum: 1, maximum: limits.rate.multiplierMax }),
        ),
      },
      { title: 'TierCeilingsInput', ...closed },
    ),
  },
  data: TierCeilings,
  errors: [...promptErrors],
  example: {
    body: { reason: 'ticket 4711', tier: 'trade_capped', order_notional_max: '500' },
    data: exampleTierCeilings,
  },
});

export const getTierCeilings = operation({
  ...looking,
  id: 'getTierCeilings',
  path: '/admin/v1/tiers',
  summary: 'Ceilings of the tiers',
  description: 'As they hold now, what is announced, and every version.',
  input: noInput,
  data: TierCeilings,
  errors: [...operatorReadErrors],
  example: { data: exampleTierCeilings },
});
