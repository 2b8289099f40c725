// What a seed stands for besides its random numbers: the lane and the operator's parameters.
import { DEFAULT_PARAMETERS, type Parameters } from '@sibyl/engine';
import { usdt } from '@sibyl/money';

export interface Scenario {
  readonly seed: number;
  readonly lane: 'live' | 'sandbox';
  readonly parameters: Parameters;
}

/**
 * Every fifth seed runs in live, every third with limits so tight that they are met all the time. In every other sandbox
 * cancellations have no notice, and markets without a proposal are cancelled by themselves.
 */
export function scenarioOf(seed: number): Scenario {
  const lane = seed % 5 === 0 ? 'live' : 'sandbox';
  const limits = seed % 3 === 0 ? TIGHT : DEFAULT_PARAMETERS;
  const quality = { ...limits.quality, lookSecret: `secret of seed ${seed}` };
  const isQuick = lane === 'sandbox' && seed % 2 === 0;
  const resolution = isQuick
    ? { ...limits.resolution, voidNoticeMs: 0, autoVoid: true }
    : limits.resolution;
  return { seed, lane, parameters: { ...limits, quality, resolution } };
}

const TIGHT: Parameters = {
  ...DEFAULT_PARAMETERS,
  quality: {
    ...DEFAULT_PARAMETERS.quality,
    windowSamples: 90,
    windowSamplesMin: 5,
    restingMs: 500,
    targetLots: 5000,
    lookOrdersMax: 6,
  },
  band: {
    pips: 300,
    delayMs: 5_000,
    stepMs: 250,
    windows: 2,
    haltMs: 15_000,
    haltEveryMs: 120_000,
  },
  fairValue: {
    ...DEFAULT_PARAMETERS.fairValue,
    windowMs: 600_000,
    shortWindowMs: 60_000,
    sliceMinMs: 5_000,
    sliceMaxMs: 45_000,
    restedMs: 2_000,
    depthLots: 100,
    ordersMax: 4,
  },
  risk: {
    openOrdersPerMarket: 6,
    openOrdersPerAccount: 25,
    positionLotsMax: 40_000,
    openNotionalMax: usdt(3_000_000_000n),
    bidReserveMin: usdt(300_000n),
    openMarketsPerCreator: 2,
  },
  resolution: {
    ...DEFAULT_PARAMETERS.resolution,
    accountChallengeMs: 1_200_000,
    proposalDeadlineMs: 3_600_000,
    recoveryGraceMs: 600_000,
    rulingAlarmMs: 1_800_000,
    rulingDeadlineMs: 5_400_000,
    alarmEveryMs: 900_000,
    voidNoticeMs: 900_000,
  },
  faucet: { ...DEFAULT_PARAMETERS.faucet, intervalMs: 60_000, freedPerDay: 1 },
  duplicateWindowMs: 600_000,
  closedOrdersKept: 40,
  closesWithinMs: 10 * 86_400_000,
  chunkMax: 5,
  walkUnits: 12,
  timerUnits: 6,
};
