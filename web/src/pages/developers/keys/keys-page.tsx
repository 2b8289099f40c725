// Keys: mint, see how they are used, revoke.
import type { MintedKey } from '@sibyl/sdk';
import { useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { Card } from '../../../components/card.tsx';
import { Segmented } from '../../../components/segmented.tsx';
import { useTexts } from '../../../texts/use-texts.ts';
import { AccountNeeded } from '../account-needed.tsx';
import { DevelopersLayout } from '../layout.tsx';
import { ShownOnce } from '../shown-once.tsx';
import { useKeys } from '../use-keys.ts';
import { KeyTable } from './key-table.tsx';
import { MintDialog } from './mint-dialog.tsx';
import { keyTexts } from './texts.ts';

export function Page() {
  return (
    <AccountNeeded texts={keyTexts}>
      <Keys />
    </AccountNeeded>
  );
}

function Keys() {
  const t = useTexts(keyTexts);
  const keys = useKeys();
  const [minted, setMinted] = useState<MintedKey | null>(null);
  const [isMinting, setMinting] = useState(false);
  const [which, setWhich] = useState<'active' | 'all'>('active');
  return (
    <DevelopersLayout
      title={t('title')}
      aside={
        <Button kind="primary" onClick={() => setMinting(true)}>
          {t('mint')}
        </Button>
      }
    >
      {minted !== null && <NewKey minted={minted} onStored={() => setMinted(null)} />}
      <Card
        isFlush
        title={t('title')}
        aside={
          <Segmented
            label={t('which')}
            value={which}
            choices={[
              { value: 'active', label: t('active') },
              { value: 'all', label: t('all') },
            ]}
            onChoose={setWhich}
          />
        }
      >
        <KeyTable keys={keys} which={which} />
      </Card>
      {isMinting && (
        <MintDialog
          onClose={() => setMinting(false)}
          onMinted={async (key) => {
            setMinting(false);
            setMinted(key);
            await keys.reload();
          }}
        />
      )}
    </DevelopersLayout>
  );
}

function NewKey({
  minted,
  onStored,
}: {
  readonly minted: MintedKey;
  readonly onStored: () => void;
}) {
  const t = useTexts(keyTexts);
  const secrets = [
    { name: t('bearer'), value: minted.key_id },
    { name: t('secret'), value: minted.secret },
    { name: t('passphrase'), value: minted.passphrase },
  ];
  return (
    <ShownOnce
      title={t('newKey')}
      secrets={secrets.flatMap(({ name, value }) => (value === null ? [] : { name, value }))}
      onStored={onStored}
    />
  );
}
