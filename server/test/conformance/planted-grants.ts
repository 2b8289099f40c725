// Grants, codes and tokens that are over: made in the store of a server that is not running, as time would leave them.
import { Buffer } from 'node:buffer';
import { systemRandom } from '../../src/adapters/node/random.ts';
import { requireSecrets } from '../../src/adapters/node/secrets.ts';
import { freshCode, freshTokens } from '../../src/handling/app-tokens.ts';
import type { AppRecord } from '../../src/ports/apps.ts';
import { openPlatform } from '../../src/stores/open-stores.ts';
import { app as blankApp } from '../ports/apps-suite.ts';
import { grant as blankGrant } from '../ports/grants-suite.ts';

/** Of a public client, which shows nothing but its name. */
export interface PlantedGrant {
  readonly clientId: string;
  readonly access: string;
  readonly refresh: string;
  /** Never exchanged, and too old for it. */
  readonly code: string;
}

export type PlantedGrants = Readonly<
  Record<'expired' | 'revoked' | 'disabled' | 'draft', PlantedGrant>
>;

const DAY_MS = 86_400_000;

export async function plantGrants(
  dataDir: string,
  userId: string,
  ownerId: string,
): Promise<PlantedGrants> {
  const platform = await openPlatform(dataDir);
  const makers = { random: systemRandom, secrets: requireSecrets(dataDir) };
  const nowMs = Date.now();
  const plant = async (
    name: keyof PlantedGrants,
    status: AppRecord['status'],
    atMs: number,
    untilMs: number,
  ): Promise<PlantedGrant> => {
    const widgetKey = `pk_${name.padEnd(16, '0')}_${'x'.repeat(43)}`;
    const app = blankApp(name, { ownerId, status, isPublic: true, secret: null, widgetKey });
    await platform.apps.add(app, 99);
    const grantId = `grt_planted${Buffer.from(name).toString('hex')}`;
    const times = { createdAtMs: atMs, expiresAtMs: untilMs };
    const { accounts } = (await platform.userById(userId))!;
    const held = { userId, accountId: accounts.live, appId: app.appId, dailyCap: null };
    const asked = { grantId, redirectUri: 'https://example.com/callback', challenge: 'x' };
    const code = freshCode(makers, asked, atMs - DAY_MS);
    await platform.grants.add(blankGrant(name, { grantId, ...held, ...times }), code.kept, 99);
    const first = freshCode(makers, asked, atMs);
    const tokens = freshTokens(makers, grantId, untilMs, atMs);
    const drawn = blankGrant(`${name}drawn`, { grantId: `${grantId}drawn`, ...held, ...times });
    const own = { ...first.kept, grantId: drawn.grantId };
    await platform.grants.add(drawn, own, 99);
    const kept = {
      access: { ...tokens.kept.access, grantId: drawn.grantId },
      refresh: { ...tokens.kept.refresh, grantId: drawn.grantId },
    };
    await platform.grants.exchangeCode(own.publicId, kept, untilMs, atMs);
    if (name === 'revoked') await platform.grants.end(drawn.grantId, 'user', nowMs);
    const { access, refresh } = tokens;
    return { clientId: app.appId, access, refresh, code: code.raw };
  };
  const planted = {
    expired: await plant('expired', 'approved', nowMs - DAY_MS, nowMs - 1),
    revoked: await plant('revoked', 'approved', nowMs, nowMs + DAY_MS),
    disabled: await plant('disabled', 'disabled', nowMs, nowMs + DAY_MS),
    draft: await plant('draft', 'draft', nowMs, nowMs + DAY_MS),
  };
  await platform.close();
  return planted;
}
