// Markets that journeys make for themselves, and what an operator does to them from the other side.
import type { Market, SibylClient } from '@sibyl/sdk';
import type { Page } from 'playwright-core';
import { enter } from './enter.ts';
import { opened } from './opened.ts';
import { sandbox } from './person.ts';

const CLOSES_IN_MS = 30 * 86_400_000;

const PASSWORD = 'correct horse battery staple';

/** Somebody who trades by program, with test money. */
export async function somebody(email: string): Promise<SibylClient> {
  const session = await sandbox.sessions.register({ email, password: PASSWORD });
  const client = sandbox.withToken(session.session_token);
  await client.sandbox.faucet();
  return client;
}

/** The same person at the page. */
export async function signIn(page: Page, email: string): Promise<void> {
  await enter(page, 'login', { email, password: PASSWORD });
}

/** A market of a template that the sandbox settles by hand. */
export async function makeMarket(
  maker: SibylClient,
  template: string,
  params: Readonly<Record<string, string>>,
): Promise<Market> {
  const { market } = await maker.markets.create({
    template_id: template,
    params: { ...params, closes_at_ms: Date.now() + CLOSES_IN_MS },
  });
  return market;
}

/** A market of that state which the sandbox began with. */
export async function seededMarket(
  query: NonNullable<Parameters<SibylClient['markets']['list']>[0]>,
): Promise<Market> {
  const [market] = (await sandbox.markets.list({ ...query, limit: 1 })).items;
  if (market === undefined) throw new Error(`no market of ${JSON.stringify(query)}`);
  return market;
}

export async function operatorAct(
  act: 'halt' | 'resume',
  marketId: string,
  words: string,
): Promise<void> {
  const answer = await fetch(`${opened.adminUrl}/admin/v1/markets/${marketId}/${act}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${opened.operatorToken}`,
      'content-type': 'application/json',
    },
    // Everyone reads the message of a halt; a reason is for operators.
    body: JSON.stringify({
      lane: 'sandbox',
      reason: words,
      ...(act === 'halt' && { message: words }),
    }),
  });
  if (!answer.ok) throw new Error(`the operator was refused: ${await answer.text()}`);
}

/**
 * The page then asks for everything by itself, as one does whose address has had its share of first answers. It does so for good:
 * its window must be closed, and not left to the next visitor.
 */
export async function withoutFirstAnswers(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const remove = (): void => document.getElementById('first-answers')?.remove();
    new MutationObserver(remove).observe(document, { childList: true, subtree: true });
  });
}
