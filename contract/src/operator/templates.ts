// Templates: find them, publish a version, deprecate.

import { Type } from 'typebox';
import { noInput, operation } from '../define.ts';
import { queryOf } from '../paging.ts';
import { oneOf } from '../primitives.ts';
import { exampleTemplate, Template, templateStatuses } from '../resources/template.ts';
import { exampleTemplateInput, TemplateInput } from '../resources/template-input.ts';
import {
  ActInput,
  act,
  closed,
  exampleAct,
  lane,
  looking,
  operatorErrors,
  operatorReadErrors,
  plane,
} from './plane.ts';

/** Of every version, so that markets that were made from it can be explained. */
export const findTemplates = operation({
  ...looking,
  id: 'findTemplates',
  path: '/admin/v1/templates',
  summary: 'Find templates',
  description:
    'The newest version of each template of the lane, by id; with template_id all versions of that one, newest first. A template that does not exist has none.',
  input: {
    ...noInput,
    query: queryOf({
      lane,
      template_id: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
      status: Type.Optional(oneOf(templateStatuses)),
    }),
  },
  data: Type.Object({ templates: Type.Array(Template) }, { title: 'FoundTemplates' }),
  errors: [...operatorReadErrors],
  example: {
    query: { lane: 'sandbox', status: 'active' },
    data: { templates: [exampleTemplate] },
  },
});

export const publishTemplate = operation({
  ...plane,
  id: 'publishTemplate',
  role: 'market_manager',
  method: 'POST',
  path: '/admin/v1/templates',
  summary: 'Publish a template',
  description: 'A new template, or the next version of one.',
  idempotency: 'optional',
  input: {
    ...noInput,
    body: Type.Object({ ...act, template: TemplateInput }, { title: 'PublishInput', ...closed }),
  },
  data: Template,
  errors: [
    ...operatorErrors,
    'TEMPLATE_SCHEMA_INVALID',
    'TEMPLATE_DISPLAY_KEY_MISSING',
    'ORACLE_ADAPTER_UNKNOWN',
    'CONFLICT',
  ],
  example: {
    body: { ...exampleAct, template: exampleTemplateInput },
    data: exampleTemplate,
  },
});

export const deprecateTemplate = operation({
  ...plane,
  id: 'deprecateTemplate',
  role: 'market_manager',
  method: 'POST',
  path: '/admin/v1/templates/{template_id}/deprecate',
  summary: 'Deprecate a template',
  description: 'No new markets from it; those that exist go on.',
  idempotency: 'optional',
  input: {
    params: Type.Object({ template_id: Type.String({ minLength: 1, maxLength: 128 }) }),
    query: null,
    body: ActInput,
  },
  data: Template,
  errors: [...operatorErrors, 'NOT_FOUND', 'STATE_CONFLICT'],
  example: {
    params: { template_id: exampleTemplate.id },
    body: exampleAct,
    data: { ...exampleTemplate, status: 'deprecated' },
  },
});
