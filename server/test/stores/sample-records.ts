// Sample records of the stores: written to and read from each database that keeps them.
import type { PlatformStore } from '../../src/ports/platform.ts';
import type { EndpointRecord, Verdict, WebhookStore } from '../../src/ports/webhooks.ts';
import { key, user } from '../ports/platform-suite.ts';
import { delivery, endpoint } from '../ports/webhooks-suite.ts';

const change = { actor: 'ops', reason: 'ticket 1', atMs: 50 };

const answer = (name: string, atMs: number) => ({
  scope: 'scope',
  key: name,
  bodyHash: 'h',
  answer: '{"data":{"note":"é ☃"}}',
  atMs,
});

const session = (name: string) => ({
  sessionId: `ses_${name}`,
  tokenHash: 'hash',
  userId: `usr_${name}`,
  createdAtMs: 1_790_000_000_000,
  expiresAtMs: 1_790_000_900_000,
  endedAtMs: null,
  steppedUpAtMs: null,
  lastSeenAtMs: 1_790_000_000_000,
  network: '',
  device: '',
});

export async function writePlatform(store: PlatformStore): Promise<void> {
  await store.addUser({ ...user('ada'), displayName: 'Ada ☃', createdAtMs: 1_789_999_999_999 });
  await store.addUser({ ...user('bob'), referrerId: 'usr_ada', createdAtMs: 1_790_000_000_000 });
  await store.addUser({ ...user('eve'), isDemo: true, createdAtMs: 1_790_000_000_000 });
  for (const name of ['ada', 'bob']) await store.addSession(session(name));
  await store.endSession('ses_bob', 1_790_000_100_000);
  const own = {
    ...{ holderId: 'usr_ada', userId: 'usr_ada' },
    ...{ createdAtMs: 1_790_000_200_000, isSteppedUp: false },
  };
  await store.addKey({ ...key('a'), ...own, mintedBy: 'ses_ada' }, answer('mint', 60));
  await store.addKey({ ...key('b'), ...own, mintedBy: key('a').publicId, expiresAtMs: 9 });
  await store.addAnonymousKey(key('c'), { day: 20_000, addressHash: 'h1' });
  await store.revokeKey(key('b').publicId, 70, answer('revoke', 70));
  await store.setUserTier('usr_bob', 'genesis', change);
  await store.setKeyRate(key('a').publicId, 10, change);
  await store.touchKeys(new Map([[key('a').publicId, 80]]));
  await store.keepAnswer(answer('order', 90));
  await store.putSetting('operator.token', 'a digest');
  await store.putDisconnectCancel({
    lane: 'sandbox',
    credential: key('a').publicId,
    accountId: 'acc_sandbox',
    graceMs: 5000,
  });
  const incident = { lane: 'live', kind: 'degraded', fromMs: 100, reason: 'slow' } as const;
  await store.putIncident({ ...incident, incidentId: 'inc_1', toMs: 200 });
  await store.putIncident({ ...incident, incidentId: 'inc_2', fromMs: 300, toMs: null });
}

/** Everything that `writePlatform` wrote, as the store tells it. */
export async function readPlatform(store: PlatformStore): Promise<unknown> {
  const names = ['ada', 'bob', 'eve'];
  const subjects = ['usr_bob', key('a').publicId];
  return {
    users: await Promise.all(names.map((name) => store.userById(`usr_${name}`))),
    sessions: await Promise.all(names.map((name) => store.sessionById(`ses_${name}`))),
    keys: await Promise.all(['a', 'b', 'c'].map((name) => store.keyById(key(name).publicId))),
    listed: await store.keysOf('usr_ada', { limit: 10, after: null }),
    hasClaim: await store.hasClaim({ day: 20_000, addressHash: 'h1' }),
    changes: await Promise.all(subjects.map((subject) => store.tierChanges(subject))),
    answers: await Promise.all(
      ['mint', 'revoke', 'order'].map((name) => store.savedAnswer('scope', name, 0)),
    ),
    setting: await store.setting('operator.token'),
    lifelines: await store.disconnectCancels(),
    incidents: await store.incidents(0),
  };
}

const attempt = {
  number: 1,
  atMs: 1_790_000_300_000,
  httpStatus: 500,
  failure: null,
  latencyMs: 3,
  answerBytes: 2,
};

export async function writeWebhooks(store: WebhookStore): Promise<void> {
  await store.addEndpoint(
    { ...endpoint('wh_a'), marketIds: ['m_1'], balanceLowThreshold: 12_345_678_901_234_567_890n },
    answer('webhook', 60),
  );
  await store.addEndpoint({ ...endpoint('wh_b'), environment: 'sandbox' });
  await store.changeEndpoint('wh_b', { disabledReason: 'owner', disabledAtMs: 5, updatedAtMs: 5 });
  const deliveries = [
    delivery('1', 'wh_a', 'x'),
    delivery('2', 'wh_a', 'x'),
    delivery('3', 'wh_a', 'y'),
    delivery('4', 'wh_b', 'x'),
  ];
  await store.take({ environment: 'live', seq: 9_007_199_254, deliveries, atMs: 100 }, 100);
  const judge = ({ health, disabledReason, disabledAtMs }: EndpointRecord): Verdict => ({
    health: { ...health, lastAttemptAtMs: 7 },
    disabledReason,
    disabledAtMs,
  });
  const pending = { deliveryId: 'dlv_1', status: 'pending', nextAttemptAtMs: 7 } as const;
  await store.settle({ ...pending, attempt, judge });
  const sent = { deliveryId: 'dlv_3', status: 'succeeded', nextAttemptAtMs: null } as const;
  await store.settle({ ...sent, attempt, judge });
  const [done] = await store.finishedSince('wh_a', 0, 1);
  await store.replay([{ deliveryId: 'dlv_r', of: done! }], 200);
}

/** Everything that `writeWebhooks` wrote, as the store tells it. */
export async function readWebhooks(store: WebhookStore): Promise<unknown> {
  const endpoints = [...(await store.endpointsIn('live')), ...(await store.endpointsIn('sandbox'))];
  const all = { limit: 10, beforePosition: null, status: null, eventType: null };
  return {
    // JSON has no integers of this size.
    endpoints: endpoints.map((one) => ({
      ...one,
      balanceLowThreshold: `${one.balanceLowThreshold}`,
    })),
    deliveries: [
      ...(await store.deliveriesOf('wh_a', all)),
      ...(await store.deliveriesOf('wh_b', all)),
    ],
    attempts: await store.attemptsOf(['dlv_1', 'dlv_3']),
    cursors: [await store.cursor('live'), await store.cursor('sandbox')],
    due: Object.fromEntries(await store.dueTimes()),
    answer: await store.savedAnswer('scope', 'webhook', 0),
  };
}

/** Writes the sample records, then closes both stores. */
export async function keepRecords(platform: PlatformStore, webhooks: WebhookStore): Promise<void> {
  await writePlatform(platform);
  await writeWebhooks(webhooks);
  await platform.close();
  await webhooks.close();
}
