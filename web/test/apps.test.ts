// From an application to an approved app: what a builder does at the pages, and what becomes of it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { approveApp, approveBuilder } from './operator.ts';
import { person } from './person.ts';
import { baseUrl, Stage, widths } from './stage.ts';

let stage: Stage;

beforeAll(async () => {
  stage = await Stage.open();
});

afterAll(() => stage?.close());

const HOME = 'https://desk.example';

/** What a page of another site reads with the key. */
async function statusFor(key: string, origin: string): Promise<number> {
  const headers = { 'x-api-key': key, origin };
  return (await fetch(`${baseUrl}/v1/markets?limit=1`, { headers })).status;
}

describe('builders and apps', () => {
  it('[WD12] leads from the agreement over an application and a review to an app with a secret that is shown once', async () => {
    const { page, client } = await person(stage, '/sandbox/developers/apps');
    await page.getByText('Accept the builder agreement first').waitFor();
    await page.getByRole('link', { name: 'To the application' }).click();
    await page.getByText('Traded in 30 days with one key, in USD').waitFor();
    await page.getByLabel('You or your company').fill('Ada Example');
    await page.getByLabel('What you want to build').fill('A dashboard for elections.');
    const apply = page.getByRole('button', { name: 'Apply' });
    await page.getByText('Accept the agreement first').waitFor();
    expect(await apply.isDisabled()).toBe(true);
    await page.getByText('The builder agreement').click();
    await page.getByText('Your app does for a user what that user has allowed it').waitFor();
    await page.getByRole('checkbox', { name: /I have read the agreement/ }).check();
    await stage.expectAccessible(page);
    await apply.click();
    await page.getByText('Somebody of the exchange looks at it.').waitFor();
    const { user_id: userId, application } = await client.builders.me();
    expect(application).toMatchObject({ track: 'trade_capped', status: 'in_review' });
    await approveBuilder(userId);

    await page.getByRole('link', { name: 'Apps', exact: true }).click();
    await page.getByRole('button', { name: 'Register an app' }).first().click();
    await page.getByLabel('Name').fill('Election desk');
    await page.getByLabel('Redirect addresses').fill(`${HOME}/callback`);
    await page.getByLabel('Origins of the widget').fill(`${HOME}/`);
    await page.getByRole('checkbox', { name: 'orders:trade' }).check();
    await page.getByRole('button', { name: 'Register', exact: true }).click();
    // What is wrong with an address is said.
    await page.getByText(/an origin as browsers send it/).waitFor();
    await page.getByLabel('Origins of the widget').fill(HOME);
    await page.getByRole('button', { name: 'Register', exact: true }).click();
    const row = page.locator('dl > div', { hasText: /^client_secret/ });
    const secret = (await row.locator('code').textContent()) ?? '';
    expect(secret).toMatch(/^acs_/);
    await page.getByRole('button', { name: 'I have stored it' }).click();
    expect(await page.locator('body').textContent()).not.toContain(secret);
    await page.getByRole('button', { name: 'Submit for review' }).click();
    await page.getByText('in review', { exact: true }).waitFor();
    const [app] = (await client.apps.list({})).items;
    await approveApp(app?.app_id ?? '', `Ada ${crypto.randomUUID()}`);
    await page.reload();
    await page.getByText('approved', { exact: true }).waitFor();

    await page.getByText('Widget', { exact: true }).click();
    const snippet = (await page.getByRole('figure').textContent()) ?? '';
    const [key = ''] = /pk_[\w-]+/.exec(snippet) ?? [];
    expect([await statusFor(key, HOME), await statusFor(key, baseUrl)]).toEqual([200, 403]);
    await page.getByRole('button', { name: 'New secret' }).click();
    const dialog = page.getByRole('dialog', { name: 'A new client secret?' });
    await dialog.getByText('The old one stays good for 24 hours').waitFor();
    await dialog.getByRole('button', { name: 'New secret' }).click();
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByText(/Both secrets are good until/).waitFor();
    await page.setViewportSize({ width: widths.phone, height: 844 });
    await stage.expectFits(page);
    await stage.expectAccessible(page);
    await page.getByRole('button', { name: 'Disable' }).click();
    const asked = page.getByRole('dialog', { name: 'Disable Election desk?' });
    await asked.getByRole('button', { name: 'Disable' }).click();
    await page.getByText('Works for nobody.').waitFor();
    expect(await statusFor(key, HOME)).toBe(401);
    // The browser itself notes the refusal.
    stage.expectNoFaults(/status of 400/);
  });
});
