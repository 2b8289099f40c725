// Owners of apps in memory.
import type { AppOwners } from '../../ports/app-owners.ts';
import type { AccountIds } from '../../ports/platform.ts';

interface KnownApp {
  readonly userId: string;
  readonly accounts: AccountIds;
}

export class MemoryAppOwners implements AppOwners {
  readonly #apps = new Map<string, KnownApp>();

  put(appId: string, app: KnownApp): void {
    this.#apps.set(appId, app);
  }

  async ownerOf(appId: string, lane: keyof AccountIds): Promise<string | null> {
    return this.#apps.get(appId)?.accounts[lane] ?? null;
  }

  async appsOf(userId: string): Promise<readonly string[]> {
    return [...this.#apps].filter(([, app]) => app.userId === userId).map(([appId]) => appId);
  }
}
