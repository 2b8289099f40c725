// Asks the operator plane to let the sandbox deliver to a port of this machine for as long as a command runs.

import { operatorOperations } from '@sibyl/contract';
import { SibylConnectionError, SibylError, settingsOf, Transport } from '@sibyl/sdk';
import { adminUrl, knownToken } from '../commands/admin-operation.ts';

export interface LocalReceiver {
  /** Ends what was allowed. */
  end(): Promise<void>;
}

/** What is not renewed, because this program was killed, ends after this time. */
const TTL_SEC = 60;
const RENEW_EVERY_MS = 20_000;

/** Null if nobody is signed in as an operator here, or the operator plane refuses; the latter is said. */
export async function allowLocalReceiver(
  accountId: string,
  port: number,
): Promise<LocalReceiver | null> {
  const baseUrl = process.env.SIBYL_ADMIN_URL?.trim() || adminUrl();
  const token = knownToken(baseUrl);
  if (token === null) return null;
  const transport = new Transport(settingsOf({ baseUrl, token }));
  const { method, path } = operatorOperations.allowLocalReceiver;
  const ask = async (ttlSec: number): Promise<boolean> => {
    const receiver = { account_id: accountId, address: '127.0.0.1', port };
    const body = { reason: 'sibyl webhooks listen', ...receiver, ttl_sec: ttlSec };
    try {
      await transport.send({ method, path, body, keyed: false, repeatable: true });
      return true;
    } catch (error) {
      if (!(error instanceof SibylError || error instanceof SibylConnectionError)) throw error;
      process.stderr.write(`the operator plane at ${baseUrl} did not allow it: ${error.message}\n`);
      return false;
    }
  };
  if (!(await ask(TTL_SEC))) return null;
  const timer = setInterval(() => void ask(TTL_SEC), RENEW_EVERY_MS);
  return {
    async end() {
      clearInterval(timer);
      await ask(0);
    },
  };
}
