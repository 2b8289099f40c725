// The reference exchange: slow and obvious, one command at a time, the rules followed word by word.
import {
  convertSets,
  deposit,
  faucet,
  freezeAccount,
  openAccount,
  resetAccount,
  transfer,
  withdraw,
} from './accounts.ts';
import { amendOrder } from './amend.ts';
import {
  cancelOrder,
  cancelOrders,
  expiryRings,
  heartbeat,
  heartbeatRings,
  runBatch,
} from './cancel.ts';
import { chunkRings } from './closing.ts';
import {
  approveMarket,
  cancelMarket,
  createMarket,
  haltMarket,
  lockRings,
  openRings,
  resumeMarket,
  resumeRings,
} from './markets.ts';
import { placeOrder } from './place.ts';
import type { CommandOf, PlainAnswer, PlainCommand, PlainEvent, PlainParameters } from './plain.ts';
import { awaitLooks, passMarks, sampleRings } from './quality.ts';
import { DONE, Refusals, refused } from './refusal.ts';
import {
  deadlineRings,
  disputeResolution,
  mockOracle,
  proposeResolution,
  reportReadings,
  ruleResolution,
  windowRings,
} from './resolution.ts';
import { deprecateTemplate, publishTemplate } from './templates.ts';
import { createWorld, type NaiveTimer, type World } from './world.ts';

export interface NaiveOutcome {
  readonly seq: number;
  readonly atMs: number;
  readonly events: readonly PlainEvent[];
  readonly answer: PlainAnswer;
  readonly replayed: boolean;
}

/** In the order in which alarms of one moment ring. */
const KINDS = [
  'order_expiry',
  'heartbeat',
  'sample',
  'market_open',
  'market_resume',
  'market_lock',
  'market_chunk',
  'resolution_window',
  'proposal_deadline',
];

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
    const nowMs = Math.max(command.atMs, world.nowMs);
    if (command.type === 'recover') world.recoveredAtMs = nowMs;
    this.#runTimers(nowMs);
    world.nowMs = nowMs;
    world.closingsLeft = world.parameters.chunkMax;
    const { answer, replayed } = this.#answer(command);
    return { seq: command.seq, atMs: nowMs, events: world.events, answer, replayed };
  }

  #runTimers(nowMs: number): void {
    const { world } = this;
    awaitLooks(world, nowMs);
    for (;;) {
      world.timers.sort(compareTimers);
      const next = world.timers[0];
      if (next === undefined || next.dueMs > nowMs) break;
      world.timers.shift();
      // A mark at this very moment comes after expiries and heartbeats, and before everything else.
      const sampled = KINDS.indexOf(next.kind) >= KINDS.indexOf('sample');
      passMarks(world, sampled ? next.dueMs : next.dueMs - 1);
      world.nowMs = next.dueMs;
      world.closingsLeft = world.parameters.chunkMax;
      ring(world, next);
    }
    passMarks(world, nowMs);
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
    if (key !== undefined)
      world.answers.set(name, { atMs: world.nowMs, bodyHash: key.bodyHash, answer });
    return { answer, replayed: false };
  }
}

function compareTimers(x: NaiveTimer, y: NaiveTimer): number {
  if (x.dueMs !== y.dueMs) return x.dueMs - y.dueMs;
  if (x.kind !== y.kind) return KINDS.indexOf(x.kind) - KINDS.indexOf(y.kind);
  if (x.subject === y.subject) return 0;
  return x.subject < y.subject ? -1 : 1;
}

function ring(world: World, timer: NaiveTimer): void {
  const subject = String(timer.subject);
  switch (timer.kind) {
    case 'order_expiry':
      expiryRings(world, Number(timer.subject));
      break;
    case 'heartbeat':
      heartbeatRings(world, subject);
      break;
    case 'sample':
      sampleRings(world, subject);
      break;
    case 'market_open':
      openRings(world, subject);
      break;
    case 'market_resume':
      resumeRings(world, subject);
      break;
    case 'market_lock':
      lockRings(world, subject);
      break;
    case 'market_chunk':
      chunkRings(world, subject);
      break;
    case 'resolution_window':
      windowRings(world, subject);
      break;
    default:
      deadlineRings(world, subject);
  }
}

/** What read-only mode lets through. */
function isExempt(command: PlainCommand): boolean {
  if (command.actor.kind !== 'account') return true;
  if (command.type === 'batch') return command.items.every((item) => item.type === 'cancel_order');
  return ['cancel_order', 'cancel_orders', 'heartbeat', 'recover', 'tick'].includes(command.type);
}

function dispatch(world: World, command: PlainCommand): PlainAnswer {
  switch (command.type) {
    case 'open_account':
      return openAccount(world, command);
    case 'freeze_account':
      return freezeAccount(world, command);
    case 'deposit':
      return deposit(world, command);
    case 'withdraw':
      return withdraw(world, command);
    case 'transfer':
      return transfer(world, command);
    case 'faucet':
      return faucet(world, command);
    case 'reset_account':
      return resetAccount(world, command);
    case 'mint_sets':
    case 'merge_sets':
      return convertSets(world, command);
    case 'place_order':
      return placeOrder(world, command.actor, command);
    case 'amend_order':
      return amendOrder(world, command.actor, command);
    case 'cancel_order':
      return cancelOrder(world, command.actor, command);
    case 'cancel_orders':
      return cancelOrders(world, command);
    case 'heartbeat':
      return heartbeat(world, command);
    case 'batch':
      return runBatch(world, command);
    default:
      return dispatchMarket(world, command);
  }
}

type OtherCommand = Exclude<
  PlainCommand,
  CommandOf<
    | 'open_account'
    | 'freeze_account'
    | 'deposit'
    | 'withdraw'
    | 'transfer'
    | 'faucet'
    | 'reset_account'
    | 'mint_sets'
    | 'merge_sets'
    | 'place_order'
    | 'amend_order'
    | 'cancel_order'
    | 'cancel_orders'
    | 'heartbeat'
    | 'batch'
  >
>;

function dispatchMarket(world: World, command: OtherCommand): PlainAnswer {
  switch (command.type) {
    case 'publish_template':
      return publishTemplate(world, command);
    case 'deprecate_template':
      return deprecateTemplate(world, command);
    case 'create_market':
      return createMarket(world, command);
    case 'approve_market':
      return approveMarket(world, command);
    case 'halt_market':
      return haltMarket(world, command);
    case 'resume_market':
      return resumeMarket(world, command);
    case 'cancel_market':
      return cancelMarket(world, command);
    case 'propose_resolution':
      return proposeResolution(world, command);
    case 'dispute_resolution':
      return disputeResolution(world, command);
    case 'rule_resolution':
      return ruleResolution(world, command);
    case 'report_readings':
      return reportReadings(world, command);
    case 'mock_oracle':
      return mockOracle(world, command);
    case 'set_read_only':
      return setReadOnly(world, command);
    default:
      return DONE;
  }
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
