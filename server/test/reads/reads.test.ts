import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type AnyOperation, operations, operatorOperations } from '@sibyl/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { longestTurnMs, openStage, READ_ELSEWHERE, type Stage } from './stage.ts';

/** As many as `npm test` has time for; `npm run reads` asks the same of a million. */
const ORDERS = 40_000;
const TURN_MAX_MS = 20;
const TRIES = 4;

describe('reads of a lane with many orders', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'reads-'));
  let stage: Stage;

  beforeAll(async () => {
    stage = await openStage(folder, ORDERS);
  });

  afterAll(async () => {
    await stage.close();
    rmSync(folder, { recursive: true });
  });

  it('[MM2] no read holds the event loop for more than 20 ms', async () => {
    const turns = new Map<string, number>();
    for (const [name, address] of stage.reads) {
      const { status } = await stage.get(address);
      expect(status, name).toBe(
        name.includes('nobody-knows-it') && name.startsWith('getOrder') ? 404 : 200,
      );
      turns.set(name, await longestTurnMs(() => stage.get(address), TRIES));
    }
    const slow = [...turns].filter(([, ms]) => ms > TURN_MAX_MS);
    expect(slow).toEqual([]);
  });

  it('[MM2] every read of both planes is among them, those of the operator with much to look at', async () => {
    const all: readonly AnyOperation[] = Object.values({ ...operations, ...operatorOperations });
    const reads = all
      .filter(({ id, method }) => method === 'GET' && !READ_ELSEWHERE.has(id))
      .map(({ id }) => id);
    const asked = [...stage.reads.keys()].map((name) => name.split(' ')[0]!);
    expect([...new Set(asked)].sort()).toEqual([...reads, 'metrics'].sort());
    const read = async (name: string): Promise<unknown> =>
      (await stage.get(stage.reads.get(`${name} lane=sandbox`)!)).body.data;
    expect(await read('previewCancellation')).toMatchObject({
      holders: expect.toSatisfy((count: number) => count > ORDERS / 5),
    });
    expect(await read('getReconciliation')).toMatchObject({ report: { balanced: true } });
  });

  it('[MM1] an order is found by a name that is older than a day, and nothing by one that nobody gave', async () => {
    const { status, body } = await stage.get('/v1/orders/coid:order-1');
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ client_order_id: 'order-1', status: 'filled' });
    const last = `order-${ORDERS - 1}`;
    const found = await stage.get(`/v1/account/orders?client_order_id=${last}`);
    expect(found.body).toMatchObject({ data: [{ client_order_id: last }] });
    expect((await stage.get('/v1/orders/coid:nobody-knows-it')).status).toBe(404);
    // The name is a maker's.
    expect((await stage.get('/v1/orders/coid:maker-0')).status).toBe(404);
  });

  it('[MM3] a filter that lets nothing through looks at some entries only, and the pages lead to the end', async () => {
    for (const address of [
      '/v1/portfolio/ledger?reason=withdrawal',
      '/v1/account/orders?status=cancelled',
      '/v1/webhooks/wh_reads/deliveries?status=exhausted',
    ]) {
      let pages = 0;
      let cursor: string | undefined = '';
      while (cursor !== undefined && cursor !== null) {
        const { status, body } = await stage.get(`${address}${cursor && `&cursor=${cursor}`}`);
        expect(status, address).toBe(200);
        expect(body.data).toEqual([]);
        pages += 1;
        cursor = body.meta.next_cursor;
      }
      expect(pages, address).toBeGreaterThan(1);
    }
  });
});
