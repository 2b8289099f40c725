// What an owner wants an app to be, read and checked.
import { type InputOf, limits, type Operations, scopes } from '@sibyl/contract';
import { originFault, redirectFault } from '../../handling/app-addresses.ts';
import { type ApiError, fail } from '../../handling/handler.ts';
import type { AppRecord } from '../../ports/apps.ts';

type Fields = Pick<
  InputOf<Operations['updateApp']>['body'],
  'name' | 'redirect_uris' | 'allowed_origins' | 'allowed_scopes' | 'builder_fee_bps'
>;

export type WantedApp = Partial<
  Pick<AppRecord, 'name' | 'redirectUris' | 'allowedOrigins' | 'allowedScopes' | 'builderFeeBps'>
>;

/** What is left out of the input stays as it is. Whether the fee is within the cap is known with the app. */
export function readWanted(input: Fields): WantedApp | ApiError {
  const faulty =
    faultIn('redirect_uris', input.redirect_uris, redirectFault) ??
    faultIn('allowed_origins', input.allowed_origins, originFault);
  if (faulty !== null) return faulty;
  const foreign = (input.allowed_scopes ?? []).filter((scope) => !Object.hasOwn(scopes, scope));
  if (foreign.length > 0) return fail('SCOPE_NOT_ALLOWED', { not_allowed: foreign });
  const name = input.name?.trim();
  if (name !== undefined && name.length < NAME_MIN) {
    return fail('VALIDATION_FAILED', { field: 'name', expected: 'at least 3 characters' });
  }
  return {
    ...(name === undefined ? {} : { name }),
    ...(input.redirect_uris === undefined ? {} : { redirectUris: input.redirect_uris }),
    ...(input.allowed_origins === undefined ? {} : { allowedOrigins: input.allowed_origins }),
    ...(input.allowed_scopes === undefined
      ? {}
      : // In the order of the contract, whichever they were sent in.
        {
          allowedScopes: Object.keys(scopes).filter((each) => input.allowed_scopes?.includes(each)),
        }),
    ...(input.builder_fee_bps === undefined ? {} : { builderFeeBps: input.builder_fee_bps }),
  };
}

const NAME_MIN = 3;

/** Null if the fee is within the cap. */
export function feeRefusal(feeBps: number, capBps: number): ApiError | null {
  return feeBps <= capBps ? null : fail('BUILDER_FEE_ABOVE_CAP', { cap_bps: capBps });
}

/** The cap of an app that no reviewer has set one for. */
export const FIRST_CAP_BPS = limits.builderFeeBpsMax;

function faultIn(
  field: string,
  addresses: readonly string[] | undefined,
  judge: (text: string) => string | null,
): ApiError | null {
  for (const [index, text] of (addresses ?? []).entries()) {
    const expected = judge(text);
    if (expected === null) continue;
    return fail('VALIDATION_FAILED', { field: `${field}[${index}]`, expected });
  }
  return null;
}
