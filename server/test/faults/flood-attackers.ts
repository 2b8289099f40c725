// The attackers of a flood, in a process of their own: each does at a bounded rate what once took the service away from
// everybody else. Everything goes to loopback, and all of it ends with the process.
import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';

const [portText = '', secondsText = ''] = process.argv.slice(2);
const port = Number(portText);
const untilMs = performance.now() + Number(secondsText) * 1_000;

/** Every attacker has addresses of its own, so that one is not throttled for another. */
const IDLE_ADDRESSES = 20;
const IDLE_PER_ADDRESS = 600;
const KEY_CONNECTIONS = 10_000;
const DOWNLOAD_ADDRESSES = 18;
const UNREAD_PER_ADDRESS = 20;
const DOWNLOADS_EACH = 3;
const SLOW_READERS = 20;
const STRANGERS_PER_SECOND = 18;
const PING_BYTES_PER_SECOND = 500_000;
/** Without a payload there are the most of them. */
const PING_PAYLOAD_BYTES = 0;
const BODY_BYTES = 250_000;
const TURN_MS = 50;
/** Connections opened in one turn by each attacker that opens many. */
const OPENED_PER_TURN = 20;

const open = new Set<Socket>();

function socketFrom(address: string): Socket {
  // Half open on purpose: these peers do not close when they are asked to.
  const socket = connect({ host: '127.0.0.1', port, localAddress: address, allowHalfOpen: true });
  open.add(socket);
  socket.on('error', () => socket.destroy());
  socket.on('close', () => open.delete(socket));
  return socket;
}

async function turns(work: () => void): Promise<void> {
  while (performance.now() < untilMs) {
    work();
    await new Promise((resolve) => setTimeout(resolve, TURN_MS));
  }
}

/** Keeps so many connections, each begun with these bytes and never read. */
function holding(addresses: readonly string[], perAddress: number, first: string): Promise<void> {
  const held = new Map(addresses.map((address) => [address, 0]));
  return turns(() => {
    let left = OPENED_PER_TURN;
    for (const [address, count] of held) {
      if (left === 0) return;
      if (count >= perAddress) continue;
      left -= 1;
      held.set(address, count + 1);
      const socket = socketFrom(address);
      socket.pause();
      socket.on('close', () => held.set(address, (held.get(address) ?? 1) - 1));
      if (first !== '') socket.write(first);
    }
  });
}

function addresses(third: number, count: number): readonly string[] {
  return Array.from({ length: count }, (_, at) => `127.0.${third}.${at + 1}`);
}

async function freeKey(address: string): Promise<string> {
  const text = await new Promise<string>((resolve) => {
    let answer = '';
    const socket = socketFrom(address);
    socket.on('data', (chunk) => {
      answer += String(chunk);
    });
    socket.on('end', () => socket.end());
    socket.on('close', () => resolve(answer));
    socket.write(
      'POST /sandbox/v1/sandbox-keys HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 0\r\n\r\n',
    );
  });
  return /"key_id":"([^"]+)"/.exec(text)?.[1] ?? '';
}

async function knownConnections(): Promise<void> {
  const address = '127.0.2.1';
  const key = await freeKey(address);
  const request = `GET /sandbox/v1/account HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`;
  await holding([address], KEY_CONNECTIONS, request);
}

/** Large bodies without a credential, every second one unreadable. */
function strangers(): Promise<void> {
  const numbers = `[${'0,'.repeat(BODY_BYTES / 2 - 1)}0]`;
  const escapes = `{"a":"${'\\ud83d'.repeat(BODY_BYTES / 6)}`;
  let sent = 0;
  const beganMs = performance.now();
  return turns(() => {
    const due = ((performance.now() - beganMs) / 1_000) * STRANGERS_PER_SECOND;
    while (sent < due) {
      const body = sent % 2 === 0 ? numbers : escapes;
      sent += 1;
      const socket = socketFrom('127.0.3.1');
      socket.on('data', () => undefined);
      socket.on('end', () => socket.end());
      socket.write(
        `POST /sandbox/v1/orders/batch HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      );
    }
  });
}

function upgrade(): string {
  const key = randomBytes(16).toString('base64');
  return `GET /sandbox/ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: ${key}\r\nSec-WebSocket-Version: 13\r\n\r\n`;
}

/** A frame of a client, masked with zeros, which leaves its payload as it is. */
function frame(opcode: number, payload: Buffer): Buffer {
  const isLong = payload.length > 125;
  const head = Buffer.alloc(isLong ? 8 : 6);
  head[0] = 0x80 + opcode;
  head[1] = 0x80 + (isLong ? 126 : payload.length);
  if (isLong) head.writeUInt16BE(payload.length, 2);
  return Buffer.concat([head, payload]);
}

function pings(): Promise<void> {
  const ping = frame(9, Buffer.alloc(PING_PAYLOAD_BYTES));
  const perTurn = Math.ceil((PING_BYTES_PER_SECOND * TURN_MS) / 1_000 / ping.length);
  const heap = Buffer.concat(Array.from({ length: perTurn }, () => ping));
  let socket = socketFrom('127.0.4.1');
  let isUp = false;
  const begin = (): void => {
    isUp = false;
    socket.once('data', () => {
      isUp = true;
    });
    socket.on('data', () => undefined);
    socket.on('end', () => socket.destroy());
    socket.write(upgrade());
  };
  begin();
  return turns(() => {
    if (socket.destroyed) {
      socket = socketFrom('127.0.4.1');
      begin();
    } else if (isUp && socket.writableLength === 0) socket.write(heap);
  });
}

/** Sockets that ask for everything and read nothing. */
function slowReaders(): Promise<void> {
  const streams = ['orderbook', 'ticker', 'markets_snapshot'];
  const wish = Buffer.from(JSON.stringify({ op: 'SUBSCRIBE', params: streams }));
  const first = Buffer.concat([Buffer.from(upgrade()), frame(1, wish)]).toString('latin1');
  return holding(addresses(5, SLOW_READERS), 1, first);
}

await Promise.all([
  holding(addresses(1, IDLE_ADDRESSES), IDLE_PER_ADDRESS, ''),
  knownConnections(),
  strangers(),
  pings(),
  holding(
    addresses(6, DOWNLOAD_ADDRESSES),
    UNREAD_PER_ADDRESS,
    'GET /docs/js/scalar.js HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(DOWNLOADS_EACH),
  ),
  slowReaders(),
]);
for (const socket of open) socket.destroy();
