// The app that an order is attributed to: the one that sends it, or the one that it names.
import type { OrderInput } from '@sibyl/contract';
import type { BuilderFee } from '@sibyl/engine';
import { connectRefusal } from '../../handling/app-standing.ts';
import { type ApiError, fail, type RequestContext } from '../../handling/handler.ts';
import type { PlatformStore } from '../../ports/platform.ts';

export interface AttributionParts {
  readonly platform: Pick<PlatformStore, 'apps'>;
}

/** Null for none. */
export type Attributed = BuilderFee | null | ApiError;

/** At once unless an order names an app that has to be looked up. Whether its fee is too high the engine says. */
export function attributionOf(
  parts: AttributionParts,
  request: RequestContext,
  named: OrderInput['builder'],
): Attributed | Promise<Attributed> {
  const { builder: own, credential, grant } = request;
  if (credential?.kind !== 'token') {
    if (named !== undefined) return namedApp(parts, request, named.app_id, named.fee_bps ?? 0);
    // What a partner does on behalf of others is theirs.
    return grant === null ? own : null;
  }
  if (named === undefined || own === null) return own;
  const { app_id: appId, fee_bps: feeBps } = named;
  if (appId === own.appId) return { ...own, feeBps: feeBps ?? own.feeBps };
  return fail('VALIDATION_FAILED', { field: 'builder.app_id', expected: own.appId }, NOT_ITS_OWN);
}

const NOT_AGREED = 'Whoever delegated has agreed to no fee of an app: leave fee_bps out.';

const NOT_ITS_OWN = 'The orders of an app are attributed to that app, and to no other.';

/** One that nobody has is told like one that is not approved. */
async function namedApp(
  { platform }: AttributionParts,
  { credential, grant, laneName }: RequestContext,
  appId: string,
  feeBps: number,
): Promise<Attributed> {
  const isOnBehalf = grant !== null;
  const app = await platform.apps.appById(appId);
  if (app === null) return fail('APP_NOT_APPROVED', { app_id: appId });
  // A partner who tries out an app of its own does so with its own money.
  const refused = connectRefusal(app, isOnBehalf ? '' : (credential?.userId ?? ''), laneName);
  if (refused !== null) return refused;
  if (isOnBehalf && feeBps > 0) return fail('BUILDER_FEE_ABOVE_CAP', { cap_bps: 0 }, NOT_AGREED);
  const isOwn = !isOnBehalf && credential?.userId === app.ownerId;
  return { appId, feeBps, capBps: app.feeCapBps, isOwn };
}
