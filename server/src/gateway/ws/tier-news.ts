// Tells an account on all its sockets when the tier of its user or of a key changes, or what the tier may do.
import { type Tier, tiers } from '@sibyl/contract';
import { asAccountId } from '@sibyl/engine';
import type { Clock } from '@sibyl/lane';
import type { LaneName } from '../../handling/handler.ts';
import type { KeyPage, KeyRecord, PlatformChange, PlatformStore } from '../../ports/platform.ts';
import type { StreamHub } from '../../streams/hub.ts';
import { tierOf } from '../../wire/known-tier.ts';
import { type TierHolder, type TierStep, tierChangeData } from '../../wire/tier-change.ts';
import { keyRatesOf } from '../builder-terms.ts';
import { TierCeilings } from '../tier-ceilings.ts';

export interface TierNewsOptions {
  readonly hubs: Readonly<Partial<Record<LaneName, StreamHub>>>;
  readonly platform: PlatformStore;
  readonly clock: Clock;
  /** Who is connected: the holders of their credentials. */
  readonly holders: () => ReadonlySet<string>;
  readonly failed: (error: unknown) => void;
}

/** Where messages about a key or a user go. */
type Accounts = Partial<Readonly<Record<LaneName, string>>>;

const PAGE = 500;

export class TierNews {
  readonly #options: TierNewsOptions;
  readonly #ceilings: TierCeilings;
  readonly #openedAtMs: number;
  /** Changes that were told, by key or user. */
  readonly #told = new Map<string, number>();
  /** What each tier could do at the last check. */
  readonly #known = new Map<Tier, string>();
  readonly #stopListening: readonly (() => void)[];
  #work: Promise<void> = Promise.resolve();

  constructor(options: TierNewsOptions) {
    this.#options = options;
    const { platform, clock } = options;
    this.#ceilings = TierCeilings.of(platform);
    this.#openedAtMs = clock.wallMs();
    this.#stopListening = [
      platform.onChange((change) => this.#do(() => this.#follow(change))),
      this.#ceilings.onChange(() => this.checkCeilings()),
    ];
    this.checkCeilings();
  }

  /** Lower ceilings come into force by time alone, so this is asked again and again. */
  checkCeilings(): void {
    this.#do(() => this.#compare());
  }

  close(): void {
    for (const stop of this.#stopListening) stop();
  }

  #do(act: () => Promise<void>): void {
    this.#work = this.#work.then(act).catch(this.#options.failed);
  }

  async #follow(change: PlatformChange): Promise<void> {
    const { platform } = this.#options;
    if (change.kind === 'key') {
      const key = await platform.keyById(change.publicId);
      if (key === null) return;
      for (const step of await this.#stepsOf(key.publicId)) await this.#tellKey(key, step);
    } else if (change.kind === 'user') {
      for (const step of await this.#stepsOf(change.userId)) {
        await this.#tellUser(change.userId, step);
      }
    }
  }

  /** Those of this run that were not told before: many writes change a key. */
  async #stepsOf(subject: string): Promise<readonly TierStep[]> {
    const changes = await this.#options.platform.tierChanges(subject);
    const steps = changes.filter(({ field, atMs }) => field === 'tier' && atMs >= this.#openedAtMs);
    const told = this.#told.get(subject) ?? 0;
    if (steps.length > 0) this.#told.set(subject, steps.length);
    return steps.slice(told).map(({ from, to, reason }) => ({
      from: tierOf(from),
      to: tierOf(to),
      reason,
    }));
  }

  async #compare(): Promise<void> {
    const nowMs = this.#options.clock.wallMs();
    const changed = new Set<Tier>();
    for (const tier of tiers) {
      const { limits } = await this.#ceilings.termsOf(tier, nowMs);
      const text = JSON.stringify(limits);
      const before = this.#known.get(tier);
      if (before !== undefined && before !== text) changed.add(tier);
      this.#known.set(tier, text);
    }
    if (changed.size === 0) return;
    for (const holderId of this.#options.holders()) await this.#tellCeilings(holderId, changed);
  }

  async #tellCeilings(holderId: string, changed: ReadonlySet<Tier>): Promise<void> {
    const user = await this.#options.platform.userById(holderId);
    if (user !== null && changed.has(tierOf(user.tier))) {
      await this.#tellUser(holderId, newCeilings(tierOf(user.tier)));
    }
    for await (const key of this.#keysOf(holderId)) {
      if (key.revokedAtMs !== null || !changed.has(tierOf(key.tier))) continue;
      await this.#tellKey(key, newCeilings(tierOf(key.tier)));
    }
  }

  async *#keysOf(holderId: string): AsyncGenerator<KeyRecord> {
    let after: KeyPage['after'] = null;
    for (;;) {
      const { platform } = this.#options;
      const page: readonly KeyRecord[] = await platform.keysOf(holderId, { limit: PAGE, after });
      yield* page;
      const last = page.at(-1);
      if (last === undefined || page.length < PAGE) return;
      after = { createdAtMs: last.createdAtMs, publicId: last.publicId };
    }
  }

  async #tellKey(key: KeyRecord, step: TierStep): Promise<void> {
    const { platform, clock } = this.#options;
    const { limits } = await keyRatesOf(platform, { ...key, tier: step.to }, clock.wallMs());
    // A key of the sandbox reaches no other account.
    const { live, sandbox } = key.accounts;
    const accounts = key.mintedAt === 'sandbox' ? { sandbox } : { live, sandbox };
    this.#publish(accounts, key, step, limits);
  }

  async #tellUser(userId: string, step: TierStep): Promise<void> {
    const { platform, clock } = this.#options;
    const user = await platform.userById(userId);
    if (user === null) return;
    const { limits } = await this.#ceilings.termsOf(step.to, clock.wallMs());
    const holder = { publicId: null, rateMultiplier: user.rateMultiplier };
    this.#publish(user.accounts, holder, step, limits);
  }

  #publish(
    accounts: Accounts,
    holder: TierHolder,
    step: TierStep,
    inForce: Parameters<typeof tierChangeData>[2],
  ): void {
    const { hubs, clock } = this.#options;
    const data = tierChangeData(holder, step, inForce);
    for (const hub of Object.values(hubs)) {
      const accountId = accounts[hub.lane.name];
      if (accountId === undefined) continue;
      hub.accounts.tierChanged(asAccountId(accountId), clock.wallMs(), data);
    }
  }
}

/** The tier stays what it is. */
function newCeilings(tier: Tier): TierStep {
  return { from: tier, to: tier, reason: 'ceilings_changed' };
}
