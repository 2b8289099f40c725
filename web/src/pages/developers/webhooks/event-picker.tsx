// Chooses events by their names.
import { useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { CheckBox } from '../../../components/check-box.tsx';
import { Field } from '../../../components/field.tsx';
import { useTexts } from '../../../texts/use-texts.ts';
import { eventGroups, eventTypes } from './event-list.ts';
import { webhookTexts } from './texts.ts';

interface Props {
  readonly chosen: ReadonlySet<string>;
  readonly onChoose: (chosen: ReadonlySet<string>) => void;
}

export function EventPicker({ chosen, onChoose }: Props) {
  const t = useTexts(webhookTexts);
  const [wanted, setWanted] = useState('');
  const toggle = (type: string, isIn: boolean): void => {
    const next = new Set(chosen);
    if (isIn) next.add(type);
    else next.delete(type);
    onChoose(next);
  };
  const shown = eventGroups
    .map((group) => group.filter((type) => type.includes(wanted.trim().toLowerCase())))
    .filter((group) => group.length > 0);
  return (
    <fieldset className="flex min-w-0 flex-col gap-3">
      <legend className="mb-2 font-semibold">{t('events')}</legend>
      <div className="flex flex-wrap items-end gap-2">
        <div className="w-56">
          <Field
            label={t('filterEvents')}
            value={wanted}
            onChange={(event) => setWanted(event.target.value)}
          />
        </div>
        <Button onClick={() => onChoose(new Set(eventTypes))}>{t('all')}</Button>
        <Button onClick={() => onChoose(new Set())}>{t('noneOfThem')}</Button>
        <span className="py-2 text-muted">{t('eventsChosen', { count: chosen.size })}</span>
      </div>
      <div className="grid gap-x-6 gap-y-4 sm:grid-cols-2 lg:grid-cols-4">
        {shown.map((group) => (
          <div key={group[0]} className="flex flex-col gap-1.5">
            {group.map((type) => (
              <CheckBox
                key={type}
                isCode
                label={type}
                isChecked={chosen.has(type)}
                onToggle={(isIn) => toggle(type, isIn)}
              />
            ))}
          </div>
        ))}
      </div>
    </fieldset>
  );
}
