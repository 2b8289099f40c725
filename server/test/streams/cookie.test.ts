// A page of any site can open a socket, and the browser would send the cookie along: it must not authenticate.
import { expect, test } from 'vitest';
import { openStage } from './stage.ts';

test('[SE4] a socket does not take the cookie for a credential', async () => {
  const stage = await openStage();
  const token = await stage.exchange.session();
  const socket = await stage.connect('/sandbox/ws', { cookie: `sibyl_session=${token}` });
  const subscribe = { op: 'SUBSCRIBE', params: ['account'] };
  const refused = await socket.ask(subscribe, 'subscribed');
  expect(refused.data.rejected).toMatchObject([{ code: 'AUTH_REQUIRED' }]);
  // The token itself is good.
  await socket.ask({ op: 'AUTH', token }, 'authenticated');
  const taken = await socket.ask(subscribe, 'subscribed');
  expect(taken.data.rejected).toEqual([]);
  socket.socket.close();
  await stage.close();
});
