// Apps that users of the suite connect: one that everybody may, and for each request a consent of its own.
import { createHash, randomBytes } from 'node:crypto';
import { scopes } from '@sibyl/contract';
import { appBody, approvedBuilder } from './builder-scene.ts';
import type { Scene } from './scene.ts';
import type { Call, Person, World } from './world.ts';

export const CALLBACK = 'https://example.com/callback';

export interface ConnectedApp {
  readonly client_id: string;
  readonly client_secret: string;
  /** Whose it is. */
  readonly session: string;
}

const apps = new WeakMap<World, Promise<ConnectedApp>>();

/** One that is approved, with all scopes, for all of the suite. */
export function approvedApp(world: World): Promise<ConnectedApp> {
  const known = apps.get(world) ?? makeApp(world);
  apps.set(world, known);
  return known;
}

async function makeApp(world: World): Promise<ConnectedApp> {
  const { session } = await approvedBuilder(world);
  const body = { ...appBody(world), allowed_scopes: Object.keys(scopes), submit: true };
  const made = await world.data('createApp', { token: session, body });
  const params = { app_id: String(made.app_id) };
  const verified_name = world.fresh('Connected Ltd ');
  const approval = { reason: 'conformance', verified_name, fee_cap_bps: 50 };
  await world.data('approveApp', { params, body: approval });
  return { client_id: params.app_id, client_secret: String(made.client_secret), session };
}

/** A user may have only so many that hold. */
const GRANTS_MANY = 50;

async function makeRoom(world: World, token: string): Promise<void> {
  const query = { status: 'active', limit: '500' };
  const all = await world.list('listGrants', { token, query });
  if (all.length < GRANTS_MANY) return;
  const held = all.filter(({ kind }) => kind === 'oauth');
  for (const { grant_id: id } of held) {
    await world.data('revokeGrant', { token, params: { grant_id: String(id) } });
  }
}

export async function grantBody(world: World, verifier = newVerifier()) {
  const { client_id } = await approvedApp(world);
  return {
    ...{ kind: 'oauth', client_id, redirect_uri: CALLBACK, scopes: ['account:read'] },
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
  };
}

const newVerifier = (): string => randomBytes(32).toString('base64url');

/** A code of the person's, as the app would exchange it. */
export async function redeemable(world: World, token: string): Promise<Record<string, string>> {
  await makeRoom(world, token);
  const code_verifier = newVerifier();
  const body = await grantBody(world, code_verifier);
  const { code } = await world.data('createGrant', { token, body });
  const { client_id, client_secret } = await approvedApp(world);
  const grant_type = 'authorization_code';
  const asked = { grant_type, code: String(code), redirect_uri: CALLBACK, code_verifier };
  return { ...asked, client_id, client_secret };
}

/** A refresh token of the person's, as the app would use it. */
export async function renewable(world: World, token: string): Promise<Record<string, string>> {
  const { client_id = '', client_secret = '', ...rest } = await redeemable(world, token);
  const body = { ...rest, client_id, client_secret };
  const { refresh_token } = await world.data('exchangeToken', { token: null, body });
  const grant_type = 'refresh_token';
  return { grant_type, refresh_token: String(refresh_token), client_id, client_secret };
}

async function givenGrant(world: World, token: string): Promise<string> {
  await makeRoom(world, token);
  const { grant_id: id } = await world.data('createGrant', { token, body: await grantBody(world) });
  return String(id);
}

type Builder = (scene: Scene, owner: Person) => Promise<Call>;

export const connectRequests: Readonly<Record<string, Builder>> = {
  exchangeToken: async ({ world }, { session }) => ({
    token: null,
    body: await redeemable(world, session),
  }),
  revokeToken: async ({ world }, { session }) => {
    const { refresh_token: token, client_id, client_secret } = await renewable(world, session);
    return { token: null, body: { token, client_id, client_secret } };
  },
  listGrants: async ({ world }, { session: token }) => {
    const held = await world.list('listGrants', { token, query: { limit: '2' } });
    for (let count = held.length; count < 2; count += 1) await givenGrant(world, token);
    return { token, query: { limit: '1' } };
  },
  createGrant: async ({ world }, { session: token }) => {
    await makeRoom(world, token);
    return { token, body: await grantBody(world) };
  },
  revokeGrant: async ({ world }, { session: token }) => ({
    token,
    params: { grant_id: await givenGrant(world, token) },
  }),
};
