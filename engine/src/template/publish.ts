// Publishing and deprecating templates.

import type { LaneName, TemplateId } from '../kit/identity.ts';
import { isOperator } from '../state/authority.ts';
import type { Actor, DeprecateTemplate, PublishTemplate } from '../state/command.ts';
import { type Answer, DONE } from '../state/outcome.ts';
import { type Rejection, reject } from '../state/reject.ts';
import type { State } from '../state/state.ts';
import { accept, refuse, type Turn } from '../state/turn.ts';
import { checkDefinition } from './definition.ts';
import { missingKey, outcomeIdsOf } from './display.ts';
import { readSchema } from './schema.ts';
import { ORACLE_SOURCES, type Template } from './template.ts';

export function publishTemplate(turn: Turn, actor: Actor, command: PublishTemplate): Answer {
  const { state, events } = turn;
  const definition = command.template;
  const fault = checkDefinition(definition);
  if (fault !== null) return refuse(fault);
  if (!isOperator(actor)) return refuse(reject('NOT_FOUND', { template_id: definition.id }));
  const schema = readSchema(definition.paramsSchema);
  if ('code' in schema) return refuse(schema);
  const key = missingKey(definition, schema);
  if (key !== null) return refuse(reject('TEMPLATE_DISPLAY_KEY_MISSING', { key }));
  const alien = checkSource(state.lane, definition.oracleConfig.source);
  if (alien !== null) return refuse(alien);
  const versions = state.templates.get(definition.id) ?? [];
  const latest = versions.at(-1);
  if (latest !== undefined && latest.status === 'deprecated') {
    return refuse(reject('STATE_CONFLICT', { template_id: definition.id, status: latest.status }));
  }
  const version = versions.length + 1;
  const outcomeIds = outcomeIdsOf(definition);
  const template: Template = { definition, version, schema, outcomeIds, status: 'active' };
  state.templates.set(definition.id, [...versions, template]);
  events.push({ type: 'template_published', template: definition, version });
  return accept(DONE);
}

export function deprecateTemplate(turn: Turn, actor: Actor, command: DeprecateTemplate): Answer {
  const { state, events } = turn;
  const { templateId } = command;
  if (!isOperator(actor)) return refuse(reject('NOT_FOUND', { template_id: String(templateId) }));
  const versions = state.templates.get(templateId);
  if (versions === undefined) return refuse(templateUnknown(templateId));
  if (latestTemplate(state, templateId) === undefined) {
    return refuse(reject('STATE_CONFLICT', { template_id: templateId, status: 'deprecated' }));
  }
  for (const template of versions) template.status = 'deprecated';
  events.push({ type: 'template_deprecated', templateId });
  return accept(DONE);
}

/** The version new markets are made from, or undefined if there is none. */
export function latestTemplate(state: State, templateId: TemplateId): Template | undefined {
  const latest = state.templates.get(templateId)?.at(-1);
  return latest?.status === 'active' ? latest : undefined;
}

export function templateUnknown(templateId: TemplateId): Rejection {
  return reject('MARKET_TEMPLATE_UNKNOWN', { template_id: String(templateId) });
}

function checkSource(lane: LaneName, source: string): Rejection | null {
  const isKnown = ORACLE_SOURCES.some((known) => known === source);
  if (isKnown && (source !== 'sandbox_mock' || lane === 'sandbox')) return null;
  return reject('ORACLE_ADAPTER_UNKNOWN', { source });
}
