// A client of the socket without a library: it sends what no honest client would, and reads only when it wants to.
import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';

export const TEXT = 1;
export const CLOSE = 8;
export const PING = 9;
export const PONG = 10;

export interface RawFrame {
  readonly opcode: number;
  readonly payload: Buffer;
}

/** How a connection ended: in order, or by a reset that says nothing. */
export type CloseKind = 'ended' | 'reset';

export class RawSocket {
  readonly socket: Socket;
  /** When the other side has ended it. */
  readonly ended: Promise<CloseKind>;
  /** When it is closed for good, by whichever side. */
  readonly closed: Promise<void>;
  #pieces: Buffer[] = [];

  /** Half open: the server's end is not answered with an end of one's own. */
  private constructor(port: number) {
    this.socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    this.socket.on('data', (piece: Buffer) => this.#pieces.push(piece));
    this.ended = new Promise((resolve) => {
      this.socket.once('end', () => resolve('ended'));
      this.socket.once('error', () => resolve('reset'));
    });
    this.closed = new Promise((resolve) => this.socket.once('close', () => resolve()));
  }

  /** Sends the handshake and waits for the first bytes of the answer. */
  static async open(url: string, path = '/sandbox/ws'): Promise<RawSocket> {
    const raw = new RawSocket(Number(new URL(url).port));
    const key = randomBytes(16).toString('base64');
    raw.socket.write(
      `GET ${path} HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\n\r\n`,
    );
    await new Promise((resolve) => raw.socket.once('data', resolve));
    return raw;
  }

  send(opcode: number, payload: Buffer | string = '', count = 1): void {
    const frame = maskedFrame(opcode, Buffer.from(payload));
    this.socket.write(Buffer.concat(Array.from({ length: count }, () => frame)));
  }

  command(frame: object): void {
    this.send(TEXT, JSON.stringify(frame));
  }

  /** What came before the first frame. */
  head(): string {
    return Buffer.concat(this.#pieces).toString('latin1').split('\r\n\r\n')[0] ?? '';
  }

  /** The whole frames so far, and how many bytes of one that is not whole came after them. */
  read(): { readonly frames: readonly RawFrame[]; readonly leftBytes: number } {
    const bytes = Buffer.concat(this.#pieces);
    this.#pieces = [bytes];
    const frames: RawFrame[] = [];
    let at = bytes.indexOf('\r\n\r\n') + 4;
    for (;;) {
      const frame = frameAt(bytes, at);
      if (frame === null) return { frames, leftBytes: bytes.length - at };
      frames.push({ opcode: frame.opcode, payload: bytes.subarray(frame.from, frame.to) });
      at = frame.to;
    }
  }
}

/** The code and the words of a closing frame. */
export function closingOf({ payload }: RawFrame): {
  readonly code: number;
  readonly reason: string;
} {
  return { code: payload.readUInt16BE(0), reason: payload.subarray(2).toString() };
}

function frameAt(
  bytes: Buffer,
  at: number,
): { readonly opcode: number; readonly from: number; readonly to: number } | null {
  const first = bytes[at];
  const second = bytes[at + 1];
  if (first === undefined || second === undefined) return null;
  const short = second & 0x7f;
  const from = at + (short === 127 ? 10 : short === 126 ? 4 : 2);
  if (from > bytes.length) return null;
  const length =
    short === 127
      ? Number(bytes.readBigUInt64BE(at + 2))
      : short === 126
        ? bytes.readUInt16BE(at + 2)
        : short;
  const to = from + length;
  return to > bytes.length ? null : { opcode: first & 0x0f, from, to };
}

/** Masked with zeros, which changes nothing. */
function maskedFrame(opcode: number, payload: Buffer): Buffer {
  const isShort = payload.length < 126;
  const head = Buffer.alloc(isShort ? 6 : 8);
  head[0] = 0x80 | opcode;
  head[1] = 0x80 | (isShort ? payload.length : 126);
  if (!isShort) head.writeUInt16BE(payload.length, 2);
  return Buffer.concat([head, payload]);
}
