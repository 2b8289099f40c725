import { describe, expect, it } from 'vitest';
import { createGuard, isPublicAddress, NO_ALLOWANCE, parseAllowance } from './guard.ts';

const OWNER = { environment: 'live', accountId: 'acc_a', createdBy: null } as const;
const strict = createGuard(NO_ALLOWANCE);

function isRead(url: string, guard = strict): boolean {
  return !('refused' in guard.read(url, OWNER));
}

describe('[WU1] URLs of webhooks', () => {
  it.each([
    'https://example.com',
    'https://example.com/hooks?a=b',
    'https://example.com:443/x',
    'https://bücher.example/x',
    'HTTPS://EXAMPLE.COM/',
    'https://127.0.0.1.example.com/',
  ])('takes %s', (url) => {
    expect(isRead(url)).toBe(true);
  });

  it.each([
    'http://example.com/',
    'https://example.com:8443/',
    'https://example.com:80/',
    'ftp://example.com/',
    'https:example.com',
    'https:/example.com',
    '//example.com/',
    'javascript:alert(1)',
    'file:///etc/passwd',
    'https://user@example.com/',
    'https://user:pass@example.com/',
    'https://@example.com/',
    'https://example.com/#x',
    'https://example.com/#',
    'https://example.com\\@evil.example/',
    'https://exa mple.com/',
    ' https://example.com/',
    'https://example.com/\n',
    'https://exam\tple.com/',
    'https://localhost/',
    'https://LOCALHOST/',
    'https://a.localhost/',
    'https://db/',
    'https://example.com./',
    'https:///x',
    '',
    `https://example.com/${'a'.repeat(2048)}`,
  ])('refuses %j', (url) => {
    expect(isRead(url)).toBe(false);
  });

  it.each([
    '127.0.0.1',
    '127.1',
    '0x7f.1',
    '0x7f000001',
    '2130706433',
    '017700000001',
    '0177.0.0.01',
    '127.0.0.1.',
    '%31%32%37.0.0.1',
    '１２７.0.0.1',
    '127。0。0。1',
    '0',
    '8.8.8.8',
    '169.254.169.254',
    '[::1]',
    '[::]',
    '[0:0:0:0:0:0:0:1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[64:ff9b::7f00:1]',
    '[2001:4860:4860::8888]',
    '[fe80::1]',
  ])('refuses the address %s in whatever spelling', (host) => {
    expect(isRead(`https://${host}/`)).toBe(false);
  });
});

describe('[WH2] URLs that a parser repairs', () => {
  const lenient = createGuard(parseAllowance(['127.0.0.0/8', 'hooks.example:443']));

  it.each([
    'https:///user:pw@hooks.example/',
    'https:////user:pw@hooks.example/',
    'https:///hooks.example/',
    'https:///hooks.example:443',
    'https://user:pw@hooks.example/',
    'https://:@hooks.example/',
    'https://hooks.example\\@127.0.0.1/',
    'https:\\\\hooks.example/',
    'https:/\\hooks.example/',
    'https:///\\hooks.example/',
    'https://?user:pw@hooks.example/',
    'https://%40hooks.example/',
    'http:///127.0.0.1/',
  ])('refuses %j, also where the operator allows the host', (url) => {
    expect(isRead(url)).toBe(false);
    expect(isRead(url, lenient)).toBe(false);
  });

  it('says what is wrong with it', () => {
    expect(strict.read('https:///user:pw@hooks.example/', OWNER)).toEqual({
      refused: 'must have a host name right after https://',
    });
    expect(strict.read('https://user:pw@hooks.example/', OWNER)).toEqual({
      refused: 'must have no user name or password',
    });
    expect(isRead('https://hooks.example/a@b//c', lenient)).toBe(true);
  });
});

describe('[WU2] addresses behind a name', () => {
  it.each([
    '0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.255 100.64.0.1 100.127.255.255 127.0.0.1 127.255.0.1',
    '169.254.0.1 169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.1 192.0.0.170 192.0.2.1',
    '192.168.0.1 192.88.99.1 198.18.0.1 198.19.255.255 198.51.100.1 203.0.113.9',
    '224.0.0.1 239.1.1.1 240.0.0.1 255.255.255.255',
    ':: ::1 ::ffff:8.8.8.8 ::ffff:127.0.0.1 ::127.0.0.1 64:ff9b::808:808 64:ff9b:1::1 100::1',
    '2001::1 2001:0:1::1 2001:db8::1 2002:7f00:1::1 2002:808:808::1 3fff::1 fc00::1 fd12::1',
    'fe80::1 febf::1 fec0::1 ff00::1 ff02::1 4000::1 1::1',
    'nonsense 1.2.3 example.com',
  ])('none of %s is public', (texts) => {
    for (const text of texts.split(' '))
      expect([text, isPublicAddress(text)]).toEqual([text, false]);
  });

  it.each(['8.8.8.8', '1.1.1.1', '100.63.255.255', '100.128.0.1', '172.15.0.1', '172.32.0.1'])(
    '%s is public',
    (text) => expect(isPublicAddress(text)).toBe(true),
  );

  it.each(['2001:4860:4860::8888', '2a00:1450::1', '2606:4700::1111', '2003::1'])(
    '%s is public',
    (text) => expect(isPublicAddress(text)).toBe(true),
  );
});

describe("[WU3] the operator's list", () => {
  const local = createGuard(parseAllowance(['127.0.0.0/8', 'hooks.internal:9000', 'fd00::/8']));

  function mayDial(url: string, address: string): boolean {
    const target = local.read(url, OWNER);
    return !('refused' in target) && local.mayDial(target, address);
  }

  it('lets its ranges through: plain HTTP, any port, addresses by number', () => {
    expect(mayDial('http://127.0.0.1:9000/x', '127.0.0.1')).toBe(true);
    expect(mayDial('http://2130706433/x', '127.0.0.1')).toBe(true);
    expect(mayDial('http://localhost:9000/', '127.0.0.1')).toBe(true);
    expect(mayDial('https://example.com/', '127.0.0.1')).toBe(true);
    expect(mayDial('https://[fd00::1]:8443/', 'fd00::1')).toBe(true);
  });

  it('lets a listed host and port lead anywhere, and no other port of it', () => {
    expect(mayDial('http://hooks.internal:9000/', '10.0.0.5')).toBe(true);
    expect(mayDial('http://hooks.internal:9001/', '10.0.0.5')).toBe(false);
    expect(mayDial('https://hooks.internal/', '10.0.0.5')).toBe(false);
  });

  it('is a list of exceptions: the rest of the rules stand', () => {
    expect(mayDial('http://10.0.0.1/', '10.0.0.1')).toBe(false);
    expect(mayDial('https://example.com/', '10.0.0.1')).toBe(false);
    expect(mayDial('https://example.com/', '8.8.8.8')).toBe(true);
    // Plain HTTP, or another port, is for the listed ranges only.
    expect(mayDial('http://example.com/', '8.8.8.8')).toBe(false);
    expect(mayDial('https://example.com:8443/', '8.8.8.8')).toBe(false);
    expect(mayDial('http://user@127.0.0.1/', '127.0.0.1')).toBe(false);
    expect(mayDial('http://127.0.0.1/#x', '127.0.0.1')).toBe(false);
  });

  it('must be understood as a whole', () => {
    for (const entry of ['localhost', '10.0.0.1', 'a/b:80', 'u@h:80', '10.0.0.0/33', ':80', '']) {
      expect(() => parseAllowance([entry]), entry).toThrow();
    }
  });
});
