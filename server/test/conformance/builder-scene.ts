// Builders and apps of the suite: whoever needs one is made one, and what a request uses up is made afresh.
import { operations } from '@sibyl/contract';
import { newcomer } from './enrolled.ts';
import { isRecord } from './judge.ts';
import type { Scene } from './scene.ts';
import type { Call, Person, World } from './world.ts';

export const APPLICATION = {
  ...operations.applyForTrack.example.body,
  track: 'trade_full',
} as const;
const REASON = { reason: 'conformance' };
/** As long as an owner has fewer apps, there is room for those of a request. */
const APPS_MANY = 40;

/** Who has an application in review cannot send another. */
export async function undecided(world: World, token: string): Promise<void> {
  const { user_id: userId, application } = await world.data('getBuilder', { token });
  if (!isRecord(application) || application.status !== 'in_review') return;
  const body = { ...REASON, note: 'conformance' };
  await world.data('rejectBuilder', { params: { user_id: String(userId) }, body });
}

/** With a profile and the agreement, whatever came of the application. */
async function becomeBuilder(world: World, token: string): Promise<void> {
  const { profile } = await world.data('getBuilder', { token });
  if (profile === null) await world.data('applyForTrack', { token, body: APPLICATION });
}

/** Somebody new, whose application is in review. */
export async function applicant(world: World) {
  const person = await newcomer(world);
  await becomeBuilder(world, person.session);
  return person;
}

/** The same, approved. */
export async function approvedBuilder(world: World) {
  const person = await applicant(world);
  await world.data('approveBuilder', { params: { user_id: person.userId }, body: REASON });
  return person;
}

/** The person's own credential, or that of somebody new if the person has nearly as many apps as there may be. */
export async function roomyToken({ world, other }: Scene, person: Person): Promise<string> {
  for (const { key } of [person, other]) await becomeBuilder(world, key);
  const token = person.key;
  const apps = await world.list('listApps', { token, query: { limit: '500' } });
  return apps.length < APPS_MANY ? token : (await applicant(world)).session;
}

export function appBody(world: World): object {
  return { ...operations.createApp.example.body, name: world.fresh('App ') };
}

export async function createdApp(world: World, token: string): Promise<Record<string, unknown>> {
  return world.data('createApp', { token, body: appBody(world) });
}

/** A draft of the person's own. */
export async function onDraft(scene: Scene, person: Person): Promise<Call> {
  const token = await roomyToken(scene, person);
  const { app_id: id } = await createdApp(scene.world, token);
  return { token, params: { app_id: String(id) } };
}

/** The same, or a draft that the person has already: changes to it may be repeated. */
async function onAnyDraft(scene: Scene, person: Person): Promise<Call> {
  const query = { limit: '500' };
  const apps = await scene.world.list('listApps', { token: person.key, query });
  const draft = apps.find(({ status }) => status === 'draft');
  if (draft === undefined) return onDraft(scene, person);
  return { token: person.key, params: { app_id: String(draft.app_id) } };
}

/** One that waits for its review, of somebody new. */
export async function submittedApp(world: World): Promise<string> {
  const { session: token } = await approvedBuilder(world);
  const { app_id: id } = await createdApp(world, token);
  const params = { app_id: String(id) };
  await world.data('updateApp', { token, params, body: { action: 'submit' } });
  return params.app_id;
}

export async function disabledApp(world: World): Promise<string> {
  const { session: token } = await applicant(world);
  const { app_id: id } = await createdApp(world, token);
  const params = { app_id: String(id) };
  await world.data('updateApp', { token, params, body: { action: 'disable' } });
  return params.app_id;
}

export async function widgetKey(scene: Scene): Promise<string> {
  const token = await roomyToken(scene, scene.owner);
  return String((await createdApp(scene.world, token)).widget_key);
}

type Builder = (scene: Scene, owner: Person) => Call | Promise<Call>;

export const builderRequests: Readonly<Record<string, Builder>> = {
  getBuilder: (_scene, { key }) => ({ token: key }),
  applyForTrack: async ({ world, owner, other }, person) => {
    for (const { key } of [owner, other, person]) await undecided(world, key);
    return { token: person.key, body: APPLICATION };
  },
  createApp: async (scene, owner) => ({
    token: await roomyToken(scene, owner),
    body: appBody(scene.world),
  }),
  listApps: async (scene, owner) => {
    await becomeBuilder(scene.world, owner.key);
    const { key: token } = owner;
    const apps = await scene.world.list('listApps', { token, query: { limit: '2' } });
    for (let count = apps.length; count < 2; count += 1) await createdApp(scene.world, token);
    return { token, query: { limit: '1' } };
  },
  updateApp: async (scene, owner) => ({
    ...(await onAnyDraft(scene, owner)),
    body: { builder_fee_bps: 5 },
  }),
  rotateAppSecret: onDraft,

  findBuilders: () => ({ query: { limit: '1' } }),
  approveBuilder: async ({ world }) => ({
    params: { user_id: (await applicant(world)).userId },
    body: REASON,
  }),
  rejectBuilder: async ({ world }) => ({
    params: { user_id: (await applicant(world)).userId },
    body: { ...REASON, note: 'conformance' },
  }),
  setLoadTest: async ({ world }) => ({
    params: { user_id: (await applicant(world)).userId },
    body: { ...REASON, multiplier: 2, ends_at_ms: Date.now() + 3_600_000 },
  }),
  findApps: () => ({ query: { limit: '1' } }),
  approveApp: async ({ world }) => ({
    params: { app_id: await submittedApp(world) },
    body: { ...REASON, verified_name: world.fresh('Example Ltd '), fee_cap_bps: 50 },
  }),
  rejectApp: async ({ world }) => ({
    params: { app_id: await submittedApp(world) },
    body: { ...REASON, note: 'conformance' },
  }),
  disableApp: async ({ world }) => ({
    params: { app_id: await submittedApp(world) },
    body: { ...REASON, note: 'conformance' },
  }),
  enableApp: async ({ world }) => ({ params: { app_id: await disabledApp(world) }, body: REASON }),
};
