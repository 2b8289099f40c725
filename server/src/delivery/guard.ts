// Where webhooks may go: the rules on a URL, and on every address that its name leads to.
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Guard, Refusal, Target, WebhookOwner } from '../ports/outbound.ts';
import type { LocalReceivers } from './local-receivers.ts';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Range = readonly [Address, number];

/** What the operator of this installation lets through: names with their port, and ranges of addresses. */
export interface Allowance {
  readonly hosts: ReadonlySet<string>;
  readonly ranges: readonly Range[];
}

export const NO_ALLOWANCE: Allowance = { hosts: new Set(), ranges: [] };

/** What is known of a target beside what the port says. */
interface JudgedTarget extends Target {
  /** Host and port are on the operator's list: any address behind them will do. */
  readonly isListed: boolean;
  /** Only addresses of allowed ranges will do: it is not https on 443 to a public name. */
  readonly needsRange: boolean;
}

const URL_LENGTH_MAX = 2048;
const HTTPS_PORT = 443;
const HTTP_PORT = 80;
const CREDENTIALS = 'must have no user name or password';

/** Entries are `host:port` or CIDR; anything else must stop the start, not open a hole or do nothing. */
export function parseAllowance(entries: readonly string[]): Allowance {
  const hosts = new Set<string>();
  const ranges: Range[] = [];
  for (const entry of entries) {
    if (ipaddr.isValidCIDR(entry)) ranges.push(ipaddr.parseCIDR(entry));
    else hosts.add(listedHost(entry));
  }
  return { hosts, ranges };
}

export function createGuard(allowance: Allowance, receivers?: LocalReceivers): Guard {
  const isLent = ({ owner, literal, port }: Target): boolean =>
    owner.environment === 'sandbox' &&
    literal !== null &&
    !isOfApp(owner) &&
    receivers?.has({ accountId: owner.accountId, address: literal, port }) === true;
  return {
    read(url, owner) {
      const target = taken(url, owner);
      return 'refused' in target || isLent(target) ? target : permitted(target, allowance);
    },
    mayDial(target, address) {
      if (isIP(address) === 0) return false;
      if (isLoopback(address) && receivers?.isOwn(target.port) === true) return false;
      if (isLent(target) && address === target.literal) return true;
      const { isListed, needsRange } = judge(target, allowance);
      if (isListed || inRanges(address, allowance.ranges)) return true;
      return !needsRange && isPublicAddress(address);
    },
  };
}

/** Reachable by everybody: not private, local, shared, reserved, or a tunnel to such an address. */
export function isPublicAddress(text: string): boolean {
  // Stricter than the parser, which reads 1.2.3 as an address too.
  if (isIP(text) === 0) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== 'unicast' || isIn(address, FORBIDDEN)) return false;
  return address.kind() === 'ipv4' || isIn(address, GLOBAL_IPV6);
}

function isLoopback(address: string): boolean {
  return ipaddr.process(address).range() === 'loopback';
}

/** The owner listens on this machine, an app of theirs runs elsewhere. */
function isOfApp({ createdBy }: WebhookOwner): boolean {
  return createdBy?.startsWith('grt_') === true;
}

/** A URL in its parts, wherever it leads. */
function taken(text: string, owner: WebhookOwner): Target | Refusal {
  const fault = faultInText(text);
  if (fault !== null) return { refused: fault };
  const url = URL.parse(text);
  if (url === null) return { refused: 'not a URL' };
  if (url.username !== '' || url.password !== '') return { refused: CREDENTIALS };
  const isSecure = url.protocol === 'https:';
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const port = url.port === '' ? (isSecure ? HTTPS_PORT : HTTP_PORT) : Number(url.port);
  const literal = isIP(host) === 0 ? null : host;
  return { owner, url, host, port, isSecure, literal };
}

function permitted(target: Target, allowance: Allowance): Target | Refusal {
  const { port, isSecure, literal } = target;
  const { isListed, needsRange } = judge(target, allowance);
  if (isListed || !needsRange) return target;
  if (literal !== null) {
    const isAllowed = inRanges(literal, allowance.ranges);
    return isAllowed ? target : { refused: 'must name a host, not an address' };
  }
  // A name may still lead into an allowed range; the addresses decide.
  return allowance.ranges.length > 0 ? target : { refused: faultOf(isSecure, port) };
}

function judge(target: Target, { hosts }: Allowance): JudgedTarget {
  const { host, port, isSecure, literal } = target;
  const isOrdinary = isSecure && port === HTTPS_PORT && literal === null && isPublicName(host);
  return { ...target, isListed: hosts.has(hostAndPort(host, port)), needsRange: !isOrdinary };
}

/** All that is handed out to the public internet; what lies outside is refused without a list of its parts. */
const GLOBAL_IPV6 = cidrs(['2000::/3']);

const FORBIDDEN = cidrs([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
  '::/96',
  '::ffff:0:0/96',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
]);

/** Looked for in the text itself, since a URL parser repairs much of it silently. */
function faultInText(text: string): string | null {
  if (text.length > URL_LENGTH_MAX) return `longer than ${URL_LENGTH_MAX} characters`;
  if (/[\p{Cc}\s\\]/u.test(text)) return 'has white space, control or backslash characters';
  const authority = /^https?:\/\/([^/?]*)/i.exec(text)?.[1];
  if (authority === undefined) return 'must begin with https://';
  // A parser skips further slashes and takes what comes behind them for user, password and host.
  if (authority === '') return 'must have a host name right after https://';
  if (authority.includes('@')) return CREDENTIALS;
  return text.includes('#') ? 'must have no fragment' : null;
}

function faultOf(isSecure: boolean, port: number): string {
  if (!isSecure) return 'must be https';
  return port === HTTPS_PORT ? 'must be a public host name' : `must be on port ${HTTPS_PORT}`;
}

/** A name without a dot is of somebody's own network, and so is everything below localhost. */
function isPublicName(host: string): boolean {
  return host.includes('.') && !host.endsWith('.') && !/(^|\.)localhost$/.test(host);
}

function listedHost(entry: string): string {
  const url = URL.parse(`http://${entry}`);
  const port = /:(\d+)$/.exec(entry)?.[1];
  if (url === null || port === undefined || url.pathname !== '/' || entry.includes('@')) {
    throw new Error(`${entry} is neither host:port nor a range of addresses`);
  }
  return hostAndPort(url.hostname.replace(/^\[|\]$/g, ''), Number(port));
}

function hostAndPort(host: string, port: number): string {
  return `${host} ${port}`;
}

function inRanges(text: string, ranges: readonly Range[]): boolean {
  return isIn(ipaddr.process(text), ranges);
}

function isIn(address: Address, ranges: readonly Range[]): boolean {
  return ranges.some(([base, bits]) => address.kind() === base.kind() && address.match(base, bits));
}

function cidrs(texts: readonly string[]): readonly Range[] {
  return texts.map((text) => ipaddr.parseCIDR(text));
}
