// Who sends a command: the account it is about, its owner, an operator or the system.
import type { PlainCommand } from '../naive/plain.ts';
import type { Prng } from '../prng.ts';
import type { Body } from './draw-lifecycle.ts';
import type { View } from './view.ts';

const OPERATOR = { kind: 'operator', name: 'ops', reason: 'simulation' } as const;

/** Mostly the account itself; sometimes its owner or an operator. */
export function drawActor(random: Prng, view: View, body: Body): PlainCommand['actor'] {
  const ownId = ownerOf(body);
  if (ownId === null) {
    if (body.type === 'set_read_only' && random.chance(1, 6)) return { kind: 'system' };
    if (OF_TWO.has(body.type))
      return random.chance(1, 2) ? OPERATOR : { ...OPERATOR, name: 'ops2' };
    return OF_THE_SYSTEM.has(body.type) ? { kind: 'system' } : OPERATOR;
  }
  if (body.type === 'create_market' && random.chance(9, 10) && !isForAccounts(view, body))
    return OPERATOR;
  if (random.chance(1, 15)) return random.chance(1, 2) ? OPERATOR : { kind: 'system' };
  const parentId = view.accounts.find((each) => each.id === ownId)?.parentId ?? null;
  const accountId = parentId !== null && random.chance(1, 2) ? parentId : ownId;
  return { kind: 'account', accountId, keyId: random.chance(1, 2) ? `key_${ownId}` : null };
}

/** May an account make a market of this template? */
function isForAccounts(view: View, body: Extract<Body, { type: 'create_market' }>): boolean {
  const versions = view.templates.filter((each) => each.definition.id === body.templateId);
  const latest = versions[versions.length - 1]?.definition;
  return latest?.marketType === 'creator' && latest.minCreatorDeposit > 0n;
}

const OF_THE_SYSTEM: ReadonlySet<Body['type']> = new Set(['tick', 'recover', 'credit_fees']);

/** Commands for which it matters which of two operators sends them. */
const OF_TWO: ReadonlySet<Body['type']> = new Set([
  'propose_void',
  'propose_void_rounds',
  'rule_resolution',
]);

/** Commands about an account that only the operator sends. */
const OF_OPERATORS: ReadonlySet<Body['type']> = new Set([
  'open_account',
  'freeze_account',
  'close_account',
  'register_demo',
  'deposit',
  'correct_balance',
  'report_deposit',
  'pay_platform_fees',
]);

/** The account that would send a command of its own, or null for the operator's. */
function ownerOf(body: Body): string | null {
  if (body.type === 'transfer') return body.fromId;
  if (body.type === 'propose_resolution') return body.proposerId;
  return 'accountId' in body && !OF_OPERATORS.has(body.type) ? body.accountId : null;
}
