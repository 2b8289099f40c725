// Who is at the page. The browser keeps the session in a cookie that no script can read; the bearer lives in memory only.
import { createClient, type Session, type SibylClient, ValidationFailedError } from '@sibyl/sdk';
import { basePath, lane } from '../lane.ts';
import { fetchUnlessKnown } from './first-answers.ts';
import { askForPasskey } from './passkeys.ts';
import { forgetReferral, keptReferral } from './referral.ts';
import { askingForProof } from './step-up.ts';

export type SessionState =
  | { readonly status: 'unknown' }
  | { readonly status: 'visitor' }
  | {
      readonly status: 'signed_in';
      readonly token: string;
      readonly userId: string;
      readonly accountId: string;
      readonly isDemo: boolean;
    };

/** The second factor of a login. */
export interface LoginProof {
  readonly otp?: string;
  readonly recovery_code?: string;
}

/** Calls without a credential, and the way to one. */
export const visitor = createClient({
  baseUrl: location.origin + basePath,
  fetch: fetchUnlessKnown,
});

const ASK_AGAIN_MS = 2_000;
/** While the email is guessed at, a sign-in waits for its turn. */
const SIGN_IN_PATIENCE_MS = 40_000;

/** On it a tab tells the others of its browser that there is somebody else's cookie now. */
const otherTabs = new BroadcastChannel('sibyl.session');

type Registration = Parameters<typeof visitor.sessions.register>[0];

/** The inviter, or the demo account, may have been closed since: the visitor registers without it. */
async function registerWith(body: Registration): Promise<Session> {
  try {
    return await visitor.sessions.register(body);
  } catch (error) {
    const field = error instanceof ValidationFailedError ? error.details.field : null;
    if (field !== 'referral_code' && field !== 'demo_token') throw error;
    const { [field]: without, ...rest } = body;
    if (without === undefined) throw error;
    return registerWith(rest);
  }
}

/** An account without money gets that of the faucet; the account page has the button for it too. */
async function fill({ session_token: token }: Session): Promise<void> {
  const client = visitor.withToken(token);
  try {
    const { balance_free: free, balance_reserved: reserved } = await client.account.get();
    if (Number(free) + Number(reserved) === 0) await client.sandbox.faucet();
  } catch {
    // The account is there, with or without the money.
  }
}

class SessionStore {
  #state: SessionState = { status: 'unknown' };
  #client: SibylClient = visitor;
  /** Settled once it is known who is here; fails if the exchange does not answer. */
  #known: Promise<void> = Promise.resolve();
  #wasUnanswered = false;
  #wasEnded = false;
  #demo: Promise<void> | null = null;
  /** Questions for the session of the cookie, and the latest that was answered. */
  #asked = 0;
  #answered = 0;
  /** Sign-ins and sign-outs of this tab. */
  #acts = 0;
  #entering: Promise<unknown> = Promise.resolve();
  #listeners = new Set<() => void>();

  get state(): SessionState {
    return this.#state;
  }

  /** Whether the exchange was away when it was asked who is here. */
  get wasUnanswered(): boolean {
    return this.#wasUnanswered;
  }

  /** Whether the session of whoever was here has ended without their doing, and nobody has signed in since. */
  get wasEnded(): boolean {
    return this.#wasEnded;
  }

  /** Calls in the name of whoever is at the page. */
  get client(): SibylClient {
    return this.#client;
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Takes up the session that the browser kept, if there is one. Until the exchange has answered, nobody knows. */
  resume(): void {
    this.#known = this.#ask();
    this.#known.catch(() => {
      this.#wasUnanswered = true;
      setTimeout(() => {
        if (this.#state.status === 'unknown') this.resume();
      }, ASK_AGAIN_MS);
    });
  }

  /**
   * Goes on as whoever came in by another tab. Of a session that ended there the tabs tell each other nothing: the exchange
   * tells it to every connection of that session.
   */
  followOtherTabs(): void {
    // If the exchange does not answer, whoever is here stays until the next question.
    otherTabs.addEventListener('message', () => this.#ask().catch(() => undefined));
  }

  /** By the cookie, which all tabs share. */
  async #ask(): Promise<void> {
    const before = this.#state;
    const acts = this.#acts;
    this.#asked += 1;
    const question = this.#asked;
    const { session } = await visitor.sessions.resume();
    // A sign-in or sign-out of this tab is newer than the answer, and so is the answer to a later question.
    if (this.#acts !== acts || question < this.#answered) return;
    this.#answered = question;
    this.#wasEnded ||= session === null && before.status === 'signed_in';
    this.#become(session);
  }

  async logIn(email: string, password: string, proof: LoginProof = {}): Promise<void> {
    const body = { email, password, cookie: true, ...proof };
    this.#enter(await visitor.sessions.logIn(body, { timeoutMs: SIGN_IN_PATIENCE_MS }));
  }

  /** The browser asks which one, and for whoever holds it. */
  async logInWithPasskey(): Promise<void> {
    const response = await askForPasskey(visitor);
    this.#enter(await visitor.passkeys.logIn({ response, cookie: true }));
  }

  /** The account of a demo comes along; who brings none gets test money in the sandbox. */
  async register(email: string, password: string, displayName: string): Promise<void> {
    const demo = this.#state.status === 'signed_in' && this.#state.isDemo ? this.#state : null;
    const code = keptReferral(Date.now());
    const registering = registerWith({
      email,
      password,
      cookie: true,
      ...(displayName !== '' && { display_name: displayName }),
      ...(code !== null && { referral_code: code }),
      ...(demo !== null && { demo_token: demo.token }),
    });
    // The session of the demo ends before the answer is here: until then it is no sign that somebody was signed out.
    this.#entering = registering.catch(() => undefined);
    const session = await registering;
    forgetReferral();
    if (lane === 'sandbox' && session.account_id !== demo?.accountId) await fill(session);
    this.#enter(session);
  }

  /** An account for somebody who only wants to try; the same if there is somebody already. */
  async beSomebody(): Promise<SibylClient> {
    // Whoever presses before that is known may have an account, and a demo would take its place.
    if (this.#state.status === 'unknown') await this.#known;
    if (this.#state.status !== 'signed_in') {
      this.#demo ??= this.#openDemo();
      await this.#demo;
    }
    return this.#client;
  }

  /** One, however many presses wait for it, and none if another tab has brought somebody, whose cookie it would replace. */
  async #openDemo(): Promise<void> {
    try {
      await this.#ask();
      if (this.#state.status === 'visitor') {
        this.#enter(await visitor.sessions.demo({ cookie: true }));
      }
    } finally {
      this.#demo = null;
    }
  }

  async logOut(): Promise<void> {
    await this.#client.sessions.logOut();
    this.#acts += 1;
    this.#become(null);
  }

  /** The exchange no longer takes the bearer. */
  forget(): void {
    this.#become(null);
  }

  /** The exchange did not take the bearer: another tab may have signed in meanwhile, else the session is over. */
  async doubt(): Promise<void> {
    await this.#entering;
    if (this.#state.status === 'signed_in') await this.#ask();
  }

  /** Somebody came in by this tab. */
  #enter(session: Session): void {
    this.#acts += 1;
    this.#become(session);
    otherTabs.postMessage(null);
  }

  #become(session: Session | null): void {
    if (session === null) {
      this.#state = { status: 'visitor' };
      this.#client = visitor;
    } else {
      const { session_token: token, user_id, account_id, mode } = session;
      this.#wasEnded = false;
      this.#state = {
        status: 'signed_in',
        token,
        userId: user_id,
        accountId: account_id,
        isDemo: mode === 'demo',
      };
      this.#client = askingForProof(visitor.withToken(token));
    }
    for (const listener of this.#listeners) listener();
  }
}

export const sessionStore = new SessionStore();
