// The part of the platform's WebSocket that is used, so that any implementation of it can be handed in.

export type SocketEvent = {
  readonly type?: string;
  readonly data?: unknown;
  readonly code?: number;
  readonly reason?: string;
};

export interface SocketLike {
  send(text: string): void;
  close(code?: number, reason?: string): void;
  addEventListener(
    type: 'open' | 'message' | 'close' | 'error',
    listener: (event: SocketEvent) => void,
  ): void;
}

/** The global of browsers and of Node 22 and later, or the one of the package ws. */
export type SocketConstructor = new (url: string) => SocketLike;

export function platformSocket(): SocketConstructor {
  if (typeof WebSocket === 'undefined') {
    throw new TypeError('this platform has no WebSocket; pass one as `WebSocket`');
  }
  return WebSocket;
}
