// A webhook receiver that misbehaves: errors, silence, cut connections and slow bodies, each event at most once.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Draw } from '../../../lane/test/workload.ts';

type Mood = 'fine' | 'error' | 'silent' | 'cut' | 'slow';

export interface Arrival {
  readonly atMs: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly eventId: string;
  readonly type: string;
  readonly sequence: number;
  /** Events of the same aggregate come in order. */
  readonly aggregate: string;
  readonly mood: Mood;
  /** When the status was sent, counted in arrivals and answers; null if it never was, or was no success. */
  acceptedAt: number | null;
  readonly arrivedAt: number;
}

/** Every second attempt must succeed: the third would come minutes later. */
const MOODS: readonly Mood[] = ['error', 'silent', 'cut', 'cut', 'slow', 'slow'];
const SLOW_MS = 700;

export class HostileReceiver {
  readonly arrivals: Arrival[] = [];
  readonly #server: Server;
  readonly #draw: Draw;
  readonly #seen = new Set<string>();
  /** Aggregates that have to wait for a retry already: more of that would only take time. */
  readonly #held = new Set<string>();
  /** Those that wait for an answer in vain. */
  readonly #unanswered: ServerResponse[] = [];
  #isHostile = true;
  #moment = 0;

  constructor(draw: Draw) {
    this.#draw = draw;
    this.#server = createServer((request, response) => this.#receive(request, response));
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /**
   * From now on everything is taken at once; whoever waits in vain is let go. Nobody else is: an event that fails for
   * the second time waits for minutes.
   */
  heal(): void {
    this.#isHostile = false;
    for (const response of this.#unanswered) response.socket?.destroy();
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  #receive(request: IncomingMessage, response: ServerResponse): void {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('error', () => undefined);
    response.on('error', () => undefined);
    request.on('end', () => {
      const body = Buffer.concat(parts).toString();
      this.#answer(this.#note(request, body), response);
    });
  }

  #note({ headers }: IncomingMessage, body: string): Arrival {
    const { id: eventId, type, sequence, data } = JSON.parse(body);
    const aggregate = String(data.order?.order_id ?? data.order_id ?? 'account');
    const arrival: Arrival = {
      atMs: Date.now(),
      headers: Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name, String(value)]),
      ),
      body,
      eventId,
      type,
      sequence,
      aggregate,
      mood: this.#moodFor(eventId, aggregate),
      acceptedAt: null,
      arrivedAt: this.#tick(),
    };
    this.#seen.add(eventId);
    this.arrivals.push(arrival);
    return arrival;
  }

  #moodFor(eventId: string, aggregate: string): Mood {
    const isCalm = this.#seen.has(eventId) || this.#held.has(aggregate);
    if (!this.#isHostile || isCalm || this.#draw(4) !== 0) return 'fine';
    const mood = MOODS[this.#draw(MOODS.length)] ?? 'fine';
    if (mood !== 'slow') this.#held.add(aggregate);
    return mood;
  }

  #answer(arrival: Arrival, response: ServerResponse): void {
    switch (arrival.mood) {
      case 'silent':
        this.#unanswered.push(response);
        return;
      case 'cut':
        response.socket?.resetAndDestroy();
        return;
      case 'error':
        response.writeHead(500).end('no');
        return;
      case 'slow':
        response.writeHead(200);
        response.write('wait');
        setTimeout(() => {
          arrival.acceptedAt = this.#tick();
          response.end();
        }, SLOW_MS);
        return;
      case 'fine':
        arrival.acceptedAt = this.#tick();
        response.end();
    }
  }

  #tick(): number {
    this.#moment += 1;
    return this.#moment;
  }
}
