// Trades between accounts that belong together: counted as they are committed, judged every few seconds.
import { type AccountId, asAccountId } from '@sibyl/engine';
import type { Clock, CommitListener, Lane } from '@sibyl/lane';
import { parseMoney } from '@sibyl/money';
import type { PlatformStore, UserRecord } from '../ports/platform.ts';
import { amountText } from '../wire/amounts.ts';
import type { ComplianceOffice } from './office.ts';

export interface WatchParts {
  readonly lane: Pick<Lane, 'name' | 'read' | 'onCommitted'>;
  readonly platform: PlatformStore;
  readonly office: ComplianceOffice;
  readonly clock: Clock;
  readonly log: { write(level: 'warn', message: string): void };
}

/** What somebody traded, in all and with each counterparty, since the window began. */
interface Volume {
  total: bigint;
  readonly byOther: Map<string, bigint>;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const JUDGE_EVERY_MS = 5_000;
/** How far a chain of invitations is followed. */
const CHAIN_MAX = 8;

/**
 * Counts only while there is a rule, and anew after a restart. Windows are of the rule's length, one after the other: what is
 * traded at the end of one and the beginning of the next counts in each by itself.
 */
export class WashWatch {
  readonly #parts: WatchParts;
  readonly #stopFollowing: () => void;
  #stopAlarm: () => void;
  /** By account: what was traded since the last look. */
  #fresh = new Map<string, Volume>();
  /** By main account: subaccounts count as their owner, on either side of a trade. */
  #families = new Map<string, Volume>();
  #window = 0;

  constructor(parts: WatchParts) {
    this.#parts = parts;
    this.#stopFollowing = parts.lane.onCommitted((batch) => this.#receive(batch));
    this.#stopAlarm = this.#schedule();
  }

  stop(): void {
    this.#stopFollowing();
    this.#stopAlarm();
  }

  get #rule() {
    return this.#parts.office.rules.anti_abuse?.wash_trading;
  }

  #receive(batch: Parameters<CommitListener>[0]): void {
    const rule = this.#rule;
    if (rule === undefined) return;
    for (const { outcome } of batch) {
      for (const event of outcome.events) {
        if (event.type !== 'trade_executed') continue;
        const window = Math.floor(outcome.atMs / (rule.window_hours * HOUR_MS));
        if (window !== this.#window) this.#begin(window);
        volumeOf(this.#fresh, event.takerId).total += BigInt(event.costMicro);
        for (const { accountId, lots, price } of event.makers) {
          const notional = BigInt(lots) * BigInt(price);
          volumeOf(this.#fresh, accountId).total += notional;
          this.#add(accountId, event.takerId, notional);
          this.#add(event.takerId, accountId, notional);
        }
      }
    }
  }

  #begin(window: number): void {
    this.#window = window;
    this.#fresh = new Map();
    this.#families = new Map();
  }

  #add(accountId: string, otherId: string, amount: bigint): void {
    addTo(volumeOf(this.#fresh, accountId), otherId, amount);
  }

  #schedule(): () => void {
    return this.#parts.clock.setAlarm(JUDGE_EVERY_MS, () => {
      this.#stopAlarm = this.#schedule();
      this.judge().catch((error: unknown) =>
        this.#parts.log.write('warn', `trades could not be judged: ${String(error)}`),
      );
    });
  }

  /** Looks at every family that has traded since the last time. */
  async judge(): Promise<void> {
    for (const mainId of await this.#fold()) {
      const volume = this.#families.get(mainId);
      if (volume !== undefined) await this.#judgeOne(mainId, volume);
    }
  }

  /** Adds what is fresh to the families; those that traded. */
  async #fold(): Promise<ReadonlySet<string>> {
    const fresh = this.#fresh;
    const window = this.#window;
    this.#fresh = new Map();
    const touched = new Set<string>();
    if (fresh.size === 0) return touched;
    // Both sides of a trade are among the accounts.
    const mains = await this.#mainsOf([...fresh.keys()]);
    // What was traded in a window that has ended meanwhile counts in none.
    if (this.#window !== window) return touched;
    for (const [accountId, { total, byOther }] of fresh) {
      const mainId = mains.get(accountId) ?? accountId;
      const family = volumeOf(this.#families, mainId);
      family.total += total;
      for (const [otherId, amount] of byOther) addTo(family, mains.get(otherId) ?? otherId, amount);
      touched.add(mainId);
    }
    return touched;
  }

  #mainsOf(accountIds: readonly string[]): Promise<ReadonlyMap<string, AccountId>> {
    return this.#parts.lane.read(({ accounts }) => {
      const mains = new Map<string, AccountId>();
      for (const id of accountIds) {
        const parentId = accounts.get(asAccountId(id))?.parentId ?? null;
        if (parentId !== null) mains.set(id, parentId);
      }
      return mains;
    });
  }

  async #judgeOne(accountId: string, volume: Volume): Promise<void> {
    const rule = this.#rule;
    const least = rule === undefined ? null : parseMoney(rule.volume_min, 'USDT');
    if (rule === undefined || least === null || !least.ok) return;
    const { total } = volume;
    if (total < least.value) return;
    const user = await this.#parts.platform.userByAccount(accountId);
    if (user === null) return;
    let linked = 0n;
    for (const [otherId, amount] of volume.byOther) {
      if (await this.#belongTogether(user, otherId)) linked += amount;
    }
    // Where a fill makes sets, the taker pays what the maker does not.
    const share = linked > total ? 100n : (linked * 100n) / total;
    if (linked === 0n || share < BigInt(rule.share_percent)) return;
    const detail = `${share} % of ${amountText(total)} USDT in ${rule.window_hours} h were traded with linked accounts.`;
    await this.#parts.office.flag('wash_trading', rule.id, user.userId, detail, rule.blocks);
  }

  /** Declared so, registered from one address on one day, or one invited by the other, directly or through others. */
  async #belongTogether(user: UserRecord, otherAccountId: string): Promise<boolean> {
    const { platform } = this.#parts;
    const other = await platform.userByAccount(otherAccountId);
    if (other === null || other.userId === user.userId) return false;
    const { compliance } = platform;
    return (
      (await compliance.isLinked(user.userId, other.userId)) ||
      (await compliance.sharedAddress(user.userId, other.userId, DAY_MS)) ||
      (await this.#invited(user, other)) ||
      (await this.#invited(other, user))
    );
  }

  async #invited(inviter: UserRecord, guest: UserRecord): Promise<boolean> {
    let { referrerId } = guest;
    for (let depth = 0; depth < CHAIN_MAX && referrerId !== null; depth += 1) {
      if (referrerId === inviter.userId) return true;
      referrerId = (await this.#parts.platform.userById(referrerId))?.referrerId ?? null;
    }
    return false;
  }
}

function volumeOf(volumes: Map<string, Volume>, id: string): Volume {
  const known = volumes.get(id);
  if (known !== undefined) return known;
  const volume: Volume = { total: 0n, byOther: new Map() };
  volumes.set(id, volume);
  return volume;
}

function addTo({ byOther }: Volume, otherId: string, amount: bigint): void {
  byOther.set(otherId, (byOther.get(otherId) ?? 0n) + amount);
}
