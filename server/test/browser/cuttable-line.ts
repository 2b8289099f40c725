// A line between a client and a server that can be cut and mended.

import type { AddressInfo } from 'node:net';
import { connect, createServer, type Server, type Socket } from 'node:net';

export class CuttableLine {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #isCut = false;
  #isSilent = false;

  constructor(port: number) {
    this.#server = createServer((near) => {
      if (this.#isCut) {
        near.destroy();
        return;
      }
      if (this.#isSilent) {
        near.on('error', () => undefined).resume();
        return;
      }
      const far = connect(port, '127.0.0.1');
      for (const [socket, other] of [
        [near, far],
        [far, near],
      ] as const) {
        this.#sockets.add(socket);
        socket.on('error', () => undefined);
        socket.on('close', () => {
          this.#sockets.delete(socket);
          other.destroy();
        });
        socket.pipe(other);
      }
    });
  }

  async listen(): Promise<number> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return (this.#server.address() as AddressInfo).port;
  }

  cut(): void {
    this.#isCut = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Everything that is sent is lost, and no end learns that the other one closed. */
  swallow(): void {
    this.#isSilent = true;
    for (const socket of this.#sockets) {
      socket.unpipe();
      socket.removeAllListeners('close');
      socket.resume();
    }
  }

  /** For new connections. */
  mend(): void {
    this.#isCut = false;
    this.#isSilent = false;
  }

  close(): void {
    this.cut();
    this.#server.close();
  }
}
