// All operations of the public port by id; a new one stands in the file of its group and nowhere else.

import { accountOperations } from './account.ts';
import { appOperations } from './apps.ts';
import { attributionOperations } from './attribution.ts';
import { builderOperations } from './builders.ts';
import { closingOperations } from './closing.ts';
import { composerOperations } from './composer.ts';
import { connectOperations } from './connect.ts';
import { developerOperations } from './developers.ts';
import { emailOperations } from './email.ts';
import { factorOperations } from './factors.ts';
import { keyOperations } from './keys.ts';
import { liquidityOperations } from './liquidity.ts';
import { marketOperations } from './markets.ts';
import { orderSetOperations } from './order-sets.ts';
import { orderOperations } from './orders.ts';
import { ownLimitOperations } from './own-limits.ts';
import { passkeyOperations } from './passkeys.ts';
import { portfolioOperations } from './portfolio.ts';
import { profileOperations } from './profile.ts';
import { sandboxOperations } from './sandbox.ts';
import { sessionOperations } from './sessions.ts';
import { signingOperations } from './signing.ts';
import { subaccountOperations } from './subaccounts.ts';
import { systemOperations } from './system.ts';
import { webhookOperations } from './webhooks.ts';
import { withdrawalOperations } from './withdrawals.ts';

export const operations = Object.freeze({
  ...systemOperations,
  ...marketOperations,
  ...composerOperations,
  ...accountOperations,
  ...orderOperations,
  ...orderSetOperations,
  ...keyOperations,
  ...signingOperations,
  ...sandboxOperations,
  ...builderOperations,
  ...appOperations,
  ...connectOperations,
  ...liquidityOperations,
  ...portfolioOperations,
  ...attributionOperations,
  ...subaccountOperations,
  ...withdrawalOperations,
  ...sessionOperations,
  ...factorOperations,
  ...passkeyOperations,
  ...profileOperations,
  ...emailOperations,
  ...closingOperations,
  ...ownLimitOperations,
  ...developerOperations,
  ...webhookOperations,
});
