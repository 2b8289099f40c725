// The settings that the suite starts its servers with.
import { boot, readConfig, type Server, silentLog } from '@sibyl/server';
import type { Mailbox } from '../mailbox.ts';

export const PASSWORD = 'plum otter ladder 47 quay';
export const OPERATOR_TOKEN = 'op_conformance_suite_token_0001';

export function environmentOf(dataDir: string): Readonly<Record<string, string>> {
  return {
    PORT: '0',
    ADMIN_PORT: '0',
    DATA_DIR: dataDir,
    BOTS: 'off',
    // Disputes need markets of the live lane.
    SEED_LIVE: 'demo',
    RATE_MULTIPLIER: '0',
    // What is added is used in the next request.
    DESTINATION_DELAY_HOURS: '0',
    // Scenes begin with money that nobody has to agree to; what is to wait is more than all of that.
    DEPOSIT_APPROVAL_ABOVE: '1000000000',
    OPERATOR_TOKEN,
    // The story before the suite had a custody that is gone.
    CUSTODY_WAS: 'gone',
    // Nothing listens there: deliveries stay on this machine, and fail.
    WEBHOOK_ALLOW: '127.0.0.1:9',
    // The suite comes from many addresses over one machine.
    TRUSTED_PROXIES: '127.0.0.1',
  };
}

/** Passwords cost less to hash than anywhere else: the suite sends a thousand, which would take a third of its time. */
export function serve(
  environment: Readonly<Record<string, string>>,
  dataDir: string,
): Promise<Server> {
  const passwordCost = { memoryKib: 64, passes: 1 };
  return boot(readConfig(environment, dataDir), silentLog, { passwordCost });
}

/** Letters go to a server of mail that lets the suite read them. */
export function mailedTo({ url }: Mailbox): Readonly<Record<string, string>> {
  return { SMTP_URL: url, MAIL_FROM: 'no-reply@sibyl.example' };
}
