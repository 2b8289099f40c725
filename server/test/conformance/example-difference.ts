// How an example differs from what the server sent, leaving aside what no two runs have in common.
import { isRecord } from './judge.ts';

const ID =
  /^(acc|acs|app|cnv|con|dep|dlv|dst|e|evt|grt|le|m|oac|oat|ord|ort|pk|req|res|ses|sk_live|sk_test|sub|trd|trf|usr|wd|wh|whsec)_.+$/;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const FIRST_INSTANT_MS = 1_500_000_000_000;

/** Random, or a matter of the machine; that they are there and of their kind is compared all the same. */
const OF_THE_RUN: ReadonlySet<string> = new Set([
  'answer_body',
  'answer_body_bytes',
  'commit_p50_us',
  'commit_p99_us',
  'consent_text',
  'creator_address',
  'days',
  'errors',
  'hours',
  'last_login_ip',
  'latency_us',
  'latency_p50_us',
  'latency_p99_us',
  'request_count',
  'error_count',
  'request_headers',
  'latency_ms',
  'options',
  'passphrase',
  'prev_seq',
  'recovery_codes',
  'referral_code',
  'secret',
  'signature',
  'seq',
  'uri',
  'url',
  'version',
]);

/** Empty if the example is what was sent. Of a list, each entry of the example must have been sent. */
export function differencesOf(example: unknown, sent: unknown): readonly string[] {
  const shown = likeness('', example);
  const real = likeness('', sent);
  if (!Array.isArray(shown) || !Array.isArray(real)) return compare('data', shown, real);
  return shown.flatMap((entry) => {
    const tries = real.map((one) => compare('data', entry, one));
    return tries.sort((first, second) => first.length - second.length)[0] ?? ['nothing was sent'];
  });
}

function compare(path: string, shown: unknown, real: unknown): string[] {
  if (isRecord(shown) && isRecord(real)) {
    const keys = new Set([...Object.keys(shown), ...Object.keys(real)]);
    return [...keys].flatMap((key) => compare(`${path}.${key}`, shown[key], real[key]));
  }
  if (Array.isArray(shown) && Array.isArray(real) && shown.length === real.length) {
    return shown.flatMap((one, index) => compare(`${path}[${index}]`, one, real[index]));
  }
  const [first, second] = [JSON.stringify(shown), JSON.stringify(real)];
  return first === second ? [] : [`${path}: the example has ${first}, the server sent ${second}`];
}

/** The value with ids, times and secrets reduced to what kind they are of. */
function likeness(key: string, value: unknown): unknown {
  if (value !== null && OF_THE_RUN.has(key)) return `some ${typeof value}`;
  if (Array.isArray(value)) return value.map((one) => likeness(key, one));
  if (isRecord(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [name, likeness(name, one)]),
    );
  }
  if (typeof value === 'number' && value > FIRST_INSTANT_MS) return 'an instant in ms';
  if (typeof value !== 'string') return value;
  // The body of a webhook is JSON in itself.
  if (key === 'body') return likeness('', JSON.parse(value));
  if (INSTANT.test(value)) return 'an instant';
  // The name of a stream has the market in its middle.
  return ID.exec(value)?.[1] ?? value.replace(/:m_[0-9a-f]{16}/, ':m');
}
