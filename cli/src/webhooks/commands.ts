// sibyl webhooks: list them, receive deliveries here, send any event, send deliveries again.

import { once } from 'node:events';
import type { Server } from 'node:http';
import { isSentWebhookEventType } from '@sibyl/contract';
import { type Body, type Item, type SibylClient, SibylError, webhookEventTypes } from '@sibyl/sdk';
import { type Command, Option } from 'commander';
import { ask } from '../account/ask.ts';
import { askList, type PageOptions, withPages } from '../account/listed.ts';
import {
  collect,
  holderOf,
  type ServerOptions,
  serve,
  webAddress,
  wholeNumber,
  withExamples,
  withServer,
} from '../account/server.ts';
import { exitCodes } from '../exit.ts';
import { Unusable } from '../run.ts';
import { askSecrets } from '../secrets.ts';
import { type Column, stateColumn, timeText } from '../table.ts';
import type { Terminal } from '../terminal.ts';
import { allowLocalReceiver, type LocalReceiver } from './local-receiver.ts';
import { createReceiver, describe, sendExample } from './receiver.ts';

export function addWebhooks(program: Command): void {
  const webhooks = program
    .command('webhooks')
    .description('your webhooks: receive them here, send any of them, send them again')
    .addHelpText(
      'after',
      `
A server delivers to this machine if you are signed in as its operator (sibyl admin login): listen then asks it to allow this port for the
sandbox until it ends. Otherwise WEBHOOK_ALLOW of the server must allow it, such as 127.0.0.0/8, or a tunnel leads here (--public-url).
Signing secrets come from SIBYL_WEBHOOK_SECRET, a prompt or a line of standard input, never from an argument.`,
    );
  withExamples(
    withPages(withServer(webhooks.command('list', { isDefault: true }))).description(
      'your webhooks, with how they do',
    ),
    'sibyl webhooks list',
  ).action((options: ServerOptions & PageOptions) =>
    askList(options, (page) => holderOf(options).webhooks.list(page), webhookColumns),
  );
  addListen(webhooks);
  addTrigger(webhooks);
  addResend(webhooks);
}

const IF_UNKNOWN = 'sibyl webhooks lists yours';

const webhookColumns: readonly Column<Item<'listWebhooks'>>[] = [
  { head: 'WEBHOOK', of: ({ webhook_id: id }) => id },
  stateColumn({ active: 'green', disabled: 'red' }),
  { head: 'FAILED', of: ({ failure_streak: streak }) => String(streak), align: 'right' },
  { head: 'LAST DELIVERY', of: ({ last_delivery_at: at }) => timeText(at) },
  { head: 'ADDRESS', of: ({ url }) => url },
];

interface ListenOptions extends ServerOptions {
  readonly port: number;
  readonly event?: readonly string[];
  readonly publicUrl?: string;
  readonly ownSecret?: boolean;
  readonly count?: number;
}

function addListen(webhooks: Command): void {
  withExamples(
    withServer(webhooks.command('listen'))
      .description(
        'receive deliveries on this machine, verify and print them: of a webhook that is registered for as long as it listens, or of one of yours with --own-secret',
      )
      .option('--port <port>', 'the port to listen on; 0 takes a free one', wholeNumber, 4400)
      .option('--event <type>', 'what to be told, once for each; everything unless told', collect)
      .option('--public-url <url>', 'an address that leads to this port, of a tunnel say')
      .option('--own-secret', 'register nothing: the secret of your webhook is asked for')
      .option('--count <deliveries>', 'end after so many', wholeNumber),
    'sibyl webhooks listen --event order.filled --event order.cancelled',
    'sibyl webhooks listen --public-url https://tunnel.example/hooks',
    'sibyl webhooks listen --own-secret --port 4400 < secret.txt',
  ).action((options: ListenOptions) => serve(options, (terminal) => listen(terminal, options)));
}

async function listen(terminal: Terminal, options: ListenOptions): Promise<number> {
  const { port, count = Number.POSITIVE_INFINITY } = options;
  if (port > 65_535) throw new Unusable(`${port} is not a port`);
  const isOwn = options.ownSecret === true || process.env.SIBYL_WEBHOOK_SECRET !== undefined;
  const client = isOwn ? null : holderOf(options);
  let secret = isOwn ? await webhookSecret() : '';
  let left = count;
  const ended = Promise.withResolvers<void>();
  const server = createReceiver(
    () => secret,
    (received) => {
      terminal.entry(received, describe(received));
      if (received.problem === null) left -= 1;
      if (left <= 0) ended.resolve();
    },
  );
  const end = (): void => ended.resolve();
  process.once('SIGINT', end);
  process.once('SIGTERM', end);
  const taken = await open(server, port);
  const address = `http://127.0.0.1:${taken}`;
  let webhookId: string | null = null;
  let receiver: LocalReceiver | null = null;
  try {
    if (client !== null) {
      const { event, publicUrl } = options;
      if (publicUrl === undefined)
        ({ webhookId, secret, receiver } = await registerHere(client, taken, event));
      else ({ webhookId, secret } = await register(client, publicUrl, event));
    }
    const what = webhookId === null ? 'your webhook' : webhookId;
    process.stderr.write(`listening on ${address} for ${what}; Ctrl-C ends it\n`);
    await ended.promise;
  } finally {
    process.off('SIGINT', end);
    process.off('SIGTERM', end);
    if (client !== null && webhookId !== null) await client.webhooks.remove(webhookId);
    await receiver?.end();
    server.closeAllConnections();
    server.close();
  }
  return exitCodes.done;
}

/** Asks the operator plane for the port if the server does not deliver to this machine as it is. */
async function registerHere(
  client: SibylClient,
  port: number,
  events: readonly string[] | undefined,
): Promise<Registered & { readonly receiver: LocalReceiver | null }> {
  const url = `http://127.0.0.1:${port}/`;
  try {
    return { ...(await register(client, url, events)), receiver: null };
  } catch (refused) {
    const isForbidden = refused instanceof SibylError && refused.code === 'WEBHOOK_URL_INVALID';
    const receiver = isForbidden ? await allowedFor(client, port) : null;
    if (receiver === null) throw refused;
    try {
      return { ...(await register(client, url, events)), receiver };
    } catch (error) {
      await receiver.end();
      throw error;
    }
  }
}

async function allowedFor(client: SibylClient, port: number): Promise<LocalReceiver | null> {
  const { account_id: accountId } = await client.account.get();
  return allowLocalReceiver(accountId, port);
}

async function open(server: Server, port: number): Promise<number> {
  const failed = once(server, 'error').then(([error]) => {
    const why = error instanceof Error ? error.message : String(error);
    throw new Unusable(`${why}; --port 0 takes a free one`);
  });
  server.listen(port, '127.0.0.1');
  await Promise.race([once(server, 'listening'), failed]);
  failed.catch(() => undefined);
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : port;
}

interface Registered {
  readonly webhookId: string;
  readonly secret: string;
}

async function register(
  client: SibylClient,
  url: string,
  events: readonly string[] = webhookEventTypes,
): Promise<Registered> {
  for (const type of events) checkType(type);
  const made = await client.webhooks.create({
    url,
    event_types: [...events],
    description: 'sibyl webhooks listen',
  });
  if (made.secret === null) throw new Unusable('the server did not show the secret');
  return { webhookId: made.webhook_id, secret: made.secret };
}

interface TriggerOptions extends ServerOptions {
  readonly to?: string;
  readonly webhook?: string;
}

function addTrigger(webhooks: Command): void {
  withExamples(
    withServer(webhooks.command('trigger'))
      .argument('<type>', 'an event type, such as order.filled')
      .description('send an example of an event: straight to an address, or through the server')
      .addOption(
        new Option('--to <address>', 'send it there, signed with a secret that is asked for')
          .argParser(webAddress)
          .conflicts('webhook'),
      )
      .option('--webhook <id>', 'let the server send it to this webhook'),
    'sibyl webhooks trigger order.filled --webhook wh_0123456789abcdef',
    'sibyl webhooks trigger order.filled --to http://127.0.0.1:4400 < secret.txt',
  ).action((type: string, options: TriggerOptions) =>
    serve(options, (terminal) => trigger(terminal, type, options), IF_UNKNOWN),
  );
}

async function trigger(terminal: Terminal, type: string, options: TriggerOptions): Promise<number> {
  checkType(type);
  const { to, webhook } = options;
  if (to !== undefined && isSentWebhookEventType(type)) {
    const secret = await webhookSecret();
    const status = await sendExample({ type, url: to, secret, nowMs: Date.now() }).catch(
      (error: unknown) => {
        throw new Unusable(unsent(to, error));
      },
    );
    terminal.result({ type, to, status }, [`${type} → ${to}: ${status}`]);
    return status >= 200 && status < 300 ? exitCodes.done : exitCodes.failed;
  }
  if (webhook === undefined) throw new Unusable('give --to ADDRESS, or --webhook ID');
  const answer = await holderOf(options).webhooks.replay(webhook, { event_type: type });
  terminal.result(answer, [`${type} is on its way to ${webhook}`]);
  return exitCodes.done;
}

function unsent(to: string, error: unknown): string {
  if (error instanceof SibylError) {
    return 'this is no signing secret of a webhook: it begins with whsec_, and was shown when the webhook was registered';
  }
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  const why = cause instanceof Error ? cause.message : String(cause);
  return `${to} did not answer (${why}). Is anything listening there? sibyl webhooks listen does`;
}

interface ResendOptions extends ServerOptions {
  readonly delivery?: string;
  readonly sinceMinutes?: number;
}

function addResend(webhooks: Command): void {
  withExamples(
    withServer(webhooks.command('resend <webhook-id>'))
      .description('send a delivery again, or all of the last minutes')
      .addOption(new Option('--delivery <id>', 'this one').conflicts('sinceMinutes'))
      .option('--since-minutes <minutes>', 'all since then', wholeNumber),
    'sibyl webhooks resend wh_0123456789abcdef --delivery dlv_0123456789abcdef',
    'sibyl webhooks resend wh_0123456789abcdef --since-minutes 30',
  ).action((webhookId: string, options: ResendOptions) =>
    ask(options, () => holderOf(options).webhooks.replay(webhookId, wantedAgain(options)), {
      words: ({ queued }) => [`${queued} deliveries are on their way to ${webhookId}`],
      ifUnknown: IF_UNKNOWN,
    }),
  );
}

function wantedAgain({ delivery, sinceMinutes }: ResendOptions): Body<'replayWebhook'> {
  if (delivery !== undefined) return { delivery_id: delivery };
  if (sinceMinutes !== undefined) return { since_ms: Date.now() - sinceMinutes * 60_000 };
  throw new Unusable('say what is sent again: --delivery ID, or --since-minutes MINUTES');
}

function checkType(type: string): void {
  if (isSentWebhookEventType(type)) return;
  throw new Unusable(`no event type is called ${type}; there are ${webhookEventTypes.join(', ')}`);
}

async function webhookSecret(): Promise<string> {
  const [secret = ''] = process.env.SIBYL_WEBHOOK_SECRET
    ? [process.env.SIBYL_WEBHOOK_SECRET]
    : await askSecrets(['signing_secret']);
  return secret.trim();
}
