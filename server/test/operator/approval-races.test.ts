// Approvals against a real server: two that agree at the same moment, and a kill -9 at every write of an approval.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { afterAll, afterEach, expect, it } from 'vitest';
import { addOperatorOffline } from '../../src/operator/offline-operators.ts';
import { findStrace } from '../faults/strace.ts';
import { type Started, startServer, temporaryFolder } from '../server-process.ts';
import { usePostgres } from '../stores/databases.ts';

interface Told {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: answers of every operation are read here.
  readonly data: any;
  readonly code: string | null;
}

const why = { reason: 'a race' };
const NAMES = ['ada', 'bea', 'cleo'] as const;
type Name = (typeof NAMES)[number];

const postgres = usePostgres();
const { folder, remove } = temporaryFolder();
const passwords = new Map<string, string>();
const tokens = new Map<string, string>();
let server: Started;
/** Null for SQLite. */
let databaseUrl: string | null = null;

function start(): Promise<Started> {
  const records = databaseUrl === null ? {} : { DATABASE_URL: databaseUrl };
  return startServer({
    dataDir: dataDir(),
    environment: { LANES: 'live', DEPOSIT_APPROVAL_ABOVE: 'none', ...records },
  });
}

const dataDir = (): string => path.join(folder, databaseUrl === null ? 'sqlite' : 'postgres');

async function ask(who: Name | null, route: string, body?: object): Promise<Told> {
  const bearer = who === null ? {} : { authorization: `Bearer ${tokens.get(who)}` };
  const sent = body === undefined ? {} : { 'content-type': 'application/json' };
  const answer = await fetch(`${server.adminUrl}/admin/v1${route}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { ...bearer, ...sent },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const told = (await answer.json()) as { data?: unknown; error?: { code: string } };
  return { status: answer.status, data: told.data, code: told.error?.code ?? null };
}

/** Sessions outlive a restart, and count as confirmed for as long as this test runs. */
async function signIn(name: Name): Promise<void> {
  const password = passwords.get(name) ?? '';
  const opened = await ask(null, '/sessions', { name, password });
  tokens.set(name, opened.data.session_token);
  expect((await ask(name, '/session/step-up', { password })).status).toBe(200);
}

/** A server with three operators, each of whom may do anything. */
async function open(url: string | null): Promise<void> {
  databaseUrl = url;
  await (await start()).stop();
  const location = { dataDir: dataDir(), databaseUrl };
  for (const name of NAMES) {
    passwords.set(name, await addOperatorOffline(location, name, ['admin']));
  }
  server = await start();
  for (const name of NAMES) await signIn(name);
}

afterEach(async () => {
  await server?.stop('SIGKILL');
});
afterAll(remove);

const approve = (who: Name, id: string): Promise<Told> => ask(who, `/approvals/${id}/approve`, why);

async function trailOf(operation: string, target: string): Promise<readonly string[]> {
  const { data } = await ask('ada', `/trail?limit=500&operation=${operation}`);
  const entries = data as readonly { readonly target: string; readonly outcome: string }[];
  return entries.filter((entry) => entry.target === target).map(({ outcome }) => outcome);
}

// Where records lie in a file, one request is decided before the next is read: there is no moment that two could share.
it('[OP45] of two who agree at the same moment one does, and the act runs once', async () => {
  await open(await postgres.create());
  for (let round = 1; round <= 8; round += 1) {
    const added = await ask('ada', '/operators', { ...why, name: `newcomer-${round}` });
    const route = `/operators/${added.data.operator.operator_id}/roles`;
    const asked = await ask('ada', route, { ...why, roles: ['support'] });
    expect(asked.data.state).toBe('waiting');
    const id = asked.data.approval_id as string;
    const both = await Promise.all([approve('bea', id), approve('cleo', id)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await trailOf('setOperatorRoles', `/admin/v1${route}`)).toEqual(['proposed', 'ok']);
  }
});

/** Attaches to the server and kills it at its n-th sync of a file from now on. */
async function killAtSync(program: string, when: number): Promise<() => void> {
  const calls = 'fsync,fdatasync';
  const inject = `inject=${calls}:signal=SIGKILL:when=${when}`;
  const child = spawn(
    program,
    ['-f', '-p', String(server.child.pid), '-e', `trace=${calls}`, '-e', inject],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  // It says so of each thread; a request that comes earlier is only not struck.
  await once(child.stderr, 'data');
  child.stderr.resume();
  return () => child.kill('SIGINT');
}

const SYNCS_MAX = 20;
const there = { ...why, lane: 'live' };

/** What the platform's markets are made with. */
async function deposit(): Promise<void> {
  const body = { ...there, asset: 'USDT', amount: '1000000', external_ref: 'of-a-race' };
  const answer = await fetch(`${server.adminUrl}/admin/v1/accounts/acc_platform/deposits`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${tokens.get('ada')}`,
      'content-type': 'application/json',
      'idempotency-key': 'of-a-race',
    },
    body: JSON.stringify(body),
  });
  expect(answer.status).toBe(200);
}

async function newMarket(number: number): Promise<string> {
  const params = { question: `Race ${number}?`, closes_at_ms: Date.now() + 86_400_000 };
  const body = { ...there, template_id: 'platform-question', params };
  return (await ask('ada', '/markets', body)).data.market_id;
}

it('[OP45] an approval that was killed at any of its writes is done, or waits and is done once', async () => {
  const strace = findStrace();
  if (strace.program === null) {
    console.warn(`kills within an approval were NOT tried: ${strace.missing}`);
    return;
  }
  await open(null);
  await deposit();
  const found: string[] = [];
  for (let sync = 1; sync <= SYNCS_MAX; sync += 1) {
    const market = await newMarket(sync);
    const route = `/markets/${market}/resolution`;
    const proposal = { ...there, winning_outcome_id: 'yes', evidence: ['https://e.g'] };
    const { data: asked } = await ask('ada', route, proposal);
    const detach = await killAtSync(strace.program, sync);
    const answered = await approve('bea', asked.approval_id).catch(() => null);
    if (answered === null) {
      await server.stop('SIGKILL');
      server = await start();
    } else detach();
    const { data } = await ask('ada', '/approvals');
    const left = data.approvals.find(
      ({ approval_id: id }: { approval_id: string }) => id === asked.approval_id,
    );
    found.push(left.state);
    const ended = left.state === 'waiting' ? (await approve('cleo', left.approval_id)).data : left;
    // Done by whichever run came first: what is asked for twice is told of again, not refused as done before.
    expect(ended).toMatchObject({ state: 'done', outcome: { data: { market_id: market } } });
    const outcomes = await trailOf('proposeResolution', `/admin/v1${route}`);
    expect(outcomes.filter((outcome) => outcome === 'ok').length).toBeLessThanOrEqual(1);
    if (answered !== null) break;
  }
  expect(found).toEqual(expect.arrayContaining(['waiting', 'done']));
}, 240_000);
