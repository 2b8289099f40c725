// The connection below a socket of Node, which has no public name.
import type { Socket } from 'node:net';

/** Where Node keeps it: so called since its first versions. */
export const HANDLE = '_handle';

/** What a connection was given and the system has not taken yet. */
const QUEUE_SIZE = 'writeQueueSize';

/** Bytes that the system has taken from the socket, to the byte; what waits in the process is not among them. */
export function bytesTaken(socket: Socket): number {
  const handle = handleOf(socket);
  if (typeof handle !== 'object' || handle === null) return 0;
  return Number(Reflect.get(handle, 'bytesWritten')) - Number(Reflect.get(handle, QUEUE_SIZE));
}

export function handleOf(socket: Socket): unknown {
  return Reflect.get(socket, HANDLE);
}
