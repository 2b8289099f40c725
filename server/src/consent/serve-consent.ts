// The consent page of apps: signs a person in if need be, shows what an app asks for, and sends the answer back to it.
import type { ErrorCode } from '@sibyl/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { admitStranger } from '../gateway/admit-stranger.ts';
import { type Services, shuttingDown, strangersAdmission } from '../gateway/gate.ts';
import { issuerOf } from '../gateway/oauth-metadata.ts';
import { pageFile } from '../gateway/pages.ts';
import type { Responder } from '../gateway/respond.ts';
import { connectRefusal } from '../handling/app-standing.ts';
import { ApiError, type LaneName, type SessionCredential } from '../handling/handler.ts';
import { isSteppedUp } from '../handling/step-up.ts';
import type { AppRecord } from '../ports/apps.ts';
import type { PlatformStore } from '../ports/platform.ts';
import { errorText } from '../texts/texts.ts';
import { SessionCookie } from '../wire/session-cookie.ts';
import {
  type AuthorizeRequest,
  answerUrl,
  type OAuthError,
  type ReturnAddress,
  readAuthorizeRequest,
} from './authorize-request.ts';
import { addSafety, choiceOf, type Form, fieldsOf, localeFor, queryOf, send } from './forms.ts';
import { type Choice, OwnCalls } from './own-calls.ts';
import {
  decisionPage,
  type Entering,
  entryPage,
  type Fault,
  faultPage,
  strangersPage,
} from './page.ts';
import { consentTexts } from './texts.ts';

export interface ConsentParts {
  readonly app: FastifyInstance;
  readonly services: Services;
  readonly responder: Responder;
  readonly platform: Pick<PlatformStore, 'apps'>;
  /** Where clients reach the pages; null if that is this machine. */
  readonly publicUrl: string | null;
}

const PATH = '/connect/authorize';

export function serveConsent(parts: ConsentParts): void {
  const { app, services, responder } = parts;
  const consent = new Consent(parts);
  const onRequest = (request: FastifyRequest, reply: FastifyReply, done: (e?: Error) => void) => {
    const admission = strangersAdmission(services, request, null);
    request.admission = admission;
    const isLeaving = services.drain.isDraining;
    const refused = isLeaving ? shuttingDown() : admitStranger(services, request, admission);
    responder.writeHeaders(request, reply, admission, false);
    done(refused ?? undefined);
  };
  app.get('/connect/consent.css', { onRequest }, (_request, reply) => {
    reply.type('text/css; charset=utf-8').send(pageFile('consent'));
  });
  app.get(PATH, { onRequest }, (request, reply) => consent.show(request, reply));
  app.post(PATH, { onRequest, config: { takesForms: true } }, (request, reply) =>
    consent.decide(request, reply),
  );
}

/** A person who is signed in, with the token of the cookie. */
interface SignedIn {
  readonly token: string;
  readonly session: SessionCredential;
}

/** A link to this page with an address that may be answered. */
interface Link {
  readonly to: ReturnAddress;
  /** Null if the link has a mistake that only the owner of the app may be sent back with. */
  readonly asked: AuthorizeRequest | null;
  readonly mistake: string | null;
}

/** Nobody is sent to the addresses of an app that no one has reviewed, except its owner, who tries it out. */
function isAnswered({ status, ownerId }: AppRecord, signedIn: SignedIn | null): boolean {
  return status === 'approved' || signedIn?.session.userId === ownerId;
}

class Consent {
  readonly #parts: ConsentParts;
  readonly #calls: OwnCalls;
  readonly #cookie: SessionCookie;

  constructor(parts: ConsentParts) {
    this.#parts = parts;
    this.#calls = new OwnCalls(parts.app, parts.services.lanesRun);
    this.#cookie = new SessionCookie(parts.publicUrl);
  }

  async show(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const link = await this.#read(request, reply);
    if (link === null) return reply;
    const signedIn = await this.#signedIn(request);
    if (signedIn === null) return this.#askWho(request, reply, link, STRANGER);
    const { asked } = link;
    if (asked === null) return this.#notTheirs(request, reply, link, signedIn);
    const isLasting = asked.scopes.includes('offline');
    const nowMs = this.#parts.services.clock.wallMs();
    if (isLasting && !isSteppedUp(signedIn.session, nowMs)) {
      return this.#confirm(request, reply, asked, signedIn);
    }
    const chosen = { account: '', dailyCap: asked.dailyCap };
    return this.#askWhether(request, reply, asked, signedIn, { chosen, problem: null });
  }

  async decide(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const link = await this.#read(request, reply);
    if (link === null) return reply;
    const form = fieldsOf(request.body);
    // Only this page posts here: a foreign one must neither decide for a person nor sign them in as somebody else.
    if (!this.#cookie.isOwnPage(request)) return this.#fault(request, reply, 'stale');
    const isEntering = form.action === 'sign_in' || form.action === 'register';
    if (isEntering) return this.#enter(request, reply, link, form);
    if (form.action === 'to_sign_in') return this.#again(request, reply);
    if (form.action === 'to_register') {
      return this.#askWho(request, reply, link, { ...STRANGER, isNew: true });
    }
    const signedIn = await this.#signedIn(request);
    const isOwn =
      signedIn !== null &&
      this.#parts.services.secrets.isEqual(this.#csrf(signedIn, request, link.to), form.csrf ?? '');
    if (!isOwn) return this.#fault(request, reply, 'stale');
    if (form.action === 'sign_out') {
      await this.#calls.signOut(request, signedIn.token);
      reply.headers(this.#cookie.clear());
      return this.#again(request, reply);
    }
    const { asked } = link;
    // Before every act that ends in a redirect, a refusal as well.
    if (asked === null || !isAnswered(asked.app, signedIn)) {
      return this.#notTheirs(request, reply, link, signedIn);
    }
    switch (form.action) {
      case 'approve':
        return this.#approve(request, reply, asked, signedIn, choiceOf(form));
      case 'show':
        return this.#askWhether(request, reply, asked, signedIn, {
          chosen: choiceOf(form),
          problem: null,
        });
      case 'deny':
        return this.#refuse(request, reply, asked, 'access_denied', 'the user refused');
      default:
        return this.#fault(request, reply, 'stale');
    }
  }

  /** Null if it was answered already. */
  async #read(request: FastifyRequest, reply: FastifyReply): Promise<Link | null> {
    const { platform, services } = this.#parts;
    const lanes = Object.keys(services.lanes) as LaneName[];
    const asked = await readAuthorizeRequest(platform.apps, queryOf(request), lanes);
    switch (asked.kind) {
      case 'asked':
        return { to: asked.request, asked: asked.request, mistake: null };
      case 'unsafe':
        await this.#fault(request, reply, asked.fault);
        return null;
      case 'refused': {
        const { to, error, description, words } = asked;
        if (!isAnswered(to.app, await this.#signedIn(request))) {
          return { to, asked: null, mistake: `${error}: ${description}` };
        }
        const told = words.length === 0 ? description : `${description}: ${words.join(' ')}`;
        await this.#refuse(request, reply, to, error, told);
        return null;
      }
    }
  }

  /** A visitor with a demo account has nothing to allow: they sign in as somebody. */
  async #signedIn(request: FastifyRequest): Promise<SignedIn | null> {
    const token = this.#cookie.read(request);
    if (token === null) return null;
    const session = await this.#parts.services.authenticator.identifyToken(token);
    if (session instanceof ApiError || session.kind !== 'session' || session.isDemo) return null;
    return { token, session };
  }

  async #enter(
    request: FastifyRequest,
    reply: FastifyReply,
    link: Link,
    { action, email = '', password = '', code = '' }: Form,
  ): Promise<FastifyReply> {
    const given = { email: email.trim(), password, code: code.trim() };
    const isNew = action === 'register';
    const entered = isNew
      ? await this.#calls.register(request, given)
      : await this.#calls.signIn(request, given);
    if (!entered.ok) {
      const problem = errorText(localeFor(request), entered.code);
      // Somebody who is known by the address, and has a second factor, signs in with it.
      const isKnown = entered.code === 'STEP_UP_MFA_REQUIRED';
      const entering = { isNew: isNew && !isKnown, email: given.email, problem };
      return this.#askWho(request, reply, link, entering);
    }
    if (entered.cookie !== null) reply.header('set-cookie', entered.cookie);
    return this.#again(request, reply);
  }

  async #approve(
    request: FastifyRequest,
    reply: FastifyReply,
    asked: AuthorizeRequest,
    signedIn: SignedIn,
    chosen: Choice,
  ): Promise<FastifyReply> {
    const given = await this.#calls.grant(request, signedIn.token, asked, chosen);
    if (given.ok) return this.#goTo(request, reply, asked, { code: given.data.code ?? '' });
    if (given.code === 'STEP_UP_MFA_REQUIRED') {
      return this.#confirm(request, reply, asked, signedIn);
    }
    const error = TOLD[given.code];
    if (error !== undefined) return this.#refuse(request, reply, asked, error, given.code);
    // What the person can do something about they are told here; all that is typed is the cap.
    const isOfCap = given.code === 'VALIDATION_FAILED' && chosen.dailyCap !== '';
    const { dailyCapWrong } = consentTexts[localeFor(request)];
    const problem = isOfCap ? dailyCapWrong : given.message;
    return this.#askWhether(request, reply, asked, signedIn, { chosen, problem });
  }

  /** Access while the user is away takes a fresh proof: a sign-in within the last minutes. */
  async #confirm(
    request: FastifyRequest,
    reply: FastifyReply,
    asked: AuthorizeRequest,
    signedIn: SignedIn,
  ): Promise<FastifyReply> {
    const email = await this.#nameOf(request, signedIn, asked.lane);
    const problem = consentTexts[localeFor(request)].confirm;
    const link = { to: asked, asked, mistake: null };
    return this.#askWho(request, reply, link, { isNew: false, email, problem });
  }

  #askWho(
    request: FastifyRequest,
    reply: FastifyReply,
    { to, mistake }: Link,
    entering: Entering,
  ): FastifyReply {
    return send(reply, to, entryPage(localeFor(request), { app: to.app, mistake }, entering));
  }

  /** Somebody is signed in who may not connect the app: all that is left to them is to be somebody else. */
  async #notTheirs(
    request: FastifyRequest,
    reply: FastifyReply,
    { to, mistake }: Pick<Link, 'to' | 'mistake'>,
    signedIn: SignedIn,
  ): Promise<FastifyReply> {
    const [lane = 'live'] = Object.keys(this.#parts.services.lanes) as LaneName[];
    const who = await this.#nameOf(request, signedIn, lane);
    const other = { who, csrf: this.#csrf(signedIn, request, to) };
    const page = strangersPage(localeFor(request), mistake, other);
    return send(reply.code(BAD_REQUEST), null, page);
  }

  /** As the person knows themselves. */
  async #nameOf(
    request: FastifyRequest,
    { token, session }: SignedIn,
    lane: LaneName,
  ): Promise<string> {
    const account = await this.#calls.account(request, token, lane);
    return account.ok ? (account.data.email ?? account.data.account_id) : session.userId;
  }

  async #askWhether(
    request: FastifyRequest,
    reply: FastifyReply,
    asked: AuthorizeRequest,
    signedIn: SignedIn,
    { chosen, problem }: { readonly chosen: Choice; readonly problem: string | null },
  ): Promise<FastifyReply> {
    const { app, lane } = asked;
    const refused = connectRefusal(app, signedIn.session.userId, lane);
    if (refused !== null) {
      return signedIn.session.userId === app.ownerId
        ? this.#refuse(request, reply, asked, 'unauthorized_client', refused.code)
        : this.#notTheirs(request, reply, { to: asked, mistake: null }, signedIn);
    }
    const { token } = signedIn;
    const family = await this.#calls.subaccounts(request, token, lane);
    const open = family.ok ? family.data.filter(({ status }) => status === 'active') : [];
    const given = await this.#calls.grants(request, token, lane);
    const page = decisionPage(localeFor(request), asked, {
      who: await this.#nameOf(request, signedIn, lane),
      csrf: this.#csrf(signedIn, request, asked),
      subaccounts: open.map(({ subaccount_id: id, label }) => ({ id, label })),
      isConnected: given.ok && given.data.some(({ app_id: id }) => id === app.appId),
      chosen,
      problem,
    });
    return send(reply, asked, page);
  }

  /**
   * Of this session, of what the app asked for and of the fee that the page shows: neither a copy of the form nor another
   * request can use it, and nobody agrees to a cap that came after they had looked.
   */
  #csrf({ session }: SignedIn, request: FastifyRequest, { app }: ReturnAddress): string {
    const shown = `${session.sessionId} ${app.feeCapBps} ${queryOf(request)}`;
    return this.#parts.services.secrets.digest('consent', shown);
  }

  #refuse(
    request: FastifyRequest,
    reply: FastifyReply,
    to: ReturnAddress,
    error: OAuthError,
    description: string,
  ): FastifyReply {
    return this.#goTo(request, reply, to, { error, error_description: description });
  }

  #goTo(
    request: FastifyRequest,
    reply: FastifyReply,
    to: ReturnAddress,
    fields: Readonly<Record<string, string>>,
  ): FastifyReply {
    const issuer = issuerOf(this.#parts.publicUrl, request.socket);
    addSafety(reply, to);
    return reply
      .header('location', answerUrl(to, issuer, fields))
      .code(SEE_OTHER)
      .send();
  }

  /** The same question once more, by a visit of its own: a reload then sends no form. */
  #again(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    addSafety(reply, null);
    return reply
      .header('location', `${PATH}?${queryOf(request)}`)
      .code(SEE_OTHER)
      .send();
  }

  #fault(request: FastifyRequest, reply: FastifyReply, fault: Fault): FastifyReply {
    return send(reply.code(BAD_REQUEST), null, faultPage(localeFor(request), fault));
  }
}

const STRANGER: Entering = { isNew: false, email: '', problem: null };
const SEE_OTHER = 303;
const BAD_REQUEST = 400;

/** What the app has to know, and the person can do nothing about. */
const TOLD: Readonly<Partial<Record<ErrorCode, OAuthError>>> = {
  APP_NOT_APPROVED: 'unauthorized_client',
  APP_DISABLED: 'unauthorized_client',
  SCOPE_NOT_ALLOWED: 'invalid_scope',
  JURISDICTION_BLOCKED: 'access_denied',
  SANCTIONS_HIT: 'access_denied',
  COMPLIANCE_GATE_BLOCKED: 'access_denied',
  READ_ONLY_MODE: 'temporarily_unavailable',
  MAINTENANCE: 'temporarily_unavailable',
  SERVICE_UNAVAILABLE: 'temporarily_unavailable',
  UPSTREAM_TIMEOUT: 'temporarily_unavailable',
  INTERNAL_ERROR: 'server_error',
};
