// The reference exchange: slow and obvious, one command at a time, the rules followed word by word.
import { ACCOUNT_COMMANDS } from './accounts.ts';
import { amendOrder } from './amend.ts';
import { cancelOrder, cancelOrders, heartbeat, runBatch } from './cancel.ts';
import { passTime } from './clock.ts';
import { convertSets } from './convert.ts';
import { MARKET_COMMANDS } from './markets.ts';
import { mockOracle } from './mock-oracle.ts';
import { placeOrder } from './place.ts';
import type { CommandOf, PlainAnswer, PlainCommand, PlainEvent, PlainParameters } from './plain.ts';
import { DONE, Refusals, refused } from './refusal.ts';
import { disputeResolution, proposeResolution, reportReadings } from './resolution.ts';
import { ruleResolution } from './ruling.ts';
import { deprecateTemplate, publishTemplate } from './templates.ts';
import { runTimers } from './timers.ts';
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
    world.refusing = world.readOnly && !isExempt(command);
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

/** What read-only mode lets through. */
function isExempt(command: PlainCommand): boolean {
  if (command.actor.kind !== 'account') return true;
  if (command.type === 'batch') return command.items.every((item) => item.type === 'cancel_order');
  return ['cancel_order', 'cancel_orders', 'heartbeat', 'recover', 'tick'].includes(command.type);
}

/** A command without a row does not compile. */
const HANDLERS: Handlers = {
  ...ACCOUNT_COMMANDS,
  ...MARKET_COMMANDS,
  mint_sets: convertSets,
  merge_sets: convertSets,
  place_order: (world, command) => placeOrder(world, command.actor, command),
  amend_order: (world, command) => amendOrder(world, command.actor, command),
  cancel_order: (world, command) => cancelOrder(world, command.actor, command),
  cancel_orders: cancelOrders,
  heartbeat,
  batch: runBatch,
  publish_template: publishTemplate,
  deprecate_template: deprecateTemplate,
  propose_resolution: proposeResolution,
  dispute_resolution: disputeResolution,
  rule_resolution: ruleResolution,
  report_readings: reportReadings,
  mock_oracle: mockOracle,
  set_read_only: setReadOnly,
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
  const refusals = new Refusals(world);
  if (command.actor.kind === 'account') refusals.add('NOT_FOUND');
  if (refusals.any) return refusals.answer();
  if (world.readOnly !== command.readOnly) {
    world.readOnly = command.readOnly;
    world.events.push({
      type: 'read_only_changed',
      readOnly: command.readOnly,
      reason: command.reason,
    });
  }
  return DONE;
}
