// The next step with a draft: create it, go to the one that exists, or get what is missing for it.
import { SibylError } from '@sibyl/sdk';
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { openOverlay } from '../../frame/overlay.ts';
import { useGo } from '../../frame/use-go.ts';
import { lane } from '../../lane.ts';
import { FaucetButton } from '../../sandbox/faucet-button.tsx';
import { sessionStore } from '../../session/session-store.ts';
import { useSession } from '../../session/use-session.ts';
import { useTexts } from '../../texts/use-texts.ts';
import type { Creation } from './template-form.tsx';
import { createTexts } from './texts.ts';
import { type MarketPreview, refusedParam } from './use-draft.ts';

interface Props {
  /** Why the draft cannot be created as it stands; null if it can. */
  readonly refusal: string | null;
  readonly preview: MarketPreview;
  readonly creation: Creation;
}

export function CreateStep({ refusal, preview, creation }: Props) {
  const t = useTexts(createTexts);
  const session = useSession();
  if (session.status !== 'signed_in') return <BecomeSomebody />;
  if (preview.existed && preview.answer !== null) {
    return <Existing marketId={preview.answer.market.market_id} />;
  }
  const error = creation.error ?? preview.error;
  const waits = preview.answer !== null && !preview.answer.market.approved;
  return (
    <div className="flex flex-col gap-3">
      {waits && <p className="rounded-md bg-warn-soft p-3 text-warn">{t('waits')}</p>}
      {error !== null && refusedParam(error) === null && <ErrorNote error={error} />}
      {isPoor(error) && lane === 'sandbox' && <FaucetButton isWide />}
      <Button
        kind="primary"
        size="large"
        type="submit"
        isWide
        isBusy={creation.isBusy}
        refusal={refusalOf()}
      >
        {t('createIn', { lane: t(lane) })}
      </Button>
    </div>
  );
  function refusalOf(): string | null {
    if (refusal !== null) return refusal;
    if (preview.error !== null) return '';
    return preview.answer === null ? t('asking') : null;
  }
}

function isPoor(error: unknown): boolean {
  return error instanceof SibylError && error.code === 'BALANCE_INSUFFICIENT';
}

function Existing({ marketId }: { readonly marketId: string }) {
  const t = useTexts(createTexts);
  const go = useGo();
  return (
    <div role="status" className="flex flex-col gap-3">
      <p className="rounded-md bg-accent-soft p-3 font-semibold text-accent">{t('exists')}</p>
      <Button kind="primary" size="large" isWide onClick={() => go(`/m/${marketId}`)}>
        {t('toMarket')}
      </Button>
    </div>
  );
}

/** A visitor: play money at once, real money with an account. */
function BecomeSomebody() {
  const t = useTexts(createTexts);
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  if (lane === 'live') {
    return (
      <div className="flex flex-col gap-3">
        <p className="text-muted">{t('needAccount')}</p>
        <Button kind="primary" size="large" isWide onClick={() => openOverlay('register')}>
          {t('register')}
        </Button>
        <Button isWide onClick={() => openOverlay('sign_in')}>
          {t('signIn')}
        </Button>
      </div>
    );
  }
  return (
    <div className="flex flex-col gap-3">
      <p className="text-muted">{t('tryDemoText')}</p>
      {error !== null && <ErrorNote error={error} />}
      <Button
        kind="primary"
        size="large"
        isWide
        isBusy={isBusy}
        onClick={() => {
          setBusy(true);
          setError(null);
          sessionStore
            .beSomebody()
            .catch(setError)
            .finally(() => setBusy(false));
        }}
      >
        {t('tryDemo')}
      </Button>
    </div>
  );
}
