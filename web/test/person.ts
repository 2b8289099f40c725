// A registered person with test money whom a journey can act for from outside, as a program of theirs would.
import { createClient, type Market, type SibylClient } from '@sibyl/sdk';
import type { Page } from 'playwright-core';
import { enter } from './enter.ts';
import { baseUrl } from './opened.ts';
import { PATIENCE_MS, type Stage, type VisitOptions } from './stage.ts';

export interface Person {
  readonly page: Page;
  /** What it does reaches the page by its streams only. */
  readonly client: SibylClient;
  /** The same person where real money is. */
  readonly live: SibylClient;
  readonly email: string;
  readonly password: string;
}

export const sandbox = createClient({ baseUrl: `${baseUrl}/sandbox`, timeoutMs: PATIENCE_MS });

type PersonOptions = VisitOptions & { readonly name?: string };

/** The page is at the address, signed in. */
export async function person(
  stage: Stage,
  path: string,
  options: PersonOptions = {},
): Promise<Person> {
  const somebody = await signedIn(stage, options);
  const { page } = somebody;
  await page.goto(path);
  await page.getByTestId('balance').waitFor();
  return somebody;
}

/** Nothing is loaded yet: for journeys that do something else before they go anywhere. */
export async function signedIn(stage: Stage, options: PersonOptions = {}): Promise<Person> {
  const { name, ...visit } = options;
  const page = await stage.visitor(visit);
  const email = `person-${crypto.randomUUID()}@example.com`;
  const password = 'correct horse battery staple';
  const body = { email, password, ...(name !== undefined && { display_name: name }) };
  const token = await enter(page, 'register', body);
  const { origin = baseUrl } = visit;
  const at = (address: string): SibylClient =>
    createClient({ baseUrl: address, timeoutMs: PATIENCE_MS }).withToken(token);
  const client = at(`${origin}/sandbox`);
  const live = at(origin);
  await client.sandbox.faucet();
  return { page, client, live, email, password };
}

/** A market of the person's own, which they may settle too. */
export async function ownMarket(client: SibylClient, question: string): Promise<Market> {
  const { market } = await client.markets.create({
    template_id: 'own-question',
    params: { question, closes_at_ms: Date.now() + 86_400_000 },
  });
  return market;
}

export async function buy(
  client: SibylClient,
  market: Market,
  size: string,
  price?: string,
): Promise<void> {
  await client.orders.place({
    market_id: market.market_id,
    outcome_id: 'yes',
    side: 'buy',
    size,
    ...(price === undefined ? { order_type: 'market' } : { order_type: 'limit', price }),
  });
}

/** The next such call is refused as if the last proof were old: nobody waits here for five minutes to pass. */
export async function needsProof(page: Page, path: string, method: string): Promise<void> {
  let isFirst = true;
  await page.route(`**${path}`, async (route) => {
    if (route.request().method() !== method || !isFirst) return route.fallback();
    isFirst = false;
    const error = {
      code: 'STEP_UP_MFA_REQUIRED',
      message: 'This needs a fresh second factor.',
      details: { factors: ['password'] },
      trace_id: 'req_0000000000000000',
    };
    return route.fulfill({ status: 403, json: { ok: false, data: null, meta: {}, error } });
  });
}
