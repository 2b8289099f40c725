// What the consent page asks of the exchange: the same calls that any page makes, with the same checks and limits.
import type { ErrorCode, OperationOutput } from '@sibyl/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { LanesRun } from '../gateway/environment.ts';
import type { LaneName } from '../handling/handler.ts';
import type { AuthorizeRequest } from './authorize-request.ts';

export type Outcome<Data> =
  | { readonly ok: true; readonly data: Data; readonly cookie: string | null }
  | { readonly ok: false; readonly code: ErrorCode; readonly message: string };

export interface SignIn {
  readonly email: string;
  readonly password: string;
  readonly code: string;
}

/** What the person decided: empty is the whole account, and no cap. */
export interface Choice {
  readonly account: string;
  readonly dailyCap: string;
}

interface Call {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly token?: string;
  readonly body?: object;
}

/** Headers that say who asks and from where; all others are about the page itself. */
const PASSED_ON = [
  'host',
  'origin',
  'sec-fetch-site',
  'user-agent',
  'accept-language',
  'x-forwarded-for',
  'cookie',
] as const;

export class OwnCalls {
  readonly #app: FastifyInstance;
  readonly #lanesRun: LanesRun;

  constructor(app: FastifyInstance, lanesRun: LanesRun) {
    this.#app = app;
    this.#lanesRun = lanesRun;
  }

  signIn(request: FastifyRequest, given: SignIn): Promise<Outcome<OperationOutput<'logIn'>>> {
    const { email, password, code } = given;
    const isOtp = /^\d{6}$/.test(code);
    const proof = code === '' ? {} : isOtp ? { otp: code } : { recovery_code: code };
    const body = { email, password, ...proof, cookie: true };
    return this.#call(request, { method: 'POST', url: '/api/auth/login', body });
  }

  register(
    request: FastifyRequest,
    { email, password }: Pick<SignIn, 'email' | 'password'>,
  ): Promise<Outcome<OperationOutput<'register'>>> {
    const body = { email, password, cookie: true };
    return this.#call(request, { method: 'POST', url: '/api/auth/register', body });
  }

  signOut(request: FastifyRequest, token: string): Promise<Outcome<object>> {
    return this.#call(request, { method: 'POST', url: '/api/auth/logout', token });
  }

  account(
    request: FastifyRequest,
    token: string,
    lane: LaneName,
  ): Promise<Outcome<OperationOutput<'getAccount'>>> {
    return this.#call(request, { method: 'GET', url: `${this.#base(lane)}/v1/account`, token });
  }

  subaccounts(
    request: FastifyRequest,
    token: string,
    lane: LaneName,
  ): Promise<Outcome<OperationOutput<'listSubaccounts'>>> {
    return this.#call(request, { method: 'GET', url: `${this.#base(lane)}/v1/subaccounts`, token });
  }

  grants(
    request: FastifyRequest,
    token: string,
    lane: LaneName,
  ): Promise<Outcome<OperationOutput<'listGrants'>>> {
    const url = `${this.#base(lane)}/v1/connect/grants?status=active`;
    return this.#call(request, { method: 'GET', url, token });
  }

  grant(
    request: FastifyRequest,
    token: string,
    { app, redirectUri, scopes, challenge, lane }: AuthorizeRequest,
    { account, dailyCap }: Choice,
  ): Promise<Outcome<OperationOutput<'createGrant'>>> {
    const body = {
      kind: 'oauth',
      client_id: app.appId,
      redirect_uri: redirectUri,
      scopes,
      code_challenge: challenge,
      ...(account === '' ? {} : { subaccount_id: account }),
      ...(dailyCap === '' ? {} : { daily_cap: dailyCap }),
    };
    const url = `${this.#base(lane)}/v1/connect/grants`;
    return this.#call(request, { method: 'POST', url, token, body });
  }

  #base(lane: LaneName): string {
    return this.#lanesRun === 'both' && lane === 'sandbox' ? '/sandbox' : '';
  }

  async #call<Data>(
    { headers, socket }: FastifyRequest,
    { method, url, token, body }: Call,
  ): Promise<Outcome<Data>> {
    const said = PASSED_ON.flatMap((name) => {
      const value = headers[name];
      return value === undefined ? [] : [[name, String(value)] as const];
    });
    const bearer = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const response = await this.#app.inject({
      method,
      url,
      headers: { ...Object.fromEntries(said), ...bearer },
      ...(socket.remoteAddress === undefined ? {} : { remoteAddress: socket.remoteAddress }),
      ...(body === undefined ? {} : { payload: body }),
    });
    // What this very server has just written.
    const answer: Envelope<Data> = response.json();
    if (!answer.ok) return { ok: false, code: answer.error.code, message: answer.error.message };
    const { 'set-cookie': cookie } = response.headers;
    return { ok: true, data: answer.data, cookie: typeof cookie === 'string' ? cookie : null };
  }
}

type Envelope<Data> =
  | { readonly ok: true; readonly data: Data }
  | { readonly ok: false; readonly error: { readonly code: ErrorCode; readonly message: string } };
