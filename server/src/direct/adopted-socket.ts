// Connections whose bytes are read into one buffer that all of them share, instead of a new one for every request.
import { Socket, type SocketConstructorOpts } from 'node:net';
import { HANDLE, handleOf } from '../gateway/socket-handle.ts';

/** Told of the bytes that came, which are there until it returns; false asks for no more until the socket is resumed. */
export type Arrival = (bytes: Buffer) => boolean;

/** As much as libuv offers for one reading. */
const MEMORY_BYTES = 65_536;
const memory = Buffer.alloc(MEMORY_BYTES);

/** What Node calls on a connection that reads into memory of others; none of it is documented. */
const CALLED = ['useUserBuffer', 'readStart', 'readStop'] as const;

interface AdoptingOptions extends SocketConstructorOpts {
  readonly handle: unknown;
}

/** Whether a connection can be taken from the socket; one that was made up by somebody may have none. */
export function isAdoptable(accepted: Socket): boolean {
  const handle = handleOf(accepted);
  if (typeof handle !== 'object' || handle === null) return false;
  return CALLED.every((name) => typeof Reflect.get(handle, name) === 'function');
}

/**
 * A socket on the same connection. The one that Node accepted stays behind without it, and counts for its server until
 * the connection is closed.
 */
export function adopt(accepted: Socket, arrive: Arrival): Socket {
  const handle = handleOf(accepted);
  const options: AdoptingOptions = {
    handle,
    allowHalfOpen: true,
    onread: { buffer: memory, callback: (length) => arrive(memory.subarray(0, length)) },
  };
  Reflect.set(accepted, HANDLE, null);
  const adopted = socketOf(options, () => Reflect.set(accepted, HANDLE, handle));
  adopted.once('close', () => accepted.destroy());
  return adopted;
}

/** A connection that cannot be had is given back, so that whoever has the socket can close it. */
function socketOf(options: AdoptingOptions, giveBack: () => void): Socket {
  try {
    return new Socket(options);
  } catch (error) {
    giveBack();
    throw error;
  }
}
