// The reference exchange: slow and obvious, one command at a time, the rules followed word by word.
import { ACCOUNT_COMMANDS } from './accounts.ts';
import { amendOrder } from './amend.ts';
import { cancelOrder, cancelOrders, heartbeat, runBatch } from './cancel.ts';
import { passTime } from './clock.ts';
import { convertSets } from './convert.ts';
import { FUNDS_COMMANDS } from './funds.ts';
import { attachChainData, clarifyMarket, setTickSize } from './market-changes.ts';
import { MARKET_COMMANDS } from './markets.ts';
import { mockOracle } from './mock-oracle.ts';
import { setParameters } from './parameters.ts';
import { placeOrder } from './place.ts';
import type { CommandOf, PlainAnswer, PlainCommand, PlainEvent, PlainParameters } from './plain.ts';
import { DONE, Refusals, refused } from './refusal.ts';
import { disputeResolution, proposeResolution, reportReadings } from './resolution.ts';
import { REVENUE_COMMANDS } from './revenue.ts';
import { ruleResolution } from './ruling.ts';
import { sellMinted } from './sell-minted.ts';
import { excludeSelf, setOwnLimits } from './set-own-limits.ts';
import { SUBACCOUNT_COMMANDS } from './subaccounts.ts';
import { deprecateTemplate, publishTemplate } from './templates.ts';
import { runTimers } from './timers.ts';
import { proposeVoid, proposeVoidRounds } from './voiding.ts';
import { createWorld, type World } from './world.ts';

export interface NaiveOutcome {
  readonly seq: number;
  readonly atMs: number;
  readonly events: readonly PlainEvent[];
  readonly answer: PlainAnswer;
  readonly replayed: boolean;
}

export class NaiveExchange {
  readonly world: World;

  constructor(lane: 'live' | 'sandbox', parameters: PlainParameters) {
    this.world = createWorld(lane, parameters);
  }

  apply(command: PlainCommand): NaiveOutcome {
    const { world } = this;
    if (command.seq !== world.seq + 1)
      throw new Error(`reference: seq ${command.seq} after ${world.seq}`);
    world.seq = command.seq;
    world.events = [];
    const { chunkMax, walkUnits, timerUnits } = world.parameters;
    world.postingsLeft = chunkMax;
    world.walkUnitsLeft = walkUnits;
    world.timerUnits = 0;
    world.commandMs = Math.max(command.atMs, world.nowMs);
    if (command.type === 'recover')
      world.recoveredAtMs = Math.max(world.recoveredAtMs, world.commandMs);
    const bounded = command.type === 'tick' || command.type === 'recover';
    if (runTimers(world, world.commandMs, bounded ? timerUnits : Infinity))
      passTime(world, world.commandMs);
    const { answer, replayed } = this.#answer(command);
    return { seq: command.seq, atMs: world.nowMs, events: world.events, answer, replayed };
  }

  #answer(command: PlainCommand): { readonly answer: PlainAnswer; readonly replayed: boolean } {
    const { world } = this;
    const { key } = command;
    const name = key === undefined ? '' : `${key.scope}\n${key.key}`;
    const known = world.answers.get(name);
    if (
      key !== undefined &&
      known !== undefined &&
      world.nowMs - known.atMs < world.parameters.duplicateWindowMs
    ) {
      if (known.bodyHash === key.bodyHash) return { answer: known.answer, replayed: true };
      return { answer: refused('IDEMPOTENCY_BODY_MISMATCH'), replayed: false };
    }
    world.refusing = world.readOnly && !isExempt(command, world.cancelOnly);
    const answer = dispatch(world, command);
    world.refusing = false;
    if (key !== undefined && !isForNow(answer))
      world.answers.set(name, { atMs: world.nowMs, bodyHash: key.bodyHash, answer });
    return { answer, replayed: false };
  }
}

/** A refusal that time or an operator lifts decides nothing, and the same key may be tried again. */
function isForNow(answer: PlainAnswer): boolean {
  return !answer.ok && ['READ_ONLY_MODE', 'RATE_LIMITED'].includes(answer.rejection.code);
}

/** What read-only mode lets through; of a halted lane the system may not trade either. */
function isExempt(command: PlainCommand, halted: boolean): boolean {
  if (command.actor.kind === 'operator') return true;
  const trades = [
    'place_order',
    'sell_minted',
    'amend_order',
    'batch',
    'mint_sets',
    'merge_sets',
    'create_market',
  ];
  if (command.actor.kind === 'system' && !(halted && trades.includes(command.type))) return true;
  if (command.type === 'batch') return command.items.every((item) => item.type === 'cancel_order');
  return EXEMPT.includes(command.type);
}

const EXEMPT: readonly PlainCommand['type'][] = [
  'cancel_order',
  'cancel_orders',
  'cancel_withdrawal',
  'heartbeat',
  'set_own_limits',
  'exclude_self',
  'recover',
  'tick',
];

/** A command without a row does not compile. */
const HANDLERS: Handlers = {
  ...ACCOUNT_COMMANDS,
  ...FUNDS_COMMANDS,
  ...MARKET_COMMANDS,
  ...REVENUE_COMMANDS,
  ...SUBACCOUNT_COMMANDS,
  set_tick_size: setTickSize,
  clarify_market: clarifyMarket,
  attach_chain_data: attachChainData,
  mint_sets: convertSets,
  merge_sets: convertSets,
  place_order: (world, command) => placeOrder(world, command.actor, command),
  sell_minted: sellMinted,
  amend_order: (world, command) => amendOrder(world, command.actor, command),
  cancel_order: (world, command) => cancelOrder(world, command.actor, command),
  cancel_orders: cancelOrders,
  heartbeat,
  batch: runBatch,
  publish_template: publishTemplate,
  deprecate_template: deprecateTemplate,
  propose_resolution: proposeResolution,
  propose_void: proposeVoid,
  propose_void_rounds: proposeVoidRounds,
  dispute_resolution: disputeResolution,
  rule_resolution: ruleResolution,
  report_readings: reportReadings,
  mock_oracle: mockOracle,
  set_read_only: setReadOnly,
  set_compliance: setCompliance,
  set_own_limits: setOwnLimits,
  exclude_self: excludeSelf,
  set_parameters: setParameters,
  upgrade_engine: () => DONE,
  recover: () => DONE,
  tick: () => DONE,
};

type Handlers = {
  readonly [Type in PlainCommand['type']]: (world: World, command: CommandOf<Type>) => PlainAnswer;
};

function dispatch<Type extends PlainCommand['type']>(
  world: World,
  command: CommandOf<Type>,
): PlainAnswer {
  const handle: Handlers[Type] = HANDLERS[command.type as Type];
  return handle(world, command);
}

function setReadOnly(world: World, command: CommandOf<'set_read_only'>): PlainAnswer {
  const { readOnly, cancelOnly = false, reason } = command;
  const refusals = new Refusals(world);
  if (cancelOnly && !readOnly) refusals.field('cancel_only', 'in read-only mode');
  if (command.actor.kind === 'account') refusals.add('NOT_FOUND');
  if (refusals.any) return refusals.answer();
  if (command.actor.kind === 'system' && world.cancelOnly) return DONE;
  if (world.readOnly !== readOnly || world.cancelOnly !== cancelOnly) {
    world.readOnly = readOnly;
    world.cancelOnly = cancelOnly;
    world.events.push({ type: 'read_only_changed', readOnly, cancelOnly, reason });
  }
  return DONE;
}

function setCompliance(world: World, command: CommandOf<'set_compliance'>): PlainAnswer {
  const { version, hash } = command;
  const refusals = new Refusals(world);
  if (!Number.isSafeInteger(version) || version < 1) refusals.field('version', 'a number');
  if (!/^[0-9a-f]{64}$/.test(hash)) refusals.field('hash', 'a hash');
  if (command.actor.kind === 'account') refusals.add('NOT_FOUND');
  const known = world.compliance;
  const isSame = known?.version === version && known.hash === hash;
  if (known !== null && !isSame && version <= known.version)
    refusals.add('STATE_CONFLICT', { version: known.version });
  if (refusals.any) return refusals.answer();
  if (!isSame) {
    world.compliance = { version, hash };
    world.events.push({ type: 'compliance_set', version, hash });
  }
  return DONE;
}
