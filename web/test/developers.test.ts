// What a developer does: a key in a click, keys of one's own, the log, streams by hand, webhooks.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { streams, webhookEvents } from '@sibyl/contract';
import { verifyWebhook } from '@sibyl/sdk';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { streamList } from '../src/pages/developers/streams/stream-list.ts';
import { eventTypes } from '../src/pages/developers/webhooks/event-list.ts';
import { somebody } from './market-stage.ts';
import { baseUrl } from './opened.ts';
import { buy, ownMarket, person, sandbox } from './person.ts';
import { Receiver } from './receiver.ts';
import { Stage, soon, widths } from './stage.ts';

let stage: Stage;

beforeAll(async () => {
  stage = await Stage.open();
});

afterAll(() => stage?.close());

/** The status of a call in the sandbox with a key. */
async function statusOf(path: string, key: string): Promise<number> {
  const { status } = await fetch(`${baseUrl}/sandbox${path}`, {
    headers: { authorization: `Bearer ${key}` },
  });
  return status;
}

/** The secret that is shown once, under its name. */
async function shownSecret(page: Page, name: RegExp): Promise<string> {
  const row = page.locator('dl > div', { hasText: name });
  return (await row.locator('code').textContent()) ?? '';
}

async function mintKey(page: Page, label: string): Promise<string> {
  // Whoever presses twice gets the dialog all the same.
  await page.getByRole('button', { name: 'Mint a key' }).dblclick();
  await page.getByLabel('Label').fill(label);
  await page.getByRole('checkbox', { name: 'Trade' }).check();
  await page.getByRole('button', { name: 'Mint a key, Sandbox' }).click();
  return shownSecret(page, /^Key, for the header/);
}

describe('keys', () => {
  it('[WD1] gives anybody a sandbox key with money on it in one click, one a day', async () => {
    const page = await stage.visitor();
    await page.goto('/sandbox/developers');
    await page.getByRole('button', { name: 'Get a sandbox key' }).click();
    const key = await shownSecret(page, /^Key/);
    expect(key).toMatch(/^sk_live_[0-9A-Za-z]{16}_/);
    const command = page.getByRole('figure').filter({ hasText: 'First call' });
    expect(await command.textContent()).toContain(`Bearer ${key}`);
    const stored = page.getByRole('button', { name: 'I have stored it' });
    await stored.click();
    const account = await sandbox.withToken(key).account.get();
    expect(Number(account.balance_free)).toBeGreaterThan(0);
    expect(await page.locator('body').textContent()).not.toContain(key);
    stage.expectNoFaults();
    await page.getByRole('button', { name: 'Get a sandbox key' }).click();
    await page.getByText('has had its key of the day').waitFor();
    // The browser itself notes the refusal.
    stage.expectNoFaults(/status of 429/);
  });

  it('[WD2] mints a key that works, shows it once, and revokes it for good with what it minted', async () => {
    const { page } = await person(stage, '/sandbox/developers/keys');
    const key = await mintKey(page, 'market maker');
    expect(await statusOf('/v1/account', key)).toBe(200);
    await page.getByRole('button', { name: 'I have stored it' }).click();
    expect(await page.locator('body').textContent()).not.toContain(key);
    const child = await fetch(`${baseUrl}/sandbox/v1/keys`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ label: '<b>helper</b>', permissions: ['read', 'trade'] }),
    });
    const { data } = await child.json();
    const grandchild = await sandbox.withToken(data.key_id).keys.mint({ label: 'its helper' });
    await page.reload();
    const revoke = page.getByRole('button', { name: 'Revoke market maker' });
    await revoke.waitFor();
    expect(await page.locator('body').textContent()).not.toContain(key);
    await page.setViewportSize({ width: widths.phone, height: 844 });
    const box = (await revoke.boundingBox())!;
    expect(box.x + box.width).toBeLessThanOrEqual(widths.phone);
    await revoke.click();
    const dialog = page.getByRole('dialog', { name: 'Revoke this key?' });
    await dialog.getByText('2 keys that were minted with it end too').waitFor();
    await dialog.getByText('<b>helper</b>').waitFor();
    await dialog.getByText('its helper', { exact: true }).waitFor();
    // Asking ends nothing yet.
    await dialog.getByRole('button', { name: 'Back' }).click();
    await dialog.waitFor({ state: 'hidden' });
    const minted = [key, data.key_id, grandchild.key_id];
    for (const one of minted) expect(await statusOf('/v1/account', one)).toBe(200);
    await revoke.click();
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('No keys yet').waitFor();
    for (const one of minted) expect(await statusOf('/v1/account', one)).toBe(401);
    stage.expectNoFaults();
  });

  it('[WD3] tells a demo account why it has no keys and what to do', async () => {
    const page = await stage.visitor();
    await page.goto('/sandbox/developers/keys');
    await page.getByText('Keys for your programs').waitFor();
    await page.getByText(/A key lets a program act for your account.*Register to mint/).waitFor();
    await page.getByRole('main').getByRole('button', { name: 'Register' }).waitFor();
    await page.evaluate(() =>
      fetch('/sandbox/api/auth/demo', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ cookie: true }),
      }),
    );
    await page.reload();
    await page.getByText('A demo account has no keys').waitFor();
    await page.getByText(/forgotten when nobody uses it.*Register to mint/).waitFor();
    await page.getByRole('main').getByRole('button', { name: 'Register' }).click();
    await page.getByRole('dialog', { name: 'Register' }).waitFor();
    stage.expectNoFaults();
  });
});

describe('the log of requests', () => {
  it('[WD4] shows a refused request with its code, and opens it without a secret', async () => {
    const { page } = await person(stage, '/sandbox/developers/keys');
    const key = await mintKey(page, 'careless');
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByRole('link', { name: 'Requests', exact: true }).click();
    await page.getByLabel('Code').fill('market_not_found');
    await page.getByText('No request fits these filters').waitFor();
    await statusOf('/v1/markets/m_00000000000000ff', key);
    const request = page.getByRole('link', { name: /GET .*m_00000000000000ff/ });
    await request.waitFor();
    await page.waitForURL(/code=MARKET_NOT_FOUND/);
    await page.getByRole('list', { name: 'Errors by code' }).getByText('once').waitFor();
    await request.click();
    await page.getByRole('heading', { name: /GET .*m_00000000000000ff/ }).waitFor();
    await page.getByText('No such market.').first().waitFor();
    const command = page.getByRole('figure').filter({ hasText: 'As curl' });
    expect(await command.textContent()).toContain('Bearer $KEY');
    const answer = page.getByRole('figure').filter({ hasText: 'Answer' });
    expect(await answer.textContent()).toContain('"code": "MARKET_NOT_FOUND"');
    expect(await page.content()).not.toContain(key);
    await page.goBack();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    // Where the key was minted neither it nor its secret was kept.
    await page.getByRole('link', { name: 'POST /sandbox/v1/keys' }).click();
    await page.getByText('it bears secrets').first().waitFor();
    expect(await page.content()).not.toContain(key);
    stage.expectNoFaults();
  });
});

describe('the console of streams', () => {
  it('[WD5] shows frames of what it subscribes to, whole, by type, and stands still when paused', async () => {
    const page = await stage.visitor();
    await page.goto('/sandbox/developers/streams');
    await page.getByText('Connected').waitFor();
    await page.getByRole('button', { name: 'Subscribe' }).click();
    const frames = page.getByRole('region', { name: 'Frames' });
    const ticker = frames.getByRole('button', { name: 'ticker', exact: true }).first();
    await ticker.waitFor();
    // Others trade meanwhile: what goes on coming would move away from under the press.
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('button', { name: 'Go on' }).waitFor();
    await ticker.click();
    const whole = page.getByRole('figure').filter({ hasText: 'Frame ticker' });
    expect(await whole.textContent()).toContain('"best_bid"');
    const seen = await frames.getByRole('row').count();
    // Somebody trades: frames that are counted and not shown.
    const trader = await somebody(`trader-${crypto.randomUUID()}@example.com`);
    await buy(trader, await ownMarket(trader, 'Will frames come?'), '5');
    await page.getByText(/came while paused/).waitFor();
    expect(await frames.getByRole('row').count()).toBe(seen);
    await page.getByRole('combobox', { name: 'Type' }).click();
    await page.getByRole('option', { name: 'welcome' }).click();
    expect(await frames.getByRole('row').count()).toBe(2);
    await page.getByRole('button', { name: 'Unsubscribe from ticker' }).click();
    await page.getByRole('combobox', { name: 'Stream', exact: true }).click();
    await page.getByRole('option', { name: 'account' }).click();
    await page.getByText('Sign in to hear this stream.').waitFor();
    stage.expectNoFaults();
  });
});

describe('webhooks', () => {
  it('[WD6] sends a test, shows an attempt that failed, sends it again, and rotates the secret', async () => {
    const receiver = await Receiver.open();
    receiver.status = 500;
    const { page, client } = await person(stage, '/sandbox/developers/webhooks');
    await page.getByRole('button', { name: 'Add an endpoint' }).click();
    await page.getByLabel('Address').fill(receiver.url);
    await page.getByRole('checkbox', { name: 'order.accepted' }).check();
    await page.getByRole('button', { name: 'Add an endpoint' }).click();
    const secret = await shownSecret(page, /^Signing secret/);
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByRole('link', { name: receiver.url }).click();
    await page.getByRole('button', { name: 'Send a test' }).click();
    const [{ body, signature } = { body: '', signature: '' }] = await receiver.received(1);
    const event = await verifyWebhook({ body, headers: { 'x-svc-signature': signature }, secret });
    expect(event).toMatchObject({ type: 'webhook.ping', test: true });
    const deliveries = page.getByRole('region', { name: 'Deliveries' });
    await deliveries.getByText('Failed, tried again').waitFor();
    await deliveries.getByRole('button', { name: 'webhook.ping' }).click();
    await page.getByText('HTTP 500, 4 bytes').first().waitFor();
    const shown = page.getByRole('figure').filter({ hasText: 'Body, as it is sent' });
    expect(await shown.textContent()).toContain(event.id);
    receiver.status = 200;
    await page.getByRole('button', { name: 'Send again' }).click();
    await deliveries.getByText('Delivered').waitFor();
    expect((await receiver.received(2)).at(-1)?.body).toBe(body);
    await page.getByRole('button', { name: 'Rotate secret' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }).click();
    const rotated = await shownSecret(page, /^Signing secret/);
    expect(rotated).not.toBe(secret);
    const [webhook] = (await client.webhooks.list()).items;
    const until = await page.evaluate(
      (ms) => new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' }).format(ms),
      webhook?.old_secret_expires_at_ms ?? 0,
    );
    await page.getByText(`Both secrets sign until ${until}.`).first().waitFor();
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByRole('button', { name: 'Send a test' }).click();
    const again = (await receiver.received(3)).at(-1);
    for (const one of [secret, rotated]) {
      await verifyWebhook({
        body: again?.body ?? '',
        headers: { 'x-svc-signature': again?.signature ?? '' },
        secret: one,
      });
    }
    expect(await page.content()).not.toContain(rotated);
    receiver.close();
    stage.expectNoFaults();
  });

  it('[WD7] is edited, paused, and deleted after a question; a bad address is refused in words', async () => {
    const receiver = await Receiver.open();
    const { page, client } = await person(stage, '/sandbox/developers/webhooks');
    const stands = async () => (await client.webhooks.list()).items;
    await page.getByRole('button', { name: 'Add an endpoint' }).click();
    await page.getByRole('checkbox', { name: 'order.accepted' }).check();
    await page.getByLabel('Address').fill('http://10.0.0.1/hooks');
    await page.getByRole('button', { name: 'Add an endpoint' }).click();
    await page
      .getByRole('alert')
      .getByText(/must be https at a public address/)
      .waitFor();
    await page.getByLabel('Address').fill(receiver.url);
    await page.getByRole('button', { name: 'Add an endpoint' }).click();
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByRole('link', { name: receiver.url }).click();
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Description').fill('<i>fills</i>');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('<i>fills</i>').waitFor();
    const [edited] = await stands();
    expect(edited).toMatchObject({ url: receiver.url, description: '<i>fills</i>' });
    expect(edited?.event_types).toContain('order.accepted');
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('Activate the endpoint first.').first().waitFor();
    expect(await stands()).toMatchObject([{ status: 'paused' }]);
    await page.getByRole('button', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Delete' }).waitFor();
    expect(await stands()).toHaveLength(1);
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No endpoints yet').waitFor();
    expect(await stands()).toEqual([]);
    receiver.close();
    // The browser itself notes the refusal.
    stage.expectNoFaults(/status of 400/);
  });
});

describe('the pages for developers', () => {
  it('[WD8] offer the streams and the events of the contract', () => {
    expect(Object.keys(streamList).sort()).toEqual(Object.keys(streams).sort());
    for (const [base, { visibility, forms }] of Object.entries(streams)) {
      expect(streamList).toHaveProperty(base, {
        isPublic: visibility === 'public',
        forms: forms.at(-1),
      });
    }
    const sent = Object.entries(webhookEvents).filter(([, { since }]) => since !== 'later');
    expect([...eventTypes].sort()).toEqual(sent.map(([type]) => type).sort());
  });

  it('[WD9] lead to the reference and back', async () => {
    const page = await stage.visitor();
    await page.goto('/sandbox/developers');
    await page.getByRole('link', { name: 'Reference' }).click();
    await page.getByRole('link', { name: 'Streams', exact: true }).first().click();
    await page.getByRole('heading', { name: 'Close codes' }).waitFor();
    await page.getByRole('link', { name: 'Developers' }).click();
    await page.getByRole('heading', { name: 'Developers' }).waitFor();
    stage.expectNoFaults();
  });

  it('[WD14] show how a request is signed, as the published vectors have it, and send nothing', async () => {
    const file = new URL('../../docs/examples/signing-vectors.json', import.meta.url);
    const { key_id: keyId, secret, passphrase, vectors } = JSON.parse(readFileSync(file, 'utf8'));
    const page = await stage.visitor();
    await page.setViewportSize({ width: widths.phone, height: 844 });
    await page.goto('/developers/signing');
    await page.getByLabel('Signing secret').fill(secret);
    // The last of the tabs is in view where the strip is wider than the screen.
    const tab = await page.locator('main nav [aria-current=page]').boundingBox();
    expect((tab?.x ?? widths.phone) + (tab?.width ?? 0)).toBeLessThanOrEqual(widths.phone);
    await page.setViewportSize({ width: widths.desk, height: 900 });
    await page.getByLabel('Key id').fill(keyId);
    const sent: string[] = [];
    page.on('request', (request) => sent.push(request.url()));
    for (const vector of vectors) {
      const variant = vector.variant === 'A' ? 'A, with a nonce' : 'B, with a passphrase';
      await page.getByRole('button', { name: variant }).click();
      await page.getByRole('button', { name: vector.method, exact: true }).click();
      await page.getByLabel('Path with its query').fill(vector.path);
      await page.getByLabel('Body').fill(vector.body);
      await page.getByLabel('Timestamp').fill(vector.timestamp);
      if (vector.variant === 'A')
        await page.getByLabel('Nonce', { exact: true }).fill(vector.nonce);
      else await page.getByLabel('Passphrase').fill(passphrase);
      const figures = page.getByRole('figure');
      await figures.filter({ hasText: vector.canonical_hash }).waitFor();
      const canonical = figures.filter({ hasText: 'Canonical text' }).locator('pre');
      expect(await canonical.textContent()).toBe(vector.canonical);
      const headers = figures.filter({ hasText: 'Headers' }).locator('pre');
      expect(await headers.textContent()).toContain(`-SIGNATURE: ${vector.signature}`);
    }
    expect(sent.filter((url) => !url.includes('/assets/') && url.includes(secret))).toEqual([]);

    await page.goto('/sandbox/developers/signing');
    await page.getByLabel('Signing secret').fill(secret);
    await page.getByRole('button', { name: 'POST', exact: true }).click();
    const body = '{\n  "side": "buy"\n}';
    await page.getByLabel('Body').fill(body);
    const hash = createHash('sha256').update(body).digest('hex');
    const canonical = page.getByRole('figure').filter({ hasText: 'Canonical text' }).locator('pre');
    await canonical.filter({ hasText: hash }).waitFor();
    expect(await canonical.textContent()).toMatch(/^POST\n\/sandbox\/v1\/orders\n/);
    stage.expectNoFaults();
  });

  it('[WD10] fit and have no grave fault at any width, in both themes', async () => {
    const { page, client } = await person(stage, '/sandbox/developers');
    // Lists with something in them, and the pages of one of it.
    await client.keys.mint({ label: 'W'.repeat(64), permissions: ['read', 'trade'] });
    const { webhook_id: webhookId } = await client.webhooks.create({
      url: `http://127.0.0.1:9/${'w'.repeat(200)}`,
      description: 'W'.repeat(128),
      event_types: ['order.filled'],
    });
    const logged = async () => (await client.requests.list()).items[0]?.request_id;
    await soon(logged).toBeDefined();
    const parts = [
      ['', 'Developers'],
      ['/keys', 'W'.repeat(64)],
      ['/requests', 'POST'],
      [`/requests/${await logged()}`, 'Answer'],
      ['/streams', 'Connected'],
      ['/webhooks', '127.0.0.1'],
      [`/webhooks/${webhookId}`, 'Send a test'],
      ['/signing', 'Signature debugger'],
    ] as const;
    for (const [index, [part, shown]] of parts.entries()) {
      await page.goto(`/sandbox/developers${part}`);
      await page.getByRole('main').getByText(shown).first().waitFor();
      for (const width of Object.values(widths)) {
        await page.setViewportSize({ width, height: 900 });
        await stage.expectFits(page);
      }
      // They share their colours and parts: each is judged once, in turn on a phone and on a desk in the dark.
      const isDark = index % 2 === 1;
      await page.setViewportSize({ width: isDark ? widths.desk : widths.phone, height: 900 });
      await page.emulateMedia({ colorScheme: isDark ? 'dark' : 'light' });
      await stage.expectAccessible(page);
    }
    stage.expectNoFaults();
  });
});
