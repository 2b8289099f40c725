// Every write with an Idempotency-Key: done once, then repeated after the world has changed, and after a restart.
import { expect } from 'vitest';
import type { Answer } from './http.ts';
import { dataOf, isRecord } from './judge.ts';
import { requestFor } from './requests.ts';
import type { Scene } from './scene.ts';
import { ACT, allOperations, type Call, operationOf, resting } from './world.ts';

type Builder = (scene: Scene) => Call | Promise<Call>;

/** Requests whose answers show what changes, beside the ordinary one of each operation. */
const more: readonly (readonly [name: string, row: Row])[] = [
  ['a batch of every kind', { id: 'batchOrders', build: mixedBatch }],
  ['an all-or-none batch that names nothing', { id: 'batchOrders', build: unknownInBatch }],
  ['a cancel that names nothing yet', { id: 'cancelOrder', build: unknownName }],
  ['a name that an open order has', { id: 'placeOrder', build: duplicateName }],
  ['an amendment that would take', { id: 'amendOrder', build: takingAmendment }],
  ['a mint in a market that waits', { id: 'convertPosition', build: mintTooEarly }],
  ['a batch of faults alone', { id: 'batchOrders', build: faultyBatch }],
  ['a key that may not be had', { id: 'mintKey', build: excessiveKey }],
  ['a key that nobody has', { id: 'revokeKey', build: unknownKey }],
  ['a webhook that there is already', { id: 'createWebhook', build: secondWebhook }],
  ['a secret that was changed just now', { id: 'rotateWebhookSecret', build: secondRotation }],
];

interface Row {
  readonly id: string;
  readonly build: Builder;
}

/** Every operation that takes a key, then the others. A backup takes too long to be made here once more; see [OP9]. */
export const rows: readonly (readonly [name: string, row: Row])[] = [
  ...allOperations
    .filter(({ id, idempotency }) => idempotency !== 'none' && id !== 'createBackup')
    .map(
      (operation) =>
        [
          operation.id,
          {
            id: operation.id,
            build: (scene: Scene) => requestFor(operation, scene, scene.owner),
          },
        ] as const,
    ),
  ...more,
];

export class FirstAnswers {
  readonly #expected: number;
  readonly #given: { readonly id: string; readonly call: Call; readonly text: string }[] = [];

  constructor(expected: number) {
    this.#expected = expected;
  }

  /** Sends a request, changes the world, and sends it again. */
  async twice(scene: Scene, { id, build }: Row): Promise<void> {
    const { world } = scene;
    const operation = operationOf(id);
    const call = { ...(await build(scene)), key: world.fresh('first-answer-') };
    const first = await world.send(operation, call);
    expect(first.headers['idempotency-replayed'], first.text).toBeUndefined();
    await changeTheWorld(scene, first);
    const second = await world.send(operation, call);
    expect(second.headers['idempotency-replayed'], second.text).toBe('true');
    if (operation.bearsSecrets && first.status === 200) expect(open(second)).toEqual(open(first));
    else expect(kept(second)).toBe(kept(first));
    this.#given.push({ id, call, text: kept(second) });
  }

  async afterRestart({ world }: Scene): Promise<void> {
    expect(this.#given).toHaveLength(this.#expected);
    await world.restart();
    for (const { id, call, text } of this.#given) {
      expect(kept(await world.send(operationOf(id), call)), id).toBe(text);
    }
  }
}

/** All of an answer but the id of the request and the time at which it was given. */
function kept({ status, text }: Answer): string {
  const stamped = /"meta":\{"request_id":"\w+","server_ts_ms":\d+/;
  expect(text).toMatch(stamped);
  // The trace of a refusal is the id of the request; those of the items of a batch are of the first one.
  const ownTrace = /,"trace_id":"\w+"\}\}$/;
  return `${status} ${text.replace(stamped, '"meta":{').replace(ownTrace, '}}')}`;
}

/** What is shown of an answer with secrets, however often it is asked for. */
function open(answer: Answer): Record<string, unknown> {
  const secrets = ['key_id', 'secret', 'client_secret', 'passphrase', 'code', 'secrets_withheld'];
  return Object.fromEntries(
    Object.entries(dataOf(answer)).filter(([name]) => !secrets.includes(name)),
  );
}

/** Prices, balances, orders and states move; also those of the market and the account that the answer is about. */
async function changeTheWorld(scene: Scene, first: Answer): Promise<void> {
  const { world, owner, other, marketId } = scene;
  const tell = (id: string, call: Call): Promise<Answer> => world.send(operationOf(id), call);
  for (const market of new Set(valuesOf('market_id', first.body))) {
    // Whatever of this the state of the market allows.
    if (market !== marketId) {
      for (const id of ['approveMarket', 'resumeMarket']) {
        await tell(id, { params: { market_id: market }, body: ACT });
      }
    }
    const body = { market_id: market, outcome_id: 'yes', side: 'buy', order_type: 'market' };
    await tell('placeOrder', { token: other.key, body: { ...body, size: '5' } });
  }
  await world.data('cancelAllOrders', { token: owner.key });
  await world.dropWebhooks(owner);
  const accounts = [...valuesOf('account_id', first.body), owner.accountId];
  for (const account of new Set(accounts)) await world.fund(account, '7').catch(() => undefined);
}

function valuesOf(name: string, value: unknown): readonly string[] {
  if (!isRecord(value)) return [];
  const here = value[name];
  const below = Object.values(value).flatMap((one) => valuesOf(name, one));
  return typeof here === 'string' ? [here, ...below] : below;
}

async function mixedBatch({ world, owner, marketId }: Scene): Promise<Call> {
  const items = [
    { action: 'place', order: resting(marketId) },
    { action: 'place', order: { ...resting(marketId), size: '0.001' } },
    { action: 'place', order: { ...resting(marketId), size: '90000000' } },
    { action: 'amend', order_id: await world.openOrder(owner, marketId), size: '1' },
    { action: 'cancel', order_id: await world.openOrder(owner, marketId) },
    { action: 'cancel', order_id: 'coid:nobody' },
  ];
  return { token: owner.key, body: { items } };
}

function unknownInBatch({ owner, marketId }: Scene): Call {
  const place = { action: 'place', order: { ...resting(marketId), client_order_id: 'nobody' } };
  const items = [place, { action: 'cancel', order_id: 'coid:nobody' }];
  return { token: owner.key, body: { items, all_or_none: true } };
}

function unknownName({ owner }: Scene): Call {
  return { token: owner.key, params: { order_id: 'coid:nobody' } };
}

async function duplicateName({ world, owner, marketId }: Scene): Promise<Call> {
  const body = { ...resting(marketId), client_order_id: world.fresh('twice-') };
  await world.data('placeOrder', { token: owner.key, body });
  return { token: owner.key, body };
}

async function takingAmendment({ world, owner, marketId }: Scene): Promise<Call> {
  const body = { ...resting(marketId), post_only: true };
  const order = await world.data('placeOrder', { token: owner.key, body });
  const params = { order_id: String(order.order_id) };
  return { token: owner.key, params, body: { price: '0.99' } };
}

async function mintTooEarly({ world, owner }: Scene): Promise<Call> {
  const market = await world.unapprovedMarket(owner);
  return { token: owner.key, body: { action: 'mint', market_id: market, size: '1' } };
}

function faultyBatch({ owner, marketId }: Scene): Call {
  const items = ['0.001', '90000000000000'].map((size) => ({
    action: 'place',
    order: { ...resting(marketId), size },
  }));
  return { token: owner.key, body: { items } };
}

function excessiveKey({ owner }: Scene): Call {
  return { token: owner.key, body: { permissions: ['read', 'withdraw'] } };
}

function unknownKey({ owner }: Scene): Call {
  return { token: owner.key, params: { key_id: `sk_live_${'x'.repeat(16)}` } };
}

async function secondWebhook({ world, owner }: Scene): Promise<Call> {
  await world.dropWebhooks(owner);
  const body = world.webhookBody();
  await world.data('createWebhook', { token: owner.key, body });
  return { token: owner.key, body };
}

async function secondRotation({ world, owner }: Scene): Promise<Call> {
  const params = { webhook_id: await world.webhook(owner) };
  await world.data('rotateWebhookSecret', { token: owner.key, params });
  return { token: owner.key, params };
}
