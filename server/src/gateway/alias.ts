// Legacy paths: rewritten before routing, and named in X-Canonical-Path.
import type { IncomingMessage } from 'node:http';
import { aliases, canonicalPath } from '@sibyl/contract';

const SANDBOX_PREFIX = '/sandbox';

/** First words of alias paths; any other path is canonical without a closer look. */
const aliasWords: ReadonlySet<string> = new Set(aliases.map(({ from }) => firstWord(from)));

const rewritten = new WeakMap<object, string>();

/** The URL to route by. */
export function rewriteAlias(request: IncomingMessage): string {
  const url = request.url ?? '/';
  const isSandboxed = url.startsWith(`${SANDBOX_PREFIX}/`);
  const local = isSandboxed ? url.slice(SANDBOX_PREFIX.length) : url;
  if (!aliasWords.has(firstWord(local))) return url;
  const queryAt = local.indexOf('?');
  const path = queryAt === -1 ? local : local.slice(0, queryAt);
  const canonical = canonicalPath(path);
  if (canonical === null) return url;
  rewritten.set(request, canonical);
  return `${isSandboxed ? SANDBOX_PREFIX : ''}${canonical}${local.slice(path.length)}`;
}

/** What an alias was rewritten to, relative to the address; undefined if the path was canonical. */
export function canonicalOf(request: object): string | undefined {
  return rewritten.get(request);
}

/** `/v1/order` of `/v1/order/ord_1?x`, `/api/v1` of anything below it. */
function firstWord(path: string): string {
  const second = path.indexOf('/', 1);
  if (second === -1) return path;
  let end = second + 1;
  while (end < path.length && path[end] !== '/' && path[end] !== '?') end += 1;
  return path.slice(0, end);
}
