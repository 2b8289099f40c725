// Builders and apps as operators see them: applications and submissions to review, load tests, apps to disable.

import { Type } from 'typebox';
import { identified } from '../bundles.ts';
import { noInput, operation } from '../define.ts';
import { pathId } from '../ids.ts';
import { limits } from '../limits.ts';
import { pageQuery } from '../paging.ts';
import { visibleText } from '../plain-text.ts';
import { epochMs, nullable, oneOf } from '../primitives.ts';
import { appStatuses, exampleReviewedApp, ReviewedApp } from '../resources/app.ts';
import {
  applicationStatuses,
  exampleReviewedBuilder,
  ReviewedBuilder,
} from '../resources/builder.ts';
import { closed, looking, operatorReadErrors, plane, promptErrors, reason } from './plane.ts';

const reviewed = {
  ...looking,
  since: '0.3',
  list: true,
  errors: [...operatorReadErrors],
} as const;

const acting = {
  ...plane,
  since: '0.3',
  role: 'support',
  stepUp: true,
  method: 'POST',
  idempotency: 'optional',
  errors: [...promptErrors, ...identified, 'STATE_CONFLICT'],
} as const;

const note = Type.String({ minLength: 3, maxLength: 500, description: 'What the owner reads.' });
const why = 'ticket 4711';
const instantOfExamples = { at: '2026-11-14T12:00:00.000Z', ms: 1_794_657_600_000 };

export const findBuilders = operation({
  ...reviewed,
  id: 'findBuilders',
  path: '/admin/v1/builders',
  summary: 'Find builders',
  description: 'Applications, the oldest first: all of them, or those in a state.',
  input: {
    ...noInput,
    query: pageQuery({ status: Type.Optional(oneOf(applicationStatuses)) }),
  },
  data: Type.Array(ReviewedBuilder),
  example: { query: { status: 'in_review' }, data: [exampleReviewedBuilder] },
});

const userParams = Type.Object({ user_id: pathId('user', 'The builder.') });
const { rateMax, genesisMax, loadTestMaxMs } = limits.builders;
const decided = {
  decided_by: 'opr_01J0000000000001',
  note: null,
  decided_at: instantOfExamples.at,
  decided_at_ms: instantOfExamples.ms,
};
const aboutBuilder = { params: { user_id: exampleReviewedBuilder.user_id } };

export const approveBuilder = operation({
  ...acting,
  id: 'approveBuilder',
  path: '/admin/v1/builders/{user_id}/approve',
  summary: 'Approve an application',
  description: `The user has the tier of the track at once, and so have its keys of the live address. Of genesis there are ${genesisMax} places: one more is STATE_CONFLICT. rate_multiplier takes the place of what the tier says, at most ${rateMax.genesis} for genesis and ${rateMax.partner} for partner and institutional; these can be uncapped instead.`,
  input: {
    ...noInput,
    params: userParams,
    body: Type.Object(
      {
        reason,
        note: Type.Optional(note),
        rate_multiplier: Type.Optional(
          Type.Integer({ minimum: 1, maximum: rateMax.partner, description: 'As agreed.' }),
        ),
        uncapped: Type.Optional(
          Type.Boolean({
            description:
              'By contract, of partner and institutional: reads and account reads without a limit, everything else as the tier says.',
          }),
        ),
      },
      { title: 'BuilderApproval', ...closed },
    ),
  },
  data: ReviewedBuilder,
  example: {
    ...aboutBuilder,
    body: { reason: why },
    data: {
      ...exampleReviewedBuilder,
      ...decided,
      tier: 'genesis',
      status: 'approved',
      approved_track: 'genesis',
      genesis_places_left: genesisMax - 1,
    },
  },
});

export const rejectBuilder = operation({
  ...acting,
  id: 'rejectBuilder',
  path: '/admin/v1/builders/{user_id}/reject',
  summary: 'Reject an application',
  description: 'The builder reads the note, and may apply again.',
  input: {
    ...noInput,
    params: userParams,
    body: Type.Object({ reason, note }, { title: 'BuilderRejection', ...closed }),
  },
  data: ReviewedBuilder,
  example: {
    ...aboutBuilder,
    body: { reason: why, note: 'Please say who is behind it.' },
    data: {
      ...exampleReviewedBuilder,
      ...decided,
      status: 'rejected',
      note: 'Please say who is behind it.',
    },
  },
});

export const setLoadTest = operation({
  ...acting,
  id: 'setLoadTest',
  path: '/admin/v1/builders/{user_id}/load-test',
  summary: 'Grant or end a load test',
  description: `All keys of the builder may ask so many times the baseline until then, in place of what their tier says, for ${loadTestMaxMs / 86_400_000} days at most; null ends it at once.`,
  input: {
    ...noInput,
    params: userParams,
    body: Type.Object(
      {
        reason,
        multiplier: nullable(
          Type.Integer({ minimum: 2, maximum: rateMax.loadTest }),
          'Null ends the grant.',
        ),
        ends_at_ms: Type.Optional(epochMs('Until when; needed with a multiplier.')),
      },
      { title: 'LoadTestInput', ...closed },
    ),
  },
  data: ReviewedBuilder,
  example: {
    ...aboutBuilder,
    body: { reason: why, multiplier: 50, ends_at_ms: 1_794_744_000_000 },
    data: {
      ...exampleReviewedBuilder,
      load_test: {
        multiplier: 50,
        ends_at: '2026-11-15T12:00:00.000Z',
        ends_at_ms: 1_794_744_000_000,
      },
    },
  },
});

export const findApps = operation({
  ...reviewed,
  id: 'findApps',
  path: '/admin/v1/apps',
  summary: 'Find apps',
  description: 'The oldest first: all of them, or those in a state.',
  input: { ...noInput, query: pageQuery({ status: Type.Optional(oneOf(appStatuses)) }) },
  data: Type.Array(ReviewedApp),
  example: { query: { status: 'in_review' }, data: [exampleReviewedApp] },
});

const appParams = Type.Object({ app_id: pathId('app', 'The app.') });
const aboutApp = { params: { app_id: exampleReviewedApp.app_id } };
const verifiedName = 'Ada Example Ltd';
const approved = {
  ...exampleReviewedApp,
  status: 'approved',
  verified_name: verifiedName,
} as const;

export const approveApp = operation({
  ...acting,
  id: 'approveApp',
  path: '/admin/v1/apps/{app_id}/approve',
  summary: 'Approve an app',
  description:
    'Everybody may connect it from then on. Users are shown the verified name, which no other app may have (CONFLICT); a fee above the cap is lowered to it.',
  input: {
    ...noInput,
    params: appParams,
    body: Type.Object(
      {
        reason,
        verified_name: Type.String({ ...visibleText, minLength: 3, maxLength: 128 }),
        fee_cap_bps: Type.Integer({ minimum: 0, maximum: limits.builderFeeBpsMax }),
      },
      { title: 'AppApproval', ...closed },
    ),
  },
  data: ReviewedApp,
  errors: [...acting.errors, 'CONFLICT'],
  example: {
    ...aboutApp,
    body: { reason: why, verified_name: verifiedName, fee_cap_bps: 50 },
    data: { ...approved, fee_cap_bps: 50 },
  },
});

export const rejectApp = operation({
  ...acting,
  id: 'rejectApp',
  path: '/admin/v1/apps/{app_id}/reject',
  summary: 'Send an app back',
  description: 'It is a draft again. Its owner reads the note, and may submit it again.',
  input: {
    ...noInput,
    params: appParams,
    body: Type.Object({ reason, note }, { title: 'AppRejection', ...closed }),
  },
  data: ReviewedApp,
  example: {
    ...aboutApp,
    body: { reason: why, note: 'The redirect address is not yours.' },
    data: {
      ...exampleReviewedApp,
      status: 'draft',
      review_note: 'The redirect address is not yours.',
    },
  },
});

export const disableApp = operation({
  ...acting,
  id: 'disableApp',
  path: '/admin/v1/apps/{app_id}/disable',
  summary: 'Disable an app',
  description: 'For everybody and at once. Its owner reads the note.',
  input: {
    ...noInput,
    params: appParams,
    body: Type.Object({ reason, note }, { title: 'AppDisabling', ...closed }),
  },
  data: ReviewedApp,
  example: {
    ...aboutApp,
    body: { reason: why, note: 'It asked users for passwords.' },
    data: {
      ...approved,
      status: 'disabled',
      disabled_by: 'operator',
      review_note: 'It asked users for passwords.',
    },
  },
});

export const enableApp = operation({
  ...acting,
  id: 'enableApp',
  path: '/admin/v1/apps/{app_id}/enable',
  summary: 'Enable an app again',
  description:
    'One that was approved before is approved again, any other is a draft. Users have to connect it anew.',
  input: {
    ...noInput,
    params: appParams,
    body: Type.Object({ reason }, { title: 'AppEnabling', ...closed }),
  },
  data: ReviewedApp,
  example: { ...aboutApp, body: { reason: why }, data: approved },
});
