// What a market can be made from, as cards.
import type { Template } from '@sibyl/sdk';
import { Badge } from '../../components/badge.tsx';
import { Card } from '../../components/card.tsx';
import { Empty } from '../../components/empty.tsx';
import { PageLink } from '../../components/page-link.tsx';
import { money } from '../../format/amounts.ts';
import { templateWords } from '../../format/template-words.ts';
import { useLocale, useTexts } from '../../texts/use-texts.ts';
import { createTexts } from './texts.ts';

const order = ['binary', 'multi', 'scalar'];

export function TemplateGallery({ templates }: { readonly templates: readonly Template[] }) {
  const t = useTexts(createTexts);
  const sorted = templates.toSorted(
    (a, b) =>
      Number(a.requires_approval) - Number(b.requires_approval) ||
      order.indexOf(a.outcome_schema) - order.indexOf(b.outcome_schema),
  );
  if (sorted.length === 0) {
    return (
      <Card>
        <Empty
          title={t('noTemplates')}
          action={
            <PageLink to="/" className="font-semibold text-accent underline">
              {t('allMarkets')}
            </PageLink>
          }
        >
          {t('noTemplatesText')}
        </Empty>
      </Card>
    );
  }
  return (
    <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
      {sorted.map((template) => (
        <li key={template.id} className="min-w-0">
          <TemplateCard template={template} />
        </li>
      ))}
    </ul>
  );
}

function TemplateCard({ template }: { readonly template: Template }) {
  const t = useTexts(createTexts);
  const locale = useLocale();
  const { asset } = template;
  return (
    <PageLink
      to="/create"
      search={{ template: template.id }}
      className="flex h-full min-h-32 flex-col gap-3 rounded-lg border border-line bg-surface p-4 hover:border-accent"
    >
      <span className="flex flex-wrap gap-2">
        <KindBadge kind={template.outcome_schema} />
        {template.requires_approval && <Badge tone="warn">{t('approval')}</Badge>}
      </span>
      <span className="line-clamp-2 text-base font-semibold [overflow-wrap:anywhere]">
        <bdi>{templateWords(locale, template.id, template.name)}</bdi>
      </span>
      <span className="mt-auto text-xs text-muted">
        {t('depositOf', {
          amount: money(locale, template.min_creator_deposit),
          asset,
        })}
      </span>
    </PageLink>
  );
}

export function KindBadge({ kind }: { readonly kind: string }) {
  const t = useTexts(createTexts);
  const isKnown = kind === 'binary' || kind === 'multi' || kind === 'scalar';
  return <Badge tone="accent">{isKnown ? t(kind) : kind}</Badge>;
}
