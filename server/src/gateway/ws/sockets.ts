// All sockets of the service: lets them in, verifies who they are, and ends them when it is time.

import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { limits } from '@sibyl/contract';
import type { Clock } from '@sibyl/lane';
import { type Server as SocketServer, WebSocketServer } from 'ws';
import { hidesPerson } from '../../handling/credentials.ts';
import {
  ApiError,
  type Credential,
  fail,
  type LaneName,
  rejected,
} from '../../handling/handler.ts';
import type { PlatformChange, PlatformStore, UserRecord } from '../../ports/platform.ts';
import type { Random } from '../../ports/random.ts';
import type { StreamHub } from '../../streams/hub.ts';
import type { LaneMessage } from '../../streams/market-messages.ts';
import { tierOf } from '../../wire/known-tier.ts';
import { isWithin } from '../../wire/networks.ts';
import { AddressReader } from '../address.ts';
import type { Authenticator } from '../authenticate.ts';
import { keyRatesOf } from '../builder-terms.ts';
import { concerns, grantOf, keyCredential } from '../credential.ts';
import { type LanesRun, lanesRunOf, resolveEnvironment } from '../environment.ts';
import { shuttingDown } from '../gate.ts';
import type { MaintenanceWindow } from '../maintenance-window.ts';
import { DisconnectCancels } from './cancel-on-disconnect.ts';
import { ClosingSocket } from './closing-socket.ts';
import { type AuthFrame, Connection, type RevocationReason } from './connection.ts';
import { Crowd } from './crowd.ts';
import { credentialName, type Identity, type ShowIdentity, voidTokenReason } from './identity.ts';
import type { WriteTurn } from './outlet.ts';
import { SnapshotAllowance } from './snapshot-allowance.ts';
import { TierNews } from './tier-news.ts';

export interface SocketsOptions {
  readonly hubs: Readonly<Partial<Record<LaneName, StreamHub>>>;
  readonly epoch: string;
  readonly platform: PlatformStore;
  readonly authenticator: Pick<Authenticator, 'identify'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly turn: WriteTurn;
  readonly showAccount: ShowIdentity;
  readonly trustedProxies: readonly string[];
  /** False lets one address hold any number: load tests come from one. */
  readonly hasLimits: boolean;
  /** What an address is sent of snapshots at once, if not what the contract says. */
  readonly snapshotBytesBurst: number | undefined;
  readonly maintenance: MaintenanceWindow | null;
  readonly failed: (error: unknown) => void;
}

const PATHS: Readonly<Record<string, LaneName>> = { '/ws': 'live', '/sandbox/ws': 'sandbox' };
const CONNECTIONS_MAX = 10_000;
const CLOSE_WITHIN_MS = 1_500;
/** A frame of so few bytes needs no more pieces. */
const FRAGMENTS_MAX = 256;
const TICK_MS = 1_000;

export class Sockets {
  readonly #options: SocketsOptions;
  readonly #server: SocketServer<typeof ClosingSocket>;
  readonly #addresses: AddressReader;
  readonly #connections = new Set<Connection>();
  readonly #crowd: Crowd;
  readonly #allowances = {
    live: new Map<string, SnapshotAllowance>(),
    sandbox: new Map<string, SnapshotAllowance>(),
  };
  readonly #disconnectCancels: DisconnectCancels;
  readonly #tierNews: TierNews;
  readonly #stopListening: () => void;
  readonly #detachments: (() => void)[] = [];
  #cancelAlarm: () => void;
  #isClosing = false;

  constructor(options: SocketsOptions) {
    this.#options = options;
    this.#addresses = new AddressReader(options.trustedProxies);
    this.#crowd = new Crowd(options.hasLimits);
    this.#disconnectCancels = new DisconnectCancels(options);
    this.#server = new WebSocketServer({
      noServer: true,
      perMessageDeflate: false,
      clientTracking: false,
      maxPayload: limits.socket.frameBytesMax,
      maxFragments: FRAGMENTS_MAX,
      autoPong: false,
      // One frame a turn: many small ones in one piece would hold everybody else up.
      allowSynchronousEvents: false,
      WebSocket: ClosingSocket,
    });
    this.#tierNews = new TierNews({ ...options, holders: () => this.#holders });
    const stopListening = options.platform.onChange((change) => this.#reconsider(change));
    const stopHearing = options.maintenance?.onNews((news) => {
      for (const connection of this.#connections) connection.tellMaintenance(news);
    });
    this.#stopListening = () => {
      stopListening();
      stopHearing?.();
      this.#tierNews.close();
    };
    this.#cancelAlarm = this.#scheduleTick();
  }

  /** Of the credentials that are connected. */
  get #holders(): ReadonlySet<string> {
    const identities = [...this.#connections].map(({ identity }) => identity);
    return new Set(
      identities.flatMap((known) => (known === null ? [] : [known.grant.credential.holderId])),
    );
  }

  get size(): number {
    return this.#connections.size;
  }

  attach(listener: Listener): void {
    const { server } = listener.app;
    const upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
      socket.on('error', () => socket.destroy());
      const admitted = this.#admit(request);
      if (admitted instanceof ApiError) listener.refuse(request, admitted);
      else this.#upgrade(admitted, request, socket as Socket, head);
    };
    server.on('upgrade', upgrade);
    this.#detachments.push(() => server.off('upgrade', upgrade));
  }

  broadcast(hub: StreamHub, ...[type, data]: LaneMessage): void {
    for (const connection of this.#connections) {
      if (connection.hub === hub) connection.announce(type, data);
    }
  }

  /** Called when the lanes run, before anybody can connect. */
  async recover(): Promise<void> {
    await this.#disconnectCancels.recover(this.#options.hubs);
  }

  /** Says goodbye to everybody and waits a moment until they have heard it. */
  async close(): Promise<void> {
    this.#isClosing = true;
    this.#stopListening();
    this.#cancelAlarm();
    const nowMs = this.#options.clock.wallMs();
    for (const connection of this.#connections) connection.sayGoodbye(nowMs);
    const patience = setTimeout(() => this.#allGone(), CLOSE_WITHIN_MS);
    if (this.#connections.size > 0) {
      await new Promise<void>((resolve) => {
        this.#allGone = resolve;
      });
    }
    clearTimeout(patience);
    for (const connection of [...this.#connections]) {
      connection.drop();
      this.#forget(connection);
    }
    for (const detach of this.#detachments) detach();
    await this.#disconnectCancels.close();
  }

  #allGone: () => void = () => undefined;

  #scheduleTick(): () => void {
    return this.#options.clock.setAlarm(TICK_MS, () => {
      for (const connection of this.#connections) connection.tick();
      this.#forgetAllowances();
      this.#tierNews.checkCeilings();
      this.#cancelAlarm = this.#scheduleTick();
    });
  }

  #upgrade(
    { hub, ip, bucket, address }: Admitted,
    request: IncomingMessage,
    socket: Socket,
    head: Buffer,
  ): void {
    socket.setNoDelay(true);
    this.#server.handleUpgrade(request, socket, head, (webSocket) => {
      const connection = new Connection({
        id: `con_${this.#options.random.token(16)}`,
        webSocket,
        socket,
        hub,
        address,
        epoch: this.#options.epoch,
        clock: this.#options.clock,
        turn: this.#options.turn,
        allowance: this.#allowanceOf(hub.lane.name, bucket),
        identify: (frame, asking) => this.#identify(frame, asking, ip),
        showAccount: this.#options.showAccount,
        closed: (closed) => this.#forget(closed),
        failed: this.#options.failed,
      });
      const news = this.#options.maintenance?.news ?? null;
      if (news !== null) connection.tellMaintenance(news);
      this.#connections.add(connection);
      this.#crowd.enter(connection, bucket, hub.lane.name);
    });
  }

  #admit(request: IncomingMessage): Admitted | ApiError {
    const [path = ''] = (request.url ?? '').split('?');
    const address = Object.hasOwn(PATHS, path) ? PATHS[path] : undefined;
    if (address === undefined) return fail('NOT_FOUND');
    if (this.#isClosing) return shuttingDown();
    const environment = resolveEnvironment(this.#lanesRun, address, null);
    const hub = environment.ok ? this.#options.hubs[environment.lane] : undefined;
    if (hub === undefined) return fail('NOT_FOUND');
    const forwarded = request.headers['x-forwarded-for'];
    const { ip, bucket } = this.#addresses.read(
      request.socket.remoteAddress,
      this.#addresses.trustsProxies && forwarded !== undefined ? String(forwarded) : undefined,
    );
    const hasRoom = this.#crowd.hasRoomFor(bucket, hub.lane.name);
    if (!hasRoom || this.#connections.size >= CONNECTIONS_MAX) return full();
    return { hub, ip, bucket, address };
  }

  get #lanesRun(): LanesRun {
    return lanesRunOf(this.#options.hubs);
  }

  /** The connection speaks for the holder as soon as nothing can have changed since it was verified. */
  async #identify(
    frame: AuthFrame,
    connection: Connection,
    ip: string,
  ): Promise<Identity | ApiError> {
    const { authenticator, platform } = this.#options;
    const headers = { authorization: `Bearer ${frame.token}` };
    const { cancel_on_disconnect: cancelsOnDisconnect = false } = frame;
    for (;;) {
      const credential = await authenticator.identify(headers);
      if (credential === null) return rejected('malformed');
      if (credential instanceof ApiError) return credential;
      if (credential.kind === 'key' && !isWithin(credential.allowedNetworks, ip)) {
        return rejected('address');
      }
      const user = credential.userId === null ? null : await platform.userById(credential.userId);
      // A revocation in the meantime would have found nobody to tell.
      if (authenticator.identify(headers) !== credential) continue;
      const identity = this.#identityOf(connection, credential, user);
      if (identity instanceof ApiError) return identity;
      if (cancelsOnDisconnect && !identity.grant.permissions.includes('trade')) {
        return fail('SCOPE_MISSING', { required: 'trade' });
      }
      const { grant, hub } = identity;
      const name = credentialName(identity);
      if (!this.#crowd.admit(connection, name, hub.lane.name, grant.multiplier)) return full();
      connection.become(identity);
      const { grace_ms: graceMs = limits.socket.graceMsDefault } = frame;
      if (cancelsOnDisconnect) await this.#disconnectCancels.hold(connection, identity, graceMs);
      else await this.#disconnectCancels.release(connection);
      return identity;
    }
  }

  #identityOf(
    connection: Connection,
    credential: Credential,
    user: UserRecord | null,
  ): Identity | ApiError {
    const { hubs } = this.#options;
    const { address } = connection;
    if (!this.#connections.has(connection))
      return fail('SERVICE_UNAVAILABLE', { reason: 'closing' });
    const environment = resolveEnvironment(this.#lanesRun, address, credential);
    const hub = environment.ok ? hubs[environment.lane] : undefined;
    if (!environment.ok || hub === undefined) {
      const own = environment.ok ? address : environment.credential;
      const details = { credential_environment: own, requested_environment: address };
      return fail('WRONG_ENV_KEY', details);
    }
    const accountId = credential.accounts[hub.lane.name];
    const known = connection.identity;
    if (known !== null && known.accountId !== accountId) return fail('STATE_CONFLICT');
    const grant = grantOf(credential, hub.lane.name);
    return { grant, accountId, hub, user: hidesPerson(credential) ? null : user };
  }

  /** Null where there are no limits. */
  #allowanceOf(lane: LaneName, bucket: string): SnapshotAllowance | null {
    const { hasLimits, clock, snapshotBytesBurst } = this.#options;
    if (!hasLimits) return null;
    const allowances = this.#allowances[lane];
    const known = allowances.get(bucket);
    if (known !== undefined) return known;
    const allowance = new SnapshotAllowance(clock, snapshotBytesBurst);
    allowances.set(bucket, allowance);
    return allowance;
  }

  /** Those of addresses that are gone are kept until they are whole again, or coming back would make them so. */
  #forgetAllowances(): void {
    for (const allowances of Object.values(this.#allowances)) {
      for (const [bucket, allowance] of allowances) {
        if (!this.#crowd.holds(bucket) && allowance.isWhole) allowances.delete(bucket);
      }
    }
  }

  #forget(connection: Connection): void {
    if (!this.#connections.delete(connection)) return;
    this.#crowd.leave(connection);
    this.#disconnectCancels.lose(connection);
    if (this.#connections.size === 0) this.#allGone();
  }

  #reconsider(change: PlatformChange): void {
    this.#severVoid(change).catch(this.#options.failed);
    for (const connection of this.#connections) {
      const { identity } = connection;
      if (identity === null || !concerns(change, identity.grant.credential)) continue;
      this.#verify(connection, identity).catch(this.#options.failed);
    }
  }

  /** Also of those that are not connected at the moment: what they armed must not wait until their grace is over. */
  async #severVoid(change: PlatformChange): Promise<void> {
    const { platform } = this.#options;
    for (const credential of this.#disconnectCancels.credentials) {
      const [kind, id = ''] = credential.split(' ');
      if (kind === 'key' && change.kind === 'key' && change.publicId === id) {
        const key = await platform.keyById(id);
        if (key === null || key.revokedAtMs !== null) this.#disconnectCancels.sever(credential);
      } else if (kind === 'grant' && change.kind !== 'key' && change.kind !== 'session') {
        const grant = await platform.grants.grantById(id);
        if (grant === null || grant.revokedAtMs !== null) this.#disconnectCancels.sever(credential);
      } else if (kind === 'session' && change.kind !== 'key') {
        const session = await platform.sessionById(id);
        if (session === null || session.endedAtMs !== null)
          this.#disconnectCancels.sever(credential);
      }
    }
  }

  /** A change may be a revocation, another tier, or nothing that matters here. */
  async #verify(connection: Connection, identity: Identity): Promise<void> {
    const { platform } = this.#options;
    const { credential } = identity.grant;
    if (credential.kind === 'session') {
      const session = await platform.sessionById(credential.sessionId);
      const isOver = session === null || session.endedAtMs !== null;
      if (isOver) this.#revoke(connection, identity, 'session_revoked');
      return;
    }
    if (credential.kind === 'token') {
      const reason = await voidTokenReason(platform, credential);
      if (reason !== null) this.#revoke(connection, identity, reason);
      return;
    }
    const key = await platform.keyById(credential.publicId);
    if (key === null || key.revokedAtMs !== null) {
      this.#revoke(connection, identity, 'key_revoked');
    } else if (connection.identity === identity) {
      const { tier, quotas } = credential;
      if (tier === tierOf(key.tier)) return;
      const rates = await keyRatesOf(platform, key, this.#options.clock.wallMs());
      const grant = grantOf(keyCredential(key, rates, quotas), identity.hub.lane.name);
      if (connection.identity === identity) connection.identity = { ...identity, grant };
    }
  }

  /** A connection that has renewed its credential with another in the meantime goes on. */
  #revoke(connection: Connection, identity: Identity, reason: RevocationReason): void {
    if (connection.identity === identity) connection.revoke(reason);
  }
}

/** What the sockets hang on: it answers the upgrades that are refused. */
export interface Listener {
  readonly app: { readonly server: Server };
  refuse(request: IncomingMessage, error: ApiError): void;
}

interface Admitted {
  readonly hub: StreamHub;
  readonly ip: string;
  readonly bucket: string;
  readonly address: LaneName;
}

function full(): ApiError {
  return fail('RATE_LIMITED', { category: 'read', retry_after_sec: 5, limit: 'sockets' });
}
