// Rows of owners that are cut into pages, and the cells of a page that was cut of them.
import { NONE, type OwnedRows, PageCutter } from '../ports/flat-rows.ts';
import { type RowShape, unpackCells } from '../ports/packed-cells.ts';
import type { PageKind, PageRow } from '../ports/read-store.ts';
import { ChainedTable } from './chained-table.ts';

const INT_BYTES = 4;
/** A list then reads few pages, and no long ones. */
const ROWS_PER_PAGE = 256;

export class RowTable extends ChainedTable {
  readonly kind: PageKind;
  readonly #shape: RowShape;

  constructor(kind: PageKind, shape: RowShape) {
    super(shape.width);
    this.kind = kind;
    this.#shape = shape;
  }

  /** As it lies here: good until the next row is added. */
  override rows(): OwnedRows {
    return { ...super.rows(), ...this.chains(), shape: this.#shape, rowsPerPage: ROWS_PER_PAGE };
  }

  /** Oldest first. */
  pagesOf(owner: number): PageRow[] {
    const { kind } = this;
    const pages: PageRow[] = [];
    new PageCutter(this.rows()).cut(owner, ({ first, cells, texts }) =>
      pages.push({ kind, owner, first, cells: cells.slice(), texts }),
    );
    return pages;
  }
}

/** The cells of a stored page. */
export class PageCells {
  readonly length: number;
  readonly #width: number;
  readonly #numbers: Float64Array;
  readonly #amounts: BigInt64Array;
  readonly #texts: readonly (string | null)[];

  constructor(page: PageRow, shape: RowShape) {
    const cells = unpackCells(page.cells, shape);
    this.#width = shape.width;
    this.#numbers = new Float64Array(cells);
    this.#amounts = new BigInt64Array(cells);
    this.length = this.#numbers.length / shape.width;
    this.#texts = page.texts === null ? [] : textsOf(page.texts, this.length);
  }

  get(row: number, column: number): number {
    return this.#numbers[row * this.#width + column]!;
  }

  amount(row: number, column: number): bigint {
    return this.#amounts[row * this.#width + column]!;
  }

  text(row: number): string | null {
    return this.#texts[row] ?? null;
  }
}

function textsOf(texts: Uint8Array, count: number): readonly (string | null)[] {
  const bytes = Buffer.from(texts);
  const found: (string | null)[] = [];
  let start = count * INT_BYTES;
  for (let row = 0; row < count; row += 1) {
    const length = bytes.readInt32LE(row * INT_BYTES);
    found.push(length === NONE ? null : bytes.toString('utf8', start, start + length));
    if (length !== NONE) start += length;
  }
  return found;
}
