// Acting on behalf of somebody else: the key of a partner names an account that has delegated to its holder.
import {
  type AnyOperation,
  operations,
  type PartnerScope,
  scopes,
  type Tier,
} from '@sibyl/contract';
import { asAccountId } from '@sibyl/engine';
import { type GrantRecord, holdsAt } from '../ports/grants.ts';
import type { PlatformStore, UserRecord } from '../ports/platform.ts';
import { isAllCancels } from './batch-items.ts';
import type { KeyCredential } from './credentials.ts';
import { termsOf } from './grant-terms.ts';
import { ApiError, type Credential, fail, type Reply, type RequestContext } from './handler.ts';
import { isTrading, type Restriction, type Restrictions, restrictionOf } from './restriction.ts';

export interface DelegationParts {
  readonly platform: Pick<PlatformStore, 'grants' | 'userById'>;
  /** Who may not do what; absent where nobody is restricted. */
  readonly screening?: {
    restrictionsOf(user: UserRecord | null, tier: string): Promise<Restrictions>;
  };
}

type Answered = Reply | ApiError;
type AnyHandler = (request: RequestContext, input: never) => Promise<Answered> | Answered;
type Table = Readonly<Record<string, AnyHandler>>;

/** Where the contract has the field, a handler is given the request as the account that it names would have sent it. */
export function delegable<Handlers extends Table>(
  parts: DelegationParts,
  handlers: Handlers,
): Handlers {
  const known: Readonly<Record<string, AnyOperation>> = operations;
  const all = Object.entries(handlers).map(([id, handler]) => {
    const operation = known[id];
    const isMeant = operation !== undefined && takesAccount(operation);
    return [id, isMeant ? onBehalf(parts, handler) : handler];
  });
  return Object.fromEntries(all);
}

const FIELD = 'on_behalf_of';

function takesAccount({ input: { query, body } }: AnyOperation): boolean {
  return [query, body].some((schema) => Object.hasOwn(Object(schema?.properties), FIELD));
}

/** What a delegation can be for: the scopes of operations that are asked for on behalf of others. */
export const delegableScopes: readonly string[] = Object.keys(scopes).filter((name) =>
  Object.values<AnyOperation>(operations).some(
    (operation) => operation.scope === name && takesAccount(operation),
  ),
);

interface Input {
  readonly query?: { readonly on_behalf_of?: string } | null;
  readonly body?: { readonly on_behalf_of?: string } | null;
}

function onBehalf(parts: DelegationParts, handler: AnyHandler): AnyHandler {
  return (request, input) => {
    const { query, body }: Input = input;
    const accountId = body?.on_behalf_of ?? query?.on_behalf_of;
    if (accountId === undefined) return handler(request, input);
    return delegated(parts, request, accountId, body).then((as) =>
      as instanceof ApiError ? as : handler(as, input),
    );
  };
}

/** The request as the account would have sent it, within what it allows. */
async function delegated(
  { platform, screening }: DelegationParts,
  request: RequestContext,
  accountId: string,
  body: unknown,
): Promise<RequestContext | ApiError> {
  const { credential, laneName, operation, receivedAtMs: nowMs } = request;
  if (!isPartner(credential)) return fail('SCOPE_MISSING', { required: SCOPE }, NO_PARTNER);
  const held = { partnerId: credential.userId, accountId, lane: laneName };
  const grant = chosenOf(await platform.grants.delegations(held), request, accountId);
  if (grant instanceof ApiError) return grant;
  const user = await platform.userById(grant.userId);
  if (user === null) return fail('DELEGATION_MISSING', { account_id: accountId });
  const all = (await screening?.restrictionsOf(user, user.tier))?.[laneName] ?? [];
  const refused = isNeverStopped(operation, body)
    ? null
    : ((await freezeOf(request, credential)) ?? restrictionOf(operation, all));
  if (refused !== null) return refused;
  await noteUse(platform, grant, nowMs);
  return actingFor(request, credential, grant, all);
}

const SCOPE: PartnerScope = 'delegation:trade';
const NO_PARTNER =
  'Only a key of a partner with the scope delegation:trade acts on behalf of others.';

type PartnerKey = KeyCredential & { readonly userId: string };

function isPartner(credential: Credential | null): credential is PartnerKey {
  if (credential?.kind !== 'key' || credential.userId === null) return false;
  return isPartnerTier(credential.tier) && credential.partnerScopes.includes(SCOPE);
}

const PARTNER_TIERS: readonly string[] = ['partner', 'institutional'] satisfies Tier[];

export function isPartnerTier(tier: string): boolean {
  return PARTNER_TIERS.includes(tier);
}

/** Of those that hold, one with the scope of the operation. */
function chosenOf(
  grants: readonly GrantRecord[],
  { operation: { scope }, receivedAtMs: nowMs }: RequestContext,
  accountId: string,
): GrantRecord | ApiError {
  const holding = grants.filter((grant) => holdsAt(grant, nowMs));
  const chosen = holding.find(({ scopes }) => scope !== null && scopes.includes(scope));
  if (chosen !== undefined) return chosen;
  if (holding.length > 0) {
    return fail('DELEGATION_SCOPE_MISMATCH', { account_id: accountId, required: scope });
  }
  const isOver = grants.length > 0;
  return fail(isOver ? 'DELEGATION_EXPIRED' : 'DELEGATION_MISSING', { account_id: accountId });
}

/** Null unless the partner is frozen itself: it does for others no more than for itself. */
async function freezeOf(
  { operation, lane, laneName }: RequestContext,
  { accounts }: PartnerKey,
): Promise<ApiError | null> {
  const own = accounts[laneName];
  if (!isTrading(operation)) return null;
  const isFrozen = await lane.read((state) => state.accounts.get(own)?.frozen === true);
  return isFrozen ? fail('SUBACCOUNT_FROZEN', { account_id: own }, FROZEN) : null;
}

const FROZEN =
  'Your own account is frozen: on behalf of others you may cancel and read, nothing else.';

/** A batch that only takes back is a cancel. */
function isNeverStopped({ rateCost }: AnyOperation, body: unknown): boolean {
  return rateCost === 'item' && isAllCancels(body);
}

const NOTED_EVERY_MS = 60_000;

/** To the minute, so that few requests write. */
async function noteUse(
  { grants }: Pick<PlatformStore, 'grants'>,
  { grantId, lastUsedAtMs }: GrantRecord,
  nowMs: number,
): Promise<void> {
  if (nowMs - (lastUsedAtMs ?? 0) >= NOTED_EVERY_MS)
    await grants.touch(new Map([[grantId, nowMs]]));
}

/** Limits on how often stay those of the partner, and so does the key by which the request is known again. */
function actingFor(
  request: RequestContext,
  { publicId: keyId }: PartnerKey,
  grant: GrantRecord,
  restrictions: readonly Restriction[],
): RequestContext {
  const accountId = asAccountId(grant.accountId);
  return {
    ...request,
    accountId,
    actor: { kind: 'account', accountId, keyId },
    grant: termsOf(grant),
    readsOrders: grant.scopes.includes('account:read'),
    restrictions: restrictions.length === 0 ? null : restrictions,
    page: (query) => request.page(query),
  };
}
