// Fair-use quotas: read them, and set one.

import { Type } from 'typebox';
import { noInput, operation } from '../define.ts';
import {
  exampleRateQuotas,
  perMinute,
  quotaCategory,
  quotaHolder,
  RateQuotas,
} from '../resources/rate-quotas.ts';
import { closed, looking, operatorReadErrors, plane, promptErrors, reason } from './plane.ts';

export const setRateQuota = operation({
  ...plane,
  role: 'admin',
  id: 'setRateQuota',
  stepUp: true,
  method: 'POST',
  path: '/admin/v1/quotas',
  summary: 'Quota of a category',
  description:
    'Sets how many requests a minute keys, sessions or addresses may send in one category, in both lanes. More holds at once; less holds 90 days later, and until then every answer in that category has Deprecation and Sunset, and GET /v1/account shows what is announced. A later version takes the place of one that is only announced.',
  idempotency: 'optional',
  input: {
    ...noInput,
    body: Type.Object(
      { reason, holder: quotaHolder, category: quotaCategory, per_minute: perMinute },
      { title: 'RateQuotaInput', ...closed },
    ),
  },
  data: RateQuotas,
  errors: [...promptErrors],
  example: {
    body: { reason: 'ticket 4711', holder: 'key', category: 'read', per_minute: 40 },
    data: exampleRateQuotas,
  },
});

export const getRateQuotas = operation({
  ...looking,
  id: 'getRateQuotas',
  path: '/admin/v1/quotas',
  summary: 'Quotas of the categories',
  description: 'As they hold now, what is announced, and every version.',
  input: noInput,
  data: RateQuotas,
  errors: [...operatorReadErrors],
  example: { data: exampleRateQuotas },
});
