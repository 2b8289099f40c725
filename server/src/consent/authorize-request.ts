// What an app asks of a user by leading them to the consent page, and what is wrong with it.
import { scopes as knownScopes, limits } from '@sibyl/contract';
import { isRegistered } from '../handling/app-addresses.ts';
import type { LaneName } from '../handling/handler.ts';
import type { AppRecord, AppStore } from '../ports/apps.ts';

/** Where the answer goes: nothing is ever sent anywhere before this is known to be right. */
export interface ReturnAddress {
  readonly app: AppRecord;
  readonly redirectUri: string;
  /** As it came; null if none did. */
  readonly state: string | null;
}

export interface AuthorizeRequest extends ReturnAddress {
  readonly scopes: readonly string[];
  readonly challenge: string;
  readonly lane: LaneName;
  /** What the app would be content with, in USDT a day; empty if it says nothing. */
  readonly dailyCap: string;
}

/** Codes of OAuth, as they are told to the app. */
export type OAuthError =
  | 'invalid_request'
  | 'unauthorized_client'
  | 'access_denied'
  | 'unsupported_response_type'
  | 'invalid_scope'
  | 'server_error'
  | 'temporarily_unavailable';

/** `unsafe` must not be answered by a redirect: who asks is unknown, or where to answer. */
export type Asked =
  | { readonly kind: 'unsafe'; readonly fault: 'client' | 'redirect_uri' | 'repeated' }
  | {
      readonly kind: 'refused';
      readonly to: ReturnAddress;
      readonly error: OAuthError;
      readonly description: string;
      /** Of the link itself, to be told to the app alone: anybody may have written them. */
      readonly words: readonly string[];
    }
  | { readonly kind: 'asked'; readonly request: AuthorizeRequest };

/** Nothing, or an amount; the person may write another. */
const CAP = /^(?:\d{1,12}(?:\.\d{1,6})?)?$/;
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/;

export async function readAuthorizeRequest(
  apps: Pick<AppStore, 'appById'>,
  query: URLSearchParams,
  lanes: readonly LaneName[],
): Promise<Asked> {
  const names = [...query.keys()];
  if (new Set(names).size < names.length) return { kind: 'unsafe', fault: 'repeated' };
  const app = await apps.appById(query.get('client_id') ?? '');
  if (app === null || app.status === 'disabled') return { kind: 'unsafe', fault: 'client' };
  const redirectUri = query.get('redirect_uri') ?? '';
  const isKnown =
    redirectUri.length <= limits.apps.uriLengthMax && isRegistered(app.redirectUris, redirectUri);
  if (!isKnown) return { kind: 'unsafe', fault: 'redirect_uri' };
  return readWishes({ app, redirectUri, state: query.get('state') }, query, lanes);
}

function readWishes(to: ReturnAddress, query: URLSearchParams, lanes: readonly LaneName[]): Asked {
  const refused = (
    error: OAuthError,
    description: string,
    words: readonly string[] = [],
  ): Asked => ({ kind: 'refused', to, error, description, words });
  if (query.get('response_type') !== 'code') {
    return refused('unsupported_response_type', 'response_type must be code');
  }
  const challenge = query.get('code_challenge') ?? '';
  if (query.get('code_challenge_method') !== 'S256' || !CHALLENGE.test(challenge)) {
    return refused('invalid_request', 'PKCE is required: code_challenge by S256');
  }
  const scopes = (query.get('scope') ?? '').split(' ').filter((word) => word !== '');
  const beyond = scopes.filter((scope) => !isScope(to.app, scope));
  if (scopes.length === 0) return refused('invalid_scope', 'scope is required');
  if (beyond.length > 0) {
    return refused('invalid_scope', 'not among the scopes of the app', beyond);
  }
  const lane = laneOf(query.get('environment'), to.app, lanes);
  if (lane === null) {
    return refused('invalid_request', `environment must be ${lanes.join(' or ')}`);
  }
  const dailyCap = query.get('daily_cap') ?? '';
  if (!CAP.test(dailyCap)) return refused('invalid_request', 'daily_cap must be an amount in USDT');
  const asked = { scopes: [...new Set(scopes)], challenge, lane, dailyCap };
  return { kind: 'asked', request: { ...to, ...asked } };
}

function isScope({ allowedScopes }: AppRecord, scope: string): boolean {
  return allowedScopes.includes(scope) && Object.hasOwn(knownScopes, scope);
}

/** Unless told, real money with an app that is approved, and the sandbox with any other. */
function laneOf(
  asked: string | null,
  { status }: AppRecord,
  lanes: readonly LaneName[],
): LaneName | null {
  if (asked !== null) return lanes.find((lane) => lane === asked) ?? null;
  const usual = status === 'approved' ? 'live' : 'sandbox';
  return lanes.find((lane) => lane === usual) ?? lanes[0] ?? null;
}

/** The redirect to the app, with who answers in it (RFC 9207). */
export function answerUrl(
  { redirectUri, state }: ReturnAddress,
  issuer: string,
  fields: Readonly<Record<string, string>>,
): string {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries(fields)) url.searchParams.append(name, value);
  if (state !== null) url.searchParams.append('state', state);
  url.searchParams.append('iss', issuer);
  return url.href;
}
