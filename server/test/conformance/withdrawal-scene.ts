// Money of the live lane that can be withdrawn, and destinations that it can go to.
import type { Scene } from './scene.ts';
import { ACT, type Call, type Person } from './world.ts';

const LIVE = { base: '' } as const;
const SPARE_MAX = 15;

/** The owner's session after a proof of who it is: the suite lasts longer than one counts. */
export async function provedSession({ world }: Scene, person: Person): Promise<string> {
  const { session, password } = person;
  await world.data('stepUp', { token: session, body: { password } });
  return session;
}

export function destinationBody({ world }: Scene): { label: string; destination: string } {
  return { label: 'bank', destination: world.fresh('till 3704 0044 ') };
}

/** Only so many may be had. */
async function dropSpareDestinations({ world }: Scene, { session }: Person): Promise<void> {
  const { destinations } = await world.data('listDestinations', { token: session });
  const known = destinations as readonly { readonly destination_id: string }[];
  if (known.length < SPARE_MAX) return;
  for (const { destination_id } of known) {
    await world.data('removeDestination', { token: session, params: { destination_id } });
  }
}

export async function addedDestination(scene: Scene, person: Person): Promise<string> {
  await dropSpareDestinations(scene, person);
  const token = await provedSession(scene, person);
  const body = destinationBody(scene);
  const added = await scene.world.data('addDestination', { token, body });
  return String(added.destination_id);
}

export async function withdrawalRequest(scene: Scene, person: Person): Promise<Call> {
  const { world } = scene;
  const destination = await addedDestination(scene, person);
  const { account_id: id } = await world.data('getAccount', { token: person.session, ...LIVE });
  await world.fund(String(id), '10', 'live');
  const body = { destination_id: destination, amount: '1' };
  return { token: person.session, ...LIVE, body };
}

/** One of somebody who has changed the password: it is held, so that it waits for whatever is asked about it. */
export async function onWithdrawal(scene: Scene): Promise<Call> {
  const { world, changer } = scene;
  const { session: token, password } = changer;
  const same = { current_password: password, new_password: password };
  await provedSession(scene, changer);
  await world.data('changePassword', { token, body: same });
  const made = await world.data('createWithdrawal', await withdrawalRequest(scene, changer));
  return { token, ...LIVE, params: { withdrawal_id: String(made.withdrawal_id) } };
}

/** One of the owner's that is above the limit, as an operator decides on it. */
export async function waitingWithdrawal(scene: Scene, person: Person): Promise<Call> {
  const { world } = scene;
  const call = await withdrawalRequest(scene, person);
  const { account_id: id } = await world.data('getAccount', { token: person.session, ...LIVE });
  await world.fund(String(id), '2000', 'live');
  const body = { ...Object(call.body), amount: '1500' };
  const made = await world.data('createWithdrawal', { ...call, body });
  const params = { withdrawal_id: String(made.withdrawal_id) };
  return { params, body: { ...ACT, lane: 'live' } };
}

/** One that an operator pays by hand; of somebody new, whose other withdrawals bring it above no limit. */
export async function duePayout(scene: Scene): Promise<Call> {
  const { world } = scene;
  const payee = await world.person('payee', '');
  const made = await world.data('createWithdrawal', await withdrawalRequest(scene, payee));
  const params = { withdrawal_id: String(made.withdrawal_id) };
  return { params, body: { ...ACT, lane: 'live' } };
}

/** One that an operator has taken up to pay it. */
export async function takenPayout(scene: Scene): Promise<Call> {
  const { world } = scene;
  const { params, body } = await duePayout(scene);
  await world.data('takeWithdrawal', { params: params ?? {}, body });
  return { params: params ?? {}, body: { ...Object(body), reference: world.fresh('transfer ') } };
}
