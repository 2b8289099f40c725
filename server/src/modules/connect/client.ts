// Which app calls the token endpoint: by HTTP Basic, by fields of the body, or, if it is a public client, by its id alone.
import { isSecretOf } from '../../handling/client-secret.ts';
import { ApiError, type RequestContext, rejected } from '../../handling/handler.ts';
import type { AppRecord } from '../../ports/apps.ts';
import type { PlatformStore } from '../../ports/platform.ts';
import type { Secrets } from '../../ports/secrets.ts';

export interface ClientParts {
  readonly platform: Pick<PlatformStore, 'apps'>;
  readonly secrets: Secrets;
}

export interface ClientFields {
  readonly client_id?: string;
  readonly client_secret?: string;
}

interface Shown {
  readonly clientId: string;
  readonly secret: string | null;
}

/** An unknown app is answered as one with a wrong secret. */
export async function callingApp(
  { platform, secrets }: ClientParts,
  request: Pick<RequestContext, 'headers' | 'receivedAtMs' | 'countForApp'>,
  body: ClientFields,
): Promise<AppRecord | ApiError> {
  const { authorization: sent } = request.headers;
  // A bearer says nothing of the app, however good it is.
  const authorization = sent?.toLowerCase().startsWith(BASIC) === true ? sent : undefined;
  const shown = authorization === undefined ? inBody(body) : inHeader(authorization, body);
  if (shown instanceof ApiError) return shown;
  const { clientId, secret } = shown;
  const app = await platform.apps.appById(clientId);
  if (app?.isPublic === true && secret === null) return app;
  const isProved = app !== null && isSecretOf(secrets, app, secret ?? '', request.receivedAtMs);
  if (!isProved) return rejected('unknown', UNKNOWN);
  return request.countForApp(app.appId) ?? app;
}

const BASIC = 'basic ';

const UNKNOWN = 'No app has this client_id and secret.';

function inBody({ client_id: clientId, client_secret: secret }: ClientFields): Shown | ApiError {
  if (clientId === undefined) {
    const hint = 'Say which app calls: client_id and client_secret in the body, or by HTTP Basic.';
    return rejected('malformed', hint);
  }
  return { clientId, secret: secret ?? null };
}

/** RFC 6749: both are form-encoded before they are put together. The body may repeat the id, and nothing else. */
function inHeader(header: string, body: ClientFields): Shown | ApiError {
  const encoded = header.slice(BASIC.length).trim();
  const [id, ...rest] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  const [clientId, secret] = [formDecoded(id ?? ''), formDecoded(rest.join(':'))];
  if (clientId === null || secret === null || rest.length === 0) return rejected('malformed');
  const isOther = body.client_id !== undefined && body.client_id !== clientId;
  if (isOther || body.client_secret !== undefined) {
    return rejected('malformed', 'Show who calls in one way: by HTTP Basic or in the body.');
  }
  return { clientId, secret: secret === '' ? null : secret };
}

function formDecoded(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return null;
  }
}
