// The names of a market's parameters in words, in the order of the template.
import type { Market, Template } from '@sibyl/sdk';
import type { Locale } from '../texts/texts.ts';
import { templateWords } from './template-words.ts';

/** `strike_price` as "Strike price"; what says that it is an instant in milliseconds says so to programs only. */
export function plainName(name: string): string {
  const words = name.replace(/_at_ms$/, '').replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** What the template calls a parameter; its name in words where it calls it nothing, or is not known yet. */
export function paramName(
  locale: Locale,
  { template_id: id }: Pick<Market, 'template_id'>,
  template: Pick<Template, 'params_schema'> | undefined,
  name: string,
): string {
  const title = titleIn(template?.params_schema, name);
  return templateWords(locale, id, title ?? plainName(name));
}

/** In the order in which the template asks for them; the exchange tells them in that of their names. */
export function paramsInOrder(
  { params }: Pick<Market, 'params'>,
  template: Pick<Template, 'params_schema'> | undefined,
): readonly (readonly [string, unknown])[] {
  const required = fieldOf(template?.params_schema, 'required');
  const properties = fieldOf(template?.params_schema, 'properties');
  const asked = [...(Array.isArray(required) ? required : []), ...Object.keys(Object(properties))];
  return Object.entries(params).toSorted(([a], [b]) => asked.indexOf(a) - asked.indexOf(b));
}

function titleIn(schema: unknown, name: string): string | null {
  const property = fieldOf(fieldOf(schema, 'properties'), name);
  const title = fieldOf(property, 'title');
  return typeof title === 'string' && title.trim() !== '' ? title : null;
}

function fieldOf(record: unknown, name: string): unknown {
  const isThere = typeof record === 'object' && record !== null && Object.hasOwn(record, name);
  return isThere ? Reflect.get(record, name) : undefined;
}
