// Records of the interface as the operator plane answers with them: the same as everybody sees.

import { asMarketId, asTemplateId, type LaneName, type Template } from '@sibyl/engine';
import type { History } from '@sibyl/history';
import type { Clock, Lane } from '@sibyl/lane';
import { readMarket } from '../wire/market-view.ts';
import { templateView, versionKey } from '../wire/template-view.ts';
import type { OperatorViews } from './parts.ts';

export type ViewedLanes = Readonly<
  Partial<Record<LaneName, { readonly lane: Lane; readonly history: History }>>
>;

export function operatorViews(opened: ViewedLanes, clock: Clock): OperatorViews {
  return {
    async market(name, marketId) {
      const { lane, history } = present(opened[name]);
      return present(await readMarket(lane, history, asMarketId(marketId), clock.wallMs()));
    },
    async template(name, templateId) {
      const { lane, history } = present(opened[name]);
      const times = await history.published();
      return lane.read((state) => {
        const template = present(state.templates.get(asTemplateId(templateId))?.at(-1));
        return templateView(template, state.parameters, times.get(versionKey(template)) ?? null);
      });
    },
    async templates(name, templateId) {
      const { lane, history } = present(opened[name]);
      const times = await history.published();
      return lane.read((state) => {
        const named = templateId === undefined ? null : asTemplateId(templateId);
        const found =
          named === null
            ? [...state.templates.values()].flatMap((versions) => versions.at(-1) ?? []).sort(byId)
            : (state.templates.get(named) ?? []).toReversed();
        return found.map((template) =>
          templateView(template, state.parameters, times.get(versionKey(template)) ?? null),
        );
      });
    },
  };
}

function byId(one: Template, other: Template): number {
  return one.definition.id < other.definition.id ? -1 : 1;
}

/** The act that was just carried out proves that there is one. */
function present<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new Error('what was acted on is gone');
  return value;
}
