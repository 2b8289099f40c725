// One contract for every store, on each database that it can be kept in.
import { MemoryOperatorStore } from '../../src/adapters/memory/operators.ts';
import { MemoryPlatformStore } from '../../src/adapters/memory/platform.ts';
import { MemoryWebhookStore } from '../../src/adapters/memory/webhooks.ts';
import { openOperators, openPlatform, openWebhooks } from '../../src/stores/open-stores.ts';
import { describeApprovals } from '../ports/approvals-suite.ts';
import { describeApps } from '../ports/apps-suite.ts';
import { describeBuilders } from '../ports/builders-suite.ts';
import { describeCompliance } from '../ports/compliance-suite.ts';
import { describeDestinations } from '../ports/destinations-suite.ts';
import { describeFactors } from '../ports/factors-suite.ts';
import { describeGrants } from '../ports/grants-suite.ts';
import { describeLetters } from '../ports/letters-suite.ts';
import { describeLinks } from '../ports/links-suite.ts';
import { describeOperatorStore } from '../ports/operators-suite.ts';
import { describePlatform } from '../ports/platform-suite.ts';
import { describeSigning } from '../ports/signing-suite.ts';
import { describeTill } from '../ports/till-suite.ts';
import { describeWebhookStore } from '../ports/webhooks-suite.ts';
import {
  folderHarness,
  openPostgresOperators,
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

describeFactors('memory', async () => memory(new MemoryPlatformStore()));
describeFactors('sqlite', () => folderHarness(openPlatform));
describeFactors('postgres', () => postgresHarness(postgres, openPostgresPlatform));
describeLinks('memory', async () => memory(new MemoryPlatformStore()));
describeLinks('sqlite', () => folderHarness(openPlatform));
describeLinks('postgres', () => postgresHarness(postgres, openPostgresPlatform));
describeCompliance('memory', async () => memory(new MemoryPlatformStore()));
describeCompliance('sqlite', () => folderHarness(openPlatform));
describeCompliance('postgres', () => postgresHarness(postgres, openPostgresPlatform));
describeDestinations('memory', async () => memory(new MemoryPlatformStore()));
describeSigning('memory', async () => memory(new MemoryPlatformStore()));
describeDestinations('sqlite', () => folderHarness(openPlatform));
describeSigning('sqlite', () => folderHarness(openPlatform));
describeDestinations('postgres', () => postgresHarness(postgres, openPostgresPlatform));
describeSigning('postgres', () => postgresHarness(postgres, openPostgresPlatform));
describeLetters('memory', async () => memory(new MemoryPlatformStore()));
describeLetters('sqlite', () => folderHarness(openPlatform));
describeLetters('postgres', () => postgresHarness(postgres, openPostgresPlatform));
describeTill('memory', async () => memory(new MemoryPlatformStore()));
describeTill('sqlite', () => folderHarness(openPlatform));
describeTill('postgres', () => postgresHarness(postgres, openPostgresPlatform));

for (const describeStore of [describeBuilders, describeApps, describeGrants]) {
  describeStore('memory', async () => memory(new MemoryPlatformStore()));
  describeStore('sqlite', () => folderHarness(openPlatform));
  describeStore('postgres', () => postgresHarness(postgres, openPostgresPlatform));
}

describeWebhookStore('memory', async () => memory(new MemoryWebhookStore()));
describeWebhookStore('sqlite', () => folderHarness(openWebhooks));
describeWebhookStore('postgres', () => postgresHarness(postgres, openPostgresWebhooks));

for (const describeStore of [describeOperatorStore, describeApprovals]) {
  describeStore('memory', async () => memory(new MemoryOperatorStore()));
  describeStore('sqlite', () => folderHarness(openOperators));
  describeStore('postgres', () => postgresHarness(postgres, openPostgresOperators));
}
