// A WebSocket that tells when it begins to close, whoever closes it: the server, the peer, or the library on bytes that are no frame.
import { WebSocket } from 'ws';

export class ClosingSocket extends WebSocket {
  beforeClosing: (code: number | undefined) => void = () => undefined;

  override close(code?: number, data?: string | Buffer): void {
    this.beforeClosing(code);
    super.close(code, data);
  }
}
