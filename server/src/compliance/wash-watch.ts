// Trades between accounts that belong together: counted as they are committed, judged by a job.
import { type AccountId, asAccountId, type TradeExecuted } from '@sibyl/engine';
import type { CommitListener, Lane } from '@sibyl/lane';
import { parseMoney } from '@sibyl/money';
import type { Member } from '../ports/closing.ts';
import type { PlatformStore } from '../ports/platform.ts';
import { amountText } from '../wire/amounts.ts';
import type { ComplianceOffice } from './office.ts';

export interface WatchParts {
  readonly lane: Pick<Lane, 'name' | 'read' | 'onCommitted'>;
  readonly platform: PlatformStore;
  readonly office: ComplianceOffice;
}

/** What somebody traded, in all and with each counterparty, since the window began. */
interface Volume {
  total: bigint;
  readonly byOther: Map<string, bigint>;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
/** How far a chain of invitations is followed. */
const CHAIN_MAX = 8;

/**
 * Counts only while there is a rule, and anew after a restart. Windows are of the rule's length, one after the other: what is
 * traded at the end of one and the beginning of the next counts in each by itself.
 */
export class WashWatch {
  readonly #parts: WatchParts;
  readonly #stopFollowing: () => void;
  /** By account: what was traded since the last look. */
  #fresh = new Map<string, Volume>();
  /** By main account: subaccounts count as their owner, on either side of a trade. */
  #families = new Map<string, Volume>();
  #window = 0;

  constructor(parts: WatchParts) {
    this.#parts = parts;
    this.#stopFollowing = parts.lane.onCommitted((batch) => this.#receive(batch));
  }

  stop(): void {
    this.#stopFollowing();
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
        this.#count(event);
      }
    }
  }

  /** Each side at what it pays or receives itself: where a fill makes sets, that differs. */
  #count({ takerId, lots: takerLots, costMicro, makers }: TradeExecuted): void {
    const cost = BigInt(costMicro);
    volumeOf(this.#fresh, takerId).total += cost;
    // Orders that fill beside a pool may have less than the taker in all, or each of them as much.
    const madeLots = makers.reduce((sum, { lots }) => sum + lots, 0);
    const parts = BigInt(Math.max(takerLots, madeLots));
    for (const { accountId, lots, price } of makers) {
      const notional = BigInt(lots) * BigInt(price);
      volumeOf(this.#fresh, accountId).total += notional;
      this.#add(accountId, takerId, notional);
      this.#add(takerId, accountId, (cost * BigInt(lots)) / parts);
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
    let invited = 0n;
    for (const [otherId, amount] of volume.byOther) {
      const tie = await this.#tieTo(user, otherId);
      if (tie === 'linked') linked += amount;
      if (tie === 'invited') invited += amount;
    }
    const shareOf = (part: bigint) => (part * 100n) / total;
    const isTooMuch = (part: bigint) => part > 0n && shareOf(part) >= BigInt(rule.share_percent);
    const together = linked + invited;
    if (!isTooMuch(together)) return;
    const isOwnDoing = isTooMuch(linked);
    const { name: lane } = this.#parts.lane;
    const detail =
      `${shareOf(isOwnDoing ? linked : together)} % of ${amountText(total)} USDT in ${rule.window_hours} h ` +
      `were traded with ${isOwnDoing ? 'linked accounts' : 'invited or linked accounts'} in the ${lane} lane.`;
    const found = { kind: 'wash_trading', ruleId: rule.id, subject: user.userId, lane } as const;
    await this.#parts.office.flag({ ...found, detail, blocks: isOwnDoing && rule.blocks });
  }

  /**
   * Linked: declared so, registered from one address on one day, or the user was invited by the other, directly or through
   * others. Invited: nothing but that the other way round, which anybody can bring about who knows the user's code.
   */
  async #tieTo(user: Member, otherAccountId: string): Promise<'linked' | 'invited' | null> {
    const { compliance, closing } = this.#parts.platform;
    const other = await closing.memberByAccount(otherAccountId);
    if (other === null || other.userId === user.userId) return null;
    const isLinked =
      (await compliance.isLinked(user.userId, other.userId)) ||
      (await compliance.sharedAddress(user.userId, other.userId, DAY_MS)) ||
      (await this.#invited(other, user));
    if (isLinked) return 'linked';
    return (await this.#invited(user, other)) ? 'invited' : null;
  }

  async #invited(inviter: Member, guest: Member): Promise<boolean> {
    let { referrerId } = guest;
    for (let depth = 0; depth < CHAIN_MAX && referrerId !== null; depth += 1) {
      if (referrerId === inviter.userId) return true;
      const { closing } = this.#parts.platform;
      referrerId = (await closing.memberById(referrerId))?.referrerId ?? null;
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
