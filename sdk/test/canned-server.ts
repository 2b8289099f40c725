// A real HTTP server on a free port that answers from a script and remembers what it was asked.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

export type Asked = {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: unknown;
};

export type Reply = (response: ServerResponse, asked: Asked) => void;

export class CannedServer {
  readonly asked: Asked[] = [];
  readonly #replies: Reply[] = [];
  readonly #server = createServer((request, response) => {
    void this.#answer(request, response);
  });
  baseUrl = '';

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    this.baseUrl = `http://127.0.0.1:${address.port}`;
  }

  /** The replies of the next requests, in order. */
  script(...replies: readonly Reply[]): void {
    this.#replies.push(...replies);
  }

  async close(): Promise<void> {
    if (this.#replies.length > 0) throw new Error('a scripted reply was never asked for');
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const asked = {
      method: request.method ?? '',
      url: request.url ?? '',
      headers: request.headers,
      body: text === '' ? undefined : JSON.parse(text),
    };
    this.asked.push(asked);
    const reply = this.#replies.shift();
    if (reply === undefined) throw new Error(`unexpected request ${asked.method} ${asked.url}`);
    reply(response, asked);
  }
}

export function success(data: unknown, meta: Readonly<Record<string, unknown>> = {}): Reply {
  return json(200, {
    ok: true,
    data,
    meta: { request_id: 'req_1', server_ts_ms: 1, ...meta },
    error: null,
  });
}

export function failure(
  status: number,
  code: string,
  headers: Readonly<Record<string, string>> = {},
  details?: Readonly<Record<string, unknown>>,
): Reply {
  const error = { code, message: 'No.', trace_id: 'req_1', ...(details && { details }) };
  const meta = { request_id: 'req_1', server_ts_ms: 1 };
  return json(status, { ok: false, data: null, meta, error }, headers);
}

/** Reads the request and closes the connection without a word. */
export const hangUp: Reply = (response) => {
  response.destroy();
};

/** Never answers. */
export const silence: Reply = () => undefined;

export function json(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  return (response) => {
    response.writeHead(status, {
      'content-type': 'application/json',
      'x-request-id': 'req_1',
      'x-ratelimit-category': 'trade',
      'x-ratelimit-limit': '30',
      'x-ratelimit-remaining': '29',
      'x-ratelimit-reset': '1794657660',
      ...headers,
    });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
}
