// The operator plane of a lane for those who read there, with the report of a reconciliation to be read.
import { operatorOperations } from '@sibyl/contract';
import type { LiveHistory } from '@sibyl/history';
import type { Journal, Lane } from '@sibyl/lane';
import type { Response } from 'light-my-request';
import { MemoryOperatorStore } from '../../src/adapters/memory/operators.ts';
import { systemRandom } from '../../src/adapters/node/random.ts';
import { ComplianceOffice } from '../../src/compliance/office.ts';
import { LocalReceivers } from '../../src/delivery/local-receivers.ts';
import { Vault } from '../../src/delivery/vault.ts';
import { silentLog } from '../../src/gateway/log.ts';
import { MaintenanceWindow } from '../../src/gateway/maintenance-window.ts';
import { OperatorGuard } from '../../src/gateway/operator-guard.ts';
import { Turns } from '../../src/handling/turns.ts';
import { createGateway } from '../../src/http/http.ts';
import { MailedLetters } from '../../src/mail/security-letters.ts';
import { addMemoryGauges } from '../../src/memory-gauges.ts';
import { operatorHandlers } from '../../src/operator/handlers.ts';
import { Reconciliations } from '../../src/operator/reconciliation.ts';
import { Refusals } from '../../src/operator/refusals.ts';
import { operatorTokenOf } from '../../src/operator/token.ts';
import { operatorViews } from '../../src/operator/views.ts';
import { bearer, type Harness, quickPasswords } from '../gateway/harness.ts';
import { signingOf } from '../gateway/signing.ts';

const TOKEN = 'op_a-long-token-of-somebody-who-reads';

export interface OperatorPlane {
  get(address: string): Promise<Response>;
  close(): Promise<void>;
}

export async function openOperatorPlane(
  { platform, secrets, clock, links }: Harness,
  lane: Lane,
  journal: Journal,
  history: LiveHistory,
): Promise<OperatorPlane> {
  const operators = new MemoryOperatorStore();
  const token = operatorTokenOf(TOKEN, 'admin', secrets);
  const keeper = { rebuild: null, begin: () => true };
  const opened = { sandbox: { lane, journal, snapshots: null, history, keeper } };
  const lanes = { sandbox: lane };
  const base = { platform, secrets, clock, random: systemRandom };
  const shared = { ...base, office: await ComplianceOffice.open({ ...base, lanes }) };
  const gateway = await createGateway({
    ...shared,
    operations: operatorOperations,
    handlers: operatorHandlers({
      ...shared,
      signing: signingOf(platform, secrets),
      operators,
      links,
      letters: new MailedLetters({ platform, clock, mailer: null }),
      passwords: quickPasswords,
      signInPasswords: quickPasswords,
      vault: new Vault(secrets, systemRandom, 'authenticator seeds 1'),
      log: silentLog,
      opened,
      alarms: { current: [] },
      jobs: { reports: [] },
      refusals: new Refusals(clock),
      depositTurns: new Turns(),
      closingTurns: new Turns(),
      depositApprovalAbove: null,
      challengeMinSec: 3600,
      views: operatorViews(opened, clock),
      maintenance: await MaintenanceWindow.open(platform, clock),
      localReceivers: new LocalReceivers(clock, []),
      modes: {},
      reconciliations: new Reconciliations({ clock, platform }),
      samples: { after: () => [] },
      backups: () => [],
      backUp: () => Promise.reject(new Error('only reads are asked for')),
    }),
    lanes,
    log: silentLog,
    operatorGuard: new OperatorGuard({
      ...{ operators, secrets, clock, token, isFactorRequired: false },
      noteRefusal: async () => undefined,
    }),
  });
  addMemoryGauges(gateway.metrics.registry, [{ lane, history }], () => 0);
  const headers = bearer(TOKEN);
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
