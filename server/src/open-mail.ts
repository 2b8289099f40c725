// Mail and the links in it, put together from the settings.
import type { Clock } from '@sibyl/lane';
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

/** Closed after whoever sends mail has stopped. */
export function openLinks(
  { publicUrl, port }: Config,
  mail: Mail | null,
  { log, ...given }: MailParts,
  parts: Parts,
): Links {
  const origin = publicUrl ?? `http://localhost:${port}`;
  if (mail === null) return new Links({ ...given, origin, mailer: null });
  const mailer = new Mailer({
    mail,
    clock: given.clock,
    failed: (message, error) => log.write('warn', message, { error: errorFields(error) }),
  });
  return new Links({ ...given, origin, mailer: parts.add(mailer, (open) => open.close()) });
}
