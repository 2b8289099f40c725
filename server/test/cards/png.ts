// Reads what the card's renderer writes: whole lines of red, green, blue and alpha, eight bits each.
import { inflateSync } from 'node:zlib';

export interface Pixels {
  readonly width: number;
  readonly height: number;
  /** The colour of a point. */
  at(x: number, y: number): number;
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const DEPTH = 4;

/** Throws for anything that is not a whole picture. */
export function pixelsOf(png: Buffer): Pixels {
  if (!png.subarray(0, 8).equals(SIGNATURE)) throw new Error('not a PNG');
  const data: Buffer[] = [];
  let width = 0;
  let height = 0;
  let type = '';
  for (let at = 8; type !== 'IEND'; ) {
    const length = png.readUInt32BE(at);
    type = png.toString('latin1', at + 4, at + 8);
    const chunk = png.subarray(at + 8, at + 8 + length);
    if (type === 'IHDR') {
      width = chunk.readUInt32BE(0);
      height = chunk.readUInt32BE(4);
      if (chunk[8] !== 8 || chunk[9] !== 6) throw new Error('not of eight bits and four colours');
    }
    if (type === 'IDAT') data.push(chunk);
    at += length + 12;
  }
  const points = unfiltered(inflateSync(Buffer.concat(data)), width * DEPTH, height);
  return { width, height, at: (x, y) => points.readUInt32BE((y * width + x) * DEPTH) };
}

/** Each line says by its first byte how it was foretold from what is left of it and above it. */
function unfiltered(lines: Buffer, stride: number, height: number): Buffer {
  const points = Buffer.alloc(stride * height);
  for (let y = 0; y < height; y += 1) {
    const filter = lines[y * (stride + 1)]!;
    for (let x = 0; x < stride; x += 1) {
      const place = y * stride + x;
      const left = x < DEPTH ? 0 : points[place - DEPTH]!;
      const above = y === 0 ? 0 : points[place - stride]!;
      const corner = x < DEPTH || y === 0 ? 0 : points[place - stride - DEPTH]!;
      const foretold = [0, left, above, (left + above) >> 1, paeth(left, above, corner)][filter]!;
      points[place] = lines[y * (stride + 1) + 1 + x]! + foretold;
    }
  }
  return points;
}

function paeth(left: number, above: number, corner: number): number {
  const guess = left + above - corner;
  const [byLeft, byAbove, byCorner] = [left, above, corner].map((one) => Math.abs(guess - one));
  if (byLeft! <= byAbove! && byLeft! <= byCorner!) return left;
  return byAbove! <= byCorner! ? above : corner;
}
