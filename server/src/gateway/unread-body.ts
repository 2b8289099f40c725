// What becomes of the body of a request that was refused by its head.
import type { Incoming, Outgoing } from './exchange.ts';

/** Node drops what is still to come of a short one; for any other the connection ends with the answer. */
export function leaveBody({ headers }: Incoming, reply: Outgoing, bytesMax: number): void {
  const isShort = Number(headers['content-length'] ?? 0) <= bytesMax;
  if (!isShort || headers['transfer-encoding'] !== undefined) reply.header('connection', 'close');
}
