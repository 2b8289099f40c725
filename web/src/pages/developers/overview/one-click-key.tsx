// A sandbox key for whoever comes by, with a first call that works as it stands.
import { type MintedKey, SandboxKeyDailyLimitError } from '@sibyl/sdk';
import { useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { Card } from '../../../components/card.tsx';
import { ErrorNote } from '../../../components/error-note.tsx';
import { openOverlay } from '../../../frame/overlay.ts';
import { useSession } from '../../../session/use-session.ts';
import { useTexts } from '../../../texts/use-texts.ts';
import { sandboxUrl, sandboxVisitor } from '../sandbox.ts';
import { ShownOnce } from '../shown-once.tsx';
import { developerTexts } from '../texts.ts';
import { FirstCall } from './first-call.tsx';
import { overviewTexts } from './texts.ts';

export function OneClickKey() {
  const t = useTexts(overviewTexts);
  const [key, setKey] = useState<MintedKey | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);

  const mint = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      const visitor = sandboxVisitor();
      const minted = await visitor.keys.mintSandbox();
      setKey(minted);
      // Without money a first order would fail; the key is good without it all the same.
      await visitor.withToken(minted.key_id).sandbox.faucet();
    } catch (fault) {
      setError(fault);
    } finally {
      setBusy(false);
    }
  };

  if (key !== null) {
    return (
      <ShownOnce
        title={t('yourKey')}
        secrets={[{ name: t('key'), value: key.key_id }]}
        onStored={() => setKey(null)}
      >
        {error !== null && <ErrorNote error={error} />}
        <FirstCall token={key.key_id} />
      </ShownOnce>
    );
  }
  return (
    <Card title={t('startTitle')}>
      <div className="flex flex-col items-start gap-4">
        <p className="text-muted">{t('startText')}</p>
        <Button
          kind="primary"
          isBusy={isBusy}
          refusal={sandboxUrl === null ? t('noSandbox') : null}
          onClick={mint}
        >
          {t('getKey')}
        </Button>
        {error instanceof SandboxKeyDailyLimitError ? (
          <HadKey />
        ) : (
          error !== null && <ErrorNote error={error} />
        )}
        {sandboxUrl !== null && <FirstCall token="$KEY" />}
      </div>
    </Card>
  );
}

function HadKey() {
  const t = useTexts(overviewTexts);
  const shared = useTexts(developerTexts);
  const session = useSession();
  const isRegistered = session.status === 'signed_in' && !session.isDemo;
  return (
    <div
      role="alert"
      className="flex w-full flex-col items-start gap-2 rounded-md bg-warn-soft p-3"
    >
      <p className="text-warn">{t('hadKey')}</p>
      {!isRegistered && (
        <Button size="small" onClick={() => openOverlay('register')}>
          {shared('register')}
        </Button>
      )}
    </div>
  );
}
