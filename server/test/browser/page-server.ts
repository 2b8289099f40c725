// Serves a page with the SDK's own sources to a browser, their types stripped and nothing else done to them.
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { stripTypeScriptTypes } from 'node:module';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { root } from '../server-process.ts';

export class PageServer {
  readonly #server: Server;
  readonly #html: string;

  constructor(script: string) {
    const imports = JSON.stringify({ imports: { '@sibyl/money': '/money/src/index.ts' } });
    this.#html = `<!doctype html><meta charset="utf-8"><title>Sibyl</title>
      <script type="importmap">${imports}</script><script type="module">${script}</script>`;
    this.#server = createServer((request, response) => {
      const file = request.url ?? '/';
      if (file === '/') {
        response.writeHead(200, { 'content-type': 'text/html' }).end(this.#html);
      } else if (/^\/(sdk|money)\/src\/[a-z/-]+\.ts$/.test(file)) {
        const source = readFileSync(path.join(root, file), 'utf8');
        response.writeHead(200, { 'content-type': 'text/javascript' });
        response.end(stripTypeScriptTypes(source));
      } else {
        response.writeHead(404).end();
      }
    });
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
