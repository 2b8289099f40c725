// What a client is told when a part of the service does not work.
import { MemoryJournal } from '@sibyl/lane/testing';
import { describe, expect, it } from 'vitest';
import { HeldJournal } from '../../../lane/test/held-journal.ts';
import type { AnyHandler } from '../../src/http/bind.ts';
import { openStage } from '../streams/stage.ts';
import { expectError } from './expect.ts';
import { openHarness } from './harness.ts';

describe('a lane that stops', () => {
  it('[RQ18] says that it stopped in the middle of a request, then that it waits for its operator', async () => {
    const journal = new HeldJournal(new MemoryJournal());
    // The lane itself is asked: the gateway of the harness answers this one with an example otherwise.
    const listMarkets: AnyHandler = ({ lane }) => lane.read(() => ({ data: [] }));
    const harness = await openHarness({ lanes: ['sandbox'], journal, overrides: { listMarkets } });
    journal.fail(new Error('EIO of /dev/secret'));
    const interrupted = await harness.call({
      method: 'POST',
      url: '/api/auth/register',
      payload: { email: 'one@example.com', password: 'long enough 12' },
    });
    expectError(interrupted, 'SERVICE_UNAVAILABLE');
    expect(interrupted.json().error.message).toContain('stopped in the middle of it');
    const stopped = await harness.call({ url: '/v1/markets' });
    expectError(stopped, 'SERVICE_UNAVAILABLE');
    expect(stopped.json().error.message).toContain('stopped and waits for its operator');
    expect(`${interrupted.payload}${stopped.payload}`).not.toContain('EIO');
    await harness.close();
  });
});

describe('a stream that is not offered', () => {
  it('[RQ18] says so in the language of the socket', async () => {
    const stage = await openStage();
    const client = await stage.connect();
    await client.ask({ op: 'AUTH', token: await stage.exchange.session() }, 'authenticated');
    await client.ask({ op: 'LOCALE', locale: 'de' }, 'locale_set');
    const { data } = await client.ask({ op: 'SUBSCRIBE', params: ['rfq'] }, 'subscribed');
    expect(data.rejected).toEqual([
      { stream: 'rfq', code: 'SERVICE_UNAVAILABLE', message: 'Diesen Strom gibt es noch nicht.' },
    ]);
    await stage.close();
  });
});
