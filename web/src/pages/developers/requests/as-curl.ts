// A request of the log as a command that can be run again. The credential is never in the log, so a variable stands for it.
import type { Answer } from '@sibyl/sdk';

type Request = Pick<
  Answer<'getRequest'>,
  'method' | 'path' | 'request_headers' | 'request_body' | 'request_body_bytes'
>;

/** What a program that sends it again must say; the rest its tools say by themselves. */
const SENT = new Set(['content-type', 'idempotency-key', 'accept-language']);

export function asCurl(origin: string, request: Request): string {
  const { method, path, request_headers: headers, request_body: body } = request;
  const lines = [`curl -X ${method} ${quoted(origin + path)}`, '-H "Authorization: Bearer $KEY"'];
  for (const { name, value } of headers) {
    if (SENT.has(name.toLowerCase())) lines.push(`-H ${quoted(`${name}: ${value}`)}`);
  }
  if (body !== null && body !== '') lines.push(`--data-raw ${quoted(body)}`);
  return lines.join(' \\\n  ');
}

/** One argument of a shell, whatever is in it. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
