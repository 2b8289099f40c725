// What a browser does with passkeys, between the exchange that asks and the exchange that believes.
import type { SibylClient } from '@sibyl/sdk';

type Creation = Parameters<
  typeof import('@simplewebauthn/browser').startRegistration
>[0]['optionsJSON'];
type Proof = Parameters<
  typeof import('@simplewebauthn/browser').startAuthentication
>[0]['optionsJSON'];

/** Loaded when somebody uses one. */
const library = () => import('@simplewebauthn/browser');

export function hasPasskeys(): boolean {
  return typeof PublicKeyCredential === 'function';
}

/** Has the browser make one. */
export async function makePasskey(client: SibylClient): Promise<Record<string, unknown>> {
  const { options } = await client.passkeys.begin();
  const { startRegistration } = await library();
  return { ...(await startRegistration({ optionsJSON: options as unknown as Creation })) };
}

/** Has the browser ask for one that it knows of. */
export async function askForPasskey(client: SibylClient): Promise<Record<string, unknown>> {
  const { options } = await client.passkeys.ask();
  const { startAuthentication } = await library();
  return { ...(await startAuthentication({ optionsJSON: options as unknown as Proof })) };
}

/** Whoever closes the window of the browser has changed their mind, and is told nothing. */
export function isChangeOfMind(error: unknown): boolean {
  return error instanceof Error && ['NotAllowedError', 'AbortError'].includes(error.name);
}
