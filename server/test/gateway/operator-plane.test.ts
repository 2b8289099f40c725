import { operatorOperations } from '@sibyl/contract';
import type { Response } from 'light-my-request';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MemoryOperatorStore } from '../../src/adapters/memory/operators.ts';
import { systemRandom } from '../../src/adapters/node/random.ts';
import { silentLog } from '../../src/gateway/log.ts';
import { OperatorGuard } from '../../src/gateway/operator-guard.ts';
import type { AnyHandler } from '../../src/http/bind.ts';
import { createGateway, type Gateway } from '../../src/http/http.ts';
import { ADMIN_HOST } from '../../src/settings/start-check.ts';
import { expectError, expectHeaders } from './expect.ts';
import { bearer, type Harness, openHarness } from './harness.ts';

const REPORTS = '/custody/v1/deposits';
const TOKEN = 'op_a-long-token-of-the-operator';

describe('a listener of the operator plane', () => {
  let harness: Harness;
  let gateway: Gateway;
  beforeEach(async () => {
    harness = await openHarness();
    const { lanes, platform, secrets, clock } = harness;
    const handlers = Object.values(operatorOperations).map(
      ({ id, example }): [string, AnyHandler] => [id, async () => ({ data: example.data })],
    );
    gateway = await createGateway({
      operations: operatorOperations,
      handlers: Object.fromEntries(handlers),
      lanes,
      platform,
      secrets,
      clock,
      random: systemRandom,
      log: silentLog,
      metrics: harness.gateway.metrics,
      operatorHosts: ['console.example'],
      operatorGuard: new OperatorGuard({
        operators: new MemoryOperatorStore(),
        secrets,
        clock,
        token: { hash: secrets.digest('operator', TOKEN), role: 'admin' },
        isFactorRequired: false,
        noteRefusal: async () => undefined,
      }),
    });
  });
  afterEach(async () => {
    await gateway.close();
    await harness.close();
  });

  const setMode = (headers: Record<string, string>): Promise<Response> =>
    gateway.app.inject({
      method: 'POST',
      url: '/admin/v1/mode',
      headers,
      payload: { lane: 'sandbox', reason: 'ticket 1', mode: 'read_only' },
    });

  it('[OP53] answers to the names of this machine and those of ADMIN_HOSTS alone', async () => {
    const paths = ['/metrics', '/openapi.json', '/', '/nothing', '/admin/v1/session', REPORTS];
    const ask = (url: string, host: string) =>
      gateway.app.inject({
        method: url === REPORTS ? 'POST' : 'GET',
        url,
        headers: { host, origin: `http://${host}`, ...bearer(TOKEN) },
      });
    for (const host of [
      'evil.example',
      'evil.example:8081',
      '127.0.0.1.evil.example',
      '[::2]:1',
      'localhost:x',
    ])
      for (const path of paths) expectError(await ask(path, host), 'BAD_REQUEST');
    for (const host of ['127.0.0.1', 'LocalHost:9000', '[::1]:8081', 'Console.example:443']) {
      expect((await ask('/metrics', host)).statusCode).toBe(200);
      expect((await ask('/admin/v1/session', host)).statusCode).toBe(200);
      expect((await ask(REPORTS, host)).statusCode).not.toBe(400);
    }
  });

  it('[OP1] takes its own bearer and nothing else', async () => {
    const done = await setMode(bearer(TOKEN));
    expect(done.statusCode).toBe(200);
    expectHeaders(done);
    expectError(await setMode({}), 'AUTH_REQUIRED');
    expectError(await setMode(bearer(`${TOKEN}x`)), 'AUTH_INVALID');
    expectError(await setMode({ authorization: `Basic ${TOKEN}` }), 'AUTH_INVALID');
    const session = await harness.session();
    const key = await harness.key({ session });
    for (const token of [session, key]) expectError(await setMode(bearer(token)), 'AUTH_INVALID');
  });

  it('[OP1] slows down the guessing of the bearer', async () => {
    for (let index = 0; index < 10; index += 1)
      expectError(await setMode(bearer('guess')), 'AUTH_INVALID');
    expectError(await setMode(bearer('guess')), 'RATE_LIMITED');
    expect((await setMode(bearer(TOKEN))).statusCode).toBe(200);
  });

  it('[OP1] shares no route with the public listener', async () => {
    const headers = bearer(TOKEN);
    for (const url of ['/v1/health', '/sandbox/admin/v1/mode', '/asyncapi.json']) {
      expectError(await gateway.app.inject({ url, headers }), 'NOT_FOUND');
    }
    const onPublic = await harness.call({
      method: 'POST',
      url: '/admin/v1/mode',
      headers,
      payload: {},
    });
    expectError(onPublic, 'NOT_FOUND');
  });

  it('[OA3] serves metrics of operations of both planes, codes, latency and lanes', async () => {
    await harness.call({ url: '/v1/health' });
    await harness.call({ url: '/v1/account' });
    await setMode(bearer(TOKEN));
    const { payload, headers } = await gateway.app.inject({ url: '/metrics' });
    expect(headers['content-type']).toContain('text/plain');
    expect(payload).toContain(
      'sibyl_http_requests_total{operation="getHealth",status="200",code="ok"} 1',
    );
    expect(payload).toContain('operation="getAccount",status="401",code="AUTH_REQUIRED"} 1');
    expect(payload).toContain('operation="setPlatformMode",status="200",code="ok"} 1');
    expect(payload).toMatch(/sibyl_http_request_seconds_count\{operation="getHealth"\} 1/);
    expect(payload).toContain('sibyl_lane_state{lane="live",state="running"} 1');
    expect(payload).toMatch(/sibyl_lane_seq\{lane="sandbox",kind="durable"\} \d+/);
  });

  it('[OA4] serves its own reference, with every operation of the plane', async () => {
    const document = (await gateway.app.inject({ url: '/openapi.json' })).json();
    const described = Object.values<object>(document.paths).flatMap((path) => Object.values(path));
    expect(described.map(({ operationId }) => operationId).sort()).toEqual(
      Object.keys(operatorOperations).sort(),
    );
    // There is no setting for the host of this port.
    expect(document.info.description).toContain(`open on ${ADMIN_HOST} of the server alone`);
    expect(document.info.description).toContain('no setting opens it elsewhere');
    const page = await gateway.app.inject({ url: '/docs/' });
    expect(page.statusCode).toBe(200);
    expect(page.payload).toContain('Sibyl: operator plane');
    expect(page.headers['content-security-policy']).toContain("default-src 'self'");
  });
});
