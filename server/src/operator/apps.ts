// Apps under review: approved with a name that was verified, sent back, disabled and enabled again.
import type { InputOf, OperatorOperations, OutputOf } from '@sibyl/contract';
import { cutPage } from '../handling/cut-page.ts';
import {
  type ApiError,
  actingOperator,
  fail,
  type Reply,
  type RequestContext,
} from '../handling/handler.ts';
import type { AppRecord } from '../ports/apps.ts';
import { appView } from '../wire/app-view.ts';
import type { OperatorHandlers, OperatorParts } from './parts.ts';
import { actOnce } from './saved-answer.ts';

type View = OutputOf<OperatorOperations['approveApp']>;
type Answer = Promise<Reply<View> | ApiError>;

export function appActs(
  parts: OperatorParts,
): Pick<OperatorHandlers, 'findApps' | 'approveApp' | 'rejectApp' | 'disableApp' | 'enableApp'> {
  const act = (
    request: RequestContext,
    appId: string,
    reason: string,
    next: (before: AppRecord) => AppRecord | null,
  ): Answer => actOnce(parts, request, () => decide(parts, request, appId, reason, next));
  return {
    findApps: (request, { query }) => find(parts, request, query),
    approveApp: (request, { params, body }) =>
      act(request, params.app_id, body.reason, (before) => {
        if (before.status !== 'in_review') return null;
        const feeCapBps = body.fee_cap_bps;
        const builderFeeBps = Math.min(before.builderFeeBps, feeCapBps);
        const verified = { verifiedName: body.verified_name.trim(), feeCapBps, builderFeeBps };
        return { ...before, ...verified, status: 'approved', reviewNote: null };
      }),
    rejectApp: (request, { params, body }) =>
      act(request, params.app_id, body.reason, (before) =>
        before.status === 'in_review'
          ? { ...before, status: 'draft', reviewNote: body.note }
          : null,
      ),
    disableApp: (request, { params, body }) =>
      act(request, params.app_id, body.reason, (before) =>
        before.status === 'disabled' && before.disabledBy === 'operator'
          ? null
          : { ...before, status: 'disabled', disabledBy: 'operator', reviewNote: body.note },
      ),
    enableApp: (request, { params, body }) =>
      act(request, params.app_id, body.reason, (before) =>
        before.status === 'disabled' && before.redirectUris.length > 0
          ? {
              ...before,
              status: before.verifiedName === null ? 'draft' : 'approved',
              disabledBy: null,
              reviewNote: null,
            }
          : null,
      ),
  };
}

/** Within the store's transaction, so that two decisions cannot both be taken. */
async function decide(
  parts: OperatorParts,
  request: RequestContext,
  appId: string,
  reason: string,
  next: (before: AppRecord) => AppRecord | null,
): Answer {
  const { platform, clock } = parts;
  const atMs = clock.wallMs();
  const act = { actor: actingOperator(request).operatorId, reason, atMs };
  const done = await platform.apps.change(appId, act, (before) => {
    const after = next(before);
    return after === null ? null : { ...after, updatedAtMs: atMs };
  });
  if (done === null) return fail('NOT_FOUND');
  if (done === 'refused') {
    const app = await platform.apps.appById(appId);
    return fail('STATE_CONFLICT', { status: app?.status ?? 'unknown' });
  }
  if (typeof done === 'string') {
    return fail('CONFLICT', { field: 'verified_name' }, 'Another app has this verified name.');
  }
  return { data: view(done, atMs) };
}

async function find(
  parts: OperatorParts,
  request: RequestContext,
  query: InputOf<OperatorOperations['findApps']>['query'],
) {
  const page = request.page(query);
  const [createdAtMs, appId] = page.after ?? [];
  const after =
    typeof createdAtMs === 'number' && typeof appId === 'string' ? { createdAtMs, appId } : null;
  const wanted = { limit: page.limit + 1, status: query.status ?? null, after };
  const found = await parts.platform.apps.page(wanted);
  const { shown, nextCursor } = cutPage(found, page, (last) => [last.createdAtMs, last.appId]);
  const nowMs = parts.clock.wallMs();
  return {
    data: shown.map((app) => view(app, nowMs)),
    meta: { next_cursor: nextCursor },
  };
}

function view(app: AppRecord, nowMs: number): View {
  return { ...appView(app, nowMs), owner_id: app.ownerId };
}
