// What both exchanges keep beside ledger, orders and pools, in one form: money in and out, who is held, ticks, parameters.
import type { State } from '@sibyl/engine';
import { isFrozen, type World } from './naive/world.ts';

export interface KeptRecords {
  readonly deposits: object;
  readonly withdrawals: object;
  /** All that is reserved for withdrawals: by the ledger, or by the withdrawals that are open. */
  readonly reserved: bigint;
  /** By account that is not closed: whether it is held. */
  readonly held: object;
  /** By market. */
  readonly ticks: object;
  readonly parameters: object;
  readonly compliance: object | null;
}

export function keptByEngine(state: State): KeptRecords {
  const { funds, ledger, accounts, markets, parameters, compliance } = state;
  let reserved = 0n;
  for (const { name, balance } of ledger.accounts()) {
    if (name.endsWith(':withdrawals')) reserved += balance;
  }
  const open = [...accounts.values()].filter(({ closedAtMs }) => closedAtMs === null);
  return {
    deposits: byId([...funds.deposits()], ({ depositId }) => depositId),
    withdrawals: byId([...funds.withdrawals()], ({ withdrawalId }) => withdrawalId),
    reserved,
    held: fields(open.map(({ id, frozen }) => [id, frozen])),
    ticks: fields([...markets.values()].map(({ id, tickPips }) => [id, tickPips])),
    parameters,
    compliance,
  };
}

export function keptByReference(world: World): KeptRecords {
  const { deposits, withdrawals, accounts, markets, parameters, compliance } = world;
  const open = withdrawals.filter(({ state }) => OPEN.includes(state));
  return {
    deposits: byId(deposits, ({ depositId }) => depositId),
    withdrawals: byId(withdrawals, ({ withdrawalId }) => withdrawalId),
    reserved: open.reduce((sum, { amount }) => sum + amount, 0n),
    held: fields(accounts.map((account) => [account.id, isFrozen(world, account)])),
    ticks: fields(markets.map(({ id, tickPips }) => [id, tickPips])),
    parameters,
    compliance,
  };
}

const OPEN: readonly string[] = ['requested', 'held', 'sent'];

function byId<Kept>(all: readonly Kept[], idOf: (kept: Kept) => string): object {
  return fields(all.map((kept) => [idOf(kept), kept]));
}

function fields(entries: readonly (readonly [string, unknown])[]): object {
  return Object.fromEntries(entries);
}
