// The client: every operation of the service as a typed call, in groups.

import type { Envelope } from './answer.ts';
import { type Calls, operations } from './generated/operations.ts';
import { type Listing, listingOf, type Page } from './listing.ts';
import { nameOrders } from './name-orders.ts';
import { type CallOptions, type ClientOptions, type Settings, settingsOf } from './options.ts';
import { fillPath, type Request, Transport } from './transport.ts';
import type { OperationId } from './types.ts';

export interface SibylClient extends Calls {
  /** The same client with another credential. */
  withToken(token: string): SibylClient;
  /** The same client for one of your subaccounts: whatever can be about one is about this. */
  forSubaccount(subaccountId: string): SibylClient;
}

export function createClient(options: ClientOptions = {}): SibylClient {
  return clientOf(settingsOf(options));
}

/**
 * A client for the sandbox with an anonymous key and test money on it: one call from nothing to the
 * first order. The service gives one such key per address and day; a token that is given is used as it is.
 */
export async function createSandboxClient(
  options: Omit<ClientOptions, 'token'> & { readonly token?: string | undefined } = {},
): Promise<SibylClient & { readonly token: string }> {
  const { token: given, ...rest } = options;
  const visitor = createClient(rest);
  if (given !== undefined) return Object.freeze({ ...visitor.withToken(given), token: given });
  const { key_id: token } = await visitor.keys.mintSandbox();
  const client = visitor.withToken(token);
  await client.sandbox.faucet();
  return Object.freeze({ ...client, token });
}

type Operation = (typeof operations)[OperationId];

function clientOf(settings: Settings): SibylClient {
  const transport = new Transport(settings);
  const groups: Record<string, Record<string, unknown>> = {};
  for (const operation of Object.values(operations)) {
    groups[operation.group] ??= {};
    const group = groups[operation.group] ?? {};
    group[operation.name] = callOf(transport, operation, settings.subaccountId);
  }
  const withToken = (token: string): SibylClient => clientOf({ ...settings, token });
  const forSubaccount = (subaccountId: string): SibylClient =>
    clientOf({ ...settings, subaccountId });
  // The generated interface and the generated table come from one source, so the groups are all there.
  return Object.freeze({ ...groups, withToken, forSubaccount }) as unknown as SibylClient;
}

type Parts = {
  readonly ids: readonly string[];
  readonly body: unknown;
  readonly query: Readonly<Record<string, unknown>>;
  readonly options: CallOptions;
};

function callOf(
  transport: Transport,
  operation: Operation,
  subaccountId: string | null,
): (...values: unknown[]) => unknown {
  const idCount = operation.path.split('{').length - 1;
  return (...values) => {
    const given = partsOf(operation, idCount, values);
    const parts = subaccountId === null ? given : about(operation, given, subaccountId);
    if (!operation.list) return call(transport, operation, parts);
    return listCall(transport, operation, parts);
  };
}

async function call(transport: Transport, operation: Operation, parts: Parts): Promise<unknown> {
  const { data } = await transport.send(requestOf(operation, parts), parts.options);
  return data;
}

function listCall(transport: Transport, operation: Operation, parts: Parts): Listing<unknown> {
  return listingOf(async (cursor) => {
    const query = cursor === null ? parts.query : { ...parts.query, cursor };
    return pageOf(await transport.send(requestOf(operation, { ...parts, query }), parts.options));
  });
}

function requestOf(operation: Operation, parts: Parts): Request {
  return {
    operation: `${operation.group}.${operation.name}`,
    method: operation.method,
    path: fillPath(operation.path, parts.ids),
    query: parts.query,
    body: nameOrders(operation, parts.body, parts.query),
    keyed: operation.keyed,
    repeatable: operation.repeatable,
  };
}

/** The call with the subaccount that it is about, unless it names one itself. */
function about(operation: Operation, parts: Parts, subaccountId: string): Parts {
  const named = { subaccount_id: subaccountId };
  switch (operation.subaccount) {
    case 'body':
      return { ...parts, body: { ...named, ...Object(parts.body) } };
    case 'query':
      return { ...parts, query: { ...named, ...parts.query } };
    case 'none':
      return parts;
  }
}

/** Arguments come in one fixed order: ids of the path, body, query, options. */
function partsOf(operation: Operation, idCount: number, values: readonly unknown[]): Parts {
  const ids = values.slice(0, idCount).map(String);
  let next = idCount;
  const body = operation.body ? values[next++] : undefined;
  const query = operation.query ? values[next++] : undefined;
  return {
    ids,
    body,
    query: (query ?? {}) as Parts['query'],
    options: (values[next] ?? {}) as CallOptions,
  };
}

function pageOf(envelope: Envelope): Page<unknown> {
  const { next_cursor: cursor, total_count: total } = envelope.meta;
  return {
    items: Array.isArray(envelope.data) ? envelope.data : [],
    nextCursor: typeof cursor === 'string' ? cursor : null,
    totalCount: typeof total === 'number' ? total : null,
  };
}
