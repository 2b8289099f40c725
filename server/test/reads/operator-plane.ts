// The operator plane of a lane for those who read there, with the report of a reconciliation to be read.
import { operatorOperations } from '@sibyl/contract';
import type { LiveHistory } from '@sibyl/history';
import type { Journal, Lane } from '@sibyl/lane';
import type { Response } from 'light-my-request';
import { systemRandom } from '../../src/adapters/node/random.ts';
import { silentLog } from '../../src/gateway/log.ts';
import { MaintenanceWindow } from '../../src/gateway/maintenance-window.ts';
import { OperatorGuard } from '../../src/gateway/operator-guard.ts';
import { createGateway } from '../../src/http/http.ts';
import { addMemoryGauges } from '../../src/memory-gauges.ts';
import { operatorHandlers } from '../../src/operator/handlers.ts';
import { readOperatorToken } from '../../src/operator/token.ts';
import { operatorViews } from '../../src/operator/views.ts';
import { bearer, type Harness } from '../gateway/harness.ts';

export interface OperatorPlane {
  get(address: string): Promise<Response>;
  close(): Promise<void>;
}

export async function openOperatorPlane(
  { platform, secrets, clock }: Harness,
  lane: Lane,
  journal: Journal,
  history: LiveHistory,
): Promise<OperatorPlane> {
  const token = await readOperatorToken(null, platform, secrets, systemRandom);
  const keeper = { rebuild: null, begin: () => true };
  const opened = { sandbox: { lane, journal, snapshots: null, history, keeper } };
  const shared = { platform, clock };
  const gateway = await createGateway({
    ...shared,
    operations: operatorOperations,
    handlers: operatorHandlers({
      ...shared,
      opened,
      views: operatorViews(opened, clock),
      maintenance: await MaintenanceWindow.open(platform, clock),
      backUp: () => Promise.reject(new Error('only reads are asked for')),
    }),
    lanes: { sandbox: lane },
    secrets,
    random: systemRandom,
    log: silentLog,
    operatorGuard: new OperatorGuard(secrets, token.hash),
  });
  addMemoryGauges(gateway.metrics.registry, [{ lane, history }], () => 0);
  const headers = bearer(token.made ?? '');
  const url = '/admin/v1/reconciliation';
  const payload = { lane: 'sandbox', reason: 'to be read' };
  await gateway.app.inject({ method: 'POST', url, headers, payload });
  for (let isRunning = true; isRunning; ) {
    const { data } = (await gateway.app.inject({ url: `${url}?lane=sandbox`, headers })).json();
    isRunning = data.run.state === 'running';
  }
  return {
    get: (address) => gateway.app.inject({ url: address, headers }),
    close: () => gateway.close(),
  };
}
