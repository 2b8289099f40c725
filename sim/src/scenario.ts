// What a seed stands for besides its random numbers: the lane and the operator's parameters.
import { DEFAULT_PARAMETERS, type Parameters } from '@sibyl/engine';
import { usdt } from '@sibyl/money';

export interface Scenario {
  readonly seed: number;
  readonly lane: 'live' | 'sandbox';
  readonly parameters: Parameters;
}

/** Every fifth seed runs in live, every third with limits so tight that they are met all the time. */
export function scenarioOf(seed: number): Scenario {
  const lane = seed % 5 === 0 ? 'live' : 'sandbox';
  return { seed, lane, parameters: seed % 3 === 0 ? TIGHT : DEFAULT_PARAMETERS };
}

const TIGHT: Parameters = {
  ...DEFAULT_PARAMETERS,
  quality: {
    ...DEFAULT_PARAMETERS.quality,
    windowSamples: 90,
    windowSamplesMin: 5,
    restingMs: 500,
    targetLots: 5000,
  },
  breaker: { movePips: 900, windowMs: 20_000, haltMs: 15_000 },
  risk: {
    openOrdersPerMarket: 6,
    openOrdersPerAccount: 25,
    positionLotsMax: 40_000,
    openNotionalMax: usdt(3_000_000_000n),
  },
  resolution: {
    ...DEFAULT_PARAMETERS.resolution,
    proposalDeadlineMs: 3_600_000,
    recoveryGraceMs: 600_000,
  },
  faucet: { ...DEFAULT_PARAMETERS.faucet, intervalMs: 60_000 },
  duplicateWindowMs: 600_000,
  closedOrdersKept: 40,
  chunkMax: 3,
};
