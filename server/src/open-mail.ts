// Mail and the links in it, put together from the settings.
import type { Clock } from '@sibyl/lane';
import { Vault } from './delivery/vault.ts';
import { errorFields, type Log } from './gateway/log.ts';
import { Links } from './mail/links.ts';
import { Mailer } from './mail/mailer.ts';
import type { Parts } from './parts.ts';
import type { Mail } from './ports/mail.ts';
import type { PlatformStore } from './ports/platform.ts';
import type { Random } from './ports/random.ts';
import type { Secrets } from './ports/secrets.ts';
import type { Config } from './settings/config.ts';

interface MailParts {
  readonly platform: PlatformStore;
  readonly secrets: Secrets;
  readonly random: Random;
  readonly clock: Clock;
  readonly log: Log;
}

export interface OpenMail {
  readonly links: Links;
  /** Null where no mail is sent. */
  readonly mailer: Mailer | null;
}

/** Closed after whoever sends mail has stopped. */
export function openMail(
  { publicUrl, port }: Config,
  mail: Mail | null,
  { log, ...given }: MailParts,
  parts: Parts,
): OpenMail {
  const origin = publicUrl ?? `http://localhost:${port}`;
  if (mail === null) return { links: new Links({ ...given, origin, mailer: null }), mailer: null };
  const { platform, secrets, random, clock } = given;
  const mailer = new Mailer({
    ...{ mail, letters: platform.letters, random, clock },
    vault: new Vault(secrets, random, 'letters 1'),
    failed: (message, error) => log.write('warn', message, { error: errorFields(error) }),
  });
  parts.add(mailer, (open) => open.close());
  mailer.wake();
  return { links: new Links({ ...given, origin, mailer }), mailer };
}
