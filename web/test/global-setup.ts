// Builds the pages and starts one exchange and one browser for all journeys; each journey has people of its own.

import type { TestProject } from 'vitest/node';
import { buildSite } from '../../scripts/build-site.mjs';
import { launchSharedChromium } from '../../server/test/browser/chromium.ts';
import { startSeeded } from '../../server/test/seeded-sandbox.ts';
import { temporaryFolder } from '../../server/test/server-process.ts';

export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  buildSite(process.execPath);
  const data = temporaryFolder();
  const [server, browser] = await Promise.all([
    startSeeded({
      dataDir: data.folder,
      environment: {
        LANES: 'both',
        SEED_LIVE: 'demo',
        RATE_MULTIPLIER: '50',
        WEBHOOK_ALLOW: '127.0.0.0/8',
      },
    }),
    launchSharedChromium(),
  ]);
  project.provide('baseUrl', server.baseUrl);
  project.provide('adminUrl', server.adminUrl);
  project.provide('operatorToken', server.operatorToken ?? '');
  project.provide('browserUrl', browser.wsEndpoint());
  return async () => {
    await browser.close();
    await server.stop();
    data.remove();
  };
}

declare module 'vitest' {
  interface ProvidedContext {
    baseUrl: string;
    adminUrl: string;
    operatorToken: string;
    browserUrl: string;
  }
}
