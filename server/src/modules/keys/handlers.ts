// API keys: minted and shown once, listed without secrets, revoked at once.
import { type OperationOutput, type Operations, permissions } from '@sibyl/contract';
import {
  ApiError,
  type Credential,
  fail,
  type Handler,
  type Reply,
  type RequestContext,
} from '../../gateway/handler.ts';
import type { Clock } from '../../ports/clock.ts';
import type { KeyRecord, PlatformStore, UserRecord } from '../../ports/platform.ts';
import type { Random } from '../../ports/random.ts';
import type { Secrets } from '../../ports/secrets.ts';
import { mintAnonymously } from './anonymous.ts';
import { apiKey, freshKey, mintedKey, publicIdOf, type Wanted, withheld } from './key.ts';
import { replayOf, savedAs } from './replay.ts';

export interface KeyParts {
  readonly platform: PlatformStore;
  readonly secrets: Secrets;
  readonly random: Random;
  readonly clock: Clock;
  /** Writes down uses of keys that are still only remembered, so that a list shows them. */
  readonly flushUses: () => Promise<void>;
}

type MintedKey = OperationOutput<'mintKey'>;
type ApiKey = OperationOutput<'revokeKey'>;

export function keyHandlers(parts: KeyParts): {
  readonly mintKey: Handler<Operations['mintKey']>;
  readonly listKeys: Handler<Operations['listKeys']>;
  readonly revokeKey: Handler<Operations['revokeKey']>;
  readonly mintSandboxKey: Handler<Operations['mintSandboxKey']>;
} {
  return {
    mintKey: (request, { body }) => mintKey(parts, request, body),
    listKeys: (request, { query }) => listKeys(parts, request, query),
    revokeKey: (request, { params }) => revokeKey(parts, request, params.key_id),
    mintSandboxKey: (request) => mintAnonymously(parts, request),
  };
}

interface KeyInput {
  readonly label?: string;
  readonly permissions?: readonly (typeof permissions)[number][];
  readonly expires_at_ms?: number;
}

async function mintKey(
  parts: KeyParts,
  request: RequestContext,
  input: KeyInput,
): Promise<Reply<MintedKey> | ApiError> {
  const replay = await replayOf<MintedKey>(parts, request);
  if (replay !== null) return replay;
  if (await isReadOnly(request)) return fail('READ_ONLY_MODE');
  const caller = callerOf(request);
  const user = caller.userId === null ? null : await parts.platform.userById(caller.userId);
  // An anonymous holder has no more than the key it was given.
  if (user === null)
    return fail('SCOPE_NOT_ALLOWED', { reason: 'anonymous accounts mint no keys' });
  const wanted = wantedKey(parts, request, caller, input, user);
  if (wanted instanceof ApiError) return wanted;
  const { record, rawKey } = freshKey(parts, wanted);
  const answer = mintedKey(parts.random, record, rawKey);
  await parts.platform.addKey(record, savedAs(request, parts.clock, withheld(answer)));
  return { data: answer };
}

function wantedKey(
  { clock }: KeyParts,
  request: RequestContext,
  caller: Credential,
  input: KeyInput,
  user: UserRecord,
): Wanted | ApiError {
  const { label = '', permissions: asked = ['read'], expires_at_ms: expiresAtMs = null } = input;
  const excess = asked.filter((permission) => !caller.permissions.includes(permission));
  if (excess.length > 0) return fail('SCOPE_NOT_ALLOWED', { not_allowed: excess });
  if (expiresAtMs !== null && expiresAtMs <= clock.wallMs()) {
    return fail('VALIDATION_FAILED', { field: 'expires_at_ms', expected: 'a time to come' });
  }
  // A key must not make one that outlives it.
  const ownEndMs = caller.kind === 'key' ? caller.expiresAtMs : null;
  if (ownEndMs !== null && expiresAtMs !== null && expiresAtMs > ownEndMs) {
    return fail('SCOPE_NOT_ALLOWED', { reason: 'a key cannot outlive the one that mints it' });
  }
  return {
    holderId: user.userId,
    userId: user.userId,
    accounts: user.accounts,
    label,
    permissions: permissions.filter((permission) => asked.includes(permission)),
    tier: user.tier,
    mintedAt: caller.kind === 'key' ? caller.mintedAt : request.address,
    prefix:
      (caller.kind === 'key' ? caller.mintedAt : request.address) === 'live'
        ? 'sk_live'
        : 'sk_test',
    expiresAtMs: expiresAtMs ?? ownEndMs,
  };
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
  const { holderId } = callerOf(request);
  // One more than asked for tells whether there is a page after this one.
  const found = await parts.platform.keysOf(holderId, { limit: page.limit + 1, after });
  const shown = found.slice(0, page.limit);
  const last = shown.at(-1);
  const hasMore = found.length > shown.length && last !== undefined;
  const nowMs = parts.clock.wallMs();
  return {
    data: shown.map((key) => apiKey(key, nowMs)),
    meta: { next_cursor: hasMore ? page.cursor([last.createdAtMs, last.publicId]) : null },
  };
}

async function revokeKey(
  parts: KeyParts,
  request: RequestContext,
  reference: string,
): Promise<Reply<ApiKey> | ApiError> {
  const replay = await replayOf<ApiKey>(parts, request);
  if (replay !== null) return replay;
  const { platform, clock } = parts;
  const publicId = publicIdOf(reference);
  const key = await platform.keyById(publicId);
  // A foreign key looks like none at all.
  if (key === null || key.holderId !== callerOf(request).holderId) return fail('NOT_FOUND');
  const nowMs = clock.wallMs();
  const revoked: KeyRecord = { ...key, revokedAtMs: key.revokedAtMs ?? nowMs };
  const answer = apiKey(revoked, nowMs);
  await platform.revokeKey(publicId, nowMs, savedAs(request, clock, answer));
  return { data: answer };
}

function callerOf({ credential }: RequestContext): Credential {
  if (credential === null) throw fail('AUTH_REQUIRED');
  return credential;
}

async function isReadOnly({ lane }: RequestContext): Promise<boolean> {
  return lane.status().state === 'read_only' || (await lane.read((state) => state.readOnly));
}
