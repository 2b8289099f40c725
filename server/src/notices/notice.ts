// A notice: what an event of the engine is told as and to whom, before anybody who listens is looked at.
import {
  type Aggregate,
  isWebhookEventType,
  type StreamMessageType,
  type WebhookEventType,
  webhookEvents,
} from '@sibyl/contract';
import type { LaneName, State } from '@sibyl/engine';
import type { EndpointRecord } from '../ports/webhooks.ts';

export interface Notice {
  /** Null for what streams alone tell. */
  readonly webhook: WebhookEventType | null;
  /** Null for what webhooks alone tell. */
  readonly message: StreamMessageType | null;
  /** The account it concerns; null for what everybody may know. */
  readonly accountId: string | null;
  /** The order, market or account whose events must reach an endpoint in order. */
  readonly aggregate: string;
  readonly marketId: string | null;
  /** Present where it is told in one of the lanes alone. */
  readonly only?: LaneName;
  /** Place of the engine's event among those of its command. */
  readonly index: number;
  /** Tells apart what one event of the engine is twice of the same kind. */
  readonly part?: string;
  readonly turn: Turn;
  /** The state gives what never changes about a market, and what a position is now. Streams have no endpoint. */
  readonly data: (state: State, endpoint: EndpointRecord | null) => object;
  /** Present where endpoints differ in what they call an event: null if this one's is none. */
  readonly variant?: (endpoint: EndpointRecord) => string | null;
}

/** One that webhooks tell. */
export type WebhookNotice = Notice & { readonly webhook: WebhookEventType };

/** When it is told, among the notices of one command; within a turn in the order of the events. */
export const TURNS = { amended: 0, event: 1, money: 2, refused: 3, switched: 4 } as const;
export type Turn = (typeof TURNS)[keyof typeof TURNS];

/** A type of webhook, which has the message that the contract gives it; or a message that comes without a webhook. */
export type ToldAs = WebhookEventType | StreamMessageType;

export type Audience = 'everybody' | 'owner';

/** Of one notice, beside its type. */
export interface Facts<Who extends Audience> extends Pick<Notice, 'index' | 'data'> {
  readonly accountId: Who extends 'owner' ? string : null;
  /** Of the order, market or account whose events stay in order; the platform's have none. */
  readonly id?: string;
  /** Where it is another than the contract says of the type. */
  readonly aggregate?: Aggregate;
  readonly marketId?: string;
  readonly only?: LaneName;
  readonly part?: string;
  readonly turn?: Turn;
  readonly variant?: NonNullable<Notice['variant']>;
}

/** Takes notices of these types, and of no others. */
export type Say<Who extends Audience, Name extends ToldAs> = (
  name: Name,
  facts: Facts<Who>,
) => void;

export function noticeOf(name: ToldAs, facts: Facts<Audience>): Notice {
  const { id, aggregate: given, marketId = null, turn = TURNS.event, ...rest } = facts;
  if (!isWebhookEventType(name)) {
    return { ...rest, webhook: null, message: name, aggregate: '', marketId, turn };
  }
  const { message, aggregate: usual } = webhookEvents[name];
  const kind = given ?? usual;
  const aggregate = id === undefined ? kind : `${kind}:${id}`;
  return { ...rest, webhook: name, message, aggregate, marketId, turn };
}
