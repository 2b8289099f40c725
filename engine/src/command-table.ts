// Every command with all that depends on its type: one row each, and a command without a row does not compile.

import { closeAccount } from './account/close.ts';
import { faucet, transfer } from './account/money.ts';
import { freezeAccount, openAccount } from './account/open.ts';
import { registerDemo } from './account/register.ts';
import { resetAccount } from './account/reset.ts';
import { changeSubaccount, openSubaccount } from './account/subaccounts.ts';
import { setCompliance } from './compliance/rules.ts';
import { excludeSelf, setOwnLimits } from './compliance/set-own-limits.ts';
import { creditFees, payPlatformFees } from './fee/credit.ts';
import { correctBalance } from './funds/correction.ts';
import { deposit, reportDeposit } from './funds/deposit.ts';
import { advanceWithdrawal, cancelWithdrawal, withdraw } from './funds/withdrawal.ts';
import { Defect } from './kit/assert.ts';
import { attachChainData, clarifyMarket, setTickSize } from './market/amendments.ts';
import { createMarket } from './market/create.ts';
import { approveMarket, cancelMarket, haltMarket, resumeMarket } from './market/lifecycle.ts';
import { amendOrder } from './order/amend.ts';
import { runBatch } from './order/batch.ts';
import { cancelOrder, cancelOrders } from './order/cancel.ts';
import { heartbeat } from './order/heartbeat.ts';
import { placeOrder } from './order/place.ts';
import { sellMinted } from './order/sell-minted.ts';
import { mergeSets, mintSets } from './position/convert.ts';
import { setReadOnly } from './read-only.ts';
import { disputeResolution } from './resolution/dispute.ts';
import { mockOracle } from './resolution/mock-oracle.ts';
import { proposeResolution } from './resolution/propose.ts';
import { reportReadings } from './resolution/readings.ts';
import { ruleResolution } from './resolution/rule.ts';
import { proposeVoid, proposeVoidRounds } from './resolution/void.ts';
import { isOperator } from './state/authority.ts';
import type { Actor, Batch, Command, CommandBody } from './state/command.ts';
import { type Answer, DONE } from './state/outcome.ts';
import { setParameters } from './state/parameter-change.ts';
import { accept, type Turn } from './state/turn.ts';
import { takeOver } from './take-over.ts';
import { deprecateTemplate, publishTemplate } from './template/publish.ts';

type Bodies = { readonly [Body in CommandBody as Body['type']]: Body };

interface CommandRow<Body> {
  readonly handle: (turn: Turn, actor: Actor, command: Body) => Answer;
  /** Whether an account may send it in read-only mode (CM8); operators and the system may send anything. */
  readonly readOnly: boolean | ((command: Body) => boolean);
  /** Whether it trades: then the system may not send it either in a lane that is halted (CM14). */
  readonly isTrade: boolean;
  /** Whether it is taken from an account while a lane takes nothing else: it is a way out (P6). */
  readonly relief: boolean | ((command: Body) => boolean);
  /** Of its body where a journal spells it out; from the first release on, a changed body gets the next number. */
  readonly version: number;
  /** The letter of the short text that a journal has for it; null if it is always spelled out. */
  readonly letter: string | null;
}

/** What most commands are: refused while a lane is read-only, and spelled out. */
const PLAIN = {
  readOnly: false,
  isTrade: false,
  relief: false,
  version: 1,
  letter: null,
} as const;
/** Getting out must stay possible. */
const WAY_OUT = { ...PLAIN, readOnly: true, relief: true } as const;
/** The lane's own, which never wait in its queue. */
const OF_THE_LANE = { handle: done, ...PLAIN, readOnly: true } as const;
/** What an operator stops by halting a lane. */
const TRADE = { ...PLAIN, isTrade: true } as const;

const COMMANDS = {
  open_account: { handle: openAccount, ...PLAIN },
  open_subaccount: { handle: openSubaccount, ...PLAIN },
  change_subaccount: { handle: changeSubaccount, ...PLAIN },
  freeze_account: { handle: freezeAccount, ...PLAIN },
  deposit: { handle: deposit, ...PLAIN },
  correct_balance: { handle: correctBalance, ...PLAIN },
  report_deposit: { handle: reportDeposit, ...PLAIN },
  withdraw: { handle: withdraw, ...PLAIN },
  advance_withdrawal: { handle: advanceWithdrawal, ...PLAIN },
  cancel_withdrawal: { handle: cancelWithdrawal, ...WAY_OUT },
  credit_fees: { handle: creditFees, ...PLAIN },
  pay_platform_fees: { handle: payPlatformFees, ...PLAIN },
  transfer: { handle: transfer, ...PLAIN },
  faucet: { handle: faucet, ...PLAIN },
  reset_account: { handle: resetAccount, ...PLAIN },
  close_account: { handle: closeAccount, ...PLAIN },
  register_demo: { handle: registerDemo, ...PLAIN },
  mint_sets: { handle: mintSets, ...TRADE },
  merge_sets: { handle: mergeSets, ...TRADE },
  publish_template: { handle: publishTemplate, ...PLAIN },
  deprecate_template: { handle: deprecateTemplate, ...PLAIN },
  create_market: { handle: createMarket, ...TRADE },
  approve_market: { handle: approveMarket, ...PLAIN },
  halt_market: { handle: haltMarket, ...PLAIN },
  resume_market: { handle: resumeMarket, ...PLAIN },
  cancel_market: { handle: cancelMarket, ...PLAIN },
  set_tick_size: { handle: setTickSize, ...PLAIN },
  clarify_market: { handle: clarifyMarket, ...PLAIN },
  attach_chain_data: { handle: attachChainData, ...PLAIN },
  propose_resolution: { handle: proposeResolution, ...PLAIN },
  propose_void: { handle: proposeVoid, ...PLAIN },
  propose_void_rounds: { handle: proposeVoidRounds, ...PLAIN },
  dispute_resolution: { handle: disputeResolution, ...PLAIN },
  rule_resolution: { handle: ruleResolution, ...PLAIN },
  report_readings: { handle: reportReadings, ...PLAIN },
  mock_oracle: { handle: mockOracle, ...PLAIN },
  place_order: { handle: placeOrder, ...TRADE, letter: 'p' },
  sell_minted: { handle: sellMinted, ...TRADE },
  amend_order: { handle: amendOrder, ...TRADE },
  cancel_order: { handle: cancelOrder, ...WAY_OUT, letter: 'c' },
  cancel_orders: { handle: cancelOrders, ...WAY_OUT },
  heartbeat: { handle: heartbeat, ...WAY_OUT },
  batch: { handle: runBatch, ...TRADE, readOnly: cancelsOnly, relief: cancelsOnly, letter: 'm' },
  set_read_only: { handle: setReadOnly, ...PLAIN },
  set_compliance: { handle: setCompliance, ...PLAIN },
  // Whoever wants to be held back never waits for it.
  set_own_limits: { handle: setOwnLimits, ...WAY_OUT },
  exclude_self: { handle: excludeSelf, ...WAY_OUT },
  set_parameters: { handle: setParameters, ...PLAIN },
  upgrade_engine: { ...OF_THE_LANE, handle: takeOver },
  recover: OF_THE_LANE,
  tick: OF_THE_LANE,
} as const satisfies { readonly [Type in keyof Bodies]: CommandRow<Bodies[Type]> };

type Rows = typeof COMMANDS;
type Lettered = {
  [Type in keyof Rows as Rows[Type]['letter'] extends string ? Type : never]: Rows[Type]['letter'];
};

/** The letters of those commands that have a short text in the journal. */
export const COMMAND_LETTERS: Readonly<Lettered> = Object.freeze(lettersOf(COMMANDS));

export function isCommandType(text: string): text is Command['type'] {
  return Object.hasOwn(COMMANDS, text);
}

/** Of the body, where it is spelled out. */
export function commandVersion(type: Command['type']): number {
  return COMMANDS[type].version;
}

interface Asked {
  readonly body: CommandBody;
  readonly actor: Actor;
}

/** Commands by which somebody gets out, or by which the operator acts: taken when others are not. */
export function isRelief({ body, actor }: Asked): boolean {
  return isOperator(actor) || holds(rowOf(body.type).relief, body);
}

/** Whether it works in a lane that is read-only or, stricter, halted. */
export function worksPaused(command: Command, isHalted: boolean): boolean {
  const { actor, type } = command;
  if (actor.kind === 'operator' || !isCommandType(type)) return true;
  const { isTrade, readOnly } = rowOf(type);
  if (actor.kind === 'system' && !(isHalted && isTrade)) return true;
  return holds(readOnly, command);
}

/** A command of a type that has no row is a defect. */
export function handle(turn: Turn, command: Command): Answer {
  const { actor } = command;
  // Nearly every command is one of these. Named, the handler is known to the compiler of the machine; looked up, it is not.
  switch (command.type) {
    case 'place_order':
      return COMMANDS.place_order.handle(turn, actor, command);
    case 'cancel_order':
      return COMMANDS.cancel_order.handle(turn, actor, command);
    case 'batch':
      return COMMANDS.batch.handle(turn, actor, command);
  }
  const row: Partial<CommandRow<CommandBody>> | undefined = rowOf(command.type);
  if (row?.handle === undefined) throw new Defect(`unexpected value: ${String(command)}`);
  return row.handle(turn, actor, command);
}

/** The row without the knowledge of which it is: only ever ask it about a command of the type it was found by. */
function rowOf(type: Command['type']): CommandRow<CommandBody> {
  return COMMANDS[type] as CommandRow<CommandBody>;
}

function holds(trait: boolean | ((body: CommandBody) => boolean), body: CommandBody): boolean {
  return typeof trait === 'boolean' ? trait : trait(body);
}

function cancelsOnly({ items }: Batch): boolean {
  return Array.isArray(items) && items.every((item) => item.type === 'cancel_order');
}

function done(): Answer {
  return accept(DONE);
}

function lettersOf(rows: Rows): Lettered {
  const lettered = Object.entries(rows).filter(([, { letter }]) => letter !== null);
  return Object.fromEntries(lettered.map(([type, { letter }]) => [type, letter])) as Lettered;
}
