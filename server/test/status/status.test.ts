import { expect, it } from 'vitest';
import { startServer, temporaryFolder } from '../server-process.ts';

const OPERATOR_TOKEN = 'op_status_page_token_000001';
const environment = { OPERATOR_TOKEN, LANES: 'live' };

interface Status {
  readonly state: string;
  readonly lanes: readonly { readonly environment: string; readonly state: string }[];
  readonly incidents: readonly {
    readonly kind: string;
    readonly started_at_ms: number;
    readonly ended_at_ms: number | null;
  }[];
}

async function statusAt(baseUrl: string): Promise<Status> {
  const response = await fetch(`${baseUrl}/v1/status`);
  expect(response.status).toBe(200);
  return ((await response.json()) as { readonly data: Status }).data;
}

it('[SU1][SU3] the status is public, tells of the operator’s pause at once, and of a kill after it', async () => {
  const data = temporaryFolder();
  try {
    const first = await startServer({ dataDir: data.folder, environment });
    expect(await statusAt(first.baseUrl)).toMatchObject({
      state: 'ok',
      lanes: [{ environment: 'live', state: 'ok' }],
      incidents: [],
    });
    const mode = await fetch(`${first.adminUrl}/admin/v1/mode`, {
      method: 'POST',
      headers: { authorization: `Bearer ${OPERATOR_TOKEN}`, 'content-type': 'application/json' },
      body: JSON.stringify({ lane: 'live', mode: 'read_only', reason: 'a drill' }),
    });
    expect(mode.status).toBe(200);
    while ((await statusAt(first.baseUrl)).state !== 'read_only') {
      // The look that the act asked for is under way.
    }
    const killedMs = Date.now();
    await first.stop('SIGKILL');
    const second = await startServer({ dataDir: data.folder, environment });
    const { incidents, state } = await statusAt(second.baseUrl);
    expect(state).toBe('read_only');
    expect(incidents.map(({ kind }) => kind)).toEqual(['read_only', 'down', 'read_only']);
    const down = incidents[1];
    expect(down?.started_at_ms).toBeLessThanOrEqual(killedMs);
    expect(down?.ended_at_ms).toBeGreaterThanOrEqual(killedMs);
    await second.stop();
  } finally {
    data.remove();
  }
});
