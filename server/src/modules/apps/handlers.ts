// Apps: registered as drafts, changed and submitted by their owners, with secrets that are shown once.
import {
  type App,
  type AppWithSecret,
  builderAgreement,
  type InputOf,
  limits,
  type Operations,
} from '@sibyl/contract';
import type { Clock } from '@sibyl/lane';
import { builderUser, isReadOnly, nobodyRefusal } from '../../handling/builder-user.ts';
import { freshSecret } from '../../handling/client-secret.ts';
import { cutPage } from '../../handling/cut-page.ts';
import {
  ApiError,
  fail,
  type Handler,
  type Reply,
  type RequestContext,
} from '../../handling/handler.ts';
import { stepUpRefusal } from '../../handling/step-up.ts';
import type { AppAddition, AppChanged, AppRecord } from '../../ports/apps.ts';
import type { PlatformStore, SavedAnswer, UserRecord } from '../../ports/platform.ts';
import type { Random } from '../../ports/random.ts';
import type { Secrets } from '../../ports/secrets.ts';
import { answerOnce, savedAs } from '../../wire/answer-once.ts';
import { appView, oldSecretEndMs } from '../../wire/app-view.ts';
import { Change, changedApp } from './changed-app.ts';
import { FIRST_CAP_BPS, feeRefusal, readWanted } from './wanted-app.ts';

export interface AppParts {
  readonly platform: PlatformStore;
  readonly secrets: Secrets;
  readonly random: Random;
  readonly clock: Clock;
}

type Answer<Data> = Promise<Reply<Data> | ApiError>;
type AppInput = InputOf<Operations['createApp']>['body'];
type AppChangeInput = InputOf<Operations['updateApp']>['body'];

const ID_LENGTH = 16;
const RAW_BYTES = 32;

export function appHandlers(parts: AppParts): {
  readonly createApp: Handler<Operations['createApp']>;
  readonly listApps: Handler<Operations['listApps']>;
  readonly updateApp: Handler<Operations['updateApp']>;
  readonly rotateAppSecret: Handler<Operations['rotateAppSecret']>;
} {
  const answers = { store: parts.platform, clock: parts.clock };
  return {
    createApp: (request, { body }) =>
      answerOnce(answers, request, () => create(parts, request, body)),
    listApps: (request, { query }) => list(parts, request, query),
    updateApp: (request, { params, body }) =>
      answerOnce(answers, request, () => update(parts, request, params.app_id, body)),
    rotateAppSecret: (request, { params }) =>
      answerOnce(answers, request, () => rotate(parts, request, params.app_id)),
  };
}

async function create(
  parts: AppParts,
  request: RequestContext,
  body: AppInput,
): Answer<AppWithSecret> {
  if (await isReadOnly(request)) return fail('READ_ONLY_MODE');
  const user = await builderUser(parts, request);
  if (user === null) return nobodyRefusal('apps');
  const builder = await parts.platform.builders.of(user.userId);
  const { version } = builderAgreement;
  if (builder === null) return fail('OPERATOR_AGREEMENT_MISSING', { version });
  const wanted = readWanted(body);
  if (wanted instanceof ApiError) return wanted;
  const { submit = false, client_type: clientType = 'confidential' } = body;
  const fee = feeRefusal(body.builder_fee_bps ?? 0, FIRST_CAP_BPS);
  if (fee !== null) return fee;
  if (submit && builder.approvedTrack === null) return fail('BUILDER_NOT_APPROVED');
  const nowMs = parts.clock.wallMs();
  const secret = clientType === 'public' ? null : freshSecret(parts, nowMs);
  const app: AppRecord = {
    ...blankApp(parts, user, nowMs),
    ...wanted,
    isPublic: clientType === 'public',
    secret: secret?.kept ?? null,
    ...(submit ? { status: 'in_review', submittedAtMs: nowMs } : {}),
  };
  const shown = { ...appView(app, nowMs), ...shownSecret(secret?.raw ?? null) };
  const saved = savedAs(request, nowMs, withheld(shown));
  const addition = await parts.platform.apps.add(app, limits.apps.perOwnerMax, saved);
  return notAdded(addition) ?? { data: shown };
}

/** All that an owner does not say. */
function blankApp({ random }: AppParts, { userId }: UserRecord, atMs: number): AppRecord {
  const raw = Buffer.from(random.bytes(RAW_BYTES)).toString('base64url');
  return {
    appId: `app_${random.token(ID_LENGTH)}`,
    ownerId: userId,
    name: '',
    verifiedName: null,
    isPublic: false,
    redirectUris: [],
    allowedOrigins: [],
    allowedScopes: [],
    builderFeeBps: 0,
    feeCapBps: FIRST_CAP_BPS,
    widgetKey: `pk_${random.token(ID_LENGTH)}_${raw}`,
    status: 'draft',
    disabledBy: null,
    reviewNote: null,
    secret: null,
    previousSecret: null,
    rotatedAtMs: null,
    createdAtMs: atMs,
    updatedAtMs: atMs,
    submittedAtMs: null,
  };
}

function notAdded(addition: AppAddition): ApiError | null {
  switch (addition) {
    case 'added':
      return null;
    case 'name_taken':
      return nameTaken();
    case 'too_many': {
      const { perOwnerMax } = limits.apps;
      return fail('CONFLICT', { limit: perOwnerMax }, `You have ${perOwnerMax} apps, the most.`);
    }
  }
}

function nameTaken(): ApiError {
  return fail('CONFLICT', { field: 'name' }, 'Another app of yours has this name.');
}

async function list(
  parts: AppParts,
  request: RequestContext,
  query: Readonly<Record<string, unknown>>,
): Answer<App[]> {
  const page = request.page(query);
  const user = await builderUser(parts, request);
  const own = user === null ? [] : await parts.platform.apps.appsOf(user.userId);
  const [createdAtMs, appId] = page.after ?? [];
  const isAfter = (app: AppRecord): boolean =>
    app.createdAtMs > Number(createdAtMs) ||
    (app.createdAtMs === createdAtMs && app.appId > String(appId));
  const found = page.after === null ? own : own.filter(isAfter);
  const { shown, nextCursor } = cutPage(found, page, (last) => [last.createdAtMs, last.appId]);
  const nowMs = parts.clock.wallMs();
  return {
    data: shown.map((app) => appView(app, nowMs)),
    meta: { next_cursor: nextCursor },
  };
}

async function update(
  parts: AppParts,
  request: RequestContext,
  appId: string,
  body: AppChangeInput,
): Answer<App> {
  if (await isReadOnly(request)) return fail('READ_ONLY_MODE');
  const app = await ownApp(parts, request, appId);
  if (app instanceof ApiError) return app;
  const wanted = readWanted(body);
  if (wanted instanceof ApiError) return wanted;
  const builder = await parts.platform.builders.of(app.ownerId);
  const owner = { isApproved: builder !== null && builder.approvedTrack !== null };
  const nowMs = parts.clock.wallMs();
  const change = new Change((before) => changedApp(before, wanted, body, owner, nowMs));
  const expected = change.next(app);
  if (expected === null) return change.refused ?? fail('STATE_CONFLICT');
  const data = appView(expected, nowMs);
  const reason = body.action ?? 'changed by its owner';
  return changed(parts, app, change, reason, nowMs, data, savedAs(request, nowMs, data));
}

async function rotate(
  parts: AppParts,
  request: RequestContext,
  appId: string,
): Answer<AppWithSecret> {
  if (await isReadOnly(request)) return fail('READ_ONLY_MODE');
  const app = await ownApp(parts, request, appId);
  if (app instanceof ApiError) return app;
  const unproved = await stepUpRefusal(parts, request);
  if (unproved !== null) return unproved;
  const nowMs = parts.clock.wallMs();
  const { kept, raw } = freshSecret(parts, nowMs);
  const change = new Change((before) => {
    const refused = rotationRefusal(before, nowMs);
    if (refused !== null) return refused;
    const secrets = { secret: kept, previousSecret: before.secret };
    return { ...before, ...secrets, rotatedAtMs: nowMs, updatedAtMs: nowMs };
  });
  const expected = change.next(app);
  if (expected === null) return change.refused ?? fail('STATE_CONFLICT');
  const shown = { ...appView(expected, nowMs), ...shownSecret(raw) };
  const saved = savedAs(request, nowMs, withheld(shown));
  return changed(parts, app, change, 'rotated', nowMs, shown, saved);
}

function rotationRefusal(app: AppRecord, nowMs: number): ApiError | null {
  const { status, isPublic } = app;
  if (status === 'in_review' || status === 'disabled') return fail('APP_NOT_APPROVED', { status });
  if (isPublic) return fail('STATE_CONFLICT', { reason: 'a public client has no secret' });
  const oldEndsMs = oldSecretEndMs(app, nowMs);
  if (oldEndsMs === null) return null;
  const reason = 'the last rotation is less than a day old';
  return fail('STATE_CONFLICT', { reason, old_secret_expires_at_ms: oldEndsMs });
}

/** Writes the change, unless another one has come between that forbids it. */
async function changed<Data>(
  { platform }: AppParts,
  { appId, ownerId }: AppRecord,
  change: Change,
  reason: string,
  atMs: number,
  data: Data,
  saved: SavedAnswer | undefined,
): Answer<Data> {
  const act = { actor: ownerId, reason, atMs };
  const done: AppChanged | null = await platform.apps.change(appId, act, change.next, saved);
  if (done === null) return fail('NOT_FOUND');
  if (done === 'refused') return change.refused ?? fail('STATE_CONFLICT');
  return typeof done === 'string' ? nameTaken() : { data };
}

/** To everybody but its owner an app does not exist. */
async function ownApp(
  parts: AppParts,
  request: RequestContext,
  appId: string,
): Promise<AppRecord | ApiError> {
  const user = await builderUser(parts, request);
  const app = user === null ? null : await parts.platform.apps.appById(appId);
  return app === null || app.ownerId !== user?.userId ? fail('NOT_FOUND') : app;
}

function shownSecret(
  raw: string | null,
): Pick<AppWithSecret, 'client_secret' | 'secrets_withheld'> {
  return { client_secret: raw, secrets_withheld: false };
}

/** The same answer as a replay may give it. */
function withheld(shown: AppWithSecret): AppWithSecret {
  return { ...shown, client_secret: null, secrets_withheld: true };
}
