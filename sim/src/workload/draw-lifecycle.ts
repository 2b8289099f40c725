// Commands of the market's lifecycle and of accounts, drawn at random from what exists.
import type { CommandOf, PlainCommand } from '../naive/plain.ts';
import type { Prng } from '../prng.ts';
import { drawCaps } from './draw-orders.ts';
import { drawGrant } from './draw-revenue.ts';
import type { KnownMarket, View } from './view.ts';

type Header = 'seq' | 'atMs' | 'actor' | 'key';
type WithoutHeader<T> = T extends PlainCommand ? Omit<T, Header> : never;
export type Body = WithoutHeader<PlainCommand>;
type BodyOf<T extends PlainCommand['type']> = Omit<CommandOf<T>, Header>;

const MICRO = 1_000_000n;

export function drawCreation(
  random: Prng,
  view: View,
  nowMs: number,
  nonce: number,
  closesWithinMs: number,
): BodyOf<'create_market'> {
  const usable = view.templates.filter((each) => !each.deprecated);
  const { definition } = random.pick(usable.length > 0 ? usable : view.templates);
  const creators = view.accounts.filter((account) => !account.frozen);
  const platform = random.chance(1, 4);
  const params: Record<string, string | number | boolean> = {
    nonce,
    topic: random.pick(['Rain', 'Ölpreis', 'a/b']),
  };
  if (definition.outcomeSchema === 'scalar') {
    params.lower = random.pick(['0', '-12.5', '0.000000000000000001']);
    params.upper = random.pick(['100', '33.333', '1000000']);
  }
  if (definition.outcomeSchema === 'binary' && random.chance(1, 2)) params.strike = '50.25';
  if (random.chance(1, 4)) params.opens_at_ms = nowMs + random.pick([-1000, 0, 1, 5000, 120_000]);
  if (random.chance(1, 4))
    params.closes_at_ms =
      nowMs + random.pick([60_000, 1_800_000, 1_800_000, 86_400_000, closesWithinMs + 1]);
  if (random.chance(1, 5)) params.ratio = random.pick([0.5, -10.5, 3]);
  if (random.chance(1, 5)) params.final = random.chance(1, 2);
  if (random.chance(1, 5)) params.region = random.pick(['north', 'south']);
  return {
    type: 'create_market',
    accountId: platform ? 'acc_platform' : random.pick(creators).id,
    templateId: definition.id,
    params,
    displayTitle: random.chance(1, 5) ? 'A title of its own' : null,
    displayImageUrl: random.chance(1, 9) ? 'https://img.example/own.png' : null,
  };
}

function drawResult(random: Prng, market: KnownMarket): CommandOf<'propose_resolution'>['result'] {
  const scalar = market.template.outcomeSchema === 'scalar';
  const kind = random.weighted([
    [6, 'outcome'],
    [2, 'payout'],
    [scalar ? 8 : 0, 'value'],
    [1, 'void'],
  ] as const);
  if (kind === 'void') return { kind };
  if (kind === 'outcome') return { kind, outcomeId: random.pick(market.outcomes) };
  if (kind === 'value')
    return { kind, value: random.pick(['37.5', '-5', '130', '33.3333', '0', '99.999999']) };
  const payout = market.outcomes.map(() => 0);
  let left = 10_000;
  for (let index = 0; index < payout.length - 1; index += 1) {
    payout[index] = random.between(0, left);
    left -= payout[index] ?? 0;
  }
  payout[payout.length - 1] = left;
  return { kind, payout };
}

const evidence = (random: Prng): string[] =>
  random.weighted([
    [8, ['https://example.org/proof']],
    [1, []],
    [1, ['', 'text']],
  ]);

const bond = (random: Prng): bigint =>
  random.weighted([
    [6, 26n * MICRO],
    [6, 700n * MICRO],
    [2, 10n * MICRO],
    [1, 0n],
    [1, 10n * MICRO - 1n],
  ]);

export function drawProposal(
  random: Prng,
  view: View,
  market: KnownMarket,
): BodyOf<'propose_resolution'> {
  // Only an operator's proposal is taken before the lock.
  const byOperator = market.status === 'active' ? random.chance(4, 5) : random.chance(1, 3);
  return {
    type: 'propose_resolution',
    marketId: market.id,
    proposerId: byOperator ? null : random.pick(view.accounts).id,
    result: drawResult(random, market),
    evidence: evidence(random),
    bond: bond(random),
  };
}

export function drawDispute(
  random: Prng,
  view: View,
  market: KnownMarket,
): BodyOf<'dispute_resolution'> {
  return {
    type: 'dispute_resolution',
    marketId: market.id,
    accountId: random.pick(view.accounts).id,
    evidence: evidence(random),
    bond: bond(random),
  };
}

type Ruling = CommandOf<'rule_resolution'>['ruling'];

export function drawRuling(random: Prng, market: KnownMarket): BodyOf<'rule_resolution'> {
  const drawn = (): Ruling => {
    if (market.voided)
      return random.pick([
        'upheld',
        'upheld',
        'upheld',
        'too_early',
        'void',
        'overturned',
      ] as const);
    return market.disputed
      ? random.pick(['upheld', 'overturned', 'void', 'too_early', 'too_early'] as const)
      : 'too_early';
  };
  const ruling = drawn();
  const overturned = ruling === 'overturned';
  return {
    type: 'rule_resolution',
    marketId: market.id,
    ruling,
    result: overturned !== random.chance(1, 20) ? drawResult(random, market) : null,
    ...(market.voided && random.chance(1, 6) && { alone: true }),
  };
}

export function drawReadings(random: Prng, market: KnownMarket): BodyOf<'report_readings'> {
  const decimal = random.chance(4, 5)
    ? random.pick(['50.25', '50.250', '12', '75.5', '-3'])
    : random.pick(market.outcomes);
  const multi = market.template.outcomeSchema === 'multi';
  const value = multi || random.chance(1, 3) ? random.pick(market.outcomes) : decimal;
  const readings = [{ source: 'feed_a', value }];
  if (random.chance(1, 2)) {
    readings.push({
      source: random.chance(1, 12) ? 'feed_a' : 'feed_b',
      value: random.chance(1, 6) ? '51' : value,
    });
  }
  return { type: 'report_readings', marketId: market.id, readings };
}

/** Asked by those who made the market, and by strangers. */
export function drawMock(random: Prng, view: View, market: KnownMarket): BodyOf<'mock_oracle'> {
  const own = random.chance(1, 2) && market.creatorId !== 'acc_platform';
  return {
    type: 'mock_oracle',
    accountId: own ? market.creatorId : random.pick(view.accounts).id,
    marketId: market.id,
    winningOutcomeId: random.pick(market.outcomes),
  };
}

/** Commands on accounts and their money. */
export function drawAccountCommand(random: Prng, view: View): Body {
  const account = random.pick(view.accounts);
  const other = random.pick(view.accounts);
  const markets = view.activeMarkets();
  const demos = view.accounts.filter(({ isDemo }) => isDemo);
  const amount = BigInt(random.between(1, 50_000_000));
  const kind = random.weighted([
    [4, 'transfer'],
    [2, 'faucet'],
    [markets.length > 0 ? 8 : 0, 'mint'],
    [markets.length > 0 ? 5 : 0, 'merge'],
    [1, 'reset'],
    [1, 'freeze'],
    [2, 'open'],
    [demos.length > 0 ? 2 : 0, 'close'],
    [demos.length > 0 ? 1 : 0, 'register'],
  ] as const);
  switch (kind) {
    case 'transfer': {
      const family = view.accounts.filter(
        (each) => each.parentId === account.id || each.id === account.parentId,
      );
      const toId = family.length > 0 && random.chance(4, 5) ? random.pick(family).id : other.id;
      return { type: 'transfer', fromId: account.id, toId, amount };
    }
    case 'faucet':
      return {
        type: 'faucet',
        accountId: account.id,
        keyId: random.chance(1, 2) ? account.keyId : null,
      };
    case 'mint':
      return {
        type: 'mint_sets',
        accountId: account.id,
        marketId: random.pick(markets).id,
        lots: random.between(1, random.pick([5000, 30_000])),
        caps: drawCaps(random, account),
        grant: drawGrant(random, view, account.id),
      };
    case 'merge': {
      const market = random.pick(markets);
      const least = Math.min(
        ...market.outcomes.map((_, index) => view.freeLots(account.id, market.id, index)),
      );
      const lots = Math.max(1, random.chance(1, 2) ? least : random.between(1, Math.max(1, least)));
      return { type: 'merge_sets', accountId: account.id, marketId: market.id, lots };
    }
    case 'reset':
      return { type: 'reset_account', accountId: account.id };
    case 'freeze':
      return {
        type: 'freeze_account',
        accountId: account.id,
        frozen: !account.frozen,
        ...(random.chance(1, 2) ? { reason: 'under review' } : {}),
      };
    case 'close':
      return {
        type: 'close_account',
        accountId: random.chance(1, 8) ? account.id : random.pick(demos).id,
      };
    case 'register':
      return {
        type: 'register_demo',
        accountId: random.chance(1, 4) ? account.id : random.pick(demos).id,
        referrerId: random.chance(1, 2) ? other.id : null,
      };
    default:
      return drawOpening(random, account.id, other.id);
  }
}

/** One to three resets of the family, or of the account alone, each followed by the faucet. */
export function drawFaucetAgain(random: Prng, view: View, used: BodyOf<'faucet'>): Body[] {
  const known = view.accounts.find(({ id }) => id === used.accountId);
  const ownerId = known?.parentId ?? used.accountId;
  const bodies: Body[] = [];
  for (let left = random.between(1, 3); left > 0; left -= 1) {
    const accountId = random.chance(3, 4) ? ownerId : used.accountId;
    const keyId = random.pick([used.keyId, null, `key_${ownerId}`]);
    bodies.push({ type: 'reset_account', accountId }, { ...used, keyId });
  }
  return bodies;
}

function drawOpening(random: Prng, knownId: string, otherId: string): BodyOf<'open_account'> {
  const mode = random.pick(['sandbox', 'demo', 'demo', 'bot', 'live'] as const);
  // Relatives keep a demo account from being closed.
  const isAlone = mode === 'demo' ? random.chance(4, 5) : random.chance(1, 2);
  const name = mode === 'demo' ? `acc_demo${random.between(1, 9)}` : 'acc_late';
  return {
    type: 'open_account',
    accountId: random.pick([name, name, name, 'sub_late', 'nameless', knownId]),
    mode,
    parentId: isAlone ? null : otherId,
    referrerId: null,
  };
}
