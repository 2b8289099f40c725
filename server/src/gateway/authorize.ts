// What a credential may do: environment first, then the kind of credential and its permission.
import { type AnyOperation, earlyTiers, type Tier, tiers } from '@sibyl/contract';
import { type ApiError, type Credential, fail, type TokenCredential } from '../handling/handler.ts';
import { restrictionOf } from '../handling/restriction.ts';
import type { Grant } from './credential.ts';
import type { Environment } from './environment.ts';

/** Null if the credential belongs to the environment that it addressed. */
export function checkEnvironment(
  operation: AnyOperation,
  environment: Environment,
  credential: Credential | null,
): ApiError | null {
  if (!environment.ok) {
    const details = {
      credential_environment: environment.credential,
      requested_environment: environment.requested,
    };
    const isDemo = credential?.kind === 'session' && credential.isDemo;
    return fail('WRONG_ENV_KEY', details, isDemo ? DEMO_MESSAGE : undefined);
  }
  const { lane } = environment;
  if (operation.sandboxOnly && lane === 'live') return fail('SANDBOX_ONLY');
  return operation.prodOnly && lane === 'sandbox' ? fail('PROD_ONLY') : null;
}

const DEMO_MESSAGE =
  'A demo account trades in the sandbox only: call the same path below /sandbox.';

/** Null if the operation may be called; strangers only get here where no credential is asked. */
export function checkPermission(
  operation: AnyOperation,
  credential: Credential | null,
): ApiError | null {
  if (credential === null) return null;
  if (operation.auth === 'session' && credential.kind !== 'session') {
    return fail('SCOPE_MISSING', { required: 'session' });
  }
  if (credential.kind === 'token') return scopeRefusal(operation, credential);
  const { permission } = operation;
  if (permission === null || credential.permissions.includes(permission)) return null;
  return fail('SCOPE_MISSING', { required: permission });
}

/** What no scope is for, no app does. */
function scopeRefusal({ scope }: AnyOperation, { scopes }: TokenCredential): ApiError | null {
  if (scope === null) return fail('SCOPE_MISSING', { required: 'session' }, NOT_FOR_APPS);
  return scopes.includes(scope) ? null : fail('SCOPE_MISSING', { required: scope });
}

const NOT_FOR_APPS = 'No app may do this for a user: it takes a key or a session.';

/** Null unless the operation is open to early tiers alone and the caller has none of them. */
export function checkEarlyAccess(
  operation: AnyOperation,
  credential: Credential | null,
): ApiError | null {
  if (!operation.early || credential === null) return null;
  const tier = earlyTierOf(credential);
  if (earlyTiers.includes(tier)) return null;
  return fail('TIER_UPGRADE_REQUIRED', { tier, required_tier: earlyTiers[0] }, EARLY_MESSAGE);
}

/** An app is no builder's key: it has no tier. */
function earlyTierOf(credential: Credential): Tier {
  if (credential.kind === 'token') return tiers[0];
  return credential.kind === 'session' ? credential.userTier : credential.tier;
}

const EARLY_MESSAGE = 'This is open to the first builders only, for now.';

/** Null if nothing forbids the holder the operation. Of a batch its items decide, when they are known. */
export function checkCompliance(operation: AnyOperation, grant: Grant | null): ApiError | null {
  if (grant === null || grant.restrictions === null || operation.rateCost === 'item') return null;
  return restrictionOf(operation, grant.restrictions);
}

export function checkBatch(operation: AnyOperation, grant: Grant | null): ApiError | null {
  return grant === null || grant.restrictions === null
    ? null
    : restrictionOf(operation, grant.restrictions);
}
