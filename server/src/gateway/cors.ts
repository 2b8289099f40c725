// Which pages may read answers: public reads and the tokens of apps every page, the rest only pages the operator names.
import { type AnyOperation, responseHeaders } from '@sibyl/contract';

const EXPOSED = Object.keys(responseHeaders).join(', ');
const REQUEST_HEADERS = 'authorization, content-type, idempotency-key, x-api-key';
const PREFLIGHT_SEC = '600';

export class Cors {
  readonly #origins: ReadonlySet<string>;

  constructor(allowedOrigins: readonly string[]) {
    this.#origins = new Set(allowedOrigins);
  }

  /** No ambient credentials are ever allowed: bearers are sent on purpose or not at all. */
  headers(origin: string, operation: AnyOperation | null): Readonly<Record<string, string>> {
    if (operation !== null && isOpen(operation)) {
      return { 'access-control-allow-origin': '*', 'access-control-expose-headers': EXPOSED };
    }
    if (!this.#origins.has(origin)) return { vary: 'Origin' };
    return {
      'access-control-allow-origin': origin,
      'access-control-expose-headers': EXPOSED,
      vary: 'Origin',
    };
  }

  preflight(
    origin: string,
    operation: AnyOperation | null,
    methods: readonly string[],
  ): Readonly<Record<string, string>> {
    const headers = this.headers(origin, operation);
    if (!('access-control-allow-origin' in headers)) return headers;
    return {
      ...headers,
      'access-control-allow-methods': methods.join(', '),
      'access-control-allow-headers': REQUEST_HEADERS,
      'access-control-max-age': PREFLIGHT_SEC,
    };
  }
}

/** An app in a browser exchanges its code itself; who calls is in the request, and nowhere else. */
const OF_APPS: ReadonlySet<string> = new Set(['exchangeToken', 'revokeToken']);

function isOpen({ id, auth, method }: AnyOperation): boolean {
  return (auth === 'public' && method === 'GET') || OF_APPS.has(id);
}
