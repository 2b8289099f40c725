// Deliberately bad input: one thing wrong with an otherwise sensible command.
import type { PlainCommand } from '../naive/plain.ts';
import type { Prng } from '../prng.ts';
import { BAD_SCHEMAS } from './templates.ts';
import type { View } from './view.ts';

type Fields = Record<string, unknown>;

const NUMBERS: readonly unknown[] = [
  0,
  -1,
  1.5,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  1e12,
  2 ** 53,
  100_000_000_001,
];
const AMOUNTS: readonly unknown[] = [0n, -1n, -(10n ** 20n), 10n ** 30n];

/** The command with one field spoilt, or sent by somebody who may not. */
export function corrupt(random: Prng, view: View, command: PlainCommand): PlainCommand {
  if (command.type === 'batch') {
    const items = command.items.map((item) => spoil(random, view, { ...item }));
    const wrong = random.chance(1, 2)
      ? items
      : [...items, ...items, ...items, ...items, ...items, ...items];
    return rebuild({ ...command, items: wrong });
  }
  if (command.type === 'sell_minted') {
    return rebuild({ ...command, order: spoil(random, view, { ...command.order }) });
  }
  if (random.chance(1, 5)) {
    const actor = { kind: 'account', accountId: random.pick(view.accounts).id, keyId: null };
    return rebuild({ ...command, actor });
  }
  return rebuild(spoil(random, view, { ...command }));
}

/** Puts the fields of a known command together again after one was replaced. */
function rebuild(fields: Fields): PlainCommand {
  return fields as unknown as PlainCommand;
}

function spoil(random: Prng, view: View, fields: Fields): Fields {
  const wrong = wrongFields(random, view, fields);
  const names = Object.keys(wrong).filter((name) => name in fields);
  if (names.length === 0) return fields;
  const name = random.pick(names);
  return { ...fields, [name]: wrong[name] };
}

function wrongFields(random: Prng, view: View, fields: Fields): Fields {
  const market = view.markets.size === 0 ? null : random.pick([...view.markets.values()]);
  const wrong: Fields = {
    accountId: random.pick(['nobody', random.pick(view.accounts).id]),
    marketId: random.pick(['m_0000000000000000', '', market?.id ?? 'm_none']),
    outcomeId: random.pick(['maybe', '', 'yes']),
    orderId: random.pick([0, -1, view.orderCount + 1000, Math.max(1, view.orderCount)]),
    lots: random.pick(NUMBERS),
    price: random.pick([...NUMBERS, 10_000, 9_999, 1, 3, null, 5000]),
    amount: random.pick(AMOUNTS),
    custody: random.pick(['', 'A bank', 'x'.repeat(33)]),
    destination: random.pick(['', 'd'.repeat(257)]),
    reference: random.pick(['r'.repeat(129), 'r'.repeat(130)]),
    state: 'lost',
    confirmations: random.pick([-1, 0.5, Number.NaN]),
    hold: random.pick([
      { approval: false, untilMs: null, reason: 'nothing' },
      { approval: true, untilMs: -1, reason: 'before time' },
      { approval: true, untilMs: null, reason: '' },
    ]),
    step: random.pick(['pay', 'send', 'complete']),
    withdrawalId: random.pick(['wd_none', '']),
    maxCost: random.pick([0n, -5n, 1n]),
    expiresAtMs: random.pick([0, 1, null, Number.NaN, 5e12]),
    validUntilMs: random.pick([-1, 1.5, 0]),
    timeInForce: random.pick(['gtc', 'gtd', 'ioc', 'fok', 'day']),
    orderType: random.pick(['market', 'limit', 'stop']),
    side: random.pick(['buy', 'sell', 'hold']),
    stpMode: 'none',
    postOnly: true,
    reduceOnly: true,
    clientOrderId: random.pick(['', 'x'.repeat(65), 'c1']),
    builder: random.pick([
      { appId: 'app_1', feeBps: 101, capBps: 500 },
      { appId: 'app_1', feeBps: 30, capBps: 25 },
      { appId: 'app_1', feeBps: -1, capBps: 25 },
      { appId: 'app_2', feeBps: 1.5, capBps: 25 },
    ]),
    execution: random.pick(['mid', 'fancy']),
    timeoutMs: random.pick([1, 4999, 300_001, -5, 1.5]),
    templateId: 'unknown',
    toId: random.pick(['nobody', random.pick(view.accounts).id]),
    winningOutcomeId: 'maybe',
    bond: random.pick([-1n, 0n, 1n]),
    evidence: random.pick([[], [''], new Array(17).fill('x'), ['y'.repeat(1025)]]),
    untilMs: random.pick([0, -1, 1.5]),
    reason: random.pick(['', 'z'.repeat(257)]),
    mode: random.pick(['live', 'sandbox', 'demo', 'bot', 'other']),
    caps: random.pick([
      { tier: 'basic', keyId: 'key_shared', orderMax: -1n, dayMax: null },
      { tier: 'basic', keyId: 'key_shared', orderMax: null, dayMax: -1n },
      { tier: 'basic', keyId: 'key_shared', orderMax: 0n, dayMax: null },
    ]),
    grant: random.pick([
      { grantId: '', dayMax: null, expiresAtMs: 9e12 },
      { grantId: 'grt_acc_1', dayMax: -1n, expiresAtMs: 9e12 },
      { grantId: 'grt_acc_1', dayMax: 0n, expiresAtMs: 9e12 },
      { grantId: 'grt_acc_1', dayMax: null, expiresAtMs: 1.5 },
      { grantId: 'grt_acc_1', dayMax: null, expiresAtMs: 0 },
    ]),
    grantId: random.pick(['', 'g'.repeat(65), 'grt_nobody']),
    credits: random.pick([
      [],
      [{ actor: 'oracle', id: '', accountId: 'acc_1' }],
      [{ actor: 'creator', id: '', accountId: 'acc_1' }],
      [{ actor: 'referrer', id: 'acc_1', accountId: 'acc_5' }],
      [{ actor: 'builder', id: 'app_1', accountId: 'nobody' }],
    ]),
    fund: 'oracle',
    ...wrongVoids(random),
    ruling: random.pick(['late', 'void', 'too_early', 'overturned']),
    parentId: random.pick(['nobody', random.pick(view.accounts).id]),
    tickPips: random.pick([0, -5, 1.5, 3, 2000]),
    text: random.pick(['', '  ', 'x'.repeat(2001)]),
    data: random.pick(['[]', 'none', `{${' '.repeat(4095)}}`]),
    values: random.pick([{}, { pips: 5 }, { unheard: 1 }]),
    readings: random.pick([[], [{ source: '', value: '1' }], [{ source: 'a', value: 'x' }]]),
  };
  if (fields.type === 'publish_template') wrong.template = spoilTemplate(random, fields.template);
  if (fields.type === 'create_market') wrong.params = spoilParams(random, fields.params);
  return wrong;
}

function wrongVoids(random: Prng): Fields {
  return {
    cause: 'mood',
    window: random.pick([
      { fromMs: 1, toMs: 0 },
      { fromMs: -1, toMs: 1 },
      { fromMs: 0, toMs: 1.5 },
      { fromMs: 0, toMs: 9e15 },
    ]),
    excluded: random.pick([['maybe'], ['yes', 'yes'], ['yes', 'no'], ['long', 'short']]),
    expected: random.pick([[], [5000, 5000], [10_000, 0, 0], [0.5, 0.5]]),
    toMs: random.pick([-1, 1.5, 0]),
    rounds: random.pick([[], [{ marketId: 'm_none', expected: [5000, 5000] }]]),
    alone: true,
  };
}

function spoilTemplate(random: Prng, template: unknown): unknown {
  const fields: Fields = { ...(template as Fields) };
  const display = fields.displayDefaults as Fields;
  const oracle = fields.oracleConfig as Fields;
  const wrong: Fields = {
    id: random.pick(['', '-x', 'a'.repeat(65), 'sp ace']),
    name: '',
    marketType: random.pick(['slow', 'fast']),
    outcomeSchema: random.pick(['triple', 'multi']),
    minBet: random.pick([-1n, 10n ** 16n]),
    maxBet: random.pick([0n, 10n ** 15n + 1n]),
    feeSchedule: random.pick([
      { makerBps: 8, takerBps: 21, settleBps: 0 },
      { makerBps: 2, takerBps: 20, settleBps: 0 },
      { makerBps: 8, takerBps: 20, settleBps: 1001 },
    ]),
    paramsSchema: random.pick(BAD_SCHEMAS),
    displayDefaults: random.pick([
      { ...display, titleTemplate: 'about {nothing}' },
      { ...display, translations: { German: { titleTemplate: 'x', subtitleTemplate: null } } },
      { ...display, translations: { de: { titleTemplate: '{nix}', subtitleTemplate: null } } },
    ]),
    roundConfig: random.pick([
      null,
      { durationSec: 0, lockOffsetMs: 0 },
      { durationSec: 10, lockOffsetMs: 10_000 },
    ]),
    oracleConfig: { ...oracle, source: random.pick(['crystal_ball', 'sandbox_mock']) },
    minCreatorDeposit: random.pick([-1n, 1n, 10n ** 16n]),
    durationSec: random.pick([0, -1, 157_766_401]),
    bandPips: random.pick([0, -1, 1.5, 2001]),
    tickPips: random.pick([0, 3, 2000, 10_000]),
    minLots: random.pick([0, 100_000_000_001]),
    prior: random.pick([[5000, 4000], [9950, 50], [10_000]]),
  };
  const name = random.pick(Object.keys(wrong));
  return { ...fields, [name]: wrong[name] };
}

function spoilParams(random: Prng, params: unknown): unknown {
  const fields: Fields = { ...(params as Fields) };
  const wrong: Fields = {
    nonce: random.pick([-1, 1.5, 'one', true, 1e10]),
    topic: random.pick([5, 'x'.repeat(41)]),
    unknown: 1,
    ratio: random.pick(['1', 11, Number.MAX_SAFE_INTEGER]),
    final: 'yes',
    region: 'west',
    opens_at_ms: -1,
    closes_at_ms: random.pick([0, 1000, -5]),
    lower: random.pick(['abc', '1e5', '100000000']),
    upper: random.pick(['', '-100', '1.']),
  };
  const name = random.pick(Object.keys(wrong));
  return { ...fields, [name]: wrong[name] };
}
