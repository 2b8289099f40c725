// What the caller's own keys traded, as taker and as maker, with a total.
import type { AttributionRow } from '@sibyl/contract';
import type { History } from '@sibyl/history';
import { cutPage } from '../../handling/cut-page.ts';
import type { OwnCredential, Page } from '../../handling/handler.ts';
import { keysSeenBy } from '../../handling/held-keys.ts';
import type { KeyRecord, PlatformStore } from '../../ports/platform.ts';
import { amountText } from '../../wire/amounts.ts';
import type { Range } from './range.ts';

interface Traded {
  readonly key: KeyRecord;
  readonly volume: bigint;
}

export interface TradedPage {
  readonly rows: readonly AttributionRow[];
  readonly nextCursor: string | null;
}

/** Keys that are over too: what they traded stays theirs. Those that traded nothing in that time are left out. */
export async function tradedByKey(
  platform: Pick<PlatformStore, 'keysOf'>,
  history: Pick<History, 'keyVolume'>,
  caller: OwnCredential,
  { toMs, firstDay, lastDay }: Range,
  page: Page,
): Promise<TradedPage> {
  const traded: Traded[] = [];
  let total = 0n;
  for await (const key of keysSeenBy(platform, caller)) {
    if (key.createdAtMs >= toMs) continue;
    const volume = await history.keyVolume(key.publicId, firstDay, lastDay);
    if (volume === 0n) continue;
    total += volume;
    traded.push({ key, volume });
  }
  traded.sort((a, b) => (a.key.publicId < b.key.publicId ? -1 : 1));
  const after = page.after === null ? null : String(page.after[0]);
  const rest = traded.filter(({ key }) => after === null || key.publicId > after);
  const { shown, nextCursor } = cutPage(rest, page, ({ key }) => [key.publicId]);
  return {
    rows: [
      ...(after === null ? [row(null, total)] : []),
      ...shown.map(({ key, volume }) => row(key, volume)),
    ],
    nextCursor,
  };
}

/** Trades are not counted by key, and a key earns nothing: both are null. */
function row(key: KeyRecord | null, volume: bigint): AttributionRow {
  return {
    kind: key === null ? 'total' : 'part',
    key_id: key?.publicId ?? null,
    label: key?.label ?? null,
    app_id: null,
    market_id: null,
    day: null,
    trade_id: null,
    ts_ms: null,
    fills: null,
    volume: amountText(volume),
    accrued: null,
  };
}
