import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server as NetServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Writable } from 'node:stream';
import { operatorOperations, type Template } from '@sibyl/contract';
import { boot, createLog, readConfig, type Server, silentLog } from '@sibyl/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Mailbox } from '../mailbox.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'sibyl-running-'));
const OPERATOR_TOKEN = 'a token that is long enough';
const DUTY = 'duty@example.com';
let text = '';
const destination = new Writable({
  write(chunk, _encoding, done) {
    text += String(chunk);
    done();
  },
});

function configOf(environment: Readonly<Record<string, string>>) {
  const usual = { PORT: '0', ADMIN_PORT: '0', DATA_DIR: 'data', LANES: 'live', OPERATOR_TOKEN };
  return readConfig({ ...usual, ...environment }, folder);
}

let server: Server;
let mailbox: Mailbox;
beforeAll(async () => {
  mailbox = await Mailbox.open();
  await start();
});

async function start(): Promise<void> {
  const mail = { SMTP_URL: mailbox.url, MAIL_FROM: 'no-reply@sibyl.example', OPERATOR_MAIL: DUTY };
  server = await boot(configOf(mail), createLog('warn', destination));
}

afterAll(async () => {
  await server.close();
  await mailbox.close();
  rmSync(folder, { recursive: true, force: true });
});

const admin = (route: string): string => `http://127.0.0.1:${server.adminPort}${route}`;

async function act(route: string, body: object): Promise<Response> {
  const headers = { authorization: `Bearer ${OPERATOR_TOKEN}`, 'content-type': 'application/json' };
  return fetch(admin(route), { method: 'POST', headers, body: JSON.stringify(body) });
}

async function dataOf(answer: Response): Promise<Record<string, unknown>> {
  return ((await answer.json()) as { data: Record<string, unknown> }).data;
}

describe('[OA3] the metrics', () => {
  it('are of sockets, commits, orders, trades and the journal, and each stands in the documents', async () => {
    const before = await metrics();
    expect(
      (await act('/admin/v1/mode', { lane: 'live', reason: 'a drill', mode: 'normal' })).ok,
    ).toBe(true);
    const after = await metrics();
    const lane = '{lane="live"}';
    expect(after.get(`sibyl_commits_total${lane}`)).toBe(
      (before.get(`sibyl_commits_total${lane}`) ?? 0) + 1,
    );
    expect(after.get(`sibyl_journal_bytes${lane}`)).toBeGreaterThan(4096);
    expect(after.get('sibyl_disk_free_bytes')).toBeGreaterThan(0);
    expect(after.get(`sibyl_orders_total${lane}`)).toBe(0);
    expect(after.get(`sibyl_trades_total${lane}`)).toBe(0);
    expect(after.get('sibyl_sockets')).toBe(0);
    const socket = new WebSocket(`ws://127.0.0.1:${server.port}/ws`);
    await new Promise((resolve) => socket.addEventListener('message', resolve, { once: true }));
    expect((await metrics()).get('sibyl_sockets')).toBe(1);
    socket.close();
    const page = readFileSync(new URL('../../../docs/OPERATING.md', import.meta.url), 'utf8');
    const names = [...after.keys()].map((name) => name.replace(/(_(bucket|sum|count))?\{.*/, ''));
    const missing = [...new Set(names)].filter(
      (name) => name.startsWith('sibyl_') && !page.includes(`\`${name}`),
    );
    expect(missing).toEqual([]);
  });

  /** By name and labels. */
  async function metrics(): Promise<ReadonlyMap<string, number>> {
    const lines = (await (await fetch(admin('/metrics'))).text()).split('\n');
    return new Map(
      lines
        .filter((line) => line !== '' && !line.startsWith('#'))
        .map((line) => {
          const space = line.lastIndexOf(' ');
          return [line.slice(0, space), Number(line.slice(space + 1))];
        }),
    );
  }
});

describe('[OA8] the log of an act', () => {
  it('has the lane, the actor, the market and the reason, at the usual level', async () => {
    text = '';
    const route = '/admin/v1/markets/m_0123456789abcdef/halt';
    const said = { lane: 'sandbox', reason: 'wrong feed' };
    await act(route, said);
    await act('/admin/v1/mode', { lane: 'live', reason: 'a drill', mode: 'normal' });
    const lines = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines[0]).toMatchObject({
      operation: 'haltMarket',
      code: 'SERVICE_UNAVAILABLE',
      market: 'm_0123456789abcdef',
      actor: 'token',
      ...said,
    });
    await act('/admin/v1/accounts/acc_nobody/tier', { reason: 'x', tier: 'trade_full' });
    const last = JSON.parse(text.trim().split('\n').at(-1) ?? '');
    expect(last).toMatchObject({ msg: 'the operator was refused', account: 'acc_nobody' });
    expect(lines[1]).toMatchObject({
      operation: 'setPlatformMode',
      code: 'ok',
      lane: 'live',
      actor: 'token',
      reason: 'a drill',
    });
  });
});

it('[JB3] every recurring job has run, and is in the list and the metrics', async () => {
  interface Row {
    readonly name: string;
    readonly lane: string | null;
    readonly failures: number;
    readonly last_run_at_ms: number | null;
    readonly next_run_at_ms: number;
  }
  const headers = { authorization: `Bearer ${OPERATOR_TOKEN}` };
  const list = async () => {
    const { jobs } = await dataOf(await fetch(admin('/admin/v1/jobs'), { headers }));
    return jobs as readonly Row[];
  };
  const atStart = (row: Row) => !['reconciliation', 'record_pruning'].includes(row.name);
  await expect
    .poll(async () => (await list()).filter((row) => atStart(row) && row.last_run_at_ms === null))
    .toEqual([]);
  const rows = await list();
  expect(rows.map(({ name, lane }) => `${name} ${lane}`)).toEqual([
    'alarms null',
    'ended_grants live',
    'fee_crediting live',
    'key_events null',
    'reconciliation null',
    'record_pruning null',
    'service_samples null',
    'status null',
    'wash_trading live',
    'webhook_pruning null',
  ]);
  for (const { next_run_at_ms: atMs, failures } of rows) {
    expect(atMs).toBeGreaterThan(Date.now() - 60_000);
    expect(failures).toBe(0);
  }
  const metrics = await (await fetch(admin('/metrics'))).text();
  expect(metrics).toMatch(/^sibyl_job_runs\{job="fee_crediting",lane="live"\} 1$/m);
  expect(metrics).toMatch(/^sibyl_job_failures\{job="status",lane=""\} 0$/m);
});

it('[AO1] why a lane is halted is told to whoever comes after a restart', async () => {
  const halt = {
    lane: 'live',
    reason: 'the feed is wrong',
    message: 'Prices are checked.',
    mode: 'cancel_only',
  };
  expect((await act('/admin/v1/mode', halt)).status).toBe(200);
  await server.close();
  await start();
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}/ws`);
  const told = await new Promise<unknown>((resolve, reject) => {
    socket.addEventListener('error', reject);
    socket.addEventListener('message', ({ data }) => {
      const { type, data: said } = JSON.parse(String(data));
      if (type === 'platform_mode') resolve(said);
    });
  });
  expect(told).toMatchObject({ mode: 'cancel_only', reason: halt.message });
  socket.close();
  expect((await act('/admin/v1/mode', { ...halt, mode: 'normal' })).status).toBe(200);
});

it('[OP93] templates are found: the newest version of each, or all versions of one', async () => {
  const { template } = operatorOperations.publishTemplate.example.body;
  const why = { lane: 'live', reason: 'a drill' };
  const publish = async (id: string, version: number): Promise<void> => {
    // In live everybody can object for a while, and nobody uses the mock.
    const oracle = { source: 'manual', challenge_sec: 172_800 };
    const input = { ...template, id, version, name: `Name ${version}`, oracle_config: oracle };
    const answer = await act('/admin/v1/templates', { ...why, template: input });
    expect(answer.status, await answer.clone().text()).toBe(200);
  };
  await publish('zz-fresh', 1);
  await publish('zz-fresh', 2);
  await publish('aa-old', 1);
  expect((await act('/admin/v1/templates/aa-old/deprecate', why)).status).toBe(200);
  const headers = { authorization: `Bearer ${OPERATOR_TOKEN}` };
  const ask = (query: string) => fetch(admin(`/admin/v1/templates${query}`), { headers });
  const find = async (query: string): Promise<readonly string[]> => {
    const { templates } = (await dataOf(await ask(query))) as { templates: readonly Template[] };
    expect(templates.every(({ published_at_ms: atMs }) => atMs !== null)).toBe(true);
    return templates.map(({ id, version, name, status }) => `${id} ${version} ${name} ${status}`);
  };
  const newest = await find('?lane=live');
  expect(newest).toEqual(newest.toSorted());
  expect(newest[0]).toBe('aa-old 1 Name 1 deprecated');
  expect(newest.at(-1)).toBe('zz-fresh 2 Name 2 active');
  expect(await find('?lane=live&status=active')).toEqual(
    newest.filter((words) => words.endsWith(' active')),
  );
  expect(await find('?lane=live&template_id=zz-fresh')).toEqual([
    'zz-fresh 2 Name 2 active',
    'zz-fresh 1 Name 1 active',
  ]);
  expect(await find('?lane=live&template_id=unknown')).toEqual([]);
  // This server has one lane.
  expect((await ask('?lane=sandbox')).status).toBe(503);
  expect((await ask('')).status).toBe(400);
});

it('[OP71] a backup without the secrets of the folder is refused with what to do, and leaves nothing', async () => {
  const secrets = path.join(folder, 'data', 'secrets');
  renameSync(secrets, `${secrets}.away`);
  const refused = await act('/admin/v1/backups', { reason: 'before an update' });
  expect(refused.status).toBe(503);
  const { error } = (await refused.json()) as { error: Record<string, unknown> };
  expect(error).toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    message: expect.stringContaining(`${secrets} is missing`),
  });
  expect(existsSync(path.join(folder, 'data', 'backups'))).toBe(false);
  renameSync(`${secrets}.away`, secrets);
  expect((await act('/admin/v1/backups', { reason: 'before an update' })).status).toBe(200);
});

describe('what one operator could come to decide alone', () => {
  it('[OP63] [OP64] is mailed, and told on the status page where it concerns a market', async () => {
    const why = { lane: 'live', reason: 'a market to decide' };
    const money = { asset: 'USDT', amount: '1000', external_ref: 'announced' };
    await act('/admin/v1/accounts/acc_platform/deposits', { ...why, ...money });
    const params = { question: 'Did it rain?', closes_at_ms: Date.now() + 86_400_000 };
    const body = { ...why, template_id: 'platform-question', params };
    const { market_id: marketId } = await dataOf(await act('/admin/v1/markets', body));
    const answer = { winning_outcome_id: 'yes', evidence: ['https://example.com/result'] };
    const asked = await act(`/admin/v1/markets/${marketId}/resolution`, { ...why, ...answer });
    const { approval_id: approvalId } = await dataOf(asked);
    // Letters about alarms may come before it.
    let place = 0;
    while (!(await mailbox.letter(DUTY, place)).includes(String(approvalId))) place += 1;
    const status = await fetch(`http://127.0.0.1:${server.port}/v1/status`);
    expect((await dataOf(status)).announcements).toMatchObject([
      { environment: 'live', market_id: marketId, act: 'answer' },
    ]);
  });
});

describe('[AO2] one subaccount', () => {
  it('is frozen alone, its owner is not and does not set it free, and it is let go', async () => {
    const call = async (method: string, route: string, body: object, token = '') => {
      const answer = await fetch(`http://127.0.0.1:${server.port}${route}`, {
        method,
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${token}`,
          'idempotency-key': randomUUID(),
        },
        body: JSON.stringify(body),
      });
      const { data, error } = JSON.parse(await answer.text());
      return { data, code: error?.code ?? null };
    };
    const person = { email: 'family@example.com', password: 'plum otter ladder 47 quay' };
    const { data: session } = await call('POST', '/api/auth/register', person);
    const owner = (method: string, route: string, body: object) =>
      call(method, route, body, session.session_token);
    const { data: opened } = await owner('POST', '/v1/subaccounts', { label: 'grid' });
    const id = opened.subaccount_id;
    const why = { lane: 'live', reason: 'a ticket' };
    const deposit = { ...why, asset: 'USDT', amount: '10', external_ref: 'wire-of-a-family' };
    const credited = await fetch(admin(`/admin/v1/accounts/${session.account_id}/deposits`), {
      method: 'POST',
      headers: {
        authorization: `Bearer ${OPERATOR_TOKEN}`,
        'content-type': 'application/json',
        'idempotency-key': 'wire-of-a-family',
      },
      body: JSON.stringify(deposit),
    });
    expect(credited.status).toBe(200);
    const move = async (from: string, to: string) =>
      (await owner('POST', '/v1/subaccounts/transfers', { from, to, amount: '1' })).code;
    expect(await move(session.account_id, id)).toBeNull();
    const frozen = await act(`/admin/v1/accounts/${id}/freeze`, why);
    expect(await frozen.json()).toMatchObject({ data: { account_id: id, frozen: true } });
    expect(await move(id, session.account_id)).toBe('SUBACCOUNT_FROZEN');
    const wish = await owner('PATCH', `/v1/subaccounts/${id}`, { status: 'active' });
    expect(wish.code).toBe('SUBACCOUNT_FROZEN');
    const { data: other } = await owner('POST', '/v1/subaccounts', { label: 'hedge' });
    expect(await move(session.account_id, other.subaccount_id)).toBeNull();
    expect((await act(`/admin/v1/accounts/${id}/unfreeze`, why)).status).toBe(200);
    expect(await move(id, session.account_id)).toBeNull();
    expect((await act('/admin/v1/accounts/m_0123456789abcdef/freeze', why)).status).toBe(400);
  });
});

describe('[OA9] a start that fails', () => {
  it('because of taken ports says which, and has made nothing', async () => {
    const others = [createServer(), createServer()];
    const [port = '', adminPort = ''] = await Promise.all(others.map(portOf));
    const taken = { PORT: port, ADMIN_PORT: adminPort, DATA_DIR: 'nowhere/data' };
    const refused = boot(configOf(taken), silentLog);
    await expect(refused).rejects.toThrow(/set PORT to a free one\n.*set ADMIN_PORT to a free one/);
    for (const other of others) other.close();
    expect(existsSync(path.join(folder, 'nowhere'))).toBe(false);
  });

  it('because of its folder leaves it as it was', async () => {
    writeFileSync(path.join(folder, 'file'), 'mine');
    const refused = boot(configOf({ DATA_DIR: 'file/data' }), silentLog);
    await expect(refused).rejects.toThrow(/DATA_DIR=.*is not a folder/);
    expect(readFileSync(path.join(folder, 'file'), 'utf8')).toBe('mine');
  });

  async function portOf(listener: NetServer): Promise<string> {
    listener.listen(0, '127.0.0.1');
    await once(listener, 'listening');
    const address = listener.address();
    return typeof address === 'object' ? String(address?.port) : '';
  }
});

describe('[AL1] an alarm of a running server', () => {
  it('is in the list, the metrics, the log and a letter', { timeout: 30_000 }, async () => {
    const drill = { lane: 'live', reason: 'alarm drill' };
    expect((await act('/admin/v1/mode', { ...drill, mode: 'read_only' })).ok).toBe(true);
    const headers = { authorization: `Bearer ${OPERATOR_TOKEN}` };
    const listed = async () =>
      ((await dataOf(await fetch(admin('/admin/v1/alarms'), { headers }))) as { alarms: object[] })
        .alarms;
    await expect
      .poll(listed, { timeout: 15_000 })
      .toMatchObject([
        { name: 'lane_not_trading', lane: 'live', detail: 'paused by token: alarm drill' },
      ]);
    const counted = await (await fetch(admin('/metrics'), { headers })).text();
    expect(counted).toContain('sibyl_alarm{name="lane_not_trading"} 1');
    expect(counted).toContain('sibyl_alarm{name="custody_silent"} 0');
    expect(text).toContain('"alarm":"lane_not_trading"');
    let place = 0;
    while (!(await mailbox.letter(DUTY, place)).includes('alarm lane_not_trading')) place += 1;
    expect((await act('/admin/v1/mode', { ...drill, mode: 'normal' })).ok).toBe(true);
  });
});
