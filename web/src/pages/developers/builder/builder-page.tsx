// Whoever builds on the exchange: the tier, what is left to the next one, and applying for more.
import { Badge, type Tone } from '../../../components/badge.tsx';
import { Card } from '../../../components/card.tsx';
import { ErrorNote } from '../../../components/error-note.tsx';
import { Figure } from '../../../components/figure.tsx';
import { Meter } from '../../../components/meter.tsx';
import { PageLink } from '../../../components/page-link.tsx';
import { Skeleton } from '../../../components/skeleton.tsx';
import { money } from '../../../format/amounts.ts';
import { dateTime } from '../../../format/times.ts';
import { useLocale, useTexts } from '../../../texts/use-texts.ts';
import { AccountNeeded } from '../account-needed.tsx';
import { DevelopersLayout } from '../layout.tsx';
import { type Builder, useBuilder } from '../use-builder.ts';
import { wordOf } from '../word-of.ts';
import { ApplicationForm } from './application-form.tsx';
import { builderTexts } from './texts.ts';

export function Page() {
  return (
    <AccountNeeded texts={builderTexts}>
      <OwnBuilder />
    </AccountNeeded>
  );
}

function OwnBuilder() {
  const t = useTexts(builderTexts);
  const { data, error, refetch } = useBuilder();
  return (
    <DevelopersLayout title={t('title')}>
      {error !== null && <ErrorNote error={error} onRetry={() => refetch()} />}
      {data === undefined && error === null && <Skeleton className="h-96 w-full" />}
      {data !== undefined && (
        <div className="grid items-start gap-4 lg:grid-cols-2">
          <Progress builder={data} />
          <Application builder={data} onSent={() => refetch()} />
        </div>
      )}
    </DevelopersLayout>
  );
}

function Progress({ builder }: { readonly builder: Builder }) {
  const t = useTexts(builderTexts);
  const locale = useLocale();
  const { graduation, rate_limits: rates, load_test: loadTest, apps } = builder;
  const appCount = apps.draft + apps.in_review + apps.approved + apps.disabled;
  return (
    <Card title={t('progress')}>
      <div className="flex flex-col gap-4">
        <dl className="grid grid-cols-2 gap-4">
          <Figure label={t('tier')}>
            <code className="font-mono">{builder.tier}</code>
          </Figure>
          <Figure label={t('track')}>
            {builder.track === null ? (
              t('none')
            ) : (
              <code className="font-mono">{builder.track}</code>
            )}
          </Figure>
          <Figure label={t('apps')}>
            <PageLink to="/developers/apps" className="text-accent underline underline-offset-2">
              {t('appsOf', { approved: apps.approved, all: appCount })}
            </PageLink>
          </Figure>
          <Figure label={t('rates')}>{t('times', { times: builder.rate_multiplier })}</Figure>
        </dl>
        {graduation !== null && (
          <>
            <Meter
              label={t('graduation')}
              share={Number(graduation.volume_30d) / Number(graduation.threshold)}
              used={money(locale, graduation.volume_30d)}
              most={money(locale, graduation.threshold)}
            />
            <p className="text-xs text-muted">
              {t('graduationText', { remaining: money(locale, graduation.remaining) })}
            </p>
          </>
        )}
        <p className="text-xs text-muted">
          {t('perMinute', { read: rates.read, trade: rates.trade, write: rates.account_write })}
        </p>
        {loadTest !== null && (
          <p className="font-semibold text-warn">
            {t('loadTest', {
              times: loadTest.multiplier,
              time: dateTime(locale, loadTest.ends_at_ms),
            })}
          </p>
        )}
      </div>
    </Card>
  );
}

const TONES: Readonly<Record<string, Tone>> = {
  in_review: 'warn',
  approved: 'gain',
  rejected: 'loss',
};

interface ApplicationProps {
  readonly builder: Builder;
  readonly onSent: () => Promise<unknown>;
}

function Application({ builder, onSent }: ApplicationProps) {
  const t = useTexts(builderTexts);
  const locale = useLocale();
  const { application } = builder;
  return (
    <Card
      title={t('application')}
      aside={
        application !== null && (
          <Badge tone={TONES[application.status] ?? 'neutral'}>
            {wordOf(t, builderTexts, application.status)}
          </Badge>
        )
      }
    >
      <div className="flex flex-col gap-4">
        {application !== null && (
          <dl className="grid grid-cols-2 gap-4">
            <Figure label={t('track')}>
              <code className="font-mono">{application.track}</code>
            </Figure>
            <Figure label={t('appliedAt')}>{dateTime(locale, application.applied_at_ms)}</Figure>
          </dl>
        )}
        {application !== null && application.note !== null && (
          <p className="text-warn">{t('reviewer', { note: application.note })}</p>
        )}
        {application?.status === 'in_review' ? (
          <p className="text-muted">{t('waiting')}</p>
        ) : (
          <ApplicationForm builder={builder} onSent={onSent} />
        )}
      </div>
    </Card>
  );
}
