// Whose apps are, by the records of the platform.
import type { AppOwners } from '../ports/app-owners.ts';
import type { PlatformStore } from '../ports/platform.ts';

export function appOwnersOf(platform: Pick<PlatformStore, 'apps' | 'userById'>): AppOwners {
  return {
    ownerOf: async (appId, lane) => {
      const app = await platform.apps.appById(appId);
      const owner = app === null ? null : await platform.userById(app.ownerId);
      return owner?.accounts[lane] ?? null;
    },
    appsOf: async (userId) => (await platform.apps.appsOf(userId)).map(({ appId }) => appId),
  };
}
