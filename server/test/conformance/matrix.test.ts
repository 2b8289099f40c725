// Every operation of both planes times everything that somebody may hold, against a running server.
import { type OperatorRole, operatorRoles, permissions } from '@sibyl/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addOperatorOffline } from '../../src/operator/offline-operators.ts';
import {
  type Caller,
  keyWith,
  misjudged,
  misplaced,
  misplacedSession,
  nothing,
  operatorWith,
  session,
  visitor,
  worthless,
} from './matrix.ts';
import { OPERATOR_TOKEN } from './settings.ts';
import { allOperations, World } from './world.ts';

const onThePlane = allOperations.filter(({ group }) => group === 'Operator');
const inPublic = allOperations.filter(({ group }) => group !== 'Operator');

let world: World;
/** By the role, that of an operator who has this one alone. */
const sessions = new Map<string, string>();
/** Of an operator who has left. */
let disabledSession: string;
let endedSession: string;
let callers: readonly Caller[];

beforeAll(async () => {
  world = await World.openBare();
  const passwords = new Map<string, string>();
  const location = { dataDir: world.dataDir, databaseUrl: null };
  const add = async (name: string, roles: readonly OperatorRole[]): Promise<void> => {
    passwords.set(name, await addOperatorOffline(location, name, roles));
  };
  await world.restart({}, async () => {
    for (const role of operatorRoles) await add(nameOf(role), [role]);
    await add(
      'everything-but',
      operatorRoles.filter((role) => role !== 'admin'),
    );
    await add('ended', ['admin']);
    await add('disabled', ['admin']);
  });
  for (const [name, password] of passwords) {
    const body = { name, password };
    const opened = await world.data('openOperatorSession', { token: null, body });
    sessions.set(name, String(opened.session_token));
  }
  endedSession = sessions.get('ended')!;
  await world.data('closeOperatorSession', { token: endedSession });
  disabledSession = sessions.get('disabled')!;
  const { operator_id: id } = await world.data('getOperatorIdentity', { token: disabledSession });
  await world.data('disableOperator', {
    params: { operator_id: String(id) },
    body: { reason: 'left the team' },
  });
  callers = await publicCallers();
});
afterAll(() => world?.close());

/** Names of operators have no underscore at their beginning, and may have one later. */
function nameOf(role: OperatorRole): string {
  return `only-${role}`;
}

async function publicCallers(): Promise<readonly Caller[]> {
  const owner = await world.person('owner');
  const trader = await world.person('trader', '');
  await world.data('setAccountTier', {
    params: { account_id: trader.accountId },
    body: { reason: 'a matrix', tier: 'trade_full' },
  });
  const revoked = await world.mint(owner.session, ['read', 'trade']);
  await world.data('revokeKey', { token: owner.key, params: { key_id: revoked } });
  const opened = await world.data('createSubaccount', {
    token: owner.key,
    body: { label: 'grid' },
  });
  const bound = await world.mint(owner.session, ['read', 'trade'], '/sandbox', {
    subaccount_id: String(opened.subaccount_id),
  });
  const liveKey = await world.mint(trader.session, ['read', 'trade'], '');
  const payer = await world.mint(trader.session, ['withdraw'], '');
  const demo = await world.data('openDemo', { address: world.freshAddress(), body: {} });
  const demoSession = String(demo.session_token);
  const { email, password } = owner;
  const left = await world.data('logIn', { body: { email, password } });
  await world.data('logOut', { token: String(left.session_token) });
  const single = permissions.map(async (permission) => ({
    name: `a key that may only ${permission}`,
    token: await world.mint(owner.session, [permission]),
    held: keyWith(permission),
  }));
  return [
    { name: 'nobody', token: null, held: nothing },
    { name: 'nobody, live', token: null, held: nothing, isLive: true },
    { name: 'garbage', token: 'garbage', held: worthless },
    { name: 'a session', token: owner.session, held: session },
    { name: 'a session, live', token: trader.session, held: session, isLive: true },
    { name: 'a demo session', token: demoSession, held: visitor },
    { name: 'a demo session, live', token: demoSession, held: misplacedSession, isLive: true },
    { name: 'an ended session', token: String(left.session_token), held: worthless },
    ...(await Promise.all(single)),
    { name: 'a key of a subaccount', token: bound, held: keyWith('read', 'trade') },
    { name: 'a live key', token: liveKey, held: keyWith('read', 'trade'), isLive: true },
    { name: 'a live key to withdraw', token: payer, held: keyWith('withdraw'), isLive: true },
    { name: 'a live key in the sandbox', token: liveKey, held: misplaced },
    { name: 'a key of the sandbox, live', token: owner.key, held: misplaced, isLive: true },
    { name: 'a revoked key', token: revoked, held: worthless },
    { name: 'the operator token', token: OPERATOR_TOKEN, held: operatorWith('admin') },
    {
      name: 'a session of an operator',
      token: sessions.get(nameOf('admin'))!,
      held: operatorWith('admin'),
    },
  ];
}

describe('the matrix of every operation', () => {
  it('[T9] the public plane lets in whom each operation declares, and nobody else', async () => {
    for (const caller of callers) {
      expect([caller.name, await misjudged(world, inPublic, caller)]).toEqual([caller.name, []]);
    }
  });

  it('[OP40] the operator plane lets in those with the role, and nothing that is of the public plane', async () => {
    const strangers = callers
      .filter(({ held }) => held.kind !== 'operator')
      .map((caller) => (caller.held.kind === 'nothing' ? caller : { ...caller, held: worthless }));
    const operators: Caller[] = operatorRoles.map((role) => ({
      name: `an operator as ${role}`,
      token: sessions.get(nameOf(role))!,
      held: operatorWith(role),
    }));
    const all: readonly Caller[] = [
      ...strangers,
      ...operators,
      {
        name: 'an operator with every role but admin',
        token: sessions.get('everything-but')!,
        held: operatorWith(...operatorRoles.filter((role) => role !== 'admin')),
      },
      { name: 'an ended session of an operator', token: endedSession, held: worthless },
      { name: 'an operator who has left', token: disabledSession, held: worthless },
      { name: 'a token that is not ours', token: `${OPERATOR_TOKEN}x`, held: worthless },
    ];
    for (const caller of all) {
      expect([caller.name, await misjudged(world, onThePlane, caller)]).toEqual([caller.name, []]);
    }
  });

  it('[OP40] the operator token may what its role may', async () => {
    for (const role of operatorRoles) {
      // The sandbox takes long to begin, and has no part in this.
      await world.restart({ OPERATOR_TOKEN_ROLE: role, LANES: 'live' });
      const caller = { name: `the token as ${role}`, token: OPERATOR_TOKEN };
      const held = operatorWith(role);
      const wrong = await misjudged(world, onThePlane, { ...caller, held });
      expect([caller.name, wrong]).toEqual([caller.name, []]);
    }
  });
});
