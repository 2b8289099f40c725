// Fair-use quotas that operators change: more at once, less after a notice that every answer concerned bears.
import type { AccountId } from '@sibyl/engine';
import type { Response } from 'light-my-request';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RateQuotas } from '../../src/gateway/rate-quotas.ts';
import { TierCeilings } from '../../src/gateway/tier-ceilings.ts';
import { accountView } from '../../src/modules/account/queries.ts';
import { bearer, type Harness, openHarness } from './harness.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NOTICE_MS = 90 * DAY_MS;

let harness: Harness;
let quotas: RateQuotas;
beforeEach(async () => {
  harness = await openHarness();
  quotas = await RateQuotas.open(harness.platform);
});
afterEach(() => harness.close());

const by = (atMs = harness.clock.wallMs()) => ({ actor: 'opr_1', reason: 'ticket', atMs });

/** The quota, and what is said of another. */
function told({ headers }: Response): readonly unknown[] {
  return [Number(headers['x-ratelimit-limit']), headers.deprecation, headers.sunset];
}

function noticeOf(announcedAtMs: number): readonly string[] {
  const sunset = new Date(announcedAtMs + NOTICE_MS).toUTCString();
  return [`@${Math.floor(announcedAtMs / 1000)}`, sunset];
}

const NONE = [undefined, undefined];
const MARKETS = '/v1/markets';

describe('a quota', () => {
  it('[AO8] that is raised holds at once, for those who were known before too', async () => {
    const key = await harness.key({ tier: 'read_live' });
    const session = await harness.session();
    const ask = (token?: string) =>
      harness.call({ url: MARKETS, ...(token === undefined ? {} : { headers: bearer(token) }) });
    expect(told(await ask(key))).toEqual([60, ...NONE]);
    expect(told(await ask(session))).toEqual([600, ...NONE]);
    expect(told(await ask())).toEqual([120, ...NONE]);
    await quotas.set('key', 'read', 70, by());
    await quotas.set('session', 'read', 700, by());
    await quotas.set('anonymous', 'read', 130, by());
    expect(told(await ask(key))).toEqual([70, ...NONE]);
    expect(told(await ask(session))).toEqual([700, ...NONE]);
    expect(told(await ask())).toEqual([130, ...NONE]);
    // A key of a tier with a multiplier has so many times the new quota.
    const wide = await harness.key({ tier: 'genesis' });
    expect(told(await ask(wide))).toEqual([700, ...NONE]);
  });

  it('[AO8] that is lowered holds after 90 days, announced on the answers of its category alone', async () => {
    const key = await harness.key({ tier: 'read_live' });
    const session = await harness.session();
    const { clock } = harness;
    const read = () => harness.call({ url: MARKETS, headers: bearer(key) });
    const other = () => harness.call({ url: '/v1/account', headers: bearer(key) });
    const others = [
      () => harness.call({ url: MARKETS, headers: bearer(session) }),
      () => harness.call({ url: MARKETS }),
    ];
    expect(told(await read())).toEqual([60, ...NONE]);
    const announcedMs = clock.wallMs();
    await quotas.set('key', 'read', 40, by());
    expect(told(await read())).toEqual([60, ...noticeOf(announcedMs)]);
    const missing = await harness.call({ url: '/v1/markets/m_none', headers: bearer(key) });
    expect(told(missing).slice(1)).toEqual(noticeOf(announcedMs));
    expect(told(await other())).toEqual([120, ...NONE]);
    for (const ask of others) expect(told(await ask()).slice(1)).toEqual(NONE);
    clock.advance(NOTICE_MS - 1);
    expect(told(await read())).toEqual([60, ...noticeOf(announcedMs)]);
    clock.advance(1);
    expect(told(await read())).toEqual([40, ...NONE]);
  });

  it('[AO8] of strangers and of sessions is announced to them', async () => {
    const session = await harness.session();
    const announcedMs = harness.clock.wallMs();
    await quotas.set('anonymous', 'read', 50, by());
    await quotas.set('session', 'account_read', 300, by());
    const stranger = () => harness.call({ url: MARKETS });
    expect(told(await stranger())).toEqual([120, ...noticeOf(announcedMs)]);
    const account = await harness.call({ url: '/v1/account', headers: bearer(session) });
    expect(told(account)).toEqual([600, ...noticeOf(announcedMs)]);
    harness.clock.advance(NOTICE_MS);
    expect(told(await stranger())).toEqual([50, ...NONE]);
  });

  it('[AO8] of trades is that of the reserve of cancels too', async () => {
    await quotas.set('key', 'trade', 45, by());
    const { trade, cancel } = quotas.of('key', harness.clock.wallMs()).perMinute;
    expect([trade, cancel]).toEqual([45, 45]);
  });
});

describe('what is announced', () => {
  it('[AO8] stands in the account beforehand, each step with all limits', async () => {
    const session = await harness.session();
    const key = await harness.key({ session, tier: 'trade_capped' });
    const firstMs = harness.clock.wallMs();
    await quotas.set('key', 'read', 40, by());
    harness.clock.advance(HOUR_MS);
    await TierCeilings.of(harness.platform).set('trade_capped', { orderNotionalMax: '100' }, by());
    await harness.call({ url: '/v1/account', headers: bearer(key) });
    const { request } = harness.calls.at(-1)!;
    const shown = await harness.lanes.live!.read((state) =>
      accountView(state, request.accountId as AccountId, request, null),
    );
    expect(shown.limits).toMatchObject({
      order_notional_max: '250.000000',
      requests_per_minute: { read: 60 },
      announced: [
        {
          announced_at_ms: firstMs,
          effective_at_ms: firstMs + NOTICE_MS,
          order_notional_max: '250.000000',
          requests_per_minute: { read: 40, trade: 30 },
        },
        {
          effective_at_ms: firstMs + HOUR_MS + NOTICE_MS,
          order_notional_max: '100.000000',
          daily_notional_max: '2500.000000',
          requests_per_minute: { read: 40 },
        },
      ],
    });
    const listed = await harness.call({ url: '/v1/keys', headers: bearer(session) });
    expect(listed.json().data[0].limits_change_at_ms).toBe(firstMs + NOTICE_MS);
    // The next of both is what the answers say.
    const answer = await harness.call({ url: MARKETS, headers: bearer(key) });
    expect(told(answer).slice(1)).toEqual(noticeOf(firstMs));
  });

  it('[AO8] and replaced before it held never holds, of a quota and of a ceiling', async () => {
    await quotas.set('key', 'read', 40, by(0));
    await quotas.set('key', 'read', 30, by(10 * DAY_MS));
    const readAt = (day: number) => quotas.of('key', day * DAY_MS).perMinute.read;
    expect([readAt(20), readAt(95), readAt(99), readAt(100)]).toEqual([60, 60, 60, 30]);
    const ceilings = TierCeilings.of(harness.platform);
    await ceilings.set('read_live', { orderNotionalMax: '1' }, by(0));
    await ceilings.set('read_live', { dailyNotionalMax: '2' }, by(10 * DAY_MS));
    const termsAt = async (day: number) => {
      const { limits } = await ceilings.termsOf('read_live', day * DAY_MS);
      return [limits.orderNotionalMax, limits.dailyNotionalMax];
    };
    expect(await termsAt(95)).toEqual(['25', '250']);
    expect(await termsAt(100)).toEqual(['25', '2']);
  });
});

describe('versions', () => {
  it('[AO8] are all kept when two are set at once, and read again after a restart', async () => {
    const { platform } = harness;
    await Promise.all([
      quotas.set('key', 'read', 70, by()),
      quotas.set('key', 'trade', 50, by()),
      quotas.set('session', 'read', 10, by()),
    ]);
    const restarted = await RateQuotas.open({
      setting: (name) => platform.setting(name),
      putSetting: (name, text) => platform.putSetting(name, text),
    });
    expect(restarted).not.toBe(quotas);
    expect(restarted.versions).toEqual(quotas.versions);
    expect(restarted.versions.map(({ version }) => version)).toEqual([2, 3, 4]);
    const { perMinute } = restarted.of('key', harness.clock.wallMs());
    expect([perMinute.read, perMinute.trade]).toEqual([70, 50]);
  });
});
