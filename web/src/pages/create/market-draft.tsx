// The market as it would be: its title, outcomes, schedule and deposit, as the exchange tells them.

import { hasInk, marketSubtitle, marketTitle, outcomeName } from '@sibyl/contract/names';
import type { Answer, Template } from '@sibyl/sdk';
import { Badge } from '../../components/badge.tsx';
import { Card } from '../../components/card.tsx';
import { cents, exactMoney } from '../../format/amounts.ts';
import { dateTime } from '../../format/times.ts';
import { useSession } from '../../session/use-session.ts';
import { useLocale, useTexts } from '../../texts/use-texts.ts';
import { KindBadge } from './template-gallery.tsx';
import { createTexts } from './texts.ts';
import type { Draft, MarketPreview } from './use-draft.ts';

interface Props {
  readonly template: Template;
  readonly draft: Draft;
  readonly preview: MarketPreview;
}

export function MarketDraft({ template, draft, preview }: Props) {
  const t = useTexts(createTexts);
  const { answer } = preview;
  const locale = useLocale();
  const subtitle = answer === null ? '' : marketSubtitle(locale, answer.market);
  const title =
    answer === null ? renderedTitle(template, draft) : marketTitle(locale, answer.market);
  return (
    <Card title={t('yourMarket')}>
      <div className="flex flex-col gap-4">
        <div className="flex flex-wrap gap-2">
          <KindBadge kind={template.outcome_schema} />
          {template.requires_approval && <Badge tone="warn">{t('approval')}</Badge>}
        </div>
        <div>
          <p
            className={`line-clamp-4 text-lg font-semibold ${title === '' ? 'text-muted' : ''}`}
            data-testid="draft-title"
          >
            <bdi>{title === '' ? t('titleEmpty') : title}</bdi>
          </p>
          {subtitle !== '' && (
            <p className="line-clamp-2 text-muted">
              <bdi>{subtitle}</bdi>
            </p>
          )}
        </div>
        <Outcomes answer={answer} />
        <Terms template={template} preview={preview} />
        <p className="text-xs text-muted">{t('depositText')}</p>
      </div>
    </Card>
  );
}

/** While the exchange has not been asked: the template's title with what was typed, as it fills it in. */
function renderedTitle({ display_defaults: defaults }: Template, { typed, title }: Draft): string {
  if (hasInk(title)) return title;
  return defaults.title_template.replace(/\{([^{}]*)\}/g, (_, name: string) => typed[name] ?? '');
}

function Outcomes({ answer }: { readonly answer: Answer<'createMarket'> | null }) {
  const locale = useLocale();
  if (answer === null) return null;
  return (
    <ul className="flex flex-col gap-1">
      {answer.market.outcomes.map((outcome) => (
        <li key={outcome.id} className="flex justify-between gap-4">
          <span className="min-w-0 truncate">
            <bdi>{outcomeName(locale, answer.market, outcome)}</bdi>
          </span>
          <span className="font-semibold">{cents(locale, outcome.price)}¢</span>
        </li>
      ))}
    </ul>
  );
}

function Terms({ template, preview }: Omit<Props, 'draft'>) {
  const t = useTexts(createTexts);
  const locale = useLocale();
  // The exchange figures nothing out for a visitor.
  const isKnown = useSession().status === 'signed_in';
  const { answer } = preview;
  const { asset } = template;
  const deposit = preview.existed
    ? '0'
    : (answer?.preview?.deposit ?? template.min_creator_deposit);
  const after = answer?.preview?.balance_free_after;
  const terms = [[t('deposit'), `${exactMoney(locale, deposit)} ${asset}`]] as const;
  const rows: readonly (readonly [string, string])[] = !isKnown
    ? terms
    : [
        [t('opens'), answer === null ? '–' : opening(answer)],
        [t('closes'), answer === null ? '–' : dateTime(locale, answer.market.closes_at_ms)],
        ...terms,
        [t('freeAfter'), after === undefined ? '–' : `${exactMoney(locale, after)} ${asset}`],
      ];
  function opening({ market }: Answer<'createMarket'>): string {
    if (!market.approved) return t('opensApproved');
    return market.status === 'scheduled' ? dateTime(locale, market.opens_at_ms) : t('opensNow');
  }
  return (
    <dl className="flex flex-col gap-2 border-t border-line pt-4">
      {rows.map(([name, figure]) => (
        <div key={name} className="flex justify-between gap-4">
          <dt className="text-muted">{name}</dt>
          <dd className="text-right">{figure}</dd>
        </div>
      ))}
    </dl>
  );
}
