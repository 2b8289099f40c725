// Every number a client can run into: rates, caps, lengths, sizes and windows.

/** Buckets of the rate limiter; each is counted by itself, so reads never starve trades. */
export const rateCategories = [
  'read',
  'trade',
  // The reserve of cancels and heartbeats, for when orders have used up the quota of trades.
  'cancel',
  'account_write',
  'account_read',
  'create',
] as const;
export type RateCategory = (typeof rateCategories)[number];

/** Those whose quotas operators set; the reserve of cancels is always as large as the quota of trades. */
export const quotaCategories = [
  'read',
  'trade',
  'account_write',
  'account_read',
  'create',
] as const satisfies readonly RateCategory[];
export type QuotaCategory = (typeof quotaCategories)[number];

/** Whose bucket it is: one key's, a user's sessions', all keys' of an account together, an app's, or an address's. */
export const rateScopes = ['key', 'session', 'account', 'app', 'address'] as const;
export type RateScope = (typeof rateScopes)[number];

/** Who is counted: a key by its id, a session by its user, a stranger by address. */
export const credentialClasses = ['key', 'session', 'anonymous'] as const;
export type CredentialClass = (typeof credentialClasses)[number];

export const tiers = [
  'self_serve',
  'read_live',
  'trade_capped',
  'trade_full',
  'genesis',
  'partner',
  'institutional',
] as const;
export type Tier = (typeof tiers)[number];

/** Those who reach operations that are marked early. */
export const earlyTiers: readonly Tier[] = ['genesis', 'partner', 'institutional'];

export type TierLimits = {
  readonly environment: 'sandbox' | 'live';
  /** Ceilings in USDT as decimal strings; null means none. */
  readonly orderNotionalMax: string | null;
  readonly dailyNotionalMax: string | null;
  readonly rateMultiplier: number;
};

const perMinute: Readonly<Record<CredentialClass, Readonly<Record<RateCategory, number>>>> = {
  key: { read: 60, trade: 30, cancel: 30, account_write: 10, account_read: 120, create: 20 },
  session: {
    read: 600,
    trade: 120,
    cancel: 120,
    account_write: 60,
    account_read: 600,
    create: 60,
  },
  // A stranger reaches only public reads and the few public writes (keys, login); the other
  // numbers bound how fast rejected credentials can be tried from one address.
  anonymous: {
    read: 120,
    trade: 120,
    cancel: 120,
    account_write: 10,
    account_read: 120,
    create: 120,
  },
};

const tierLimits: Readonly<Record<Tier, TierLimits>> = {
  self_serve: tier('sandbox', '10', '100', 1),
  read_live: tier('live', '25', '250', 1),
  trade_capped: tier('live', '250', '2500', 1),
  trade_full: tier('live', null, null, 1),
  genesis: tier('live', null, null, 10),
  partner: tier('live', null, null, 20),
  institutional: tier('live', null, null, 20),
};

export const limits = Object.freeze({
  rate: Object.freeze({
    windowMs: 60_000,
    perMinute,
    /** The highest quota an operator may set. */
    perMinuteMax: 100_000,
    /** All keys of an account together have so many times the quota of one of them. */
    accountFactor: 10,
    /** The highest multiplier an operator may set: the load-test grant of the specification. */
    multiplierMax: 50,
  }),
  tiers: tierLimits,
  /** A visitor's account: play money, so many an hour and a day from one address, closed when it was idle for so long. */
  demo: Object.freeze({
    balance: '1000',
    perHour: 5,
    perDay: 20,
    /** Of all addresses of an IPv6 /48 together, which one household or company can have whole. */
    networkPerHour: 25,
    networkPerDay: 100,
    idleMs: 7 * 86_400_000,
  }),
  page: Object.freeze({
    limitMin: 1,
    limitMax: 500,
    limitDefault: 50,
    cursorLengthMax: 512,
    /** Markets a page with the history of their prices. */
    historyMax: 50,
  }),
  depth: Object.freeze({ min: 1, max: 100, default: 20 }),
  body: Object.freeze({ standardBytesMax: 65_536, batchBytesMax: 262_144 }),
  batch: Object.freeze({ itemsMax: 20 }),
  clientOrderId: Object.freeze({ lengthMax: 64, windowMs: 86_400_000 }),
  idempotency: Object.freeze({
    bodyKeyLengthMax: 64,
    headerPattern: '^[A-Za-z0-9_-]{8,128}$',
    windowMs: 86_400_000,
  }),
  moneyLengthMax: 40,
  /** Receivers on the machine of the server, which `sibyl webhooks listen` renews. */
  localReceiver: Object.freeze({ ttlSecMax: 600 }),
  heartbeat: Object.freeze({ timeoutMsMin: 5_000, timeoutMsMax: 300_000 }),
  faucet: Object.freeze({ amount: '10000', windowMs: 3_600_000 }),
  /** Keys of one user that are neither revoked nor expired. */
  keys: Object.freeze({ activeMax: 20, networksMax: 20 }),
  /** Of signed requests: how far a timestamp may be off, and how long a nonce is remembered. */
  signing: Object.freeze({ windowSec: 300, nonceSec: 600 }),
  sandboxKey: Object.freeze({ perAddress: 1, windowMs: 86_400_000 }),
  graduation: Object.freeze({ volume: '100', windowDays: 30, from: 'self_serve', to: 'read_live' }),
  risk: Object.freeze({ openOrdersPerMarketMax: 200, openOrdersPerAccountMax: 2_000 }),
  session: Object.freeze({ lifetimeMs: 43_200_000 }),
  /** Second factors: how long a proof counts, and how long withdrawals wait after a change. */
  factors: Object.freeze({
    otpDigits: 6,
    otpPeriodSec: 30,
    recoveryCodes: 10,
    stepUpMs: 300_000,
    withdrawalHoldMs: 86_400_000,
    /** How long trading in live waits after an operator's link reset the password. */
    tradingHoldMs: 3_600_000,
    /** Destinations added so shortly before a reset of the password start their delay again. */
    recentDestinationMs: 7 * 86_400_000,
    passkeysMax: 20,
    challengeMs: 300_000,
  }),
  /** One-time links: how long each is good, and how many an hour may be asked for. */
  mail: Object.freeze({
    verificationMs: 86_400_000,
    resetMs: 3_600_000,
    windowMs: 3_600_000,
    perEmail: 3,
    perAddress: 10,
  }),
  withdrawals: Object.freeze({ destinationsMax: 20 }),
  /** Of those who operate the exchange. */
  operator: Object.freeze({
    sessionMs: 28_800_000,
    idleMs: 1_800_000,
    stepUpMs: 600_000,
    /** How long something waits for a second operator, and for the only one there is. */
    approvalMs: 604_800_000,
    aloneMs: 86_400_000,
  }),
  password: Object.freeze({ lengthMin: 10, lengthMax: 256 }),
  /** Of HTTP; WebSockets have limits of their own below. */
  connection: Object.freeze({
    /** Those that have not sent a request yet. */
    silentPerAddressMax: 512,
    /** Those without a credential. */
    strangersPerAddressMax: 100,
    knownPerAddressMax: 1_024,
    perCredentialMax: 128,
    /** An answer of which nothing is read for so long is given up, and its connection with it. */
    unreadAnswerMs: 10_000,
  }),
  socket: Object.freeze({
    frameBytesMax: 16_384,
    framesPerSecond: 10,
    framesBurst: 20,
    streamsMax: 200,
    /** Sockets of an address that have not authenticated, and those that have. */
    perAddressMax: 20,
    knownPerAddressMax: 100,
    perKeyMax: 10,
    /** An AUTH that asks for cancel_on_disconnect, or takes it back, costs as many frames: it is written to disk. */
    lifelineFrames: 10,
    heartbeatIntervalMs: 5_000,
    /** A missed message can be had again for so long, and among so many. */
    replayWindowMs: 300_000,
    replayMessagesMax: 10_000,
    /** What may wait for one reader before it is told that it is too slow. */
    queueBytesMax: 1_048_576,
    /** Snapshots that one address is sent at once, and per second after that. */
    snapshotBytesBurst: 16_777_216,
    snapshotBytesPerSecond: 524_288,
    /** Levels per side of the streamed book. */
    bookDepth: 100,
    checksumLevels: 10,
    checksumIntervalMs: 5_000,
    /** How long before its end a credential is announced as expiring. */
    expiryNoticeMs: 60_000,
    graceMsDefault: 5_000,
    graceMsMax: 300_000,
    commandIdLengthMax: 64,
    tokenLengthMax: 512,
  }),
  webhook: Object.freeze({
    urlLengthMax: 2_048,
    perAccountMax: 20,
    eventTypesMax: 64,
    marketIdsMax: 100,
    timestampToleranceSec: 300,
    timeoutMs: 10_000,
    connectTimeoutMs: 3_000,
    responseBytesMax: 16_384,
    /** Pauses before each attempt, the first included; each gets jitter. */
    attemptDelaysMs: Object.freeze([
      0, 5_000, 300_000, 1_800_000, 7_200_000, 18_000_000, 36_000_000, 36_000_000,
    ]),
    /** So long with nothing but failures disables the endpoint. */
    disableAfterMs: 432_000_000,
    rotationGraceMs: 86_400_000,
    deliveryLogMs: 2_592_000_000,
  }),
  builderFeeBpsMax: 100,
  /** Apps: of one owner, what each may name, and how long the secret before the last rotation is good. */
  apps: Object.freeze({
    perOwnerMax: 50,
    nameLengthMax: 64,
    redirectUrisMax: 10,
    allowedOriginsMax: 10,
    uriLengthMax: 512,
    secretOverlapMs: 86_400_000,
  }),
  /** Builders: the first cohort, the multipliers a reviewer may give, and what a load test may have. */
  builders: Object.freeze({
    genesisMax: 20,
    /** What operators may raise rates to, tier included. */
    rateMax: Object.freeze({ genesis: 10, partner: 20, institutional: 20, loadTest: 50 }),
    loadTestMaxMs: 30 * 86_400_000,
  }),
  /** OAuth: how long codes and tokens are good, and how many grants of a user may hold at a time. */
  oauth: Object.freeze({
    codeMs: 60_000,
    accessMs: 900_000,
    refreshMs: 30 * 86_400_000,
    /** The end of a grant, however often its tokens are renewed: with the scope offline, and without. */
    offlineMs: 90 * 86_400_000,
    presentMs: 43_200_000,
    grantsMax: 100,
    delegationMaxMs: 365 * 86_400_000,
  }),
  /** A key for the live lane whose user has no approved app ends after so long. */
  liveKeyMaxMs: 90 * 86_400_000,
});

function tier(
  environment: 'sandbox' | 'live',
  orderNotionalMax: string | null,
  dailyNotionalMax: string | null,
  rateMultiplier: number,
): TierLimits {
  return Object.freeze({ environment, orderNotionalMax, dailyNotionalMax, rateMultiplier });
}
