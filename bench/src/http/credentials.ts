// Users of the workload, each with what a request can show: a key, a secret to sign with, and the token of an app.
import { systemClock } from '@sibyl/lane';
import { systemRandom } from '../../../server/src/adapters/node/random.ts';
import { openSecrets } from '../../../server/src/adapters/node/secrets.ts';
import { freshTokens, signedGrant } from '../../../server/src/handling/app-tokens.ts';
import { freshKey } from '../../../server/src/modules/keys/key.ts';
import type { AppRecord } from '../../../server/src/ports/apps.ts';
import type { PlatformStore } from '../../../server/src/ports/platform.ts';
import type { SigningSecrets } from '../../../server/src/signing/signing-secrets.ts';
import { openSigning } from '../../../server/src/stores/open-signing.ts';
import { openPlatform } from '../../../server/src/stores/open-stores.ts';
import { ACCOUNTS, type Roster, type Signer } from './orders.ts';

const TIER = 'trade_full';
const DAY_MS = 86_400_000;

export function accountName(number: number): string {
  return `acc_bench${number}`;
}

export async function makeCredentials(dataDir: string): Promise<Omit<Roster, 'markets'>> {
  const platform = await openPlatform(dataDir);
  const secrets = openSecrets(dataDir, systemRandom);
  const settings = { dataDir, signingTiers: [] };
  const signing = await openSigning(settings, { platform, secrets, opened: {} });
  const made = { tokens: [] as string[], appTokens: [] as string[], signers: [] as Signer[] };
  for (let number = 0; number < ACCOUNTS; number += 1) {
    const user = await addUser(platform, number);
    const minted = freshKey(
      { random: systemRandom, secrets, clock: systemClock },
      {
        prefix: 'sk_live',
        holderId: user.userId,
        label: 'bench',
        mintedAt: 'live',
        permissions: ['read', 'trade'],
        tier: TIER,
        allowedNetworks: [],
        expiresAtMs: null,
        mintedBy: null,
        isSteppedUp: false,
        ...user,
      },
    );
    await platform.addKey(minted.record);
    made.tokens.push(minted.rawKey);
    made.signers.push(await signerOf(platform, signing, minted.record.publicId));
    if (number === 0) await platform.apps.add(appOf(user.userId), 1);
    made.appTokens.push(await connect(platform, secrets, user));
  }
  await platform.close();
  return made;
}

interface User {
  readonly userId: string;
  readonly accounts: { readonly live: string; readonly sandbox: string };
}

async function addUser(platform: PlatformStore, number: number): Promise<User> {
  const userId = `usr_bench${number}`;
  const accounts = { live: accountName(number), sandbox: `${accountName(number)}_sandbox` };
  await platform.addUser({
    userId,
    email: `${userId}@example.org`,
    passwordHash: '',
    displayName: null,
    referralCode: userId,
    referrerId: null,
    tier: TIER,
    rateMultiplier: 1,
    isDemo: false,
    accounts,
    createdAtMs: systemClock.wallMs(),
  });
  return { userId, accounts };
}

async function signerOf(
  { signing: store }: PlatformStore,
  signing: SigningSecrets,
  keyId: string,
): Promise<Signer> {
  const drawn = signing.draw();
  const nowMs = systemClock.wallMs();
  await store.enable(keyId, true, nowMs);
  await signing.keep(keyId, drawn, nowMs);
  return { keyId, secret: drawn.secret };
}

/** A consent and its tokens, as an exchange of a code leaves them, but good for the whole day. */
async function connect(
  { grants }: PlatformStore,
  secrets: ReturnType<typeof openSecrets>,
  { userId, accounts }: User,
): Promise<string> {
  const nowMs = systemClock.wallMs();
  const expiresAtMs = nowMs + DAY_MS;
  const grantId = `grt_${systemRandom.token(16)}`;
  const grant = signedGrant(
    secrets,
    {
      grantId,
      kind: 'oauth',
      userId,
      accountId: accounts.live,
      lane: 'live',
      appId: APP_ID,
      partnerId: null,
      scopes: ['orders:trade'],
      dailyCap: null,
      feeCapBps: 0,
      createdAtMs: nowMs,
      expiresAtMs,
      revokedAtMs: null,
      revokedFor: null,
      lastUsedAtMs: null,
    },
    expiresAtMs,
  );
  const codeId = `oac_${systemRandom.token(16)}`;
  await grants.add(
    grant,
    {
      publicId: codeId,
      salt: '',
      hash: '',
      grantId,
      redirectUri: '',
      challenge: '',
      createdAtMs: nowMs,
      expiresAtMs,
      consumedAtMs: null,
    },
    1,
  );
  const { kept, access } = freshTokens(
    { random: systemRandom, secrets },
    grantId,
    expiresAtMs,
    nowMs,
  );
  const lasting = { ...kept, access: { ...kept.access, expiresAtMs } };
  await grants.exchangeCode(codeId, lasting, expiresAtMs, nowMs);
  return access;
}

const APP_ID = 'app_bench00000000000';

function appOf(ownerId: string): AppRecord {
  const nowMs = systemClock.wallMs();
  return {
    appId: APP_ID,
    ownerId,
    name: 'bench',
    verifiedName: 'bench',
    isPublic: true,
    redirectUris: [],
    allowedOrigins: [],
    allowedScopes: ['orders:trade'],
    builderFeeBps: 0,
    feeCapBps: 0,
    widgetKey: 'pk_bench',
    status: 'approved',
    disabledBy: null,
    reviewNote: null,
    secret: null,
    previousSecret: null,
    rotatedAtMs: null,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
    submittedAtMs: null,
  };
}
