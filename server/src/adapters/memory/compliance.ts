// Records of compliance in memory: what the durable adapters are held against, and for tests.
import type {
  AddressUse,
  Clearing,
  ComplianceStore,
  FlagPage,
  FlagRecord,
  RulesRecord,
} from '../../ports/compliance.ts';

export class MemoryComplianceStore implements ComplianceStore {
  readonly #rules: RulesRecord[] = [];
  #uses: AddressUse[] = [];
  readonly #links = new Set<string>();
  readonly #flags = new Map<string, FlagRecord>();
  readonly #changed: (userId: string) => void;

  constructor(changed: (userId: string) => void) {
    this.#changed = changed;
  }

  async currentRules(): Promise<RulesRecord | null> {
    return this.#rules.toSorted((a, b) => b.version - a.version)[0] ?? null;
  }

  async addRules(rules: RulesRecord): Promise<boolean> {
    if (this.#rules.some(({ version }) => version === rules.version)) return false;
    this.#rules.push(rules);
    return true;
  }

  async claimAddress(use: AddressUse, max: number, sinceMs: number): Promise<boolean> {
    const same = this.#uses.filter((known) => placeOf(known) === placeOf(use));
    if (same.some(({ subject }) => subject === use.subject)) return true;
    if (same.filter(({ atMs }) => atMs > sinceMs).length >= max) return false;
    this.#uses.push(use);
    return true;
  }

  async sharedAddress(userId: string, otherId: string, withinMs: number): Promise<boolean> {
    const of = (id: string): AddressUse[] =>
      this.#uses.filter(({ kind, subject }) => kind === 'sign_up' && subject === id);
    return of(userId).some((own) =>
      of(otherId).some(
        (other) => placeOf(own) === placeOf(other) && Math.abs(own.atMs - other.atMs) <= withinMs,
      ),
    );
  }

  async setLink(userId: string, otherId: string, isLinked: boolean): Promise<void> {
    const link = linkOf(userId, otherId);
    if (isLinked) this.#links.add(link);
    else this.#links.delete(link);
  }

  async isLinked(userId: string, otherId: string): Promise<boolean> {
    return this.#links.has(linkOf(userId, otherId));
  }

  async raiseFlag(flag: FlagRecord): Promise<boolean> {
    const isOpen = [...this.#flags.values()].some(
      ({ kind, subject, lane, blocks, clearedAtMs }) =>
        kind === flag.kind &&
        subject === flag.subject &&
        lane === flag.lane &&
        (blocks || !flag.blocks) &&
        clearedAtMs === null,
    );
    if (isOpen) return false;
    this.#flags.set(flag.flagId, flag);
    this.#changed(flag.subject);
    return true;
  }

  async flags({ status, limit, beforeMs }: FlagPage): Promise<readonly FlagRecord[]> {
    return [...this.#flags.values()]
      .filter((flag) => status === 'all' || (flag.clearedAtMs === null) === (status === 'open'))
      .filter(({ raisedAtMs }) => raisedAtMs < beforeMs)
      .sort((a, b) => (isBefore(a, b) ? -1 : 1))
      .slice(0, limit);
  }

  async blocksOf(subject: string): Promise<readonly FlagRecord[]> {
    return [...this.#flags.values()].filter(
      (flag) => flag.subject === subject && flag.blocks && flag.clearedAtMs === null,
    );
  }

  async clearFlag(flagId: string, clearing: Clearing): Promise<FlagRecord | null> {
    const flag = this.#flags.get(flagId);
    if (flag === undefined) return null;
    if (flag.clearedAtMs !== null) return flag;
    const { actor: clearedBy, reason: clearReason, atMs: clearedAtMs } = clearing;
    const cleared = { ...flag, clearedBy, clearReason, clearedAtMs };
    this.#flags.set(flagId, cleared);
    this.#changed(flag.subject);
    return cleared;
  }

  async pruneAddresses(beforeMs: number): Promise<void> {
    this.#uses = this.#uses.filter(({ atMs }) => atMs >= beforeMs);
  }
}

/** Newest first. */
function isBefore(a: FlagRecord, b: FlagRecord): boolean {
  if (a.raisedAtMs !== b.raisedAtMs) return a.raisedAtMs > b.raisedAtMs;
  return a.flagId > b.flagId;
}

function placeOf({ kind, day, addressHash }: AddressUse): string {
  return `${kind} ${day} ${addressHash}`;
}

function linkOf(one: string, other: string): string {
  return [one, other].sort().join(' ');
}
