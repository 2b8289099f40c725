// Applying for a track, with the agreement that is part of it.
import { builderAgreement } from '@sibyl/contract/builder-agreement';
import { type FormEvent, useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { CheckBox } from '../../../components/check-box.tsx';
import { ErrorNote } from '../../../components/error-note.tsx';
import { Field } from '../../../components/field.tsx';
import { Select } from '../../../components/select.tsx';
import { useClient } from '../../../session/use-session.ts';
import { useTexts } from '../../../texts/use-texts.ts';
import { noteRate } from '../rates.ts';
import type { Builder } from '../use-builder.ts';
import { builderTexts } from './texts.ts';

const TRACKS = ['trade_capped', 'trade_full', 'genesis', 'partner', 'institutional'] as const;
type Track = (typeof TRACKS)[number];

interface Props {
  readonly builder: Builder;
  readonly onSent: () => Promise<unknown>;
}

export function ApplicationForm({ builder, onSent }: Props) {
  const t = useTexts(builderTexts);
  const client = useClient();
  // Nobody applies for what they have.
  const open = TRACKS.filter((one) => one !== builder.track);
  const [track, setTrack] = useState<Track>(
    builder.track === 'trade_capped' ? 'trade_full' : 'trade_capped',
  );
  const [name, setName] = useState(builder.profile?.name ?? '');
  const [website, setWebsite] = useState(builder.profile?.website ?? '');
  const [about, setAbout] = useState(builder.profile?.about ?? '');
  const [hasAgreed, setAgreed] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const refusal =
    name.trim() === ''
      ? t('typeName')
      : about.trim().length < 10
        ? t('typeAbout')
        : hasAgreed
          ? null
          : t('agreeFirst');

  const send = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    try {
      const { version } = builderAgreement;
      await client.builders.apply(
        {
          track,
          name: name.trim(),
          about: about.trim(),
          ...(website.trim() !== '' && { website: website.trim() }),
          agreement: { version, accepted: hasAgreed },
        },
        { onAnswer: noteRate },
      );
      await onSent();
    } catch (fault) {
      setError(fault);
    }
    setBusy(false);
  };

  return (
    <form className="flex flex-col gap-4" onSubmit={send}>
      <div className="flex flex-col gap-1">
        <Select
          label={t('track')}
          value={track}
          onChoose={setTrack}
          choices={open.map((value) => ({ value, label: value }))}
        />
        <p className="text-xs text-muted">{t(track)}</p>
      </div>
      <Field
        label={t('name')}
        maxLength={128}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <Field
        label={t('website')}
        type="url"
        placeholder="https://example.com/"
        value={website}
        onChange={(event) => setWebsite(event.target.value)}
      />
      <Field
        label={t('about')}
        maxLength={2_000}
        value={about}
        onChange={(event) => setAbout(event.target.value)}
      />
      <Agreement />
      <CheckBox
        label={t('agree', { version: builderAgreement.version })}
        isChecked={hasAgreed}
        onToggle={setAgreed}
      />
      {error !== null && <ErrorNote error={error} />}
      <div>
        <Button kind="primary" type="submit" isBusy={isBusy} refusal={refusal}>
          {t('apply')}
        </Button>
      </div>
    </form>
  );
}

function Agreement() {
  const t = useTexts(builderTexts);
  return (
    <details>
      <summary className="text-muted">{t('agreement')}</summary>
      {/* The agreement is accepted as it is written, in one language. */}
      <ol lang="en" className="mt-2 list-decimal space-y-2 pl-5 text-xs">
        {builderAgreement.paragraphs.map((paragraph) => (
          <li key={paragraph}>{paragraph}</li>
        ))}
      </ol>
    </details>
  );
}
