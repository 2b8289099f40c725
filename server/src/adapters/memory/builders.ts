// Builders in memory: the reference that the durable store is held against, and for tests.
import type {
  ApplicationAddition,
  Approval,
  BuilderPage,
  BuilderRecord,
  BuilderStore,
  DecisionRefused,
  LoadTestGrant,
  NewApplication,
  Track,
} from '../../ports/builders.ts';
import type { SavedAnswer, TierChange } from '../../ports/platform.ts';
import { orderOf } from './text-order.ts';

export interface BuilderMemory {
  save(saved: SavedAnswer | undefined): void;
  /** Gives the user and its keys a tier. */
  setTier(userId: string, tier: Track, change: TierChange): Promise<void>;
  changed(userId: string): void;
}

export class MemoryBuilderStore implements BuilderStore {
  readonly #builders = new Map<string, BuilderRecord>();
  readonly #memory: BuilderMemory;

  constructor(memory: BuilderMemory) {
    this.#memory = memory;
  }

  async of(userId: string): Promise<BuilderRecord | null> {
    return this.#builders.get(userId) ?? null;
  }

  async page({ limit, status, after }: BuilderPage): Promise<readonly BuilderRecord[]> {
    return [...this.#builders.values()]
      .filter(({ application }) => status === null || application.status === status)
      .map((builder) => ({ builder, place: placeOf(builder) }))
      .filter(({ place }) => after === null || byAge(place, after) > 0)
      .sort((one, other) => byAge(one.place, other.place))
      .slice(0, limit)
      .map(({ builder }) => builder);
  }

  async cohort(track: Track): Promise<number> {
    const all = [...this.#builders.values()];
    return all.filter(({ approvedTrack }) => approvedTrack === track).length;
  }

  async apply(application: NewApplication, saved?: SavedAnswer): Promise<ApplicationAddition> {
    const { userId, track, name, website, about, agreementVersion, atMs } = application;
    const known = this.#builders.get(userId);
    if (known?.application.status === 'in_review') return 'in_review';
    if (known?.approvedTrack === track) return 'held';
    this.#builders.set(userId, {
      approvedTrack: null,
      approvedName: null,
      approvedAtMs: null,
      agreedRate: null,
      loadTest: null,
      createdAtMs: atMs,
      ...known,
      userId,
      name,
      website,
      about,
      agreementVersion,
      agreedAtMs: atMs,
      application: {
        track,
        status: 'in_review',
        appliedAtMs: atMs,
        decidedAtMs: null,
        decidedBy: null,
        note: null,
      },
    });
    this.#memory.save(saved);
    return 'added';
  }

  async approve(approval: Approval): Promise<BuilderRecord | DecisionRefused> {
    const { userId, change, agreedRate, note, cohortMax } = approval;
    const known = this.#builders.get(userId);
    if (known?.application.status !== 'in_review') return 'no_application';
    const { track } = known.application;
    if ((await this.cohort(track)) >= cohortMax) return 'cohort_full';
    const approved: BuilderRecord = {
      ...known,
      approvedTrack: track,
      approvedName: known.name,
      approvedAtMs: change.atMs,
      agreedRate,
      application: {
        ...known.application,
        status: 'approved',
        decidedAtMs: change.atMs,
        decidedBy: change.actor,
        note,
      },
    };
    this.#builders.set(userId, approved);
    await this.#memory.setTier(userId, track, change);
    return approved;
  }

  async reject(
    userId: string,
    { by, note, atMs }: { readonly by: string; readonly note: string; readonly atMs: number },
  ): Promise<BuilderRecord | DecisionRefused> {
    const known = this.#builders.get(userId);
    if (known?.application.status !== 'in_review') return 'no_application';
    const decided = { status: 'rejected', decidedAtMs: atMs, decidedBy: by, note } as const;
    const rejected = { ...known, application: { ...known.application, ...decided } };
    this.#builders.set(userId, rejected);
    return rejected;
  }

  async setLoadTest(userId: string, grant: LoadTestGrant | null): Promise<BuilderRecord | null> {
    const known = this.#builders.get(userId);
    if (known === undefined) return null;
    const changed = { ...known, loadTest: grant };
    this.#builders.set(userId, changed);
    this.#memory.changed(userId);
    return changed;
  }

  /** Of somebody who leaves. */
  forget(userId: string): void {
    this.#builders.delete(userId);
  }
}

type Place = NonNullable<BuilderPage['after']>;

function placeOf({ userId, application }: BuilderRecord): Place {
  return { appliedAtMs: application.appliedAtMs, userId };
}

function byAge(one: Place, other: Place): number {
  return one.appliedAtMs - other.appliedAtMs || orderOf(one.userId, other.userId);
}
