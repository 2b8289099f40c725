// Records that must exist before the suite's main server starts: an expired session, a frozen account, a dispute.
import { rmSync } from 'node:fs';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type AnyOperation, operations, operatorOperations } from '@sibyl/contract';
import {
  type AccountId,
  type Actor,
  type CommandBody,
  DEFAULT_PARAMETERS,
  type Result,
} from '@sibyl/engine';
import { Lane, systemClock } from '@sibyl/lane';
import { MemoryJournal } from '@sibyl/lane/testing';
import type { Usdt } from '@sibyl/money';
import Database from 'better-sqlite3';
import type { Response } from 'light-my-request';
import { HeldJournal } from '../../../lane/test/held-journal.ts';
import { HttpCustody } from '../../src/adapters/node/http-custody.ts';
import type { Custody } from '../../src/ports/custody.ts';
import {
  laneFolder,
  openJournal,
  openPlatform,
  openSnapshots,
} from '../../src/stores/open-stores.ts';
import { codeAt } from '../gateway/authenticator-app.ts';
import { openHarness } from '../gateway/harness.ts';
import { DELAY_MS, openExchange } from '../modules/exchange.ts';
import type { Answer, Client } from './http.ts';
import { dataOf, verdictOf } from './judge.ts';
import { type PlantedGrants, plantGrants } from './planted-grants.ts';
import { environmentOf, PASSWORD, serve } from './settings.ts';

export interface Prologue {
  /** A stranger's request above the limit of its address. */
  readonly rateLimited: Answer;
  /** A sandbox key asked of a server that runs no sandbox. */
  readonly withoutSandbox: Answer;
  /** A reset of more positions than one command clears. */
  readonly tooLarge: Answer;
  /** A withdrawal to a destination that was added just now. */
  readonly tooNew: Answer;
  /** A withdrawal at a server whose custody cannot be reached. */
  readonly withoutCustody: Answer;
  /** A registration at a server whose journal does not answer. */
  readonly withoutJournal: Answer;
  /** One of its keys has a record that makes no sense. */
  readonly damagedSession: string;
  readonly expiredSession: string;
  /** Its account is open in the live lane alone. */
  readonly absentSession: string;
  /** Of a user with a second factor; proved too long ago. */
  readonly staleSession: string;
  /** Its account in the live lane is frozen; the one in the sandbox is not. */
  readonly frozenSession: string;
  /** What an operator without the second factor that is required gets, by the operation. */
  readonly unenrolled: ReadonlyMap<string, Answer>;
  /** The operator that the first start made, with its password. */
  readonly operator: { readonly name: string; readonly password: string };
  /** A withdrawal of the frozen account that was sent before, to a custody that is not there any more. */
  readonly sentWithdrawal: string;
  /** Markets of the live lane whose proposals are disputed. */
  readonly disputedMarkets: readonly string[];
  /** Grants and tokens that time or somebody has ended, by how. */
  readonly planted: PlantedGrants;
}

export async function playPrologue(dataDir: string, client: Client): Promise<Prologue> {
  const strict = { LANES: 'live', RATE_MULTIPLIER: '1', OPERATOR_MFA: 'required' };
  const environment = { ...environmentOf(dataDir), ...strict };
  const server = await serve(environment, dataDir);
  const { port } = server;
  const send = (
    method: string,
    url: string,
    body: unknown,
    address: string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> =>
    client.send({
      port,
      method,
      path: url,
      headers: {
        ...headers,
        'x-forwarded-for': address,
        ...(body === null ? {} : { 'content-type': 'application/json' }),
      },
      body: body === null ? null : JSON.stringify(body),
    });
  const registered = async (name: string, address: string) => {
    const body = { email: `${name}@example.com`, password: PASSWORD };
    return dataOf(await send('POST', operations.register.path, body, address));
  };
  const expired = await registered('expired', '198.19.0.1');
  const frozen = await registered('frozen', '198.19.0.2');
  const absent = await registered('absent', '198.19.0.6');
  const stale = await registered('stale', '198.19.0.7');
  await enrol((url, body) =>
    send('POST', url, body, '198.19.0.7', { authorization: `Bearer ${stale.session_token}` }),
  );
  const damaged = await registered('damaged', '198.19.0.5');
  const bearer = { authorization: `Bearer ${damaged.session_token}` };
  const key = dataOf(await send('POST', operations.mintKey.path, {}, '198.19.0.5', bearer));
  const withoutSandbox = await send('POST', operations.mintSandboxKey.path, null, '198.19.0.3');
  let rateLimited = await send('GET', operations.getHealth.path, null, '198.19.0.4');
  for (let sent = 1; sent <= 200 && verdictOf(rateLimited) === 'ok'; sent += 1) {
    rateLimited = await send('GET', operations.getHealth.path, null, '198.19.0.4');
  }
  const operator = server.newOperator;
  if (operator === null) throw new Error('the first start made no operator');
  const unenrolled = await knockUnenrolled(client, server.adminPort, operator);
  await server.close();
  const sessionId = String(expired.session_token).slice(0, SESSION_ID_LENGTH);
  // Twelve hours pass, and a bit of the disk goes bad: no date is so late.
  change(dataDir, 'sessions', sessionId, 'expires_at_ms = created_at_ms + 1');
  const staleId = String(stale.session_token).slice(0, SESSION_ID_LENGTH);
  change(dataDir, 'sessions', staleId, 'stepped_up_at_ms = 1');
  change(dataDir, 'keys', String(key.public_id), 'expires_at_ms = 9000000000000000');
  const { disputedMarkets, sentWithdrawal } = await freezeAndDispute(
    dataDir,
    String(frozen.account_id) as AccountId,
  );
  const planted = await plantGrants(dataDir, String(expired.user_id), String(absent.user_id));
  return {
    operator,
    planted,
    unenrolled,
    rateLimited,
    withoutSandbox,
    withoutJournal: await registerInVain(),
    damagedSession: String(damaged.session_token),
    expiredSession: String(expired.session_token),
    absentSession: String(absent.session_token),
    staleSession: String(stale.session_token),
    tooLarge: await resetInVain(),
    tooNew: await withdrawInVain(0),
    withoutCustody: await withdrawInVain(DELAY_MS, unreachable),
    frozenSession: String(frozen.session_token),
    disputedMarkets,
    sentWithdrawal,
  };
}

/** Of all operations that are not about the own sign-in. */
async function knockUnenrolled(
  client: Client,
  port: number,
  operator: object,
): Promise<ReadonlyMap<string, Answer>> {
  const send = ({ method, path: at }: AnyOperation, token: string, body: unknown) =>
    client.send({
      ...{ port, method, path: at.replaceAll(/\{\w+\}/g, 'nothing') },
      headers: {
        authorization: `Bearer ${token}`,
        ...(method === 'GET' ? {} : { 'content-type': 'application/json' }),
      },
      body: method === 'GET' ? null : JSON.stringify(body),
    });
  const { openOperatorSession, ...rest } = operatorOperations;
  const { session_token: token } = dataOf(await send(openOperatorSession, '', operator));
  const answers = new Map<string, Answer>();
  for (const operation of Object.values<AnyOperation>(rest)) {
    if (!operation.own) answers.set(operation.id, await send(operation, String(token), {}));
  }
  return answers;
}

/** Of the account that is frozen, and with it. */
export const FROZEN_SUBACCOUNT = 'sub_frozen';

const SESSION_ID_LENGTH = 20;

/** A second factor, so that the session is refused what needs a proof, whatever it offers. */
async function enrol(post: (url: string, body: unknown) => Promise<Answer>): Promise<void> {
  dataOf(await post(operations.stepUp.path, { password: PASSWORD }));
  const { secret } = dataOf(await post(operations.enrolTotp.path, null));
  const otp = codeAt(String(secret), Date.now());
  dataOf(await post(operations.confirmTotp.path, { otp }));
}

/** Changes a record behind the back of the server. */
function change(dataDir: string, table: 'sessions' | 'keys', id: string, set: string): void {
  const file = path.join(dataDir, 'platform.db');
  const database = new Database(file);
  const changed = database
    .prepare(
      `UPDATE ${table} SET ${set} WHERE ${table === 'keys' ? 'public_id' : 'session_id'} = ?`,
    )
    .run(id);
  database.close();
  // Made anew by the next start, which would take the change for damage otherwise.
  rmSync(`${file}-sums`, { force: true });
  if (changed.changes !== 1) throw new Error(`there is no ${id}`);
}

/** The same gateway and lane over a journal that takes everything and never answers. */
async function registerInVain(): Promise<Answer> {
  const journal = new HeldJournal(new MemoryJournal());
  const harness = await openHarness({ lanes: ['live'], journal });
  journal.hold();
  const body = { email: 'in-vain@example.com', password: PASSWORD };
  const request = { method: 'POST', url: operations.register.path, payload: body } as const;
  const asked = harness.call(request);
  while (!journal.isHolding) await nextTurn();
  for (let second = 0; second < 31; second += 1) harness.clock.advance(1000);
  await asked;
  journal.release();
  await harness.close();
  return answerOf(await asked);
}

/** The same gateway and lane, where one command clears one position. */
async function resetInVain(): Promise<Answer> {
  const exchange = await openExchange(undefined, {
    parameters: { ...DEFAULT_PARAMETERS, chunkMax: 1 },
  });
  const token = await exchange.trader();
  const market_id = await exchange.market('book');
  const mint = { action: 'mint', market_id, size: '1' };
  await exchange.ask('convertPosition', { token, body: mint, key: 'mint-once' });
  const { response } = await exchange.ask('resetSandbox', { token });
  await exchange.close();
  return answerOf(response);
}

/** Nothing listens there. */
const unreachable = new HttpCustody({
  url: 'http://127.0.0.1:9',
  secret: 'x'.repeat(24),
  name: 'gone',
  wallMs: () => systemClock.wallMs(),
});

/** Where a new destination is not usable at once. */
async function withdrawInVain(waitMs: number, custody?: Custody): Promise<Answer> {
  const exchange = await openExchange(undefined, custody === undefined ? {} : { custody });
  const token = await exchange.session();
  const added = await exchange.ask('addDestination', {
    token,
    body: { label: 'bank', destination: 'DE89 3704' },
  });
  exchange.clock.advance(waitMs);
  await exchange.ask('stepUp', { token, body: { password: 'long enough 12' } });
  const { response } = await exchange.ask('createWithdrawal', {
    token,
    at: '',
    key: 'withdraw-once',
    body: { destination_id: added.data.destination_id, amount: '1' },
  });
  await exchange.close();
  return answerOf(response);
}

function answerOf({ statusCode: status, headers, payload: text }: Response): Answer {
  const told = Object.entries(headers).map(([name, value]) => [name, String(value)]);
  return { status, headers: Object.fromEntries(told), text, body: JSON.parse(text) };
}

/** No operation of the interface freezes or disputes yet: the lane is told directly. */
async function freezeAndDispute(
  dataDir: string,
  accountId: AccountId,
): Promise<Pick<Prologue, 'disputedMarkets' | 'sentWithdrawal'>> {
  const folder = laneFolder(dataDir, 'live');
  const journal = await openJournal(folder);
  const lane = await Lane.open({
    name: 'live',
    parameters: DEFAULT_PARAMETERS,
    journal,
    snapshots: openSnapshots(folder),
    clock: systemClock,
  });
  const operator: Actor = { kind: 'operator', name: 'conformance', reason: 'a scene' };
  const owner: Actor = { kind: 'account', accountId, keyId: null };
  const submit = async (actor: Actor, body: CommandBody): Promise<Result> => {
    const { answer } = await lane.submit({ actor, body, requestId: 'req_prologue' });
    if (!answer.ok) throw new Error(`${body.type}: ${answer.rejection.code}`);
    return answer.result;
  };
  const marketIds = await lane.read(({ markets }) =>
    [...markets.values()].filter(({ outcomes }) => outcomes[0]?.id === 'yes').map(({ id }) => id),
  );
  const bond = 1_000_000_000n as Usdt;
  const amount = 100_000_000_000n as Usdt;
  const evidence = ['https://example.com/result'];
  const result = { kind: 'outcome', outcomeId: 'yes' } as const;
  await submit(operator, { type: 'deposit', accountId, amount, reference: 'prologue' });
  for (const marketId of marketIds) {
    const terms = { marketId, proposerId: null, result, evidence, bond: 0n as Usdt };
    await submit(operator, { type: 'propose_resolution', ...terms });
    await submit(owner, { type: 'dispute_resolution', marketId, accountId, evidence, bond });
  }
  // The bond of who disputed in vain is insurance's: there is something of the platform's to pay.
  const [decided, ...disputed] = marketIds;
  if (decided === undefined) throw new Error('there is no market to rule on');
  const ruling = { ruling: 'upheld', result: null } as const;
  await submit(operator, { type: 'rule_resolution', marketId: decided, ...ruling });
  const subaccountId = FROZEN_SUBACCOUNT as AccountId;
  await submit(owner, { type: 'open_subaccount', accountId, subaccountId, label: 'frozen' });
  const sentWithdrawal = await sendAway(submit, owner, accountId);
  await submit(operator, { type: 'freeze_account', accountId, frozen: true });
  await lane.close();
  await journal.close();
  // The custody has it as well.
  const platform = await openPlatform(dataDir);
  const received = { entryId: 'received prologue', amount, note: 'prologue', atMs: 0 };
  await platform.till.enter(received);
  await platform.close();
  return { disputedMarkets: disputed, sentWithdrawal };
}

/** A withdrawal that only a custody which nobody can ask any more knows the end of. */
async function sendAway(
  submit: (actor: Actor, body: CommandBody) => Promise<Result>,
  owner: Actor,
  accountId: AccountId,
): Promise<string> {
  const asked = await submit(owner, {
    type: 'withdraw',
    accountId,
    amount: 1_000_000n as Usdt,
    custody: 'gone',
    destination: 'DE89 3704',
    hold: null,
  });
  if (asked.kind !== 'withdrawal') throw new Error('no withdrawal');
  const { withdrawalId } = asked.withdrawal;
  const step = { type: 'advance_withdrawal', withdrawalId, step: 'send' } as const;
  await submit({ kind: 'system' }, { ...step, reference: null, reason: null });
  return withdrawalId;
}
