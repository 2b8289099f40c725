// Safe integers as bigints: the conversion on the order path, several times for every fill.
import { Defect } from './assert.ts';

const double = new Float64Array(1);
const whole = new BigInt64Array(double.buffer);
const words = new Uint32Array(double.buffer);
/** What the high word counts. */
export const HIGH_UNIT = 4_294_967_296;

whole[0] = 1n;
/** Which 32-bit word of a 64-bit integer in memory is the low one on this machine. */
export const LOW_WORD = words[0] === 1 ? 0 : 1;

/** A bound as a safe integer, for comparing with amounts that are; one beyond them is the largest of them. */
export function safeBound(bound: bigint): number {
  const most = Number.MAX_SAFE_INTEGER;
  return bound >= BigInt(most) ? most : Number(bound); // exact: below 2⁵³
}

/** Added to a smaller integer it gives a double whose last 51 bits are that integer. */
const ANCHOR = 6_755_399_441_055_744;
/** The bits of the anchor itself. */
const ANCHOR_BITS = 0x4338_0000_0000_0000n;
const NEAR = 2_251_799_813_685_248;

/**
 * The same as BigInt(value) for safe integers, but by way of the bits of a double: the built-in leaves compiled code
 * for the runtime and takes ten times as long.
 */
export function micro(value: number): bigint {
  if (value === 0) return 0n;
  return value >= NEAR || value <= -NEAR ? BigInt(value) : nearMicro(value);
}

/** The same for what one order can come to; nothing is allocated where the result goes straight into a flat table. */
export function nearMicro(value: number): bigint {
  if (value >= NEAR || value <= -NEAR)
    throw new Defect('an amount beyond what an order can come to');
  double[0] = value + ANCHOR; // exact: both are integers and their sum is below 2⁵³
  return BigInt.asIntN(64, whole[0]! - ANCHOR_BITS);
}
