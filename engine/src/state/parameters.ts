// Every number an operator may choose, in one place: begun with in a lane's first snapshot and part of its state from then on.
// Which of them may be changed later is in parameter-change.ts.
import type { Usdt } from '@sibyl/money';

export interface Parameters {
  readonly fee: FeeParameters;
  readonly quality: QualityParameters;
  readonly band: BandParameters;
  readonly fairValue: FairValueParameters;
  readonly risk: RiskParameters;
  readonly resolution: ResolutionParameters;
  readonly faucet: FaucetParameters;
  /** How long a client_order_id or a command key is remembered. */
  readonly duplicateWindowMs: number;
  /** How many closed orders stay known to the engine; older ones are the read model's. */
  readonly closedOrdersKept: number;
  /** A market closes at most this long after it is made. */
  readonly closesWithinMs: number;
  /** Postings that one command may make when markets lock, settle or are cancelled: orders, and outcomes of holders. */
  readonly chunkMax: number;
  /** Work that the walks of one command may do: see RT10. */
  readonly walkUnits: number;
  /** Work of timers after which a tick stops: see CM11. */
  readonly timerUnits: number;
}

export interface FeeParameters {
  /** Rates in units of 10⁻⁸: the curve's floor; a template's taker_bps is the peak. */
  readonly takerFloorRate: number;
  readonly rebateFloorRate: number;
  /** Of the amount minted or merged by a user without quality. */
  readonly conversionRate: number;
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
  /** Orders of one market that a check reads on each side of its books together. */
  readonly lookOrdersMax: number;
  /** Known to nobody outside: draws when makers are looked at. */
  readonly lookSecret: string;
}

export interface BandParameters {
  /** How far an order may trade from the price of a moment ago; a template may say less. */
  readonly pips: number;
  /** How long ago that moment is, counted in steps. */
  readonly delayMs: number;
  readonly stepMs: number;
  /** Windows of `delayMs` in a row, with an order at the band in each, that halt a market. */
  readonly windows: number;
  readonly haltMs: number;
  /** A market halts itself at most once in this time. */
  readonly haltEveryMs: number;
}

/** Prices that shares of a cancelled market are paid (VD1 to VD8). */
export interface FairValueParameters {
  /** The longest window, in trading time. */
  readonly windowMs: number;
  /** The shortest window that operators name, unless a third of the trading time is less. */
  readonly shortWindowMs: number;
  /** A slice is the planned life by `slicesPerLife`, within these bounds. */
  readonly sliceMinMs: number;
  readonly sliceMaxMs: number;
  readonly slicesPerLife: number;
  /** How long an order has rested before the book price counts it. */
  readonly restedMs: number;
  /** Depth that a side of the book must have: so many lots, or one in so many of the sets outstanding. */
  readonly depthLots: number;
  readonly depthPart: number;
  /** How far apart bid and ask of that depth may be. */
  readonly spreadPips: number;
  /** Orders of a side that the book price reads. */
  readonly ordersMax: number;
  /** Default window and last day differ by more than this: operators must name a window. */
  readonly movedPips: number;
}

export interface RiskParameters {
  readonly openOrdersPerMarket: number;
  readonly openOrdersPerAccount: number;
  /** Largest position in one outcome, in lots. */
  readonly positionLotsMax: number;
  /** Largest sum of reserved money of one account. */
  readonly openNotionalMax: Usdt;
  /** The least that a resting bid reserves in a market of more than two outcomes. */
  readonly bidReserveMin: Usdt;
  /** Markets of one family that are not final, in live. */
  readonly openMarketsPerCreator: number;
}

export interface ResolutionParameters {
  readonly challengeMs: number;
  /** The least window of an account's proposal. */
  readonly accountChallengeMs: number;
  readonly bondMin: Usdt;
  /** The least bond of an account's proposal, as a part of the escrow. */
  readonly bondEscrowBps: number;
  /** A locked market without a proposal is announced this long after it closed. */
  readonly proposalDeadlineMs: number;
  /** No such voiding within this time after a recovery. */
  readonly recoveryGraceMs: number;
  /** A dispute without a ruling, or a cancellation without a confirmation, is announced after this, */
  readonly rulingAlarmMs: number;
  /** and a dispute, or an account's proposal to cancel, ends without a ruling after this. */
  readonly rulingDeadlineMs: number;
  /** Alarms are repeated after this. */
  readonly alarmEveryMs: number;
  /** Between the proposal of a cancellation and its confirmation, in window time. */
  readonly voidNoticeMs: number;
  /** Sandbox only: a market without a proposal is cancelled at the deadline. */
  readonly autoVoid: boolean;
}

export interface FaucetParameters {
  readonly amount: Usdt;
  readonly intervalMs: number;
  /** Resets of a family that free its faucet before the interval is over, in a UTC day. */
  readonly freedPerDay: number;
}

const usdt = (whole: bigint): Usdt => (whole * 1_000_000n) as Usdt;

export const DEFAULT_PARAMETERS: Parameters = {
  fee: {
    takerFloorRate: 80_000,
    rebateFloorRate: 30_000,
    conversionRate: 110_000,
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
    lookOrdersMax: 5_000,
    lookSecret: '',
  },
  band: {
    pips: 2000,
    delayMs: 10_000,
    stepMs: 100,
    windows: 3,
    haltMs: 60_000,
    haltEveryMs: 3_600_000,
  },
  fairValue: {
    windowMs: 7 * 86_400_000,
    shortWindowMs: 86_400_000,
    sliceMinMs: 1_000,
    sliceMaxMs: 900_000,
    slicesPerLife: 512,
    restedMs: 60_000,
    depthLots: 10_000,
    depthPart: 20,
    spreadPips: 1_000,
    ordersMax: 1_000,
    movedPips: 500,
  },
  risk: {
    openOrdersPerMarket: 200,
    openOrdersPerAccount: 2000,
    positionLotsMax: 100_000_000_000,
    openNotionalMax: usdt(1_000_000_000n),
    bidReserveMin: usdt(1n),
    openMarketsPerCreator: 20,
  },
  resolution: {
    challengeMs: 7_200_000,
    accountChallengeMs: 86_400_000,
    bondMin: usdt(10n),
    bondEscrowBps: 100,
    proposalDeadlineMs: 7 * 86_400_000,
    recoveryGraceMs: 3_600_000,
    rulingAlarmMs: 3 * 86_400_000,
    rulingDeadlineMs: 7 * 86_400_000,
    alarmEveryMs: 86_400_000,
    voidNoticeMs: 86_400_000,
    autoVoid: false,
  },
  faucet: { amount: usdt(10_000n), intervalMs: 3_600_000, freedPerDay: 10 },
  duplicateWindowMs: 86_400_000,
  closedOrdersKept: 100_000,
  closesWithinMs: 1826 * 86_400_000,
  chunkMax: 5_000,
  walkUnits: 5_000,
  timerUnits: 5_000,
};
