// The body of a delivery: byte for byte the same on every attempt.
import { apiVersion } from '@sibyl/contract';
import type { EventRecord } from '../ports/webhooks.ts';

export function bodyOf(event: EventRecord, sequence: number): string {
  const head = {
    id: event.eventId,
    type: event.type,
    created_at: new Date(event.createdAtMs).toISOString(),
    created_at_ms: event.createdAtMs,
    api_version: apiVersion,
    environment: event.environment,
    sequence,
    ...(event.isTest ? { test: true } : {}),
  };
  // The data are JSON already: parsing them again could only change them.
  return `${JSON.stringify(head).slice(0, -1)},"data":${event.data}}`;
}
