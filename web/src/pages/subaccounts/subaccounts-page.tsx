// Subaccounts: open one, see what each has, name, freeze and close it, and move money between them.
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { Empty } from '../../components/empty.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { RowOutlines } from '../../components/list-table.tsx';
import { SignInFirst } from '../../frame/sign-in-first.tsx';
import { useSubaccounts } from '../../live/use-subaccounts.ts';
import { useClient, useSession } from '../../session/use-session.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { LabelDialog } from './label-dialog.tsx';
import { SubaccountTable } from './subaccount-table.tsx';
import { subaccountTexts } from './texts.ts';
import { Transfer } from './transfer.tsx';

export function Page() {
  const t = useTexts(subaccountTexts);
  const session = useSession();
  const isHere = session.status === 'signed_in' && !session.isDemo;
  return (
    <div className="mx-auto flex max-w-5xl flex-col gap-4">
      <h1 className="text-lg font-semibold">{t('title')}</h1>
      {session.status !== 'unknown' && !isHere && (
        <SignInFirst title={t('need')} text={t('needText')} />
      )}
      {isHere && <Subaccounts />}
    </div>
  );
}

function Subaccounts() {
  const t = useTexts(subaccountTexts);
  const client = useClient();
  const { list, error, reload } = useSubaccounts();
  const [isOpening, setOpening] = useState(false);
  const opener = (
    <Button kind="primary" onClick={() => setOpening(true)}>
      {t('open')}
    </Button>
  );
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-4">
        <p className="max-w-2xl text-muted">{t('about')}</p>
        {opener}
      </div>
      <Card isFlush title={t('title')}>
        {error !== null && (
          <ErrorNote
            error={error}
            onRetry={() => {
              reload().catch(() => undefined);
            }}
          />
        )}
        {error === null && list === null && <RowOutlines />}
        {list !== null && list.length === 0 && <Empty title={t('none')}>{t('noneText')}</Empty>}
        {list !== null && list.length > 0 && <SubaccountTable list={list} onChanged={reload} />}
      </Card>
      {list !== null && list.length > 0 && <Transfer list={list} onMoved={reload} />}
      {isOpening && (
        <LabelDialog
          title={t('open')}
          label=""
          onSave={async (label) => {
            await client.subaccounts.create({ label });
            await reload();
          }}
          onClose={() => setOpening(false)}
        />
      )}
    </>
  );
}
