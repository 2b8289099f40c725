// What a request to the consent page says, and the headers of its answers.
import type { Locale } from '@sibyl/contract/locales';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../handling/handler.ts';
import { defaultLocale, localeOf } from '../texts/locale.ts';
import type { ReturnAddress } from './authorize-request.ts';
import type { Choice } from './own-calls.ts';

export type Form = Readonly<Partial<Record<string, string>>>;

export function fieldsOf(body: unknown): Form {
  if (typeof body !== 'object' || body === null || body instanceof ApiError) return {};
  return Object.fromEntries(
    Object.entries(body).filter((field): field is [string, string] => typeof field[1] === 'string'),
  );
}

export function choiceOf({ account = '', daily_cap: dailyCap = '' }: Form): Choice {
  return { account, dailyCap: dailyCap.trim() };
}

export function queryOf({ url }: FastifyRequest): URLSearchParams {
  const queryAt = url.indexOf('?');
  return new URLSearchParams(queryAt === -1 ? '' : url.slice(queryAt + 1));
}

/** What the app asked for, else the browser. */
export function localeFor(request: FastifyRequest): Locale {
  const [asked = ''] = (queryOf(request).get('ui_locales') ?? '').split(' ');
  const [first = ''] = (request.headers['accept-language'] ?? '').split(/[,;]/);
  return localeOf(asked) ?? localeOf(first.trim()) ?? defaultLocale;
}

export function send(reply: FastifyReply, to: ReturnAddress | null, page: string): FastifyReply {
  addSafety(reply, to);
  return reply.type('text/html; charset=utf-8').send(page);
}

/**
 * A browser holds the redirect that answers a form, and every redirect after it, to form-action: apps on https may lead on to
 * other addresses of theirs, and one on this machine has the one that it registered.
 */
export function addSafety(reply: FastifyReply, to: ReturnAddress | null): void {
  const back = to === null ? '' : ` https: ${new URL(to.redirectUri).origin}`;
  const policy = [
    "default-src 'none'",
    "style-src 'self'",
    `form-action 'self'${back}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ];
  reply.headers({
    'content-security-policy': policy.join('; '),
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
}
