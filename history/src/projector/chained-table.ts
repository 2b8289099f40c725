// Rows by owner, each chained to the one that its owner had before; owners are numbered without gaps.
import { NONE } from '../store/flat-rows.ts';
import { FlatTable, grownInts, sharedInts } from './flat-table.ts';

const INITIAL_ROWS = 1024;

/** The first column of every table is the id by which its rows are found; ids of one owner never fall. */
export const ID = 0;

export class ChainedTable extends FlatTable {
  /** The owner's row before this one. */
  #previous = sharedInts(INITIAL_ROWS);
  /** By owner. */
  #newest = sharedInts(INITIAL_ROWS).fill(NONE);
  #owners = sharedInts(INITIAL_ROWS);
  #ownerCount = 0;

  /** A new row of the owner; every cell of it must be set. */
  add(owner: number, id: number): number {
    const row = this.append();
    if (row === this.#previous.length) this.#previous = grownInts(this.#previous, row * 2);
    if (owner >= this.#newest.length) this.#growOwners(owner);
    const newest = this.#newest[owner]!;
    if (newest === NONE) this.#enter(owner);
    this.#previous[row] = newest;
    this.#newest[owner] = row;
    this.set(row, ID, id);
    return row;
  }

  /** NONE if the owner has no row. */
  newestOf(owner: number): number {
    return owner < this.#newest.length ? this.#newest[owner]! : NONE;
  }

  /** NONE if it is the owner's first. */
  previousOf(row: number): number {
    return this.#previous[row]!;
  }

  override clear(): void {
    for (let index = 0; index < this.#ownerCount; index += 1) {
      this.#newest[this.#owners[index]!] = NONE;
    }
    this.#ownerCount = 0;
    super.clear();
  }

  protected chains() {
    return {
      previous: this.#previous,
      newest: this.#newest,
      owners: this.#owners,
      ownerCount: this.#ownerCount,
    };
  }

  #enter(owner: number): void {
    if (this.#ownerCount === this.#owners.length) {
      this.#owners = grownInts(this.#owners, this.#ownerCount * 2);
    }
    this.#owners[this.#ownerCount] = owner;
    this.#ownerCount += 1;
  }

  #growOwners(owner: number): void {
    const known = this.#newest.length;
    this.#newest = grownInts(this.#newest, owner * 2).fill(NONE, known);
  }
}
