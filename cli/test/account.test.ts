// Account holders with nothing but the command line, on a real server: from a key of play money to a webhook.
import { chmodSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { createClient } from '@sibyl/sdk';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startSeeded } from '../../server/test/seeded-sandbox.ts';
import { type Started, temporaryFolder } from '../../server/test/server-process.ts';
import { lossyLine } from './lossy-line.ts';
import { runSibyl } from './run-sibyl.ts';

const { folder, remove } = temporaryFolder();
let server: Started;
let url = '';

/** Each person has a home of their own. */
const sibyl = (
  who: string,
  args: readonly string[],
  input = '',
  environment: Readonly<Record<string, string>> = {},
) =>
  runSibyl(
    args,
    {
      ...{ XDG_CONFIG_HOME: path.join(folder, who), SIBYL_URL: url },
      ...{ SIBYL_TOKEN: '', NO_COLOR: '', FORCE_COLOR: '' },
      ...environment,
    },
    input,
  );

async function done(who: string, args: readonly string[], input = '') {
  const ended = await sibyl(who, [...args, '--json'], input);
  expect(ended.code, `${args.join(' ')}: ${ended.errors}`).toBe(0);
  return JSON.parse(ended.output);
}

const fileOf = (who: string): string => path.join(folder, who, 'sibyl', 'credentials.json');

/** Without its colours. */
const stripped = (text: string): string => stripVTControlCharacters(text);

type Closing = { readonly closes_at_ms: number };
const laterFirst = (one: Closing, other: Closing): number => other.closes_at_ms - one.closes_at_ms;

let marketId = '';
const email = 'ada@example.com';
const password = 'amber kettle 93 northwind';

beforeAll(async () => {
  server = await startSeeded({
    dataDir: path.join(folder, 'data'),
    environment: { WEBHOOK_ALLOW: '127.0.0.0/8', RATE_MULTIPLIER: '0' },
  });
  url = server.baseUrl;
  await createClient({ baseUrl: url }).sessions.register({ email, password });
});
afterAll(async () => {
  await server?.stop();
  remove();
});

describe('[CL20] a stranger trades play money', () => {
  it('takes the key of the day, which is kept for its owner alone and not shown', async () => {
    const taken = await sibyl('eve', ['sandbox', 'key', '--json']);
    expect([taken.code, taken.errors]).toEqual([0, '']);
    const { public_id: publicId, balance_free: free } = JSON.parse(taken.output);
    expect(free).toBe('10000.000000');
    const kept = JSON.parse(readFileSync(fileOf('eve'), 'utf8'))[url];
    expect(kept).toMatchObject({ name: publicId });
    expect(taken.output).not.toContain(kept.token);
    expect(await done('eve', ['whoami'])).toMatchObject({ mode: 'sandbox', tier: 'self_serve' });
  });

  it('reads markets, one market and its book', async () => {
    const { items } = await done('eve', ['markets', '--sandbox', '--state', 'active', '--all']);
    // One that is open to the end of the test.
    const market = items.toSorted(laterFirst)[0];
    marketId = market.market_id;
    expect(items.every(({ status }: { status: string }) => status === 'active')).toBe(true);
    expect(await done('eve', ['market', marketId, '--sandbox'])).toEqual(market);
    const outcome = market.outcomes[0].id;
    const book = await done('eve', ['book', marketId, outcome, '--sandbox', '--depth', '3']);
    expect(book).toMatchObject({ market_id: marketId, outcome_id: outcome });
    const shown = await sibyl('eve', ['book', marketId, outcome, '--sandbox', '--depth', '3']);
    const levels = shown.output.split('\n').filter((line) => /^(ask|bid) /.test(line));
    expect(levels).toHaveLength(book.asks.length + book.bids.length);
  });

  it('tries an order, places it, finds it again and cancels it', async () => {
    const { outcomes } = await done('eve', ['market', marketId, '--sandbox']);
    const order = [marketId, outcomes[0].id, 'buy', '100', '--price', '0.01'];
    const trial = await done('eve', ['order', 'dry-run', ...order]);
    expect([trial.order_id, trial.preview.fills]).toEqual(['ord_preview', []]);
    const placed = await done('eve', ['order', 'place', ...order, '--client-order-id', 'mine']);
    expect(placed).toMatchObject({ status: 'pending', price: '0.010000', size: '100.000000' });
    const { items } = await done('eve', ['orders', '--status', 'pending']);
    expect(items.map(({ order_id: id }: { order_id: string }) => id)).toEqual([placed.order_id]);
    expect(await done('eve', ['order', 'show', 'coid:mine'])).toEqual(placed);
    const ended = await done('eve', ['order', 'cancel', placed.order_id]);
    expect(ended).toMatchObject({ status: 'cancelled', cancel_reason: 'user' });
    const again = ['order', 'cancel', placed.order_id];
    const said = await sibyl('eve', again);
    const why = `error STATE_CONFLICT: ${placed.order_id} has ended already: it was cancelled.\n`;
    expect([said.code, said.output, stripped(said.errors)]).toEqual([1, '', why]);
    const { error } = JSON.parse((await sibyl('eve', [...again, '--json'])).errors);
    expect(error.message).toContain(`order_id=${placed.order_id}, status=cancelled, order={"`);
  });

  it('holds what it bought, and starts over', async () => {
    const { outcomes } = await done('eve', ['market', marketId, '--sandbox']);
    const bought = await done('eve', ['order', 'place', marketId, outcomes[0].id, 'buy', '5']);
    expect(bought.status).toBe('filled');
    const { items } = await done('eve', ['positions']);
    expect(items).toMatchObject([{ market_id: marketId, size: '5.000000' }]);
    const whole = [outcomes[0].id, 'buy', '10', '--price', '0.01', '--time-in-force', 'fok'];
    const unfilled = await sibyl('eve', ['order', 'place', marketId, ...whole]);
    expect([unfilled.code, unfilled.errors]).toEqual([
      1,
      expect.stringContaining('filled at once'),
    ]);
    const filled = await sibyl('eve', ['order', 'cancel', bought.order_id]);
    expect(filled.errors).toContain(`${bought.order_id} has ended already: it was filled.`);
    const { balances } = await done('eve', ['balance']);
    expect(Number(balances[0].free)).toBeLessThan(10_000);
    const table = await sibyl('eve', ['positions']);
    expect(table.output).toMatch(/^MARKET +OUTCOME +SIZE.*\nm_\w+ .* 5\.00 /);
    const reset = await done('eve', ['sandbox', 'reset']);
    expect(reset).toMatchObject({ positions_cleared: 1, balance_free: '0.000000' });
    const rejected = await sibyl('eve', ['order', 'place', marketId, outcomes[0].id, 'buy', '5']);
    expect([rejected.code, stripped(rejected.errors)]).toEqual([
      1,
      expect.stringMatching(
        /^error BALANCE_INSUFFICIENT: The balance is too small\. It takes [\d.]+ USDT; 0\.000000 are free\.\n$/,
      ),
    ]);
  });
});

describe('[CL21] signing in', () => {
  it('the password comes from standard input, and the session is in a file of its owner', async () => {
    const ended = await sibyl('ada', ['login', email, '--sandbox'], `${password}\n`);
    expect([ended.code, ended.errors]).toEqual([0, '']);
    expect(statSync(fileOf('ada')).mode & 0o777).toBe(0o600);
    const { token } = JSON.parse(readFileSync(fileOf('ada'), 'utf8'))[url];
    expect(ended.output).not.toContain(token);
    expect(ended.output).not.toContain(password);
    expect(await done('ada', ['whoami'])).toMatchObject({ email, mode: 'sandbox' });
    expect(await done('ada', ['whoami', '--live'])).toMatchObject({ email, mode: 'live' });
    const { output } = await sibyl('ada', ['whoami']);
    expect(output).toMatch(/^user id +usr_\w+\naccount id +acc_\w+$/m);
  });

  it('mints a key, which signs in elsewhere until it is revoked', async () => {
    const mint = [
      'keys',
      'mint',
      '--label',
      'bot',
      '--permission',
      'read',
      '--permission',
      'trade',
    ];
    const { key_id: key, public_id: publicId } = await done('ada', mint);
    const signed = await done('bot', ['login', '--key', '--sandbox'], `${key}\n`);
    expect(signed).toMatchObject({ name: publicId, sandbox: true });
    expect(await done('bot', ['whoami'])).toMatchObject({ permissions: ['read', 'trade'] });
    const { items } = await done('ada', ['keys']);
    expect(items).toMatchObject([{ key_id: publicId, label: 'bot', status: 'active' }]);
    await done('ada', ['keys', 'revoke', publicId]);
    const unknown = await sibyl('ada', ['keys', 'revoke', 'sk_test_0123456789abcdef']);
    expect([unknown.code, unknown.errors]).toEqual([1, expect.stringContaining('→ sibyl keys')]);
    const over = await sibyl('bot', ['whoami']);
    expect([over.code, over.errors]).toEqual([3, expect.stringContaining('sibyl login')]);
  });

  it('a wrong password, a key that opens nothing and nothing at all keep nothing', async () => {
    const wrong = await sibyl('mallory', ['login', email], 'some other password\n');
    expect([wrong.code, wrong.errors]).toEqual([3, expect.stringContaining('PASSWORD_INCORRECT')]);
    const key = `sk_live_0123456789abcdef_${'x'.repeat(43)}\n`;
    expect((await sibyl('mallory', ['login', '--key'], key)).code).toBe(3);
    expect((await sibyl('mallory', ['login', email], '')).code).toBe(3);
    expect((await sibyl('mallory', ['login'])).code).toBe(3);
    expect(() => statSync(fileOf('mallory'))).toThrow('ENOENT');
  });

  it('no command takes a secret as an argument', async () => {
    for (const args of [
      ['login', email, '--password', password],
      ['login', '--key', 'sk_live_0123456789abcdef'],
      ['webhooks', 'listen', '--secret', 'whsec_x'],
      ['webhooks', 'trigger', 'webhook.ping', '--secret', 'whsec_x'],
      ['markets', '--token', 'sk_live_x'],
    ]) {
      const ended = await sibyl('ada', args);
      // `login --key X` reads X as an address, and still asks for the key.
      expect([args, ended.code], ended.errors).toEqual([args, args[1] === '--key' ? 3 : 2]);
    }
  });

  it('a file that others can read is not used', async () => {
    chmodSync(fileOf('ada'), 0o644);
    const open = await sibyl('ada', ['whoami']);
    expect([open.code, open.errors]).toEqual([3, expect.stringContaining('chmod 600')]);
    chmodSync(fileOf('ada'), 0o600);
  });

  it('SIBYL_TOKEN goes before whoever is signed in, and logout ends the session', async () => {
    const { token } = JSON.parse(readFileSync(fileOf('ada'), 'utf8'))[url];
    const lent = await sibyl('lent', ['whoami', '--sandbox', '--json'], '', { SIBYL_TOKEN: token });
    expect(JSON.parse(lent.output)).toMatchObject({ email });
    expect(await done('ada', ['logout'])).toEqual({ signed_out: true });
    expect(JSON.parse(readFileSync(fileOf('ada'), 'utf8'))).toEqual({});
    const over = await sibyl('lent', ['whoami'], '', { SIBYL_TOKEN: token });
    expect(over.code).toBe(3);
    await done('ada', ['login', email, '--sandbox'], `${password}\n`);
  });
});

describe('[CL22] exit codes of account holders', () => {
  it('[CL27] tell a refusal, a wrong command line, nobody signed in and no answer apart', async () => {
    const refused = await sibyl('eve', ['order', 'show', 'coid:nothing', '--json']);
    expect([refused.code, JSON.parse(refused.errors).error.code]).toEqual([1, 'NOT_FOUND']);
    expect((await sibyl('eve', ['order', 'place', marketId, 'yes', 'hold', '1'])).code).toBe(2);
    expect((await sibyl('eve', ['order', 'place', marketId, 'yes', 'buy', 'ten'])).code).toBe(2);
    expect((await sibyl('eve', ['markets', '--url', 'nowhere'])).code).toBe(2);
    const nobody = await sibyl('nobody', ['balance']);
    expect([nobody.code, nobody.errors]).toEqual([3, expect.stringContaining('sibyl login')]);
    const elsewhere = await sibyl('ada', ['book', marketId, '--live', '--watch']);
    expect([elsewhere.code, stripped(elsewhere.errors)]).toEqual([
      1,
      `error MARKET_NOT_FOUND: There is no market ${marketId} in this lane.\n  → it is in the other lane: --sandbox\n`,
    ]);
    const gone = await sibyl('eve', ['markets', '--url', 'http://127.0.0.1:9', '--json']);
    const { error } = JSON.parse(gone.errors);
    expect([gone.code, error.code]).toEqual([4, 'NO_ANSWER']);
    expect(error.advice).toMatch(/running there\?.*sibyl doctor.*SIBYL_URL/);
  });
});

describe('[CL23] what people see', () => {
  it('a bar stands still before a refusal, and so keeps no program from ending', async () => {
    const { isTTY } = process.stderr;
    process.stderr.isTTY = true;
    const again = await sibyl('eve', ['sandbox', 'key']).finally(() => {
      process.stderr.isTTY = isTTY;
    });
    expect(again.code).toBe(1);
    expect(stripped(again.errors)).toMatch(
      /sandbox failed\n.*SANDBOX_KEY_DAILY_LIMIT.*→ sign in .*: sibyl login --key;/s,
    );
  });

  it('colours only where they are wanted', async () => {
    const plain = await sibyl('eve', ['markets', '--sandbox', '--limit', '2']);
    expect(plain.output).not.toContain('\x1b[');
    const forced = { FORCE_COLOR: '1' };
    const bright = await sibyl('eve', ['markets', '--sandbox', '--limit', '2'], '', forced);
    expect(bright.output).toContain('\x1b[32mactive');
    const never = { FORCE_COLOR: '1', NO_COLOR: '1' };
    const none = await sibyl('eve', ['markets', '--sandbox', '--limit', '2'], '', never);
    expect(none.output).toBe(plain.output);
  });

  it('says how to read on, and reads all with a bar that programs do not see', async () => {
    const first = await sibyl('eve', ['markets', '--sandbox', '--limit', '1']);
    expect(first.output.trim().split('\n')).toHaveLength(2);
    const [, cursor = ''] = /--cursor (\S+),/.exec(first.errors) ?? [];
    const next = await done('eve', ['markets', '--sandbox', '--limit', '1', '--cursor', cursor]);
    expect(next.items).toHaveLength(1);
    const all = await sibyl('eve', ['markets', '--sandbox', '--limit', '10', '--all']);
    expect(all.errors).toMatch(/reading \d+ entries/);
    const silent = await sibyl('eve', ['markets', '--sandbox', '--all', '--json']);
    expect(silent.errors).toBe('');
    const { items } = JSON.parse(silent.output);
    expect(all.output.trim().split('\n')).toHaveLength(items.length + 1);
  });

  it('[CL32] a list without entries says that it is of the live lane, and a key knows its lane', async () => {
    const live = `This is the live lane at ${url}; --sandbox asks the one of play money\n`;
    const empty = await sibyl('nobody', ['markets']);
    expect([empty.output, empty.errors]).toEqual(['none\n', live]);
    for (const list of ['orders', 'positions', 'revenue', 'attribution']) {
      expect([list, (await sibyl('ada', [list, '--live'])).errors]).toEqual([list, live]);
      expect([list, (await sibyl('ada', [list])).errors]).toEqual([list, '']);
    }
    expect((await sibyl('ada', ['grants', '--live'])).errors).toBe('');
    expect((await sibyl('nobody', ['markets', '--json'])).errors).toBe('');
    const { token: key } = JSON.parse(readFileSync(fileOf('eve'), 'utf8'))[url];
    const lent = await sibyl('lent', ['positions'], '', { SIBYL_TOKEN: key });
    expect([lent.output, lent.errors]).toEqual(['none\n', '']);
    const signed = await done('keyed', ['login', '--key'], `${key}\n`);
    expect(signed).toMatchObject({ sandbox: true });
    expect((await done('keyed', ['markets', '--limit', '1'])).items).toHaveLength(1);
  });

  it('a watched book tells its changes as they happen, a line each', async () => {
    const { token } = JSON.parse(readFileSync(fileOf('ada'), 'utf8'))[url];
    const client = createClient({ baseUrl: `${url}/sandbox`, token });
    await client.sandbox.faucet();
    const { outcomes } = await client.markets.get(marketId);
    const outcome = outcomes[0]?.id ?? '';
    const { token: key } = JSON.parse(readFileSync(fileOf('eve'), 'utf8'))[url];
    // At the address of the live lane, where the key alone says which one is meant.
    const watch = ['book', marketId, outcome, '--watch', '--count', '2', '--json'];
    const watched = sibyl('lent', watch, '', { SIBYL_TOKEN: key });
    const body = { market_id: marketId, outcome_id: outcome, side: 'buy', size: '100' } as const;
    // The first change is the snapshot; whichever order comes after it is the second.
    let isOver = false;
    const over = watched.then(() => {
      isOver = true;
    });
    for (let count = 1; !isOver; count += 1) {
      const price = `0.0${(count % 5) + 1}`;
      await client.orders.place({ ...body, order_type: 'limit', price });
      if (count % 20 === 0) await client.orders.cancelAll();
    }
    await over;
    const { code, output } = await watched;
    const lines = output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect([code, lines.map(({ kind }) => kind)]).toEqual([0, ['snapshot', 'delta']]);
  });
});

/** As the operator, whose session is confirmed. */
async function operate(args: readonly string[]) {
  const password = { SIBYL_OPERATOR_PASSWORD: server.operatorPassword ?? '' };
  const ended = await sibyl('op', ['admin', ...args, '--url', server.adminUrl], '', password);
  expect(ended.code, ended.errors).toBe(0);
}

async function refused(args: readonly string[], code: number, why: string) {
  const ended = await sibyl('ada', args);
  expect([ended.code, ended.errors]).toEqual([code, expect.stringContaining(why)]);
}

describe('[CL29] signing secrets', () => {
  it('are drawn once an operator allows it, shown once, and end the one before', async () => {
    await done('ada', ['login', email, '--sandbox'], `${password}\n`);
    const mint = await sibyl('ada', ['keys', 'mint', '--permission', 'read']);
    const [, key = ''] = /^key +(sk_test_\w{16}_[\w-]{43})$/m.exec(mint.output) ?? [];
    const [, keyId = ''] = /^key id +(sk_test_\w{16})$/m.exec(mint.output) ?? [];
    expect(key.startsWith(`${keyId}_`)).toBe(true);
    const draw = ['keys', 'signing-secret', keyId];
    await refused(draw, 1, '→ an operator switches it on: sibyl admin set-key-signing');
    await operate(['login', 'admin']);
    await operate(['confirm']);
    await operate(['set-key-signing', keyId, '--enabled', 'true', '--reason', 'contract']);
    await operate(['set-key-tier', keyId, '--tier', 'partner', '--reason', 'contract']);
    const scopes = ['--partner-scopes', 'delegation:trade'];
    await operate(['set-partner-scopes', keyId, ...scopes, '--reason', 'contract']);
    expect((await sibyl('ada', ['keys'])).output).toContain('  read, delegation:trade  ');
    const words = await sibyl('ada', draw);
    expect(words.errors).not.toContain('warning');
    expect([words.code, words.errors]).toEqual([0, expect.stringContaining('shown this once')]);
    const [, first = ''] = /^secret +([0-9a-f]{64})$/m.exec(words.output) ?? [];
    const reads = (secret: string) =>
      createClient({ baseUrl: `${url}/sandbox`, signing: { keyId, secret } }).account.get();
    expect(await reads(first)).toMatchObject({ permissions: ['read'] });
    const { secret, secrets_withheld: isWithheld } = await done('ada', draw);
    expect([isWithheld, await reads(secret)]).toEqual([
      false,
      expect.objectContaining({ permissions: ['read'] }),
    ]);
    await expect(reads(first)).rejects.toMatchObject({ code: 'SIGNATURE_INVALID' });
    await refused(['keys', 'signing-secret', 'sk_test_0123456789abcdef'], 1, '→ sibyl keys lists');
    const byKey = await sibyl('ada', ['keys', 'signing-secret', key]);
    expect([byKey.code, byKey.errors]).toEqual([0, expect.stringContaining(`${keyId} is its id`)]);
  });

  it('a secret whose answer was lost is not taken for one', async () => {
    const { public_id: keyId } = await done('ada', ['keys', 'mint', '--permission', 'read']);
    await operate(['set-key-signing', keyId, '--enabled', 'true', '--reason', 'contract']);
    const { token } = JSON.parse(readFileSync(fileOf('ada'), 'utf8'))[url];
    const line = await lossyLine(url);
    const draw = ['keys', 'signing-secret', keyId, '--url', line.url, '--sandbox', '--json'];
    const ended = await sibyl('lost', draw, '', { SIBYL_TOKEN: token });
    line.close();
    expect(line.lost()).toBe(1);
    expect([ended.code, JSON.parse(ended.errors).error]).toEqual([
      1,
      expect.objectContaining({ code: 'SECRETS_WITHHELD', advice: expect.stringMatching(keyId) }),
    ]);
    expect(JSON.parse(ended.output)).toMatchObject({ secret: null, secrets_withheld: true });
  });
});

describe('[CL25] builders and apps', () => {
  const register = ['apps', 'register', 'Election desk', '--scope', 'account:read'];
  const whereTo = ['--redirect-uri', 'https://example.com/callback'];
  const words = ['--name', 'Ada', '--about', 'A desk for elections.'];
  let appId = '';
  let secret = '';

  it('the agreement is read and accepted before anything is registered', async () => {
    await refused([...register, ...whereTo], 1, 'sibyl builder agreement');
    const { version, paragraphs } = await done('ada', ['builder', 'agreement']);
    const read = await sibyl('ada', ['builder', 'agreement']);
    for (const paragraph of paragraphs) expect(read.output).toContain(paragraph);
    const apply = ['builder', 'apply', 'trade_capped'];
    await refused([...apply, ...words], 1, `--agree ${version}`);
    await refused([...apply, '--agree', version], 3, '--about');
    await refused(['builder', 'apply', 'trade_everything'], 2, 'trade_capped');
    const me = await done('ada', [...apply, ...words, '--agree', version]);
    expect(me.application).toMatchObject({ track: 'trade_capped', status: 'in_review' });
    expect(await done('ada', ['builder'])).toEqual(me);
  });

  it('an app is registered, its secret shown once, and changed while it is a draft', async () => {
    await refused(register, 3, '--redirect-uri');
    await refused([...register, ...whereTo, '--scope', 'all'], 2, 'orders:trade');
    await refused([...register, ...whereTo, '--fee-bps', '101'], 1, 'fee');
    const { client_secret: shown, ...app } = await done('ada', [...register, ...whereTo]);
    [appId, secret] = [app.app_id, shown];
    expect(secret).toMatch(/^acs_/);
    expect(app).toMatchObject({ status: 'draft', allowed_scopes: ['account:read'] });
    await refused(['apps', 'change', appId], 3, '--help');
    const change = ['apps', 'change', appId, '--scope', 'account:read', '--scope', 'orders:trade'];
    const changed = await done('ada', [...change, '--origin', 'https://example.com']);
    expect(changed).toMatchObject({
      allowed_scopes: ['account:read', 'orders:trade'],
      allowed_origins: ['https://example.com'],
      redirect_uris: ['https://example.com/callback'],
    });
    expect(await done('ada', ['apps', 'show', appId])).toEqual(changed);
    expect((await done('ada', ['apps'])).items).toEqual([changed]);
    await refused(['apps', 'show', 'app_0123456789abcdef'], 1, 'sibyl apps lists yours');
  });

  it('it is submitted once the builder is approved, and what users agreed to is not changed', async () => {
    await refused(['apps', 'submit', appId], 1, 'sibyl builder says how far that is');
    const { user_id: userId } = await done('ada', ['builder']);
    await operate(['builders', 'approve', userId, '--reason', 'known']);
    expect(await done('ada', ['apps', 'submit', appId])).toMatchObject({ status: 'in_review' });
    expect(await done('ada', ['apps', 'withdraw', appId])).toMatchObject({ status: 'draft' });
    await done('ada', ['apps', 'submit', appId]);
    const name = ['--verified-name', 'Ada Example', '--fee-cap-bps', '20'];
    await operate(['apps', 'approve', appId, ...name, '--reason', 'seen']);
    await refused(['apps', 'change', appId, '--name', 'Election bureau'], 1, '→ give --resubmit');
    const cheaper = await done('ada', ['apps', 'change', appId, '--fee-bps', '5']);
    expect(cheaper).toMatchObject({ status: 'approved', builder_fee_bps: 5, fee_cap_bps: 20 });
    const table = await sibyl('ada', ['apps']);
    expect(table.output).toMatch(/^APP +STATE +KIND +FEE BPS .*\napp_\w+ +approved .* 5\/20 /);
  });

  it('[CL30] what it brought and earned is shown, by what is asked for', async () => {
    const { outcomes } = await done('ada', ['market', marketId]);
    const order = ['order', 'place', marketId, outcomes[0].id, 'buy', '5'];
    const placed = await done('ada', [...order, '--app', appId, '--app-fee-bps', '5']);
    expect(placed.status).toBe('filled');
    // Fills reach history at their own pace.
    const [total, ...brought] = await vi.waitUntil(async () => {
      const { items } = await done('ada', ['attribution', '--by', 'app']);
      return items.length > 1 ? items : null;
    }, 60_000);
    expect(brought).toMatchObject([{ kind: 'part', app_id: appId, fills: total.fills }]);
    expect(Number(total.accrued)).toBeGreaterThan(0);
    const table = await sibyl('ada', ['revenue']);
    expect(table.output).toMatch(
      /^ROLE +SOURCE +TRADES +EARNED +GIVEN BACK +PAID +TO COME\ntotal /,
    );
    expect(table.output).toMatch(new RegExp(`^builder +${appId} +${total.fills} `, 'm'));
    const { items } = await done('ada', ['revenue']);
    expect(items[0]).toMatchObject({ kind: 'total', accrued: total.accrued, credited: '0.000000' });
    const { items: sold } = await done('ada', ['attribution', '--by', 'fill', '--app', appId]);
    expect(sold).toHaveLength(total.fills + 1);
    const day = new Date(sold[1].ts_ms).toISOString().slice(0, 10);
    const { items: days } = await done('ada', ['revenue', '--by', 'day', '--from', day]);
    expect(days.map(({ day: one }: { day: string | null }) => one).slice(0, 2)).toEqual([
      null,
      day,
    ]);
    const traded = await sibyl('eve', ['attribution', '--by', 'key']);
    // A self-serve key fills at the middle price, which counts for no volume.
    expect(traded.output).toMatch(/^KEY +VOLUME +LABEL\ntotal +0\.00 +-\n$/);
    const live = await done('ada', ['revenue', '--live']);
    expect(live.items).toMatchObject([{ kind: 'total', fills: 0 }]);
    await refused(['attribution', '--by', 'actor'], 2, 'fill, day, app, market');
    await refused(['revenue', '--from', '2026-02-31'], 2, 'such as 2026-11-14');
    await refused(['revenue', '--from', '2026-11-02', '--to', '2026-11-01'], 1, 'after from_ms');
    await refused(['revenue', '--app', 'app_0123456789abcdef'], 1, 'There is no app app_0123');
  });

  it('[CL30] what was allowed it is listed, and taken back', async () => {
    const { token } = JSON.parse(readFileSync(fileOf('ada'), 'utf8'))[url];
    const client = createClient({ baseUrl: `${url}/sandbox`, token });
    const { grant_id: grantId } = await client.connect.grant({
      ...{ kind: 'oauth', client_id: appId, redirect_uri: 'https://example.com/callback' },
      ...{ scopes: ['account:read'], code_challenge: 'x'.repeat(43), daily_cap: '250' },
    });
    const table = await sibyl('ada', ['grants']);
    expect(table.output).toMatch(
      new RegExp(
        `^${grantId} +active +app +sandbox .* 250\\.00 +none .* never +Ada Example \\(${appId}`,
        'm',
      ),
    );
    const taken = await sibyl('ada', ['grants', 'revoke', grantId]);
    expect([taken.code, taken.output]).toEqual([
      0,
      `${grantId} is revoked: Ada Example (${appId}) acts for you no longer\n`,
    ]);
    expect((await done('ada', ['grants', '--active'])).items).toEqual([]);
    expect((await done('ada', ['grants'])).items).toMatchObject([
      { grant_id: grantId, status: 'revoked', revoked_for: 'user' },
    ]);
    await refused(['grants', 'revoke', 'grt_0123456789abcdef'], 1, '→ sibyl grants lists yours');
    const byKey = await sibyl('eve', ['grants']);
    expect([byKey.code, byKey.errors]).toEqual([1, expect.stringContaining('→ this takes you')]);
  });

  it('the secret is rotated, the widget key shown, and the app ended', async () => {
    await done('ada', ['login', email, '--sandbox'], `${password}\n`);
    const rotated = await done('ada', ['apps', 'rotate-secret', appId]);
    expect(rotated.client_secret).toMatch(/^acs_/);
    expect(rotated.client_secret).not.toBe(secret);
    await refused(['apps', 'rotate-secret', appId], 1, 'state');
    const { widget_key: key } = await done('ada', ['apps', 'show', appId]);
    const shown = await sibyl('ada', ['apps', 'widget-key', appId]);
    expect([shown.output, shown.errors]).toEqual([
      `${key}\n`,
      expect.stringContaining('https://example.com'),
    ]);
    const closed = await done('ada', ['apps', 'change', appId, '--no-origins']);
    expect(closed.allowed_origins).toEqual([]);
    const nowhere = await sibyl('ada', ['apps', 'widget-key', appId]);
    expect(nowhere.errors).toContain('no page yet');
    expect(await done('ada', ['apps', 'disable', appId])).toMatchObject({ status: 'disabled' });
    await refused(['apps', 'submit', appId], 1, 'state');
  });
});

describe('[IS4] webhooks of account holders', () => {
  const client = () => {
    const { token } = JSON.parse(readFileSync(fileOf('ada'), 'utf8'))[url];
    return createClient({ baseUrl: `${url}/sandbox`, token });
  };

  it('listen registers a webhook for as long as it listens, and verifies what comes', async () => {
    const listening = sibyl('ada', [
      ...['webhooks', 'listen', '--port', '0', '--event', 'order.filled', '--count', '1', '--json'],
    ]);
    const [made] = await expect
      .poll(async () => (await client().webhooks.list()).items, { timeout: 60_000 })
      .toHaveLength(1)
      .then(async () => (await client().webhooks.list()).items);
    const id = made?.webhook_id ?? '';
    const trigger = await client().webhooks.replay(id, { event_type: 'order.filled' });
    expect(trigger.queued).toBe(1);
    const ended = await listening;
    expect([ended.code, ended.errors]).toEqual([0, expect.stringContaining(`for ${id}`)]);
    expect(JSON.parse(ended.output)).toMatchObject({
      status: 200,
      problem: null,
      notice: { type: 'order.filled', test: true },
    });
    expect((await client().webhooks.list()).items).toEqual([]);
  });

  it('where the server may not deliver there, it says what would help', async () => {
    const tunnel = ['--public-url', 'http://10.0.0.1/hooks', '--port', '0'];
    const ended = await sibyl('ada', ['webhooks', 'listen', ...tunnel]);
    expect([ended.code, ended.errors]).toEqual([1, expect.stringContaining('WEBHOOK_ALLOW')]);
    expect((await client().webhooks.list()).items).toEqual([]);
  });

  it('triggers and sends again through the server', async () => {
    const made = await client().webhooks.create({
      url: 'http://127.0.0.1:9/hooks',
      event_types: ['order.filled'],
    });
    const id = made.webhook_id;
    const { items } = await done('ada', ['webhooks']);
    expect(items).toMatchObject([{ webhook_id: id, status: 'active' }]);
    const sent = await done('ada', ['webhooks', 'trigger', 'order.filled', '--webhook', id]);
    const [delivery = ''] = sent.delivery_ids;
    await expect
      .poll(async () => (await client().webhooks.deliveries(id)).items[0]?.status, {
        timeout: 60_000,
      })
      .toBe('retrying');
    const again = await done('ada', ['webhooks', 'resend', id, '--delivery', delivery]);
    expect(again.delivery_ids).toEqual([delivery]);
    const bare = await sibyl('ada', ['webhooks', 'resend', id]);
    expect([bare.code, bare.errors]).toEqual([3, expect.stringContaining('--since-minutes')]);
    expect((await sibyl('ada', ['webhooks', 'trigger', 'order.eaten', '--webhook', id])).code).toBe(
      3,
    );
  });
});
