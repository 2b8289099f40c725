import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CannedServer, failure, hangUp, success } from '../test/canned-server.ts';
import { createClient } from './client.ts';
import { ServiceUnavailableError, ValidationFailedError } from './generated/errors.ts';
import { OrderTracker, type TrackerOptions } from './order-tracker.ts';
import { createSocket } from './socket/socket.ts';

const server = new CannedServer();
beforeEach(async () => {
  asked();
  await server.listen();
});
afterEach(() => server.close());

const order = {
  market_id: 'm_0123456789abcdef',
  outcome_id: 'yes',
  side: 'buy',
  order_type: 'limit',
  price: '0.4',
  size: '10',
  client_order_id: 'mine',
} as const;
const placed = { ...order, order_id: 'ord_1', status: 'pending', filled_size: '0.00' };
const missing = failure(404, 'NOT_FOUND');
const away = failure(503, 'SERVICE_UNAVAILABLE');

/** Never connects: what is told here comes from answers alone. */
function tracking(options: TrackerOptions = {}): OrderTracker {
  const { baseUrl } = server;
  const client = createClient({ baseUrl, token: 'sk_live_x', retriesMax: 0 });
  return new OrderTracker(client, createSocket({ baseUrl, token: 'sk_live_x' }), options);
}

const asked = (): string[] => server.asked.splice(0).map(({ method, url }) => `${method} ${url}`);

describe('[SK19] a placement whose answer is lost', () => {
  it('waits for the service to come back, and returns the order that arrived', async () => {
    const tracker = tracking();
    server.script(hangUp, hangUp, away, success(placed));
    expect(await tracker.place(order)).toMatchObject({ order_id: 'ord_1' });
    expect(asked()).toEqual(['POST /v1/orders', ...Array(3).fill('GET /v1/orders/coid%3Amine')]);
    expect(tracker.unsure).toEqual([]);
    expect(tracker.get('mine')).toMatchObject({ status: 'pending' });
  });

  it('throws once the service has said twice that the order is not there', async () => {
    const tracker = tracking();
    server.script(hangUp, away, missing, missing);
    await expect(tracker.place(order)).rejects.toThrow('no answer');
    expect(tracker.unsure).toEqual([]);
  });

  it('finds an order that arrived after the first question', async () => {
    const tracker = tracking();
    server.script(hangUp, missing, success(placed));
    expect(await tracker.place(order)).toMatchObject({ order_id: 'ord_1' });
  });

  it('is asked about for its own subaccount', async () => {
    const tracker = tracking();
    server.script(hangUp, success(placed));
    await tracker.place({ ...order, subaccount_id: 'sub_1' });
    expect(asked()[1]).toBe('GET /v1/orders/coid%3Amine?subaccount_id=sub_1');
  });

  it('throws and stays unsure when the time is up, or the credential opens nothing any more', async () => {
    const faults: unknown[] = [];
    const onFault = (fault: unknown): void => void faults.push(fault);
    const late = tracking({ findOutMs: 0, onFault });
    server.script(hangUp, away);
    await expect(late.place(order)).rejects.toThrow('no answer');
    expect([late.unsure, faults]).toEqual([['mine'], [expect.any(ServiceUnavailableError)]]);
    const revoked = tracking({ onFault });
    server.script(hangUp, failure(401, 'AUTH_INVALID'));
    await expect(revoked.place(order)).rejects.toThrow('no answer');
    expect([revoked.unsure, faults.length]).toEqual([['mine'], 2]);
  });

  it('ends with close', async () => {
    const tracker = tracking();
    server.script(hangUp, (response, request) => {
      away(response, request);
      tracker.close();
    });
    await expect(tracker.place(order)).rejects.toThrow('no answer');
    expect(tracker.unsure).toEqual(['mine']);
  });
});

describe('[SK19] a refused placement', () => {
  it('is thrown without a question', async () => {
    const tracker = tracking();
    server.script(failure(400, 'VALIDATION_FAILED'));
    await expect(tracker.place(order)).rejects.toThrow(ValidationFailedError);
    expect([asked(), tracker.unsure]).toEqual([['POST /v1/orders'], []]);
  });

  it('says nothing of an attempt before it whose answer was lost', async () => {
    const { baseUrl } = server;
    const client = createClient({ baseUrl, token: 'sk_live_x', retriesMax: 1 });
    const tracker = new OrderTracker(client, createSocket({ baseUrl, token: 'sk_live_x' }));
    server.script(hangUp, failure(422, 'MARKET_CLOSED'), success(placed));
    expect(await tracker.place(order)).toMatchObject({ order_id: 'ord_1' });
  });
});
