// Writes the generated part of the client, or with --check fails if it differs from the contract.

import { writeGenerated } from '@sibyl/contract/generated-files';
import { errorsModule } from './errors.ts';
import { operationsModule } from './operations.ts';
import { webhooksModule } from './webhooks.ts';

writeGenerated('sdk/src/generated', '@sibyl/sdk', {
  'operations.ts': operationsModule,
  'errors.ts': errorsModule,
  'webhooks.ts': webhooksModule,
});
