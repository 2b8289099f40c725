// The only way money and shares move: entries that sum to zero and keep every account's sign.
import { noteMovement } from './own-limits.ts';
import type { PlainEvent } from './plain.ts';
import { at } from './pool.ts';
import { balance, escrowName, issueName, type NaiveMarket, type World } from './world.ts';

/** One balanced entry under construction. */
export class Entry {
  readonly #world: World;
  readonly #amounts = new Map<string, bigint>();

  constructor(world: World) {
    this.#world = world;
  }

  add(name: string, amount: bigint): this {
    this.#amounts.set(name, (this.#amounts.get(name) ?? 0n) + amount);
    return this;
  }

  move(from: string, to: string, amount: bigint): this {
    return this.add(from, -amount).add(to, amount);
  }

  /** Mints complete sets against the escrow: the shares must be added elsewhere in the same entry. */
  mint(market: NaiveMarket, amount: bigint): this {
    this.add(escrowName(market.id), amount);
    for (let index = 0; index < market.outcomes.length; index += 1)
      this.add(issueName(market.id, index), -amount);
    return this;
  }

  commit(
    reason: Extract<PlainEvent, { type: 'ledger_posted' }>['reason'],
    reference: string,
  ): void {
    const postings = [...this.#amounts]
      .filter(([, amount]) => amount !== 0n)
      .map(([account, amount]) => ({ account, amount }));
    if (postings.length === 0) return;
    const sums = new Map<string, bigint>();
    for (const { account, amount } of postings) {
      const asset = assetOf(account);
      sums.set(asset, (sums.get(asset) ?? 0n) + amount);
      this.#world.ledger.set(account, balance(this.#world, account) + amount);
      noteMovement(this.#world, account, amount, reason);
      const after = balance(this.#world, account);
      const contra = account.startsWith('external:') || account.includes(':issue:');
      if (contra ? after > 0n : after < 0n)
        throw new Error(`reference: ${account} would be ${after}`);
    }
    for (const [asset, sum] of sums) {
      if (sum !== 0n)
        throw new Error(`reference: ${reason} ${reference} is off by ${sum} ${asset}`);
    }
    const accounts = postings.map(({ account }) => account);
    const amounts = postings.map(({ amount }) => amount);
    this.#world.events.push({ type: 'ledger_posted', reason, reference, accounts, amounts });
  }
}

/** Shares end in `{market}.{index}`; everything else is money. */
function assetOf(name: string): string {
  const last = at(name.split(':').slice(-1), 0);
  return /^m_[0-9a-f]{16}\.\d+$/.test(last) ? last : 'USDT';
}
