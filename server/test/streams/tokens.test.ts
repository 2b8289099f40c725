// Sockets of apps: who may listen to what, and how they end.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client as App, addApp, connect, post, renewing } from '../modules/connected-app.ts';
import { openStage, pause, type Stage } from './stage.ts';

let stage: Stage;
let user: string;
let app: App;
beforeAll(async () => {
  stage = await openStage();
  user = await stage.exchange.session();
  app = await addApp(stage.exchange, await stage.exchange.session());
});
afterAll(() => stage.close());

const MARKET_STREAMS = ['ticker', 'orderbook', 'markets_snapshot'];

async function listen(token: string, params: readonly string[]) {
  const client = await stage.connect();
  await client.ask({ op: 'AUTH', token }, 'authenticated');
  const { data } = await client.ask({ op: 'SUBSCRIBE', params }, 'subscribed');
  return { client, data };
}

describe('sockets of apps', () => {
  it('[OAU15] an access token authenticates, and its scopes say which streams may be had', async () => {
    const params = [...MARKET_STREAMS, 'signals', 'account', 'trade_executed', 'deposit'];
    const cases = [
      [['markets:read'], ['account', 'trade_executed', 'deposit']],
      [['orders:trade'], ['signals', 'account', 'trade_executed', 'deposit']],
      [['account:read'], []],
    ] as const;
    for (const [scopes, refused] of cases) {
      const { access } = await connect(stage.exchange, app, user, scopes);
      const { client, data } = await listen(access, params);
      const rejected = data.rejected.map(({ stream, code }: Record<string, string>) => [
        stream,
        code,
      ]);
      expect(rejected).toEqual(refused.map((stream) => [stream, 'SCOPE_MISSING']));
      const armed = { op: 'AUTH', token: access, cancel_on_disconnect: true };
      const reply = scopes[0] === 'orders:trade' ? 'authenticated' : 'error';
      expect((await client.ask(armed, reply)).type).toBe(reply);
      client.socket.close();
    }
    const { access } = await connect(stage.exchange, app, user);
    const { client } = await listen(access, ['account']);
    const [known] = client.frames.filter(({ type }) => type === 'authenticated');
    expect(known?.data.user_id).toBe(known?.data.account_id);
    const [shown] = client.frames.filter(({ type }) => type === 'account');
    const account = shown ?? (await client.next('account'));
    expect(account.data.account.email).toBeNull();
    client.socket.close();
  });

  it('[OAU8] whoever revokes a grant, a token or an app closes its sockets, and each is told why', async () => {
    const { exchange } = stage;
    const { appId } = app.app;
    const cases = [
      [
        'grant_revoked',
        (id: string) => exchange.ask('revokeGrant', { token: user, params: { grant_id: id } }),
      ],
      [
        'token_revoked',
        (_id: string, access: string) => {
          const form = { token: access, client_id: appId, client_secret: app.secret };
          return post(exchange, form, {}, '/oauth/revoke');
        },
      ],
      [
        'grant_revoked',
        (_id: string, _access: string, refresh: string) => {
          const form = renewing(app, refresh);
          return post(exchange, form).then(() => post(exchange, form));
        },
      ],
      [
        'grant_revoked',
        () => {
          const act = { actor: 'opr_1', reason: 'x', atMs: exchange.clock.wallMs() };
          return exchange.platform.apps.change(appId, act, (one) => ({
            ...one,
            status: 'disabled',
          }));
        },
      ],
    ] as const;
    for (const [reason, end] of cases) {
      const { access, refresh, grantId } = await connect(exchange, app, user);
      const { client } = await listen(access, ['account', 'ticker']);
      const told = client.next('auth_revoked');
      await end(grantId, access, refresh);
      expect((await told).data).toMatchObject({ reason, streams: ['account'] });
      expect(await client.ended()).toBe(4001);
      const again = await stage.connect();
      expect((await again.ask({ op: 'AUTH', token: access }, 'error')).data.code).toMatch(
        /^(TOKEN_REVOKED|APP_DISABLED)$/,
      );
      again.socket.close();
    }
    const act = { actor: 'opr_1', reason: 'x', atMs: exchange.clock.wallMs() };
    await exchange.platform.apps.change(appId, act, (one) => ({ ...one, status: 'approved' }));
  });

  it('[OAU15] a token that is about to end is announced, and the next one of its grant goes on in its place', async () => {
    const { exchange } = stage;
    const { access, refresh } = await connect(exchange, app, user);
    const { client } = await listen(access, ['account']);
    const step = async (ms: number) => {
      exchange.clock.advance(ms);
      await pause(5);
    };
    exchange.clock.advance(900_000 - 40_000);
    await step(1_000);
    await client.next('auth_expiring');
    const { access_token: next } = (await post(exchange, renewing(app, refresh))).json();
    await client.ask({ op: 'AUTH', token: next }, 'authenticated');
    await step(40_000);
    await client.settle();
    expect(client.closed).toBeNull();
    exchange.clock.advance(900_000);
    await step(1_000);
    expect((await client.next('auth_revoked')).data.reason).toBe('expired');
  });
});
