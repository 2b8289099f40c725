// sibyl admin for people: sign in and out, confirm, and shorter names for operators, the queue and the trail.

import { operatorOperations } from '@sibyl/contract';
import {
  AuthInvalidError,
  SibylConnectionError,
  StepUpMfaRequiredError,
  settingsOf,
  Transport,
} from '@sibyl/sdk';
import type { Command } from 'commander';
import { exitCodes } from '../exit.ts';
import { run, Unusable, type Work } from '../run.ts';
import { askSecrets, typedAtTerminal } from '../secrets.ts';
import { isRecord, wordsOf } from '../words.ts';
import { addOperation, adminUrl, adviceFor, tokenFor, urlOption } from './admin-operation.ts';
import { savedSession, saveSession } from './operator-session.ts';

interface PeopleOptions {
  readonly url?: string;
  readonly json?: boolean;
}

/** A code that was given on the command line, for scripts. */
interface CodeOptions extends PeopleOptions {
  readonly otp?: string;
  readonly recoveryCode?: string;
}

type Code = { readonly otp: string } | { readonly recovery_code: string };

/** Which operation stands behind which shorter name. */
const GROUPS = {
  operators: {
    list: 'listOperators',
    add: 'addOperator',
    roles: 'setOperatorRoles',
    user: 'setOperatorUser',
    disable: 'disableOperator',
    'reset-factor': 'resetOperatorFactor',
  },
  factor: {
    show: 'getOperatorFactor',
    enrol: 'enrolOperatorTotp',
    confirm: 'confirmOperatorTotp',
    remove: 'removeOperatorTotp',
    'recovery-codes': 'renewOperatorRecoveryCodes',
  },
  queue: {
    list: 'listApprovals',
    show: 'getApproval',
    approve: 'approveAct',
    reject: 'rejectAct',
  },
  withdrawals: {
    list: 'findWithdrawals',
    show: 'inspectWithdrawal',
    approve: 'approveWithdrawal',
    reject: 'rejectWithdrawal',
    take: 'takeWithdrawal',
    paid: 'markWithdrawalPaid',
  },
  builders: {
    list: 'findBuilders',
    approve: 'approveBuilder',
    reject: 'rejectBuilder',
    'load-test': 'setLoadTest',
  },
  apps: {
    list: 'findApps',
    approve: 'approveApp',
    reject: 'rejectApp',
    disable: 'disableApp',
    enable: 'enableApp',
  },
  backups: { list: 'listBackups', create: 'createBackup' },
  trail: { list: 'listTrail' },
} as const;

export function addPeople(admin: Command): void {
  const sign = (name: string, about: string) =>
    admin
      .command(name)
      .description(about)
      .addOption(urlOption())
      .option('--json', 'the answer as JSON');
  const prove = (name: string, about: string) =>
    sign(name, about)
      .option('--otp <code>', 'the code of the authenticator; else it is asked for')
      .option('--recovery-code <code>', 'a recovery code in its place');
  prove(
    'login <name>',
    'sign in; the password is asked for, or read from SIBYL_OPERATOR_PASSWORD or standard input, and a code if you have a second factor',
  ).action((name: string, options: CodeOptions) => signIn(name, options));
  sign('logout', 'sign out, and forget the session').action((options: PeopleOptions) =>
    signOut(options),
  );
  prove(
    'confirm',
    'prove that it is you, for what is dangerous: by your password, or by a code if you have a second factor',
  ).action((options: CodeOptions) => confirm(options));
  addOperation(admin, operatorOperations.getOperatorIdentity, 'whoami');
  addOperation(admin, operatorOperations.listJobs, 'jobs');
  for (const [group, commands] of Object.entries(GROUPS)) {
    const parent = admin.command(group).description(`the ${group} of the exchange, in short`);
    for (const [name, id] of Object.entries(commands)) {
      addOperation(parent, operatorOperations[id], name);
    }
    if (group === 'trail') addExport(parent);
  }
}

async function signIn(name: string, options: CodeOptions): Promise<void> {
  const work: Work = async (terminal) => {
    const url = options.url ?? adminUrl();
    const password = await typedPassword();
    const open = (code: Code | null) => {
      const { method, path } = operatorOperations.openOperatorSession;
      return send(url, '', method, path, { name, password, ...code });
    };
    const given = givenCode(options);
    // Nobody knows whether a code is needed before the password was found to be right.
    const data = await open(given).catch(async (error: unknown) => {
      if (given !== null || !(error instanceof StepUpMfaRequiredError)) throw error;
      return open(await typedCode());
    });
    saveSession(url, { token: String(data.session_token), name });
    const { session_token: _kept, ...shown } = data;
    terminal.result(shown, wordsOf(shown));
    return exitCodes.done;
  };
  // A password that was refused says all that there is to say.
  const advise = adviceFor(options);
  await run(options.json === true, work, (error) =>
    error instanceof SibylConnectionError ? advise(error) : null,
  );
}

async function signOut(options: PeopleOptions): Promise<void> {
  const work: Work = async (terminal) => {
    const url = options.url ?? adminUrl();
    const token = await tokenFor(url);
    const { method, path } = operatorOperations.closeOperatorSession;
    const data = await send(url, token, method, path).catch((error: unknown) => {
      // It has ended already, elsewhere or by its time: to sign out is to be signed out.
      if (error instanceof AuthInvalidError && savedSession(url) !== null) {
        return { signed_out: true };
      }
      throw error;
    });
    saveSession(url, null);
    terminal.result(data, wordsOf(data));
    return exitCodes.done;
  };
  await run(options.json === true, work, adviceFor(options));
}

async function confirm(options: CodeOptions): Promise<void> {
  const work: Work = async (terminal) => {
    const url = options.url ?? adminUrl();
    const token = await tokenFor(url);
    const { method, path } = operatorOperations.stepUpOperatorSession;
    const proof = givenCode(options) ?? (await askedProof(url, token));
    const data = await send(url, token, method, path, proof);
    terminal.result(data, wordsOf(data));
    return exitCodes.done;
  };
  // What it asks for is the very confirmation.
  const advise = adviceFor(options);
  await run(options.json === true, work, (error) =>
    error instanceof StepUpMfaRequiredError ? null : advise(error),
  );
}

/** One entry a line, as JSON: all of them, whatever the filter of a page. */
function addExport(trail: Command): void {
  trail
    .command('export')
    .description('every entry as a line of JSON, from the first to the last')
    .addOption(urlOption())
    .action((options: PeopleOptions) =>
      run(
        false,
        async () => {
          const url = options.url ?? adminUrl();
          const transport = transportTo(url, await tokenFor(url));
          const { method, path } = operatorOperations.listTrail;
          for (let cursor: unknown = null; ; ) {
            const query = { limit: 500, ...(typeof cursor === 'string' ? { cursor } : {}) };
            const asked = { method, path, query, keyed: false, repeatable: true } as const;
            const { data, meta } = await transport.send(asked);
            const entries: readonly unknown[] = Array.isArray(data) ? data : [];
            for (const entry of entries) process.stdout.write(`${JSON.stringify(entry)}\n`);
            cursor = meta.next_cursor ?? null;
            if (typeof cursor !== 'string') return exitCodes.done;
          }
        },
        adviceFor(options),
      ),
    );
}

/** The password, or a code of whoever has a second factor. */
async function askedProof(
  url: string,
  token: string,
): Promise<Code | { readonly password: string }> {
  const { method, path } = operatorOperations.getOperatorFactor;
  const { step_up: proofs } = await send(url, token, method, path);
  const isByPassword = Array.isArray(proofs) && proofs.includes('password');
  return isByPassword ? { password: await typedPassword() } : typedCode();
}

function givenCode({ otp, recoveryCode }: CodeOptions): Code | null {
  if (otp !== undefined && recoveryCode !== undefined) {
    throw new Unusable('give --otp or --recovery-code, not both');
  }
  if (otp !== undefined) return { otp };
  return recoveryCode === undefined ? null : { recovery_code: recoveryCode };
}

/** Told apart by their form: recovery codes have a dash. */
async function typedCode(): Promise<Code> {
  if (process.stdin.isTTY) {
    const asked = await typedAtTerminal('Code of the authenticator, or a recovery code');
    const code = asked.replaceAll(/\s/g, '');
    if (code !== '') return code.includes('-') ? { recovery_code: code } : { otp: code };
  }
  throw new Unusable('a second factor is needed: give --otp or --recovery-code');
}

async function typedPassword(): Promise<string> {
  const given = process.env.SIBYL_OPERATOR_PASSWORD;
  if (given !== undefined && given !== '') return given;
  const [password = ''] = await askSecrets(['password']);
  return password;
}

/** While a name is guessed at, a sign-in there waits for its turn. */
const PATIENCE_MS = 40_000;

function transportTo(baseUrl: string, token: string): Transport {
  const settings = { baseUrl, timeoutMs: PATIENCE_MS };
  return new Transport(settingsOf(token === '' ? settings : { ...settings, token }));
}

async function send(
  url: string,
  token: string,
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  body?: object,
): Promise<Readonly<Record<string, unknown>>> {
  const said = body === undefined ? {} : { body };
  const request = { method, path, ...said, keyed: false, repeatable: false };
  const { data } = await transportTo(url, token).send(request);
  return isRecord(data) ? data : {};
}
