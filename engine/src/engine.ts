// apply: the one way in which the state of a lane changes.

import { isOperator } from './account/authority.ts';
import { closeAccount } from './account/close.ts';
import { deposit, faucet, transfer, withdraw } from './account/money.ts';
import { freezeAccount, openAccount } from './account/open.ts';
import { resetAccount } from './account/reset.ts';
import { assert, assertNever, Defect, present } from './assert.ts';
import type { Batch, Command, CommandKey } from './command.ts';
import type { MarketId, OrderId } from './identity.ts';
import { ENGINE_LOGIC } from './logic.ts';
import { createMarket } from './market/create.ts';
import {
  approveMarket,
  cancelMarket,
  haltMarket,
  marketChunk,
  marketLocks,
  marketOpens,
  marketResumes,
  resumeMarket,
} from './market/life.ts';
import { sampleMarket } from './market/sample.ts';
import { amendOrder } from './order/amend.ts';
import { runBatch } from './order/batch.ts';
import { cancelOrder, cancelOrders } from './order/cancel.ts';
import { orderExpired } from './order/expire.ts';
import { heartbeat, heartbeatExpired } from './order/heartbeat.ts';
import { placeOrder } from './order/place.ts';
import { type Answer, DONE, type Outcome } from './outcome.ts';
import { packAnswer, unpackAnswer } from './packed-answer.ts';
import { mergeSets, mintSets } from './position/convert.ts';
import { closeHolding } from './position/holdings.ts';
import { reject } from './reject.ts';
import { disputeResolution, rulingOverdue } from './resolution/dispute.ts';
import { mockOracle } from './resolution/mock-oracle.ts';
import { deadlinePasses, proposeResolution, windowEnds } from './resolution/propose.ts';
import { reportReadings } from './resolution/readings.ts';
import { ruleResolution } from './resolution/rule.ts';
import { allowWalks } from './route/plan.ts';
import type { RememberedCommand, State } from './state.ts';
import { deprecateTemplate, publishTemplate } from './template/publish.ts';
import { passTime } from './time.ts';
import type { Timer, TimerKind } from './timer/timer-queue.ts';
import { accept, refuse, Turn } from './turn.ts';

export function apply(state: State, command: Command): Outcome {
  const { seq, atMs: sentMs, type, key } = command;
  // Not assert: its message would be built for every command.
  if (seq !== state.seq + 1) throw new Defect(`command ${seq} follows ${state.seq}`);
  assert(Number.isSafeInteger(sentMs) && sentMs >= 0, 'a command without a time');
  const beforeMs = state.nowMs;
  const commandMs = sentMs > beforeMs ? sentMs : beforeMs;
  state.commandMs = commandMs;
  allowWalks(state.parameters.walkUnits);
  const turn = new Turn(state);
  // Before the timers: the grace of a recovery holds for those that fell due while the lane was down.
  if (type === 'recover') state.recoveredAtMs = commandMs;
  const stopsEarly = type === 'tick' || type === 'recover' || type === 'upgrade_engine';
  if (runTimers(turn, stopsEarly)) passTime(state, commandMs);
  state.seq = seq;
  const atMs = state.nowMs;
  // Within one millisecond nothing grows old.
  if (atMs !== beforeMs) forget(state);
  const known = key === undefined ? undefined : recall(state, key);
  const answer = known === undefined ? answerOnce(turn, command, key) : answerAgain(known, key);
  if (!state.ledger.isSettled) throw new Defect(`${type} left a ledger entry open`);
  const replayed = known !== undefined && known.bodyHash === key?.bodyHash;
  return { seq, atMs, events: turn.events.all(), answer, replayed };
}

function forget(state: State): void {
  const { duplicateWindowMs, faucet: limits } = state.parameters;
  state.clientOrderIds.expire(state.nowMs - duplicateWindowMs, FORGOTTEN_AT_ONCE);
  state.commandKeys.expire(state.nowMs - duplicateWindowMs, FORGOTTEN_AT_ONCE);
  state.faucetUses.expire(state.nowMs - limits.intervalMs, FORGOTTEN_AT_ONCE);
  if (state.leftovers.length > 0) giveUpLeftovers(state);
}

/** Holdings that never traded say nothing, so that nobody sees when they go: a few at a time hold nobody up. */
function giveUpLeftovers(state: State): void {
  const market = state.leftovers[state.leftovers.length - 1]!;
  for (let count = 0; count < LEFTOVERS_AT_ONCE; count += 1) {
    const holding = market.holdings.first;
    if (holding === null) {
      state.leftovers.pop();
      return;
    }
    closeHolding(state, holding);
  }
}

/** Far more than one command can add, so that what has expired never piles up for long. */
const FORGOTTEN_AT_ONCE = 1000;
const LEFTOVERS_AT_ONCE = 50;

function recall(state: State, key: CommandKey): RememberedCommand | undefined {
  return state.commandKeys.get(memoryKey(key));
}

/** What was answered before, unless the key now comes with another body. */
function answerAgain(known: RememberedCommand, key: CommandKey | undefined): Answer {
  if (known.bodyHash === key?.bodyHash) return unpackAnswer(known.answer);
  return refuse(reject('IDEMPOTENCY_BODY_MISMATCH'));
}

function answerOnce(turn: Turn, command: Command, key: CommandKey | undefined): Answer {
  const answer = execute(turn, command);
  if (key === undefined || passesByItself(answer)) return answer;
  const { bodyHash } = key;
  const { nowMs: atMs, seq, commandKeys } = turn.state;
  const record: RememberedCommand = { bodyHash, atMs, seq, answer: packAnswer(answer) };
  commandKeys.put(memoryKey(key), record);
  return answer;
}

/** What is refused for a time only decided nothing: the same command may go well later, under the same key. */
function passesByItself(answer: Answer): boolean {
  if (answer.ok) return false;
  const { code } = answer.rejection;
  return code === 'READ_ONLY_MODE' || code === 'RATE_LIMITED';
}

function memoryKey(key: CommandKey): string {
  return `${key.scope}|${key.key}`;
}

/**
 * Timers ring at their own time, so that what they start is timed from when it was due. False when one that stops early
 * has done enough and more is due: then time has come no further than the last one that rang.
 */
function runTimers(turn: Turn, stopsEarly: boolean): boolean {
  const { state } = turn;
  const { timers, commandMs } = state;
  while (timers.isDue(commandMs)) {
    if (stopsEarly && turn.timerUnits >= state.parameters.timerUnits) return false;
    const timer = present(timers.takeDue(commandMs), 'a timer that is due');
    turn.timerUnits += timer.kind === 'sample' ? SAMPLE_UNITS : 1;
    passTime(state, timer.dueMs);
    ring(turn, timer);
    assert(state.ledger.isSettled, `timer ${timer.kind} left a ledger entry open`);
  }
  return true;
}

/** Drawing when the next look is takes longer than what other timers begin with. */
const SAMPLE_UNITS = 4;

function ring(turn: Turn, timer: Timer): void {
  const { kind, dueMs, subject } = timer;
  if (kind === 'order_expiry') orderExpired(turn, subject as OrderId);
  else if (kind === 'heartbeat') heartbeatExpired(turn, subject as string);
  else MARKET_ALARMS[kind](turn, subject as MarketId, dueMs);
}

type MarketAlarm = Exclude<TimerKind, 'order_expiry' | 'heartbeat'>;

const MARKET_ALARMS: Readonly<
  Record<MarketAlarm, (turn: Turn, marketId: MarketId, dueMs: number) => void>
> = {
  sample: sampleMarket,
  market_open: marketOpens,
  market_resume: marketResumes,
  market_lock: marketLocks,
  market_chunk: marketChunk,
  resolution_window: windowEnds,
  proposal_deadline: deadlinePasses,
  ruling_overdue: rulingOverdue,
};

function execute(turn: Turn, command: Command): Answer {
  if (turn.state.readOnly && !worksReadOnly(command)) return refuse(reject('READ_ONLY_MODE'));
  return isTrading(command) ? trade(turn, command) : administer(turn, command);
}

type TradingCommand = Extract<
  Command,
  {
    type:
      | 'place_order'
      | 'amend_order'
      | 'cancel_order'
      | 'cancel_orders'
      | 'heartbeat'
      | 'batch'
      | 'mint_sets'
      | 'merge_sets';
  }
>;

function isTrading(command: Command): command is TradingCommand {
  switch (command.type) {
    case 'place_order':
    case 'amend_order':
    case 'cancel_order':
    case 'cancel_orders':
    case 'heartbeat':
    case 'batch':
    case 'mint_sets':
    case 'merge_sets':
      return true;
    default:
      return false;
  }
}

function trade(turn: Turn, command: TradingCommand): Answer {
  const { actor } = command;
  switch (command.type) {
    case 'place_order':
      return placeOrder(turn, actor, command);
    case 'cancel_order':
      return cancelOrder(turn, actor, command);
    case 'amend_order':
      return amendOrder(turn, actor, command);
    case 'cancel_orders':
      return cancelOrders(turn, actor, command);
    case 'heartbeat':
      return heartbeat(turn, actor, command);
    case 'batch':
      return runBatch(turn, actor, command);
    case 'mint_sets':
      return mintSets(turn, actor, command);
    case 'merge_sets':
      return mergeSets(turn, actor, command);
    default:
      return assertNever(command);
  }
}

function administer(turn: Turn, command: Exclude<Command, TradingCommand>): Answer {
  const { actor } = command;
  switch (command.type) {
    case 'open_account':
      return openAccount(turn, actor, command);
    case 'freeze_account':
      return freezeAccount(turn, actor, command);
    case 'deposit':
      return deposit(turn, actor, command);
    case 'withdraw':
      return withdraw(turn, actor, command);
    case 'transfer':
      return transfer(turn, actor, command);
    case 'faucet':
      return faucet(turn, actor, command);
    case 'reset_account':
      return resetAccount(turn, actor, command);
    case 'close_account':
      return closeAccount(turn, actor, command);
    case 'publish_template':
      return publishTemplate(turn, actor, command);
    case 'deprecate_template':
      return deprecateTemplate(turn, actor, command);
    case 'create_market':
      return createMarket(turn, actor, command);
    case 'approve_market':
      return approveMarket(turn, actor, command);
    case 'halt_market':
      return haltMarket(turn, actor, command);
    case 'resume_market':
      return resumeMarket(turn, actor, command);
    case 'cancel_market':
      return cancelMarket(turn, actor, command);
    case 'propose_resolution':
      return proposeResolution(turn, actor, command);
    case 'dispute_resolution':
      return disputeResolution(turn, actor, command);
    case 'rule_resolution':
      return ruleResolution(turn, actor, command);
    case 'report_readings':
      return reportReadings(turn, actor, command);
    case 'mock_oracle':
      return mockOracle(turn, actor, command);
    case 'set_read_only':
      return setReadOnly(turn, command);
    case 'upgrade_engine':
      return takeOver(command);
    case 'recover':
    case 'tick':
      return accept(DONE);
    default:
      return assertNever(command);
  }
}

type CommandOf<T extends Command['type']> = Extract<Command, { readonly type: T }>;

/** Getting out must stay possible, and the operator must be able to act. */
function worksReadOnly(command: Command): boolean {
  if (isOperator(command.actor)) return true;
  switch (command.type) {
    case 'cancel_order':
    case 'cancel_orders':
    case 'heartbeat':
    case 'upgrade_engine':
    case 'recover':
    case 'tick':
      return true;
    case 'batch':
      return isWithdrawal(command);
    default:
      return false;
  }
}

function isWithdrawal(batch: Batch): boolean {
  return Array.isArray(batch.items) && batch.items.every((item) => item.type === 'cancel_order');
}

/** The state is this engine's already: nothing is left to do, and a command that says otherwise is not for it. */
function takeOver({ actor, fromLogic, toLogic }: CommandOf<'upgrade_engine'>): Answer {
  const isOurs = toLogic === ENGINE_LOGIC && fromLogic === toLogic - 1;
  assert(isOurs && actor.kind === 'system', `no upgrade from engine logic ${fromLogic}`);
  return accept(DONE);
}

function setReadOnly(turn: Turn, command: CommandOf<'set_read_only'>): Answer {
  const { state, events } = turn;
  if (!isOperator(command.actor)) return refuse(reject('NOT_FOUND'));
  if (state.readOnly === command.readOnly) return accept(DONE);
  state.readOnly = command.readOnly;
  events.push({ type: 'read_only_changed', readOnly: command.readOnly, reason: command.reason });
  return accept(DONE);
}
