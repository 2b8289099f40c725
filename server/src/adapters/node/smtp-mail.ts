// Mail by SMTP: handed to the server that the operator named, over TLS wherever that server offers it.
import { createTransport } from 'nodemailer';
import { type Letter, LetterRefused, type Mail } from '../../ports/mail.ts';

export interface SmtpOptions {
  /** smtp:// or smtps://, with user and password if the server asks for them. */
  readonly url: string;
  readonly from: string;
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 20_000;
const CONNECTIONS_MAX = 2;

export class SmtpMail implements Mail {
  readonly #transport: ReturnType<typeof pooled>;
  readonly #from: string;
  /** Rejects when nobody waits any more for a server that says nothing. */
  readonly #closed = Promise.withResolvers<never>();

  constructor({ url, from, timeoutMs = TIMEOUT_MS }: SmtpOptions) {
    this.#from = from;
    this.#closed.promise.catch(() => undefined);
    this.#transport = pooled(url, timeoutMs);
  }

  async send({ to, subject, text }: Letter): Promise<void> {
    const letter = {
      from: this.#from,
      // As an object, so that no address can name a second receiver.
      to: { name: '', address: to },
      subject,
      text,
      // Neither files nor addresses are read for a letter.
      disableFileAccess: true,
      disableUrlAccess: true,
    };
    try {
      await Promise.race([this.#transport.sendMail(letter), this.#closed.promise]);
    } catch (error) {
      throw isFinal(error)
        ? new LetterRefused('the server of mail refuses it', { cause: error })
        : error;
    }
  }

  async close(): Promise<void> {
    this.#closed.reject(new Error('mail was closed'));
    this.#transport.close();
  }
}

/** A refusal for good (5xx) of this receiver or this letter; one of the sender's own sign-in can be mended. */
function isFinal(error: unknown): boolean {
  const { code, responseCode } = Object(error);
  return ['EENVELOPE', 'EMESSAGE'].includes(code) && responseCode >= 500;
}

function pooled(url: string, timeoutMs: number) {
  const { protocol, hostname, port, username, password } = new URL(url);
  const isSecure = protocol === 'smtps:';
  const auth =
    username === ''
      ? {}
      : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } };
  return createTransport({
    pool: true,
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (isSecure ? 465 : 587) : Number(port),
    secure: isSecure,
    // A password is never said in the clear, but on this machine.
    requireTLS: !isSecure && username !== '' && !isLocal(hostname),
    maxConnections: CONNECTIONS_MAX,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    ...auth,
  });
}

function isLocal(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');
}
