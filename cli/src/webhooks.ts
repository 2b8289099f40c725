// sibyl webhooks: a receiver on this machine that verifies and prints, and a sender of any event.

import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import {
  apiVersion,
  isWebhookEventType,
  type WebhookEventType,
  webhookEvents,
  webhookEventTypes,
} from '@sibyl/contract';
import {
  fillPath,
  SibylError,
  settingsOf,
  signWebhook,
  Transport,
  verifyWebhook,
  type WebhookNotice,
} from '@sibyl/sdk';
import { type Command, Option } from 'commander';
import { exitCodes, exitHelp } from './exit.ts';
import { run, Unusable } from './run.ts';
import type { Terminal } from './terminal.ts';

export function addWebhooks(program: Command): void {
  const webhooks = program
    .command('webhooks')
    .description('try webhooks out: receive them here, send any of them')
    .addHelpText(
      'after',
      `
A server lets deliveries reach this machine only if its WEBHOOK_ALLOW says so, such as 127.0.0.0/8.

  sibyl webhooks listen --port 4400 --secret whsec_…
  sibyl webhooks trigger order.filled --to http://127.0.0.1:4400 --secret whsec_…
  sibyl webhooks trigger webhook.ping --webhook wh_… --token sk_live_…
${exitHelp}`,
    );
  addListen(webhooks);
  addTrigger(webhooks);
}

/** What became of one request to the receiver. */
export interface Received {
  readonly status: number;
  /** Null when it was not accepted. */
  readonly notice: WebhookNotice | null;
  readonly problem: string | null;
  readonly attempt: string | null;
  /** Seen before under the same id. */
  readonly isRepeat: boolean;
  /** Numbers that are missing before this one. */
  readonly missed: number;
}

/** A receiver that accepts what verifies; it listens on this machine only. */
export function createReceiver(secret: string, show: (received: Received) => void): Server {
  const seen = new Set<string>();
  let lastSequence: number | null = null;
  const receive = async (request: IncomingMessage): Promise<Received> => {
    const attempt = String(request.headers['x-svc-attempt'] ?? '');
    const refused = (status: number, problem: string): Received => ({
      status,
      notice: null,
      problem,
      attempt,
      isRepeat: false,
      missed: 0,
    });
    if (request.method !== 'POST') return refused(404, 'deliveries are POST');
    const body = await bodyOf(request);
    if (body === null) return refused(400, `the body is larger than ${BODY_BYTES_MAX} bytes`);
    try {
      const notice = await verifyWebhook({ headers: request.headers, body, secret });
      const isRepeat = seen.has(notice.id);
      seen.add(notice.id);
      const missed =
        isRepeat || lastSequence === null ? 0 : Math.max(0, notice.sequence - lastSequence - 1);
      if (!isRepeat) lastSequence = Math.max(lastSequence ?? 0, notice.sequence);
      return { status: 200, notice, problem: null, attempt, isRepeat, missed };
    } catch (error) {
      if (error instanceof SibylError) return refused(error.status, error.code);
      if (error instanceof SyntaxError) return refused(400, 'the body is not JSON');
      throw error;
    }
  };
  return createServer((request, response) => {
    receive(request).then(
      (received) => {
        show(received);
        const answer = received.problem === null ? { ok: true } : { error: received.problem };
        response.writeHead(received.status, { 'content-type': 'application/json' });
        response.end(JSON.stringify(answer));
      },
      () => response.destroy(),
    );
  });
}

/** Sends the catalogue's example of a type, signed as the service signs; gives the status of the answer. */
export async function sendExample(example: {
  readonly type: WebhookEventType;
  readonly url: string;
  readonly secret: string;
  readonly nowMs: number;
  readonly sequence?: number;
}): Promise<number> {
  const { type, url, secret, nowMs, sequence = 1 } = example;
  const id = `evt_${randomUUID().replaceAll('-', '')}`;
  const body = JSON.stringify({
    id,
    type,
    created_at: new Date(nowMs).toISOString(),
    created_at_ms: nowMs,
    api_version: apiVersion,
    environment: 'sandbox',
    sequence,
    test: true,
    data: webhookEvents[type].example,
  });
  const signature = await signWebhook({ id, body, secret, atSec: Math.floor(nowMs / 1000) });
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-svc-event': type,
      'x-svc-delivery': `dlv_${id.slice('evt_'.length)}`,
      'x-svc-attempt': '1',
      ...signature,
    },
    body,
    redirect: 'manual',
  });
  return response.status;
}

const BODY_BYTES_MAX = 1_048_576;

interface ListenOptions {
  readonly port: string;
  readonly secret?: string;
  readonly json?: boolean;
}

function addListen(webhooks: Command): void {
  webhooks
    .command('listen')
    .description('receive deliveries on this machine, verify and print them')
    .option('--port <port>', 'the port to listen on', '4400')
    .addOption(secretOption())
    .option('--json', 'one JSON document a delivery')
    .action((options: ListenOptions) =>
      run(options.json === true, (terminal) => listen(terminal, options)),
    );
}

async function listen(terminal: Terminal, options: ListenOptions): Promise<number> {
  const port = Number(options.port);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new Unusable(`${options.port} is not a port`);
  }
  const server = createReceiver(secretOf(options.secret), (received) =>
    terminal.entry(received, describe(received)),
  );
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(new Unusable(error.message)));
    server.listen(port, '127.0.0.1', resolve);
  });
  const address = server.address();
  const shown = typeof address === 'object' && address !== null ? address.port : port;
  process.stderr.write(`listening on http://127.0.0.1:${shown}; Ctrl-C ends it\n`);
  await new Promise<void>((resolve) => {
    process.once('SIGINT', resolve);
    process.once('SIGTERM', resolve);
  });
  server.closeAllConnections();
  server.close();
  return exitCodes.done;
}

interface TriggerOptions {
  readonly to?: string;
  readonly secret?: string;
  readonly webhook?: string;
  readonly token?: string;
  readonly url: string;
  readonly json?: boolean;
}

function addTrigger(webhooks: Command): void {
  webhooks
    .command('trigger')
    .argument('<type>', 'an event type, such as order.filled')
    .description('send an example of an event: straight to an address, or through a server')
    .option('--to <address>', 'where to send it, signed with --secret')
    .addOption(secretOption())
    .option('--webhook <id>', 'let the server send it to this webhook')
    .addOption(new Option('--token <token>', 'your key or session').env('SIBYL_TOKEN'))
    .addOption(
      new Option('--url <url>', 'the server').env('SIBYL_URL').default('http://127.0.0.1:8080'),
    )
    .option('--json', 'the answer as JSON')
    .action((type: string, options: TriggerOptions) =>
      run(options.json === true, (terminal) => trigger(terminal, type, options)),
    );
}

async function trigger(terminal: Terminal, type: string, options: TriggerOptions): Promise<number> {
  if (!isWebhookEventType(type)) {
    throw new Unusable(
      `no event type is called ${type}; there are ${webhookEventTypes.join(', ')}`,
    );
  }
  const { to, webhook } = options;
  if (to !== undefined) {
    const secret = secretOf(options.secret);
    const status = await sendExample({ type, url: to, secret, nowMs: Date.now() }).catch(
      (error: unknown) => {
        throw new Unusable(`${to} did not answer: ${String(error)}`);
      },
    );
    terminal.result({ type, to, status }, [`${type} → ${to}: ${status}`]);
    return status >= 200 && status < 300 ? exitCodes.done : exitCodes.failed;
  }
  if (webhook === undefined || options.token === undefined) {
    throw new Unusable('give --to and --secret, or --webhook and --token');
  }
  const transport = new Transport(settingsOf({ baseUrl: options.url, token: options.token }));
  const { data } = await transport.send({
    method: 'POST',
    path: fillPath('/v1/webhooks/{webhook_id}/replay', [webhook]),
    body: { event_type: type },
    keyed: true,
    repeatable: true,
  });
  terminal.result(data, [`${type} is on its way to ${webhook}`]);
  return exitCodes.done;
}

function secretOption(): Option {
  return new Option('--secret <secret>', 'the signing secret of the webhook').env(
    'SIBYL_WEBHOOK_SECRET',
  );
}

function secretOf(secret: string | undefined): string {
  if (secret !== undefined) return secret;
  throw new Unusable('no signing secret: give --secret or set SIBYL_WEBHOOK_SECRET');
}

function describe(received: Received): string {
  const { notice, problem, status, isRepeat, missed } = received;
  if (notice === null) return `refused ${status} ${problem ?? ''}`;
  const marks = [
    notice.test === true ? 'test' : '',
    isRepeat ? 'seen before' : '',
    missed > 0 ? `${missed} missing before it` : '',
  ].filter((mark) => mark !== '');
  const note = marks.length === 0 ? '' : ` (${marks.join(', ')})`;
  const { sequence, type, id } = notice;
  return `${notice.created_at} #${sequence} ${type} ${id}${note}\n${JSON.stringify(notice.data, null, 2)}`;
}

async function bodyOf(request: IncomingMessage): Promise<Buffer | null> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request) {
    const bytes = Buffer.from(part);
    size += bytes.length;
    if (size > BODY_BYTES_MAX) return null;
    parts.push(bytes);
  }
  return Buffer.concat(parts);
}
