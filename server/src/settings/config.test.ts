import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { settingsPage } from '../../emit/settings.ts';
import { NO_ALLOWANCE } from '../delivery/guard.ts';
import { ConfigError, readConfig, settings } from './config.ts';

describe('[CF1] settings', () => {
  it('an empty environment gives the documented defaults', () => {
    expect(readConfig({}, '/srv')).toEqual({
      port: 8080,
      host: '127.0.0.1',
      adminPort: 8081,
      adminHosts: [],
      publicUrl: null,
      dataDir: '/srv/data',
      databaseUrl: null,
      lanes: ['live', 'sandbox'],
      rateMultiplier: 1,
      hasDirectOrders: true,
      hasBots: true,
      visitors: { demosPerHour: 1000, sandboxKeysPerHour: 1000 },
      hasLiveDemo: false,
      operatorToken: null,
      operatorTokenRole: 'admin',
      needsOperatorFactor: false,
      logLevel: 'warn',
      requestLogBytes: 1_073_741_824,
      trustedProxies: [],
      allowedOrigins: [],
      signingTiers: [],
      webhookAllowance: NO_ALLOWANCE,
      custody: null,
      custodiesBefore: [],
      smtp: null,
      operatorMail: [],
      operatorContact: null,
      reconcileEveryMs: 86_400_000,
      depositApprovalAbove: 1_000_000_000n,
      challengeMinSec: 3600,
      payouts: {
        destinationDelayMs: 86_400_000,
        approvalAbove: 1_000_000_000n,
        leastAmount: 1_000_000n,
        depositInstructions:
          'Deposits are credited by the operator: give {account_id} as the reference.',
      },
    });
  });

  it('what is given is taken, and blanks count as not given', () => {
    const config = readConfig(
      {
        PORT: '0',
        DATA_DIR: '/tmp/x',
        LANES: 'sandbox',
        RATE_MULTIPLIER: '0',
        BOTS: 'off',
        SEED_LIVE: 'demo',
        HOST: ' ',
        PUBLIC_URL: 'https://Api.Example.com/',
        TRUSTED_PROXIES: '10.0.0.1, 10.1.0.0/16,',
      },
      '/srv',
    );
    expect(config).toMatchObject({
      port: 0,
      host: '127.0.0.1',
      publicUrl: 'https://api.example.com',
      dataDir: '/tmp/x',
      lanes: ['sandbox'],
      rateMultiplier: 0,
      hasBots: false,
      hasLiveDemo: true,
      trustedProxies: ['10.0.0.1', '10.1.0.0/16'],
    });
    expect(Object.isFrozen(config)).toBe(true);
  });

  it.each([
    ['PORT', '65536'],
    ['PORT', '8080x'],
    ['ADMIN_PORT', '-1'],
    ['ADMIN_HOSTS', 'console.example, https://console.example'],
    ['PUBLIC_URL', 'api.example.com'],
    ['PUBLIC_URL', 'ftp://api.example.com'],
    ['PUBLIC_URL', 'https://api.example.com/v1'],
    ['PUBLIC_URL', 'https://me@api.example.com'],
    ['LANES', 'test'],
    ['RATE_MULTIPLIER', '1.5'],
    ['SIGNING_TIERS', 'partner,gold'],
    ['WEBHOOK_ALLOW', 'not a receiver'],
    ['CUSTODY_URL', 'https://custody.example/path'],
    ['CUSTODY_NAME', 'A Bank'],
    ['CUSTODY_NAME', 'correction'],
    ['CUSTODY_WAS', 'bank, operator'],
    ['BOTS', 'yes'],
    ['DEMO_PER_HOUR', 'many'],
    ['SANDBOX_KEYS_PER_HOUR', '-1'],
    ['SEED_LIVE', 'everything'],
    ['LOG_LEVEL', 'loud'],
    ['SMTP_URL', 'mail.example.com'],
    ['OPERATOR_CONTACT', 'http://help.example.com'],
    ['OPERATOR_CONTACT', 'javascript:alert(1)'],
    ['OPERATOR_CONTACT', 'https://x"onload="y'],
    ['OPERATOR_CONTACT', 'help"onload="y@example.com'],
    ['OPERATOR_CONTACT', 'the desk'],
    ['SMTP_URL', 'smtp://ada:a#b@mail.example.com'],
  ])('%s=%s stops the start and names the setting', (name, value) => {
    expect(() => readConfig({ [name]: value }, '/')).toThrow(ConfigError);
    expect(() => readConfig({ [name]: value }, '/')).toThrow(name);
  });

  it('[OA5] all that cannot be taken are named in one text', () => {
    const wrong = {
      PORT: 'eighty',
      HOST: 'no host',
      LANES: 'nowhere',
      TRUSTED_PROXIES: '10.0.0.1, somewhere',
      ALLOWED_ORIGINS: 'https://example.com/page',
      OPERATOR_TOKEN: 'short',
    };
    let message = '';
    try {
      readConfig({ ...wrong, ADMIN_PORT: '8081' }, '/');
    } catch (error) {
      if (error instanceof ConfigError) message = error.message;
    }
    const named = message.split('\n').slice(1);
    expect(named.map((line) => /^ {2}([A-Z_]+)/.exec(line)?.[1])).toEqual([
      'PORT',
      'HOST',
      'LANES',
      'OPERATOR_TOKEN',
      'TRUSTED_PROXIES',
      'ALLOWED_ORIGINS',
    ]);
    expect(named[0]).toContain('PORT=eighty: must be 0 to 65535');
  });

  it('[OA5] two listeners cannot have one port', () => {
    expect(() => readConfig({ PORT: '8081' }, '/')).toThrow(/ADMIN_PORT=8081.*another than PORT/);
    expect(readConfig({ PORT: '0', ADMIN_PORT: '0' }, '/').adminPort).toBe(0);
  });

  it('mail needs a server and a sender, and no password of it is repeated', () => {
    const url = 'smtps://ada:a%23b@mail.example.com:465';
    expect(readConfig({ SMTP_URL: url, MAIL_FROM: 'Sibyl <no@sibyl.example>' }, '/').smtp).toEqual({
      url,
      from: 'Sibyl <no@sibyl.example>',
    });
    expect(() => readConfig({ SMTP_URL: url }, '/')).toThrow(/MAIL_FROM/);
    const wrong = { SMTP_URL: 'smtp://ada:hunter2@/x', MAIL_FROM: 'no@sibyl.example' };
    expect(() => readConfig(wrong, '/')).not.toThrow(/hunter2/);
    expect(() => readConfig({ SMTP_URL: url, MAIL_FROM: 'a@b.c, d@e.f' }, '/')).toThrow(
      /MAIL_FROM/,
    );
    const mail = { SMTP_URL: url, MAIL_FROM: 'no@sibyl.example' };
    const two = { ...mail, OPERATOR_MAIL: 'duty@example.com, board@example.com' };
    expect(readConfig(two, '/').operatorMail).toEqual(['duty@example.com', 'board@example.com']);
    expect(() => readConfig({ ...mail, OPERATOR_MAIL: 'duty' }, '/')).toThrow(/OPERATOR_MAIL/);
    const unsent = { OPERATOR_MAIL: 'duty@example.com' };
    expect(() => readConfig(unsent, '/')).toThrow('OPERATOR_MAIL needs SMTP_URL');
  });

  it('a token that is too short is refused and not repeated', () => {
    expect(() => readConfig({ OPERATOR_TOKEN: 'hunter2' }, '/')).toThrow(/24 to 256/);
    expect(() => readConfig({ OPERATOR_TOKEN: 'hunter2' }, '/')).not.toThrow(/hunter2/);
  });

  it('a custody needs a secret, which is not repeated', () => {
    const CUSTODY_URL = 'https://custody.example';
    expect(() => readConfig({ CUSTODY_URL }, '/')).toThrow(/CUSTODY_SECRET must be set/);
    const short = { CUSTODY_URL, CUSTODY_SECRET: 'hunter2' };
    expect(() => readConfig(short, '/')).toThrow(/24 to 256/);
    expect(() => readConfig(short, '/')).not.toThrow(/hunter2/);
    const CUSTODY_SECRET = 'x'.repeat(24);
    const { custody } = readConfig({ CUSTODY_URL, CUSTODY_SECRET }, '/');
    expect(custody).toEqual({ name: 'custody', url: CUSTODY_URL, secret: CUSTODY_SECRET });
    expect(readConfig({}, '/').custody).toBeNull();
  });

  it('the reference page is generated from the same table', () => {
    const page = readFileSync(new URL('../../../docs/SETTINGS.md', import.meta.url), 'utf8');
    expect(page).toBe(settingsPage());
    for (const { name } of settings) expect(page).toContain(`\`${name}\``);
  });
});
