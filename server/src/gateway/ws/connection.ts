// One socket: reads commands in order, answers them, and keeps the reader informed that it is alive.

import type { Socket } from 'node:net';
import {
  type CloseReason,
  type CommandFrame,
  closeCodes,
  type ErrorCode,
  limits,
  type StreamData,
} from '@sibyl/contract';
import type { Locale } from '@sibyl/contract/locales';
import type { Notice } from '@sibyl/contract/texts';
import { type Clock, LaneUnavailable } from '@sibyl/lane';
import type { ApiError, LaneName } from '../../handling/handler.ts';
import { plainFrame } from '../../streams/frame.ts';
import type { StreamHub } from '../../streams/hub.ts';
import type { LaneMessage } from '../../streams/market-messages.ts';
import { localeOf } from '../../texts/locale.ts';
import { errorText, noticeText } from '../../texts/texts.ts';
import { isoTime, isoTimeOrNull } from '../../wire/times.ts';
import type { MaintenanceNews } from '../maintenance-window.ts';
import type { ClosingSocket } from './closing-socket.ts';
import { type CommandId, FrameBucket, type ReadCommand, readCommand } from './command-frame.ts';
import type { Identity, ShowIdentity } from './identity.ts';
import { Outlet, type WriteTurn } from './outlet.ts';
import type { SnapshotAllowance } from './snapshot-allowance.ts';
import { StreamCommands } from './stream-commands.ts';
import { type ResyncReason, type Subscription, Subscriptions } from './subscriptions.ts';
import { authenticatedData, welcomeData } from './welcome.ts';

export interface ConnectionOptions {
  readonly id: string;
  readonly webSocket: ClosingSocket;
  readonly socket: Socket;
  readonly hub: StreamHub;
  readonly epoch: string;
  readonly clock: Clock;
  readonly turn: WriteTurn;
  readonly address: LaneName;
  /** Null for one that may be sent any number of snapshots. */
  readonly allowance: SnapshotAllowance | null;
  /** Verifies a token and makes the connection speak for its holder. */
  readonly identify: (frame: AuthFrame, connection: Connection) => Promise<Identity | ApiError>;
  readonly showAccount: ShowIdentity;
  readonly closed: (connection: Connection) => void;
  readonly failed: (error: unknown) => void;
}

export type AuthFrame = CommandFrame<'AUTH'>;
export type RevocationReason = StreamData<'auth_revoked'>['reason'];

const { socket: bounds } = limits;
const PING_EVERY_MS = 20_000;
/** A reader that lags is given so long to catch up. */
const SLOW_MS = 10_000;
const CLOSE_WITHIN_MS = 1_000;
/** One that must read what waits for it first is given longer, or it would never see why it was closed. */
const SLOW_CLOSE_WITHIN_MS = 5_000;
const RECONNECT_AFTER_MS = 1_000;
/** So many frames while throttled are no mistake. */
const FLOOD_FRAMES = 200;

export class Connection {
  readonly id: string;
  /** Which of the two it was opened at. */
  readonly address: LaneName;
  readonly outlet: Outlet;
  readonly subscriptions: Subscriptions;
  readonly #options: ConnectionOptions;
  readonly #bucket: FrameBucket;
  readonly #commands: StreamCommands;
  hub: StreamHub;
  identity: Identity | null = null;
  #cancelsOnDisconnect = false;
  #work: Promise<void> = Promise.resolve();
  #isClosing = false;
  #isTooSlow = false;
  #cancelDrop: () => void = () => undefined;
  #isAlive = true;
  #pingedAtMs: number;
  #beatAtMs: number;
  #wasToldOfExpiry = false;

  constructor(options: ConnectionOptions) {
    const { id, socket, webSocket, turn, clock, hub } = options;
    this.id = id;
    this.address = options.address;
    this.#options = options;
    this.hub = hub;
    this.#bucket = new FrameBucket(clock);
    this.#pingedAtMs = clock.monotonicMs();
    this.#beatAtMs = this.#pingedAtMs;
    this.outlet = new Outlet(socket, turn, clock, () => this.subscriptions.ready());
    this.subscriptions = new Subscriptions(
      this.outlet,
      options.allowance,
      (subscription, reason) => this.#announceResync(subscription, reason),
      (_subscription, error) => this.#fail(null, null, error),
    );
    this.#commands = new StreamCommands(this, options.epoch, options.showAccount);
    webSocket.on('message', (data: Buffer, isBinary: boolean) => this.#receive(data, isBinary));
    webSocket.on('ping', (data: Buffer) => this.#answerPing(data));
    webSocket.on('pong', () => {
      this.#isAlive = true;
      this.#mayRead();
    });
    webSocket.beforeClosing = (code) => this.#beginClosing(code);
    webSocket.on('close', () => this.#end());
    webSocket.on('error', () => undefined);
    this.send('welcome', welcomeData(id, options.epoch, hub.lane.name, clock.wallMs()));
    for (const message of hub.openingMessages()) this.announce(...message);
  }

  get locale(): Locale {
    return this.subscriptions.locale;
  }

  /** From now on the connection speaks for this holder. */
  become(identity: Identity): void {
    this.identity = identity;
    this.hub = identity.hub;
  }

  send(type: string, data: object, top?: object): void {
    if (this.#isClosing) return;
    this.outlet.push(plainFrame(type, this.#options.clock.wallMs(), data, top));
    if (this.outlet.queuedBytes > 2 * bounds.queueBytesMax) this.#closeSlow();
  }

  /** A message with words for people: in the language of the connection, with values from `values`. */
  tell(type: Notice, data: object, values: object = data): void {
    const message = noticeText(this.locale, type, { ...values });
    this.send(type, { ...data, message });
  }

  /** What everybody hears. */
  announce(...[type, data]: LaneMessage): void {
    const isMarket = 'market_id' in data && data.market_id !== null;
    this.tell(type, data, { ...data, scope: isMarket ? 'market' : 'lane' });
  }

  sendError(
    op: string | null,
    id: CommandId,
    code: ErrorCode,
    details?: Readonly<Record<string, unknown>>,
  ): void {
    const message = errorText(this.locale, code, details);
    this.send('error', { id, op, code, message, ...(details === undefined ? {} : { details }) });
  }

  close(reason: CloseReason): void {
    if (this.#isClosing) return;
    const { code, reason: text } = closeCodes[reason];
    this.#options.webSocket.close(code, text);
  }

  /** Ends what did not end by itself. */
  drop(): void {
    this.outlet.drop();
  }

  tellMaintenance({ phase, effect, startsAtMs, endsAtMs, message }: MaintenanceNews): void {
    this.send('maintenance', {
      phase,
      starts_at: isoTime(startsAtMs),
      starts_at_ms: startsAtMs,
      ends_at: isoTimeOrNull(endsAtMs),
      ends_at_ms: endsAtMs,
      effect,
      message: message ?? errorText(this.locale, 'MAINTENANCE'),
    });
  }

  sayGoodbye(nowMs: number): void {
    const message = noticeText(this.locale, 'maintenance', {});
    const restart = { startsAtMs: nowMs, endsAtMs: null, actor: 'system', reason: 'restart' };
    this.tellMaintenance({ ...restart, phase: 'started', effect: 'down', message });
    const resume = { reconnect_after_ms: RECONNECT_AFTER_MS, resume_supported: false };
    const seconds = RECONNECT_AFTER_MS / 1_000;
    this.tell('going_away', { reason: 'restart', ...resume }, { seconds });
    this.close('goingAway');
  }

  /** The credential is void: its streams end at once. */
  revoke(reason: RevocationReason): void {
    const dropped: string[] = [];
    for (const { instance } of [...this.subscriptions.all()]) {
      const { base } = instance.parts;
      if (instance.accountId === null && base !== 'signals') continue;
      this.subscriptions.remove(instance.name);
      dropped.push(instance.name);
    }
    this.tell('auth_revoked', { reason, streams: dropped });
    this.close('authRevoked');
  }

  /** Once a second. */
  tick(): void {
    if (this.#isClosing) return;
    const { clock, webSocket } = this.#options;
    const nowMs = clock.monotonicMs();
    const { blockedSinceMs } = this.outlet;
    const isSlow = blockedSinceMs !== null && nowMs - blockedSinceMs >= SLOW_MS;
    if (isSlow && this.subscriptions.missedBytes > bounds.queueBytesMax) {
      this.#closeSlow();
      return;
    }
    this.#watchExpiry(clock.wallMs());
    if (nowMs - this.#beatAtMs >= bounds.heartbeatIntervalMs) {
      this.#beatAtMs = nowMs;
      this.#beat();
    }
    if (nowMs - this.#pingedAtMs < PING_EVERY_MS) return;
    if (!this.#isAlive) {
      this.close('unresponsive');
      return;
    }
    this.#isAlive = false;
    this.#pingedAtMs = nowMs;
    webSocket.ping();
  }

  /** What waits is not sent any more: the reader is told what it missed, and why it is closed. */
  #closeSlow(): void {
    if (this.#isTooSlow) return;
    this.#isTooSlow = true;
    this.outlet.discard();
    for (const subscription of this.subscriptions.behind) {
      this.#announceResync(subscription, 'slow_consumer', false);
    }
    this.close('slowConsumer');
  }

  /** Whoever closes, what is written already leaves before the closing frame. */
  #beginClosing(code: number | undefined): void {
    if (this.#isClosing) return;
    if (code === closeCodes.oversized.code) {
      const details = { reason: 'too_large', limit_bytes: bounds.frameBytesMax };
      this.sendError(null, null, 'BAD_REQUEST', details);
    }
    this.#isClosing = true;
    this.subscriptions.close();
    this.outlet.finish();
    const isBlocked = this.outlet.blockedSinceMs !== null;
    const withinMs = isBlocked ? SLOW_CLOSE_WITHIN_MS : CLOSE_WITHIN_MS;
    this.#cancelDrop = this.#options.clock.setAlarm(withinMs, () => this.drop());
  }

  #beat(): void {
    if (this.outlet.isBlocked) return;
    const seqs: Record<string, number> = {};
    for (const { instance, phase, hub } of this.subscriptions.all()) {
      hub.registry.flush();
      if (phase !== 'waiting') seqs[instance.name] = instance.seq;
    }
    this.send('heartbeat', { server_ts_ms: this.#options.clock.wallMs(), seqs });
  }

  #watchExpiry(nowMs: number): void {
    const expiresAtMs = this.identity?.grant.credential.expiresAtMs ?? null;
    if (expiresAtMs === null) return;
    if (expiresAtMs <= nowMs) {
      this.revoke('expired');
    } else if (!this.#wasToldOfExpiry && expiresAtMs - nowMs <= bounds.expiryNoticeMs) {
      this.#wasToldOfExpiry = true;
      const expiry = { expires_at: isoTime(expiresAtMs), expires_at_ms: expiresAtMs };
      const seconds = Math.ceil((expiresAtMs - nowMs) / 1_000);
      this.tell('auth_expiring', { ...expiry, reauth_by_ms: expiresAtMs }, { seconds });
    }
  }

  #receive(data: Buffer, isBinary: boolean): void {
    if (this.#isClosing) return;
    if (isBinary) {
      this.sendError(null, null, 'BAD_REQUEST', { reason: 'binary' });
      this.close('binary');
      return;
    }
    if (!this.#mayRead()) return;
    const command = readCommand(data);
    if (!command.ok) {
      this.sendError(command.op, command.id, command.code, command.details);
      return;
    }
    this.#work = this.#work
      .then(() => (this.#isClosing ? undefined : this.#run(command)))
      .catch((error: unknown) => this.#fail(command.op, command.id, error));
  }

  /** The library answers no pings by itself: they would not be counted, and pile up for one who does not read. */
  #answerPing(data: Buffer): void {
    if (this.#mayRead() && !this.outlet.isBlocked) this.#options.webSocket.pong(data);
  }

  /** Whether there is room for one more frame of the client, of whatever kind. */
  #mayRead(): boolean {
    if (this.#isClosing) return false;
    if (this.#bucket.take()) return true;
    const { refusedInRow } = this.#bucket;
    if (refusedInRow > FLOOD_FRAMES) {
      this.close('flood');
      this.#stopReading();
    } else if (refusedInRow === 1 || refusedInRow % bounds.framesBurst === 0) {
      const dropped = this.#bucket.takeDropped();
      const { retryAfterMs } = this.#bucket;
      this.tell('throttled', { retry_after_ms: retryAfterMs, frames_dropped: dropped });
    }
    return false;
  }

  /** What a flood still sends is not even taken apart. */
  #stopReading(): void {
    const { socket } = this.#options;
    socket.removeAllListeners('data');
    socket.resume();
  }

  async #run(command: ReadCommand): Promise<void> {
    const { id } = command;
    switch (command.op) {
      case 'PING': {
        const { client_ts_ms = null } = command.frame;
        this.send('pong', { id, client_ts_ms, server_ts_ms: this.#options.clock.wallMs() });
        break;
      }
      case 'LOCALE':
        this.#setLocale(id, command.frame.locale);
        break;
      case 'AUTH':
        await this.#authenticate(command);
        break;
      case 'SUBSCRIBE':
        await this.#commands.subscribe(id, command.frame.params, command.frame.snapshot ?? true);
        break;
      case 'UNSUBSCRIBE':
        this.#commands.unsubscribe(id, command.frame.params);
        break;
      case 'RESUME':
        await this.#commands.resume(id, command.frame.epoch, command.frame.streams);
        break;
    }
  }

  #setLocale(id: CommandId, requested: string): void {
    const locale = localeOf(requested);
    if (locale === null) {
      const expected = 'a BCP 47 language tag';
      this.sendError('LOCALE', id, 'VALIDATION_FAILED', { field: 'locale', expected });
      return;
    }
    this.subscriptions.locale = locale;
    this.send('locale_set', { id, locale, requested });
  }

  async #authenticate({ id, frame }: Extract<ReadCommand, { op: 'AUTH' }>): Promise<void> {
    const { cancel_on_disconnect: isWanted = false, grace_ms: graceMs = bounds.graceMsDefault } =
      frame;
    if (isWanted || this.#cancelsOnDisconnect) this.#bucket.charge(bounds.lifelineFrames - 1);
    const identity = await this.#options.identify(frame, this);
    if (identity instanceof Error) {
      this.sendError('AUTH', id, identity.code, identity.details);
      return;
    }
    this.#wasToldOfExpiry = false;
    this.#cancelsOnDisconnect = isWanted;
    const data = authenticatedData(id, identity, isWanted, graceMs);
    this.send('authenticated', data, { user_id: data.user_id });
  }

  #announceResync(
    { instance, hasSnapshot }: Subscription,
    reason: ResyncReason,
    snapshot = hasSnapshot,
  ): void {
    const { epoch } = this.#options;
    const { name, seq } = instance;
    this.tell('resync_required', { stream: name, reason, last_seq: seq, epoch, snapshot });
  }

  #fail(op: string | null, id: CommandId, error: unknown): void {
    if (error instanceof LaneUnavailable) {
      const { code, reason } = error;
      this.sendError(op, id, code, { reason });
      return;
    }
    this.#options.failed(error);
    this.sendError(op, id, 'INTERNAL_ERROR');
  }

  #end(): void {
    this.#isClosing = true;
    this.#cancelDrop();
    this.subscriptions.close();
    this.#options.closed(this);
  }
}
