// Why the server closes a socket: the WebSocket close codes it uses, and whether to come back.

export type CloseCode = {
  readonly code: number;
  readonly reason: string;
  /** Whether the same client may connect again at once with the same credential. */
  readonly reconnect: boolean;
};

export const closeCodes = Object.freeze({
  goingAway: closeCode(1001, 'The server restarts; going_away said when to come back.', true),
  binary: closeCode(1003, 'Only text frames are read.', false),
  oversized: closeCode(1009, 'The frame was larger than max_frame_bytes.', false),
  authRevoked: closeCode(4001, 'The credential was revoked or has expired.', false),
  slowConsumer: closeCode(4008, 'The reader stayed too slow for its subscriptions.', true),
  unresponsive: closeCode(4009, 'The peer did not answer protocol pings.', true),
  flood: closeCode(4029, 'Control frames kept coming while throttled.', false),
});
export type CloseReason = keyof typeof closeCodes;

function closeCode(code: number, reason: string, reconnect: boolean): CloseCode {
  return Object.freeze({ code, reason, reconnect });
}
