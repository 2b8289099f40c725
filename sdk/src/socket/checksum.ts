// The checksum of an order book as the contract defines it, without the weight of the contract.

type Side = readonly (readonly [price: string, size: string])[];

const levelsMax = 10;

/** CRC-32 of the best ten bids, a bar and the best ten asks, levels as price:size. */
export function checksumOf(bids: Side, asks: Side): number {
  const text = `${textOf(bids)}|${textOf(asks)}`;
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

function textOf(side: Side): string {
  return side
    .slice(0, levelsMax)
    .map(([price, size]) => `${price}:${size}`)
    .join(',');
}
