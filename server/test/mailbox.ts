// A server of mail on this machine that takes every letter and lets tests read it.
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

export class Mailbox {
  readonly #server: SMTPServer;
  readonly #letters: { readonly to: string; readonly raw: string }[] = [];
  readonly #waiting = new Set<() => void>();
  /** How many it refuses before it takes one. */
  refusals = 0;
  /** With which code: for now, or for good. */
  refusal: 450 | 550 = 450;
  /** Hears letters out and says nothing. */
  isMute = false;
  unansweredCount = 0;

  private constructor(heard: (to: string, text: string) => void) {
    this.#server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      logger: false,
      // Whoever still waits for a word is not waited for.
      closeTimeout: 200,
      onData: (stream, session, done) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          if (this.isMute) {
            this.unansweredCount += 1;
            return;
          }
          if (this.refusals > 0) {
            this.refusals -= 1;
            done(Object.assign(new Error('no'), { responseCode: this.refusal }));
            return;
          }
          const raw = Buffer.concat(chunks).toString('utf8');
          for (const { address } of session.envelope.rcptTo) {
            this.#letters.push({ to: address, raw });
            heard(address, plain(raw));
          }
          done();
          for (const look of this.#waiting) look();
        });
      },
    });
  }

  /** `heard` is told of every letter as it comes. */
  static async open(heard: (to: string, text: string) => void = () => undefined): Promise<Mailbox> {
    const mailbox = new Mailbox(heard);
    await new Promise<void>((resolve) => mailbox.#server.listen(0, '127.0.0.1', () => resolve()));
    return mailbox;
  }

  /** As SMTP_URL has it. */
  get url(): string {
    const address = this.#server.server.address() as AddressInfo;
    return `smtp://127.0.0.1:${address.port}`;
  }

  count(to: string): number {
    return this.#letters.filter((letter) => letter.to === to).length;
  }

  /** The text of the n-th letter to the address, which may still be on its way. */
  letter(to: string, place = 0): Promise<string> {
    return new Promise((resolve) => {
      const look = (): void => {
        const found = this.#letters.filter((letter) => letter.to === to)[place];
        if (found === undefined) return;
        this.#waiting.delete(look);
        resolve(plain(found.raw));
      };
      this.#waiting.add(look);
      look();
    });
  }

  async close(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.close(resolve));
  }
}

/** The address in a letter, with what stands behind its #. */
export function linkIn(text: string): { readonly url: string; readonly token: string } {
  const [url = '', token = ''] = /https?:\/\/\S+#([0-9A-Za-z_-]{43})/.exec(text) ?? [];
  return { url, token };
}

/** Text as people read it, whichever way it was packed for the journey. */
function plain(raw: string): string {
  const cut = raw.indexOf('\r\n\r\n');
  const [head, body] = [raw.slice(0, cut), raw.slice(cut + 4)];
  if (/content-transfer-encoding: base64/i.test(head)) {
    return `${head}\n\n${Buffer.from(body, 'base64').toString('utf8')}`;
  }
  const joined = body.replace(/=\r?\n/g, '');
  const bytes = joined.replace(/=([0-9A-F]{2})/g, (_all, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return /quoted-printable/i.test(head)
    ? `${head}\n\n${Buffer.from(bytes, 'latin1').toString('utf8')}`
    : raw;
}
