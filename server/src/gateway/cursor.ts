// Cursors of lists: opaque, authenticated, and good only for the list and filter they came from, and the caller if it is not everybody's.
import { limits } from '@sibyl/contract';
import { fail, type Page, type Position } from '../handling/handler.ts';
import type { Secrets } from '../ports/secrets.ts';

/** Half a digest is enough against guessing, and keeps cursors short. */
const TAG_LENGTH = 22;
const PARTS_MAX = 8;

/** `binding` names who asks for what: account, lane, operation and filter. */
export function openPage(
  secrets: Secrets,
  binding: string,
  query: Readonly<Record<string, unknown>>,
): Page {
  const { cursor, limit } = query;
  // The schema of every other list has filled in its limit.
  const unsaid = cursor === undefined ? Number.POSITIVE_INFINITY : limits.page.limitDefault;
  return {
    limit: typeof limit === 'number' ? limit : unsaid,
    after: typeof cursor === 'string' ? readCursor(secrets, binding, cursor) : null,
    cursor: (position) => writeCursor(secrets, binding, position),
  };
}

/** The filter of a list as text: the query without its paging, in a fixed order. */
export function filterOf(query: Readonly<Record<string, unknown>>): string {
  const names = Object.keys(query).filter((name) => name !== 'cursor' && name !== 'limit');
  return JSON.stringify(names.sort().map((name) => [name, query[name]]));
}

function writeCursor(secrets: Secrets, binding: string, position: Position): string {
  const payload = Buffer.from(JSON.stringify(position)).toString('base64url');
  return `${tagOf(secrets, binding, payload)}${payload}`;
}

function readCursor(secrets: Secrets, binding: string, cursor: string): Position {
  const payload = cursor.slice(TAG_LENGTH);
  if (!secrets.isEqual(cursor.slice(0, TAG_LENGTH), tagOf(secrets, binding, payload))) {
    throw fail('VALIDATION_FAILED', {
      field: 'cursor',
      expected: 'meta.next_cursor of the page before, with the same filter and credential',
    });
  }
  // Only what this server wrote gets here, so it is of the right form.
  return decodePosition(Buffer.from(payload, 'base64url').toString('utf8'));
}

function decodePosition(text: string): Position {
  const parts: unknown = JSON.parse(text);
  if (!Array.isArray(parts) || parts.length > PARTS_MAX)
    throw new Error('a cursor of another form');
  return parts.map((part: unknown) => {
    if (typeof part === 'string' || typeof part === 'number') return part;
    throw new Error('a cursor of another form');
  });
}

function tagOf(secrets: Secrets, binding: string, payload: string): string {
  return secrets.digest('cursor', `${binding}\n${payload}`).slice(0, TAG_LENGTH);
}
