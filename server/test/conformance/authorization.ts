// Who may do what: one table of classes, credentials and the answers they get.
import type { AnyOperation, ErrorCode } from '@sibyl/contract';
import type { Scene } from './scene.ts';
import type { Call } from './world.ts';

/** By what an operation asks of its caller; `open` does not even look at a credential. */
type AuthClass = 'open' | 'public' | 'read' | 'trade' | 'withdraw' | 'session' | 'operator';

/** The contract says it, and the contract is held against the tables of the interface. */
export function classOf({ auth, permission, method, group }: AnyOperation): AuthClass {
  if (auth !== 'credential') return isBlind({ auth, method, group }) ? 'open' : auth;
  if (permission === null) throw new Error('a class for no permission');
  return permission;
}

/** Works however stale the credential is that a client still sends. */
export function isBlind({
  auth,
  method,
  group,
}: Pick<AnyOperation, 'auth' | 'method' | 'group'>): boolean {
  return auth === 'public' && (method !== 'GET' || group === 'System');
}

type Verdict = 'ok' | ErrorCode;

type Row = Readonly<Record<AuthClass, Verdict>>;

interface Presented {
  readonly call: (scene: Scene) => Pick<Call, 'token' | 'base'>;
  readonly expected: Row;
}

const refused = (code: ErrorCode): Row => ({
  open: 'ok',
  public: code,
  read: code,
  trade: code,
  withdraw: code,
  session: code,
  operator: 'AUTH_INVALID',
});

const key = (row: Partial<Row>): Row => ({
  open: 'ok',
  public: 'ok',
  read: 'ok',
  trade: 'ok',
  // Asked for at the live address, where these keys do not belong.
  withdraw: 'WRONG_ENV_KEY',
  session: 'SCOPE_MISSING',
  operator: 'AUTH_INVALID',
  ...row,
});

export const credentials: Readonly<Record<string, Presented>> = {
  'no credential': {
    call: () => ({ token: null }),
    expected: {
      open: 'ok',
      public: 'ok',
      read: 'AUTH_REQUIRED',
      trade: 'AUTH_REQUIRED',
      withdraw: 'AUTH_REQUIRED',
      session: 'AUTH_REQUIRED',
      operator: 'AUTH_REQUIRED',
    },
  },
  garbage: { call: () => ({ token: 'garbage' }), expected: refused('AUTH_INVALID') },
  'a key with a wrong secret': {
    call: ({ owner }) => ({ token: `${owner.key.slice(0, -3)}xxx` }),
    expected: refused('AUTH_INVALID'),
  },
  "another user's key": { call: ({ other }) => ({ token: other.key }), expected: key({}) },
  'a read-only key': {
    call: ({ keys }) => ({ token: keys.readOnly }),
    expected: key({ trade: 'SCOPE_MISSING' }),
  },
  'a trade-only key': {
    call: ({ keys }) => ({ token: keys.tradeOnly }),
    expected: key({ read: 'SCOPE_MISSING' }),
  },
  'a sandbox key at the live address': {
    call: ({ owner }) => ({ token: owner.key, base: '' }),
    expected: refused('WRONG_ENV_KEY'),
  },
  'a live key at the sandbox address': {
    call: ({ keys }) => ({ token: keys.live }),
    // Real money has no sandbox address: there the key is in its place, without the permission.
    expected: { ...refused('WRONG_ENV_KEY'), withdraw: 'SCOPE_MISSING' },
  },
  'a revoked key': {
    call: ({ keys }) => ({ token: keys.revoked }),
    expected: refused('AUTH_INVALID'),
  },
  'an expired key': {
    call: ({ keys }) => ({ token: keys.expired }),
    expected: refused('AUTH_INVALID'),
  },
  'an ended session': {
    call: ({ endedSession }) => ({ token: endedSession }),
    expected: refused('AUTH_INVALID'),
  },
  'an expired session': {
    call: ({ world }) => ({ token: world.prologue.expiredSession }),
    expected: refused('AUTH_INVALID'),
  },
};

/** Records of one account: to every other caller they do not exist. */
export const privateRecords: ReadonlySet<string> = new Set([
  'getOrder',
  'amendOrder',
  'cancelOrder',
  'revokeKey',
  'drawSigningSecret',
  'updateWebhook',
  'deleteWebhook',
  'rotateWebhookSecret',
  'listWebhookDeliveries',
  'replayWebhook',
  'getRequest',
  'changeSubaccount',
  'updateApp',
  'rotateAppSecret',
]);

/** What another key of the same owner gets: nobody but the key itself, or its owner at the page, gets its secret. */
export const siblingVerdicts: Readonly<Record<string, ErrorCode>> = {
  drawSigningSecret: 'SCOPE_MISSING',
};

/** What another caller gets who asks about what is the owner's; anything else is open to all. */
export const foreignVerdicts: Readonly<Record<string, ErrorCode>> = {
  ...Object.fromEntries([...privateRecords].map((id) => [id, 'NOT_FOUND'] as const)),
  // Whoever made a market ends it; to others no such market can be ended.
  settleWithMockOracle: 'MARKET_NOT_FOUND',
  transferFunds: 'NOT_FOUND',
};

/** What a frozen account gets in the live lane, whatever it asks about. */
export const frozenVerdicts: Readonly<Record<string, Verdict>> = {
  getAccount: 'ok',
  listPositions: 'ok',
  listOrders: 'ok',
  listFills: 'ok',
  listKeys: 'ok',
  getBalance: 'ok',
  getPortfolioSummary: 'ok',
  listLedger: 'ok',
  getAttribution: 'ok',
  getRevenue: 'ok',
  listSubaccounts: 'ok',
  createSubaccount: 'SUBACCOUNT_FROZEN',
  createMarket: 'SUBACCOUNT_FROZEN',
  heartbeat: 'SUBACCOUNT_FROZEN',
  placeOrder: 'SUBACCOUNT_FROZEN',
  listWithdrawals: 'ok',
  listDeposits: 'ok',
  listDestinations: 'ok',
  convertPosition: 'SUBACCOUNT_FROZEN',
};
