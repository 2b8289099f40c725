// The user's list of destinations: what is not on it is never paid to, and what is new on it not yet.
import { type Destination, limits, type OperationInput } from '@sibyl/contract';
import {
  type ApiError,
  fail,
  type Handlers,
  isoTime,
  type Reply,
  type RequestContext,
  type SessionCredential,
} from '../../handling/handler.ts';
import { stepUpRefusal } from '../../handling/step-up.ts';
import type { DestinationRecord } from '../../ports/destinations.ts';
import { amountText } from '../../wire/amounts.ts';
import { demoRefusal } from '../../wire/demo-refusal.ts';
import { isMistypedIban } from './iban.ts';
import type { WithdrawalParts } from './parts.ts';

export type DestinationHandlers = Pick<
  Handlers,
  'listDestinations' | 'addDestination' | 'removeDestination'
>;

const ID_LENGTH = 16;

export function destinationHandlers(parts: WithdrawalParts): DestinationHandlers {
  const { platform, clock, payouts } = parts;
  return {
    async listDestinations(request) {
      const known = await platform.destinations.of(ownSession(request).userId);
      const nowMs = clock.wallMs();
      return {
        data: {
          destinations: known.map((each) => destinationView(each, nowMs)),
          delay_ms: payouts.destinationDelayMs,
          min_withdrawal: amountText(payouts.leastAmount),
          paid_by_hand: payouts.custody.settle !== undefined,
        },
      };
    },
    addDestination: (request, { body }) => add(parts, request, body),
    async removeDestination(request, { params }) {
      const { userId } = ownSession(request);
      const removed = await platform.destinations.remove(userId, params.destination_id);
      if (removed === null) return fail('NOT_FOUND', { destination_id: params.destination_id });
      return { data: destinationView(removed, clock.wallMs()) };
    },
  };
}

async function add(
  parts: WithdrawalParts,
  request: RequestContext,
  { label, destination }: OperationInput<'addDestination'>['body'],
): Promise<Reply<Destination> | ApiError> {
  const refused = demoRefusal(request, 'destinations') ?? (await stepUpRefusal(parts, request));
  if (refused !== null) return refused;
  if (isMistypedIban(destination)) {
    const expected = 'an IBAN whose check digits fit';
    const message = 'This looks like an IBAN, but its check digits do not fit: a sign is mistyped.';
    return fail('VALIDATION_FAILED', { field: 'destination', expected }, message);
  }
  const { platform, clock, random, payouts } = parts;
  const nowMs = clock.wallMs();
  const record: DestinationRecord = {
    destinationId: `dst_${random.token(ID_LENGTH)}`,
    userId: ownSession(request).userId,
    label,
    destination,
    createdAtMs: nowMs,
    usableFromMs: nowMs + payouts.destinationDelayMs,
  };
  const { destinationsMax } = limits.withdrawals;
  switch (await platform.destinations.add(record, destinationsMax)) {
    case 'added':
      return { data: destinationView(record, nowMs) };
    case 'taken':
      return fail('ALREADY_EXISTS', { field: 'destination' }, 'You have this destination already.');
    case 'too_many': {
      const message = `You have ${destinationsMax} destinations, which is the most: remove one first.`;
      return fail('STATE_CONFLICT', { limit: destinationsMax }, message);
    }
  }
}

export function destinationView(record: DestinationRecord, nowMs: number): Destination {
  const { destinationId, label, destination, createdAtMs, usableFromMs } = record;
  return {
    destination_id: destinationId,
    label,
    destination,
    is_usable: usableFromMs <= nowMs,
    usable_from_at: isoTime(usableFromMs),
    usable_from_at_ms: usableFromMs,
    created_at: isoTime(createdAtMs),
    created_at_ms: createdAtMs,
  };
}

function ownSession({ credential }: RequestContext): SessionCredential {
  if (credential?.kind !== 'session') throw fail('AUTH_REQUIRED');
  return credential;
}
