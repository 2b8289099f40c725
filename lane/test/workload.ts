// A seeded stream of real commands: accounts, deposits, one market, orders and cancels, each with its own key.
import {
  type Actor,
  type Answer,
  asAccountId,
  asTemplateId,
  type CommandBody,
  type MarketId,
  type TemplateDefinition,
} from '@sibyl/engine';
import type { Submission } from '@sibyl/lane';
import { lots, pips, usdt } from '@sibyl/money';

export const OPERATOR: Actor = { kind: 'operator', name: 'test', reason: 'test' };
export const ACCOUNTS = ['acc_a', 'acc_b', 'acc_c', 'acc_d'].map(asAccountId);
/** Each deposit of the stream, so that a balance tells how many took effect. */
const DEPOSIT = usdt(1_000_000n);

/** A whole number below `limit`; the same seed gives the same numbers. */
export type Draw = (limit: number) => number;

export function drawFrom(seed: number): Draw {
  let state = seed >>> 0;
  return (limit) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
}

/** Must be answered in order before the stream begins; the last one answers with the market. */
function opening(): readonly Submission[] {
  const bodies: CommandBody[] = [];
  for (const accountId of ACCOUNTS) {
    bodies.push({
      type: 'open_account',
      accountId,
      mode: 'live',
      parentId: null,
      referrerId: null,
    });
    const amount = usdt(1_000_000_000_000n);
    bodies.push({ type: 'deposit', accountId, amount, reference: `opening ${accountId}` });
  }
  bodies.push({ type: 'publish_template', template: TEMPLATE });
  bodies.push({
    type: 'create_market',
    accountId: ACCOUNTS[0]!,
    templateId: TEMPLATE.id,
    params: {},
    displayTitle: null,
    displayImageUrl: null,
  });
  return bodies.map((body, index) => keyed(body, OPERATOR, `opening-${index}`));
}

/** Sends the opening and gives the market that the stream trades in. */
export async function openMarket(
  send: (submission: Submission) => Promise<Answer>,
): Promise<MarketId> {
  let last: Answer | null = null;
  for (const submission of opening()) last = await send(submission);
  if (last?.ok && last.result.kind === 'market') return last.result.marketId;
  throw new Error(`no market was opened: ${JSON.stringify(last)}`);
}

/** The stream's command with that name; deposits carry the name as reference. */
export function command(draw: Draw, name: string, marketId: MarketId): Submission {
  const accountId = ACCOUNTS[draw(ACCOUNTS.length)]!;
  const actor: Actor = { kind: 'account', accountId, keyId: 'key_test' };
  const kind = draw(10);
  if (kind < 2) {
    return keyed({ type: 'deposit', accountId, amount: DEPOSIT, reference: name }, OPERATOR, name);
  }
  if (kind === 2) return cancelAll(accountId, name);
  const body: CommandBody = {
    type: 'place_order',
    accountId,
    marketId,
    outcomeId: draw(2) === 0 ? 'yes' : 'no',
    side: 'buy',
    orderType: 'limit',
    price: pips(4000 + draw(21) * 100),
    lots: lots(100 + draw(900)),
    timeInForce: draw(5) === 0 ? 'ioc' : 'gtc',
    expiresAtMs: null,
    postOnly: false,
    reduceOnly: false,
    stpMode: 'cancel_resting',
    maxCost: null,
    validUntilMs: null,
    clientOrderId: null,
    builder: null,
    caps: null,
    grant: null,
    execution: 'hybrid',
    acceptPrice: false,
  };
  return keyed(body, actor, name);
}

export function cancelAll(accountId: (typeof ACCOUNTS)[number], name: string): Submission {
  const actor: Actor = { kind: 'account', accountId, keyId: 'key_test' };
  return keyed(
    {
      type: 'cancel_orders',
      accountId,
      marketId: null,
      outcomeId: null,
      side: null,
      orderIds: null,
    },
    actor,
    name,
  );
}

function keyed(body: CommandBody, actor: Actor, name: string): Submission {
  return { body, actor, key: { scope: 'test', key: name, bodyHash: name }, requestId: name };
}

const TEMPLATE: TemplateDefinition = {
  id: asTemplateId('coin'),
  name: 'Coin',
  category: 'test',
  marketType: 'normal',
  outcomeSchema: 'binary',
  outcomes: [],
  minBet: usdt(0n),
  maxBet: usdt(1_000_000_000_000n),
  feeSchedule: { makerBps: 8, takerBps: 20, settleBps: 0 },
  paramsSchema: { type: 'object', properties: {} },
  displayDefaults: {
    titleTemplate: 'Heads?',
    subtitleTemplate: null,
    description: null,
    imageUrlPattern: null,
  },
  roundConfig: null,
  oracleConfig: { source: 'manual', params: {}, challengeSec: null, bond: null },
  minCreatorDeposit: usdt(100_000_000n),
  durationSec: 31_536_000,
  tickPips: pips(10),
  minLots: 1,
  prior: null,
  requiresApproval: false,
  bandPips: null,
};
