// Which methods a path has: for Allow on a wrong one, and for preflights.
import type { AnyOperation } from '@sibyl/contract';
import { ApiError, fail } from '../handling/handler.ts';
import type { LanesRun } from './environment.ts';

export interface Found {
  /** Decoded, without the query. */
  readonly path: string;
  readonly methods: readonly string[];
  /** The operation that the method would reach. */
  readonly operation: AnyOperation | null;
}

export class Routes {
  readonly #entries: readonly { readonly form: RegExp; readonly operation: AnyOperation }[];

  constructor(operations: Readonly<Record<string, AnyOperation>>, lanesRun: LanesRun) {
    const prefix = lanesRun === 'live' ? '' : '(?:/sandbox)?';
    this.#entries = Object.values(operations).map((operation) => ({
      form: new RegExp(`^${prefix}${operation.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
      operation,
    }));
  }

  at(url: string, method: string): Found {
    // HEAD reaches the operation of GET.
    const read = method === 'HEAD' ? 'GET' : method;
    const queryAt = url.indexOf('?');
    const path = decoded(queryAt === -1 ? url : url.slice(0, queryAt));
    const here = this.#entries.filter(({ form }) => form.test(path));
    return {
      path,
      methods: withHead([...new Set(here.map(({ operation }) => operation.method))]),
      operation: here.find(({ operation }) => operation.method === read)?.operation ?? null,
    };
  }
}

/** Every path that has GET has HEAD. */
export function withHead(methods: readonly string[]): readonly string[] {
  return methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
}

/** Where tools of models will be offered: clients that look for them are told that there are none yet. */
const TOOLS = /^(?:\/sandbox)?\/mcp\/?$/;

const SOCKETS = /^(?:\/sandbox)?\/ws$/;

/** What leads nowhere, whatever the method. */
export function unknownPath(path: string): ApiError {
  if (SOCKETS.test(path)) {
    const message = 'Here is a WebSocket: connect by ws:// or wss://, with Upgrade: websocket.';
    return new ApiError('NOT_FOUND', { message, headers: { upgrade: 'websocket' } });
  }
  return fail(TOOLS.test(path) ? 'MCP_NOT_IMPLEMENTED' : 'NOT_FOUND');
}

export function wrongMethod(method: string, allowed: readonly string[]): ApiError {
  return new ApiError('NOT_FOUND', {
    message: `There is no ${method} here; there is ${allowed.join(' and ')}.`,
    details: { allowed },
    headers: { allow: allowed.join(', ') },
  });
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
