// The request as handlers see it.
import { type Actor, asAccountId, type CommandKey } from '@sibyl/engine';
import type { Lane } from '@sibyl/lane';
import { assert } from '@sibyl/money';
import type { Credential, LaneName, RequestContext } from '../handling/handler.ts';
import { chargeHash, countForApp, perMinuteOf } from './charging.ts';
import { filterOf, openPage } from './cursor.ts';
import type { Incoming } from './exchange.ts';
import type { Admission, Services } from './gate.ts';

/** Strangers read. Should a command ever be sent in their name, the engine finds no such account. */
const NOBODY: Actor = Object.freeze({
  kind: 'account',
  accountId: asAccountId('acc_nobody'),
  keyId: null,
});

export function requestContext(
  services: Services,
  { id, headers, raw }: Pick<Incoming, 'id' | 'headers' | 'raw'>,
  admission: Admission,
  lane: Lane,
  idempotency: CommandKey | undefined,
): RequestContext {
  const { grant, client, route, operator } = admission;
  assert(route !== null, 'a handler is only called on a route');
  const { operation } = route;
  const credential = grant?.credential ?? null;
  const token = credential?.kind === 'token' ? credential : null;
  const accountId = credential === null ? null : credential.accounts[lane.name];
  return {
    requestId: id,
    operation,
    headers,
    receivedAtMs: admission.receivedAtMs,
    ip: client.ip,
    ipBucket: client.bucket,
    connection: raw.socket,
    address: route.address,
    laneName: lane.name,
    lane,
    lanes: services.lanes,
    credential,
    operator,
    accountId,
    actor: credential === null ? NOBODY : actorOf(credential, lane.name),
    permissions: grant?.permissions ?? [],
    tier: grant?.tier ?? null,
    caps: grant?.caps ?? null,
    grant: token?.terms ?? null,
    readsOrders: token === null || token.scopes.includes('account:read'),
    builder: token?.builder ?? (credential?.kind === 'key' ? credential.builder : null),
    restrictions: grant?.restrictions ?? null,
    rateMultiplier: grant?.multiplier ?? 1,
    perMinute: perMinuteOf(services, admission),
    announced: grant?.announced ?? [],
    execution: admission.execution,
    spentNonce: admission.claim?.spent ?? null,
    idempotency,
    countForApp: (appId) => countForApp(services, admission, appId),
    chargeHash: () => chargeHash(services, admission),
    page(query) {
      // What everybody reads is the same list for whoever turns out to be reading it.
      const isEverybodys = operation.auth === 'public';
      const holder = isEverybodys ? '' : (accountId ?? operator?.operatorId ?? '');
      const binding = `${lane.name} ${holder} ${operation.id} ${filterOf(query)}`;
      return openPage(services.secrets, binding, query);
    },
  };
}

function actorOf(credential: Credential, lane: LaneName): Actor {
  const keyId = credential.kind === 'key' ? credential.publicId : null;
  return { kind: 'account', accountId: credential.accounts[lane], keyId };
}
