// The list of templates: the newest version of each, by id.
import type { OperationInput } from '@sibyl/contract';
import type { State, Template } from '@sibyl/engine';
import type { Page, Position } from '../../handling/handler.ts';

export type TemplateFilter = OperationInput<'listTemplates'>['query'];

export interface TemplatePage {
  readonly shown: readonly Template[];
  readonly next: Position | null;
  readonly total: number;
}

export function selectTemplates(state: State, filter: TemplateFilter, page: Page): TemplatePage {
  const after = page.after === null ? '' : String(page.after[0]);
  const following: Template[] = [];
  let total = 0;
  for (const versions of state.templates.values()) {
    const template = versions.at(-1);
    if (template === undefined || !matches(template, filter)) continue;
    total += 1;
    if (template.definition.id > after) following.push(template);
  }
  following.sort((a, b) => (a.definition.id < b.definition.id ? -1 : 1));
  const shown = following.slice(0, page.limit);
  const last = shown.at(-1);
  const hasMore = following.length > shown.length && last !== undefined;
  return { shown, next: hasMore ? [last.definition.id] : null, total };
}

function matches({ definition, status }: Template, filter: TemplateFilter): boolean {
  if (filter.category !== undefined && definition.category !== filter.category) return false;
  if (filter.market_type !== undefined && definition.marketType !== filter.market_type)
    return false;
  return filter.status === undefined || status === filter.status;
}
