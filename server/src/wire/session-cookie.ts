// The cookie that keeps a person signed in while a page is loaded anew: how it is written, and who may ask for it.
import { limits } from '@sibyl/contract';
import { type ApiError, fail, type RequestContext } from '../handling/handler.ts';
import { callerOf } from './calling-page.ts';

type Called = Pick<RequestContext, 'headers'>;

type CookieHeader = { readonly 'set-cookie': string };

const FOREIGN_MESSAGE =
  'The session cookie is only for pages of this exchange. Call from such a page, or send no cookie and use session_token as a bearer.';

/** Of either kind of address; whether the session goes on is another question. */
const SHOWN = /(?:^|;\s*)(?:__Host-)?sibyl_session=[^;\s]/;

/** Whether a browser brings a session along to a page. */
export function showsSession({ headers }: Called): boolean {
  return headers.cookie !== undefined && SHOWN.test(headers.cookie);
}

export class SessionCookie {
  readonly #publicUrl: string | null;
  readonly #isSecure: boolean;
  readonly #name: string;

  constructor(publicUrl: string | null) {
    this.#publicUrl = publicUrl;
    this.#isSecure = publicUrl?.startsWith('https:') === true;
    // With the prefix, browsers take it from this very host only, and only over https.
    this.#name = this.#isSecure ? '__Host-sibyl_session' : 'sibyl_session';
  }

  /** Has the browser keep the token as long as its session lasts. */
  keep(token: string): CookieHeader {
    return this.#header(token, limits.session.lifetimeMs / 1000);
  }

  clear(): CookieHeader {
    return this.#header('', 0);
  }

  /** Null if the request has none. */
  read({ headers }: Called): string | null {
    const start = `${this.#name}=`;
    const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim());
    return pairs.find((pair) => pair.startsWith(start))?.slice(start.length) ?? null;
  }

  /**
   * Why a call may not go on that sets the cookie or could read it. Browsers send cookies along whoever wrote the page,
   * so only a page of ours may; a program has no cookie, and is refused if it says that it has or wants one.
   */
  refusal(request: Called, isInvolved: boolean): ApiError | null {
    const caller = callerOf(request, this.#publicUrl);
    if (caller === 'own_page' || (caller === 'program' && !isInvolved)) return null;
    return fail('SCOPE_NOT_ALLOWED', { reason: caller }, FOREIGN_MESSAGE);
  }

  isOwnPage(request: Called): boolean {
    return callerOf(request, this.#publicUrl) === 'own_page';
  }

  /** Lax and not Strict: who follows a link to a page of ours is still signed in there. */
  #header(value: string, maxAgeSec: number): CookieHeader {
    const attributes = `Path=/; HttpOnly; SameSite=Lax; Max-Age=${maxAgeSec}`;
    return {
      'set-cookie': `${this.#name}=${value}; ${attributes}${this.#isSecure ? '; Secure' : ''}`,
    };
  }
}
