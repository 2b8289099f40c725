// A key that may be used from some addresses only, on sockets.
import { expect, test } from 'vitest';
import { openStage } from './stage.ts';

test('[MF13] a key authenticates a socket from its own addresses alone, and a refused one gets no stream of it', async () => {
  // The address is what a proxy on this machine says.
  const stage = await openStage({ trustedProxies: ['127.0.0.1'] });
  const session = await stage.exchange.session();
  const mint = async (addresses: readonly string[]): Promise<string> => {
    const body = { permissions: ['read', 'trade'], allowed_addresses: addresses };
    return (await stage.exchange.ask('mintKey', { token: session, body })).data.key_id;
  };
  const token = await mint(['198.51.100.0/24']);
  const from = (address: string) => stage.connect('/sandbox/ws', { 'x-forwarded-for': address });
  const subscribe = { op: 'SUBSCRIBE', params: ['account'] };

  const outside = await from('203.0.113.9');
  const refused = await outside.ask({ op: 'AUTH', token }, 'error');
  expect(refused.data).toMatchObject({ code: 'AUTH_INVALID', details: { reason: 'address' } });
  const nothing = await outside.ask(subscribe, 'subscribed');
  expect(nothing.data.rejected).toMatchObject([{ code: 'AUTH_REQUIRED' }]);

  const inside = await from('198.51.100.7');
  await inside.ask({ op: 'AUTH', token }, 'authenticated');
  expect((await inside.ask(subscribe, 'subscribed')).data.rejected).toEqual([]);
  // Another key of the same user that may not be used from here takes nothing over, and ends nothing.
  const elsewhere = await mint(['192.0.2.0/24']);
  const denied = await inside.ask({ op: 'AUTH', token: elsewhere }, 'error');
  expect(denied.data).toMatchObject({ code: 'AUTH_INVALID', details: { reason: 'address' } });
  await stage.exchange.ask('useFaucet', { token: session });
  await inside.next('balance_updated');
  expect(outside.frames.some(({ type }) => type === 'balance_updated')).toBe(false);

  for (const client of [outside, inside]) client.socket.close();
  await stage.close();
});
