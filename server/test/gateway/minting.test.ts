// Every credential against every wish for a key: what it may mint, see and revoke.
import { type Permission, type Tier, tiers } from '@sibyl/contract';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MemoryWebhookStore } from '../../src/adapters/memory/webhooks.ts';
import { systemRandom } from '../../src/adapters/node/random.ts';
import type { LaneName } from '../../src/handling/handler.ts';
import { freshKey } from '../../src/modules/keys/key.ts';
import type { UserRecord } from '../../src/ports/platform.ts';
import { endpoint } from '../ports/webhooks-suite.ts';
import { expectError } from './expect.ts';
import { bearer, type Harness, NOON_MS, openHarness } from './harness.ts';

let harness: Harness;
let session: string;
let user: UserRecord;
let webhooks: MemoryWebhookStore;
beforeEach(async () => {
  webhooks = new MemoryWebhookStore();
  harness = await openHarness({ rateMultiplier: 0, webhooks });
  session = await harness.session();
  user = await userOf(session);
});
afterEach(() => harness.close());

const END_MS = NOON_MS + 60_000;
/** Of live keys of those who have no approved app (BD7). */
const latestMs = (): number => harness.clock.wallMs() + 90 * 86_400_000;
const change = { actor: 'test', reason: 'test', atMs: 0 };
const grants: readonly (readonly Permission[])[] = [
  ['read'],
  ['trade'],
  ['read', 'trade'],
  ['read', 'trade', 'withdraw'],
];
const addresses = ['', '/sandbox'] as const;

interface Caller {
  readonly mintedAt: LaneName;
  readonly tier: Tier;
  readonly permissions: readonly Permission[];
  readonly expiresAtMs: number | null;
}

interface Wish {
  readonly at: (typeof addresses)[number];
  readonly permissions: readonly Permission[];
  readonly expiresAtMs: number | null;
}

const callers: readonly Caller[] = (['live', 'sandbox'] as const).flatMap((mintedAt) =>
  tiers.flatMap((tier) =>
    grants.flatMap((permissions) =>
      [null, END_MS].map((expiresAtMs) => ({ mintedAt, tier, permissions, expiresAtMs })),
    ),
  ),
);
const wishes: readonly Wish[] = addresses.flatMap((at) =>
  grants.flatMap((permissions) =>
    [null, END_MS - 1, END_MS + 1].map((expiresAtMs) => ({ at, permissions, expiresAtMs })),
  ),
);

type Verdict = 'WRONG_ENV_KEY' | 'SCOPE_MISSING' | 'SCOPE_NOT_ALLOWED' | MintedAs;
interface MintedAs {
  readonly tier: Tier;
  readonly environment: LaneName;
  readonly permissions: readonly Permission[];
  readonly expires_at_ms: number | null;
}

describe('minting', () => {
  it.each(['self_serve', 'trade_capped'] as const)(
    '[KY1] a key of a user of tier %s mints no more than itself, whatever it is and wishes',
    async (userTier) => {
      await harness.platform.setUserTier(user.userId, userTier, change);
      const wrong: string[] = [];
      for (const caller of callers) {
        const { key, publicId } = await keyOf(caller);
        for (const wish of wishes) {
          const { verdict, mintedBy } = await mint(key, wish);
          const due = dueTo(caller, userTier, wish);
          if (
            JSON.stringify(verdict) !== JSON.stringify(due) ||
            (mintedBy ?? publicId) !== publicId
          )
            wrong.push(JSON.stringify({ caller, wish, verdict, due, mintedBy }));
        }
        await harness.platform.revokeKey(publicId, 1);
      }
      expect(wrong.slice(0, 5)).toEqual([]);
    },
  );

  it.each(tiers)('[KY1] a session mints what its user of tier %s may have', async (userTier) => {
    await harness.platform.setUserTier(user.userId, userTier, change);
    for (const wish of wishes) {
      const isSandbox = wish.at === '/sandbox' || userTier === 'self_serve';
      const { verdict, mintedBy } = await mint(session, wish);
      expect(verdict).toEqual({
        tier: userTier,
        environment: isSandbox ? 'sandbox' : 'live',
        permissions: wish.permissions,
        expires_at_ms: wish.expiresAtMs ?? (isSandbox ? null : latestMs()),
      });
      expect(mintedBy).toBe(session.slice(0, 20));
    }
  });
});

describe('keys of the other environment', () => {
  const kinds: readonly (readonly [string, LaneName, Tier, LaneName])[] = [
    ['learner', 'live', 'self_serve', 'sandbox'],
    ['trader', 'live', 'trade_full', 'live'],
    ['tester', 'sandbox', 'trade_full', 'sandbox'],
  ];

  it.each(kinds)(
    '[KY2] a %s sees and revokes keys of its own only',
    async (_name, mintedAt, tier, env) => {
      const permissions: readonly Permission[] = ['read', 'trade'];
      const own = await keyOf({ mintedAt, tier, permissions, expiresAtMs: null });
      const at = mintedAt === 'sandbox' ? '/sandbox' : '';
      for (const [, otherAt, otherTier, otherEnv] of kinds) {
        const other = { mintedAt: otherAt, tier: otherTier, permissions, expiresAtMs: null };
        const { publicId } = await keyOf(other);
        const { data } = (await call('GET', `${at}/v1/keys`, own.key)).json();
        const isListed = data.some((entry: { key_id: string }) => entry.key_id === publicId);
        expect(isListed).toBe(otherEnv === env);
        const revoked = await call('DELETE', `${at}/v1/keys/${publicId}`, own.key);
        if (otherEnv === env) {
          expect(revoked.json().data).toMatchObject({ key_id: publicId, status: 'revoked' });
        } else {
          expectError(revoked, 'WRONG_ENV_KEY');
          expect(revoked.json().error.details).toEqual({
            credential_environment: env,
            requested_environment: otherEnv,
          });
          expect((await harness.platform.keyById(publicId))?.revokedAtMs).toBeNull();
        }
      }
    },
  );

  it.each(addresses)('[KY2] a session sees and revokes every key at %j', async (at) => {
    for (const [, mintedAt, tier] of kinds) {
      const wanted = { mintedAt, tier, permissions: grants[0]!, expiresAtMs: null };
      const { publicId } = await keyOf(wanted);
      const { data } = (await call('GET', `${at}/v1/keys?limit=1`)).json();
      expect(data[0].key_id).toBe(publicId);
      const revoked = await call('DELETE', `${at}/v1/keys/${publicId}`);
      expect(revoked.json().data.status).toBe('revoked');
    }
  });
});

describe('keys that can do more', () => {
  const may: readonly (readonly Permission[])[] = [
    ['trade'],
    ['read', 'trade'],
    ['trade', 'withdraw'],
    ['read', 'trade', 'withdraw'],
  ];

  it.each(['live', 'sandbox'] as const)(
    '[KY23] at %s are revoked by a session, and by no key that has less',
    async (mintedAt) => {
      const at = mintedAt === 'sandbox' ? '/sandbox' : '';
      const wanted = (tier: Tier, permissions: readonly Permission[]) =>
        keyOf({ mintedAt, tier, permissions, expiresAtMs: null });
      for (const permissions of may) {
        for (const tier of ['trade_capped', 'trade_full'] as const) {
          const caller = await wanted('trade_capped', permissions);
          for (const others of may) {
            const target = await wanted(tier, others);
            const answer = await call('DELETE', `${at}/v1/keys/${target.publicId}`, caller.key);
            const isWeaker = others.includes('withdraw') && !permissions.includes('withdraw');
            const isAbove = mintedAt === 'live' && tier === 'trade_full';
            const required = isWeaker ? 'withdraw' : isAbove ? tier : null;
            const revokedAtMs = (await harness.platform.keyById(target.publicId))?.revokedAtMs;
            if (required === null) {
              expect(answer.json().data).toMatchObject({ status: 'revoked', webhook_ids: [] });
            } else {
              expectError(answer, 'SCOPE_MISSING');
              expect(answer.json().error.details).toEqual({ required });
              expect(answer.json().error.message).toContain('logged-in');
              expect(revokedAtMs).toBeNull();
              const byOwner = await call('DELETE', `${at}/v1/keys/${target.publicId}`);
              expect(byOwner.json().data.status).toBe('revoked');
            }
          }
          await harness.platform.revokeKey(caller.publicId, 1);
        }
      }
    },
  );
});

describe('what a key minted', () => {
  it('[KY3] ends with it, in every generation, and names it in the list', async () => {
    const wish = { at: '', permissions: ['read', 'trade'], expiresAtMs: null } as const;
    const first = await minted(session, wish);
    const second = await minted(first.key_id, wish);
    const third = await minted(second.key_id, wish);
    const sibling = await minted(session, wish);
    const { data } = (await call('GET', '/v1/keys')).json();
    const parents = new Map(
      data.map((one: { key_id: string; minted_by: string | null }) => [one.key_id, one.minted_by]),
    );
    expect(parents.get(third.public_id)).toBe(second.public_id);
    expect(parents.get(first.public_id)).toBeNull();
    await call('DELETE', `/v1/keys/${first.public_id}`);
    for (const ended of [first, second, third])
      expectError(await call('GET', '/v1/account', ended.key_id), 'AUTH_INVALID');
    expect((await call('GET', '/v1/account', sibling.key_id)).statusCode).toBe(200);
  });

  it('[KY4, KY28] ends with the password it was minted under, but for the session that changed it', async () => {
    const wish = { at: '', permissions: ['read', 'trade'], expiresAtMs: null } as const;
    const email = user.email;
    const other = (await log(email, 'long enough 12')).json().data.session_token;
    const stolen = await minted(other, wish);
    const below = await minted(stolen.key_id, wish);
    await call('POST', '/api/auth/logout', other);
    const own = await minted(session, wish);
    for (const { public_id: createdBy } of [stolen, below, own]) {
      const url = `https://example.com/${createdBy}`;
      const made = {
        ...endpoint(`wh_${createdBy}`),
        accountId: user.accounts.live,
        url,
        createdBy,
      };
      await webhooks.addEndpoint(made);
    }
    const body = { current_password: 'long enough 12', new_password: 'even longer 345' };
    const changed = await call('POST', '/api/auth/password', session, body);
    expect(changed.json().data).toEqual({
      sessions_ended: 0,
      keys_revoked: 2,
      webhooks_paused: expect.any(Array),
    });
    const paused = changed.json().data.webhooks_paused.map((one: { url: string }) => one.url);
    const ended = [stolen, below].map(({ public_id: id }) => `https://example.com/${id}`);
    expect(paused.sort()).toEqual(ended.sort());
    for (const one of [stolen, below])
      expectError(await call('GET', '/v1/account', one.key_id), 'AUTH_INVALID');
    expect((await call('GET', '/v1/account', own.key_id)).statusCode).toBe(200);
  });
});

describe('the number of keys', () => {
  it('[KY5] is at most 20 in force; who wants more is told to revoke one', async () => {
    const wish = { at: '', permissions: ['read', 'trade'], expiresAtMs: null } as const;
    const first = await minted(session, wish);
    for (let count = 1; count < 20; count += 1) await minted(first.key_id, wish);
    for (const token of [session, first.key_id]) {
      const refused = await call('POST', '/v1/keys', token, { label: 'one more' });
      expectError(refused, 'CONFLICT');
      expect(refused.json().error.message).toContain('revoke one');
      expect(refused.json().error.details).toEqual({ limit: 20 });
    }
    await call('DELETE', `/v1/keys/${first.public_id}`);
    expect((await call('POST', '/v1/keys', session, {})).statusCode).toBe(200);
  });
});

function dueTo(caller: Caller, userTier: Tier, wish: Wish): Verdict {
  const isSandbox = caller.mintedAt === 'sandbox' || caller.tier === 'self_serve';
  const isAtHome =
    caller.mintedAt === 'sandbox' ? wish.at === '/sandbox' : isSandbox || wish.at === '';
  if (!isAtHome) return 'WRONG_ENV_KEY';
  if (!caller.permissions.includes('trade')) return 'SCOPE_MISSING';
  const hasAll = wish.permissions.every((one) => caller.permissions.includes(one));
  const isLonger = caller.expiresAtMs !== null && (wish.expiresAtMs ?? 0) > caller.expiresAtMs;
  // Who was put back to the sandbox gets no live key any more, not even by one that is left.
  const isPutBack = !isSandbox && userTier === 'self_serve';
  if (!hasAll || isLonger || isPutBack) return 'SCOPE_NOT_ALLOWED';
  return {
    tier: tiers[Math.min(tiers.indexOf(caller.tier), tiers.indexOf(userTier))]!,
    environment: isSandbox ? 'sandbox' : 'live',
    permissions: wish.permissions,
    expires_at_ms: wish.expiresAtMs ?? caller.expiresAtMs ?? (isSandbox ? null : latestMs()),
  };
}

async function mint(
  token: string,
  wish: Wish,
): Promise<{ verdict: Verdict; mintedBy: string | null }> {
  const { at, permissions, expiresAtMs } = wish;
  const body = { permissions, ...(expiresAtMs === null ? {} : { expires_at_ms: expiresAtMs }) };
  const answer = (await call('POST', `${at}/v1/keys`, token, body)).json();
  if (answer.error !== null) return { verdict: answer.error.code, mintedBy: null };
  const {
    tier,
    environment,
    permissions: granted,
    expires_at_ms: endMs,
    key_id: raw,
  } = answer.data;
  expect(raw.startsWith(at === '' || environment === 'live' ? 'sk_live_' : 'sk_')).toBe(true);
  // So that the next one is not one too many.
  const { mintedBy } = (await harness.platform.revokeKey(answer.data.public_id, 1))!;
  return {
    verdict: { tier, environment, permissions: granted, expires_at_ms: endMs },
    mintedBy,
  };
}

async function minted(token: string, wish: Wish): Promise<{ key_id: string; public_id: string }> {
  const body = { permissions: wish.permissions };
  const answer = await call('POST', `${wish.at}/v1/keys`, token, body);
  expect(answer.statusCode).toBe(200);
  return answer.json().data;
}

/** A key as it may have come to be by now: its tier need not be its user's. */
async function keyOf(caller: Caller): Promise<{ key: string; publicId: string }> {
  const { clock, secrets, platform } = harness;
  // Lists are in the order of time.
  clock.advance(1);
  const { record, rawKey } = freshKey(
    { clock, secrets, random: systemRandom },
    {
      ...caller,
      prefix: caller.mintedAt === 'live' ? 'sk_live' : 'sk_test',
      holderId: user.userId,
      userId: user.userId,
      accounts: user.accounts,
      label: '',
      mintedBy: null,
      isSteppedUp: true,
      allowedNetworks: [],
    },
  );
  expect(await platform.addKey(record)).toBe('added');
  return { key: rawKey, publicId: record.publicId };
}

function call(
  method: 'GET' | 'POST' | 'DELETE',
  url: string,
  token = session,
  payload?: object,
): ReturnType<Harness['call']> {
  const body = payload === undefined ? {} : { payload };
  return harness.call({ method, url, headers: bearer(token), ...body });
}

function log(email: string, password: string): ReturnType<Harness['call']> {
  return harness.call({ method: 'POST', url: '/api/auth/login', payload: { email, password } });
}

async function userOf(token: string): Promise<UserRecord> {
  const record = await harness.platform.sessionById(token.slice(0, 20));
  return (await harness.platform.userById(record!.userId))!;
}
