// A socket that keeps every frame it gets, for comparing them with the examples of the messages.
import { once } from 'node:events';
import { WebSocket } from 'ws';
import { isRecord } from './judge.ts';

export class ExampleListener {
  readonly frames: Record<string, unknown>[] = [];
  readonly #socket: WebSocket;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (text: Buffer) => {
      const frame: unknown = JSON.parse(text.toString());
      if (isRecord(frame)) this.frames.push(frame);
    });
  }

  static async connect(port: number): Promise<ExampleListener> {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/sandbox/ws`);
    const listener = new ExampleListener(socket);
    await once(socket, 'open');
    return listener;
  }

  /** Sends the command; settles when one more frame of the type is there. */
  async command(command: object, type: string): Promise<void> {
    const before = this.#count(type);
    this.#socket.send(JSON.stringify(command));
    while (this.#count(type) === before) await once(this.#socket, 'message');
  }

  /** Settles when a frame of the type has come. */
  async heard(type: string): Promise<void> {
    while (this.#count(type) === 0) await once(this.#socket, 'message');
  }

  close(): void {
    this.#socket.close();
  }

  #count(type: string): number {
    return this.frames.filter((frame) => frame.type === type).length;
  }
}
