// A way to a server that loses one answer: what was asked is done there, and whoever asked hears nothing of it.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface LossyLine {
  readonly url: string;
  /** How many answers were lost. */
  lost(): number;
  close(): void;
}

/** The first answer is lost, every other one arrives. */
export async function lossyLine(to: string): Promise<LossyLine> {
  let lost = 0;
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(Buffer.from(part));
    const { method = 'GET', url = '/', headers } = request;
    const { authorization = '', 'idempotency-key': key = '' } = headers;
    const answer = await fetch(new URL(url, to), {
      ...{ method, ...(parts.length > 0 && { body: Buffer.concat(parts) }) },
      headers: { authorization, 'idempotency-key': String(key) },
    });
    const body = await answer.text();
    if (lost === 0) {
      lost += 1;
      response.destroy();
      return;
    }
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lost: () => lost,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
