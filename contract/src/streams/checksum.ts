// The checksum of an order book: what exactly is summed, so that both ends find the same number.

import { limits } from '../limits.ts';

type Side = readonly (readonly [price: string, size: string])[];
type Sides = { readonly bids: Side; readonly asks: Side };

/**
 * The best ten bids, then the best ten asks, each level as price:size with the decimal strings of
 * the wire, levels separated by commas and the two sides by a bar. An empty book is a bar alone.
 */
export function bookChecksumText(book: Sides): string {
  return `${levels(book.bids)}|${levels(book.asks)}`;
}

/** CRC-32 (IEEE 802.3, as in zlib) of the text's ASCII bytes, as an unsigned integer. */
export function bookChecksum(book: Sides): number {
  const text = bookChecksumText(book);
  let crc = 0xffffffff;
  for (let index = 0; index < text.length; index += 1) {
    crc = (crc >>> 8) ^ (table[(crc ^ text.charCodeAt(index)) & 0xff] ?? 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}

const table: Uint32Array = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) value = (value >>> 1) ^ (value & 1 ? 0xedb88320 : 0);
  return value >>> 0;
});

function levels(side: Side): string {
  return side
    .slice(0, limits.socket.checksumLevels)
    .map(([price, size]) => `${price}:${size}`)
    .join(',');
}
