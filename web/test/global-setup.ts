// Builds the pages and starts one exchange for all journeys; each journey has people of its own, each thread a browser. Tests of
// other parts need not wait for them: they begin beside, and the journeys wait.
import { appendFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { buildSite } from '../../scripts/build-site.mjs';
import { prepareChromium } from '../../server/test/browser/chromium.ts';
import { Mailbox } from '../../server/test/mailbox.ts';
import { startSeeded } from '../../server/test/seeded-sandbox.ts';
import { temporaryFolder } from '../../server/test/server-process.ts';
import type { Opened } from './opened.ts';

export default function setUp(project: TestProject): () => Promise<void> {
  buildSite(process.execPath);
  const data = temporaryFolder();
  const place = temporaryFolder();
  const letters = temporaryFolder();
  const file = path.join(place.folder, 'opened.json');
  const opening = open(data.folder, letters.folder).then(
    (parts) => {
      tell(file, parts.opened);
      return parts;
    },
    (error: unknown) => tell(file, { failure: String(error) }),
  );
  project.provide('openedFile', file);
  return async () => {
    const parts = await opening;
    await parts?.server.stop();
    await parts?.mailbox.close();
    letters.remove();
    data.remove();
    place.remove();
  };
}

const OPERATOR_TOKEN = 'op_token_of_the_tests_of_pages_0001';

/** Letters lie in the folder, a file for each receiver: journeys are in threads of their own. */
async function open(dataDir: string, letters: string) {
  const mailbox = await Mailbox.open((to, text) => appendFileSync(path.join(letters, to), text));
  const starting = startSeeded({
    dataDir,
    environment: {
      LANES: 'both',
      OPERATOR_TOKEN,
      OPERATOR_MFA: 'required',
      SEED_LIVE: 'demo',
      RATE_MULTIPLIER: '50',
      TRUSTED_PROXIES: '127.0.0.1,::1',
      WEBHOOK_ALLOW: '127.0.0.0/8',
      SMTP_URL: mailbox.url,
      MAIL_FROM: 'no-reply@sibyl.example',
    },
  });
  const [server] = await Promise.all([starting, prepareChromium()]);
  const { baseUrl, adminUrl, operatorPassword } = server;
  if (operatorPassword === null) throw new Error('the first start named no operator');
  return {
    server,
    mailbox,
    opened: { baseUrl, adminUrl, operatorToken: OPERATOR_TOKEN, operatorPassword, letters },
  };
}

/** Whoever finds the file finds all of it. */
function tell(file: string, outcome: Opened | { readonly failure: string }): void {
  writeFileSync(`${file}.draft`, JSON.stringify(outcome));
  renameSync(`${file}.draft`, file);
}

declare module 'vitest' {
  interface ProvidedContext {
    openedFile: string;
  }
}
