// Rows that belong to an owner and are cut into pages, and the cells of such a page.
import { NONE, type OwnedRows, PageCutter } from '../store/flat-rows.ts';
import { type RowShape, unpackCells } from '../store/packed-cells.ts';
import type { PageKind, PageRow } from '../store/read-store.ts';
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

  /** Newest first, of rows up to the given id. */
  pagesOf(owner: number, idMax: number, limit: number): PageRow[] {
    const { kind } = this;
    const pages: PageRow[] = [];
    new PageCutter(this.rows()).cutNewest(owner, idMax, limit, ({ first, cells, texts }) =>
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
  readonly #texts: Buffer;
  /** Where the text of each row begins; NONE for one that has none. */
  readonly #textStarts: Int32Array;

  constructor(page: PageRow, shape: RowShape) {
    const cells = unpackCells(page.cells, shape);
    this.#width = shape.width;
    this.#numbers = new Float64Array(cells);
    this.#amounts = new BigInt64Array(cells);
    this.length = this.#numbers.length / shape.width;
    this.#texts = Buffer.from(page.texts ?? []);
    this.#textStarts = startsOf(this.#texts, this.length);
  }

  get(row: number, column: number): number {
    return this.#numbers[row * this.#width + column]!;
  }

  amount(row: number, column: number): bigint {
    return this.#amounts[row * this.#width + column]!;
  }

  text(row: number): string | null {
    const start = this.#textStarts[row]!;
    if (start === NONE) return null;
    return this.#texts.toString('utf8', start, start + this.#texts.readInt32LE(row * INT_BYTES));
  }
}

function startsOf(texts: Buffer, count: number): Int32Array {
  const starts = new Int32Array(count).fill(NONE);
  if (texts.length === 0) return starts;
  let start = count * INT_BYTES;
  for (let row = 0; row < count; row += 1) {
    const length = texts.readInt32LE(row * INT_BYTES);
    if (length === NONE) continue;
    starts[row] = start;
    start += length;
  }
  return starts;
}
