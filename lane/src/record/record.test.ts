import {
  apply,
  asAccountId,
  asMarketId,
  asOrderId,
  createState,
  DEFAULT_PARAMETERS,
  decodeCommand,
  decodeSnapshot,
  type Event,
  encodeCommand,
  encodeSnapshot,
  entryOf,
  type LedgerPosted,
  type LedgerReason,
  type Outcome,
  type Posting,
  postingsOf,
  type State,
} from '@sibyl/engine';
import type { Lots } from '@sibyl/money';
import { describe, expect, it } from 'vitest';
import { recordOf } from '../../test/records.ts';
import { command, drawFrom, OPERATOR, openMarket } from '../../test/workload.ts';
import { sealCommit } from '../journal/chain.ts';
import { add, addFlag, addNumber, begin, digest, walk } from './digest-sums.ts';
import { shortForm } from './order-text.ts';
import { outcomeDigest } from './outcome-digest.ts';
import { RecordReader, recordsOf } from './record.ts';
import { commandOf } from './submission.ts';

/** Outcomes of every kind that the stream of the fault tests comes to. */
async function outcomes(count: number): Promise<Outcome[]> {
  const state = createState('live', DEFAULT_PARAMETERS);
  const seen: Outcome[] = [];
  const run = (submission: Parameters<typeof commandOf>[0]): Outcome => {
    const outcome = apply(
      state,
      commandOf(submission, state.seq + 1, 1_700_000_000_000 + state.seq),
    );
    seen.push(outcome);
    return outcome;
  };
  const marketId = await openMarket(async (submission) => run(submission).answer);
  const draw = drawFrom(4);
  for (let index = 0; index < count; index++) run(command(draw, `${index}`, marketId));
  run(command(drawFrom(4), '0', marketId));
  return seen;
}

/** Every copy of the value with exactly one leaf changed; a shared object stays shared. */
function* altered(value: unknown, set: (changed: unknown) => unknown): Generator<unknown> {
  if (isEntry(value)) {
    const { reason, reference, referenceKind, referenceNumber: number } = value;
    const postings = postingsOf(value);
    const others: { reason: LedgerReason; reference: string; postings: readonly Posting[] }[] = [
      { reason, reference, postings: postings.toReversed() },
    ];
    if (referenceKind !== 'text') {
      others.push({ reason, reference: `${referenceKind}:${number + 1}`, postings });
      const kind = referenceKind === 'order' ? 'trade' : 'order';
      others.push({ reason, reference: `${kind}:${number}`, postings });
    }
    for (const leaf of altered({ reason, reference, postings }, (made) => made))
      others.push(leaf as (typeof others)[0]);
    for (const other of others) {
      yield set(entryOf(other.reason, other.reference, other.postings));
    }
    return;
  }
  if (typeof value === 'object' && value !== null) {
    for (const [name, field] of Object.entries(value)) {
      if (field === null && (name === 'next' || name === 'firstMaker')) {
        // The end of a trade's makers: another follows.
        yield set({ ...value, [name]: FILL });
        continue;
      }
      yield* altered(field, (changed) =>
        set(
          Array.isArray(value)
            ? value.map((old, index) => (`${index}` === name ? changed : old))
            : { ...value, [name]: changed },
        ),
      );
    }
    return;
  }
  if (typeof value === 'string') yield set(`${value}x`);
  else if (typeof value === 'number') yield set(value + 1);
  else if (typeof value === 'bigint') yield* [set(value + 1n), set(value + (1n << 32n))];
  else if (typeof value === 'boolean') yield set(!value);
  else yield set('x');
}

const FILL = {
  orderId: 1,
  accountId: 'acc_a',
  outcomeId: 'yes',
  side: 'buy',
  price: 1,
  lots: 1,
  rebateMicro: 0,
  remainingLots: 0,
  filledLots: 1,
  next: null,
};

function isEntry(value: unknown): value is LedgerPosted {
  return typeof value === 'object' && value !== null && 'slotAt' in value;
}

const LINK = { seq: 6, hash: 'h', tsMs: 0, epoch: 0 };

/** The digest by the general walk, without the shortcut for cancels. */
function walkedDigest({ seq, atMs, replayed, events, answer }: Outcome): string {
  begin();
  addNumber(seq);
  addNumber(atMs);
  addFlag(replayed);
  add(events.length);
  for (const event of events) {
    if (event.type !== 'order_cancelled') return '';
    add(WALKED);
    walk(event);
  }
  walk(answer);
  return digest();
}

const WALKED = 0x0d;

describe('record', () => {
  it('[P3] cancels have the digest that going through all of them comes to', () => {
    const state = createState('live', DEFAULT_PARAMETERS);
    const outcome = apply(state, commandOf({ body: { type: 'tick' }, actor: OPERATOR }, 1, 5));
    const ids = [asOrderId(7), asOrderId(2 ** 40)];
    for (const cancelled of [[], ids.slice(0, 1), ids]) {
      const events: Event[] = cancelled.map((orderId) => ({
        type: 'order_cancelled',
        orderId,
        accountId: asAccountId('acc_ä'),
        marketId: asMarketId('m_1'),
        filledLots: 3 as Lots,
        remainingLots: 2_000_000_000_000 as Lots,
        reason: 'user',
      }));
      const notCancelled = [{ orderId: asOrderId(9), code: 'NOT_FOUND' }] as const;
      const result = { kind: 'cancelled', cancelled, notCancelled } as const;
      const whole: Outcome = { ...outcome, events, answer: { ok: true, result } };
      expect(outcomeDigest(whole)).toBe(walkedDigest(whole));
      const refused = { ok: false, rejection: { code: 'NOT_FOUND', details: {} } } as const;
      const other: Outcome = { ...whole, answer: refused };
      expect(outcomeDigest(other)).toBe(walkedDigest(other));
    }
  });

  it('[P3] the outcome’s digest changes with every single field of it', async () => {
    let changes = 0;
    const kinds = new Set<string>();
    const blind: unknown[] = [];
    const made = await outcomes(60);
    const scores = [{ accountId: asAccountId('acc_a'), quality: 7 }];
    const sampled = { type: 'quality_sampled', marketId: asMarketId('m_1'), scores } as const;
    for (const outcome of [...made, { ...made[0]!, events: [sampled] }]) {
      for (const { type } of outcome.events) kinds.add(type);
      // Events by themselves: beside an answer that shares its order with them, any change would show.
      for (const whole of [
        outcome,
        { ...outcome, answer: { ok: true, result: { kind: 'done' } } } as const,
      ]) {
        const digest = outcomeDigest(whole);
        for (const changed of altered(whole, (made) => made)) {
          if (outcomeDigest(changed as Outcome) === digest) blind.push(changed);
          changes += 1;
        }
      }
    }
    expect(blind).toEqual([]);
    expect(changes).toBeGreaterThan(5000);
    expect([...kinds].sort()).toEqual(
      expect.arrayContaining([
        'ledger_posted',
        'order_cancelled',
        'order_placed',
        'quality_sampled',
        'trade_executed',
      ]),
    );
  });

  it('[P3] the outcome’s digest is the same after a snapshot, wherever the ledger has its accounts', async () => {
    const state = createState('live', DEFAULT_PARAMETERS);
    const next = (to: State, submission: Parameters<typeof commandOf>[0]): Outcome =>
      apply(to, commandOf(submission, to.seq + 1, 1_700_000_000_000 + to.seq));
    // Accounts are restored in order of their ids, so this one moves all others up.
    const accountId = asAccountId('acc_z');
    const relations = { mode: 'live', parentId: null, referrerId: null } as const;
    const body = { type: 'open_account', accountId, ...relations } as const;
    next(state, { body, actor: OPERATOR });
    const marketId = await openMarket(async (submission) => next(state, submission).answer);
    const draw = drawFrom(5);
    const submissions = Array.from({ length: 400 }, (_, index) =>
      command(draw, `${index}`, marketId),
    );
    for (const submission of submissions.slice(0, 200)) next(state, submission);
    const restored = decodeSnapshot([...encodeSnapshot(state)]);
    let moved = 0;
    for (const submission of submissions.slice(200)) {
      const here = next(state, submission);
      const there = next(restored, submission);
      expect(outcomeDigest(there)).toBe(outcomeDigest(here));
      for (const [index, event] of here.events.entries()) {
        const other = there.events[index]!;
        if (!isEntry(event) || !isEntry(other)) continue;
        expect(postingsOf(other)).toEqual(postingsOf(event));
        if (event.slotAt(0) !== other.slotAt(0)) moved += 1;
      }
    }
    expect(moved).toBeGreaterThan(20);
  });

  it('[P3] a batch’s digest changes with every field and with the order of its items', async () => {
    const seen = await outcomes(60);
    const items = seen.filter(
      ({ answer }) => answer.ok === false || answer.result.kind === 'order',
    );
    const batch: Outcome = {
      ...seen[0]!,
      events: items.flatMap(({ events }) => events),
      answer: { ok: true, result: { kind: 'batch', items: items.map(({ answer }) => answer) } },
    };
    const digest = outcomeDigest(batch);
    const blind: unknown[] = [];
    for (const changed of altered(batch, (made) => made)) {
      if (outcomeDigest(changed as Outcome) === digest) blind.push(changed);
    }
    expect(blind).toEqual([]);
    const answers = items.map(({ answer }) => answer).toReversed();
    const reversed = { ok: true, result: { kind: 'batch', items: answers } } as const;
    expect(outcomeDigest({ ...batch, answer: reversed })).not.toBe(digest);
  });

  it('[P3] the outcome’s digest does not confuse neighbouring values', () => {
    const outcome = (details: Record<string, string>): Outcome => ({
      seq: 1,
      atMs: 1,
      events: [],
      answer: { ok: false, rejection: { code: 'CONFLICT', details } },
      replayed: false,
    });
    expect(outcomeDigest(outcome({ a: 'x', b: 'y' }))).not.toBe(
      outcomeDigest(outcome({ a: 'xb=1:y' })),
    );
    expect(outcomeDigest(outcome({ a: '' }))).not.toBe(outcomeDigest(outcome({ b: '' })));
  });

  it('[P3] a command comes back from its text as it was, amounts included', async () => {
    const submission = command(drawFrom(1), 'x', 'm_0123456789abcdef' as never);
    for (const body of [
      submission.body,
      { type: 'deposit', accountId: 'acc_a', amount: 2n ** 70n, reference: '{"$bigint":"1"}' },
    ]) {
      const sent = commandOf({ ...submission, body: body as never }, 7, 1_700_000_000_000);
      expect(decodeCommand(encodeCommand(sent))).toEqual(sent);
    }
  });

  it('[P3] a command that places orders comes back from its short text as it was', () => {
    const actor = { kind: 'account', accountId: 'acc_a', keyId: 'sk_live_x' } as const;
    const order = {
      type: 'place_order',
      accountId: 'acc_a',
      marketId: 'm_0123456789abcdef',
      outcomeId: 'yes "no" é',
      side: 'buy',
      orderType: 'limit',
      price: 4200,
      lots: 7,
      timeInForce: 'gtc',
      expiresAtMs: null,
      postOnly: false,
      reduceOnly: false,
      stpMode: 'cancel_resting',
      maxCost: null,
      validUntilMs: null,
      clientOrderId: null,
      builder: null,
      caps: null,
      grant: null,
      execution: 'hybrid',
      acceptPrice: false,
    };
    const caps = { tier: 'self_serve', keyId: 'sk_live_x', orderMax: 5n, dayMax: null };
    const others: Record<string, unknown>[] = [
      {},
      { orderType: 'market', price: null, timeInForce: 'ioc', maxCost: 2n ** 50n },
      { builder: { appId: 'app_"é', feeBps: 5, capBps: 10 } },
      { clientOrderId: 'a\\"\n\u2028' },
      { clientOrderId: '' },
      { clientOrderId: 'é🜁 '.repeat(20) },
      { timeInForce: 'fok' },
      { timeInForce: 'gtd', expiresAtMs: 1_800_000_000_000 },
      { postOnly: true },
      { reduceOnly: true },
      { stpMode: 'cancel_incoming' },
      { validUntilMs: 1_800_000_000_000 },
      { caps },
      { grant: { grantId: 'grt_"é', dayMax: 2n ** 60n, expiresAtMs: 1_800_000_000_000 } },
      { caps, grant: { grantId: 'grt_1', dayMax: null, expiresAtMs: 0 } },
      { execution: 'mid' },
      { side: 'sell', lots: 2 ** 50 },
    ];
    const orders = others.map((changes) => ({ ...order, ...changes }));
    const items = { type: 'batch', accountId: 'acc_a', items: orders, allOrNone: true };
    const key = { scope: 'acc_a POST /v1/orders', key: '"k"', bodyHash: 'ab' };
    const answer = { ok: true, result: { kind: 'done' } } as const;
    const cancel = { type: 'cancel_order', accountId: 'acc_a', orderId: 2 ** 40 };
    for (const body of [...orders, items, cancel]) {
      for (const keyed of [{}, { key }]) {
        for (const keyId of ['sk_live_x', null]) {
          const submission = { body, actor: { ...actor, keyId }, requestId: 'r', ...keyed };
          const sent = commandOf(submission as never, 7, 1_700_000_000_000);
          const outcome = { seq: 7, atMs: 1_700_000_000_000, events: [], answer, replayed: false };
          const records = recordOf(sent, outcome);
          const commit = sealCommit({ seq: 7, tsMs: sent.atMs, epoch: 1, records }, LINK);
          expect(recordsOf(commit)[0]).toMatchObject({ seq: 7, epoch: 1, requestId: 'r' });
          expect(recordsOf(commit)[0]!.form).toHaveLength(1);
          const reader = new RecordReader();
          reader.open(commit);
          expect(reader.next()).toBe(true);
          expect(reader.command()).toEqual(sent);
          expect(reader.next()).toBe(false);
        }
      }
    }
    for (const changes of [{ accountId: 'acc_b' }, { keyId: '\ud800' }, { kind: 'system' }]) {
      const stranger = { ...actor, ...changes };
      const foreign = commandOf({ body: order, actor: stranger, requestId: 'r' } as never, 7, 1);
      expect(shortForm(foreign)).toBeNull();
    }
    // What the short text has no place for is spelled out.
    for (const changes of [
      { price: 0.5 },
      { maxCost: 2n ** 60n },
      { postOnly: 'yes' },
      { lots: -1 },
      { side: 'both' },
      { orderType: 'stop' },
      { timeInForce: 'day' },
      { stpMode: 'none' },
      { execution: 'dark' },
      { clientOrderId: '\ud800' },
      { outcomeId: '\udfff' },
      { marketId: '\ud800' },
      { builder: { appId: 'app', feeBps: 1 } },
      { grant: { grantId: 'grt_1', dayMax: null } },
      { grant: { grantId: 'grt_1', dayMax: 5, expiresAtMs: 1 } },
    ]) {
      const body = { ...order, ...changes };
      const odd = commandOf({ body, actor, requestId: 'r' } as never, 7, 1);
      const outcome = { seq: 7, atMs: 1, events: [], answer, replayed: false };
      const records = recordOf(odd, outcome);
      const commit = sealCommit({ seq: 7, tsMs: 1, epoch: 1, records }, LINK);
      const record = recordsOf(commit)[0]!;
      expect(record.form).toBe('place_order@1');
      expect(record.body).toBe(encodeCommand(odd));
    }
    // The short text of a cancel has no place for a grant.
    const ofGrant = { type: 'cancel_order', accountId: 'acc_a', orderId: 2, grantId: 'grt_1' };
    const foreign = commandOf({ body: ofGrant, actor, requestId: 'r' } as never, 7, 1);
    const told = { seq: 7, atMs: 1, events: [], answer, replayed: false };
    const commit = sealCommit(
      { seq: 7, tsMs: 1, epoch: 1, records: recordOf(foreign, told) },
      LINK,
    );
    expect(recordsOf(commit)[0]).toMatchObject({ body: encodeCommand(foreign) });
  });
});
