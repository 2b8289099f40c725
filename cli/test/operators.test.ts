// Operators with nothing but the command line: a market from its proposal to its payout, an account frozen, withdrawals that
// wait, a user who cannot get in, and the trail.
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { operatorOperations } from '@sibyl/contract';
import { boot, readConfig, type Server, silentLog } from '@sibyl/server';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { codeAt } from './authenticator-app.ts';
import { runSibyl } from './run-sibyl.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'sibyl-operators-'));
const data = path.join(folder, 'data');
let server: Server | null = null;

const start = (): Promise<Server> =>
  boot(
    readConfig(
      {
        ...{ PORT: '0', ADMIN_PORT: '0', DATA_DIR: data, LANES: 'live', SEED_LIVE: 'demo' },
        ...{ CHALLENGE_MIN_MINUTES: '0' },
        ...{ BOTS: 'off', DESTINATION_DELAY_HOURS: '0', WITHDRAWAL_APPROVAL_ABOVE: '50' },
      },
      folder,
    ),
    silentLog,
  );

/** Each operator has a home of their own. */
const sibyl = (who: string, args: readonly string[], password = '', input = '') => {
  const environment = {
    DATA_DIR: data,
    XDG_CONFIG_HOME: path.join(folder, who),
    SIBYL_OPERATOR_PASSWORD: password,
    OPERATOR_TOKEN: '',
    ADMIN_PORT: String(server?.adminPort ?? 0),
  };
  return runSibyl(args, environment, input);
};

async function done(who: string, args: readonly string[], password = '') {
  const ended = await sibyl(who, [...args, '--json'], password);
  expect(ended.code, `${args.join(' ')}: ${ended.errors}`).toBe(0);
  return JSON.parse(ended.output);
}

let first = { name: '', password: '' };
let tomsPassword = '';
beforeAll(async () => {
  const begun = await start();
  first = begun.newOperator ?? first;
  await begun.close();
  const tom = await done('root', ['operator', 'add', 'tom', '--role', 'admin']);
  tomsPassword = tom.password;
});
afterAll(async () => {
  await server?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A market of the platform whose answer can be challenged for no time at all. */
async function newMarket(): Promise<string> {
  const { template } = operatorOperations.publishTemplate.example.body;
  const quick = { ...template, id: 'quick-question', version: 1, market_type: 'normal' };
  const file = path.join(folder, 'template.json');
  const config = { source: 'manual', challenge_sec: 0 };
  writeFileSync(file, JSON.stringify({ ...quick, oracle_config: config }));
  const why = ['--lane', 'live', '--reason', 'a story'];
  await done('ada', ['admin', 'publish-template', '--template', `@${file}`, ...why]);
  // More than one operator may credit alone.
  const asked = await done('ada', [
    ...['admin', 'credit-deposit', 'acc_platform', '--asset', 'USDT', '--amount', '100000'],
    ...['--external-ref', 'story-1', ...why],
  ]);
  expect(asked).toMatchObject({ state: 'waiting', operation: 'creditDeposit' });
  await done('tom', ['admin', 'login', 'tom'], tomsPassword);
  await done('tom', ['admin', 'confirm'], tomsPassword);
  await done('tom', ['admin', 'queue', 'approve', asked.approval_id, '--reason', 'seen']);
  const params = { question: 'Did it rain?', closes_at_ms: Date.now() + 3_600_000 };
  const made = await done('ada', [
    ...['admin', 'create-platform-market', '--template-id', 'quick-question'],
    ...['--params', JSON.stringify(params), ...why],
  ]);
  return made.market_id;
}

const RITA = { email: 'rita@example.com', password: 'plum otter ladder 47 quay' };

/** Somebody with money in the live lane, who trades as everybody does. */
async function newTrader() {
  const call = async (route: string, body: object | null, token = '') => {
    const answer = await fetch(`http://127.0.0.1:${server?.port}${route}`, {
      method: body === null ? 'GET' : 'POST',
      headers: {
        ...{ 'content-type': 'application/json', authorization: `Bearer ${token}` },
        ...(body === null ? {} : { 'idempotency-key': crypto.randomUUID() }),
      },
      ...(body === null ? {} : { body: JSON.stringify(body) }),
    });
    // biome-ignore lint/suspicious/noExplicitAny: answers of every operation are read here.
    const { data, error } = JSON.parse(await answer.text()) as any;
    return { data, code: (error?.code ?? null) as string | null };
  };
  const { data: session } = await call('/api/auth/register', RITA);
  const { session_token: token, account_id: accountId } = session;
  await done('ada', [
    ...['admin', 'credit-deposit', accountId, '--asset', 'USDT', '--amount', '1000'],
    ...['--external-ref', 'story-2', '--lane', 'live', '--reason', 'a story'],
  ]);
  const yes = { outcome_id: 'yes', side: 'buy' };
  return {
    accountId: String(accountId),
    buy: (market: string, size: string) =>
      call('/v1/orders', { market_id: market, ...yes, order_type: 'market', size }, token),
    /** Far from any price. */
    bid: (market: string) => {
      const terms = { order_type: 'limit', price: '0.01', size: '2' };
      return call('/v1/orders', { market_id: market, ...yes, ...terms }, token);
    },
    free: async () => Number((await call('/v1/balance', null, token)).data.balances[0].free),
    /** To a destination of its own. */
    withdraw: async (amount: string) => {
      await call('/api/auth/step-up', { password: RITA.password }, token);
      const target = { label: 'bank', destination: `DE89 ${crypto.randomUUID()}` };
      const { data: added } = await call('/api/auth/destinations', target, token);
      const body = { destination_id: added.destination_id, amount };
      const { data: asked } = await call('/v1/account/withdrawals', body, token);
      return String(asked.withdrawal_id);
    },
    withdrawal: async (id: string) =>
      (await call(`/api/auth/withdrawals/${id}`, null, token)).data as Record<string, unknown>,
    /** As somebody without a session, or with another. */
    ask: call,
  };
}

async function marketNow(id: string): Promise<Record<string, unknown>> {
  const answer = await fetch(`http://127.0.0.1:${server?.port}/v1/markets/${id}`);
  return ((await answer.json()) as { data: Record<string, unknown> }).data;
}

let trader: Awaited<ReturnType<typeof newTrader>>;

it('[CL6] two operators take a market from its proposal to its payout, and the trail of it verifies', async () => {
  // A second operator, and a lost password, on the stopped server.
  const grace = await done('root', ['operator', 'add', 'grace', '--role', 'market_manager']);
  const ada = await done('root', ['operator', 'reset', first.name]);
  expect(ada.password).not.toBe(first.password);
  server = await start();
  const nobody = await sibyl('ada', ['admin', 'whoami']);
  expect(nobody.code).toBe(3);
  expect(nobody.errors).toContain('sibyl admin login');
  expect((await sibyl('ada', ['admin', 'login', 'admin'], first.password)).code).not.toBe(0);
  await done('ada', ['admin', 'login', 'admin'], ada.password);
  await done('grace', ['admin', 'login', 'grace'], grace.password);
  expect(await done('grace', ['admin', 'whoami'])).toMatchObject({ roles: ['market_manager'] });

  await done('ada', ['admin', 'confirm'], ada.password);
  const market = await newMarket();
  trader = await newTrader();
  expect(await trader.buy(market, '10')).toMatchObject({ data: { status: 'filled' } });
  const staked = await trader.free();
  const propose = [
    ...['admin', 'propose-resolution', market, '--lane', 'live', '--winning-outcome-id', 'yes'],
    ...['--evidence', 'https://example.com/result', '--reason', 'the source says so'],
  ];
  const unproved = await sibyl('grace', propose);
  expect(unproved.errors).toContain('Confirm the session first');
  expect(unproved.errors).toContain('→ sibyl admin confirm');
  await done('grace', ['admin', 'confirm'], grace.password);
  const asked = await done('grace', propose);
  expect(asked).toMatchObject({ state: 'waiting', operation: 'proposeResolution' });
  const approve = ['admin', 'queue', 'approve', asked.approval_id, '--reason', 'checked'];
  const alone = await sibyl('grace', approve);
  expect(alone.errors).toContain('another operator has to agree');
  const queue = await done('ada', ['admin', 'queue', 'list', '--state', 'waiting']);
  expect(queue.approvals).toHaveLength(1);
  const agreed = await done('ada', approve);
  expect(agreed).toMatchObject({ state: 'done', outcome: { data: { market_id: market } } });
  await vi.waitUntil(async () => (await marketNow(market)).status === 'resolved', 30_000);
  const { outcomes } = await marketNow(market);
  expect(outcomes).toMatchObject([{ id: 'yes', price: expect.stringMatching(/^1(\.0+)?$/) }, {}]);
  // Ten shares of what came true, less the fee on what was won.
  expect((await trader.free()) - staked).toBeGreaterThan(9.5);

  const why = ['--lane', 'live', '--reason', 'a ticket'];
  const listed = await fetch(`http://127.0.0.1:${server.port}/v1/markets?status=active`);
  const { data: markets } = (await listed.json()) as { data: { market_id: string }[] };
  const binary = markets.find(({ outcomes: all }: Record<string, unknown>) =>
    JSON.stringify(all).includes('"yes"'),
  );
  const orders = async () => (await trader.bid(binary?.market_id ?? '')).code;
  expect(await orders()).toBeNull();
  // Halted, nobody trades until it is resumed.
  await done('grace', ['admin', 'set-platform-mode', '--mode', 'cancel_only', ...why]);
  expect(await orders()).toBe('READ_ONLY_MODE');
  await done('grace', ['admin', 'set-platform-mode', '--mode', 'normal', ...why]);
  expect(await orders()).toBeNull();
  // Who has no role for it is refused, and stands in the trail; whoever has freezes and lets go.
  const refused = await sibyl('grace', ['admin', 'freeze-account', trader.accountId, ...why]);
  expect([refused.code, refused.errors]).toEqual([1, expect.stringContaining('SCOPE_MISSING')]);
  await done('ada', ['admin', 'freeze-account', trader.accountId, ...why]);
  expect(await orders()).toBe('SUBACCOUNT_FROZEN');
  await done('ada', ['admin', 'unfreeze-account', trader.accountId, ...why]);
  expect(await orders()).toBeNull();
  const words = await sibyl('ada', ['admin', 'trail', 'list', '--limit', '5']);
  expect(words.output).toMatch(/^SEQ +ACTED AT/m);
  const exported = await sibyl('ada', ['admin', 'trail', 'export']);
  const entries = exported.output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const told = entries.map(({ operation, outcome }) => `${operation} ${outcome}`);
  expect(told).toEqual(
    expect.arrayContaining([
      'addOperator ok',
      'resetOperator ok',
      'openOperatorSession ok',
      'proposeResolution STEP_UP_MFA_REQUIRED',
      'proposeResolution proposed',
      'approveAct STATE_CONFLICT',
      'proposeResolution ok',
      'creditDeposit proposed',
      'creditDeposit ok',
      'approveAct ok',
      'setPlatformMode ok',
      'freezeAccount SCOPE_MISSING',
      'freezeAccount ok',
      'unfreezeAccount ok',
    ]),
  );
  const file = path.join(folder, 'trail.ndjson');
  writeFileSync(file, exported.output);
  const { hash } = entries.at(-1);
  expect(await done('root', ['verify', '--trail', file])).toMatchObject({
    ...{ entries: entries.length, hash },
  });
  const lines = exported.output.split('\n');
  for (const planted of [lines.toSpliced(2, 1), lines.with(2, lines[2]!.replace('ok', 'OK'))]) {
    writeFileSync(file, planted.join('\n'));
    const found = await sibyl('root', ['verify', '--trail', file]);
    expect([found.code, found.errors]).toEqual([1, expect.stringContaining('at entry 3')]);
    const { request_id: act } = JSON.parse(planted[2]!);
    expect(found.errors).toMatch(new RegExp(`line 3: .* request ${act}\\)`));
  }
  writeFileSync(file, lines.with(4, 'torn').join('\n'));
  expect((await sibyl('root', ['verify', '--trail', file])).errors).toContain('line 5 is no entry');
  writeFileSync(file, '');
  expect((await sibyl('root', ['verify', '--trail', file])).errors).toContain('has no entry');
}, 240_000);

it('[CL7] [CL9] a withdrawal that waits is let go by two, or given back by one, and then never goes out', async () => {
  await done('tom', ['admin', 'login', 'tom'], tomsPassword);
  const before = await trader.free();
  const [paid, returned] = [await trader.withdraw('100'), await trader.withdraw('60')];
  const why = ['--lane', 'live', '--reason', 'the owner was called'];
  expect(await done('tom', ['admin', 'withdrawals', 'list', '--state', 'held'])).toMatchObject([
    { withdrawal_id: returned, amount: '60.000000', waits_for: 'operator' },
    { withdrawal_id: paid, amount: '100.000000', account_id: trader.accountId },
  ]);
  const queues = await done('tom', ['admin', 'get-queues', '--lane', 'live']);
  const waiting = queues.queues.find(({ kind }: { kind: string }) => kind === 'withdrawal');
  expect(waiting.items.map(({ id }: { id: string }) => id)).toEqual([paid, returned]);
  const letGo = ['admin', 'approve-withdrawal', paid, ...why];
  expect((await sibyl('grace', letGo)).errors).toContain('SCOPE_MISSING');
  expect((await sibyl('tom', letGo)).errors).toContain('Confirm the session first');
  await done('tom', ['admin', 'confirm'], tomsPassword);
  const asked = await done('tom', letGo);
  expect(asked).toMatchObject({ state: 'waiting', operation: 'approveWithdrawal' });
  expect(await trader.withdrawal(paid)).toMatchObject({ state: 'held' });
  const approve = ['admin', 'queue', 'approve', asked.approval_id, '--reason', 'checked'];
  expect((await sibyl('tom', approve)).errors).toContain('another operator has to agree');
  // Whoever agrees has seen how much goes where.
  const shown = await sibyl('ada', ['admin', 'queue', 'show', asked.approval_id]);
  expect(shown.output).toMatch(/^ {2}amount +100\.000000$/m);
  expect(shown.output).toMatch(/^ {2}destination +DE89 /m);
  await done('ada', approve);
  // It is paid by hand: told as paid when somebody says so, and never before.
  const due = await done('tom', ['admin', 'withdrawals', 'list', '--state', 'requested']);
  expect(due).toMatchObject([{ withdrawal_id: paid, waits_for: 'payout' }]);
  const take = ['admin', 'withdrawals', 'take', paid, ...why];
  expect(await done('tom', take)).toMatchObject({ state: 'sent' });
  expect((await sibyl('tom', take)).errors).toContain('Somebody has taken it up already');
  const handOver = ['admin', 'withdrawals', 'paid', paid, '--reference', 'transfer 1', ...why];
  expect(await done('tom', handOver)).toMatchObject({ state: 'completed' });
  expect(await trader.withdrawal(paid)).toMatchObject({ reference: 'transfer 1' });
  const second = await sibyl('tom', ['admin', 'withdrawals', 'approve', returned, ...why]);
  expect([second.code, second.errors]).toEqual([0, expect.stringContaining('Nothing has been')]);
  const words = ['--message', 'the account is not yours'];
  const giveBack = ['admin', 'reject-withdrawal', returned, ...words, ...why];
  expect(await done('tom', giveBack)).toMatchObject({ state: 'failed' });
  const inVain = /apr_[0-9A-Za-z]+/.exec(second.output)?.[0] ?? '';
  const failed = await sibyl('ada', ['admin', 'queue', 'approve', inVain, '--reason', 'checked']);
  expect([failed.code, failed.errors]).toEqual([1, expect.stringContaining('STATE_CONFLICT')]);
  expect(await trader.withdrawal(returned)).toMatchObject({ reason: 'the account is not yours' });
  // Paid is paid.
  const late = await sibyl('tom', ['admin', 'reject-withdrawal', paid, ...why]);
  expect([late.code, late.errors]).toEqual([1, expect.stringContaining('STATE_CONFLICT')]);
  expect(before - (await trader.free())).toBeCloseTo(100, 6);
}, 120_000);

it('[CL7] a user who cannot get in is found by address and handed a link, which sets a password once', async () => {
  const find = ['admin', 'find-user', '--email', RITA.email];
  expect((await sibyl('grace', find)).errors).toContain('SCOPE_MISSING');
  const nobody = await sibyl('ada', ['admin', 'find-user', '--email', 'nobody@example.com']);
  expect([nobody.code, nobody.errors]).toEqual([1, expect.stringContaining('NOT_FOUND')]);
  const { user_id: userId } = await done('ada', find);
  const link = ['admin', 'create-reset-link', userId, '--reason', 'ticket 12'];
  const words = await sibyl('ada', link);
  expect(words.output).toContain('#');
  // The second link ends the first one.
  const { url } = await done('ada', link);
  const token = String(url).split('#')[1];
  const reset = { token, new_password: 'amber kettle 93 northwind' };
  expect((await trader.ask('/api/auth/password/reset', reset)).code).toBeNull();
  expect((await trader.ask('/api/auth/password/reset', reset)).code).not.toBeNull();
  const login = { email: RITA.email, password: reset.new_password };
  expect((await trader.ask('/api/auth/login', login)).code).toBeNull();
  const exported = await sibyl('ada', ['admin', 'trail', 'export']);
  expect(exported.output).toContain('"operation":"createResetLink"');
  // Whoever reads the trail cannot use it.
  expect(exported.output).not.toContain(token);
}, 120_000);

it('[OP66] two admins free a user of second factors that were lost, and the password logs in again', async () => {
  const rita = { email: RITA.email, password: 'amber kettle 93 northwind' };
  const { user_id: userId } = await done('ada', ['admin', 'find-user', '--email', rita.email]);
  const remove = ['admin', 'remove-user-factors', userId, '--reason', 'ticket 13, called back'];
  const none = await sibyl('ada', remove);
  expect([none.code, none.errors]).toEqual([1, expect.stringContaining('STATE_CONFLICT')]);
  const logIn = async () => trader.ask('/api/auth/login', rita);
  const session = (await logIn()).data.session_token;
  await trader.ask('/api/auth/step-up', { password: rita.password }, session);
  const { secret } = (await trader.ask('/api/auth/totp', {}, session)).data;
  const otp = codeAt(secret, Date.now());
  expect((await trader.ask('/api/auth/totp/confirm', { otp }, session)).code).toBeNull();
  expect((await logIn()).code).toBe('STEP_UP_MFA_REQUIRED');
  const asked = await done('ada', remove);
  expect(asked).toMatchObject({ state: 'waiting', operation: 'removeUserFactors' });
  const approve = ['admin', 'queue', 'approve', asked.approval_id, '--reason', 'heard the call'];
  const agreed = await done('tom', approve);
  // No mail is sent here: the operators have to tell her.
  const gone = { totp_removed: true, passkeys_removed: 0, mailed: false };
  expect(agreed).toMatchObject({ state: 'done', outcome: { data: gone } });
  expect((await trader.ask('/api/auth/factors', null, session)).code).toBe('AUTH_INVALID');
  const again = (await logIn()).data.session_token;
  expect((await trader.ask('/api/auth/factors', null, again)).data).toMatchObject({
    ...{ totp: null, recovery_codes_left: 0 },
    withdrawals_held_until_at_ms: agreed.outcome.data.withdrawals_held_until_at_ms,
  });
}, 120_000);

it('[CL10] passwords are no arguments, and a session that is over says how to sign in again', async () => {
  const login = ['admin', 'login', 'tom'];
  await done('tom', login, tomsPassword);
  await done('elsewhere', login, tomsPassword);
  const change = ['admin', 'change-operator-password'];
  expect((await sibyl('tom', [...change, '--new-password', 'x'])).code).toBe(2);
  const one = await sibyl('tom', change, '', `${tomsPassword}\n`);
  expect([one.code, one.errors]).toEqual([3, expect.stringContaining('new password')]);
  const next = 'amber kettle 93 northwind';
  const changed = await sibyl('tom', change, '', `${tomsPassword}\n${next}\n`);
  expect([changed.code, changed.errors]).toEqual([0, '']);
  const over = await sibyl('elsewhere', ['admin', 'whoami']);
  expect([over.code, over.errors]).toEqual([3, expect.stringContaining('sibyl admin login tom')]);
  // To sign out of what is over is to be signed out.
  expect(await done('elsewhere', ['admin', 'logout'])).toEqual({ signed_out: true });
  const forgotten = await sibyl('elsewhere', ['admin', 'whoami']);
  expect(forgotten.errors).toContain(
    `nobody is signed in at http://127.0.0.1:${server?.adminPort}:`,
  );
  expect((await sibyl('elsewhere', login, '', '')).code).toBe(3);
  const former = await sibyl('elsewhere', login, '', `${tomsPassword}\n`);
  expect([former.code, former.errors]).toEqual([3, expect.stringContaining('PASSWORD_INCORRECT')]);
  expect((await sibyl('elsewhere', login, '', `${next}\n`)).code).toBe(0);
}, 120_000);

it('[CL1] what is for a stopped server says so while it runs', async () => {
  const held = await sibyl('root', ['operator', 'reset', 'admin']);
  expect(held).toMatchObject({ code: 3, errors: expect.stringContaining('stop the server first') });
});

it('[CL6] the trail of all that verifies once the server has stopped', async () => {
  await done('grace', ['admin', 'logout']);
  expect((await sibyl('grace', ['admin', 'whoami'])).code).toBe(3);
  await server?.close();
  server = null;
  const verified = await done('ada', ['verify']);
  // Every command above that acts is one.
  expect(verified.trail_entries).toBeGreaterThan(30);
}, 120_000);

it('[CL8] a second factor is enrolled, asked for, taken once, and reset where it is lost', async () => {
  const { password } = await done('root', ['operator', 'reset', first.name]);
  server = await start();
  const login = ['admin', 'login', first.name];
  await done('ada', login, password);
  const early = await sibyl('ada', ['admin', 'factor', 'enrol']);
  expect(early.errors).toContain('STEP_UP_MFA_REQUIRED');
  await done('ada', ['admin', 'confirm'], password);
  const { secret } = await done('ada', ['admin', 'factor', 'enrol']);
  const code = codeAt(secret, Date.now());
  const confirmed = await done('ada', ['admin', 'factor', 'confirm', '--otp', code]);
  const [recovery] = confirmed.recovery_codes;
  const without = await sibyl('ada', login, password);
  expect([without.code, without.errors]).toEqual([3, expect.stringContaining('--otp')]);
  const replayed = await sibyl('ada', [...login, '--otp', code], password);
  expect([replayed.code, replayed.errors]).toEqual([1, expect.stringContaining('used before')]);
  await done('ada', [...login, '--recovery-code', recovery], password);
  const again = await sibyl('ada', [...login, '--recovery-code', recovery], password);
  expect(again.code).toBe(1);
  const byPassword = await sibyl('ada', ['admin', 'confirm'], password);
  expect([byPassword.code, byPassword.errors]).toEqual([3, expect.stringContaining('--otp')]);
  await done('ada', ['admin', 'confirm', '--otp', codeAt(secret, Date.now(), 1)]);
  expect(await done('ada', ['admin', 'factor', 'show'])).toMatchObject({ recovery_codes_left: 9 });
  await server.close();
  server = null;

  const roles = ['operator', 'roles', 'grace'];
  expect(await done('root', [...roles, '--role', 'support', '--role', 'admin'])).toEqual({
    ...{ name: 'grace', roles: ['support', 'admin'] },
  });
  expect((await sibyl('root', roles)).code).toBe(2);
  const unknown = await sibyl('root', [...roles, '--role', 'king']);
  expect([unknown.code, unknown.errors]).toEqual([2, expect.stringContaining('market_manager')]);
  await done('root', ['operator', 'reset-factor', first.name]);
  const gone = await sibyl('root', ['operator', 'reset-factor', first.name]);
  expect(gone.errors).toContain('has no second factor');
  server = await start();
  await done('ada', login, password);
  const who = await done('ada', ['admin', 'whoami']);
  expect(who.factor_reset_at).toEqual(expect.any(String));
  const { operators } = await done('ada', ['admin', 'operators', 'list']);
  expect(operators).toContainEqual(
    expect.objectContaining({ name: 'grace', roles: ['support', 'admin'] }),
  );
  const trail = await done('ada', ['admin', 'trail', 'list', '--order', 'newest']);
  expect(trail).toContainEqual(
    expect.objectContaining({
      ...{ operation: 'setOperatorRoles', operator_id: 'offline', target: 'grace' },
      what: '{"roles":["support","admin"]}',
    }),
  );
  expect(trail).toContainEqual(
    expect.objectContaining({ operation: 'resetOperatorFactor', operator_id: 'offline' }),
  );
  await server.close();
  server = null;
}, 240_000);

it('[CL6] on a stopped server the last admin stays one, and a wrong name or an old one leads further', async () => {
  const set = (name: string, role: string) =>
    sibyl('root', ['operator', 'roles', name, '--role', role]);
  for (const name of ['tom', 'grace']) expect((await set(name, 'viewer')).code).toBe(0);
  const last = await set(first.name, 'viewer');
  expect([last.code, last.errors]).toEqual([3, expect.stringContaining('no other admin')]);
  const nobody = await set('gracie', 'admin');
  expect(nobody.errors).toMatch(/no operator gracie, but .*grace.*sibyl operator add/);
  const twice = await sibyl('root', ['operator', 'add', 'grace', '--role', 'admin']);
  expect([twice.code, twice.errors]).toEqual([3, expect.stringContaining('operator roles grace')]);
});

it('[OP73] a folder that has lost its operators is refused until somebody begins anew on purpose', async () => {
  const copy = path.join(folder, 'without-operators');
  cpSync(data, copy, { recursive: true });
  const here = ['--data-dir', copy];
  const add = ['operator', 'add', 'root', '--role', 'admin', ...here];
  const early = await sibyl('root', [...add, '--anew']);
  expect([early.code, early.errors]).toEqual([3, expect.stringContaining('has not lost')]);
  const lose = () => {
    for (const name of ['operators.db', 'operators.db-sums'])
      rmSync(path.join(copy, name), { force: true });
  };
  const environment = { PORT: '0', ADMIN_PORT: '0', DATA_DIR: copy, LANES: 'live' };
  const begin = () => boot(readConfig(environment, folder), silentLog);
  // An empty file, as a copy that failed leaves it, has no operators either.
  lose();
  writeFileSync(path.join(copy, 'operators.db'), '');
  const another = /operators\.db is not the one that belongs to these users/;
  await expect(begin()).rejects.toThrow(another);
  const emptied = await sibyl('root', ['verify', ...here]);
  expect([emptied.code, emptied.errors]).toEqual([3, expect.stringMatching(another)]);
  expect((await sibyl('root', ['doctor', ...here], '')).output).toMatch(another);
  // Sums of its pages may be left.
  rmSync(path.join(copy, 'operators.db'));
  writeFileSync(
    path.join(copy, 'operators.db-sums'),
    readFileSync(path.join(data, 'operators.db-sums')),
  );
  const refused = /operators\.db is missing .* sibyl operator add NAME --role admin --anew/;
  await expect(begin()).rejects.toThrow(refused);
  for (const args of [['verify', ...here], add, ['operator', 'reset', first.name, ...here]]) {
    const { code, errors } = await sibyl('root', args);
    expect([code, errors]).toEqual([3, expect.stringMatching(refused)]);
  }
  const doctor = await sibyl('root', ['doctor', ...here], '');
  expect([doctor.code, doctor.output]).toEqual([1, expect.stringMatching(refused)]);
  const viewer = await sibyl('root', ['operator', 'add', 'root', '--anew', ...here]);
  expect([viewer.code, viewer.errors]).toEqual([3, expect.stringContaining('--role admin')]);
  expect(existsSync(path.join(copy, 'operators.db'))).toBe(false);
  expect((await sibyl('root', [...add, '--anew'])).output).toContain('shown once');
  const again = await begin();
  expect(again.newOperator).toBeNull();
  await again.close();
  expect((await sibyl('root', ['verify', ...here])).output).toContain('trail: 1 entries');
}, 120_000);

it('[CL6] verify and doctor find an entry of the trail that somebody changed', async () => {
  const file = path.join(data, 'operators.db');
  const before = readFileSync(file);
  const database = new DatabaseSync(file);
  database.prepare("UPDATE trail SET reason = 'another' WHERE seq = 3").run();
  database.close();
  // Whoever can write the file can write the sums of its pages.
  rmSync(`${file}-sums`, { force: true });
  const verified = await sibyl('root', ['verify']);
  expect(verified.code).toBe(1);
  expect(verified.errors).toContain('not as written at entry 3');
  const doctor = await sibyl('root', ['doctor'], '');
  expect(doctor.output).toMatch(/failure\S* operators .*entry 3/);
  writeFileSync(file, before);
}, 120_000);
