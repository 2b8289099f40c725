// The token endpoint: a code or a refresh token for a pair of tokens, each good once.
import type { InputOf, Operations, TokenAnswer } from '@sibyl/contract';
import type { Clock } from '@sibyl/lane';
import { renewalRefusal, scopesInForce } from '../../handling/app-standing.ts';
import {
  answersChallenge,
  type FreshTokens,
  freshTokens,
  isTheSame,
  lastingMs,
  publicPart,
} from '../../handling/app-tokens.ts';
import { ApiError, fail, type Reply, type RequestContext } from '../../handling/handler.ts';
import type { AppRecord } from '../../ports/apps.ts';
import type { CodeRecord, Exchanged, GrantRecord } from '../../ports/grants.ts';
import type { PlatformStore } from '../../ports/platform.ts';
import type { Random } from '../../ports/random.ts';
import type { Secrets } from '../../ports/secrets.ts';
import { callingApp } from './client.ts';

export interface ExchangeParts {
  readonly platform: PlatformStore;
  readonly secrets: Secrets;
  readonly random: Random;
  readonly clock: Clock;
}

type TokenInput = InputOf<Operations['exchangeToken']>['body'];
type Answer = Promise<Reply<TokenAnswer> | ApiError>;

export async function exchangeToken(
  parts: ExchangeParts,
  request: RequestContext,
  body: TokenInput,
): Answer {
  const app = await callingApp(parts, request, body);
  if (app instanceof ApiError) return app;
  return body.grant_type === 'authorization_code'
    ? redeem(parts, app, body)
    : renew(parts, app, body);
}

/** What cannot be verified gets one answer, whatever is wrong with it. */
const UNKNOWN_CODE = 'The code is not one that was issued to this app.';
const UNKNOWN_REFRESH = 'The refresh token is not one that was issued to this app.';

async function redeem(parts: ExchangeParts, app: AppRecord, body: TokenInput): Answer {
  const { code: raw, redirect_uri: redirectUri, code_verifier: verifier } = body;
  if (raw === undefined) return fail('MISSING_FIELD', { field: 'code' });
  if (redirectUri === undefined) return fail('MISSING_FIELD', { field: 'redirect_uri' });
  if (verifier === undefined) return fail('MISSING_FIELD', { field: 'code_verifier' });
  const { grants } = parts.platform;
  const id = publicPart(raw, 'oac');
  const code = id === null ? null : await grants.codeById(id);
  const grant = code === null ? null : await grants.grantById(code.grantId);
  const isKnown = isTheSame(parts.secrets, code, raw) && grant?.appId === app.appId;
  if (!isKnown || code === null || grant === null) {
    return fail('TOKEN_INVALID', undefined, UNKNOWN_CODE);
  }
  const nowMs = parts.clock.wallMs();
  const isUsed = code.consumedAtMs !== null;
  const refused = isUsed ? null : codeRefusal(parts, app, grant, code, { redirectUri, verifier });
  if (refused !== null) return refused;
  const lastsUntilMs = grant.createdAtMs + lastingMs(grant.scopes);
  const issued = freshTokens(parts, grant.grantId, lastsUntilMs, nowMs);
  const done = await grants.exchangeCode(code.publicId, issued.kept, lastsUntilMs, nowMs);
  return notExchanged(done, 'AUTH_CODE_CONSUMED') ?? answerOf(app, grant, issued, nowMs);
}

/** Null if the code may be exchanged, unless somebody else is quicker. */
function codeRefusal(
  { secrets, clock }: ExchangeParts,
  app: AppRecord,
  grant: GrantRecord,
  code: CodeRecord,
  given: { readonly redirectUri: string; readonly verifier: string },
): ApiError | null {
  if (code.expiresAtMs <= clock.wallMs()) return fail('AUTH_CODE_EXPIRED');
  if (given.redirectUri !== code.redirectUri) return fail('REDIRECT_URI_MISMATCH');
  if (!answersChallenge(secrets, given.verifier, code.challenge)) return fail('PKCE_INVALID');
  return renewalRefusal(app, grant.userId, grant.lane);
}

async function renew(parts: ExchangeParts, app: AppRecord, body: TokenInput): Answer {
  const { refresh_token: raw, scope } = body;
  if (raw === undefined) return fail('MISSING_FIELD', { field: 'refresh_token' });
  const { grants } = parts.platform;
  const id = publicPart(raw, 'ort');
  const token = id === null ? null : await grants.tokenById(id);
  const grant = token === null ? null : await grants.grantById(token.grantId);
  const isKnown = isTheSame(parts.secrets, token, raw) && grant?.appId === app.appId;
  if (!isKnown || token === null || grant === null) {
    return fail('TOKEN_INVALID', undefined, UNKNOWN_REFRESH);
  }
  const nowMs = parts.clock.wallMs();
  const isUsed = token.usedAtMs !== null;
  if (!isUsed) {
    if (grant.revokedAtMs !== null) return overOf(app);
    if (token.expiresAtMs <= nowMs) return fail('TOKEN_EXPIRED');
    const refused = renewalRefusal(app, grant.userId, grant.lane) ?? scopeRefusal(grant, scope);
    if (refused !== null) return refused;
  }
  const issued = freshTokens(parts, grant.grantId, grant.expiresAtMs, nowMs);
  const done = await grants.rotate(token.publicId, issued.kept, nowMs);
  return notExchanged(done, 'REFRESH_TOKEN_REUSED') ?? answerOf(app, grant, issued, nowMs);
}

/** Who disabled it ended its grants, and that is what the app has to know. */
function overOf({ status }: AppRecord): ApiError {
  return fail(status === 'disabled' ? 'APP_DISABLED' : 'TOKEN_REVOKED');
}

/** The scopes of a grant never grow, and none of its tokens has fewer. */
function scopeRefusal({ scopes }: GrantRecord, asked: string | undefined): ApiError | null {
  const wanted = (asked ?? '').split(' ').filter((word) => word !== '');
  const beyond = wanted.filter((word) => !scopes.includes(word));
  if (beyond.length === 0) return null;
  return fail('SCOPE_NOT_ALLOWED', { scopes: beyond }, 'A refresh gives no more than was allowed.');
}

function notExchanged(
  done: Exchanged,
  reused: 'AUTH_CODE_CONSUMED' | 'REFRESH_TOKEN_REUSED',
): ApiError | null {
  if (done === 'exchanged') return null;
  return fail(done === 'reused' ? reused : 'TOKEN_REVOKED');
}

function answerOf(
  app: AppRecord,
  grant: GrantRecord,
  issued: FreshTokens,
  nowMs: number,
): Reply<TokenAnswer> {
  const data: TokenAnswer = {
    access_token: issued.access,
    token_type: 'Bearer',
    expires_in: Math.floor((issued.kept.access.expiresAtMs - nowMs) / 1000),
    refresh_token: issued.refresh,
    scope: scopesInForce(grant, app).join(' '),
    grant_id: grant.grantId,
    environment: grant.lane,
    account_id: grant.accountId,
  };
  return { data, headers: { pragma: 'no-cache' } };
}

/** RFC 7009: whoever gives back what is not its own, or over, learns nothing. */
export async function revokeToken(
  parts: ExchangeParts,
  request: RequestContext,
  body: InputOf<Operations['revokeToken']>['body'],
): Promise<Reply<{ revoked: boolean }> | ApiError> {
  const app = await callingApp(parts, request, body);
  if (app instanceof ApiError) return app;
  const { grants } = parts.platform;
  const id = publicPart(body.token, 'oat') ?? publicPart(body.token, 'ort');
  const token = id === null ? null : await grants.tokenById(id);
  const grant = token === null ? null : await grants.grantById(token.grantId);
  const isOwn = isTheSame(parts.secrets, token, body.token) && grant?.appId === app.appId;
  if (isOwn && token !== null && grant !== null) {
    const nowMs = parts.clock.wallMs();
    if (token.kind === 'refresh') await grants.end(grant.grantId, 'app', nowMs);
    else await grants.revokeToken(token.publicId, nowMs);
  }
  return { data: { revoked: true } };
}
