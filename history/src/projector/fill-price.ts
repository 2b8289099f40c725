// The price that is shown for a fill: cost over size to six places, half to even.
import { divide } from '@sibyl/money';

/** Above this a hundredfold cost would leave the safe integers. */
const SAFE_COST = 1n << 46n;

/** In micro-USDT per share; `cost` is in micro-USDT, and a share has 100 lots. */
export function fillPrice(cost: bigint, lots: number): number {
  if (cost >= SAFE_COST) return Number(divide(cost * 100n, BigInt(lots), 'half_even'));
  const scaled = Number(cost) * 100;
  const remainder = scaled % lots;
  const floor = (scaled - remainder) / lots;
  const twice = remainder * 2;
  if (twice < lots) return floor;
  return twice > lots || floor % 2 === 1 ? floor + 1 : floor;
}
