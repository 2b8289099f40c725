// Refusals as OAuth clients read them: the error of RFC 6749 for a form, and the challenge of a 401.
import { type AnyOperation, type ErrorCode, errors, type OAuthErrorName } from '@sibyl/contract';
import type { ApiError } from '../handling/handler.ts';
import { statusOf } from './envelope.ts';
import type { Incoming } from './exchange.ts';

export interface OAuthErrorAnswer {
  readonly error: OAuthErrorName;
  readonly error_description: string;
  readonly code: ErrorCode;
  readonly trace_id: string;
}

/** Whether the client reads errors as RFC 6749 has them: it sent a form to an OAuth endpoint. */
export function readsOAuthErrors(
  { headers }: Pick<Incoming, 'headers'>,
  operation: AnyOperation | undefined,
): boolean {
  if (operation?.takesForms !== true) return false;
  const [type = ''] = (headers['content-type'] ?? '').split(';');
  return type.trim().toLowerCase() === 'application/x-www-form-urlencoded';
}

/** `message` is the text of the envelope for the same error. */
export function oauthErrorOf(error: ApiError, message: string, traceId: string): OAuthErrorAnswer {
  return {
    error: nameOf(error),
    error_description: plainText(message),
    code: error.code,
    trace_id: traceId,
  };
}

/** The WWW-Authenticate header of a 401; null for other statuses, and for a form without HTTP Basic. */
export function challengeOf(
  error: ApiError,
  message: string,
  operation: AnyOperation | undefined,
  { headers }: Pick<Incoming, 'headers'>,
): string | null {
  if (statusOf(error) !== 401) return null;
  if (readsOAuthErrors({ headers }, operation)) {
    // Clients stop at a challenge and never read the body, which has the reason.
    const isBasic = /^basic /i.test(headers.authorization ?? '');
    return isBasic && nameOf(error) === 'invalid_client' ? OF_APPS : null;
  }
  if (operation?.takesForms === true) return OF_APPS;
  if (!REJECTED.has(error.code)) return BEARER;
  return `${BEARER}, error="invalid_token", error_description="${plainText(message)}"`;
}

const OF_APPS = 'Basic realm="oauth"';
const BEARER = 'Bearer realm="sibyl"';

/** Codes of a credential that was sent and not accepted. RFC 6750 gives no reason where none was sent. */
const REJECTED: ReadonlySet<ErrorCode> = new Set([
  ...(['AUTH_INVALID', 'WRONG_ENV_KEY', 'TOKEN_EXPIRED'] as const),
  ...(['TOKEN_REVOKED', 'TOKEN_INVALID'] as const),
]);

function nameOf({ code, details }: ApiError): OAuthErrorName {
  if (code === 'VALIDATION_FAILED' && details?.field === 'grant_type') {
    return 'unsupported_grant_type';
  }
  const { status } = errors[code];
  if (status === 429) return 'temporarily_unavailable';
  return NAMES[code] ?? (status >= 500 ? 'server_error' : 'invalid_request');
}

const NAMES: Readonly<Partial<Record<ErrorCode, OAuthErrorName>>> = {
  AUTH_INVALID: 'invalid_client',
  PKCE_INVALID: 'invalid_grant',
  AUTH_CODE_EXPIRED: 'invalid_grant',
  AUTH_CODE_CONSUMED: 'invalid_grant',
  REDIRECT_URI_MISMATCH: 'invalid_grant',
  REFRESH_TOKEN_REUSED: 'invalid_grant',
  TOKEN_INVALID: 'invalid_grant',
  TOKEN_EXPIRED: 'invalid_grant',
  TOKEN_REVOKED: 'invalid_grant',
  SCOPE_NOT_ALLOWED: 'invalid_scope',
  APP_DISABLED: 'unauthorized_client',
  APP_NOT_APPROVED: 'unauthorized_client',
  SERVICE_UNAVAILABLE: 'temporarily_unavailable',
  MAINTENANCE: 'temporarily_unavailable',
  READ_ONLY_MODE: 'temporarily_unavailable',
  UPSTREAM_TIMEOUT: 'temporarily_unavailable',
};

/** The characters that error_description and a quoted string may have: no quotes, backslashes or other alphabets. */
function plainText(message: string): string {
  return message.replaceAll('"', "'").replaceAll(/[^\x20-\x7e]|\\/g, '?');
}
