// Mail and the links in it, put together from the settings.
import type { LaneName } from '@sibyl/engine';
import type { Clock, Lane } from '@sibyl/lane';
import { Vault } from './delivery/vault.ts';
import { errorFields, type Log } from './gateway/log.ts';
import { Links } from './mail/links.ts';
import { Mailer } from './mail/mailer.ts';
import { OperatorMail } from './mail/operator-mail.ts';
import { MailedLetters } from './mail/security-letters.ts';
import type { Parts } from './parts.ts';
import type { Payout } from './ports/custody.ts';
import type { Mail } from './ports/mail.ts';
import type { OperatorStore } from './ports/operators.ts';
import type { PlatformStore } from './ports/platform.ts';
import type { Random } from './ports/random.ts';
import type { Secrets } from './ports/secrets.ts';
import type { Config } from './settings/config.ts';

interface MailParts {
  readonly platform: PlatformStore;
  readonly operators: Pick<OperatorStore, 'approvals' | 'operators'>;
  readonly lanes: Readonly<Partial<Record<LaneName, Lane>>>;
  readonly secrets: Secrets;
  readonly random: Random;
  readonly clock: Clock;
  readonly log: Log;
}

export interface OpenMail {
  readonly links: Links;
  readonly letters: MailedLetters;
  /** Null where no mail is sent. */
  readonly mailer: Mailer | null;
  /** To be called when an act begins to wait for operators. */
  readonly announced: () => void;
  /** To be called when a payout may be made by hand. */
  readonly payoutDue: (payout: Payout) => void;
}

/** Closed after whoever sends mail has stopped. */
export function openMail(
  config: Config,
  mail: Mail | null,
  { log, operators, lanes, ...given }: MailParts,
  parts: Parts,
): OpenMail {
  const { publicUrl, port, operatorMail: addresses } = config;
  const origin = publicUrl ?? `http://localhost:${port}`;
  if (mail === null) {
    const links = new Links({ ...given, origin, mailer: null });
    const letters = new MailedLetters({ ...given, mailer: null });
    return { links, letters, mailer: null, announced: () => undefined, payoutDue: () => undefined };
  }
  const { platform, secrets, random, clock } = given;
  const failed = (message: string, error: unknown): void =>
    log.write('warn', message, { error: errorFields(error) });
  const mailer = new Mailer({
    mail,
    letters: platform.letters,
    random,
    clock,
    failed,
    vault: new Vault(secrets, random, 'letters 1'),
  });
  parts.add(mailer, (open) => open.close());
  mailer.wake();
  const told = { operators, lanes, platform, clock };
  const toOperators = new OperatorMail({ mail, addresses, failed, ...told });
  parts.add(toOperators, (open) => open.close());
  toOperators.wake();
  const links = new Links({ ...given, origin, mailer });
  const letters = new MailedLetters({ ...given, mailer });
  return { links, letters, mailer, announced: toOperators.wake, payoutDue: toOperators.payoutDue };
}
