// POST /v1/sandbox-keys: a self_serve key without a credential, one per address and day.
import type { OperationOutput } from '@sibyl/contract';
import { asAccountId } from '@sibyl/engine';
import type { Clock, Lane } from '@sibyl/lane';
import { ApiError, fail, type Reply, type RequestContext } from '../../handling/handler.ts';
import type { SignUpOffice } from '../../handling/restriction.ts';
import type { MintClaim, PlatformStore } from '../../ports/platform.ts';
import type { Random } from '../../ports/random.ts';
import type { Secrets } from '../../ports/secrets.ts';
import type { SigningOffice } from '../../ports/signing.ts';
import type { VisitorQuota } from '../../proof/visitor-quota.ts';
import { callerOf } from '../../wire/calling-page.ts';
import { freshKey, mintedKey } from './key.ts';

type MintedKey = OperationOutput<'mintSandboxKey'>;

export interface AnonymousParts {
  /** Absent refuses nobody. */
  readonly office?: SignUpOffice;
  readonly platform: PlatformStore;
  readonly secrets: Secrets;
  readonly random: Random;
  readonly clock: Clock;
  readonly signing: SigningOffice;
  readonly publicUrl: string | null;
  readonly allowedOrigins: readonly string[];
}

const DAY_MS = 86_400_000;
const ID_LENGTH = 16;
const FOREIGN_MESSAGE =
  'A sandbox key is given to programs and to pages of this exchange. Call from a program, or have the operator allow the origin of your page.';

export async function mintAnonymously(
  parts: AnonymousParts,
  quota: VisitorQuota,
  request: RequestContext,
  country?: string,
): Promise<Reply<MintedKey> | ApiError> {
  const { platform, random, clock } = parts;
  if (isForeign(parts, request)) {
    return fail('SCOPE_NOT_ALLOWED', { reason: 'foreign_page' }, FOREIGN_MESSAGE);
  }
  const { sandbox } = request.lanes;
  if (sandbox === undefined)
    return fail('SERVICE_UNAVAILABLE', undefined, 'There is no sandbox here.');
  const barred = parts.office?.checkStranger(request.operation, country, 'sandbox') ?? null;
  if (barred !== null) return barred;
  const claim = claimOf(parts, request.ipBucket);
  // Before an account is opened, so that an address that had its key cannot open more of them.
  if (await platform.hasClaim(claim)) return dailyLimit(clock);
  const tooMany = quota.take(request);
  if (tooMany !== null) return tooMany;
  const accounts = {
    live: `acc_${random.token(ID_LENGTH)}`,
    sandbox: `acc_${random.token(ID_LENGTH)}`,
  };
  const burst = (await parts.office?.admitSignUp(request.ipBucket, accounts.sandbox)) ?? null;
  if (burst !== null) return burst;
  await openSandboxAccount(sandbox, accounts.sandbox, request.requestId);
  const { record, rawKey } = freshKey(parts, {
    prefix: request.lanes.live === undefined ? 'sk_test' : 'sk_live',
    holderId: accounts.sandbox,
    userId: null,
    accounts,
    label: '',
    permissions: ['read', 'trade'],
    tier: 'self_serve',
    mintedAt: 'live',
    expiresAtMs: null,
    mintedBy: null,
    // There is nobody behind it who could prove more than having it.
    isSteppedUp: true,
    allowedNetworks: [],
  });
  if (!(await platform.addAnonymousKey(record, claim))) return dailyLimit(clock);
  return { data: mintedKey(parts.signing.draw(), record, rawKey, accounts) };
}

/** What a visitor of another site may have here is not for that site to use up. */
function isForeign(
  { publicUrl, allowedOrigins }: AnonymousParts,
  request: RequestContext,
): boolean {
  if (callerOf(request, publicUrl) !== 'foreign_page') return false;
  const { origin } = request.headers;
  return origin === undefined || !allowedOrigins.includes(origin);
}

/** The key of the hash changes with the day, so the store cannot be used to follow an address. */
function claimOf({ secrets, clock }: AnonymousParts, ipBucket: string): MintClaim {
  const day = Math.floor(clock.wallMs() / DAY_MS);
  return { day, addressHash: secrets.digest('address', `${day} ${ipBucket}`) };
}

async function openSandboxAccount(lane: Lane, id: string, requestId: string): Promise<void> {
  const { answer } = await lane.submit({
    body: {
      type: 'open_account',
      accountId: asAccountId(id),
      mode: 'sandbox',
      parentId: null,
      referrerId: null,
    },
    actor: { kind: 'system' },
    requestId,
  });
  if (!answer.ok) throw new Error(`${id} was not opened: ${answer.rejection.code}`);
}

function dailyLimit(clock: Clock): ApiError {
  const waitSec = Math.ceil((DAY_MS - (clock.wallMs() % DAY_MS)) / 1000);
  return new ApiError('SANDBOX_KEY_DAILY_LIMIT', {
    details: { retry_after_sec: waitSec },
    headers: { 'retry-after': String(waitSec) },
  });
}
