// Operations of the Apps group: register, list, change, and a new client secret.

import { Type } from 'typebox';
import { common, credentialed, identified, write } from '../bundles.ts';
import { noInput, operation, ownList, tradeWrite } from '../define.ts';
import { pathId } from '../ids.ts';
import { limits } from '../limits.ts';
import { pageQuery } from '../paging.ts';
import { visibleText } from '../plain-text.ts';
import { oneOf } from '../primitives.ts';
import {
  App,
  AppWithSecret,
  clientTypes,
  exampleApp,
  exampleAppWithSecret,
} from '../resources/app.ts';

const apps = {
  group: 'Apps',
  auth: 'credential',
  // An app must not be able to change itself or make another.
  scope: null,
  counted: true,
  since: '0.3',
} as const;

const change = {
  ...apps,
  ...tradeWrite,
  rate: 'create',
} as const;

const { nameLengthMax, redirectUrisMax, allowedOriginsMax, uriLengthMax } = limits.apps;
const address = Type.String({ minLength: 1, maxLength: uriLengthMax });

const inputFields = {
  name: Type.String({
    ...visibleText,
    minLength: 3,
    maxLength: nameLengthMax,
    description: 'No two apps of yours have the same.',
  }),
  redirect_uris: Type.Array(address, {
    minItems: 1,
    maxItems: redirectUrisMax,
    uniqueItems: true,
    description:
      'https, or http on 127.0.0.1, [::1] or localhost; without userinfo and fragment. Codes are sent to no other address.',
  }),
  allowed_origins: Type.Array(address, {
    maxItems: allowedOriginsMax,
    uniqueItems: true,
    description: 'Origins of pages that may use the widget key, such as https://example.com.',
  }),
  // Free text, since a scope that no app may have has a code of its own: SCOPE_NOT_ALLOWED.
  allowed_scopes: Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
    minItems: 1,
    maxItems: 16,
    uniqueItems: true,
    description: 'What it may ask users for; any other scope is SCOPE_NOT_ALLOWED.',
  }),
  builder_fee_bps: Type.Integer({
    minimum: 0,
    maximum: 10_000,
    description: `Of what its users trade, in basis points; above the cap of the app, which is ${limits.builderFeeBpsMax} at most, BUILDER_FEE_ABOVE_CAP.`,
  }),
};

const nobody =
  'Anonymous keys, keys of subaccounts and demo accounts have no apps (SCOPE_NOT_ALLOWED).';

const createApp = operation({
  ...change,
  id: 'createApp',
  call: 'apps.create',
  method: 'POST',
  path: '/v1/apps',
  summary: 'Register an app',
  description: `A draft, which works in the sandbox for you alone; with submit it goes to review at once, which takes an approved builder (BUILDER_NOT_APPROVED). Registering takes a builder profile with the agreement, which POST /v1/apply makes (OPERATOR_AGREEMENT_MISSING). The client secret is shown once; a public client has none. A name that another app of yours has, and more than ${limits.apps.perOwnerMax} apps, are CONFLICT. ${nobody}`,
  bearsSecrets: true,
  input: {
    ...noInput,
    body: Type.Object(
      {
        name: inputFields.name,
        redirect_uris: inputFields.redirect_uris,
        allowed_scopes: inputFields.allowed_scopes,
        allowed_origins: Type.Optional(inputFields.allowed_origins),
        builder_fee_bps: Type.Optional(inputFields.builder_fee_bps),
        client_type: Type.Optional(oneOf(clientTypes, { default: 'confidential' })),
        submit: Type.Optional(Type.Boolean({ description: 'Send it to review at once.' })),
      },
      { title: 'AppInput', additionalProperties: false },
    ),
  },
  data: AppWithSecret,
  errors: [
    ...common,
    ...credentialed,
    ...write,
    'BUILDER_NOT_APPROVED',
    'BUILDER_FEE_ABOVE_CAP',
    'SCOPE_NOT_ALLOWED',
    'CONFLICT',
    'OPERATOR_AGREEMENT_MISSING',
  ],
  example: {
    body: {
      name: exampleApp.name,
      redirect_uris: exampleApp.redirect_uris,
      allowed_scopes: exampleApp.allowed_scopes,
      allowed_origins: exampleApp.allowed_origins,
      builder_fee_bps: exampleApp.builder_fee_bps,
    },
    data: exampleAppWithSecret,
  },
});

const listApps = operation({
  ...apps,
  ...ownList,
  id: 'listApps',
  call: 'apps.list',
  path: '/v1/apps',
  summary: 'Your apps',
  description: 'The oldest first, with status and fee cap; no secret can be read again.',
  permission: 'read',
  input: { ...noInput, query: pageQuery({}) },
  data: Type.Array(App),
  errors: [...common, ...credentialed],
  example: { query: {}, data: [exampleApp] },
});

const params = Type.Object({ app_id: pathId('app', 'The app.') });
const exampleParams = { app_id: exampleApp.app_id };

const updateApp = operation({
  ...change,
  id: 'updateApp',
  call: 'apps.update',
  method: 'PATCH',
  path: '/v1/apps/{app_id}',
  summary: 'Change, submit or disable an app',
  description:
    'Another name, other redirect URIs and added scopes of an approved app have to be reviewed again: without resubmit they are STATE_CONFLICT, with it the app goes back to review, users who have connected it stay connected, and nobody new can. What is in review waits, and what is disabled stays as it is (STATE_CONFLICT). submit takes an approved builder (BUILDER_NOT_APPROVED). disable ends the app for everybody at once; only an operator enables it again.',
  input: {
    ...noInput,
    params,
    body: Type.Object(
      {
        name: Type.Optional(inputFields.name),
        redirect_uris: Type.Optional(inputFields.redirect_uris),
        allowed_origins: Type.Optional(inputFields.allowed_origins),
        allowed_scopes: Type.Optional(inputFields.allowed_scopes),
        builder_fee_bps: Type.Optional(inputFields.builder_fee_bps),
        action: Type.Optional(
          oneOf(['submit', 'withdraw', 'disable'], {
            description: 'submit for review; withdraw from it, to go on drafting; disable.',
          }),
        ),
        resubmit: Type.Optional(
          Type.Boolean({ description: 'Let the change of an approved app be reviewed.' }),
        ),
      },
      { title: 'AppChange', additionalProperties: false, minProperties: 1 },
    ),
  },
  data: App,
  errors: [
    ...common,
    ...credentialed,
    ...write,
    ...identified,
    'BUILDER_NOT_APPROVED',
    'BUILDER_FEE_ABOVE_CAP',
    'SCOPE_NOT_ALLOWED',
    'STATE_CONFLICT',
    'CONFLICT',
  ],
  example: {
    params: exampleParams,
    body: { builder_fee_bps: 5 },
    data: { ...exampleApp, builder_fee_bps: 5 },
  },
});

const rotateAppSecret = operation({
  ...change,
  id: 'rotateAppSecret',
  call: 'apps.rotateSecret',
  method: 'POST',
  path: '/v1/apps/{app_id}/rotate-secret',
  summary: 'New client secret',
  description:
    'Shown once. For 24 hours the old one is good as well; a second rotation within them, and one of a public client, is STATE_CONFLICT. While the app is in review or disabled, APP_NOT_APPROVED. Needs a session that is stepped up, or a key that such a session minted.',
  bearsSecrets: true,
  input: { ...noInput, params },
  data: AppWithSecret,
  errors: [
    ...common,
    ...credentialed,
    ...write,
    ...identified,
    'APP_NOT_APPROVED',
    'STATE_CONFLICT',
    'STEP_UP_MFA_REQUIRED',
  ],
  example: {
    params: exampleParams,
    data: {
      ...exampleAppWithSecret,
      builder_fee_bps: 5,
      old_secret_expires_at: '2026-11-15T12:00:00.000Z',
      old_secret_expires_at_ms: 1_794_744_000_000,
    },
  },
});

export const appOperations = Object.freeze({ createApp, listApps, updateApp, rotateAppSecret });
