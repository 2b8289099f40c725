// What the log of requests shows of a request. Only what is known to be harmless is shown: a list of headers, plain parameters,
// and bodies that can be read as JSON, field by field. Every step takes time in proportion to what it reads.
import { withoutSecrets } from '../gateway/without-secrets.ts';

export interface ShownHead {
  readonly method: string;
  readonly path: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
}

const CUT = '[cut]';

/** All others may be credentials, or what a proxy on the way here added for the exchange alone. */
const SHOWN_HEADERS: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'connection',
  'content-length',
  'content-type',
  'expect',
  'host',
  'idempotency-key',
  'origin',
  'transfer-encoding',
  'user-agent',
]);

/** Names of what is nobody's business, whatever their values are. */
const SECRET_NAME =
  /secret|passw|passphrase|pwd|token|signature|authorization|cookie|credential|otp|(?:api|private|access|raw)[-_]?key/i;
/** What must not stand in a text either. */
const SECRET_TEXT = /secret|passw|passphrase|whsec_|private[-_ ]?key/i;
const PLAIN_NAME = /^[a-z][a-z0-9_]{0,63}$/;

/** Of the first line and the lines behind it; one that was cut off says nothing. */
export function shownHead(head: string): ShownHead {
  const [first = '', ...lines] = head.split('\r\n');
  const [method = '', url = ''] = first.split(' ');
  const headers = lines.flatMap((line) => {
    const colon = line.indexOf(':');
    return colon < 1 ? [] : [shownHeader(line.slice(0, colon), line.slice(colon + 1).trim())];
  });
  return { method, path: shownUrl(url), headers };
}

function shownHeader(given: string, value: string): readonly [string, string] {
  const name = given.toLowerCase();
  return [name, SHOWN_HEADERS.has(name) ? shownText(value) : CUT];
}

function shownUrl(url: string): string {
  const queryAt = url.indexOf('?');
  if (queryAt === -1) return withoutSecrets(url);
  const parameters = url
    .slice(queryAt + 1)
    .split('&')
    .map(shownParameter);
  return `${withoutSecrets(url.slice(0, queryAt))}?${parameters.join('&')}`;
}

function shownParameter(parameter: string): string {
  const equals = parameter.indexOf('=');
  if (equals === -1) return PLAIN_NAME.test(parameter) ? parameter : CUT;
  const name = parameter.slice(0, equals);
  if (!PLAIN_NAME.test(name)) return CUT;
  const value = parameter.slice(equals + 1);
  return `${name}=${SECRET_NAME.test(name) ? CUT : shownText(value)}`;
}

/** Text of JSON, be it whole or not; of what is no JSON, nothing. */
export function shownBody(text: string | null): string | null {
  if (text === null || text === '') return text;
  try {
    const value: unknown = JSON.parse(text);
    return JSON.stringify(isHarmless(text) ? value : shownValue(value));
  } catch {
    return isHarmless(text) && BEGINNING.test(text) ? text : shownBeginning(text);
  }
}

/** Most bodies are. What stands in one of their texts stands in the whole as well, unless it is escaped. */
function isHarmless(text: string): boolean {
  return (
    !text.includes('\\') &&
    !SECRET_NAME.test(text) &&
    !SECRET_TEXT.test(text) &&
    withoutSecrets(text) === text
  );
}

function shownValue(value: unknown): unknown {
  if (typeof value === 'string') return shownText(value);
  if (Array.isArray(value)) return value.map(shownValue);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      shownText(name),
      SECRET_NAME.test(name) ? CUT : shownValue(inner),
    ]),
  );
}

/** A text in which a secret is spoken of is cut as a whole: nobody can tell where it ends. */
function shownText(text: string): string {
  return SECRET_TEXT.test(text) ? CUT : withoutSecrets(text);
}

/** JSON that was cut off, without escapes: no two of its parts begin alike, so that it is read in one go. */
const BEGINNING = /^(?:"[^"\\\p{Cc}]*"|[\s{}[\]:,0-9.eE+\-truefalsn])*(?:"[^"\\\p{Cc}]*)?$/u;
const TOKEN = /"(?:[^"\\]|\\.)*"|[\s{}[\]:,0-9.eE+\-truefalsn]+/y;

/** JSON that was cut off: as far as it can be read, and no further than the first name of a secret. */
function shownBeginning(text: string): string {
  let shown = '';
  let reached = 0;
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(text); match !== null; match = TOKEN.exec(text)) {
    const [token] = match;
    const word = token.startsWith('"') ? wordOf(token) : '';
    if (word === null || SECRET_NAME.test(word)) break;
    shown += token.startsWith('"') ? JSON.stringify(shownText(word)) : token;
    reached = TOKEN.lastIndex;
  }
  const rest = text.slice(reached);
  if (rest === '') return shown;
  const word = rest.startsWith('"') ? wordOf(`${rest.replace(LAST_ESCAPE, '')}"`) : null;
  // What cannot be read as one text may hold the value of a secret.
  if (word === null || SECRET_NAME.test(word)) return `${shown}${CUT}`;
  return shown + JSON.stringify(shownText(word)).slice(0, -1);
}

/** An escape that was cut off with the text. */
const LAST_ESCAPE = /\\(?:u[0-9a-fA-F]{0,3})?$/;

/** Null for what only looks like a text. */
function wordOf(token: string): string | null {
  try {
    return JSON.parse(token);
  } catch {
    return null;
  }
}
