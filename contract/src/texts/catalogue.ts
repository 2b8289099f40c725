// What a catalogue holds: the text of every error in force and of every notice, as ICU messages.
import type { ErrorCode } from '../errors.ts';

/** Messages that carry a text for people, by their type. */
export type Notice =
  | 'throttled'
  | 'auth_expiring'
  | 'auth_revoked'
  | 'resync_required'
  | 'going_away'
  | 'maintenance'
  | 'circuit_breaker'
  | 'platform_mode'
  | 'signals';

export interface Catalogue {
  /** Codes that nothing can send yet have no text here; they speak English if they ever come. */
  readonly errors: Readonly<Partial<Record<ErrorCode, string>>>;
  readonly notices: Readonly<Record<Notice, string>>;
}
