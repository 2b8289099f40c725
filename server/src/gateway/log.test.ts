import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createLog, errorFields, type LogFields } from './log.ts';
import { withoutSecrets } from './without-secrets.ts';

const raw = `sk_live_${'a'.repeat(16)}_${'S'.repeat(43)}`;
const session = `ses_${'b'.repeat(16)}_${'T'.repeat(43)}`;

function logged(write: (log: ReturnType<typeof createLog>) => void): string {
  let text = '';
  const destination = new Writable({
    write(chunk, _encoding, done) {
      text += String(chunk);
      done();
    },
  });
  write(createLog('info', destination));
  return text;
}

describe('logs', () => {
  it('[P9] hold only fields that are allowed by name', () => {
    const fields = { request_id: 'req_1', status: 200, authorization: raw, email: 'a@b.cc' };
    const line = JSON.parse(logged((log) => log.write('info', 'answered', fields as LogFields)));
    expect(line).toMatchObject({ request_id: 'req_1', status: 200, msg: 'answered' });
    expect(line).not.toHaveProperty('authorization');
    expect(line).not.toHaveProperty('email');
  });

  it('[P9] cut keys and sessions to their public part, in messages and errors too', () => {
    const text = logged((log) => {
      log.write('error', `no route DELETE /v1/keys/${raw}`, { reason: session });
      log.write('error', 'x', { error: errorFields(new Error(`bad ${raw} and ${session}`)) });
    });
    expect(text).not.toContain('SSS');
    expect(text).not.toContain('TTT');
    expect(text).toContain(`sk_live_${'a'.repeat(16)}`);
    expect(withoutSecrets(`/v1/keys/${raw}?x`)).toBe(`/v1/keys/sk_live_${'a'.repeat(16)}?x`);
  });

  it('[KY9] cut keys that are written as in a URL', () => {
    const escaped = [...raw]
      .map((character) => `%${character.charCodeAt(0).toString(16)}`)
      .join('');
    for (const form of [escaped, raw.replaceAll('_', '%5F'), raw.replaceAll('_', '%255f')]) {
      const text = logged((log) => log.write('error', `'/v1/keys/${form}' is no URL%`));
      expect(JSON.parse(text).msg).toBe(`'/v1/keys/${raw.slice(0, 24)}' is no URL%`);
    }
    expect(withoutSecrets('/v1/orders/coid%3Amine%2525_a 100%_')).toBe(
      '/v1/orders/coid%3Amine%2525_a 100%_',
    );
  });

  it('[P9] write nothing below their level', () => {
    expect(logged((log) => log.write('debug', 'x'))).toBe('');
  });
});
