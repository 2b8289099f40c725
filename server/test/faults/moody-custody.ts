// A custody service of its own for tests: books that it keeps over everything, and a mood for each payout it is asked for.
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What it does with a payout the first time it is asked for; asked again, it tells the truth. */
export type Mood =
  | 'pays'
  | 'refuses'
  /** Hears of it, does nothing, and never answers. */
  | 'hangs'
  /** Pays, and never answers. */
  | 'pays and hangs'
  /** Pays, and breaks off in the middle of its answer. */
  | 'pays and breaks off'
  | 'fails'
  /** Pays, and says so twice. */
  | 'answers twice'
  /** Pays, and says so when nobody waits any more. */
  | 'answers late'
  | 'is undecided';

/** Longer than anybody waits for it. */
const LATE_MS = 11_000;

interface Asked {
  readonly payout_id: string;
  readonly amount: string;
}

export class MoodyCustody {
  mood: Mood = 'pays';
  /** In millionths. */
  received = 0n;
  /** How often each payout was really paid. */
  readonly payments = new Map<string, number>();
  readonly refused = new Set<string>();
  readonly questions = new Map<string, number>();
  #paidOut = 0n;
  #onQuestion: (when: 'heard' | 'answered') => void = () => {};
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async open(): Promise<MoodyCustody> {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        custody.#serve(request.url, JSON.parse(Buffer.concat(chunks).toString()), response);
      });
    });
    const custody = new MoodyCustody(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return custody;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Resolves when it next hears of a payout, or when it has answered one. */
  next(when: 'heard' | 'answered'): Promise<void> {
    return new Promise((resolve) => {
      this.#onQuestion = (reached) => {
        if (reached === when) resolve();
      };
    });
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #serve(path: string | undefined, asked: Asked & { payout_ids?: string[] }, to: ServerResponse) {
    if (path === '/checks') return say(to, { accepted: true });
    if (path === '/books') {
      const balance = decimal(this.received - this.#paidOut);
      return say(to, { balance, paid: asked.payout_ids?.filter((id) => this.payments.has(id)) });
    }
    const { payout_id: id } = asked;
    const isFirst = !this.questions.has(id);
    this.questions.set(id, (this.questions.get(id) ?? 0) + 1);
    if (isFirst && this.mood === 'refuses') this.refused.add(id);
    if (isFirst && /pays|answers/.test(this.mood)) this.#pay(asked);
    this.#onQuestion('heard');
    if (isFirst) return this.#answerFirst(id, to);
    // What it heard of and did nothing about, it does when it is asked again.
    if (!this.payments.has(id) && !this.refused.has(id)) this.#pay(asked);
    return this.#tell(id, to);
  }

  #answerFirst(id: string, to: ServerResponse): void {
    switch (this.mood) {
      case 'hangs':
      case 'pays and hangs':
        return;
      case 'fails':
        to.writeHead(503).end();
        return;
      case 'pays and breaks off':
        to.writeHead(200, { 'content-length': '500' });
        to.write('{"payout_id":"');
        to.destroy();
        return;
      case 'is undecided':
        say(to, { payout_id: id, state: 'pending' });
        return;
      case 'answers late':
        setTimeout(() => this.#tell(id, to), LATE_MS).unref();
        return;
      case 'answers twice': {
        const text = JSON.stringify({ payout_id: id, state: 'paid', reference: `tx ${id}` });
        const head = `HTTP/1.1 200 OK\r\ncontent-length: ${text.length}\r\n\r\n${text}`;
        to.socket?.write(`${head}${head}`);
        this.#onQuestion('answered');
        return;
      }
      default:
        this.#tell(id, to);
    }
  }

  #tell(id: string, to: ServerResponse): void {
    const isPaid = this.payments.has(id);
    const told = isPaid
      ? { state: 'paid', reference: `tx ${id}` }
      : { state: 'failed', reason: 'account closed' };
    say(to, { payout_id: id, ...told });
    this.#onQuestion('answered');
  }

  #pay({ payout_id: id, amount }: Asked): void {
    this.payments.set(id, (this.payments.get(id) ?? 0) + 1);
    this.#paidOut += BigInt(amount.replace('.', ''));
  }
}

function say(to: ServerResponse, told: object): void {
  to.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(told));
}

function decimal(amount: bigint): string {
  const digits = String(amount).padStart(7, '0');
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`;
}
