// What holds for every answer, whatever was asked.
import {
  apiVersion,
  closedSchema,
  ErrorEnvelope,
  errors,
  isErrorCode,
  OAuthError,
  type OAuthErrorName,
  rateCategories,
  rateScopes,
} from '@sibyl/contract';
import { Ajv } from 'ajv';
import type { Response } from 'light-my-request';
import { expect } from 'vitest';

const ajv = new Ajv({ strict: false, formats: { int64: true } });
const checkError = ajv.compile(ErrorEnvelope);
const checkOAuthError = ajv.compile(closedSchema(OAuthError));

export function expectHeaders(response: Response): void {
  const { headers } = response;
  expect(headers['x-request-id']).toMatch(/^req_[0-9A-Za-z]+$/);
  expect(headers['x-api-version']).toBe(apiVersion);
  expect(headers['x-money-format']).toBe('decimal_string');
  expect(headers['x-pii-redacted']).toMatch(/^(true|false)$/);
  expect(headers['x-content-type-options']).toBe('nosniff');
  for (const name of ['limit', 'remaining', 'reset']) {
    expect(Number(headers[`x-ratelimit-${name}`])).toBeGreaterThanOrEqual(0);
  }
  expect(rateCategories).toContain(headers['x-ratelimit-category']);
  expect(rateScopes).toContain(headers['x-ratelimit-scope']);
}

export function expectError(response: Response, code: string): void {
  const body = response.json();
  expect(checkError(body), JSON.stringify(checkError.errors)).toBe(true);
  expect(body.error.code, response.payload).toBe(code);
  expect(isErrorCode(code) && errors[code].status).toBe(response.statusCode);
  expect(body.error.trace_id).toBe(response.headers['x-request-id']);
  // Which part is switched off, and why, is said in words of its own.
  if (code === 'SERVICE_UNAVAILABLE') expect(body.error.message).not.toBe(errors[code].message);
  for (const name of isErrorCode(code) ? errors[code].details : []) {
    expect(body.error.details, code).toHaveProperty(name);
  }
  if (response.statusCode === 401) {
    expect(response.headers['www-authenticate']).toMatch(/^(Bearer|Basic) realm="/);
  }
  if (response.statusCode === 429)
    expect(Number(response.headers['retry-after'])).toBeGreaterThanOrEqual(1);
}

/** The answer to a refused form at an OAuth endpoint. */
export function expectOAuthError(response: Response, error: OAuthErrorName, code: string): void {
  const body = response.json();
  expect(checkOAuthError(body), response.payload).toBe(true);
  expect([body.error, body.code], response.payload).toEqual([error, code]);
  expect(isErrorCode(code) && errors[code].status).toBe(response.statusCode);
  expect(body.trace_id).toBe(response.headers['x-request-id']);
  // The characters of RFC 6749, section 5.2.
  expect(body.error_description).toMatch(/^[\x20\x21\x23-\x5b\x5d-\x7e]+$/);
}
