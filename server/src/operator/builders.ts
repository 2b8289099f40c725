// Builders under review: applications decided, and higher limits for a while.
import {
  type InputOf,
  limits,
  type OperatorOperations,
  type OutputOf,
  type Track,
} from '@sibyl/contract';
import { cutPage } from '../handling/cut-page.ts';
import {
  type ApiError,
  actingOperator,
  fail,
  isoTime,
  type Reply,
  type RequestContext,
} from '../handling/handler.ts';
import type { BuilderRecord, DecisionRefused } from '../ports/builders.ts';
import { tierOf } from '../wire/known-tier.ts';
import { ownerWords } from '../wire/public-words.ts';
import { isoTimeOrNull } from '../wire/times.ts';
import { openLiveAccount } from './live-account.ts';
import type { OperatorHandlers, OperatorParts } from './parts.ts';
import { actOnce } from './saved-answer.ts';

type View = OutputOf<OperatorOperations['approveBuilder']>;
type Answer = Promise<Reply<View> | ApiError>;
type ApprovalInput = InputOf<OperatorOperations['approveBuilder']>['body'];
type LoadTestInput = InputOf<OperatorOperations['setLoadTest']>['body'];

export function builderActs(
  parts: OperatorParts,
): Pick<OperatorHandlers, 'findBuilders' | 'approveBuilder' | 'rejectBuilder' | 'setLoadTest'> {
  return {
    findBuilders: (request, { query }) => find(parts, request, query),
    approveBuilder: (request, { params, body }) =>
      actOnce(parts, request, () => approve(parts, request, params.user_id, body)),
    rejectBuilder: (request, { params, body }) =>
      actOnce(parts, request, async () => {
        const { platform, clock } = parts;
        const by = actingOperator(request).operatorId;
        const decision = { by, note: body.note, atMs: clock.wallMs() };
        const done = await platform.builders.reject(params.user_id, decision);
        return typeof done === 'string'
          ? undecided(parts, params.user_id, done)
          : view(parts, done);
      }),
    setLoadTest: (request, { params, body }) =>
      actOnce(parts, request, () => setLoadTest(parts, params.user_id, body)),
  };
}

async function find(
  parts: OperatorParts,
  request: RequestContext,
  query: InputOf<OperatorOperations['findBuilders']>['query'],
) {
  const page = request.page(query);
  const [appliedAtMs, userId] = page.after ?? [];
  const after =
    typeof appliedAtMs === 'number' && typeof userId === 'string' ? { appliedAtMs, userId } : null;
  const wanted = { limit: page.limit + 1, status: query.status ?? null, after };
  const found = await parts.platform.builders.page(wanted);
  const { shown, nextCursor } = cutPage(found, page, (last) => [
    last.application.appliedAtMs,
    last.userId,
  ]);
  const data: View[] = [];
  for (const builder of shown) data.push((await view(parts, builder)).data);
  return { data, meta: { next_cursor: nextCursor } };
}

async function approve(
  parts: OperatorParts,
  request: RequestContext,
  userId: string,
  { note, rate_multiplier: multiplier, uncapped = false }: ApprovalInput,
): Answer {
  const { platform, clock } = parts;
  const builder = await platform.builders.of(userId);
  const user = await platform.userById(userId);
  if (builder === null || user === null) return notApplied(userId);
  const { track, status } = builder.application;
  if (status !== 'in_review') return undecided(parts, userId, 'no_application');
  const most = mostOf(track);
  if (multiplier !== undefined && multiplier > most) {
    const expected = `at most ${most} for the track ${track}`;
    return fail('VALIDATION_FAILED', { field: 'rate_multiplier', expected });
  }
  if (uncapped && (!byContract.has(track) || multiplier !== undefined)) {
    const expected = 'true for partner or institutional alone, without rate_multiplier';
    return fail('VALIDATION_FAILED', { field: 'uncapped', expected });
  }
  await openLiveAccount(parts, user.accounts.live, request.requestId);
  const actor = actingOperator(request).operatorId;
  const done = await platform.builders.approve({
    userId,
    change: { actor, reason: note ?? ownerWords.tier, atMs: clock.wallMs() },
    agreedRate: uncapped ? 'uncapped' : (multiplier ?? null),
    note: note ?? null,
    cohortMax: track === 'genesis' ? limits.builders.genesisMax : Infinity,
  });
  return typeof done === 'string' ? undecided(parts, userId, done) : view(parts, done);
}

/** Tracks whose limits a contract may lift. */
const byContract: ReadonlySet<Track> = new Set(['partner', 'institutional']);

/** How many times the baseline may be agreed on. */
function mostOf(track: Track): number {
  const { rateMax } = limits.builders;
  if (track === 'trade_capped' || track === 'trade_full') return 1;
  return rateMax[track];
}

async function undecided(
  { platform }: OperatorParts,
  userId: string,
  refused: DecisionRefused,
): Promise<ApiError> {
  if (refused === 'cohort_full') {
    const { genesisMax } = limits.builders;
    const message = `All ${genesisMax} places of the first cohort are taken.`;
    return fail('STATE_CONFLICT', { reason: 'cohort_full', limit: genesisMax }, message);
  }
  const builder = await platform.builders.of(userId);
  if (builder === null) return notApplied(userId);
  return fail('STATE_CONFLICT', { status: builder.application.status });
}

function notApplied(userId: string): ApiError {
  return fail('NOT_FOUND', undefined, `There is no application of ${userId}.`);
}

async function setLoadTest(
  parts: OperatorParts,
  userId: string,
  { multiplier, ends_at_ms: endsAtMs }: LoadTestInput,
): Answer {
  const { platform, clock } = parts;
  if (multiplier !== null) {
    if (endsAtMs === undefined) return fail('MISSING_FIELD', { field: 'ends_at_ms' });
    const nowMs = clock.wallMs();
    if (endsAtMs <= nowMs || endsAtMs > nowMs + limits.builders.loadTestMaxMs) {
      const expected = `a time within the next ${limits.builders.loadTestMaxMs / 86_400_000} days`;
      return fail('VALIDATION_FAILED', { field: 'ends_at_ms', expected });
    }
  }
  const known = await platform.builders.of(userId);
  if (known === null) return notApplied(userId);
  if (multiplier === null && known.loadTest === null) {
    return fail('STATE_CONFLICT', { reason: 'there is no load test to end' });
  }
  const grant = multiplier === null ? null : { multiplier, endsAtMs: endsAtMs ?? 0 };
  const done = await platform.builders.setLoadTest(userId, grant);
  return done === null ? notApplied(userId) : view(parts, done);
}

async function view({ platform }: OperatorParts, builder: BuilderRecord): Promise<Reply<View>> {
  const { application, loadTest } = builder;
  const user = await platform.userById(builder.userId);
  const taken = await platform.builders.cohort('genesis');
  return {
    data: {
      user_id: builder.userId,
      tier: tierOf(user?.tier ?? 'self_serve'),
      track: application.track,
      status: application.status,
      note: application.note,
      applied_at: isoTime(application.appliedAtMs),
      applied_at_ms: application.appliedAtMs,
      decided_at: isoTimeOrNull(application.decidedAtMs),
      decided_at_ms: application.decidedAtMs,
      decided_by: application.decidedBy,
      name: builder.name,
      website: builder.website,
      about: builder.about,
      agreement_version: builder.agreementVersion,
      approved_track: builder.approvedTrack,
      agreed_rate_multiplier: builder.agreedRate === 'uncapped' ? null : builder.agreedRate,
      uncapped: builder.agreedRate === 'uncapped',
      load_test:
        loadTest === null
          ? null
          : {
              multiplier: loadTest.multiplier,
              ends_at: isoTime(loadTest.endsAtMs),
              ends_at_ms: loadTest.endsAtMs,
            },
      genesis_places_left: Math.max(0, limits.builders.genesisMax - taken),
    },
  };
}
