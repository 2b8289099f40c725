// Connections whose bytes come into one piece of memory that all of them share, instead of a new one for every request.
import { Socket, type SocketConstructorOpts } from 'node:net';

/** Told of the bytes that came, which are there until it returns; false asks for no more until the socket is resumed. */
export type Arrival = (bytes: Buffer) => boolean;

/** As much as libuv offers for one reading. */
const MEMORY_BYTES = 65_536;
const memory = Buffer.alloc(MEMORY_BYTES);

/** Where Node keeps the connection of a socket: it has no public name, but has had this one since its first versions. */
const HANDLE = '_handle';

/** What a connection was given and the system has not taken yet. */
const QUEUE_SIZE = 'writeQueueSize';

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

/** Bytes that the system has taken from the socket, to the byte; what waits in the process is not among them. */
export function bytesTaken(socket: Socket): number {
  const handle = handleOf(socket);
  if (typeof handle !== 'object' || handle === null) return 0;
  return Number(Reflect.get(handle, 'bytesWritten')) - Number(Reflect.get(handle, QUEUE_SIZE));
}

function handleOf(accepted: Socket): unknown {
  return Reflect.get(accepted, HANDLE);
}
