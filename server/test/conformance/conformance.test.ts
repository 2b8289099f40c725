// The contract against the running server: every operation, every code, every credential, hostile input.
import { type AnyOperation, type ErrorCode, errors } from '@sibyl/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  classOf,
  credentials,
  foreignVerdicts,
  frozenVerdicts,
  privateRecords,
  siblingVerdicts,
} from './authorization.ts';
import { FirstAnswers, rows } from './first-answers.ts';
import type { Answer } from './http.ts';
import { dataOf, faultsOf, isRecord, verdictOf } from './judge.ts';
import { mutationsOf } from './mutations.ts';
import {
  commonProvocations,
  declaredNow,
  isCommon,
  provocations,
  sharedProvocations,
} from './provocations.ts';
import { type Provocation, requestOf, unknownIds, unusedRequestOf } from './provoking.ts';
import { requests } from './requests.ts';
import { endow, openScene, type Scene } from './scene.ts';
import {
  allOperations,
  type Call,
  mayBeDirect,
  operationOf,
  type Person,
  resting,
} from './world.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene?.world.close());

function expectVerdict(operation: AnyOperation | null, answer: Answer, verdict: string): void {
  expect(verdictOf(answer), answer.text).toBe(verdict);
  expect(faultsOf(operation, answer), answer.text).toEqual([]);
}

/** Whether whoever asked is turned away before anything is done. */
function isRefused(verdict: string): boolean {
  return /^(AUTH|TOKEN|SCOPE|WRONG_ENV)_/.test(verdict);
}

interface Case {
  readonly operation: AnyOperation;
  readonly code: ErrorCode;
  readonly how: Provocation['how'];
}

const special: readonly Case[] = [...commonProvocations, ...provocations].map(
  ({ operation, code, how }) => ({ operation: operationOf(operation), code, how }),
);

const shared: readonly Case[] = allOperations.flatMap((operation) =>
  declaredNow(operation).flatMap((code) => {
    // The second factors of users have ways of their own.
    const isUsers = code === 'STEP_UP_MFA_REQUIRED' && operation.group !== 'Operator';
    // Apps show who they are in another way than by a bearer.
    const isClients = operation.takesForms && /^(AUTH|TOKEN|APP)_/.test(code);
    const how = isUsers || isClients ? undefined : sharedProvocations[code];
    return how === undefined ? [] : [{ operation, code, how }];
  }),
);

/**
 * Both ways in which orders are answered, each with the operations that it makes a difference to: connections of all others
 * become Node's with their first byte, whatever is set (see [FP2]).
 */
const ways = [
  ['straight on the socket', 'on', allOperations],
  ["by Node's HTTP", 'off', allOperations.filter(mayBeDirect)],
] as const;

describe.each(ways)('orders answered %s', (_way, setting, asked) => {
  const byId = asked.map((operation) => [operation.id, operation] as const);
  const isAsked = (id: string) => asked.some((operation) => operation.id === id);

  beforeAll(() => scene.world.restart({ DIRECT_ORDERS: setting }));

  describe('[CV1] every operation', () => {
    it('and nothing else has a request of its own', () => {
      const known = allOperations.map(({ id }) => id);
      expect(known).toEqual(expect.arrayContaining(Object.keys(requests)));
    });

    it.each(byId)('%s succeeds and answers what its schema says', async (_id, operation) => {
      const call = await requestOf(scene, operation);
      const answer = await scene.world.send(operation, call);
      expectVerdict(operation, answer, 'ok');
      if (operation.group === 'Operator') return;
      const isDryRun = operation.input.query?.properties.dry_run !== undefined;
      if (!isDryRun) return;
      const dry = { ...(await requestOf(scene, operation)), query: { dry_run: 'true' } };
      expectVerdict(operation, await scene.world.send(operation, dry), 'ok');
    });

    it('answers what no operation has with the envelope and every header', async () => {
      const nowhere: AnyOperation = { ...operationOf('getHealth'), path: '/v1/nowhere' };
      expectVerdict(null, await scene.world.send(nowhere, {}), 'NOT_FOUND');
    });
  });

  describe('[OA1] the first answer to a request with a key is given again', () => {
    const own = rows.filter(([, { id }]) => isAsked(id));
    const given = new FirstAnswers(own.length);

    it.each(own)('%s: when others have traded meanwhile', (_name, row) => given.twice(scene, row));

    it('after a restart', () => given.afterRestart(scene));
  });

  describe('[CV2] every error code', () => {
    const cases = [...shared, ...special];
    const own = cases.filter(({ operation }) => isAsked(operation.id));

    it('that an operation declares is provoked', () => {
      const provoked = new Set(cases.map(({ operation, code }) => `${operation.id} ${code}`));
      const commonly = new Set(commonProvocations.map(({ code }) => code));
      const missing = allOperations.flatMap((operation) =>
        declaredNow(operation)
          .filter((code) => !(isCommon(code) && commonly.has(code)))
          .map((code) => `${operation.id} ${code}`)
          .filter((name) => !provoked.has(name)),
      );
      expect(missing).toEqual([]);
    });

    it('that is in force is declared by some operation', () => {
      const declared = new Set(allOperations.flatMap(({ errors: codes }) => codes));
      const loose = Object.entries(errors).filter(
        ([code, { since }]) => since === '0.2' && !declared.has(code as ErrorCode),
      );
      expect(loose.map(([code]) => code)).toEqual([]);
    });

    it.each(own.map((one) => [one.operation.id, one.code, one] as const))(
      '%s answers %s',
      async (_id, code, { operation, how }) => {
        expectVerdict(operation, await how(scene, operation), code);
      },
    );
  });

  describe('[CV2] refusals that other operations have codes of their own for', () => {
    const batch = (item: object): Call => ({
      token: scene.owner.key,
      body: { items: [item], all_or_none: true },
    });

    it('are declared by batchOrders', async () => {
      const operation = operationOf('batchOrders');
      const waiting = await scene.world.unapprovedMarket(scene.owner);
      const place = batch({ action: 'place', order: resting(waiting) });
      expectVerdict(operation, await scene.world.send(operation, place), 'MARKET_CLOSED');
      for (const reference of ['ord_00000zzzzz', 'coid:nobody']) {
        const cancel = batch({ action: 'cancel', order_id: reference });
        expectVerdict(operation, await scene.world.send(operation, cancel), 'VALIDATION_FAILED');
      }
    });

    it('of a token of an app are declared by the operations of a session', async () => {
      for (const id of ['logOut', 'changePassword']) {
        const operation = operationOf(id);
        const call = { ...(await requestOf(scene, operation)), token: 'oat_of_no_app' };
        expectVerdict(operation, await scene.world.send(operation, call), 'AUTH_INVALID');
      }
    });

    it('are declared by convertPosition', async () => {
      const operation = operationOf('convertPosition');
      const waiting = await scene.world.unapprovedMarket(scene.owner);
      const body = { action: 'mint', market_id: waiting, size: '1' };
      const answer = await scene.world.send(operation, { token: scene.owner.key, body });
      expectVerdict(operation, answer, 'MARKET_CLOSED');
    });
  });

  describe('[T9] the authorization matrix', () => {
    for (const [name, { call: present, expected }] of Object.entries(credentials)) {
      it.each(byId)(`${name}: %s`, async (id, operation) => {
        const { world, other } = scene;
        const verdict = expected[classOf(operation)];
        const presented = present(scene);
        const request = await (isRefused(verdict) ? unusedRequestOf : requestOf)(scene, operation);
        // Calls of the page are refused to all of these at either address.
        const base = operation.auth === 'session' ? ({ base: '/sandbox' } as const) : {};
        const answer = await world.send(operation, { ...request, ...base, ...presented });
        const foreign = presented.token === other.key ? foreignVerdicts[id] : undefined;
        const isSibling = presented.token === scene.keys.tradeOnly;
        const sibling = isSibling ? siblingVerdicts[id] : undefined;
        expectVerdict(operation, answer, foreign ?? sibling ?? verdict);
        // Whose account it was has to have something again.
        if (id === 'resetSandbox' && verdict === 'ok') await endow(scene);
        // Only the owner's own password opens what is the owner's, or a code that the owner gave to an app.
        const isGiven = id === 'logIn' || id === 'exchangeToken';
        const isLeak = answer.text.includes(scene.owner.accountId) && !isGiven;
        if (presented.token === other.key) expect(isLeak).toBe(false);
      });
    }

    it.each(byId.filter(([, { path }]) => path.includes('{')))(
      'a random id: %s finds nothing',
      async (id, operation) => {
        const verdict = operation.errors.includes('MARKET_NOT_FOUND')
          ? 'MARKET_NOT_FOUND'
          : 'NOT_FOUND';
        expectVerdict(operation, await unknownIds(scene, operationOf(id)), verdict);
      },
    );

    it("another's orders can be neither seen, changed nor cancelled, by id or by name", async () => {
      const { world, owner, other, marketId } = scene;
      const name = world.fresh('mine-');
      const body = { ...resting(marketId), client_order_id: name };
      const order = await world.data('placeOrder', { token: owner.key, body });
      const orderId = String(order.order_id);
      for (const reference of [orderId, `coid:${name}`]) {
        for (const id of ['getOrder', 'amendOrder', 'cancelOrder']) {
          const change = id === 'amendOrder' ? { body: { size: '1' } } : {};
          const call = { token: other.key, params: { order_id: reference }, ...change };
          const operation = operationOf(id);
          expectVerdict(operation, await world.send(operation, call), 'NOT_FOUND');
        }
        const all = { token: other.key, query: { order_ids: reference } };
        const missed = await world.data('cancelAllOrders', all);
        expect(missed).toMatchObject({ cancelled: [], not_cancelled: [{ code: 'NOT_FOUND' }] });
        const items = [{ action: 'cancel', order_id: reference }];
        const batch = await world.data('batchOrders', { token: other.key, body: { items } });
        expect(batch).toMatchObject({ failed: 1, results: [{ error: { code: 'NOT_FOUND' } }] });
      }
      const seen = await world.data('getOrder', {
        token: owner.key,
        params: { order_id: orderId },
      });
      expect(seen).toMatchObject({ status: 'pending', size: '2.000000' });
    });

    // Of a list that needs no credential a cursor is good with any.
    it.each(
      byId.filter(([, { list, group, auth }]) => list && group !== 'Operator' && auth !== 'public'),
    )("another's cursor: %s refuses it", async (_id, operation) => {
      const { owner, other, world } = scene;
      const tokenOf = (person: Person): string =>
        operation.auth === 'session' ? person.session : person.key;
      const request = { ...(await requestOf(scene, operation)), token: tokenOf(owner) };
      const { body } = await world.checked(operation.id, request);
      const meta = isRecord(body) && isRecord(body.meta) ? body.meta : {};
      expect(meta.next_cursor, 'there is a second page').toEqual(expect.any(String));
      const query = { ...(request.query as object), cursor: String(meta.next_cursor) };
      expectVerdict(operation, await world.send(operation, { ...request, query }), 'ok');
      const foreign = await world.send(operation, { ...request, query, token: tokenOf(other) });
      const isPrivate = privateRecords.has(operation.id);
      expectVerdict(operation, foreign, isPrivate ? 'NOT_FOUND' : 'VALIDATION_FAILED');
    });

    it.each(
      byId.filter(([, { idempotency, auth }]) => idempotency !== 'none' && auth !== 'operator'),
    )("another's idempotency key: %s is a request of its own", async (_id, operation) => {
      const { other, owner, world } = scene;
      await world.fund(other.accountId, '1000');
      const key = world.fresh('shared-key-');
      const first = { ...(await requestOf(scene, operation, owner)), key };
      dataOf(await world.send(operation, first));
      const second = { ...(await requestOf(scene, operation, other)), key };
      const answer = await world.send(operation, second);
      expectVerdict(operation, answer, 'ok');
      expect(answer.headers['idempotency-replayed']).toBeUndefined();
      const replay = await world.send(operation, first);
      expectVerdict(operation, replay, 'ok');
      expect(replay.headers['idempotency-replayed']).toBe('true');
    });

    it.each(Object.entries(frozenVerdicts).filter(([id]) => isAsked(id)))(
      'a frozen account: %s is %s',
      async (id, verdict) => {
        const operation = operationOf(id);
        const token = scene.world.prologue.frozenSession;
        const request = await requestOf(scene, operation);
        const answer = await scene.world.send(operation, { ...request, token, base: '' });
        expectVerdict(operation, answer, verdict);
      },
    );
  });

  // Never a fault of ours, never a code that the operation has not announced.
  describe('[T10] near-valid and hostile input', () => {
    // Server and client share this thread: what a request costs it is how long nobody else is served.
    // Processor time, because on a busy machine the clock also counts what others do.
    const STALL_MS_MAX = 500;
    const spentMs = (): number => {
      const { user, system } = process.threadCpuUsage();
      return (user + system) / 1000;
    };
    /** Says when asked what the longest time between two turns of the event loop cost. */
    const watchTurns = (): (() => number) => {
      let before = spentMs();
      let longestMs = 0;
      let isOver = false;
      const turn = (): void => {
        const now = spentMs();
        longestMs = Math.max(longestMs, now - before);
        before = now;
        if (!isOver) setImmediate(turn);
      };
      setImmediate(turn);
      return () => {
        isOver = true;
        turn();
        return longestMs;
      };
    };

    it.each(byId)('%s stays orderly', async (_id, operation) => {
      const { world } = scene;
      // What it costs would count as the cost of a request.
      await world.historyIsQuiet();
      // Under one key, or there would be a copy of everything for each request.
      const keyed = operation.id === 'createBackup' ? { key: world.fresh('one-backup-') } : {};
      const request = { ...(await requestOf(scene, operation)), ...keyed };
      const problems: string[] = [];
      for (const { name, call, isElsewhere } of mutationsOf(operation, request)) {
        const before = spentMs();
        // A backup has as many turns as the journal has commits; any other request is short as a whole.
        const costOf = operation.id === 'createBackup' ? watchTurns() : () => spentMs() - before;
        const answer = await world.send(operation, call);
        const costMs = costOf();
        if (costMs > STALL_MS_MAX) problems.push(`${name}: ${costMs} ms without a pause`);
        const faults = faultsOf(isElsewhere === true ? null : operation, answer);
        if (answer.status >= 500) problems.push(`${name}: ${answer.status} ${verdictOf(answer)}`);
        for (const fault of faults) problems.push(`${name}: ${fault}`);
      }
      expect(problems.slice(0, 10)).toEqual([]);
    });

    it('leaves the server well and the books balanced', async () => {
      const { world } = scene;
      expect(await world.data('getHealth', {})).toMatchObject({ status: 'ok' });
      for (const lane of ['live', 'sandbox']) {
        expect(await world.reconciled(lane)).toMatchObject({ balanced: true });
      }
    });
  });

  it('[FP2] [FP4] are answered that way, and the operator sees it', async () => {
    const { world } = scene;
    const isOn = setting === 'on';
    expect(await world.metric('sibyl_order_way{way="direct"}')).toBe(isOn ? 1 : 0);
    expect(await world.metric('sibyl_order_way{way="node"}')).toBe(isOn ? 0 : 1);
    const answered = await world.metric('sibyl_direct_answers_total');
    expect([answered, isOn ? answered > 100 : answered === 0]).toEqual([answered, true]);
  });
});
