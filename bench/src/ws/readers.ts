// Many sockets that only count what arrives: a program of its own, so that reading costs the server nothing.
import { connect, type Socket } from 'node:net';

const [port = '0', count = '0'] = process.argv.slice(2);
let bytes = 0;

const HANDSHAKE = [
  'GET / HTTP/1.1',
  'Host: localhost',
  'Upgrade: websocket',
  'Connection: Upgrade',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  '\r\n',
].join('\r\n');

const scratch = Buffer.alloc(1 << 20);

/** Resolves once the server has answered the handshake; everything after that is counted. */
function open(): Promise<Socket> {
  return new Promise((resolve, reject) => {
    let isOpen = false;
    const socket = connect({
      port: Number(port),
      host: '127.0.0.1',
      // One buffer for all of them: what is read is thrown away.
      onread: {
        buffer: scratch,
        callback: (length) => {
          if (isOpen) bytes += length;
          isOpen = true;
          resolve(socket);
          return true;
        },
      },
    });
    socket.once('error', reject);
    socket.write(HANDSHAKE);
  });
}

for (let opened = 0; opened < Number(count); opened += 1) await open();
process.on('message', () => process.send?.({ bytes }));
process.on('disconnect', () => process.exit(0));
process.send?.({ bytes });
