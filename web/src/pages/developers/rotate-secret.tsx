// A new secret in the place of the old one, which stays good for a while; until that is over there is no other.
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Confirm } from '../../components/confirm.tsx';
import { dateTime } from '../../format/times.ts';
import type { Texts } from '../../texts/texts.ts';
import { useLocale, useTexts } from '../../texts/use-texts.ts';

interface RotateProps {
  readonly texts: Texts<'rotate' | 'rotateTitle' | 'rotateText' | 'rotatedLately'>;
  /** Null unless an old secret is still good. */
  readonly oldEndsMs: number | null;
  readonly onRotate: () => Promise<unknown>;
}

export function RotateSecret({ texts, oldEndsMs, onRotate }: RotateProps) {
  const t = useTexts(texts);
  const locale = useLocale();
  const [isAsked, setAsked] = useState(false);
  const refusal =
    oldEndsMs === null ? null : t('rotatedLately', { time: dateTime(locale, oldEndsMs) });
  return (
    <>
      <Button refusal={refusal} onClick={() => setAsked(true)}>
        {t('rotate')}
      </Button>
      {isAsked && (
        <Confirm
          title={t('rotateTitle')}
          action={t('rotate')}
          isDangerous={false}
          onClose={() => setAsked(false)}
          onConfirm={onRotate}
        >
          <p>{t('rotateText')}</p>
        </Confirm>
      )}
    </>
  );
}

interface OverlapProps {
  readonly texts: Texts<'overlap'>;
  readonly oldEndsMs: number | null;
}

/** Until when both secrets are good. */
export function SecretOverlap({ texts, oldEndsMs }: OverlapProps) {
  const t = useTexts(texts);
  const locale = useLocale();
  if (oldEndsMs === null) return null;
  const time = dateTime(locale, oldEndsMs);
  return <p className="font-semibold text-warn">{t('overlap', { time })}</p>;
}
