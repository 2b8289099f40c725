// The event of a webhook as it is recorded for an endpoint.
import { hash } from 'node:crypto';
import type { LaneName, State } from '@sibyl/engine';
import type { CommittedCommand } from '@sibyl/lane';
import type { WebhookNotice } from '../notices/notice.ts';
import type { EndpointRecord, EventRecord } from '../ports/webhooks.ts';

const ID_LENGTH = 32;

/** The id follows from the journal alone, so a second reading of it gives the same. */
export function eventOf(
  environment: LaneName,
  committed: CommittedCommand,
  notice: WebhookNotice,
  state: State,
  endpoint: EndpointRecord,
): EventRecord {
  const { command, outcome } = committed;
  const { webhook: type, aggregate, index } = notice;
  const source = `${environment} ${command.seq} ${committed.hash} ${index} ${notice.accountId ?? ''}`;
  return {
    eventId: eventIdOf(
      `${source} ${type} ${aggregate} ${notice.part ?? ''} ${notice.variant?.(endpoint) ?? ''}`,
    ),
    environment,
    type,
    aggregate,
    createdAtMs: outcome.atMs,
    data: JSON.stringify(notice.data(state, endpoint)),
    isTest: false,
  };
}

export function eventIdOf(source: string): string {
  return `evt_${hash('sha256', source, 'hex').slice(0, ID_LENGTH)}`;
}
