// Earnings as the modules read them: rows still in memory together with those in the store.
import { addEarned, type EarningRow } from '../store/earnings.ts';
import type {
  CursorPage,
  EarningFill,
  EarningFilter,
  EarningHistory,
  EarningRange,
  EarningSum,
} from '../store/history.ts';
import type { CombinedRows } from './combined-rows.ts';
import { type EarningFillRow, readEarningFills } from './earning-table.ts';
import type { Projector } from './projector.ts';
import { scan } from './scan.ts';

const LAST = Number.MAX_SAFE_INTEGER;

export class EarningReads implements EarningHistory {
  readonly #projector: Projector;
  readonly #combined: CombinedRows;

  constructor(projector: Projector, combined: CombinedRows) {
    this.#projector = projector;
    this.#combined = combined;
  }

  async sums({ earner: name, firstDay, lastDay }: EarningRange): Promise<readonly EarningSum[]> {
    await this.#projector.ready();
    const { store } = this.#projector;
    const earner = store.find('earner', name);
    if (earner === null) return [];
    const query = { earner, firstDay, lastDay };
    const rows = await this.#combined.consistent(
      () => store.earnings(query),
      (stored) => [
        ...stored,
        ...this.#projector.unflushed.flatMap(({ earnings }) => earnings.of(query)),
      ],
    );
    return joined(rows).map(({ market, ...row }) => ({
      ...row,
      marketId: market === 0 ? null : store.name('market', market),
    }));
  }

  async fills(filter: EarningFilter, limit: number): Promise<CursorPage<EarningFill, number>> {
    await this.#projector.ready();
    const { store } = this.#projector;
    const earner = store.find('earner', filter.earner);
    if (earner === null) return { rows: [], next: null };
    const { fromMs, toMs } = filter;
    const before = filter.before ?? LAST;
    const page = await scan<EarningFillRow, number>({
      pages: (firstMax, pages) => this.#combined.pages('earning', earner, firstMax, pages),
      firstMax: before - 1,
      entries: async (rows) => readEarningFills(rows),
      cursorOf: (row) => row.tradeId,
      isAfter: (row) => row.tradeId < before,
      isWanted: (row) => row.atMs >= fromMs && row.atMs < toMs,
      isPast: (row) => row.atMs < fromMs,
      limit,
      turns: this.#combined.turns,
    });
    const rows = page.rows.map(({ market, ...row }) => ({
      ...row,
      marketId: store.name('market', market),
    }));
    return { rows, next: page.next };
  }
}

/** One row for each day and market, in this order. */
function joined(rows: readonly EarningRow[]): readonly EarningRow[] {
  const sums = new Map<string, EarningRow>();
  for (const row of rows) {
    const { day, market } = row;
    const place = `${day} ${market}`;
    const known = sums.get(place);
    sums.set(place, known === undefined ? row : { day, market, ...addEarned(known, row) });
  }
  return [...sums.values()].sort((a, b) => a.day - b.day || a.market - b.market);
}
