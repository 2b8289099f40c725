// The request as handlers see it.
import type { IncomingHttpHeaders } from 'node:http';
import type { AnyOperation, Permission, RateCategory, Tier } from '@sibyl/contract';
import {
  type AccountId,
  type Actor,
  asAccountId,
  type BuilderFee,
  type CommandKey,
  type GrantTerms,
  type TierCaps,
} from '@sibyl/engine';
import type { Lane } from '@sibyl/lane';
import { assert } from '@sibyl/money';
import type {
  Credential,
  LaneName,
  OperatorIdentity,
  Page,
  RequestContext,
} from '../handling/handler.ts';
import type { Secrets } from '../ports/secrets.ts';
import { filterOf, openPage } from './cursor.ts';
import type { Incoming } from './exchange.ts';
import { type Admission, perMinuteOf, type Services } from './gate.ts';

/** Strangers read. Should a command ever be sent in their name, the engine finds no such account. */
const NOBODY: Actor = Object.freeze({
  kind: 'account',
  accountId: asAccountId('acc_nobody'),
  keyId: null,
});

export class GatewayRequest implements RequestContext {
  readonly requestId: string;
  readonly operation: AnyOperation;
  readonly headers: IncomingHttpHeaders;
  readonly receivedAtMs: number;
  readonly ip: string;
  readonly ipBucket: string;
  readonly address: LaneName;
  readonly laneName: LaneName;
  readonly lane: Lane;
  readonly lanes: Readonly<Partial<Record<LaneName, Lane>>>;
  readonly credential: Credential | null;
  readonly operator: OperatorIdentity | null;
  readonly accountId: AccountId | null;
  readonly actor: Actor;
  readonly permissions: readonly Permission[];
  readonly tier: Tier | null;
  readonly caps: TierCaps | null;
  readonly grant: GrantTerms | null;
  readonly builder: BuilderFee | null;
  readonly restrictions: RequestContext['restrictions'];
  readonly rateMultiplier: number;
  readonly perMinute: Readonly<Record<RateCategory, number>>;
  readonly announced: RequestContext['announced'];
  readonly execution: 'hybrid' | 'mid';
  readonly spentNonce: string | null;
  readonly idempotency: CommandKey | undefined;
  readonly #secrets: Secrets;

  constructor(
    services: Services,
    { id, headers }: Pick<Incoming, 'id' | 'headers'>,
    admission: Admission,
    lane: Lane,
    idempotency: CommandKey | undefined,
  ) {
    const { grant, client, route } = admission;
    assert(route !== null, 'a handler is only called on a route');
    const credential = grant?.credential ?? null;
    this.requestId = id;
    this.operation = route.operation;
    this.headers = headers;
    this.receivedAtMs = admission.receivedAtMs;
    this.ip = client.ip;
    this.ipBucket = client.bucket;
    this.address = route.address;
    this.laneName = lane.name;
    this.lane = lane;
    this.lanes = services.lanes;
    this.credential = credential;
    this.operator = admission.operator;
    this.accountId = credential === null ? null : credential.accounts[lane.name];
    this.actor = credential === null ? NOBODY : actorOf(credential, lane.name);
    this.permissions = grant?.permissions ?? [];
    this.tier = grant?.tier ?? null;
    this.caps = grant?.caps ?? null;
    this.grant = credential?.kind === 'token' ? credential.terms : null;
    this.builder = credential?.kind === 'token' ? credential.builder : null;
    this.restrictions = grant?.restrictions ?? null;
    this.rateMultiplier = grant?.multiplier ?? 1;
    this.perMinute = perMinuteOf(services, admission);
    this.announced = grant?.announced ?? [];
    this.execution = admission.execution;
    this.spentNonce = admission.claim?.spent ?? null;
    this.idempotency = idempotency;
    this.#secrets = services.secrets;
  }

  page(query: Readonly<Record<string, unknown>>): Page {
    const { laneName, accountId, operation } = this;
    // What everybody reads is the same list for whoever turns out to be reading it.
    const isEverybodys = operation.auth === 'public';
    const holder = isEverybodys ? '' : (accountId ?? this.operator?.operatorId ?? '');
    const binding = `${laneName} ${holder} ${operation.id} ${filterOf(query)}`;
    return openPage(this.#secrets, binding, query);
  }
}

function actorOf(credential: Credential, lane: LaneName): Actor {
  const keyId = credential.kind === 'key' ? credential.publicId : null;
  return { kind: 'account', accountId: credential.accounts[lane], keyId };
}
