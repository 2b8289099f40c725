// Refusals of what never became a request: written by hand, after what the connection is still owed, and then its end.
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { type ApiError, fail } from '../handling/handler.ts';
import { commonHeaders, errorEnvelope, statusOf } from './envelope.ts';
import { farewell } from './farewell.ts';
import { rateOf, type Services } from './gate.ts';
import type { OwedAnswers } from './owed-answers.ts';

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
    this.refuse(socket, unreadable(cause));
  }

  /** Those who came before are answered first: a refusal must not be taken for their answer. */
  refuse(socket: Socket, error: ApiError): void {
    this.#owed.whenSettled(socket, () => {
      if (socket.writable) farewell(socket, this.#services.clock, this.#answer(socket, error));
      else if (!socket.writableEnded) socket.destroy();
    });
  }

  #answer(socket: Socket, error: ApiError): string {
    const services = this.#services;
    const requestId = this.#requestId();
    const receivedAtMs = services.clock.wallMs();
    const rate = rateOf(services, {
      route: null,
      client: services.addresses.read(socket.remoteAddress, undefined),
      receivedAtMs,
      rate: null,
      standing: null,
      lane: null,
      execution: 'hybrid',
      code: error.code,
    });
    const body = JSON.stringify(errorEnvelope(error, { requestId, nowMs: receivedAtMs }));
    const headers = {
      ...commonHeaders(requestId, rate, false),
      ...error.headers,
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
