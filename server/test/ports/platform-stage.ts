// The store that a suite asks: opened anew for each of its tests, with two users in it.
import { afterEach, beforeEach } from 'vitest';
import type { PlatformStore } from '../../src/ports/platform.ts';
import { type PlatformHarness, user } from './platform-suite.ts';

export interface PlatformStage {
  readonly store: PlatformStore;
  /** False where nothing outlives the store. */
  reopen(): Promise<boolean>;
}

/** To be called where a suite is described. */
export function stageOf(create: () => Promise<PlatformHarness>): PlatformStage {
  let harness: PlatformHarness;
  let store: PlatformStore;
  beforeEach(async () => {
    harness = await create();
    store = await harness.open();
    await store.addUser(user('ada'));
    await store.addUser(user('bob'));
  });
  afterEach(async () => {
    await store.close();
    await harness.dispose();
  });
  return {
    get store() {
      return store;
    },
    async reopen() {
      if (!harness.isDurable) return false;
      await store.close();
      store = await harness.open();
      return true;
    },
  };
}
