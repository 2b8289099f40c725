// Refusals of what never became a request: written by hand, after what the connection is still owed, and then its end.

import type { IncomingHttpHeaders } from 'node:http';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { type ApiError, fail } from '../handling/handler.ts';
import { rateOf } from './charging.ts';
import { commonHeaders, errorEnvelope, errorHeaders, statusOf } from './envelope.ts';
import { afterReading, farewell } from './farewell.ts';
import { type Services, strangersAdmission } from './gate.ts';
import type { OwedAnswers } from './owed-answers.ts';

/** What was read before the refusal: the head of an upgrade, or nothing. */
interface Asked {
  readonly url?: string | undefined;
  readonly headers: IncomingHttpHeaders;
}

const NOTHING: Asked = { headers: {} };

export class Refuser {
  readonly #services: Services;
  readonly #requestId: () => string;
  readonly #owed: OwedAnswers;

  constructor(services: Services, requestId: () => string, owed: OwedAnswers) {
    this.#services = services;
    this.#requestId = requestId;
    this.#owed = owed;
  }

  /** Bytes that Node could not read, or that took too long. */
  refuseBytes(cause: NodeJS.ErrnoException, socket: Socket): void {
    // Its last request was answered or will be; what it sends after that is nobody's.
    if (cause.code === 'HPE_CLOSED_CONNECTION') return;
    if (cause.code === 'ERR_HTTP_REQUEST_TIMEOUT') this.#refuseLate(cause, socket);
    else this.refuse(socket, unreadable(cause));
  }

  /** Node's timer runs before the event loop reads what the system already holds: it may complete the request. */
  #refuseLate(cause: Error, socket: Socket): void {
    const { bytesRead, bytesWritten } = socket;
    afterReading(() => {
      const isServed = this.#owed.hasWhole(socket) || socket.bytesWritten !== bytesWritten;
      if (socket.bytesRead !== bytesRead && isServed) return;
      // Browsers open connections ahead of need. A refusal would be taken for the answer to a request that is on its way now;
      // after an end without a word it is sent again on another connection.
      if (socket.bytesRead === 0) socket.destroy();
      else this.refuse(socket, unreadable(cause));
    });
  }

  /** Those who came before are answered first: a refusal must not be taken for their answer. */
  refuse(socket: Socket, error: ApiError, asked: Asked = NOTHING): void {
    this.#owed.whenSettled(socket, () => {
      // Bytes of a body whose request was refused before it came get no second refusal.
      const isSaid = this.#owed.isInAnswered(socket);
      const words = isSaid ? undefined : this.#answer(socket, error, asked);
      if (socket.writable) farewell(socket, this.#services.clock, words);
      else if (!socket.writableEnded) socket.destroy();
    });
  }

  #answer(socket: Socket, error: ApiError, { url = '', headers: sent }: Asked): string {
    const services = this.#services;
    const requestId = this.#requestId();
    const raw = { socket, headers: sent };
    const admission = strangersAdmission(services, { raw, url }, null);
    const nowMs = admission.receivedAtMs;
    const body = JSON.stringify(errorEnvelope(error, { requestId, nowMs }));
    const headers = {
      ...commonHeaders(requestId, rateOf(services, admission), false),
      ...errorHeaders(error, nowMs),
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      connection: 'close',
    };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    const status = statusOf(error);
    return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`;
  }
}

function unreadable(cause: NodeJS.ErrnoException): ApiError {
  switch (cause.code) {
    case 'HPE_HEADER_OVERFLOW':
      return fail('BAD_REQUEST', { reason: 'the headers are too large', limit_bytes: 16_384 });
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return fail('BAD_REQUEST', { reason: 'the request took too long to arrive' });
    default:
      return fail('BAD_REQUEST', { reason: 'this is not HTTP' });
  }
}
