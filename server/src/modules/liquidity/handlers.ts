// Fees and rebates as they are charged: drawn from the parameters that the engine itself uses.
import { type LqfConfig, limits, type Operations } from '@sibyl/contract';
import type { Parameters } from '@sibyl/engine';
import type { Handler } from '../../handling/handler.ts';
import { lotsText, pipsText } from '../../wire/amounts.ts';

interface LiquidityHandlers {
  readonly getLqfConfig: Handler<Operations['getLqfConfig']>;
}

export function liquidityHandlers(): LiquidityHandlers {
  return {
    getLqfConfig: async ({ lane }) => ({ data: await lane.read((s) => configView(s.parameters)) }),
  };
}

/** Rates are counted in 10⁻⁸, weights in 1/10000. */
const RATE_PER_BPS = 10_000;
const WEIGHT_PER_PERCENT = 100;
const MS_PER_SEC = 1000;
/** The most that a template may ask for: peaks of the curve and of the rebate. */
const TAKER_PEAK_BPS = 20;
const REBATE_PEAK_BPS = 8;
/** Fixed in the formula of the quality score. */
const ONE_SIDED_DIVISOR = 3;
const MIDDLE_PIPS = { low: 1000, high: 9000 };

function configView({ fee, quality }: Parameters): LqfConfig {
  const floorBps = fee.takerFloorRate / RATE_PER_BPS;
  const rebateBps = fee.rebateFloorRate / RATE_PER_BPS;
  const conversionBps = fee.conversionRate / RATE_PER_BPS;
  const rebateTopBps = fee.rebatesPaid ? REBATE_PEAK_BPS : 0;
  return {
    taker_fee: {
      floor_bps: floorBps,
      peak_bps: TAKER_PEAK_BPS,
      formula: `${floorBps} + ${TAKER_PEAK_BPS - floorBps} * 4 * p * (1 - p) bps, cut to 0.0001 bps, of the cost of the fill; p is cost / size`,
      rounding: 'up',
    },
    maker_rebate: {
      min_bps: fee.rebatesPaid ? rebateBps : 0,
      max_bps: rebateTopBps,
      formula: fee.rebatesPaid
        ? `${rebateBps} + ${REBATE_PEAK_BPS - rebateBps} * q bps, cut to 0.0001 bps, of the base; q is the quality score from 0 to 1`
        : 'none is paid',
      base: 'taker_notional',
      rounding: 'down',
    },
    conversion_fee: {
      bps: conversionBps,
      formula: `${conversionBps} * (1 - q) bps of what you filled as a maker in the market on this and the previous UTC day, ${conversionBps} bps of the rest, q the quality score from 0 to 1`,
      base: 'amount',
      rounding: 'up',
    },
    quality: {
      formula:
        'size * (v - d)^2 / v^2 per resting order, d its distance from the mid, v distance_max',
      distance_max: pipsText(quality.distanceMaxPips),
      target_size: lotsText(quality.targetLots),
      sample_interval_sec: quality.sampleMs / MS_PER_SEC,
      samples_min: quality.windowSamplesMin,
      samples_max: quality.windowSamples,
      resting_ms_min: quality.restingMs,
      one_sided_divisor: ONE_SIDED_DIVISOR,
      one_sided_band: { low: pipsText(MIDDLE_PIPS.low), high: pipsText(MIDDLE_PIPS.high) },
    },
    split: splitOf(fee),
    builder_fee_max_bps: Math.min(fee.builderFeeBpsMax, limits.builderFeeBpsMax),
    programmes: [],
  };
}

function splitOf(fee: Parameters['fee']): LqfConfig['split'] {
  return [
    { actor: 'maker', share: 'the rebate' },
    { actor: 'creator', share: shareText(fee.creatorWeight) },
    { actor: 'builder', share: shareText(fee.builderWeight) },
    { actor: 'referrer', share: shareText(fee.referrerWeight) },
    { actor: 'oracle', share: shareText(fee.oracleWeight) },
    { actor: 'insurance', share: shareText(fee.insuranceWeight) },
    { actor: 'treasury', share: 'what is left' },
  ];
}

function shareText(weight: number): string {
  return `${weight / WEIGHT_PER_PERCENT} % of the rest`;
}
