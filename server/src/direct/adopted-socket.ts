// Connections whose bytes come into one piece of memory that all of them share, instead of a new one for every request.
import { Socket, type SocketConstructorOpts } from 'node:net';
import { HANDLE, handleOf } from '../gateway/socket-handle.ts';

/** Told of the bytes that came, which are there until it returns; false asks for no more until the socket is resumed. */
export type Arrival = (bytes: Buffer) => boolean;

/** As much as libuv offers for one reading. */
const MEMORY_BYTES = 65_536;
const memory = Buffer.alloc(MEMORY_BYTES);

interface AdoptingOptions extends SocketConstructorOpts {
  readonly handle: unknown;
}

/** Whether a connection can be taken from the socket; one that was made up by somebody may have none. */
export function isAdoptable(accepted: Socket): boolean {
  return typeof handleOf(accepted) === 'object' && handleOf(accepted) !== null;
}

/**
 * A socket on the same connection. The one that Node accepted stays behind without it, and counts for its server until
 * the connection is closed.
 */
export function adopt(accepted: Socket, arrive: Arrival): Socket {
  const options: AdoptingOptions = {
    handle: handleOf(accepted),
    allowHalfOpen: true,
    onread: { buffer: memory, callback: (length) => arrive(memory.subarray(0, length)) },
  };
  Reflect.set(accepted, HANDLE, null);
  const adopted = new Socket(options);
  adopted.once('close', () => accepted.destroy());
  return adopted;
}
