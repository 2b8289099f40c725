// English: the contract's own texts, but where the socket can say more.
import { type ErrorCode, errorCodes, errors } from '../errors.ts';
import type { Catalogue } from './catalogue.ts';

export const en: Catalogue = {
  errors: {
    ...contractTexts(),
    BAD_REQUEST: `{reason, select,
      not_json {The frame is not JSON.}
      not_an_object {The frame is not an object.}
      op_and_method_differ {op and method name different commands.}
      binary {Only text frames are read.}
      too_large {The frame is larger than {limit_bytes, plural, one {# byte} other {# bytes}}.}
      other {The request could not be read.}}`,
    MISSING_FIELD: 'A required field is absent: {field}',
    VALIDATION_FAILED: 'A field has a value that is not allowed: {field}',
    AUTH_INVALID: `{reason, select,
      expired {The credential has expired.}
      revoked {The credential was revoked.}
      other {The credential was rejected.}}`,
    SERVICE_UNAVAILABLE: `{reason, select,
      busy {Too many commands are waiting; try again in a moment.}
      closing {The service is shutting down.}
      recovering {The exchange is being brought back from its journal; try again in a moment.}
      stopped {The exchange has stopped and waits for its operator.}
      interrupted {The exchange stopped in the middle of it; the same Idempotency-Key tells what became of it.}
      history {History cannot be read at the moment; trading goes on.}
      not_offered {This stream is not offered yet.}
      other {A part of the service is switched off.}}`,
    RATE_LIMITED: `Too many requests{retry_after_sec, plural,
      =0 {.} one {; try again in # second.} other {; try again in # seconds.}}`,
  },
  notices: {
    throttled: `Too many frames: {frames_dropped, plural,
      one {# was dropped} other {# were dropped}}. Wait {retry_after_ms, number} ms.`,
    auth_expiring: `The credential ends in {seconds, plural,
      one {# second} other {# seconds}}; authenticate again.`,
    auth_revoked: `{reason, select,
      key_revoked {The key was revoked.}
      session_revoked {The session was ended.}
      token_revoked {The token was revoked.}
      grant_revoked {The access of the app was taken back.}
      expired {The credential has expired.}
      other {The credential is no longer valid.}}`,
    resync_required: `{reason, select,
      slow_consumer {Messages were skipped because they were not read in time.}
      epoch_changed {The service was restarted; its numbers begin anew.}
      gap {The last number is unknown to the service.}
      other {What was missed can no longer be replayed.}}`,
    going_away: `The connection is about to close; connect again in {seconds, plural,
      one {# second} other {# seconds}}.`,
    maintenance: 'The service restarts.',
    circuit_breaker: `{state, select,
      closed {{scope, select,
        market {Trading in the market goes on.}
        other {The service works normally again.}}}
      other {{scope, select,
        market {Trading in the market is halted.}
        other {A part of the service does not work properly.}}}}`,
    platform_mode: `{mode, select,
      normal {Everything works normally.}
      cancel_only {Only reads and cancels are accepted at the moment.}
      other {Trading is paused; reads still work.}}`,
    signals: `{kind, select,
      price_move {The price moved within {seconds, plural, one {# second} other {# seconds}}}
      volume_spike {Volume rose within {seconds, plural, one {# second} other {# seconds}}}
      liquidity_shift {Depth shifted within {seconds, plural, one {# second} other {# seconds}}}
      spread_widening {The spread widened within {seconds, plural, one {# second} other {# seconds}}}
      closing_soon {Trading closes soon}
      other {Something unusual}}: {title} (strength {strength, number, percent})`,
  },
};

/** Braces and quotes mean something in ICU messages; here they stand for themselves. */
function contractTexts(): Partial<Record<ErrorCode, string>> {
  const inForce = errorCodes.filter((code) => errors[code].since !== 'later');
  const quoted = (text: string): string =>
    text.replaceAll("'", "''").replaceAll(/[{}]/g, (brace) => `'${brace}'`);
  return Object.fromEntries(inForce.map((code) => [code, quoted(errors[code].message)]));
}
