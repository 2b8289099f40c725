// What the operator's handlers are given, and how one of them acts on a lane.

import type { AnyOperation, OperatorOperations, OutputOf } from '@sibyl/contract';
import type { Actor, CommandBody, LaneName, Outcome, Rejection } from '@sibyl/engine';
import type { History, HistoryKeeper } from '@sibyl/history';
import type { Clock, Journal, Lane, SnapshotStore } from '@sibyl/lane';
import type { ComplianceOffice } from '../compliance/office.ts';
import type { CustodyWatch } from '../custody/custody-watch.ts';
import type { LocalReceivers } from '../delivery/local-receivers.ts';
import type { Log } from '../gateway/log.ts';
import type { MaintenanceWindow } from '../gateway/maintenance-window.ts';
import {
  type ApiError,
  actingOperator,
  fail,
  type Handler,
  type RequestContext,
} from '../handling/handler.ts';
import type { JobReports } from '../handling/job.ts';
import type { OneTimeLinks } from '../handling/one-time-links.ts';
import type { SecurityLetters } from '../handling/security-letters.ts';
import type { Turns } from '../handling/turns.ts';
import type { KnownBackup } from '../maintenance/backup-list.ts';
import type { Custody } from '../ports/custody.ts';
import type { OperatorStore } from '../ports/operators.ts';
import type { Passwords } from '../ports/passwords.ts';
import type { PlatformStore } from '../ports/platform.ts';
import type { Random } from '../ports/random.ts';
import type { Secrets } from '../ports/secrets.ts';
/** A lane with what a report on it needs. */ import type { SigningOffice } from '../ports/signing.ts';
import type { KnownModes } from '../ports/status.ts';
import type { SecretVault } from '../ports/vault.ts';
import type { Samples } from '../status/samples.ts';
import { wireRefusal } from '../wire/refusals.ts';
import type { AlarmWatch } from './alarm-watch.ts';
import type { Reconciliations } from './reconciliation.ts';
import type { Refusals } from './refusals.ts';

export interface WatchedLane {
  readonly lane: Lane;
  readonly journal: Pick<Journal, 'head' | 'read'>;
  /** Null for a lane that makes none. */
  readonly snapshots: Pick<SnapshotStore, 'directory'> | null;
  readonly history: Pick<
    History,
    'fills' | 'candles' | 'closeBefore' | 'orders' | 'statement' | 'chainData'
  > & {
    readonly projector: { readonly seq: number; readonly failure: Error | null };
  };
  readonly keeper: Pick<HistoryKeeper, 'rebuild' | 'begin'>;
}

export interface OperatorParts {
  readonly opened: Readonly<Partial<Record<LaneName, WatchedLane>>>;
  readonly platform: PlatformStore;
  readonly operators: OperatorStore;
  /** For operators who are signed in. */
  readonly passwords: Passwords;
  /** For sign-ins, which anyone who reaches the plane can send. */
  readonly signInPasswords: Passwords;
  readonly secrets: Secrets;
  readonly signing: SigningOffice;
  /** Where seeds of authenticators are sealed. */
  readonly vault: SecretVault;
  readonly random: Random;
  /** One-time links that are handed out. */
  readonly links: OneTimeLinks;
  /** What users are told by mail of their own security. */
  readonly letters: SecurityLetters;
  readonly clock: Clock;
  /** Rules of compliance and what they found. */
  readonly office: ComplianceOffice;
  readonly log: Pick<Log, 'write'>;
  readonly views: OperatorViews;
  readonly maintenance: MaintenanceWindow;
  readonly localReceivers: LocalReceivers;
  /** Why lanes are paused or halted. */
  readonly modes: KnownModes;
  /** Told when a lane may be in another state than before. */
  readonly statusChanged?: () => void;
  /** Told when an act begins to wait for operators. */
  readonly announced?: () => void;
  /** Who keeps the money of the live lane; absent where nobody is asked. */
  readonly custody?: Custody;
  /** Whether it answers. */
  readonly custodyWatch?: Pick<CustodyWatch, 'isKnown' | 'outage' | 'unclearPayouts'>;
  readonly reconciliations: Reconciliations;
  /** In force now. */
  readonly alarms: Pick<AlarmWatch, 'current'>;
  readonly jobs: JobReports;
  /** How often acts were refused lately. */
  readonly refusals: Refusals;
  /** Charts of the console. */
  readonly samples: Pick<Samples, 'after'>;
  /** By reference: what is credited by hand and what is reported must see each other. */
  readonly depositTurns: Turns;
  /** By owner: money that comes in and the closing of its account must see each other. */
  readonly closingTurns: Turns;
  /** What one operator alone may credit by hand within a day in live; null for any amount. */
  readonly depositApprovalAbove: bigint | null;
  /** How long everybody can at least object to an answer in live. */
  readonly challengeMinSec: number;
  /** Copies the data folder while serving, with the lanes that run. */
  readonly backUp: () => Promise<MadeBackup>;
  /** Those in the data folder, the newest first. */
  readonly backups: () => readonly KnownBackup[];
}

export interface FinishedBackup {
  readonly folder: string;
  readonly createdAtMs: number;
  readonly lanes: readonly {
    readonly lane: LaneName;
    readonly seq: number;
    readonly headHash: string;
  }[];
}

/** With what of the folder it does not have. */
export interface MadeBackup extends FinishedBackup {
  readonly leftOut: readonly LaneName[];
}

export type MarketView = OutputOf<OperatorOperations['haltMarket']>;
export type TemplateView = OutputOf<OperatorOperations['publishTemplate']>;

/** Records of the public interface as it shows them. */
export interface OperatorViews {
  market(lane: LaneName, marketId: string): Promise<MarketView>;
  template(lane: LaneName, templateId: string): Promise<TemplateView>;
  /** The newest of each, by id; of the template that is named every version, newest first. */
  templates(lane: LaneName, templateId?: string): Promise<readonly TemplateView[]>;
}

export type OperatorHandlers = {
  readonly [Id in keyof OperatorOperations]: Handler<OperatorOperations[Id]>;
};

/** Where an act belongs, and why it is done. */
export interface Act {
  readonly lane: LaneName;
  readonly reason: string;
}

export function laneOf(
  parts: Pick<OperatorParts, 'opened'>,
  name: LaneName,
): WatchedLane | ApiError {
  const found = parts.opened[name];
  if (found !== undefined) return found;
  return fail('SERVICE_UNAVAILABLE', undefined, `The ${name} lane is not run here.`);
}

/** As whom the journal knows the caller. */
export function actorOf(request: RequestContext, reason: string): Actor {
  return { kind: 'operator', name: actingOperator(request).operatorId, reason };
}

/** Journals the act with its actor and reason; a refusal comes back as a code that the operation declares. */
export async function act(
  lane: Lane,
  request: RequestContext,
  { reason }: Act,
  body: CommandBody,
): Promise<Outcome | ApiError> {
  const outcome = await lane.submit({
    body,
    actor: actorOf(request, reason),
    requestId: request.requestId,
    ...(request.idempotency === undefined ? {} : { key: request.idempotency }),
  });
  if (outcome.answer.ok) return outcome;
  return wireRefusal(declared(request.operation, outcome.answer.rejection), outcome.replayed);
}

/** The engine's codes are finer than some operations declare; the nearest declared one stands in. */
function declared(operation: AnyOperation, rejection: Rejection): Rejection {
  if (operation.errors.includes(rejection.code)) return rejection;
  const nearest = NEAREST[rejection.code]?.find((code) => operation.errors.includes(code));
  return nearest === undefined ? rejection : { ...rejection, code: nearest };
}

const NEAREST: Readonly<Partial<Record<Rejection['code'], readonly Rejection['code'][]>>> = {
  PROPOSAL_STATE_INVALID: ['RESOLUTION_CHALLENGE_OPEN', 'STATE_CONFLICT'],
  STATE_CONFLICT: ['PROPOSAL_STATE_INVALID', 'CONFLICT'],
  MARKET_TEMPLATE_UNKNOWN: ['NOT_FOUND'],
  RESOLUTION_LOCKED: ['STATE_CONFLICT'],
  RESOLUTION_CHALLENGE_OPEN: ['STATE_CONFLICT'],
  SUBACCOUNT_FROZEN: ['STATE_CONFLICT'],
};
