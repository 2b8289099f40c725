// One contract for every store, on each database that it can be kept in.
import { MemoryPlatformStore } from '../../src/adapters/memory/platform.ts';
import { MemoryWebhookStore } from '../../src/adapters/memory/webhooks.ts';
import { openPlatform, openWebhooks } from '../../src/stores/open-stores.ts';
import { describePlatform } from '../ports/platform-suite.ts';
import { describeWebhookStore } from '../ports/webhooks-suite.ts';
import {
  folderHarness,
  openPostgresPlatform,
  openPostgresWebhooks,
  postgresHarness,
  usePostgres,
} from './databases.ts';

const postgres = usePostgres();

const memory = <Store>(store: Store) => ({
  open: async () => store,
  isDurable: false,
  dispose: async () => undefined,
});

describePlatform('memory', async () => memory(new MemoryPlatformStore()));
describePlatform('sqlite', () => folderHarness(openPlatform));
describePlatform('postgres', () => postgresHarness(postgres, openPostgresPlatform));

describeWebhookStore('memory', async () => memory(new MemoryWebhookStore()));
describeWebhookStore('sqlite', () => folderHarness(openWebhooks));
describeWebhookStore('postgres', () => postgresHarness(postgres, openPostgresWebhooks));
