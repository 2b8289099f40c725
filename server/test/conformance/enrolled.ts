// People with second factors, made afresh for each request: codes are used up, and a proof lasts for minutes only.
import { codeAt } from '../gateway/authenticator-app.ts';
import { SoftPasskey } from '../gateway/soft-passkey.ts';
import { linkIn } from '../mailbox.ts';
import { PASSWORD } from './settings.ts';
import type { World } from './world.ts';

interface Enrolled {
  readonly email: string;
  readonly session: string;
  readonly userId: string;
}

/** Somebody who has just registered, and given the password once more. */
export async function newcomer(world: World): Promise<Enrolled> {
  const email = `${world.fresh('newcomer')}@example.com`;
  const { session_token: session, user_id: userId } = await world.data('register', {
    body: { email, password: PASSWORD },
  });
  await world.data('stepUp', { token: String(session), body: { password: PASSWORD } });
  return { email, session: String(session), userId: String(userId) };
}

/** What stands in the letter that registering has mailed. */
export async function mailedToken(world: World, email: string): Promise<string> {
  return linkIn(await world.mailbox.letter(email)).token;
}

/** What stands in the link for a new password that an operator has mailed. */
export async function resetToken(
  world: World,
  { userId, email }: Pick<Enrolled, 'userId' | 'email'>,
): Promise<string> {
  const body = { reason: 'conformance' };
  await world.data('createResetLink', { params: { user_id: userId }, body });
  for (let place = 0; ; place += 1) {
    const { url, token } = linkIn(await world.mailbox.letter(email, place));
    if (url.includes('/reset#')) return token;
  }
}

/** With the code that would confirm what was begun. */
export async function withSeed(world: World): Promise<Enrolled & { readonly otp: string }> {
  const person = await newcomer(world);
  const { secret } = await world.data('enrolTotp', { token: person.session });
  return { ...person, otp: codeAt(String(secret), Date.now()) };
}

export async function withTotp(world: World): Promise<Enrolled> {
  const { otp, ...person } = await withSeed(world);
  await world.data('confirmTotp', { token: person.session, body: { otp } });
  return person;
}

/** With the answer that would add a passkey. */
export async function withOptions(world: World): Promise<Enrolled & { readonly response: object }> {
  const person = await newcomer(world);
  return { ...person, response: await answerOf(world, person.session, new SoftPasskey()) };
}

export async function withPasskey(world: World) {
  const person = await newcomer(world);
  const passkey = new SoftPasskey();
  return { ...person, passkey, passkeyId: await addPasskey(world, person.session, passkey) };
}

export async function addPasskey(
  world: World,
  session: string,
  passkey: SoftPasskey,
): Promise<string> {
  const body = { label: 'laptop', response: await answerOf(world, session, passkey) };
  const added = await world.data('addPasskey', { token: session, body });
  return String((added.passkey as Record<string, unknown>).passkey_id);
}

export async function answerOf(
  world: World,
  session: string,
  passkey: SoftPasskey,
): Promise<object> {
  const { options } = await world.data('beginPasskey', { token: session });
  return passkey.create(options as Record<string, unknown>);
}

/** What a passkey says to a fresh challenge. */
export async function proofOf(world: World, passkey: SoftPasskey): Promise<object> {
  const { options } = await world.data('askPasskey', {});
  return passkey.prove(options as Record<string, unknown>);
}

interface EnrolledOperator {
  readonly name: string;
  readonly password: string;
  readonly operatorId: string;
  /** Confirmed by the password, before there was a second factor. */
  readonly session: string;
}

/** An operator of its own, with the code that would confirm what it has begun. */
export async function operatorWithSeed(
  world: World,
): Promise<EnrolledOperator & { readonly otp: string }> {
  const { name, password } = await world.viewer();
  const opened = await world.data('openOperatorSession', { token: null, body: { name, password } });
  const session = String(opened.session_token);
  await world.data('stepUpOperatorSession', { token: session, body: { password } });
  const { secret } = await world.data('enrolOperatorTotp', { token: session });
  const { operator_id: operatorId } = opened.operator as Record<string, unknown>;
  const otp = codeAt(String(secret), Date.now());
  return { name, password, operatorId: String(operatorId), session, otp };
}

export async function operatorWithTotp(world: World): Promise<EnrolledOperator> {
  const { otp, ...operator } = await operatorWithSeed(world);
  await world.data('confirmOperatorTotp', { token: operator.session, body: { otp } });
  return operator;
}
