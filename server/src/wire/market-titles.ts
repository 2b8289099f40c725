// What a market is called in a language: its template's translation, unless it has a title of its own.
import { type Market, renderText } from '@sibyl/engine';

export function titlesOf(
  {
    template,
    params,
    title,
    renderedTitle,
  }: Pick<Market, 'template' | 'params' | 'title' | 'renderedTitle'>,
  locale: string,
): { readonly title: string; readonly rendered_title: string; readonly subtitle: string } {
  const { subtitleTemplate, translations } = template.definition.displayDefaults;
  const translation = translations?.[locale];
  const rendered =
    translation === undefined ? renderedTitle : renderText(translation.titleTemplate, params);
  const subtitle = translation?.subtitleTemplate ?? subtitleTemplate;
  return {
    title: title === renderedTitle ? rendered : title,
    rendered_title: rendered,
    subtitle: subtitle === null ? '' : renderText(subtitle, params),
  };
}
