// Outgoing requests: names resolved, connections made, and the result of one POST.
import type { LaneName as Environment } from '@sibyl/engine';

/** Whose webhook a request is for. */
export interface WebhookOwner {
  readonly environment: Environment;
  readonly accountId: string;
  /** What registered it: a key, a session, or the grant of an app. */
  readonly createdBy: string | null;
}

/** What is behind a name. */
export interface Resolver {
  /** Every A and AAAA answer; empty when the name has none. Rejects when that could not be found out. */
  resolve(host: string): Promise<readonly string[]>;
}

/** A URL that may be posted to, if the addresses behind it may be dialled. */
export interface Target {
  readonly owner: WebhookOwner;
  readonly url: URL;
  readonly host: string;
  readonly port: number;
  readonly isSecure: boolean;
  /** The address itself, where the URL names one; only the operator's list makes that possible. */
  readonly literal: string | null;
}

export interface Refusal {
  readonly refused: string;
}

/** Where outgoing requests may go. */
export interface Guard {
  /** The URL taken apart, or why it is refused whatever its name leads to. */
  read(url: string, owner: WebhookOwner): Target | Refusal;
  /** Every answer of the resolver must pass, not just the one that is dialled. */
  mayDial(target: Target, address: string): boolean;
}

export interface OutboundRequest {
  /** The sandbox may deliver to receivers on this machine that an operator allows for the account. */
  readonly owner: WebhookOwner;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export type OutboundFailure =
  /** The URL or one of the addresses behind it must not be reached from here. */
  | 'forbidden'
  | 'unresolved'
  | 'connect'
  | 'tls'
  | 'timeout'
  /** Connected, but no whole answer came. */
  | 'broken';

export type OutboundResult =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly latencyMs: number;
      /** How long the body was, as far as it was read; what it said is not kept. */
      readonly answerBytes: number;
    }
  | { readonly kind: 'failed'; readonly failure: OutboundFailure; readonly latencyMs: number };

export interface Outbound {
  /** One POST, never redirected, never to a forbidden address. Does not reject. */
  send(request: OutboundRequest): Promise<OutboundResult>;
  /** Null if the URL may be registered, else why not. A name that does not resolve yet may. */
  inspect(url: string, owner: WebhookOwner): Promise<string | null>;
}
