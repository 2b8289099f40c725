// Every number an operator may choose, in one place; fixed in a lane's first snapshot and part of its state.
import type { Usdt } from '@sibyl/money';

export interface Parameters {
  readonly fee: FeeParameters;
  readonly quality: QualityParameters;
  readonly breaker: BreakerParameters;
  readonly risk: RiskParameters;
  readonly resolution: ResolutionParameters;
  readonly faucet: FaucetParameters;
  /** How long a client_order_id or a command key is remembered. */
  readonly duplicateWindowMs: number;
  /** How many closed orders stay known to the engine; older ones are the read model's. */
  readonly closedOrdersKept: number;
  /** Orders or holders that one command may close when a market locks, settles or is cancelled. */
  readonly chunkMax: number;
}

export interface FeeParameters {
  /** Rates in units of 10⁻⁸: the curve's floor; a template's taker_bps is the peak. */
  readonly takerFloorRate: number;
  readonly rebateFloorRate: number;
  /** False pays makers nothing: the whole fee is split among the others. */
  readonly rebatesPaid: boolean;
  /** Weights of net fee in 1/10000: the treasury takes what is left. */
  readonly creatorWeight: number;
  readonly builderWeight: number;
  readonly referrerWeight: number;
  readonly oracleWeight: number;
  readonly insuranceWeight: number;
  readonly builderFeeBpsMax: number;
}

export interface QualityParameters {
  readonly sampleMs: number;
  readonly distanceMaxPips: number;
  readonly restingMs: number;
  readonly targetLots: number;
  readonly windowSamples: number;
  readonly windowSamplesMin: number;
}

export interface BreakerParameters {
  readonly movePips: number;
  readonly windowMs: number;
  readonly haltMs: number;
}

export interface RiskParameters {
  readonly openOrdersPerMarket: number;
  readonly openOrdersPerAccount: number;
  /** Largest position in one outcome, in lots. */
  readonly positionLotsMax: number;
  /** Largest sum of reserved money of one account. */
  readonly openNotionalMax: Usdt;
}

export interface ResolutionParameters {
  readonly challengeMs: number;
  readonly bondMin: Usdt;
  /** A locked market without a proposal is voided this long after it closed. */
  readonly proposalDeadlineMs: number;
  /** No such voiding within this time after a recovery. */
  readonly recoveryGraceMs: number;
}

export interface FaucetParameters {
  readonly amount: Usdt;
  readonly intervalMs: number;
}

const usdt = (whole: bigint): Usdt => (whole * 1_000_000n) as Usdt;

export const DEFAULT_PARAMETERS: Parameters = {
  fee: {
    takerFloorRate: 80_000,
    rebateFloorRate: 30_000,
    rebatesPaid: true,
    creatorWeight: 2500,
    builderWeight: 2000,
    referrerWeight: 500,
    oracleWeight: 1000,
    insuranceWeight: 1000,
    builderFeeBpsMax: 100,
  },
  quality: {
    sampleMs: 60_000,
    distanceMaxPips: 300,
    restingMs: 5_000,
    targetLots: 50_000,
    windowSamples: 1440,
    windowSamplesMin: 60,
  },
  breaker: { movePips: 2000, windowMs: 10_000, haltMs: 60_000 },
  risk: {
    openOrdersPerMarket: 200,
    openOrdersPerAccount: 2000,
    positionLotsMax: 100_000_000_000,
    openNotionalMax: usdt(1_000_000_000n),
  },
  resolution: {
    challengeMs: 7_200_000,
    bondMin: usdt(10n),
    proposalDeadlineMs: 7 * 86_400_000,
    recoveryGraceMs: 3_600_000,
  },
  faucet: { amount: usdt(10_000n), intervalMs: 3_600_000 },
  duplicateWindowMs: 86_400_000,
  closedOrdersKept: 100_000,
  chunkMax: 5_000,
};
