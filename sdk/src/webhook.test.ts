import { createHmac, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { SibylError } from './errors.ts';
import { signWebhook, verifyWebhook, type WebhookHeaders } from './webhook.ts';

const key = randomBytes(32);
const secret = `whsec_${key.toString('base64')}`;
const oldKey = randomBytes(32);
const oldSecret = `whsec_${oldKey.toString('base64')}`;
const id = 'evt_01J0000000000021';
const body = JSON.stringify({ id, type: 'webhook.ping', data: { message: 'größe ✓' } });
const atSec = 1_794_657_600;
const nowMs = atSec * 1000;

// Independent of the verifier: Node's own hash functions, the strings as the interface states them.
const hex = (of: string, text = `${atSec}.${body}`) =>
  createHmac('sha256', of).update(text).digest('hex');
const base64 = (of: Buffer, text = `${id}.${atSec}.${body}`) =>
  createHmac('sha256', of).update(text).digest('base64');
const standard = (signature: string) => ({
  'webhook-id': id,
  'webhook-timestamp': String(atSec),
  'webhook-signature': signature,
});

describe('webhook verifier', () => {
  it.each<readonly [string, WebhookHeaders]>([
    ['one signature', { 'X-SVC-Signature': `t=${atSec},v1=${hex(secret)}` }],
    [
      'two signatures, ours first',
      { 'x-svc-signature': `t=${atSec},v1=${hex(secret)},v1=${hex(oldSecret)}` },
    ],
    [
      'two signatures, ours second',
      { 'x-svc-signature': `t=${atSec},v1=${hex(oldSecret)},v1=${hex(secret)}` },
    ],
    ['platform headers', new Headers({ 'X-SVC-Signature': `t=${atSec},v1=${hex(secret)}` })],
    ['Standard Webhooks', standard(`v1,${base64(key)}`)],
    ['Standard Webhooks in rotation', standard(`v1,${base64(oldKey)} v1,${base64(key)}`)],
    ['an unknown version beside', standard(`v1a,AAAA v1,${base64(key)}`)],
  ])('[SK10] accepts %s', async (_name, headers) => {
    const notice = await verifyWebhook({ headers, body, secret, nowMs });
    expect(notice).toEqual(JSON.parse(body));
    const bytes = new TextEncoder().encode(body);
    expect(await verifyWebhook({ headers, body: bytes, secret, nowMs })).toEqual(notice);
  });

  it('[SK10] accepts what the published vector of Standard Webhooks signs', async () => {
    const headers = {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    };
    const given = { headers, body: '{"test": 2432232314}', nowMs: 1_614_265_330_000 };
    const known = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    expect(await verifyWebhook({ ...given, secret: known })).toEqual({ test: 2_432_232_314 });
  });

  it.each<readonly [string, WebhookHeaders, string]>([
    ['no header', {}, body],
    ['an empty header', { 'x-svc-signature': '' }, body],
    ['no time', { 'x-svc-signature': `v1=${hex(secret)}` }, body],
    ['two times', { 'x-svc-signature': `t=${atSec},t=${atSec},v1=${hex(secret)}` }, body],
    ['no signature', { 'x-svc-signature': `t=${atSec}` }, body],
    ['another secret', { 'x-svc-signature': `t=${atSec},v1=${hex(oldSecret)}` }, body],
    ['a changed body', { 'x-svc-signature': `t=${atSec},v1=${hex(secret)}` }, `${body} `],
    ['a changed time', { 'x-svc-signature': `t=${atSec + 1},v1=${hex(secret)}` }, body],
    ['a short signature', { 'x-svc-signature': `t=${atSec},v1=${hex(secret).slice(2)}` }, body],
    ['an older version', { 'x-svc-signature': `t=${atSec},v0=${hex(secret)}` }, body],
    [
      'many signatures',
      { 'x-svc-signature': `t=${atSec}${`,v1=${hex(oldSecret)}`.repeat(4)},v1=${hex(secret)}` },
      body,
    ],
    ['a changed id', { ...standard(`v1,${base64(key)}`), 'webhook-id': 'evt_2' }, body],
    ['no base64', standard('v1,%%%%'), body],
  ])('[SK10] refuses %s as WEBHOOK_SIGNATURE_INVALID', async (_name, headers, given) => {
    const refused = await failureOf(verifyWebhook({ headers, body: given, secret, nowMs }));
    expect([refused.code, refused.status]).toEqual(['WEBHOOK_SIGNATURE_INVALID', 401]);
  });

  it.each([
    [-301, false],
    [-300, true],
    [300, true],
    [301, false],
  ])('[SK10] a clock off by %i s: accepted is %s', async (offSec, isAccepted) => {
    const headers = { 'x-svc-signature': `t=${atSec},v1=${hex(secret)}` };
    const result = verifyWebhook({ headers, body, secret, nowMs: nowMs + offSec * 1000 });
    if (isAccepted) expect(await result).toMatchObject({ id });
    else {
      const refused = await failureOf(result);
      expect([refused.code, refused.status]).toEqual(['WEBHOOK_TIMESTAMP_SKEW', 401]);
    }
  });

  it.each(['', 'whsec_', 'whsec_%%%', `whsec_${'A'.repeat(8)}`, key.toString('base64')])(
    '[SK10] the secret %j is WEBHOOK_SECRET_INVALID',
    async (wrong) => {
      const headers = { 'x-svc-signature': `t=${atSec},v1=${hex(wrong)}` };
      const refused = await failureOf(verifyWebhook({ headers, body, secret: wrong, nowMs }));
      expect([refused.code, refused.status]).toEqual(['WEBHOOK_SECRET_INVALID', 400]);
    },
  );

  it('[SK10] signs as the service does', async () => {
    expect(await signWebhook({ id, body, secret, atSec })).toEqual({
      'x-svc-signature': `t=${atSec},v1=${hex(secret)}`,
      ...standard(`v1,${base64(key)}`),
    });
  });
});

async function failureOf(result: Promise<unknown>): Promise<SibylError> {
  const error: unknown = await result.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof SibylError)) throw new Error(`not refused: ${String(error)}`);
  return error;
}
