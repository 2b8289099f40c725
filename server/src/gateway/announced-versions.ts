// Limits that operators set, in versions that are never changed: what is lowered is announced before it holds.
import { Turns } from '../handling/turns.ts';
import type { PlatformStore } from '../ports/platform.ts';

/** How long something lower is announced before it holds. */
const NOTICE_MS = 90 * 86_400_000;

export interface AnnouncedVersion {
  /** Counted over the whole book; the contract's own is 1. */
  readonly version: number;
  readonly announcedAtMs: number;
  readonly effectiveAtMs: number;
  readonly actor: string;
  readonly reason: string;
}

/** Who sets a version, why and when. */
export interface SetBy {
  readonly actor: string;
  readonly reason: string;
  readonly atMs: number;
}

/** What a new version has of its own; the book adds the rest. */
type Contents<V extends AnnouncedVersion> = Omit<V, keyof AnnouncedVersion>;

export type PlatformSettings = Pick<PlatformStore, 'setting' | 'putSetting'>;

/** One for each store, whoever asks: what an operator sets, the gateways go by at once. */
export function onePerStore<Kept>(
  open: (platform: PlatformSettings) => Kept,
): (platform: PlatformSettings) => Kept {
  const opened = new WeakMap<PlatformSettings, Kept>();
  return (platform) => {
    const kept = opened.get(platform) ?? open(platform);
    opened.set(platform, kept);
    return kept;
  };
}

/** All versions of one kind of limit, oldest first, in one setting of the platform. */
export class VersionBook<V extends AnnouncedVersion> {
  readonly #platform: PlatformSettings;
  readonly #setting: string;
  readonly #listeners = new Set<() => void>();
  readonly #turns = new Turns();
  #versions: Promise<readonly V[]> | null = null;

  constructor(platform: PlatformSettings, setting: string) {
    this.#platform = platform;
    this.#setting = setting;
  }

  versions(): Promise<readonly V[]> {
    this.#versions ??= this.#read();
    return this.#versions;
  }

  /**
   * `make` sees all that were set before, of two at once too, and says whether the new one lowers anything. `added` is
   * told before those who listen.
   */
  add(
    by: SetBy,
    make: (versions: readonly V[]) => { readonly contents: Contents<V>; readonly isLower: boolean },
    added?: (versions: readonly V[]) => void,
  ): Promise<void> {
    return this.#turns.take(this.#setting, async () => {
      const versions = await this.versions();
      const { contents, isLower } = make(versions);
      const { actor, reason, atMs } = by;
      const times = { announcedAtMs: atMs, effectiveAtMs: atMs + (isLower ? NOTICE_MS : 0) };
      // Contents and the fields of every version together are a version.
      const made = { ...contents, version: versions.length + 2, ...times, actor, reason } as V;
      const all = [...versions, made];
      await this.#platform.putSetting(this.#setting, JSON.stringify(all));
      this.#versions = Promise.resolve(all);
      added?.(all);
      for (const listener of this.#listeners) listener();
    });
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async #read(): Promise<readonly V[]> {
    const text = await this.#platform.setting(this.#setting);
    // Written by `add`.
    return text === null ? [] : (JSON.parse(text) as readonly V[]);
  }
}

/**
 * Of the versions of one limit, oldest first: the one that holds, and the one that is announced. A later version takes
 * the place of one that was only announced when it was set, also if it does not hold yet itself.
 */
export function inForce<V extends AnnouncedVersion>(
  versions: readonly V[],
  nowMs: number,
): { readonly current: V | undefined; readonly pending: V | null } {
  const current = versions.findLast(({ effectiveAtMs }, at) => {
    const next = versions[at + 1];
    const isDropped = next !== undefined && next.announcedAtMs < effectiveAtMs;
    return effectiveAtMs <= nowMs && !isDropped;
  });
  const last = versions.at(-1);
  return { current, pending: last !== undefined && last.effectiveAtMs > nowMs ? last : null };
}
