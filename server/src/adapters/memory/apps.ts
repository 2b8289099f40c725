// Apps in memory: the reference that the durable store is held against, and for tests.
import type {
  AppAct,
  AppAddition,
  AppChanged,
  AppPage,
  AppRecord,
  AppStatusChange,
  AppStore,
} from '../../ports/apps.ts';
import type { SavedAnswer } from '../../ports/platform.ts';
import { orderOf } from './text-order.ts';

export interface AppMemory {
  save(saved: SavedAnswer | undefined): void;
  changed(appId: string): void;
  /** The grants to it end. */
  disabled(appId: string, atMs: number): void;
}

export class MemoryAppStore implements AppStore {
  readonly #apps = new Map<string, AppRecord>();
  readonly #changes: AppStatusChange[] = [];
  readonly #memory: AppMemory;

  constructor(memory: AppMemory) {
    this.#memory = memory;
  }

  async appById(appId: string): Promise<AppRecord | null> {
    return this.#apps.get(appId) ?? null;
  }

  async appByWidgetKey(widgetKey: string): Promise<AppRecord | null> {
    return [...this.#apps.values()].find((app) => app.widgetKey === widgetKey) ?? null;
  }

  async appsOf(ownerId: string): Promise<readonly AppRecord[]> {
    return this.#byAge().filter((app) => app.ownerId === ownerId);
  }

  async page({ limit, status, after }: AppPage): Promise<readonly AppRecord[]> {
    return this.#byAge()
      .filter((app) => status === null || app.status === status)
      .filter((app) => after === null || byAge(app, after) > 0)
      .slice(0, limit);
  }

  async add(app: AppRecord, max: number, saved?: SavedAnswer): Promise<AppAddition> {
    const own = await this.appsOf(app.ownerId);
    if (own.some((other) => isSameName(other.name, app.name))) return 'name_taken';
    if (own.length >= max) return 'too_many';
    this.#apps.set(app.appId, Object.freeze({ ...app }));
    this.#memory.save(saved);
    this.#memory.changed(app.appId);
    return 'added';
  }

  async change(
    appId: string,
    act: AppAct,
    next: (before: AppRecord) => AppRecord | null,
    saved?: SavedAnswer,
  ): Promise<AppChanged | null> {
    const before = this.#apps.get(appId);
    if (before === undefined) return null;
    const after = next(before);
    if (after === null) return 'refused';
    const others = [...this.#apps.values()].filter((app) => app.appId !== appId);
    const { ownerId, name, verifiedName } = after;
    if (others.some((app) => app.ownerId === ownerId && isSameName(app.name, name))) {
      return 'name_taken';
    }
    if (others.some((app) => isSameName(app.verifiedName, verifiedName))) {
      return 'verified_name_taken';
    }
    this.#put(before, Object.freeze({ ...after }), act);
    this.#memory.save(saved);
    return after;
  }

  async statusChanges(appId: string): Promise<readonly AppStatusChange[]> {
    return this.#changes.filter((change) => change.appId === appId);
  }

  /** Of somebody who leaves: nobody uses their apps any more, and nothing names them. */
  forget(ownerId: string, atMs: number): void {
    for (const app of this.#apps.values()) {
      if (app.ownerId !== ownerId) continue;
      const act = { actor: ownerId, reason: 'account closed', atMs };
      this.#put(app, Object.freeze(closedApp(app, atMs)), act);
    }
  }

  #put(before: AppRecord, after: AppRecord, act: AppAct): void {
    const { appId } = before;
    this.#apps.set(appId, after);
    if (before.status !== after.status) {
      this.#changes.push({ ...act, appId, from: before.status, to: after.status });
      if (after.status === 'disabled') this.#memory.disabled(appId, act.atMs);
    }
    this.#memory.changed(appId);
  }

  #byAge(): AppRecord[] {
    return [...this.#apps.values()].sort(byAge);
  }
}

type Aged = Pick<AppRecord, 'createdAtMs' | 'appId'>;

function byAge(one: Aged, other: Aged): number {
  return one.createdAtMs - other.createdAtMs || orderOf(one.appId, other.appId);
}

function isSameName(one: string | null, other: string | null): boolean {
  return one !== null && other !== null && one.toLowerCase() === other.toLowerCase();
}

function closedApp(app: AppRecord, atMs: number): AppRecord {
  return {
    ...app,
    name: app.appId,
    verifiedName: null,
    redirectUris: [],
    allowedOrigins: [],
    status: 'disabled',
    disabledBy: 'owner',
    reviewNote: null,
    secret: null,
    previousSecret: null,
    updatedAtMs: atMs,
  };
}
