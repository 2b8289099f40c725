// Closes a connection, whether the other side goes along with it or not.
import type { Socket } from 'node:net';
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
