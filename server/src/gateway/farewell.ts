// Closes a connection, whether the other side goes along with it or not, and the listener.
import { Server, type Socket } from 'node:net';
import type { Clock } from '@sibyl/lane';

/** So long the other side has to read the last words and to close its half. */
const PATIENCE_MS = 1_000;

/** Says the last words, hears nothing more, and is gone once the other side has closed too, or after a second. */
export function farewell(socket: Socket, clock: Clock, words?: string): void {
  if (socket.destroyed) return;
  // Whoever listens last gets the bytes, Node's parser no more; they are read, or the end would reach nobody.
  socket.removeAllListeners('data');
  socket.on('data', () => {});
  socket.resume();
  if (words !== undefined) socket.write(words);
  socket.end();
  const cancel = clock.setAlarm(PATIENCE_MS, () => socket.destroy());
  socket.once('close', cancel);
}

/** Acts unless bytes arrive first: a connection that a timer takes for idle may have a request waiting. */
export function unlessBytesWait(socket: Socket, act: () => void): void {
  const { bytesRead } = socket;
  afterReading(() => {
    if (!socket.destroyed && socket.bytesRead === bytesRead) act();
  });
}

/** Acts once the event loop has read what the system holds now; one turn may have asked the system before. */
export function afterReading(act: () => void): void {
  setImmediate(() => setImmediate(act));
}

/** Resolves when all connections have ended. The `close` of HTTP itself would close kept ones immediately. */
export function stopListening(server: Server): Promise<void> {
  return new Promise((resolve) => Server.prototype.close.call(server, () => resolve()));
}
