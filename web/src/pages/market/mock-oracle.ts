// Whether a market of play money is decided by hand: by its creator, whatever happened outside.
import type { Market } from '@sibyl/sdk';
import { useTemplates } from '../../live/use-templates.ts';

/** Null until the templates are loaded. */
export function useIsMock({ template_id: id, template_version: version }: Market): boolean | null {
  const template = useTemplates().find((each) => each.id === id && each.version === version);
  return template === undefined ? null : template.oracle_config.source === 'sandbox_mock';
}
