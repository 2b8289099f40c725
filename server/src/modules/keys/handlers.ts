// API keys: minted and shown once, listed without secrets, revoked at once.
import { limits, type OperationOutput, type Operations } from '@sibyl/contract';
import { cutPage } from '../../handling/cut-page.ts';
import {
  ApiError,
  fail,
  type Handler,
  knownAccount,
  type OwnCredential,
  type Reply,
  type RequestContext,
  rejected,
} from '../../handling/handler.ts';
import { environmentOf, keysSeenBy } from '../../handling/held-keys.ts';
import type { SignUpOffice } from '../../handling/restriction.ts';
import { stepUpRefusal } from '../../handling/step-up.ts';
import type { KeyAddition, KeyRecord } from '../../ports/platform.ts';
import type { Random } from '../../ports/random.ts';
import type { Secrets } from '../../ports/secrets.ts';
import type { SigningOffice } from '../../ports/signing.ts';
import { VisitorQuota } from '../../proof/visitor-quota.ts';
import { answerOnce, savedAs } from '../../wire/answer-once.ts';
import { demoRefusal } from '../../wire/demo-refusal.ts';
import { mintAnonymously } from './anonymous.ts';
import { apiKey, freshKey, mintedKey, type Wanted, withheld } from './key.ts';
import { type RevocationParts, revokeKey } from './revocation.ts';
import { drawSigningSecret } from './signing.ts';
import { type KeyInput, wantedKey } from './wanted-key.ts';

export interface KeyParts extends RevocationParts {
  /** Asked before a stranger gets a key; absent refuses nobody. */
  readonly office?: SignUpOffice;
  readonly secrets: Secrets;
  readonly signing: SigningOffice;
  readonly random: Random;
  /** Where clients reach the pages; null if that is this machine. */
  readonly publicUrl: string | null;
  /** Pages of other sites that may call as our own do. */
  readonly allowedOrigins: readonly string[];
  /** How many sandbox keys without a user all addresses together may mint. */
  readonly sandboxKeysPerHour: number;
  /** Writes down uses of keys that are still only remembered, so that a list shows them. */
  readonly flushUses: () => Promise<void>;
}

type MintedKey = OperationOutput<'mintKey'>;
type ApiKey = OperationOutput<'listKeys'>[number];

export function keyHandlers(parts: KeyParts): {
  readonly mintKey: Handler<Operations['mintKey']>;
  readonly listKeys: Handler<Operations['listKeys']>;
  readonly revokeKey: Handler<Operations['revokeKey']>;
  readonly mintSandboxKey: Handler<Operations['mintSandboxKey']>;
  readonly drawSigningSecret: Handler<Operations['drawSigningSecret']>;
} {
  const answers = { store: parts.platform, clock: parts.clock };
  const quota = new VisitorQuota(parts.clock, 'sandbox keys', parts.sandboxKeysPerHour);
  return {
    mintKey: (request, { body }) =>
      answerOnce(answers, request, () => mintKey(parts, request, body)),
    listKeys: (request, { query }) => listKeys(parts, request, query),
    revokeKey: (request, { params }) =>
      answerOnce(answers, request, () =>
        revokeKey(parts, request, callerOf(request), params.key_id),
      ),
    drawSigningSecret: (request, { params }) =>
      answerOnce(answers, request, async () =>
        (await isReadOnly(request))
          ? fail('READ_ONLY_MODE')
          : drawSigningSecret(parts, request, params.key_id),
      ),
    mintSandboxKey: (request, { query }) => mintAnonymously(parts, quota, request, query.country),
  };
}

async function mintKey(
  parts: KeyParts,
  request: RequestContext,
  input: KeyInput,
): Promise<Reply<MintedKey> | ApiError> {
  if (await isReadOnly(request)) return fail('READ_ONLY_MODE');
  const refused = demoRefusal(request, 'keys');
  if (refused !== null) return refused;
  const caller = callerOf(request);
  const user = caller.userId === null ? null : await parts.platform.userById(caller.userId);
  // An anonymous holder has no more than the key it was given.
  if (user === null)
    return fail('SCOPE_NOT_ALLOWED', { reason: 'anonymous accounts mint no keys' });
  const { subaccount_id: subaccountId } = input;
  if (subaccountId !== undefined) await knownAccount(request, subaccountId);
  const asked = wantedKey(input, caller, user, request.address, parts.clock.wallMs());
  if (asked instanceof ApiError) return asked;
  const wanted = await withEnd(parts, asked, user.userId);
  if (wanted instanceof ApiError) return wanted;
  const unproved = wanted.permissions.includes('withdraw')
    ? await stepUpRefusal(parts, request)
    : null;
  if (unproved !== null) return unproved;
  const { record, rawKey } = freshKey(parts, wanted);
  const drawn = parts.signing.draw();
  const answer = mintedKey(drawn, record, rawKey, user.accounts);
  const saved = savedAs(request, parts.clock.wallMs(), withheld(answer));
  const refusedKey = notAdded(await parts.platform.addKey(record, saved, limits.keys.activeMax));
  if (refusedKey !== null) return refusedKey;
  if (parts.signing.entitlementOf(record, null) !== null) {
    await parts.signing.keep(record.publicId, drawn, parts.clock.wallMs());
  }
  return { data: answer };
}

/** A key of the live lane lasts as long as asked for if its user has an approved app, and three months at most otherwise. */
async function withEnd(
  { platform, clock }: KeyParts,
  wanted: Wanted,
  userId: string,
): Promise<Wanted | ApiError> {
  if (environmentOf(wanted) === 'sandbox') return wanted;
  const latestMs = clock.wallMs() + limits.liveKeyMaxMs;
  const { expiresAtMs } = wanted;
  if (expiresAtMs !== null && expiresAtMs <= latestMs) return wanted;
  const apps = await platform.apps.appsOf(userId);
  if (apps.some(({ status }) => status === 'approved')) return wanted;
  if (expiresAtMs === null) return { ...wanted, expiresAtMs: latestMs };
  const days = limits.liveKeyMaxMs / 86_400_000;
  const message = `A key that trades real money for more than ${days} days needs an approved app.`;
  return fail('BUILDER_NOT_APPROVED', { expires_at_ms_max: latestMs }, message);
}

function notAdded(addition: KeyAddition): ApiError | null {
  switch (addition) {
    case 'added':
      return null;
    case 'parent_revoked':
      return rejected('revoked');
    case 'too_many': {
      const { activeMax } = limits.keys;
      const message = `You have ${activeMax} active keys, which is the most: revoke one that you no longer use.`;
      return fail('CONFLICT', { limit: activeMax }, message);
    }
  }
}

async function listKeys(
  parts: KeyParts,
  request: RequestContext,
  query: Readonly<Record<string, unknown>>,
): Promise<Reply<ApiKey[]>> {
  await parts.flushUses();
  const page = request.page(query);
  const [createdAtMs, publicId] = page.after ?? [];
  const after =
    typeof createdAtMs === 'number' && typeof publicId === 'string'
      ? { createdAtMs, publicId }
      : null;
  const found: KeyRecord[] = [];
  for await (const key of keysSeenBy(parts.platform, callerOf(request), after)) {
    found.push(key);
    // One more than asked for tells whether there is a page after this one.
    if (found.length > page.limit) break;
  }
  const { shown, nextCursor } = cutPage(found, page, (last) => [last.createdAtMs, last.publicId]);
  const nowMs = parts.clock.wallMs();
  return {
    data: await Promise.all(shown.map((key) => apiKey(parts.tierBook, key, nowMs))),
    meta: { next_cursor: nextCursor },
  };
}

function callerOf({ credential }: RequestContext): OwnCredential {
  // No scope leads here, so that no app ever does.
  if (credential === null || credential.kind === 'token') throw fail('AUTH_REQUIRED');
  return credential;
}

async function isReadOnly({ lane }: RequestContext): Promise<boolean> {
  return lane.status().state === 'read_only' || (await lane.read((state) => state.readOnly));
}
