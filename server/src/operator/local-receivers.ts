// Receivers on this machine that an operator lets the sandbox deliver to.
import type { InputOf, OperatorOperations, OutputOf } from '@sibyl/contract';
import { type ApiError, fail, type Reply } from '../handling/handler.ts';
import { isoTimeOrNull } from '../wire/times.ts';
import type { OperatorHandlers, OperatorParts } from './parts.ts';

type Operation = OperatorOperations['allowLocalReceiver'];
type Parts = Pick<OperatorParts, 'localReceivers'>;

export function localReceiverActs(parts: Parts): Pick<OperatorHandlers, 'allowLocalReceiver'> {
  return { allowLocalReceiver: (_request, { body }) => allow(parts, body) };
}

function allow(
  { localReceivers }: Parts,
  { account_id: accountId, address, port, ttl_sec: ttlSec }: InputOf<Operation>['body'],
): Reply<OutputOf<Operation>> | ApiError {
  const endsAtMs = localReceivers.allow({ accountId, address, port }, ttlSec);
  if (endsAtMs === null) {
    return fail('VALIDATION_FAILED', { field: 'port', expected: 'no port of the exchange itself' });
  }
  const expiresAtMs = ttlSec === 0 ? null : endsAtMs;
  const times = { expires_at: isoTimeOrNull(expiresAtMs), expires_at_ms: expiresAtMs };
  return { data: { account_id: accountId, address, port, ...times } };
}
