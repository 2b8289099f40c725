// What a market is called in a language: its template's translation, unless it has a title of its own.
import { type Market, renderText } from '@sibyl/engine';

export function titlesOf(
  { template, params, title }: Pick<Market, 'template' | 'params' | 'title'>,
  locale: string,
): { readonly title: string; readonly subtitle: string } {
  const { titleTemplate, subtitleTemplate, translations } = template.definition.displayDefaults;
  const translation = translations?.[locale];
  const isOwn = title !== renderText(titleTemplate, params);
  const subtitle = translation?.subtitleTemplate ?? subtitleTemplate;
  return {
    title:
      translation === undefined || isOwn ? title : renderText(translation.titleTemplate, params),
    subtitle: subtitle === null ? '' : renderText(subtitle, params),
  };
}
