// POST /api/auth/demo: a visitor of the page gets a fresh account of the sandbox with play money, and a session for it.
import { limits, type OperationOutput } from '@sibyl/contract';
import { asAccountId, type CommandBody } from '@sibyl/engine';
import type { Clock, Lane } from '@sibyl/lane';
import { assert, parseMoney } from '@sibyl/money';
import {
  ApiError,
  fail,
  type Reply,
  type RequestContext,
  secondsText,
} from '../../handling/handler.ts';
import type { UserRecord } from '../../ports/platform.ts';
import type { Random } from '../../ports/random.ts';
import { RecentTimes } from '../../proof/recent-times.ts';
import { type OpeningParts, openSession } from './session.ts';

type Session = OperationOutput<'openDemo'>;

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const ID_LENGTH = 16;
const REFERRAL_LENGTH = 12;

/** Who has opened too many: the address, its network, or all addresses together. */
type Opener = 'address' | 'network' | 'everybody';

interface Wait {
  readonly opener: Opener;
  readonly waitMs: number;
}

/** The subject under which all addresses are counted. */
const EVERYBODY = '*';

/** How many demo accounts an address, its network and all together may still open. */
export class DemoQuota {
  readonly #perHour: number;
  readonly #lastHour: RecentTimes;
  readonly #lastDay: RecentTimes;

  constructor(clock: Clock, perHour: number) {
    this.#perHour = perHour;
    this.#lastHour = new RecentTimes(clock, HOUR_MS);
    this.#lastDay = new RecentTimes(clock, DAY_MS);
  }

  /** The longest of the waits, or null: then one more is counted. */
  take(address: string): Wait | null {
    const network = networkOf(address);
    const { perHour, perDay, networkPerHour, networkPerDay } = limits.demo;
    let longest = this.#wait('address', address, perHour, perDay);
    if (network !== null) {
      longest = longer(longest, this.#wait('network', network, networkPerHour, networkPerDay));
    }
    longest = longer(longest, { opener: 'everybody', waitMs: this.#everybodyMs() });
    if (longest.waitMs > 0) return longest;
    this.#lastHour.add(EVERYBODY);
    for (const subject of network === null ? [address] : [address, network]) {
      this.#lastHour.add(subject);
      this.#lastDay.add(subject);
    }
    return null;
  }

  #wait(opener: Opener, subject: string, perHour: number, perDay: number): Wait {
    const hourMs = this.#lastHour.waitMs(subject, perHour);
    return { opener, waitMs: Math.max(hourMs, this.#lastDay.waitMs(subject, perDay)) };
  }

  #everybodyMs(): number {
    // Where none may be opened, no time is sure; an hour keeps those who ask again from asking often.
    if (this.#perHour === 0) return HOUR_MS;
    return this.#lastHour.waitMs(EVERYBODY, this.#perHour);
  }
}

/** The /48 that the /64 of an address lies in, of which one customer can own every /64; null for IPv4. */
function networkOf(address: string): string | null {
  if (!address.endsWith('::/64')) return null;
  return `${address.split(':').slice(0, 3).join(':')}::/48`;
}

function longer(one: Wait, other: Wait): Wait {
  return other.waitMs > one.waitMs ? other : one;
}

export async function openDemo(
  parts: OpeningParts,
  quota: DemoQuota,
  request: RequestContext,
): Promise<Reply<Session> | ApiError> {
  const { sandbox } = request.lanes;
  if (sandbox === undefined) {
    const message = 'There are no demo accounts here, because there is no sandbox.';
    return fail('SERVICE_UNAVAILABLE', undefined, message);
  }
  const wait = quota.take(request.ipBucket);
  if (wait !== null) return tooMany(request, wait);
  const user = newVisitor(parts);
  await openAccount(sandbox, user.accounts.sandbox, request.requestId);
  if (!(await parts.platform.addUser(user))) throw new Error(`${user.userId} is taken`);
  return openSession(parts, request, user);
}

function tooMany({ operation }: RequestContext, { opener, waitMs }: Wait): ApiError {
  const waitSec = Math.ceil(waitMs / 1000);
  return new ApiError('RATE_LIMITED', {
    message: `${reasonOf(opener)} Try again in ${secondsText(waitSec)}.`,
    details: { category: operation.rate, retry_after_sec: waitSec },
    headers: { 'retry-after': String(waitSec) },
  });
}

function reasonOf(opener: Opener): string {
  if (opener === 'everybody') return 'No more demo accounts are opened here this hour.';
  const { perHour, perDay, networkPerHour, networkPerDay } = limits.demo;
  const [hour, day] = opener === 'address' ? [perHour, perDay] : [networkPerHour, networkPerDay];
  return `Too many demo accounts from this ${opener}: ${hour} an hour and ${day} a day are allowed.`;
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
