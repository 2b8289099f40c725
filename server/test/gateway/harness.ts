// A whole gateway over memory adapters: real lanes, real sessions and keys, examples for the rest.
import { randomBytes } from 'node:crypto';
import { type OperationId, operations, type Tier } from '@sibyl/contract';
import { DEFAULT_PARAMETERS, type Parameters } from '@sibyl/engine';
import { type Journal, Lane } from '@sibyl/lane';
import { ManualClock, MemoryJournal, type MemoryStore } from '@sibyl/lane/testing';
import type { InjectOptions, Response } from 'light-my-request';
import { MemoryMail } from '../../src/adapters/memory/mail.ts';
import { MemoryPlatformStore } from '../../src/adapters/memory/platform.ts';
import { MemoryWebhookStore } from '../../src/adapters/memory/webhooks.ts';
import { systemRandom } from '../../src/adapters/node/random.ts';
import { KeyedSecrets } from '../../src/adapters/node/secrets.ts';
import { ComplianceOffice } from '../../src/compliance/office.ts';
import { Vault } from '../../src/delivery/vault.ts';
import { keyTermsOf } from '../../src/gateway/key-terms.ts';
import { silentLog } from '../../src/gateway/log.ts';
import type { LaneName, RequestContext } from '../../src/handling/handler.ts';
import { Turns } from '../../src/handling/turns.ts';
import type { AnyHandler } from '../../src/http/bind.ts';
import { createGateway, type Gateway, type GatewayOptions } from '../../src/http/http.ts';
import { Links } from '../../src/mail/links.ts';
import { Mailer } from '../../src/mail/mailer.ts';
import { MailedLetters } from '../../src/mail/security-letters.ts';
import { healthHandlers } from '../../src/modules/health/handlers.ts';
import { keyHandlers } from '../../src/modules/keys/handlers.ts';
import { sessionHandlers } from '../../src/modules/sessions/handlers.ts';
import { OwnRecords } from '../../src/own-records.ts';
import type { Letter, Mail } from '../../src/ports/mail.ts';
import type { Passwords } from '../../src/ports/passwords.ts';
import type { PlatformStore } from '../../src/ports/platform.ts';
import type { EndpointChange, EndpointRecord, WebhookStore } from '../../src/ports/webhooks.ts';
import { signingOf } from './signing.ts';

/** 2026-11-15T12:00:00Z. */
export const NOON_MS = 1_794_744_000_000;

export interface Harness {
  readonly gateway: Gateway;
  readonly clock: ManualClock;
  readonly platform: PlatformStore;
  readonly lanes: Readonly<Partial<Record<LaneName, Lane>>>;
  readonly calls: { readonly operation: string; readonly request: RequestContext }[];
  readonly secrets: KeyedSecrets;
  readonly office: ComplianceOffice;
  readonly links: Links;
  /** Every letter so far, once none is on its way. */
  letters(): Promise<readonly Letter[]>;
  call(options: InjectOptions): Promise<Response>;
  /** A fresh user's session. */
  session(): Promise<string>;
  /** A raw key minted by a fresh or the given session. */
  key(options?: KeyOptions): Promise<string>;
  close(): Promise<void>;
}

export interface KeyOptions {
  readonly session?: string;
  readonly at?: '' | '/sandbox';
  readonly permissions?: readonly string[];
  readonly tier?: string;
}

export interface HarnessOptions extends Partial<Omit<GatewayOptions, 'handlers' | 'lanes'>> {
  readonly lanes?: readonly LaneName[];
  readonly stores?: Readonly<Record<LaneName, MemoryStore>>;
  readonly overrides?: Readonly<Partial<Record<OperationId, AnyHandler>>>;
  readonly master?: Uint8Array;
  readonly manualClock?: ManualClock;
  readonly parameters?: Parameters;
  readonly demosPerHour?: number;
  readonly sandboxKeysPerHour?: number;
  /** Null sends none. */
  readonly mail?: Mail | null;
  /** Where webhooks are kept, for those who serve them. */
  readonly webhooks?: WebhookStore;
  /** Whose keys may sign. */
  readonly signingTiers?: readonly Tier[];
  /** Of all lanes; one of its own for each otherwise. */
  readonly journal?: Journal;
}

export async function openHarness(options: HarnessOptions = {}): Promise<Harness> {
  const {
    lanes: names = ['live', 'sandbox'],
    stores,
    overrides,
    master,
    demosPerHour,
    sandboxKeysPerHour = 1000,
    mail: carrier,
    webhooks = new MemoryWebhookStore(),
    ...rest
  } = options;
  // Where the gateway goes by a clock of its own, sessions begin by it as well, or they would end at a set day.
  const clock = options.manualClock ?? new ManualClock(options.clock?.wallMs() ?? NOON_MS);
  const platform = options.platform ?? new MemoryPlatformStore();
  const secrets = new KeyedSecrets(master ?? randomBytes(32));
  const lanes: Partial<Record<LaneName, Lane>> = {};
  for (const name of names) {
    const journal = options.journal ?? new MemoryJournal(stores?.[name]);
    lanes[name] = await Lane.open({
      name,
      parameters: options.parameters ?? DEFAULT_PARAMETERS,
      journal,
      snapshots: null,
      clock,
    });
  }
  const calls: Harness['calls'][number][] = [];
  const base = { platform, secrets, clock, random: options.random ?? systemRandom };
  const office = await ComplianceOffice.open({ ...base, lanes });
  const pile = new MemoryMail();
  const failed = (): void => undefined;
  const mailing = { mail: carrier ?? pile, letters: platform.letters, failed };
  const sealing = { vault: new Vault(secrets, systemRandom, 'letters 1'), random: systemRandom };
  const mailer = carrier === null ? null : new Mailer({ ...mailing, ...sealing, clock });
  const links = new Links({ ...base, origin: 'https://sibyl.example', mailer });
  const signing = signingOf(platform, secrets, options.signingTiers, base.random);
  const parts = { ...base, office, links };
  const remove = async ({ webhookId }: EndpointRecord): Promise<void> => {
    await webhooks.removeEndpoint(webhookId);
  };
  const change = (id: string, wanted: EndpointChange) => webhooks.changeEndpoint(id, wanted);
  const opened: { gateway: Gateway | null } = { gateway: null };
  const authenticator = (): Gateway['authenticator'] => opened.gateway!.authenticator;
  const handlers: Record<string, AnyHandler> = {
    ...exampleHandlers(),
    ...healthHandlers({ clock, version: '0.0.0-test' }),
    ...sessionHandlers({
      ...parts,
      passwords: quickPasswords,
      records: new OwnRecords({ ...base, delivery: { store: webhooks, remove, change } }),
      destinationDelayMs: 86_400_000,
      letters: new MailedLetters({ platform, clock, mailer }),
      closingTurns: new Turns(),
      flushUses: () => authenticator().flush(),
      vault: new Vault(secrets, systemRandom, 'authenticator seeds 1'),
      publicUrl: options.publicUrl ?? null,
      demosPerHour: demosPerHour ?? 1000,
      identify: (token) => authenticator().identifyToken(token),
    }),
    ...keyHandlers({
      ...parts,
      signing,
      tierBook: keyTermsOf(parts.platform),
      webhooks: {
        store: webhooks,
        remove: async ({ webhookId }) => void (await webhooks.removeEndpoint(webhookId)),
      },
      publicUrl: options.publicUrl ?? null,
      allowedOrigins: options.allowedOrigins ?? [],
      sandboxKeysPerHour,
      flushUses: () => authenticator().flush(),
    }),
    ...overrides,
  };
  const gateway = await createGateway({
    operations,
    handlers: recorded(handlers, calls),
    lanes,
    ...parts,
    screening: office,
    signing,
    log: silentLog,
    ...rest,
  });
  opened.gateway = gateway;
  const call = (request: InjectOptions): Promise<Response> => gateway.app.inject(request);
  return {
    gateway,
    clock,
    platform,
    lanes,
    calls,
    secrets,
    office,
    links,
    async letters() {
      await mailer?.settled();
      return pile.letters;
    },
    call,
    session: () => openSession(call),
    key: (wanted) => openKey(call, platform, wanted ?? {}),
    async close() {
      await gateway.close();
      await mailer?.close();
      for (const lane of Object.values(lanes)) await lane.close();
    },
  };
}

export function bearer(token: string): { authorization: string } {
  return { authorization: `Bearer ${token}` };
}

let people = 0;
/** Of everybody whose session the harness opens. */
export const STRANGERS_PASSWORD = 'long enough 12';

async function openSession(call: Harness['call']): Promise<string> {
  people += 1;
  const response = await call({
    method: 'POST',
    url: '/api/auth/register',
    payload: { email: `person${people}@example.com`, password: STRANGERS_PASSWORD },
    // One address may not register so many.
    remoteAddress: `10.9.${people >> 8}.${people & 255}`,
  });
  return response.json().data.session_token;
}

async function openKey(
  call: Harness['call'],
  platform: PlatformStore,
  { session, at = '', permissions = ['read', 'trade'], tier }: KeyOptions,
): Promise<string> {
  const token = session ?? (await openSession(call));
  const response = await call({
    method: 'POST',
    url: `${at}/v1/keys`,
    headers: bearer(token),
    payload: { permissions },
  });
  const { key_id: rawKey, public_id: publicId } = response.json().data;
  if (tier !== undefined) {
    await platform.setKeyTier(publicId, tier, { actor: 'test', reason: 'test', atMs: 0 });
  }
  return rawKey;
}

/** Operations of other modules answer with the example of the contract. */
function exampleHandlers(): Record<string, AnyHandler> {
  const entries = Object.values(operations).map(({ id, example }) => [
    id,
    async () => ({ data: example.data }),
  ]);
  return Object.fromEntries(entries);
}

function recorded(
  handlers: Record<string, AnyHandler>,
  calls: Harness['calls'][number][],
): Record<string, AnyHandler> {
  const entries = Object.entries(handlers).map(([operation, handler]): [string, AnyHandler] => [
    operation,
    (request, input) => {
      calls.push({ operation, request });
      return handler(request, input);
    },
  ]);
  return Object.fromEntries(entries);
}

/** No slow hash: what is tested here is what happens around it. */
export const quickPasswords: Passwords = {
  hash: async (password) => `hash of ${password}`,
  verify: async (hash, password) => hash === `hash of ${password}`,
  judge: async (password) =>
    password.includes('password') ? { isStrong: false, reason: 'common' } : { isStrong: true },
  close: async () => undefined,
};
