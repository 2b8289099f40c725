// Operations of the Builders group: how far one is, and applying for more.

import { Type } from 'typebox';
import { builderAgreement } from '../builder-agreement.ts';
import { common, credentialed, write } from '../bundles.ts';
import { noInput, operation } from '../define.ts';
import { limits } from '../limits.ts';
import { personalText } from '../plain-text.ts';
import { oneOf } from '../primitives.ts';
import { Builder, exampleBuilder, tracks } from '../resources/builder.ts';

const builders = {
  group: 'Builders',
  auth: 'credential',
  permission: 'read',
  // What somebody is to the exchange is no app's business.
  scope: null,
  counted: true,
  since: '0.3',
  list: false,
} as const;

const getBuilder = operation({
  ...builders,
  id: 'getBuilder',
  call: 'builders.me',
  method: 'GET',
  path: '/v1/builders/me',
  summary: 'You as a builder',
  description:
    'Tier, application, what is left to graduation, apps by status, and the rate limits of this credential as they are now. Anonymous keys, keys of subaccounts and demo accounts are nobody: NOT_FOUND.',
  rate: 'account_read',
  idempotency: 'none',
  readOnlyMode: 'allowed',
  input: noInput,
  data: Builder,
  errors: [...common, ...credentialed, 'NOT_FOUND'],
  example: { data: exampleBuilder },
});

const Agreement = Type.Object(
  {
    version: Type.String({ minLength: 1, maxLength: 32 }),
    accepted: Type.Boolean({ description: 'True: you have read it and agree.' }),
  },
  { title: 'AgreementInput', additionalProperties: false },
);

const applyForTrack = operation({
  ...builders,
  id: 'applyForTrack',
  call: 'builders.apply',
  method: 'POST',
  path: '/v1/apply',
  summary: 'Apply for a track',
  description: `Makes or changes your builder profile and asks for a track; an operator reviews it. It takes the acceptance of the builder agreement in its current version, ${builderAgreement.version}: without it, or with another version, OPERATOR_AGREEMENT_MISSING names the one to accept. While an application is in review, and for the track that you have, ALREADY_EXISTS. genesis has ${limits.builders.genesisMax} places. Anonymous keys, keys of subaccounts and demo accounts cannot apply (SCOPE_NOT_ALLOWED).`,
  rate: 'account_write',
  idempotency: 'optional',
  readOnlyMode: 'blocked',
  input: {
    ...noInput,
    body: Type.Object(
      {
        track: oneOf(tracks),
        name: Type.String({ ...personalText, minLength: 1, maxLength: 128 }),
        website: Type.Optional(
          Type.String({ maxLength: limits.apps.uriLengthMax, description: 'An https address.' }),
        ),
        about: Type.String({
          minLength: 10,
          maxLength: 2_000,
          description: 'What you want to build, and for whom.',
        }),
        agreement: Type.Optional(Agreement),
      },
      { title: 'ApplicationInput', additionalProperties: false },
    ),
  },
  data: Builder,
  errors: [
    ...common,
    ...credentialed,
    ...write,
    'ALREADY_EXISTS',
    'OPERATOR_AGREEMENT_MISSING',
    'COMPLIANCE_GATE_BLOCKED',
    'SANCTIONS_HIT',
    'JURISDICTION_BLOCKED',
    'SCOPE_NOT_ALLOWED',
  ],
  example: {
    body: {
      track: 'genesis',
      name: 'Grace Example',
      website: 'https://example.com/',
      about: 'A dashboard for election markets.',
      agreement: { version: builderAgreement.version, accepted: true },
    },
    data: exampleBuilder,
  },
});

export const builderOperations = Object.freeze({ getBuilder, applyForTrack });
