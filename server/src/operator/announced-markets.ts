// What one operator alone intends to do to a market of live, for the status page: everybody may know it a day before.
import type { Clock } from '@sibyl/lane';
import type { ApprovalRecord, ApprovalStore } from '../ports/approvals.ts';
import type { MarketAnnouncement } from '../ports/status.ts';

const ACTS: Readonly<Record<string, MarketAnnouncement['act']>> = {
  proposeResolution: 'answer',
  ruleResolution: 'ruling',
};

const READ_AGAIN_MS = 5_000;
const WAITING_MAX = 200;

/** Read from the store at most every few seconds, however many look. */
export class AnnouncedMarkets {
  readonly #approvals: Pick<ApprovalStore, 'list'>;
  readonly #clock: Pick<Clock, 'wallMs' | 'monotonicMs'>;
  #readAtMs = Number.NEGATIVE_INFINITY;
  #known: Promise<readonly ApprovalRecord[]> = Promise.resolve([]);

  constructor(
    approvals: Pick<ApprovalStore, 'list'>,
    clock: Pick<Clock, 'wallMs' | 'monotonicMs'>,
  ) {
    this.#approvals = approvals;
    this.#clock = clock;
  }

  async current(): Promise<readonly MarketAnnouncement[]> {
    const nowMs = this.#clock.monotonicMs();
    if (nowMs - this.#readAtMs >= READ_AGAIN_MS) {
      this.#readAtMs = nowMs;
      // While the store is away, what was known stays.
      const before = this.#known;
      this.#known = this.#approvals.list('waiting', WAITING_MAX).catch(() => before);
    }
    const wallMs = this.#clock.wallMs();
    return (await this.#known).filter(({ expiresAtMs }) => expiresAtMs > wallMs).flatMap(announced);
  }
}

function announced(approval: ApprovalRecord): readonly MarketAnnouncement[] {
  const { operation, lane, target, createdAtMs, confirmableAtMs } = approval;
  const act = ACTS[operation];
  const marketId = /\/markets\/(m_[0-9a-f]+)\//.exec(target)?.[1];
  if (act === undefined || marketId === undefined) return [];
  if (lane !== 'live' || confirmableAtMs === null) return [];
  return [{ act, marketId, announcedAtMs: createdAtMs, possibleFromMs: confirmableAtMs }];
}
