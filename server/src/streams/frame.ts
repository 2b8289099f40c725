// Text frames of RFC 6455 as bytes: made once, written to as many sockets as listen.

const SHORT_MAX = 125;
const MEDIUM_MAX = 0xffff;
const FINAL_TEXT = 0x81;

/** A server's frames are not masked, so the same bytes serve everybody. */
function textFrame(text: string): Buffer {
  const length = Buffer.byteLength(text);
  const start = headerLength(length);
  const frame = Buffer.allocUnsafe(start + length);
  frame[0] = FINAL_TEXT;
  if (length <= SHORT_MAX) {
    frame[1] = length;
  } else if (length <= MEDIUM_MAX) {
    frame[1] = 126;
    frame.writeUInt16BE(length, 2);
  } else {
    frame[1] = 127;
    frame.writeUInt32BE(0, 2);
    frame.writeUInt32BE(length, 6);
  }
  frame.write(text, start);
  return frame;
}

function headerLength(length: number): number {
  if (length <= SHORT_MAX) return 2;
  return length <= MEDIUM_MAX ? 4 : 10;
}

/** `data` is JSON already: it is the same for all the instances that a message goes to. */
export function streamFrame(
  head: { readonly type: string; readonly stream: string; readonly seq: number },
  prevSeq: number | null,
  atMs: number,
  data: string,
): Buffer {
  const before = prevSeq === null ? '' : `,"prev_seq":${prevSeq}`;
  return textFrame(
    `{"type":"${head.type}","stream":"${head.stream}","seq":${head.seq}${before},"ts_ms":${atMs},"data":${data}}`,
  );
}

/** A message of the connection itself. */
export function plainFrame(type: string, atMs: number, data: object, top: object = {}): Buffer {
  return textFrame(JSON.stringify({ type, ...top, ts_ms: atMs, data }));
}
