// Apps that others build: who owns them, where codes may be sent, what they may ask for, and how far they are reviewed.
import type { SavedAnswer } from './platform.ts';

/** `draft` works in the sandbox for its owner alone; `approved` for everybody; `disabled` for nobody. */
export type AppStatus = 'draft' | 'in_review' | 'approved' | 'disabled';

/** What is kept of a client secret: nobody who reads it can use it. */
export interface ClientSecretHash {
  /** `acs_` and 16 characters: what the raw secret begins with. */
  readonly publicId: string;
  readonly salt: string;
  readonly hash: string;
  readonly createdAtMs: number;
}

export interface AppRecord {
  /** `app_…`; OAuth knows it as the client_id. */
  readonly appId: string;
  /** The user that registered it. */
  readonly ownerId: string;
  /** As the owner gave it; no two of an owner are the same without regard to case. */
  readonly name: string;
  /** Whom an operator found behind it; no two apps have the same. Null before the first approval. */
  readonly verifiedName: string | null;
  /** A client that can keep no secret: it has none, and proves itself by PKCE alone. */
  readonly isPublic: boolean;
  /** Compared as they are; the port of a loopback address excepted. */
  readonly redirectUris: readonly string[];
  /** Pages that may send the widget key. */
  readonly allowedOrigins: readonly string[];
  readonly allowedScopes: readonly string[];
  /** What the app takes unless an order says less; at most the cap. */
  readonly builderFeeBps: number;
  readonly feeCapBps: number;
  /** `pk_…`: it stands in pages for all to read, so it is kept as it is. */
  readonly widgetKey: string;
  readonly status: AppStatus;
  /** Who disabled it, so that an owner cannot undo what an operator did; null while it is not disabled. */
  readonly disabledBy: 'owner' | 'operator' | null;
  /** What the reviewer last said to the owner. */
  readonly reviewNote: string | null;
  /** Null for a public client. */
  readonly secret: ClientSecretHash | null;
  /** The one before: good for a day after the rotation. */
  readonly previousSecret: ClientSecretHash | null;
  readonly rotatedAtMs: number | null;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  readonly submittedAtMs: number | null;
}

export type AppAddition = 'added' | 'name_taken' | 'too_many';

/** `refused` if what is there did not permit the change. */
export type AppChanged = AppRecord | 'name_taken' | 'verified_name_taken' | 'refused';

/** Who changed the status of an app, and why. */
export interface AppAct {
  /** A user id or the name of an operator. */
  readonly actor: string;
  readonly reason: string;
  readonly atMs: number;
}

export interface AppStatusChange extends AppAct {
  readonly appId: string;
  readonly from: AppStatus;
  readonly to: AppStatus;
}

/** The oldest first, by when they were made, then by id. */
export interface AppPage {
  readonly limit: number;
  readonly status: AppStatus | null;
  readonly after: { readonly createdAtMs: number; readonly appId: string } | null;
}

/** Every write is durable when its promise resolves, happens whole or not at all, and is told as a change of kind `app`. */
export interface AppStore {
  appById(appId: string): Promise<AppRecord | null>;
  appByWidgetKey(widgetKey: string): Promise<AppRecord | null>;
  /** The oldest first. */
  appsOf(ownerId: string): Promise<readonly AppRecord[]>;
  page(page: AppPage): Promise<readonly AppRecord[]>;
  /** Refused if the owner has an app of this name, or has `max` of them. */
  add(app: AppRecord, max: number, saved?: SavedAnswer): Promise<AppAddition>;
  /**
   * `next` is called within the transaction with the app as it is, and says what it becomes, or null to refuse; it may be
   * called more than once. A change of the status is recorded with the act. Null if there is no such app.
   */
  change(
    appId: string,
    act: AppAct,
    next: (before: AppRecord) => AppRecord | null,
    saved?: SavedAnswer,
  ): Promise<AppChanged | null>;
  /** In the order in which they happened. */
  statusChanges(appId: string): Promise<readonly AppStatusChange[]>;
}
