// sibyl apps: what you have built for others, from its registration to its end.

import { scopes } from '@sibyl/contract';
import type { Answer, Body, Item, SibylClient } from '@sibyl/sdk';
import type { Command } from 'commander';
import { exitCodes } from '../exit.ts';
import { Unusable } from '../run.ts';
import { type Column, stateColumn, timeText } from '../table.ts';
import type { Terminal } from '../terminal.ts';
import { wordsOf } from '../words.ts';
import { ask, askOnce } from './ask.ts';
import { askList, type PageOptions, withPages } from './listed.ts';
import {
  collect,
  given,
  holderOf,
  type ServerOptions,
  serve,
  severalOf,
  wholeNumber,
  withExamples,
  withServer,
} from './server.ts';

type App = Item<'listApps'>;

interface AppFields extends ServerOptions {
  readonly redirectUri?: readonly string[];
  readonly scope?: readonly string[];
  readonly origin?: readonly string[];
  readonly feeBps?: number;
}

interface RegisterOptions extends AppFields {
  readonly public?: boolean;
  readonly submit?: boolean;
}

interface ChangeOptions extends AppFields {
  readonly name?: string;
  /** False where there are to be none. */
  readonly origins: boolean;
  readonly resubmit?: boolean;
}

const EXAMPLE = 'app_0123456789abcdef';
const IF_UNKNOWN = 'sibyl apps lists yours';

export function addApps(program: Command): void {
  const apps = program
    .command('apps')
    .description('apps that act for others: register, submit, change and end them');
  withExamples(
    withPages(withServer(apps.command('list', { isDefault: true }))).description(
      'your apps, the oldest first',
    ),
    'sibyl apps',
  ).action((options: ServerOptions & PageOptions) =>
    askList(options, (page) => holderOf(options).apps.list(page), appColumns),
  );
  addOne(apps);
  addRegister(apps);
  addChange(apps);
  addActions(apps);
}

/** What is read of one app. */
function addOne(apps: Command): void {
  withExamples(
    withServer(apps.command('show <app-id>')).description('one app, and how far its review is'),
    `sibyl apps show ${EXAMPLE}`,
  ).action((appId: string, options: ServerOptions) =>
    serve(options, async (terminal) => {
      const app = await appOf(holderOf(options), appId);
      if (app === null) return noSuchApp(terminal, appId);
      terminal.result(app, wordsOf(app));
      return exitCodes.done;
    }),
  );
  withExamples(
    withServer(apps.command('widget-key <app-id>')).description(
      'the key that pages of yours may show: public reads, from the origins of the app alone',
    ),
    `sibyl apps widget-key ${EXAMPLE}`,
  ).action((appId: string, options: ServerOptions) =>
    serve(options, async (terminal) => {
      const app = await appOf(holderOf(options), appId);
      if (app === null) return noSuchApp(terminal, appId);
      const { widget_key: key, allowed_origins: origins, status } = app;
      terminal.result({ widget_key: key, allowed_origins: origins, status }, [key]);
      terminal.note(
        origins.length === 0
          ? `It works on no page yet: sibyl apps change ${appId} --origin https://example.com`
          : `It works on pages of ${origins.join(', ')}, ${reachOf(status)}.`,
      );
      return exitCodes.done;
    }),
  );
}

function reachOf(status: string): string {
  if (status === 'approved') return 'in both lanes';
  return status === 'disabled' ? 'once an operator has enabled the app again' : 'in the sandbox';
}

function addRegister(apps: Command): void {
  withExamples(
    withFields(withServer(apps.command('register <name>')))
      .description('register an app, as a draft for you alone; its secret is shown once')
      .option('--public', 'it can keep no secret, as in a browser or on a phone, and gets none')
      .option('--submit', 'send it to review at once'),
    'sibyl apps register "Election desk" --redirect-uri https://example.com/callback --scope account:read --scope orders:trade',
    'sibyl apps register "Election desk" --redirect-uri http://127.0.0.1/callback --scope account:read --public',
  ).action((name: string, options: RegisterOptions) =>
    askOnce(options, () => register(name, options), clientSecret),
  );
}

async function register(name: string, options: RegisterOptions): Promise<Answer<'createApp'>> {
  const { redirectUri = [], scope = [] } = options;
  if (redirectUri.length === 0 || scope.length === 0) {
    throw new Unusable(
      'say where codes go and what it may ask users for: --redirect-uri URL --scope SCOPE, once for each',
    );
  }
  return holderOf(options).apps.create({
    name,
    redirect_uris: [...redirectUri],
    allowed_scopes: [...scope],
    ...given({
      allowed_origins: options.origin === undefined ? undefined : [...options.origin],
      builder_fee_bps: options.feeBps,
      client_type: options.public === true ? ('public' as const) : undefined,
      submit: options.submit,
    }),
  });
}

function addChange(apps: Command): void {
  withExamples(
    withFields(withServer(apps.command('change <app-id>')))
      .description('change an app; what is given for a list takes the place of the whole list')
      .option('--name <text>', 'another name')
      .option('--no-origins', 'no page may use the widget key')
      .option('--resubmit', 'let the change of an approved app be reviewed'),
    `sibyl apps change ${EXAMPLE} --fee-bps 5`,
    `sibyl apps change ${EXAMPLE} --name "Election desk 2" --resubmit`,
  ).action((appId: string, options: ChangeOptions) =>
    ask(options, async () => holderOf(options).apps.update(appId, changeOf(options)), {
      ifUnknown: IF_UNKNOWN,
    }),
  );
}

function changeOf(options: ChangeOptions): Body<'updateApp'> {
  const { name, redirectUri, scope, origin, feeBps, resubmit } = options;
  const origins = options.origins ? origin : [];
  const change = given({
    name,
    redirect_uris: redirectUri === undefined ? undefined : [...redirectUri],
    allowed_scopes: scope === undefined ? undefined : [...scope],
    allowed_origins: origins === undefined ? undefined : [...origins],
    builder_fee_bps: feeBps,
  });
  if (Object.keys(change).length === 0) {
    throw new Unusable('say what changes: sibyl apps change --help lists it');
  }
  return { ...change, ...given({ resubmit }) };
}

const actions = {
  submit: 'send a draft to review, which takes an approved builder',
  withdraw: 'take it back from review, to go on with the draft',
  disable: 'end it for everybody at once; only an operator enables it again',
} as const;

function addActions(apps: Command): void {
  for (const action of ['submit', 'withdraw', 'disable'] as const) {
    withExamples(
      withServer(apps.command(`${action} <app-id>`)).description(actions[action]),
      `sibyl apps ${action} ${EXAMPLE}`,
    ).action((appId: string, options: ServerOptions) =>
      ask(options, () => holderOf(options).apps.update(appId, { action }), {
        words: ({ app_id: id, status }) => [`${id} is ${status}`],
        ifUnknown: IF_UNKNOWN,
      }),
    );
  }
  withExamples(
    withServer(apps.command('rotate-secret <app-id>')).description(
      'a new client secret, shown once; the old one is good for another 24 hours',
    ),
    `sibyl apps rotate-secret ${EXAMPLE} --json > secret.json   # mind who can read the file`,
  ).action((appId: string, options: ServerOptions) =>
    askOnce(options, () => holderOf(options).apps.rotateSecret(appId), clientSecret, IF_UNKNOWN),
  );
}

function withFields(command: Command): Command {
  const names = Object.keys(scopes);
  return command
    .option('--redirect-uri <url>', 'where codes may be sent, once for each', collect)
    .addOption(severalOf('--scope <scope>', 'what it may ask for, once for each', names))
    .option('--origin <origin>', 'pages that may use the widget key, once for each', collect)
    .option('--fee-bps <number>', 'what it takes on top, in basis points', wholeNumber);
}

/** A public client has none. */
function clientSecret({ app_id: id, client_secret: secret }: Answer<'createApp'>) {
  return {
    note: secret === null ? null : 'The client secret is shown this once.',
    instead: `make another, as soon as a rotation is allowed: sibyl apps rotate-secret ${id}`,
  };
}

/** The interface lists apps and has no call for one of them. */
async function appOf(client: SibylClient, appId: string): Promise<App | null> {
  for await (const app of client.apps.list()) {
    if (app.app_id === appId) return app;
  }
  return null;
}

function noSuchApp(terminal: Terminal, appId: string): number {
  terminal.problem('NOT_FOUND', `you have no app ${appId}`, IF_UNKNOWN);
  return exitCodes.failed;
}

const appColumns: readonly Column<App>[] = [
  { head: 'APP', of: ({ app_id: id }) => id },
  stateColumn({ approved: 'green', in_review: 'yellow', disabled: 'red' }),
  { head: 'KIND', of: ({ client_type: kind }) => kind },
  { head: 'FEE BPS', of: (app) => `${app.builder_fee_bps}/${app.fee_cap_bps}`, align: 'right' },
  { head: 'SCOPES', of: ({ allowed_scopes: all }) => all.join(', ') },
  { head: 'CHANGED', of: ({ updated_at: at }) => timeText(at) },
  { head: 'NAME', of: ({ name }) => name },
];
