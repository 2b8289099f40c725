// Every deposit and withdrawal of a lane: found for ever by id, deposits by custody and reference as well.
import type { Usdt } from '@sibyl/money';
import { assert } from '../kit/assert.ts';
import type { AccountId, DepositId, WithdrawalId } from '../kit/identity.ts';

export type DepositState = 'pending' | 'confirmed' | 'failed';

export interface ReportedDeposit {
  readonly accountId: AccountId;
  /** Who keeps the money outside, and what it calls the deposit: together they name it once and for all. */
  readonly custody: string;
  readonly reference: string;
  readonly amount: Usdt;
  readonly state: DepositState;
  readonly confirmations: number;
  /** Why it failed, else null. */
  readonly reason: string | null;
}

export interface DepositRecord extends ReportedDeposit {
  readonly depositId: DepositId;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

export type WithdrawalState = 'requested' | 'held' | 'sent' | 'completed' | 'failed';

export interface WithdrawalRecord {
  /** Part of the name that the custody knows it by, so that it pays it once however often it is asked. */
  readonly withdrawalId: WithdrawalId;
  readonly accountId: AccountId;
  readonly custody: string;
  readonly destination: string;
  readonly amount: Usdt;
  readonly state: WithdrawalState;
  /** Why it is held or has failed, else null. */
  readonly reason: string | null;
  /** Held until an operator agrees. */
  readonly needsApproval: boolean;
  /** Held until this time at least; null without one. */
  readonly heldUntilMs: number | null;
  /** What the custody calls the payment, once it is completed. */
  readonly reference: string | null;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/** Whether its money is still reserved. */
export function isOpenWithdrawal({ state }: WithdrawalRecord): boolean {
  return state === 'requested' || state === 'held' || state === 'sent';
}

/** Records are never changed: a step puts a new one in the place of the old. */
export class Funds {
  readonly #deposits = new Map<DepositId, DepositRecord>();
  readonly #byReference = new Map<string, DepositId>();
  /** Those that are not at their end, oldest first. */
  readonly #pending = new Map<DepositId, DepositRecord>();
  readonly #withdrawals = new Map<WithdrawalId, WithdrawalRecord>();
  /** Those that are not at their end, oldest first. */
  readonly #open = new Map<WithdrawalId, WithdrawalRecord>();
  readonly #byAccount = new Map<AccountId, AccountFunds>();
  /** What had come in, less what had gone out, before records were kept. */
  unrecorded = 0n;

  deposit(depositId: DepositId): DepositRecord | undefined {
    return this.#deposits.get(depositId);
  }

  depositBy(custody: string, reference: string): DepositRecord | undefined {
    const depositId = this.#byReference.get(referenceKey(custody, reference));
    return depositId === undefined ? undefined : this.#deposits.get(depositId);
  }

  withdrawal(withdrawalId: WithdrawalId): WithdrawalRecord | undefined {
    return this.#withdrawals.get(withdrawalId);
  }

  /** Oldest first. */
  deposits(): IterableIterator<DepositRecord> {
    return this.#deposits.values();
  }

  /** Those that are neither credited nor failed, oldest first. */
  pendingDeposits(): IterableIterator<DepositRecord> {
    return this.#pending.values();
  }

  /** Oldest first. */
  withdrawals(): IterableIterator<WithdrawalRecord> {
    return this.#withdrawals.values();
  }

  /** Those whose money is still reserved, oldest first. */
  openWithdrawals(): IterableIterator<WithdrawalRecord> {
    return this.#open.values();
  }

  /** Oldest first. */
  depositsOf(accountId: AccountId): readonly DepositRecord[] {
    const ids = this.#byAccount.get(accountId)?.deposits ?? [];
    return ids.map((id) => this.#deposits.get(id)!);
  }

  /** Oldest first. */
  withdrawalsOf(accountId: AccountId): readonly WithdrawalRecord[] {
    const ids = this.#byAccount.get(accountId)?.withdrawals ?? [];
    return ids.map((id) => this.#withdrawals.get(id)!);
  }

  putDeposit(record: DepositRecord): void {
    const { depositId, accountId, custody, reference } = record;
    if (!this.#deposits.has(depositId)) {
      const key = referenceKey(custody, reference);
      assert(!this.#byReference.has(key), `two deposits ${key}`);
      this.#byReference.set(key, depositId);
      this.#of(accountId).deposits.push(depositId);
    }
    this.#deposits.set(depositId, record);
    if (record.state === 'pending') this.#pending.set(depositId, record);
    else this.#pending.delete(depositId);
  }

  putWithdrawal(record: WithdrawalRecord): void {
    const { withdrawalId, accountId } = record;
    if (!this.#withdrawals.has(withdrawalId)) this.#of(accountId).withdrawals.push(withdrawalId);
    this.#withdrawals.set(withdrawalId, record);
    if (isOpenWithdrawal(record)) this.#open.set(withdrawalId, record);
    else this.#open.delete(withdrawalId);
  }

  /** For an account that is closed for good: only play money is ever forgotten. */
  forget(accountId: AccountId): void {
    for (const { depositId, custody, reference } of this.depositsOf(accountId)) {
      this.#deposits.delete(depositId);
      this.#pending.delete(depositId);
      this.#byReference.delete(referenceKey(custody, reference));
    }
    assert(this.withdrawalsOf(accountId).length === 0, `${accountId} has withdrawals`);
    this.#byAccount.delete(accountId);
  }

  #of(accountId: AccountId): AccountFunds {
    const known = this.#byAccount.get(accountId);
    if (known !== undefined) return known;
    const opened: AccountFunds = { deposits: [], withdrawals: [] };
    this.#byAccount.set(accountId, opened);
    return opened;
  }
}

interface AccountFunds {
  readonly deposits: DepositId[];
  readonly withdrawals: WithdrawalId[];
}

/** The name of a custody has no space, so no two pairs read the same. */
function referenceKey(custody: string, reference: string): string {
  return `${custody} ${reference}`;
}
