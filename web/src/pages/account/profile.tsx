// The account as the exchange tells it to its owner.
import type { Account } from '@sibyl/sdk';
import type { ReactNode } from 'react';
import { restrictionSentences, restrictionTexts } from '../../account/restriction-texts.ts';
import { useAccount } from '../../account/use-account.ts';
import { Card } from '../../components/card.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { money } from '../../format/amounts.ts';
import { dateTime } from '../../format/times.ts';
import { useLocale, useTexts } from '../../texts/use-texts.ts';
import { accountTexts } from './texts.ts';

export function Profile() {
  const t = useTexts(accountTexts);
  const { data, error, refetch } = useAccount();
  return (
    <Card title={t('profile')}>
      {error !== null && (
        <ErrorNote
          error={error}
          onRetry={() => {
            refetch().catch(() => undefined);
          }}
        />
      )}
      {error === null && <Facts account={data ?? null} />}
    </Card>
  );
}

function Facts({ account }: { readonly account: Account | null }) {
  const t = useTexts(accountTexts);
  const locale = useLocale();
  const cap = (amount: string | null): string =>
    amount === null ? t('noCap') : money(locale, amount);
  return (
    <dl className="flex flex-col gap-3">
      <Fact name={t('email')}>{account && <Personal text={account.email} />}</Fact>
      <Fact name={t('name')}>{account && <Personal text={account.display_name} />}</Fact>
      <Fact name={t('accountId')}>{account && <Code text={account.account_id} />}</Fact>
      {account?.user_id != null && (
        <Fact name={t('partnerId')}>
          <Code text={account.user_id} />
        </Fact>
      )}
      <Fact name={t('country')}>{account && <Personal text={account.country} />}</Fact>
      <Fact name={t('mode')}>{account && <Mode account={account} />}</Fact>
      <Fact name={t('since')}>{account && dateTime(locale, account.created_at_ms)}</Fact>
      <Fact name={t('tier')}>{account && (account.tier ?? t('tierSession'))}</Fact>
      <Fact name={t('perOrder')}>{account && cap(account.limits.order_notional_max)}</Fact>
      <Fact name={t('perDay')}>{account && cap(account.limits.daily_notional_max)}</Fact>
      <Fact name={t('restrictions')}>{account && <Restrictions account={account} />}</Fact>
    </dl>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className="grid min-h-7 grid-cols-[8rem_1fr] items-center gap-4">
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0">{children ?? <Skeleton className="h-5 w-32" />}</dd>
    </div>
  );
}

function Code({ text }: { readonly text: string }) {
  return (
    <span className="flex flex-wrap items-center gap-1">
      <code className="break-all">{text}</code>
      <CopyButton text={text} />
    </span>
  );
}

/** What somebody wrote about themselves, or that they did not. */
function Personal({ text }: { readonly text: string | null }) {
  const t = useTexts(accountTexts);
  return text === null ? <span className="text-muted">{t('none')}</span> : <bdi>{text}</bdi>;
}

const modes: Readonly<Record<string, 'modeLive' | 'modeSandbox' | 'modeDemo' | undefined>> = {
  live: 'modeLive',
  sandbox: 'modeSandbox',
  demo: 'modeDemo',
};

function Mode({ account: { mode, asset } }: { readonly account: Account }) {
  const t = useTexts(accountTexts);
  const key = modes[mode];
  return `${key === undefined ? mode : t(key)} (${asset})`;
}

function Restrictions({ account }: { readonly account: Account }) {
  const t = useTexts(accountTexts);
  const words = useTexts(restrictionTexts);
  const locale = useLocale();
  const said = restrictionSentences(words, locale, account.restriction_reasons);
  if (said.length === 0) return t('noRestrictions');
  return (
    <ul className="flex flex-col gap-1 text-warn">
      {said.map((sentence) => (
        <li key={sentence} dir="auto">
          {sentence}
        </li>
      ))}
    </ul>
  );
}
