// What changes between the look at an act and the act itself, and what is asked for twice.
import { asAccountId, hasTraded, type MarketId } from '@sibyl/engine';
import { lots, pips, usdt } from '@sibyl/money';
import type { LightMyRequestResponse as Response } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { expectError } from '../gateway/expect.ts';
import { bearer } from '../gateway/harness.ts';
import { limitBuy } from '../limit-order.ts';
import { begunBy } from '../ports/authenticators-suite.ts';
import { user } from '../ports/platform-suite.ts';
import { type OperatorHarness, openOperator, trader } from './harness.ts';
import { joined } from './people.ts';

const why = { reason: 'ticket 4711' };
const DAY_MS = 86_400_000;

let harness: OperatorHarness;
let ada: string;
let bea: { readonly operatorId: string; readonly token: string };
let subject: string;
beforeEach(async () => {
  harness = await openOperator();
  ada = (await joined(harness, 'ada', ['admin'])).token;
  bea = await joined(harness, 'bea', ['admin']);
  subject = (await joined(harness, 'vic', ['market_manager'])).operatorId;
});
afterEach(() => harness.close());

const post = (token: string, path: string, payload: object): Promise<Response> =>
  harness.gateway.app.inject({
    ...{ method: 'POST', url: `/admin/v1${path}`, headers: bearer(token), payload },
  });
const setRoles = (token: string, roles: readonly string[], reason = why.reason) =>
  post(token, `/operators/${subject}/roles`, { reason, roles });
const rolesOf = async () => (await harness.operators.operatorById(subject))?.roles;

/** Has something happen just before the store does this, once. */
function before<Name extends string>(
  store: Record<Name, (...args: never[]) => Promise<unknown>>,
  name: Name,
  happens: () => Promise<unknown>,
): void {
  const real = store[name];
  store[name] = (async (...args: never[]) => {
    store[name] = real;
    await happens();
    return real.apply(store, args);
  }) as never;
}

describe('[OP67] what waits already', () => {
  it('is not asked for a second time, by anybody, for another reason or in another order', async () => {
    const asked = await setRoles(ada, ['support', 'treasurer']);
    const { approval_id: id } = asked.json().data;
    for (const token of [ada, bea.token, harness.token]) {
      const again = await setRoles(token, ['treasurer', 'support'], 'another reason');
      expectError(again, 'STATE_CONFLICT');
      expect(again.json().error.details).toMatchObject({ approval_id: id, state: 'waiting' });
      expect(again.json().error.message).toContain(id);
    }
    expect((await setRoles(ada, ['support'])).json().data.state).toBe('waiting');
    expect((await post(bea.token, `/approvals/${id}/approve`, why)).json().data.state).toBe('done');
    expect(await rolesOf()).toEqual(['support', 'treasurer']);
    const { approvals } = harness.operators;
    expect((await approvals.list('waiting', 10)).map(({ input }) => input)).toEqual([
      expect.stringContaining('"roles":["support"]'),
    ]);
  });

  it('may be asked for anew once it was rejected, has expired, or nobody knows what came of it', async () => {
    const ask = async () => (await setRoles(ada, ['treasurer'])).json();
    const { approvals } = harness.operators;
    const rejected = (await ask()).data.approval_id;
    await post(ada, `/approvals/${rejected}/reject`, why);
    const expired = (await ask()).data.approval_id;
    harness.clock.advance(7 * DAY_MS);
    ada = (await joined(harness, 'cleo', ['admin'])).token;
    const lost = (await ask()).data.approval_id;
    expect(lost).not.toBe(expired);
    const decision = { by: bea.operatorId, reason: 'x', atMs: harness.clock.wallMs() };
    await approvals.claim(lost, decision, () => true);
    expect((await ask()).error.details).toMatchObject({ approval_id: lost, state: 'running' });
    await approvals.reopen();
    expect((await ask()).error.details).toMatchObject({ approval_id: lost, state: 'waiting' });
    harness.clock.advance(DAY_MS / 2);
    ada = (await joined(harness, 'dora', ['admin'])).token;
    expect((await ask()).data.state).toBe('waiting');
  });
});

describe('[OP68] what was looked at before an act', () => {
  it('is looked at again with the roles: one operator alone gives none back that were just taken', async () => {
    before(harness.operators, 'setRoles', () => harness.operators.setRoles(subject, ['viewer'], 0));
    expectError(await setRoles(ada, ['market_manager']), 'STATE_CONFLICT');
    expect(await rolesOf()).toEqual(['viewer']);
    expect((await setRoles(ada, ['viewer'])).statusCode).toBe(200);
  });

  it('is looked at again with the scopes of a user', async () => {
    await harness.platform.addUser(user('rita'));
    const { userId } = user('rita');
    const grant = { userId, grantedBy: 'x', reason: 'x', atMs: 1 };
    const { operators } = harness;
    await operators.grantScopes({ ...grant, scopes: ['arbiter', 'reviewer'] });
    before(operators, 'grantScopes', () => operators.grantScopes({ ...grant, scopes: [] }));
    const wanted = { ...why, scopes: ['arbiter'] };
    expectError(await post(ada, `/users/${userId}/scopes`, wanted), 'STATE_CONFLICT');
    expect((await operators.scopesOf(userId))?.scopes).toEqual([]);
  });

  it('leaves a second factor that came after nobody had to agree to its removal', async () => {
    const { factors } = harness.operators;
    const { totp, confirmation } = begunBy(subject);
    const look = factors.totpOf.bind(factors);
    factors.totpOf = async (ownerId) => {
      factors.totpOf = look;
      const seen = await look(ownerId);
      await factors.beginTotp(totp);
      await factors.confirmTotp(confirmation);
      return seen;
    };
    expectError(await post(ada, `/operators/${subject}/reset-factor`, why), 'STATE_CONFLICT');
    expect(await look(subject)).toMatchObject({ confirmedAtMs: confirmation.atMs });
  });

  it.each(['asked', 'agreed'] as const)(
    'is looked at again with the agreement: whoever %s may have lost the role',
    async (who) => {
      const { token } = await joined(harness, 'cleo', ['admin']);
      const [proposer, decider] = who === 'asked' ? [bea.token, token] : [token, bea.token];
      const { approval_id: id } = (await setRoles(proposer, ['treasurer'])).json().data;
      const { operators } = harness;
      before(operators.approvals, 'claim', () => operators.setRoles(bea.operatorId, ['viewer'], 0));
      expectError(await post(decider, `/approvals/${id}/approve`, why), 'STATE_CONFLICT');
      expect(await rolesOf()).toEqual(['market_manager']);
      expect((await operators.approvals.byId(id))?.state).toBe('waiting');
    },
  );
});

describe('[OP72] a market in which somebody trades just before it is cancelled', () => {
  const live = { ...why, lane: 'live' };
  let id: MarketId;
  beforeEach(async () => {
    await harness.close();
    harness = await openOperator('live');
    ada = (await joined(harness, 'ada', ['market_manager'])).token;
    bea = await joined(harness, 'bea', ['market_manager']);
    const question = { question: 'Is it?', closes_at_ms: harness.clock.wallMs() + DAY_MS };
    id = await harness.market('platform-question', question);
  });
  const trade = async (): Promise<void> => {
    const seller = asAccountId('acc_seller');
    const amount = usdt(100_000_000n);
    const size = { price: pips(5000), lots: lots(100) };
    const sale = { ...limitBuy(seller, id, size), side: 'sell' } as const;
    const account = { accountId: seller, mode: 'live', parentId: null, referrerId: null } as const;
    await harness.submit({ type: 'open_account', ...account });
    await harness.submit({ type: 'deposit', accountId: seller, amount, reference: 'wire-1' });
    const sets = { accountId: seller, marketId: id, lots: size.lots, caps: null, grant: null };
    await harness.submit({ type: 'mint_sets', ...sets });
    await harness.submit(sale);
    await harness.submit(limitBuy(trader, id, size));
    expect(await harness.lane.read(({ markets }) => hasTraded(markets.get(id)!))).toBe(true);
  };
  const cancel = (): Promise<Response> => post(ada, `/markets/${id}/cancel`, live);
  const status = () => harness.lane.read(({ markets }) => markets.get(id)?.status);

  it('stays as it is', async () => {
    before(harness.lane, 'submit', trade);
    const refused = await cancel();
    expectError(refused, 'STATE_CONFLICT');
    expect(refused.json().error.details).toMatchObject({ reason: 'traded' });
    expect(await status()).toBe('active');
  });

  it('and one in which nobody has traded is cancelled at once', async () => {
    expect((await cancel()).json().data).toMatchObject({ market_id: id, status: 'cancelled' });
  });
});
