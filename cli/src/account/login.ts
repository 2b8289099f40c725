// sibyl login, logout and whoami: a session or a key, kept on this machine for its owner alone.

import { createClient, type SibylClient, SibylError, StepUpMfaRequiredError } from '@sibyl/sdk';
import type { Command } from 'commander';
import { exitCodes } from '../exit.ts';
import { Unusable } from '../run.ts';
import { askSecrets, SecretLines } from '../secrets.ts';
import { amountText } from '../table.ts';
import type { Terminal } from '../terminal.ts';
import { wordsOf } from '../words.ts';
import {
  credentialsFile,
  isTestKey,
  type SavedCredential,
  saveCredential,
  savedCredential,
} from './credentials.ts';
import { publicPart } from './key-id.ts';
import {
  addressOf,
  connectionOf,
  holderOf,
  type ServerOptions,
  serve,
  withExamples,
  withServer,
} from './server.ts';

interface LoginOptions extends ServerOptions {
  readonly key?: boolean;
}

export function addLogin(program: Command): void {
  withExamples(
    withServer(program.command('login [email]'))
      .description(
        'sign in with your password, and a code if you have a second factor; or with a key',
      )
      .option('--key', 'sign in with an API key instead, which is asked for'),
    'sibyl login ada@example.com',
    'sibyl login ada@example.com --sandbox        # and trade play money unless told otherwise',
    'sibyl login --key < key.txt                  # a line of standard input, never an argument',
  ).action((email: string | undefined, options: LoginOptions) =>
    serve(options, (terminal) => signIn(terminal, email, options)),
  );
  withExamples(
    withServer(program.command('logout')).description('end the session, and forget it here'),
    'sibyl logout',
  ).action((options: ServerOptions) => serve(options, (terminal) => signOut(terminal, options)));
  withExamples(
    withServer(program.command('whoami')).description(
      'who is signed in, where, and what they may do',
    ),
    'sibyl whoami',
    'sibyl whoami --json | jq -r .account_id',
  ).action((options: ServerOptions) => serve(options, (terminal) => whoAmI(terminal, options)));
}

async function signIn(
  terminal: Terminal,
  email: string | undefined,
  options: LoginOptions,
): Promise<number> {
  const { url } = options;
  if (options.key !== true && email === undefined) {
    throw new Unusable('say who signs in: sibyl login EMAIL, or sibyl login --key');
  }
  const credential =
    options.key === true
      ? await askKey(options)
      : {
          token: await openSession(visitorAt(url, options.sandbox === true), email ?? ''),
          name: email ?? '',
          isSandbox: options.sandbox === true,
        };
  saveCredential(url, credential);
  const { name, isSandbox } = credential;
  terminal.result({ signed_in: true, name, url, sandbox: isSandbox }, [
    `${name} is signed in at ${addressOf(url, isSandbox)}; the credential is in ${credentialsFile()}`,
  ]);
  return exitCodes.done;
}

/** A key that opens nothing is not kept. Its lane is the one that it trades in, at whichever address it was tried. */
async function askKey({ url, sandbox }: LoginOptions): Promise<SavedCredential> {
  const [typed = ''] = await askSecrets(['key']);
  const token = typed.trim();
  const visitor = visitorAt(url, sandbox === true || isTestKey(token));
  const { mode } = await visitor.withToken(token).account.get();
  return { token, name: publicPart(token) ?? 'a key', isSandbox: mode === 'sandbox' };
}

function visitorAt(url: string, isSandbox: boolean): SibylClient {
  return createClient({ baseUrl: addressOf(url, isSandbox) });
}

/** While the email is guessed at, a sign-in waits for its turn. */
const PATIENCE = { timeoutMs: 40_000 };

async function openSession(visitor: SibylClient, email: string): Promise<string> {
  const lines = new SecretLines();
  const password = await lines.next('password');
  const open = async (code: { readonly otp?: string; readonly recovery_code?: string }) =>
    (await visitor.sessions.logIn({ email, password, ...code }, PATIENCE)).session_token;
  try {
    return await open({});
  } catch (error) {
    // Nobody knows whether a code is needed before the password was found to be right.
    if (!(error instanceof StepUpMfaRequiredError)) throw error;
    const code = (await lines.next('code_of_your_authenticator_or_recovery_code')).trim();
    return await open(/^[0-9]{6}$/.test(code) ? { otp: code } : { recovery_code: code });
  } finally {
    lines.close();
  }
}

async function signOut(terminal: Terminal, options: ServerOptions): Promise<number> {
  const saved = savedCredential(options.url);
  if (saved === null) throw new Unusable(`nobody is signed in at ${options.url}`);
  try {
    // A key goes on elsewhere: keys revoke ends one.
    if (saved.token.startsWith('ses_')) {
      await createClient({ baseUrl: options.url, token: saved.token }).sessions.logOut();
    }
  } catch (error) {
    // To sign out of what is over is to be signed out.
    if (!(error instanceof SibylError) || error.status !== 401) throw error;
  }
  saveCredential(options.url, null);
  terminal.result({ signed_out: true }, [`${saved.name} is signed out`]);
  return exitCodes.done;
}

async function whoAmI(terminal: Terminal, options: ServerOptions): Promise<number> {
  const account = await holderOf(options).account.get();
  const { baseUrl } = connectionOf(options);
  const signedIn = process.env.SIBYL_TOKEN?.trim()
    ? 'SIBYL_TOKEN'
    : (savedCredential(options.url)?.name ?? '');
  const balance = `${amountText(account.balance_free)} ${account.asset}, ${amountText(account.balance_reserved)} reserved`;
  terminal.result(
    account,
    wordsOf({
      signed_in_as: signedIn,
      server: baseUrl,
      user_id: account.user_id,
      account_id: account.account_id,
      mode: account.mode,
      tier: account.tier,
      may: account.permissions,
      balance,
      stopped_by: account.restrictions,
    }),
  );
  return exitCodes.done;
}
