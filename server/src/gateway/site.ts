// The pages for people: files that a build has made, and the one page that all addresses of the application begin with.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { LaneName } from '../handling/handler.ts';
import { type Reader, readerOf } from '../wire/reader.ts';
import { showsSession } from '../wire/session-cookie.ts';
import { earlyFrame } from './early-page.ts';
import type { LanesRun } from './environment.ts';

export interface SiteFile {
  /** From the root of the site, beginning with a slash. */
  readonly path: string;
  readonly type: string;
  readonly bytes: Buffer;
  /** Its name changes with what is in it, so that nobody need ask for it twice. */
  readonly isLasting: boolean;
}

export interface Site {
  readonly files: readonly SiteFile[];
  readonly page: string;
  /** What the list and a market load besides the scripts of every page. */
  readonly scripts: Readonly<Record<'list' | 'market', readonly string[]>>;
  /** Whether it has a sandbox for whoever comes without a session. */
  readonly isForStrangers: boolean;
  /** What belongs into the head of the page at an address, as HTML; previews of links are made from it. */
  readonly headOf: (lane: LaneName, path: string, reader: Reader) => Promise<string>;
}

/** Everything from this origin and nothing else: no script or style stands in a page, and none may frame it. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');

/** What the page is called where its address says nothing more. */
const TITLE = '<title>Sibyl</title>';

const LANGUAGE = '<html lang="en">';
const HEAD_END = '</head>';
const ROOT = '<div id="root">';

/** Whoever looks at a page for a preview of its link need read no further than its head. */
const END = '</body>';

const A_YEAR = 'public, max-age=31536000, immutable';

/** The build's files, each at its own address. */
export function serveSiteFiles(documents: FastifyInstance, { files }: Site): void {
  for (const file of files) {
    documents.get(file.path, (_request, reply) => {
      addSafety(reply);
      if (file.isLasting) reply.header('cache-control', A_YEAR);
      reply.type(file.type).send(file.bytes);
    });
  }
}

/** Paths below these are for programs, whatever a client says it accepts. */
const FOR_PROGRAMS =
  /^(?:\/sandbox)?\/(?:v1|api|admin|oauth|ws|mcp|docs|assets)(?:\/|$)|\.[a-z0-9]+$/;

/** What people pass on to each other: whatever makes a preview of a link takes anything and names nothing. */
const PASSED_ON = /^(?:\/sandbox)?(?:\/|\/status|\/m\/[^/]+)?$/;

/** Whether a browser goes to an address of the application, or something that looks at it for one. */
export function isVisit({ method, headers }: FastifyRequest, path: string): boolean {
  const { accept = '*/*' } = headers;
  if ((method !== 'GET' && method !== 'HEAD') || FOR_PROGRAMS.test(path)) return false;
  return accept.includes('text/html') || (accept.includes('*/*') && PASSED_ON.test(path));
}

export interface Visit {
  readonly path: string;
  readonly lanesRun: LanesRun;
  readonly request: Pick<FastifyRequest, 'headers'>;
  /** The answers to what the page asks first, as JSON, and what it shows of them, as HTML; empty where it begins with nothing. */
  readonly first: { readonly answers: string; readonly shown: string };
}

export async function sendPage(site: Site, visit: Visit, reply: FastifyReply): Promise<void> {
  const { path, lanesRun, first, request } = visit;
  const reader = readerOf(request.headers);
  const isSandbox = lanesRun === 'sandbox' || /^\/sandbox(?:\/|$)/.test(path);
  const head = await site.headOf(isSandbox ? 'sandbox' : 'live', path, reader);
  addSafety(reply);
  reply.header('cache-control', 'no-cache');
  const lanes = `<meta name="sibyl-lanes" content="${lanesRun}">`;
  const title = `${lanes}${isAstray(site, visit) ? STRANGER : ''}${head === '' ? TITLE : head}`;
  const shown = first.shown === '' ? '' : earlyFrame(isSandbox, first.shown);
  const answers = `<div id="first-answers" hidden data-answers='${quoted(first.answers)}'></div>`;
  const page = site.page
    .replace(LANGUAGE, `<html lang="${reader.locale}">`)
    .replace(TITLE, () => title)
    .replace(HEAD_END, () => `${preloads(site, path)}${HEAD_END}`)
    .replace(ROOT, () => `${ROOT}${shown}`);
  reply
    .type('text/html; charset=utf-8')
    .send(first.answers === '' ? page : page.replace(END, () => `${answers}${END}`));
}

/** The scripts of the page at this address, which the first script would ask for only once it runs. */
function preloads({ scripts }: Site, path: string): string {
  const page = pageOf(path);
  const links = page === null ? [] : scripts[page];
  return links.map((file) => `<link rel="modulepreload" crossorigin href="${file}">`).join('');
}

function pageOf(path: string): keyof Site['scripts'] | null {
  if (/^(?:\/sandbox)?\/?$/.test(path)) return 'list';
  return /^(?:\/sandbox)?\/m\/[^/]+$/.test(path) ? 'market' : null;
}

/** By this the page leaves for the sandbox before it has loaded anything else. */
const STRANGER = '<meta name="sibyl-stranger">';

/** Whether somebody without a session came to the list of real money, where the sandbox would be the place to begin. */
function isAstray({ isForStrangers }: Site, { path, lanesRun, request }: Visit): boolean {
  return isForStrangers && path === '/' && lanesRun === 'both' && !showsSession(request);
}

/** For an attribute in single quotes: what JSON is made of stays as it is. */
function quoted(json: string): string {
  return json.replace(/[&<>']/g, (character) => `&#${character.charCodeAt(0)};`);
}

function addSafety(reply: FastifyReply): void {
  reply.header('content-security-policy', POLICY);
  reply.header('referrer-policy', 'same-origin');
  reply.header('x-content-type-options', 'nosniff');
}
