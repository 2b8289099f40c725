// Markets and accounts that an operator looks for, with what has to be known before an act.

import {
  type FoundAccount,
  type FoundMarket,
  type InputOf,
  type OperatorOperations,
  tiers,
  userScopes,
} from '@sibyl/contract';
import {
  type Account,
  asAccountId,
  asMarketId,
  isExcluded,
  type Market,
  type MarketId,
  type State,
} from '@sibyl/engine';
import type { Lane } from '@sibyl/lane';
import { isClosedByOwner } from '../handling/closed-account.ts';
import { ApiError, isoTime, type Reply, type RequestContext } from '../handling/handler.ts';
import { selectMarkets } from '../modules/markets/queries.ts';
import type { UserRecord } from '../ports/platform.ts';
import { amountText } from '../wire/amounts.ts';
import { cancellationOf, cancellationView } from '../wire/cancellation-view.ts';
import { marketView } from '../wire/market-view.ts';
import { isoTimeOrNull } from '../wire/times.ts';
import { windowSecOf } from './challenge-window.ts';
import { laneOf, type OperatorHandlers, type OperatorParts } from './parts.ts';

type MarketQuery = InputOf<OperatorOperations['findMarkets']>['query'];

export function findingActs(
  parts: OperatorParts,
): Pick<OperatorHandlers, 'findMarkets' | 'findAccounts'> {
  return {
    async findMarkets(request, { query }) {
      const watched = laneOf(parts, query.lane);
      return watched instanceof ApiError ? watched : findMarkets(watched.lane, request, query);
    },
    async findAccounts(_request, { query }) {
      const watched = laneOf(parts, query.lane);
      if (watched instanceof ApiError) return watched;
      return { data: { accounts: await findAccounts(parts, watched.lane, query.q.trim()) } };
    },
  };
}

export const MARKET_ID = /^m_[0-9a-f]{12,16}$/;

async function findMarkets(
  lane: Lane,
  request: RequestContext,
  query: MarketQuery,
): Promise<Reply<FoundMarket[]>> {
  const words = query.q?.trim() ?? '';
  if (MARKET_ID.test(words)) {
    const found = await marketNamed(lane, asMarketId(words));
    return { data: found === null ? [] : [found], meta: { next_cursor: null } };
  }
  const page = request.page(query);
  const { status } = query;
  const filter = {
    ...(words !== '' && { q: words }),
    ...(status !== undefined && { state: status }),
  };
  return lane.read((state) => {
    const { found, next } = selectMarkets(state, filter, page);
    const data = found.flatMap(({ view }) => {
      const market = state.markets.get(asMarketId(view.market_id));
      return market === undefined ? [] : [foundMarket(state, market, view)];
    });
    return { data, meta: { next_cursor: next === null ? null : page.cursor(next) } };
  });
}

/** Null if there is none. */
export function marketNamed(lane: Lane, marketId: MarketId): Promise<FoundMarket | null> {
  return lane.read((state) => {
    const market = state.markets.get(marketId);
    return market === undefined ? null : foundMarket(state, market, marketView(state, market));
  });
}

function foundMarket(
  state: State,
  market: Market,
  view: ReturnType<typeof marketView>,
): FoundMarket {
  return {
    market_id: view.market_id,
    lane: state.lane,
    title: view.title,
    status: view.status,
    halted: view.halted,
    halt_message: view.halted ? market.haltReason : null,
    approved: view.approved,
    template_id: view.template_id,
    creator_id: market.platform ? null : market.creator.id,
    closes_at: view.closes_at,
    closes_at_ms: view.closes_at_ms,
    tick_size: view.tick_size,
    total_volume: view.total_volume,
    open_interest: view.open_interest,
    outcomes: view.outcomes.map(({ id, label, price }) => ({ id, label, price })),
    clarifications: view.clarifications.length,
    challenge_sec: windowSecOf(state, market),
    resolution: view.resolution,
    proposed_by: market.proposal?.proposerId ?? null,
    cancellation: foundCancellation(market),
    dispute: foundDispute(state, market),
  };
}

function foundCancellation(market: Market): FoundMarket['cancellation'] {
  const terms = cancellationOf(market);
  if (terms === null) return null;
  const { proposal } = market;
  const noticeEndsMs = proposal?.cancellation == null ? null : proposal.windowEndsAtMs;
  return {
    ...cancellationView(terms),
    proposed_by: proposal?.operator ?? null,
    notice_ends_at: isoTimeOrNull(noticeEndsMs),
    notice_ends_at_ms: noticeEndsMs,
  };
}

/** Until it is ruled on, and after. */
function foundDispute({ parameters }: State, { proposal }: Market): FoundMarket['dispute'] {
  const dispute = proposal?.dispute ?? null;
  if (dispute === null) return null;
  const dueMs = dispute.disputedAtMs + parameters.resolution.rulingDeadlineMs;
  return {
    raised_by: dispute.accountId,
    evidence: [...dispute.evidence],
    bond: amountText(dispute.bond),
    raised_at: isoTime(dispute.disputedAtMs),
    raised_at_ms: dispute.disputedAtMs,
    ruling_due_at: isoTime(dueMs),
    ruling_due_at_ms: dueMs,
  };
}

/** Whole names only: a search through all accounts would hold up those who trade. */
export async function findAccounts(
  parts: OperatorParts,
  lane: Lane,
  name: string,
): Promise<FoundAccount[]> {
  const accountId = await accountNamed(parts, lane.name, name);
  if (accountId === null) return [];
  const known = await lane.read(({ accounts }) => accounts.get(asAccountId(accountId)));
  if (known === undefined) return [];
  const { owner } = known.family;
  const user = await parts.platform.userByAccount(owner.id);
  const person = await personOf(parts, user);
  return lane.read(({ ledger, nowMs }) =>
    [owner, ...known.family.sorted().filter(({ id }) => id !== owner.id)].map((account) => ({
      ...foundAccount(account, lane.name, (index) => amountText(ledger.balance(index))),
      ...exclusionOf(account, nowMs),
      ...person,
      // A closing that was cut off has stopped it, and its owner may think again.
      closed: account.closedAtMs !== null || (user === null && isClosedByOwner(account)),
    })),
  );
}

/** Of a user, the account that it has in this lane. */
export async function accountNamed(
  { platform }: OperatorParts,
  lane: Lane['name'],
  name: string,
): Promise<string | null> {
  if (/^(?:acc|sub)_/.test(name)) return name;
  if (name.startsWith('sk_')) {
    const key = await platform.keyById(name.slice(0, PUBLIC_ID_LENGTH));
    return key?.accounts[lane] ?? null;
  }
  return (await platform.userById(name))?.accounts[lane] ?? null;
}

const PUBLIC_ID_LENGTH = 24;

type Person = Pick<
  FoundAccount,
  'user_id' | 'demo' | 'tier' | 'rate_multiplier' | 'declared_country' | 'scopes'
>;

async function personOf(
  { platform, operators }: OperatorParts,
  user: UserRecord | null,
): Promise<Person> {
  if (user === null) return NOBODY;
  const profile = await platform.profiles.of(user.userId);
  const granted = await operators.scopesOf(user.userId);
  return {
    user_id: user.userId,
    demo: user.isDemo,
    tier: tiers.find((tier) => tier === user.tier) ?? 'self_serve',
    rate_multiplier: user.rateMultiplier,
    declared_country: profile?.country ?? null,
    scopes: userScopes.filter((scope) => granted?.scopes.includes(scope)),
  };
}

const NOBODY: Person = {
  user_id: null,
  demo: false,
  tier: null,
  rate_multiplier: null,
  declared_country: null,
  scopes: [],
};

type Exclusion = Pick<FoundAccount, 'excluded_until_at' | 'excluded_until_at_ms'>;

function exclusionOf({ family }: Account, nowMs: number): Exclusion {
  const untilMs = isExcluded(family, nowMs) ? (family.limits?.excludedUntilMs ?? null) : null;
  return { excluded_until_at: isoTimeOrNull(untilMs), excluded_until_at_ms: untilMs };
}

type Held = Omit<FoundAccount, keyof Person | keyof Exclusion | 'closed'>;

function foundAccount(
  account: Account,
  lane: Lane['name'],
  balance: (index: Account['free']) => string,
): Held {
  return {
    account_id: account.id,
    lane,
    owner_id: account.parentId,
    frozen: account.frozen,
    frozen_by_operator: account.frozenByOperator,
    frozen_message: account.frozenReason,
    balance_free: balance(account.free),
    balance_reserved: balance(account.reserved),
    balance_withdrawing: balance(account.withdrawing),
    orders_open: account.openOrders,
    opened_at: isoTime(account.openedAtMs),
    opened_at_ms: account.openedAtMs,
    closed_at: isoTimeOrNull(account.closedAtMs),
    closed_at_ms: account.closedAtMs,
  };
}
