// Run on a small file system: fills it under a whole server, and says what operators, users and the next start are told.
import { spawnSync } from 'node:child_process';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import path from 'node:path';
import { boot } from '../../src/boot.ts';
import { silentLog } from '../../src/gateway/log.ts';
import { readConfig } from '../../src/settings/config.ts';

interface Told {
  readonly status: number;
  readonly error: { readonly code: string; readonly message: string; readonly details?: object };
}

export interface FullServerReport {
  readonly act: Told;
  readonly registration: Told;
  readonly lookStatus: number;
  readonly start: { readonly status: number | null; readonly stderr: string };
  /** Once there is room. */
  readonly actAgainStatus: number;
}

const directory = process.argv[2]!;
const MAIN = path.join(import.meta.dirname, '../../src/main.ts');
const token = 'op_token_of_a_full_disk_0001';
const environment = {
  ...{ PORT: '0', ADMIN_PORT: '0', DATA_DIR: path.join(directory, 'data'), LANES: 'live' },
  ...{ OPERATOR_TOKEN: token, BOTS: 'off', REQUEST_LOG: 'off' },
};
const ballast = path.join(directory, 'ballast');

/** To the last byte: what a file has already is written over without asking for more. */
function fill(): void {
  const descriptor = openSync(ballast, 'a');
  for (let bytes = 1 << 20; bytes >= 1; bytes >>= 1) {
    try {
      for (;;) writeSync(descriptor, Buffer.alloc(bytes, 1));
    } catch {
      // No room for so much: less may still fit.
    }
  }
  closeSync(descriptor);
}

const server = await boot(readConfig(environment, directory), silentLog);

async function send(port: number, route: string, body: object | null): Promise<Told> {
  const answer = await fetch(`http://127.0.0.1:${port}${route}`, {
    method: body === null ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body !== null && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, error: ((await answer.json()) as Told).error };
}

/** Of nobody who is there: only the trail is written. */
const grant = () =>
  send(server.adminPort, '/admin/v1/users/usr_0123456789abcdef/scopes', {
    reason: 'a test',
    scopes: [],
  });

/** Until the room that is left in files is used up. */
async function refused(work: () => Promise<Told>): Promise<Told> {
  for (;;) {
    fill();
    const told = await work();
    if (told.status >= 500) return told;
  }
}

const act = await refused(grant);
let count = 0;
const registration = await refused(() => {
  count += 1;
  const email = `user${count}@example.com`;
  return send(server.port, '/api/auth/register', { email, password: 'plum otter ladder 47 quay' });
});
const { status: lookStatus } = await send(server.adminPort, '/admin/v1/platform', null);
rmSync(ballast);
const { status: actAgainStatus } = await grant();
await server.close();
fill();
const started = spawnSync(process.execPath, ['--disable-proto=delete', MAIN], {
  env: { ...process.env, ...environment },
  encoding: 'utf8',
  timeout: 60_000,
});
const report: FullServerReport = {
  ...{ act, registration, lookStatus, actAgainStatus },
  start: { status: started.status, stderr: started.stderr },
};
console.log(JSON.stringify(report));
