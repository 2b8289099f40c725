// Second factors, passkeys, sessions and the profile, as somebody at the page meets them.

import { createHmac } from 'node:crypto';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { enter } from './enter.ts';
import { baseUrl } from './opened.ts';
import { needsProof, person, sandbox } from './person.ts';
import { Stage, soon } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
});
afterAll(() => stage.close());

/** Passkeys are of a name: the same server by it. */
const origin = baseUrl.replace('127.0.0.1', 'localhost');

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The code of RFC 6238 that an authenticator would show, some steps from now. */
function codeOf(secret: string): string {
  const bits = [...secret].map((letter) => LETTERS.indexOf(letter).toString(2).padStart(5, '0'));
  const seed = Buffer.from(
    bits
      .join('')
      .match(/.{8}/g)!
      .map((byte) => Number.parseInt(byte, 2)),
  );
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000)));
  const digest = createHmac('sha1', seed).update(counter).digest();
  const start = digest.at(-1)! & 15;
  return String((digest.readUInt32BE(start) & 0x7fff_ffff) % 1_000_000).padStart(6, '0');
}

/** The first factor asks for the password, however fresh the sign-in is. */
async function prove(page: Page, password: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Is it you?' });
  await dialog.getByLabel('Password').fill(password);
  await dialog.getByRole('button', { name: 'Go on' }).click();
}

/** Sets up an authenticator in the page; gives the code that was used for it, and the recovery codes. */
async function enrol(
  page: Page,
  password: string,
): Promise<{ used: string; codes: readonly string[] }> {
  await page.getByRole('button', { name: 'Set up' }).click();
  await prove(page, password);
  await page.getByRole('img', { name: 'QR code' }).waitFor();
  const secret = await page.locator('form code').innerText();
  const used = codeOf(secret);
  await page.getByLabel('Six digits').fill(used);
  await page.getByRole('button', { name: 'Confirm' }).click();
  const shown = page.getByRole('region', { name: 'Recovery codes' });
  await shown.waitFor();
  return { used, codes: await shown.getByRole('listitem').allInnerTexts() };
}

async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByRole('button', { name: 'Sign in' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Sign in' });
  await dialog.getByLabel('Email').fill(email);
  await dialog.getByLabel('Password').fill(password);
  await dialog.getByRole('button', { name: 'Sign in' }).click();
}

describe('security', () => {
  it('[WA8] sets up an authenticator, shows recovery codes once, and asks for it at the next sign-in', async () => {
    const { page, email, password } = await person(stage, '/sandbox/account');
    await page.getByText('Your password alone opens this account.').waitFor();
    const { used, codes } = await enrol(page, password);
    expect(codes).toHaveLength(10);
    await stage.expectAccessible(page);
    await page.getByRole('button', { name: 'I have stored them' }).click();
    await page.getByText(/Authenticator app: since/).waitFor();
    await page.getByText(/Withdrawals are held until/).waitFor();
    const other = await stage.visitor();
    await other.goto('/sandbox/account');
    await signIn(other, email, password);
    const code = other.getByRole('dialog').getByLabel('Code');
    // The one that was used to set it up is used up.
    await code.fill(used);
    await other.getByRole('dialog').getByRole('button', { name: 'Sign in' }).click();
    await other.getByText(/The code was used before/).waitFor();
    await other.getByRole('dialog').getByLabel('Password').fill('another password');
    await other.getByRole('dialog').getByRole('button', { name: 'Sign in' }).click();
    await other.getByText(/password is wrong|is wrong/).waitFor();
    await code.fill(String(codes[0]));
    // Whoever is new has no code, and whoever comes back from there is asked anew.
    await other.getByRole('button', { name: 'I am new here' }).click();
    await other.getByRole('dialog', { name: 'Register' }).waitFor();
    expect(await code.count()).toBe(0);
    await other.getByRole('button', { name: 'I have an account' }).click();
    await other.getByRole('dialog').getByLabel('Password').fill(password);
    await other.getByRole('dialog').getByRole('button', { name: 'Sign in' }).click();
    await code.fill(String(codes[0]));
    await other.getByRole('dialog').getByRole('button', { name: 'Sign in' }).click();
    await other.getByTestId('balance').waitFor();
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByText('Authenticator app: none').waitFor();
    stage.expectNoFaults(/status of 40[13]/);
  });

  it('[WA9] a call that needs a fresh proof asks for it, and goes on by itself', async () => {
    const { page, password } = await person(stage, '/sandbox/account');
    await needsProof(page, '/api/auth/totp', 'POST');
    await page.getByRole('button', { name: 'Set up' }).click();
    const dialog = page.getByRole('dialog', { name: 'Is it you?' });
    await dialog.getByLabel('Password').fill('not this one');
    await dialog.getByRole('button', { name: 'Go on' }).click();
    await dialog.getByText(/password is wrong/).waitFor();
    await stage.expectAccessible(page);
    await dialog.getByLabel('Password').fill(password);
    await dialog.getByRole('button', { name: 'Go on' }).click();
    await page.getByRole('img', { name: 'QR code' }).waitFor();
    expect(await dialog.count()).toBe(0);
    stage.expectNoFaults(/status of 40[13]/);
  });

  it('[WA10] a passkey is added, named, signs in without a password, and is removed', async () => {
    const { page, password } = await person(stage, '/sandbox/account', { origin, isClosed: true });
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('WebAuthn.enable');
    await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await prove(page, password);
    await page.getByRole('region', { name: 'Recovery codes' }).waitFor();
    await page.getByRole('button', { name: 'I have stored them' }).click();
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Laptop');
    await page
      .getByRole('region', { name: 'Passkeys' })
      .getByRole('button', { name: 'Save' })
      .click();
    await page.getByText('Laptop').waitFor();
    await page.getByText('never used').waitFor();
    await page.getByRole('button', { name: 'Your account' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in' }).first().click();
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.getByTestId('balance').waitFor();
    await page.goto('/sandbox/account');
    await page.getByText(/last used/).waitFor();
    const passkeys = page.getByRole('region', { name: 'Passkeys' });
    await passkeys.getByRole('button', { name: 'Remove' }).click();
    await page.getByText('Passkeys: none').waitFor();
    stage.expectNoFaults(/status of 40[13]/);
  });

  it('[WA11] other sessions are listed and ended, and the profile is kept', async () => {
    const { page, email, password } = await person(stage, '/sandbox/account');
    const other = await stage.visitor();
    await enter(other, 'login', { email, password });
    await other.goto('/sandbox/portfolio');
    await other.getByTestId('balance').waitFor();
    const elsewhere = await sandbox.sessions.logIn({ email, password });
    const client = sandbox.withToken(elsewhere.session_token);
    await page.getByLabel('Display name').fill('Ada');
    await page.getByLabel('Country').selectOption('DE');
    await page.getByLabel('Telephone').fill('+4930123456');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    expect(await client.profile.get()).toMatchObject({ country: 'DE', phone: '+4930123456' });
    await page.reload();
    await page.getByText('A program').waitFor();
    await page.getByText('(this one)').waitFor();
    await soon(() => page.getByLabel('Country').inputValue()).toBe('DE');
    await page.getByRole('button', { name: 'End all others' }).click();
    await soon(() => page.getByText('A program').count()).toBe(0);
    await expect(client.profile.get()).rejects.toMatchObject({ status: 401 });
    // The other browser says so, and goes on as a visitor.
    await other.getByText(/^You were signed out/).waitFor();
    await soon(() => other.getByTestId('balance').count()).toBe(0);
    await other.getByRole('link', { name: 'Markets' }).first().click();
    await other.getByRole('article').first().waitFor();
    await other.getByRole('status').getByRole('button', { name: 'Sign in' }).click();
    const form = other.getByRole('dialog', { name: 'Sign in' });
    await form.getByLabel('Email').fill(email);
    await form.getByLabel('Password').fill(password);
    await form.getByRole('button', { name: 'Sign in' }).click();
    await other.getByTestId('balance').waitFor();
    expect(await other.getByText(/^You were signed out/).count()).toBe(0);
    // Of what was asked in the name of the session that is over.
    stage.expectNoFaults(/status of 401/);
  });
});
