import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ManualClock } from '@sibyl/lane/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FinishedRequest, RequestFilter } from '../ports/requests.ts';
import { RequestLog, type RequestLogOptions } from './request-log.ts';

const NOON_MS = 1_794_744_000_000;
const DAY_MS = 86_400_000;

let folder: string;
let clock: ManualClock;
let log: RequestLog;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'sibyl-requests-'));
  clock = new ManualClock(NOON_MS);
});
afterEach(async () => {
  await log.close();
  rmSync(folder, { recursive: true, force: true });
});

function open(more: Partial<RequestLogOptions> = {}): void {
  log = new RequestLog({
    file: path.join(folder, 'requests.db'),
    bytesMax: 16_777_216,
    perHolderMax: 10_000,
    keptMs: 7 * DAY_MS,
    clock,
    failed: (reason) => {
      throw new Error(reason);
    },
    ...more,
  });
}

function request(number: number, more: Partial<FinishedRequest> = {}): FinishedRequest {
  const head = 'GET /v1/balance HTTP/1.1\r\nhost: here\r\n';
  return {
    holderId: 'usr_1',
    credential: 'sk_live_0000000000000000',
    lane: 'live',
    operation: 'getBalance',
    requestId: `req_${number}`,
    atMs: clock.wallMs(),
    latencyUs: number,
    status: 200,
    code: 'ok',
    head,
    headEnd: head.length,
    body: null,
    bodyFrom: 0,
    answer: '{"ok":true}',
    isWithheld: false,
    ...more,
  };
}

/** As the gateway does it. */
function add(finished: FinishedRequest): void {
  if (log.admits(finished.holderId)) log.add(finished);
}

async function ids(holderId = 'usr_1'): Promise<readonly string[]> {
  const filter: RequestFilter = {
    holderId,
    lane: null,
    ownCredential: null,
    statusClass: null,
    code: null,
    method: null,
    operation: null,
    path: null,
    credential: null,
    fromMs: null,
    toMs: null,
    beforePosition: null,
    limit: 100_000,
  };
  return (await log.list(filter)).map(({ requestId }) => requestId);
}

describe('what the log keeps', () => {
  it('[RL5] is the newest of each user, up to a number', async () => {
    open({ perHolderMax: 100 });
    for (let round = 0; round < 5; round += 1) {
      for (let number = 0; number < 100; number += 1) add(request(round * 100 + number));
      add(request(round, { holderId: 'usr_2' }));
      // Handed over with every question.
      await ids();
    }
    const kept = await ids();
    expect(kept.length).toBeGreaterThanOrEqual(100);
    expect(kept.length).toBeLessThanOrEqual(200);
    expect(kept).toEqual(kept.map((_, index) => `req_${499 - index}`));
    expect(await ids('usr_2')).toHaveLength(5);
  });

  it('[RL5] is at most seven days old', async () => {
    open();
    add(request(1));
    await ids();
    clock.advance(6 * DAY_MS);
    add(request(2));
    expect(await ids()).toEqual(['req_2', 'req_1']);
    clock.advance(2 * DAY_MS);
    add(request(3));
    expect(await ids()).toEqual(['req_3', 'req_2']);
  });

  it('[RL5] takes no more of the disk than it may: the oldest of all go first', async () => {
    open({ bytesMax: 1_048_576 });
    const answer = JSON.stringify('x'.repeat(4_000));
    for (let number = 0; number < 1_500; number += 1) {
      add(request(number, { answer, holderId: number < 200 ? 'usr_old' : 'usr_1' }));
      if (number % 50 === 49) await ids();
    }
    expect(await ids('usr_old')).toEqual([]);
    const kept = await ids();
    expect(kept[0]).toBe('req_1499');
    expect(kept).toEqual(kept.map((_, index) => `req_${1_499 - index}`));
    expect(kept.length * 4_000).toBeGreaterThan(1_048_576 / 4);
    expect(kept.length * 4_000).toBeLessThan(1_048_576 * 1.5);
  });
});

describe('what the log has no room for', () => {
  it('[RL6] is dropped and counted, and one user cannot take the room of the others', async () => {
    open({ batchBytes: 100_000 });
    for (let number = 0; number < 1_000; number += 1) add(request(number));
    add(request(1, { holderId: 'usr_2' }));
    expect(await ids('usr_2')).toEqual(['req_1']);
    const kept = await ids();
    expect(kept.length).toBeGreaterThan(100);
    expect(kept.length).toBeLessThan(1_000);
    const dropped = 1_000 - kept.length;
    expect(log.droppedCount).toBe(dropped);
    const owner = { holderId: 'usr_1', lane: null, ownCredential: null };
    expect((await log.summary(owner, NOON_MS)).day).toEqual({
      requests: kept.length,
      errors: 0,
      dropped,
    });
    const other = { holderId: 'usr_2', lane: null, ownCredential: null };
    expect((await log.summary(other, NOON_MS)).today).toMatchObject({ requests: 1, dropped: 0 });
  });

  it('[RL6] finds room again once the batch was handed over, which no request waits for', async () => {
    open({ batchBytes: 30_000 });
    let number = 0;
    while (log.droppedCount === 0) {
      add(request(number));
      number += 1;
    }
    clock.advance(500);
    add(request(9_999));
    expect(await ids()).toContain('req_9999');
    expect(log.droppedCount).toBe(1);
  });

  it('[RL6] loses nothing that there is room for while the thread is still starting', async () => {
    open({});
    // The thread cannot have answered: nothing but this function runs.
    for (let number = 0; number < 8; number += 1) {
      add(request(number));
      clock.advance(500);
    }
    expect(log.droppedCount).toBe(0);
    expect(await ids()).toHaveLength(8);
  });
});
