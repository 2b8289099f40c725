// Every operation of the public port with its handler, gathered from the modules.

import { keyTermsOf } from './gateway/key-terms.ts';
import type { MaintenanceWindow } from './gateway/maintenance-window.ts';
import type { Handlers } from './handling/handler.ts';
import { type DelegationParts, delegable } from './handling/on-behalf.ts';
import { Turns } from './handling/turns.ts';
import type { HandlerTable } from './http/bind.ts';
import { accountHandlers } from './modules/account/handlers.ts';
import { appHandlers } from './modules/apps/handlers.ts';
import { type BuilderParts, builderHandlers } from './modules/builders/handlers.ts';
import { composerHandlers } from './modules/composer/handlers.ts';
import { connectHandlers } from './modules/connect/handlers.ts';
import { type HealthParts, healthHandlers } from './modules/health/handlers.ts';
import { type KeyParts, keyHandlers } from './modules/keys/handlers.ts';
import { limitHandlers } from './modules/limits/handlers.ts';
import { liquidityHandlers } from './modules/liquidity/handlers.ts';
import { type MarketParts, marketHandlers } from './modules/markets/handlers.ts';
import { orderHandlers } from './modules/orders/handlers.ts';
import { portfolioHandlers } from './modules/portfolio/handlers.ts';
import { type RequestParts, requestHandlers } from './modules/requests/handlers.ts';
import { type RevenueParts, revenueHandlers } from './modules/revenue/handlers.ts';
import { type SandboxParts, sandboxHandlers } from './modules/sandbox/handlers.ts';
import { type SessionParts, sessionHandlers } from './modules/sessions/handlers.ts';
import { type StatusParts, statusHandlers } from './modules/status/handlers.ts';
import { subaccountHandlers } from './modules/subaccounts/handlers.ts';
import { type WebhookParts, webhookHandlers } from './modules/webhooks/handlers.ts';
import { withdrawalHandlers } from './modules/withdrawals/handlers.ts';
import type { WithdrawalParts } from './modules/withdrawals/parts.ts';
import { OwnRecords } from './own-records.ts';

export interface HandlerParts
  extends Omit<KeyParts, 'tierBook' | 'webhooks'>,
    BuilderParts,
    MarketParts,
    RequestParts,
    RevenueParts,
    Omit<SessionParts, 'destinationDelayMs'>,
    StatusParts,
    WebhookParts,
    WithdrawalParts,
    Pick<DelegationParts, 'screening'>,
    Pick<HealthParts, 'database'> {
  /** Rules of compliance: who may have an account, and who comes too often. */
  readonly office?: NonNullable<SessionParts['office']> & NonNullable<SandboxParts['office']>;
  readonly version: string;
  readonly maintenance?: MaintenanceWindow;
}

export function publicHandlers(parts: HandlerParts): HandlerTable {
  const exclusionTurns = new Turns();
  const handlers: Handlers = {
    ...healthHandlers(parts),
    ...statusHandlers(parts),
    ...sessionHandlers({
      ...parts,
      records: new OwnRecords(parts),
      destinationDelayMs: parts.payouts.destinationDelayMs,
    }),
    ...limitHandlers({ ...parts, exclusionTurns }),
    ...keyHandlers({
      ...parts,
      tierBook: keyTermsOf(parts.platform),
      webhooks: parts.delivery,
    }),
    ...builderHandlers(parts),
    ...appHandlers(parts),
    ...connectHandlers(parts),
    ...marketHandlers(parts),
    ...composerHandlers({ ...parts, exclusionTurns }),
    ...orderHandlers(parts),
    ...accountHandlers(parts),
    ...portfolioHandlers(parts),
    ...revenueHandlers(parts),
    ...liquidityHandlers(),
    ...requestHandlers(parts),
    ...sandboxHandlers(parts),
    ...subaccountHandlers(parts),
    ...webhookHandlers(parts),
    ...withdrawalHandlers(parts),
  };
  return delegable(parts, handlers);
}
