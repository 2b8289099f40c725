// POST /api/auth/demo: a visitor of the page gets a fresh account of the sandbox with play money, and a session for it.
import { limits, type OperationOutput } from '@sibyl/contract';
import { asAccountId, type CommandBody } from '@sibyl/engine';
import type { Clock, Lane } from '@sibyl/lane';
import { assert, parseMoney } from '@sibyl/money';
import { type ApiError, fail, type Reply, type RequestContext } from '../../handling/handler.ts';
import type { UserRecord } from '../../ports/platform.ts';
import type { Random } from '../../ports/random.ts';
import type { VisitorQuota } from '../../proof/visitor-quota.ts';
import { type OpeningParts, openSession } from './session.ts';

type Session = OperationOutput<'openDemo'>;

const ID_LENGTH = 16;
const REFERRAL_LENGTH = 12;

export async function openDemo(
  parts: OpeningParts,
  quota: VisitorQuota,
  request: RequestContext,
): Promise<Reply<Session> | ApiError> {
  const { sandbox } = request.lanes;
  if (sandbox === undefined) {
    const message = 'There are no demo accounts here, because there is no sandbox.';
    return fail('SERVICE_UNAVAILABLE', undefined, message);
  }
  const refused = quota.take(request);
  if (refused !== null) return refused;
  const user = newVisitor(parts);
  await openAccount(sandbox, user.accounts.sandbox, request.requestId);
  if (!(await parts.platform.addUser(user))) throw new Error(`${user.userId} is taken`);
  return openSession(parts, request, user);
}

/** Nobody can log in with this address: no mail has it, and no password fits. */
function newVisitor({
  random,
  clock,
}: {
  readonly random: Random;
  readonly clock: Clock;
}): UserRecord {
  const userId = `usr_${random.token(ID_LENGTH)}`;
  return {
    userId,
    email: `${userId}@demo.invalid`,
    passwordHash: '',
    displayName: null,
    referralCode: random.token(REFERRAL_LENGTH),
    referrerId: null,
    tier: limits.graduation.from,
    rateMultiplier: 1,
    accounts: {
      live: `acc_${random.token(ID_LENGTH)}`,
      sandbox: `acc_${random.token(ID_LENGTH)}`,
    },
    isDemo: true,
    createdAtMs: clock.wallMs(),
  };
}

async function openAccount(lane: Lane, id: string, requestId: string): Promise<void> {
  const accountId = asAccountId(id);
  const amount = parseMoney(limits.demo.balance, 'USDT');
  assert(amount.ok, 'the balance of a demo account is an amount');
  const bodies: readonly CommandBody[] = [
    { type: 'open_account', accountId, mode: 'demo', parentId: null, referrerId: null },
    { type: 'deposit', accountId, amount: amount.value, reference: `demo ${id}` },
  ];
  for (const body of bodies) {
    const { answer } = await lane.submit({ body, actor: { kind: 'system' }, requestId });
    if (!answer.ok) throw new Error(`${id} was not opened: ${answer.rejection.code}`);
  }
}
