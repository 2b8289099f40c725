// apply: the one way in which the state of a lane changes.

import { handle, worksPaused } from './command-table.ts';
import { ownLimitsRoll } from './compliance/set-own-limits.ts';
import { assert, Defect, present } from './kit/assert.ts';
import type { AccountId, MarketId, OrderId } from './kit/identity.ts';
import { marketChunk, marketLocks, marketOpens, marketResumes } from './market/lifecycle.ts';
import { sampleMarket } from './market/sample.ts';
import { orderExpired } from './order/expire.ts';
import { heartbeatExpired } from './order/heartbeat.ts';
import { closeHolding } from './position/holdings.ts';
import { rulingOverdue } from './resolution/dispute.ts';
import { deadlinePasses, windowEnds } from './resolution/propose.ts';
import { allowWalks } from './route/plan.ts';
import type { Command, CommandKey } from './state/command.ts';
import type { Answer, Outcome } from './state/outcome.ts';
import { packAnswer, unpackAnswer } from './state/packed-answer.ts';
import { reject } from './state/reject.ts';
import type { RememberedCommand, State } from './state/state.ts';
import { passTime } from './state/time.ts';
import { beginTurn, refuse, type Turn } from './state/turn.ts';
import type { Timer, TimerKind } from './timer/timer-queue.ts';

export function apply(state: State, command: Command): Outcome {
  const { seq, atMs: sentMs, type, key } = command;
  // Not assert: its message would be built for every command.
  if (seq !== state.seq + 1) throw new Defect(`command ${seq} follows ${state.seq}`);
  assert(Number.isSafeInteger(sentMs) && sentMs >= 0, 'a command without a time');
  const beforeMs = state.nowMs;
  const commandMs = sentMs > beforeMs ? sentMs : beforeMs;
  state.commandMs = commandMs;
  allowWalks(state.parameters.walkUnits);
  const turn = beginTurn(state);
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

/** Drawing when the next check is takes longer than what other timers begin with. */
const SAMPLE_UNITS = 4;

function ring(turn: Turn, timer: Timer): void {
  const { kind, dueMs, subject } = timer;
  if (kind === 'order_expiry') orderExpired(turn, subject as OrderId);
  else if (kind === 'heartbeat') heartbeatExpired(turn, subject as string);
  else if (kind === 'own_limits') ownLimitsRoll(turn, subject as AccountId);
  else MARKET_ALARMS[kind](turn, subject as MarketId, dueMs);
}

type MarketAlarm = Exclude<TimerKind, 'order_expiry' | 'heartbeat' | 'own_limits'>;

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
  const { readOnly, cancelOnly } = turn.state;
  if (readOnly && !worksPaused(command, cancelOnly)) {
    return refuse(reject('READ_ONLY_MODE', cancelOnly ? { mode: 'cancel_only' } : {}));
  }
  return handle(turn, command);
}
