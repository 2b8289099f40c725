// A receiver of deliveries on this machine that verifies them, and a sender of any event.

import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { apiVersion, type WebhookEventType, webhookEvents } from '@sibyl/contract';
import { SibylError, signWebhook, verifyWebhook, type WebhookNotice } from '@sibyl/sdk';
import { MissingNumbers } from './missing-numbers.ts';

/** What became of one request to the receiver. */
export interface Received {
  readonly status: number;
  /** Null when it was not accepted. */
  readonly notice: WebhookNotice | null;
  readonly problem: string | null;
  readonly attempt: string | null;
  /** Seen before under the same id. */
  readonly isRepeat: boolean;
  /** Numbers that should have come by now and did not; each is told once. */
  readonly missed: readonly number[];
}

/** A receiver that accepts what verifies; its secret may become known after it listens. */
export function createReceiver(
  secret: () => string,
  show: (received: Received) => void,
  nowMs: () => number = () => performance.now(),
): Server {
  const seen = new Set<string>();
  const numbers = new MissingNumbers();
  const receive = async (request: IncomingMessage): Promise<Received> => {
    const attempt = String(request.headers['x-svc-attempt'] ?? '');
    const refused = (status: number, problem: string): Received => ({
      status,
      notice: null,
      problem,
      attempt,
      isRepeat: false,
      missed: [],
    });
    if (request.method !== 'POST') return refused(404, 'deliveries are POST');
    const body = await bodyOf(request);
    if (body === null) return refused(400, `the body is larger than ${BODY_BYTES_MAX} bytes`);
    try {
      const notice = await verifyWebhook({ headers: request.headers, body, secret: secret() });
      const isRepeat = seen.has(notice.id);
      seen.add(notice.id);
      const missed = isRepeat ? [] : numbers.receive(notice.sequence, nowMs());
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

/** A delivery in words. */
export function describe(received: Received): string {
  const { notice, problem, status, isRepeat, missed } = received;
  if (notice === null) return `refused ${status} ${problem ?? ''}`;
  const marks = [
    notice.test === true ? 'test' : '',
    isRepeat ? 'seen before' : '',
    missed.length > 0 ? `missing: ${rangesOf(missed)}` : '',
  ].filter((mark) => mark !== '');
  const note = marks.length === 0 ? '' : ` (${marks.join(', ')})`;
  const { sequence, type, id } = notice;
  return `${notice.created_at} #${sequence} ${type} ${id}${note}\n${JSON.stringify(notice.data, null, 2)}`;
}

/** Numbers in order, those that follow each other as one. */
function rangesOf(numbers: readonly number[]): string {
  const ranges: [first: number, last: number][] = [];
  for (const number of numbers) {
    const range = ranges.at(-1);
    if (range !== undefined && range[1] === number - 1) range[1] = number;
    else ranges.push([number, number]);
  }
  return ranges
    .map(([first, last]) => (first === last ? `#${first}` : `#${first}–#${last}`))
    .join(' ');
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
