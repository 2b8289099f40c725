// Builders: what somebody is to the exchange, and applying for more.
import {
  builderAgreement,
  type InputOf,
  limits,
  type OperationOutput,
  type Operations,
} from '@sibyl/contract';
import type { Clock } from '@sibyl/lane';
import { builderUser, isReadOnly, nobodyRefusal } from '../../handling/builder-user.ts';
import {
  type ApiError,
  fail,
  type Handler,
  type Reply,
  type RequestContext,
} from '../../handling/handler.ts';
import type { BuilderRecord, NewApplication } from '../../ports/builders.ts';
import type { UserRecord } from '../../ports/platform.ts';
import { answerOnce, savedAs } from '../../wire/answer-once.ts';
import { applicationView, profileView } from '../../wire/builder-view.ts';
import { tierOf } from '../../wire/known-tier.ts';
import { isoTime } from '../../wire/times.ts';

import { type GraduationParts, graduationOf } from './graduation-progress.ts';

export interface BuilderParts extends GraduationParts {
  readonly clock: Clock;
}

type BuilderView = OperationOutput<'getBuilder'>;
type ApplicationInput = InputOf<Operations['applyForTrack']>['body'];

export function builderHandlers(parts: BuilderParts): {
  readonly getBuilder: Handler<Operations['getBuilder']>;
  readonly applyForTrack: Handler<Operations['applyForTrack']>;
} {
  const answers = { store: parts.platform, clock: parts.clock };
  return {
    async getBuilder(request) {
      const user = await builderUser(parts, request);
      if (user === null) return fail('NOT_FOUND');
      const builder = await parts.platform.builders.of(user.userId);
      return { data: await builderView(parts, request, user, builder) };
    },
    applyForTrack: (request, { body }) =>
      answerOnce(answers, request, () => apply(parts, request, body)),
  };
}

async function apply(
  parts: BuilderParts,
  request: RequestContext,
  body: ApplicationInput,
): Promise<Reply<BuilderView> | ApiError> {
  if (await isReadOnly(request)) return fail('READ_ONLY_MODE');
  const user = await builderUser(parts, request);
  if (user === null) return nobodyRefusal('apply');
  const { version } = builderAgreement;
  const { track, name, about, website = null, agreement } = body;
  if (agreement?.accepted !== true || agreement.version !== version) {
    return fail('OPERATOR_AGREEMENT_MISSING', { version });
  }
  if (website !== null && URL.parse(website)?.protocol !== 'https:') {
    return fail('VALIDATION_FAILED', { field: 'website', expected: 'an https address' });
  }
  const { builders } = parts.platform;
  const atMs = parts.clock.wallMs();
  const application: NewApplication = {
    userId: user.userId,
    track,
    name,
    website,
    about,
    agreementVersion: version,
    atMs,
  };
  const expected = appliedRecord(await builders.of(user.userId), application);
  const data = await builderView(parts, request, user, expected);
  const addition = await builders.apply(application, savedAs(request, atMs, data));
  if (addition === 'added') return { data };
  return addition === 'in_review'
    ? fail('ALREADY_EXISTS', { reason: 'an application is in review' }, IN_REVIEW)
    : fail('ALREADY_EXISTS', { reason: `you have the track ${track}` }, held(track));
}

const IN_REVIEW = 'An application of yours is in review: wait for what comes of it.';

function held(track: string): string {
  return `You have the track ${track} already: apply for another one.`;
}

/** The builder as the store will have it, for the answer that is saved with the write. */
function appliedRecord(known: BuilderRecord | null, wanted: NewApplication): BuilderRecord {
  const { userId, track, name, website, about, agreementVersion, atMs } = wanted;
  const fresh = {
    approvedTrack: null,
    approvedName: null,
    approvedAtMs: null,
    agreedRate: null,
    loadTest: null,
  };
  const undecided = { decidedAtMs: null, decidedBy: null, note: null };
  return {
    ...fresh,
    createdAtMs: atMs,
    ...known,
    userId,
    name,
    website,
    about,
    agreementVersion,
    agreedAtMs: atMs,
    application: { track, status: 'in_review', appliedAtMs: atMs, ...undecided },
  };
}

async function builderView(
  parts: BuilderParts,
  request: RequestContext,
  user: UserRecord,
  builder: BuilderRecord | null,
): Promise<BuilderView> {
  const nowMs = parts.clock.wallMs();
  const apps = await parts.platform.apps.appsOf(user.userId);
  const count = (status: string): number => apps.filter((app) => app.status === status).length;
  const { perMinute, rateMultiplier } = request;
  const loadTest = builder?.loadTest ?? null;
  return {
    user_id: user.userId,
    tier: tierOf(user.tier),
    track: builder?.approvedTrack ?? null,
    is_approved: builder !== null && builder.approvedTrack !== null,
    profile: builder === null ? null : profileView(builder),
    application: builder === null ? null : applicationView(builder),
    agreement_version: builderAgreement.version,
    graduation:
      user.tier === limits.graduation.from ? await graduationOf(parts, user, nowMs) : null,
    apps: {
      draft: count('draft'),
      in_review: count('in_review'),
      approved: count('approved'),
      disabled: count('disabled'),
    },
    rate_multiplier: rateMultiplier,
    rate_limits: { ...perMinute },
    uncapped: builder?.agreedRate === 'uncapped' && builder.approvedTrack === user.tier,
    load_test:
      loadTest === null || loadTest.endsAtMs <= nowMs
        ? null
        : {
            multiplier: loadTest.multiplier,
            ends_at: isoTime(loadTest.endsAtMs),
            ends_at_ms: loadTest.endsAtMs,
          },
  };
}
