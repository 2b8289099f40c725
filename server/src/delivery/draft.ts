// A draft of a webhook event: what happened and to whom, before anybody's endpoint is looked at.
import { hash } from 'node:crypto';
import type { WebhookEventType } from '@sibyl/contract';
import type { Lane, State } from '@sibyl/engine';
import type { CommittedCommand } from '@sibyl/lane';
import type { EndpointRecord, EventRecord } from '../ports/webhooks.ts';

export interface Draft {
  readonly type: WebhookEventType;
  /** The account it concerns; null for what everybody may know. */
  readonly accountId: string | null;
  /** The order, market or account whose events must arrive in order. */
  readonly aggregate: string;
  readonly marketId: string | null;
  /** Present where it is told in one of the lanes alone. */
  readonly only?: Lane;
  /** Place of the engine's event among those of its command. */
  readonly index: number;
  /** Tells apart what one event of the engine is twice of the same kind. */
  readonly part?: string;
  /** The state gives what never changes about a market, and what a position is now. */
  readonly data: (state: State, endpoint: EndpointRecord) => object;
  /** Present where endpoints differ in what they call an event: null if this one's is none. */
  readonly variant?: (endpoint: EndpointRecord) => string | null;
}

const ID_LENGTH = 32;

/** The id follows from the journal alone, so a second reading of it gives the same. */
export function eventOf(
  environment: Lane,
  committed: CommittedCommand,
  draft: Draft,
  state: State,
  endpoint: EndpointRecord,
): EventRecord {
  const { command, outcome } = committed;
  const { type, aggregate, index } = draft;
  const place = `${environment} ${command.seq} ${committed.hash} ${index} ${draft.accountId ?? ''}`;
  return {
    eventId: eventIdOf(
      `${place} ${type} ${aggregate} ${draft.part ?? ''} ${draft.variant?.(endpoint) ?? ''}`,
    ),
    environment,
    type,
    aggregate,
    createdAtMs: outcome.atMs,
    data: JSON.stringify(draft.data(state, endpoint)),
    isTest: false,
  };
}

export function eventIdOf(source: string): string {
  return `evt_${hash('sha256', source, 'hex').slice(0, ID_LENGTH)}`;
}
