// The guide that the reference opens with, held to the contract's numbers and to what the server does.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { limits, operations, rateCategories, tiers } from '@sibyl/contract';
import { DEFAULT_PARAMETERS } from '@sibyl/engine';
import { PIPS_ONE } from '@sibyl/money';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../server-process.ts';
import { bearer, type Harness, openHarness } from './harness.ts';

const guide = readFileSync(path.join(root, 'docs/INTERFACE.md'), 'utf8');
const words = guide.replaceAll(/\s+/g, ' ');

let harness: Harness;
beforeAll(async () => {
  harness = await openHarness();
});
afterAll(() => harness.close());

describe('guide', () => {
  it('[DC1] opens the OpenAPI document, with a section for each topic', async () => {
    const document = (await harness.call({ url: '/openapi.json' })).json();
    const { description } = document.info;
    expect(guide.endsWith(description)).toBe(true);
    expect([...description.matchAll(/^## (.*)$/gm)].map(([, title]) => title)).toEqual([
      'Authentication',
      'Environments',
      'Money',
      'Errors',
      'Limits',
      'Subaccounts',
      'Money in and out',
      'Pagination',
      'Idempotency',
      'Dead-man switch',
      'Streams',
      'Webhooks',
      'Your requests',
      'Status',
    ]);
  });

  it('[DC1] has the limits of every bucket and the caps of every tier', () => {
    const { key, session, anonymous } = limits.rate.perMinute;
    for (const category of rateCategories) {
      const numbers = [key[category], session[category], anonymous[category]];
      expect(guide).toContain(`| \`${category}\` | ${numbers.join(' | ')} |`);
    }
    for (const tier of tiers) {
      const { environment, orderNotionalMax, dailyNotionalMax, rateMultiplier } =
        limits.tiers[tier];
      const caps = [orderNotionalMax ?? 'no cap', dailyNotionalMax ?? 'no cap'];
      const row = [`\`${tier}\``, environment, ...caps, `${rateMultiplier}x`];
      expect(guide).toContain(`| ${row.join(' | ')} |`);
    }
  });

  it('[DC1] says the numbers of the contract', () => {
    const {
      page,
      body,
      batch,
      risk,
      session,
      webhook,
      graduation,
      faucet,
      idempotency,
      heartbeat,
    } = limits;
    for (const sentence of [
      `\`limit\` (${page.limitMin} to ${page.limitMax}, ${page.limitDefault} by default)`,
      `A body may have ${body.standardBytesMax} bytes, a batch ${body.batchBytesMax} and ${batch.itemsMax} items`,
      `${risk.openOrdersPerMarketMax} open orders in a market and ${risk.openOrdersPerAccountMax} in all`,
      `lasts ${session.lifetimeMs / 3_600_000} hours`,
      `2xx within ${webhook.timeoutMs / 1_000} seconds`,
      `${webhook.attemptDelaysMs.length} times in all within about ${hoursOf(webhook.attemptDelaysMs)} hours`,
      `more than ${webhook.timestampToleranceSec} seconds from your clock`,
      `For ${webhook.rotationGraceMs / 3_600_000} hours after a rotation`,
      `traded ${graduation.volume} USDT within ${graduation.windowDays} days becomes \`${graduation.to}\``,
      `gives ${faucet.amount} USDT once per hour`,
      `within ${idempotency.windowMs / 3_600_000} hours gets the first answer again`,
      `\`timeout_ms\` is ${heartbeat.timeoutMsMin} to ${heartbeat.timeoutMsMax}`,
      `counted over the last ${limits.rate.windowMs / 1_000} seconds`,
      `proved within the last ${limits.factors.stepUpMs / 60_000} minutes`,
      `of a factor for ${limits.factors.withdrawalHoldMs / 3_600_000} hours`,
    ]) {
      expect(words).toContain(sentence);
    }
    const demanding = Object.values(operations).filter((one) => one.idempotency === 'required');
    expect(demanding.map(({ id }) => id).sort()).toEqual([
      'batchOrders',
      'convertPosition',
      'createWithdrawal',
      'transferFunds',
    ]);
    expect(words).toContain('Batches, conversions, transfers and withdrawals demand the header');
  });

  it('[DC7] says how far an order goes from the price, as the engine holds it', () => {
    const { pips, delayMs } = DEFAULT_PARAMETERS.band;
    const distance = (pips / PIPS_ONE).toFixed(2);
    expect(words).toContain(
      `no further than ${distance} from the price that its outcome had ${delayMs / 1_000} seconds ago`,
    );
    expect(words).toContain('`cancel_reason: price_band`');
  });

  it('[DC1] shows an error as the server sends it', async () => {
    const [, shown = ''] = /## Errors\n\n```json\n([\s\S]*?)```/.exec(guide) ?? [];
    const example = JSON.parse(shown);
    const { size: _left, ...payload } = operations.placeOrder.example.body;
    const headers = bearer(await harness.key());
    const answer = await harness.call({ method: 'POST', url: '/v1/orders', headers, payload });
    const { request_id: requestId, server_ts_ms: atMs } = answer.json().meta;
    const meta = { request_id: requestId, server_ts_ms: atMs };
    const error = { ...example.error, trace_id: requestId };
    expect(answer.json()).toEqual({ ...example, meta, error });
  });

  it.each<readonly [string, string, object, string]>([
    ['no credential', '/v1/account', {}, 'AUTH_REQUIRED'],
    [
      'a wrong one',
      '/v1/account',
      bearer(`sk_live_${'0'.repeat(16)}_${'x'.repeat(43)}`),
      'AUTH_INVALID',
    ],
  ])('[DC1] tells the truth about %s', async (_what, url, headers, code) => {
    const answer = await harness.call({ url, headers: { ...headers } });
    expect([answer.statusCode, answer.json().error.code]).toEqual([401, code]);
    expect(words).toContain(code);
  });

  it('[DC1] tells the truth about keys of the other environment and missing permissions', async () => {
    const session = await harness.session();
    const test = await harness.key({ session, at: '/sandbox' });
    const elsewhere = await harness.call({ url: '/v1/account', headers: bearer(test) });
    expect(elsewhere.json().error.code).toBe('WRONG_ENV_KEY');
    const reading = await harness.key({ session, permissions: ['read'] });
    const { body: payload } = operations.placeOrder.example;
    const headers = bearer(reading);
    const order = await harness.call({ method: 'POST', url: '/v1/orders', headers, payload });
    expect([order.statusCode, order.json().error.code]).toEqual([403, 'SCOPE_MISSING']);
    expect(test).toMatch(/^sk_test_/);
    expect(reading).toMatch(/^sk_live_/);
  });
});

function hoursOf(delays: readonly number[]): number {
  return Math.round(delays.reduce((sum, delay) => sum + delay, 0) / 3_600_000);
}
