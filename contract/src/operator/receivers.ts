// Receivers of webhooks on the machine of the server, for developers who try the sandbox there.

import { Type } from 'typebox';
import { noInput, operation } from '../define.ts';
import { idOf } from '../ids.ts';
import { limits } from '../limits.ts';
import { nullableInstant, oneOf } from '../primitives.ts';
import { closed, operatorReadErrors, plane, reason } from './plane.ts';

const { ttlSecMax } = limits.localReceiver;
const accountId = idOf('account', 'The account of the sandbox whose webhooks may go there.');
const account_id = 'acc_01J0000000000004';
const address = oneOf(['127.0.0.1', '::1'], { description: 'The address that it listens on.' });

export const allowLocalReceiver = operation({
  ...plane,
  id: 'allowLocalReceiver',
  role: 'admin',
  method: 'POST',
  path: '/admin/v1/local-receivers',
  summary: 'Allow a local receiver',
  description:
    'Lets webhooks of one sandbox account go to one port of this machine, by plain http, for some minutes, those of apps excepted; again it renews them, 0 seconds end them, and so does a restart. `sibyl webhooks listen` asks for it while it runs. The ports of the exchange itself are never allowed.',
  idempotency: 'none',
  input: {
    ...noInput,
    body: Type.Object(
      {
        reason,
        account_id: accountId,
        address,
        port: Type.Integer({ minimum: 1, maximum: 65_535 }),
        ttl_sec: Type.Integer({
          minimum: 0,
          maximum: ttlSecMax,
          description: `For how long, at most ${ttlSecMax} seconds; 0 ends it.`,
        }),
      },
      { title: 'LocalReceiverInput', ...closed },
    ),
  },
  data: Type.Object(
    {
      account_id: accountId,
      address,
      port: Type.Integer({ minimum: 1, maximum: 65_535 }),
      ...nullableInstant('expires_at', 'When it ends unless it is renewed; null if it has ended.'),
    },
    { title: 'LocalReceiver' },
  ),
  errors: [...operatorReadErrors],
  example: {
    body: { reason: 'trying webhooks', account_id, address: '127.0.0.1', port: 4400, ttl_sec: 120 },
    data: {
      account_id,
      address: '127.0.0.1',
      port: 4400,
      expires_at: '2026-11-14T12:02:00.000Z',
      expires_at_ms: 1_794_657_720_000,
    },
  },
});
