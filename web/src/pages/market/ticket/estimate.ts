// What an order of a visitor would do, worked out from the order book: the exchange previews orders of accounts only.
import {
  addAmounts,
  compareAmounts,
  formatAmount,
  type Level,
  type OrderInput,
  parseAmount,
  subtractAmounts,
} from '@sibyl/sdk';
import { noPrice, type OrderFigures, worthOf } from './order-figures.ts';

export interface Terms {
  readonly lotSize: string;
  /** The peak of the fee curve. */
  readonly peakBps: number;
  /** The price of the outcome now, and how far from it an order may trade; null without a band. */
  readonly price: string;
  readonly band: string | null;
}

interface Sides {
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
}

const MICRO = 1_000_000n;
/** Fee rates are counted in 10⁻⁸; the curve begins at 8 bps. */
const RATE_ONE = 100_000_000n;
const RATE_PER_BPS = 10_000n;
const FLOOR_RATE = 8n * RATE_PER_BPS;

export function estimateOf(input: OrderInput, book: Sides, terms: Terms): OrderFigures {
  const isBuy = input.side === 'buy';
  const bound = boundOf(input, terms);
  const isWithin = (price: string, limit: string): boolean =>
    isBuy ? compareAmounts(price, limit) <= 0 : compareAmounts(price, limit) >= 0;
  const levels = (isBuy ? book.asks : book.bids).filter(([price]) => isWithin(price, bound));
  const walked = walk(input, levels, terms);
  const canRest = input.time_in_force === 'gtc' || input.time_in_force === 'gtd';
  const isPostOnly = input.post_only === true && levels.length > 0;
  const isShort = input.time_in_force === 'fok' && walked.shares < parseAmount(input.size);
  const { shares, cost, fee } = isPostOnly || isShort ? NOTHING : walked;
  const filled = formatAmount(shares);
  // What lies beyond the band is cancelled instead.
  const isResting =
    canRest && !isPostOnly && input.price !== undefined && isWithin(input.price, bound);
  const resting = isResting ? subtractAmounts(input.size, filled) : '0';
  const rest = worthOf(resting, input.price ?? '0');
  return {
    isBuy,
    filled,
    average: shares === 0n ? null : formatAmount((cost * MICRO) / shares),
    impact: null,
    resting,
    fee: formatAmount(fee),
    notional: formatAmount(cost),
    total: formatAmount(cost + rest + (isBuy ? fee : -fee)),
    freeAfter: null,
    rejectReason: isPostOnly ? 'post_only_would_cross' : isShort ? 'fok_unfillable' : null,
  };
}

/** The published fee of a conversion, in hundredths of a percent of the amount. */
const CONVERSION_BPS = 11n;

/** The estimate of a No: its sets are paid and their shares of the one answer sold. */
export function mintedOf(sale: OrderFigures): OrderFigures {
  const shares = parseAmount(sale.filled);
  const notional = formatAmount(shares - parseAmount(sale.notional));
  const mintFee = (shares * CONVERSION_BPS + 9_999n) / 10_000n;
  const fee = addAmounts(sale.fee, formatAmount(mintFee));
  const average = noPrice(sale.average);
  return { ...sale, isBuy: true, average, notional, fee, total: addAmounts(notional, fee) };
}

/** The worst price that the order may trade at: its limit, or the end of the band. */
function boundOf({ side, price: limit }: OrderInput, { price, band }: Terms): string {
  if (side === 'buy') {
    const end = band === null ? '1' : addAmounts(price, band);
    return limit !== undefined && compareAmounts(limit, end) < 0 ? limit : end;
  }
  const end = band === null ? '0' : subtractAmounts(price, band);
  return limit !== undefined && compareAmounts(limit, end) > 0 ? limit : end;
}

interface Walked {
  readonly shares: bigint;
  readonly cost: bigint;
  readonly fee: bigint;
}

const NOTHING: Walked = { shares: 0n, cost: 0n, fee: 0n };

function walk(input: OrderInput, levels: readonly Level[], terms: Terms): Walked {
  const wanted = parseAmount(input.size);
  const budget = input.max_cost === undefined ? null : parseAmount(input.max_cost);
  const lot = parseAmount(terms.lotSize);
  let [shares, cost, fee] = [0n, 0n, 0n];
  for (const [price, size] of levels) {
    const rate = rateAt(parseAmount(price), terms.peakBps);
    const affordable =
      budget === null
        ? wanted
        : ((budget - cost - fee) * MICRO * RATE_ONE) / (parseAmount(price) * (RATE_ONE + rate));
    const most = [wanted - shares, parseAmount(size), affordable].reduce((a, b) => (a < b ? a : b));
    const taken = most - (most % lot);
    if (taken <= 0n) break;
    const paid = worthOf(formatAmount(taken), price);
    shares += taken;
    cost += paid;
    fee += (paid * rate + RATE_ONE - 1n) / RATE_ONE;
  }
  return { shares, cost, fee };
}

/** The taker's rate: highest at one half, 8 bps at either end. */
function rateAt(price: bigint, peakBps: number): bigint {
  const rise = BigInt(peakBps) * RATE_PER_BPS - FLOOR_RATE;
  return FLOOR_RATE + (rise * 4n * price * (MICRO - price)) / (MICRO * MICRO);
}
