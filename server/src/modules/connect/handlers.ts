// Connect: tokens for apps, and the grants that users give, see and take back.
import { type GivenGrant, type Grant, limits, type Operations, type Scope } from '@sibyl/contract';
import { freshCode, signedGrant } from '../../handling/app-tokens.ts';
import { isReadOnly } from '../../handling/builder-user.ts';
import { cutPage } from '../../handling/cut-page.ts';
import {
  ApiError,
  fail,
  type Handler,
  knownAccount,
  type Reply,
  type RequestContext,
  type SessionCredential,
} from '../../handling/handler.ts';
import { stepUpRefusal } from '../../handling/step-up.ts';
import { type GrantPage, type GrantRecord, holdsAt } from '../../ports/grants.ts';
import { answerOnce, savedAs } from '../../wire/answer-once.ts';
import { demoRefusal } from '../../wire/demo-refusal.ts';
import { type Allowed, grantView } from '../../wire/grant-view.ts';
import { type ExchangeParts, exchangeToken, revokeToken } from './exchange.ts';
import { partnerNameOf } from './partners.ts';
import { type GrantInput, wantedGrant } from './wanted-grant.ts';

export interface ConnectParts extends ExchangeParts {
  /** Writes down uses of credentials that are still only remembered, so that a list shows them. */
  readonly flushUses: () => Promise<void>;
}

type Answer<Data> = Promise<Reply<Data> | ApiError>;

const ID_LENGTH = 16;
const OFFLINE: Scope = 'offline';

export function connectHandlers(parts: ConnectParts): {
  readonly exchangeToken: Handler<Operations['exchangeToken']>;
  readonly revokeToken: Handler<Operations['revokeToken']>;
  readonly listGrants: Handler<Operations['listGrants']>;
  readonly createGrant: Handler<Operations['createGrant']>;
  readonly revokeGrant: Handler<Operations['revokeGrant']>;
} {
  const answers = { store: parts.platform, clock: parts.clock };
  return {
    exchangeToken: (request, { body }) => exchangeToken(parts, request, body),
    revokeToken: (request, { body }) => revokeToken(parts, request, body),
    listGrants: (request, { query }) => list(parts, request, query),
    createGrant: (request, { body }) =>
      answerOnce(answers, request, () => create(parts, request, body)),
    revokeGrant: (request, { params }) =>
      answerOnce(answers, request, () => revoke(parts, request, params.grant_id)),
  };
}

async function create(
  parts: ConnectParts,
  request: RequestContext,
  body: GrantInput,
): Answer<GivenGrant> {
  if (await isReadOnly(request)) return fail('READ_ONLY_MODE');
  const refused = demoRefusal(request, 'connected apps');
  if (refused !== null) return refused;
  const { platform } = parts;
  const user = await platform.userById(sessionOf(request).userId);
  if (user === null) return fail('AUTH_REQUIRED');
  const accountId = await knownAccount(request, body.subaccount_id);
  const nowMs = parts.clock.wallMs();
  const asking = { user, lane: request.laneName, nowMs };
  const wanted = await wantedGrant(platform, body, asking);
  if (wanted instanceof ApiError) return wanted;
  // Both outlive the session that gives them.
  const isLasting = body.kind === 'delegation' || wanted.grant.scopes.includes(OFFLINE);
  const unproved = isLasting ? await stepUpRefusal(parts, request) : null;
  if (unproved !== null) return unproved;
  const grant = signedGrant(
    parts.secrets,
    {
      ...wanted.grant,
      grantId: `grt_${parts.random.token(ID_LENGTH)}`,
      userId: user.userId,
      accountId,
      lane: request.laneName,
      createdAtMs: nowMs,
      revokedAtMs: null,
      revokedFor: null,
      lastUsedAtMs: null,
    },
    wanted.untilMs,
  );
  const bound = wanted.code;
  const code =
    bound === null ? null : freshCode(parts, { ...bound, grantId: grant.grantId }, nowMs);
  const partnerName = await partnerNameOf(platform, grant.partnerId);
  const shown = grantView(grant, { app: wanted.app, partnerName }, nowMs);
  const withheld: GivenGrant = { ...shown, code: null, secrets_withheld: true };
  const saved = savedAs(request, nowMs, withheld);
  if (grant.partnerId !== null) await endOthers(parts, { ...grant, partnerId: grant.partnerId });
  const { grantsMax } = limits.oauth;
  const addition = await platform.grants.add(grant, code?.kept ?? null, grantsMax, saved);
  if (addition === 'too_many') return tooMany();
  return { data: { ...shown, code: code?.raw ?? null, secrets_withheld: false } };
}

/** A partner acts within one delegation of an account, the newest: an older one with a higher cap would be chosen as well. */
async function endOthers(
  { platform: { grants } }: ConnectParts,
  held: Parameters<ConnectParts['platform']['grants']['delegations']>[0] & { createdAtMs: number },
): Promise<void> {
  const { partnerId, accountId, lane, createdAtMs: nowMs } = held;
  for (const other of await grants.delegations({ partnerId, accountId, lane })) {
    if (holdsAt(other, nowMs)) await grants.end(other.grantId, 'user', nowMs);
  }
}

function tooMany(): ApiError {
  const { grantsMax } = limits.oauth;
  const message = `You have allowed ${grantsMax} apps and partners, which is the most: revoke one first.`;
  return fail('CONFLICT', { limit: grantsMax }, message);
}

async function list(
  parts: ConnectParts,
  request: RequestContext,
  query: Readonly<Record<string, unknown>>,
): Answer<Grant[]> {
  await parts.flushUses();
  const page = request.page(query);
  const [createdAtMs, grantId] = page.after ?? [];
  const after: GrantPage['after'] =
    typeof createdAtMs === 'number' && typeof grantId === 'string'
      ? { createdAtMs, grantId }
      : null;
  const nowMs = parts.clock.wallMs();
  const found = await parts.platform.grants.grantsOf(sessionOf(request).userId, {
    // One more than asked for tells whether there is a page after this one.
    limit: Math.min(page.limit, limits.page.limitMax) + 1,
    inForceAtMs: query.status === 'active' ? nowMs : null,
    after,
  });
  const { shown, nextCursor } = cutPage(found, page, (last) => [last.createdAtMs, last.grantId]);
  return {
    data: await Promise.all(
      shown.map(async (grant) => grantView(grant, await allowedBy(parts, grant), nowMs)),
    ),
    meta: { next_cursor: nextCursor },
  };
}

async function revoke(
  parts: ConnectParts,
  request: RequestContext,
  grantId: string,
): Answer<Grant> {
  const { grants } = parts.platform;
  const grant = await grants.grantById(grantId);
  if (grant === null || grant.userId !== sessionOf(request).userId) return fail('NOT_FOUND');
  const nowMs = parts.clock.wallMs();
  const ended: GrantRecord =
    grant.revokedAtMs === null ? { ...grant, revokedAtMs: nowMs, revokedFor: 'user' } : grant;
  const allowed = await allowedBy(parts, grant);
  const data = grantView(ended, allowed, nowMs);
  const kept = await grants.end(grantId, 'user', nowMs, savedAs(request, nowMs, data));
  // Somebody else may have ended it first.
  return { data: kept === null ? data : grantView(kept, allowed, nowMs) };
}

async function allowedBy(
  { platform }: ConnectParts,
  { appId, partnerId }: GrantRecord,
): Promise<Allowed> {
  return {
    app: appId === null ? null : await platform.apps.appById(appId),
    partnerName: await partnerNameOf(platform, partnerId),
  };
}

function sessionOf({ credential }: RequestContext): SessionCredential {
  if (credential?.kind !== 'session') throw fail('AUTH_REQUIRED');
  return credential;
}
