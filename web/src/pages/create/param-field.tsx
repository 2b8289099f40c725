// One parameter of a template as the field that fits it.
import { Field } from '../../components/field.tsx';
import { Segmented } from '../../components/segmented.tsx';
import { Select } from '../../components/select.tsx';
import { localMinute } from '../../format/local-time.ts';
import { useTexts } from '../../texts/use-texts.ts';
import type { Param, ParamKind } from './params.ts';
import { createTexts } from './texts.ts';

interface Props {
  readonly param: Param;
  readonly typed: string;
  readonly fault: string | null;
  readonly onType: (text: string) => void;
  readonly onLeave: () => void;
}

const numeric: ReadonlySet<ParamKind> = new Set(['decimal', 'number', 'integer']);

export function ParamField(props: Props) {
  const { param, typed, fault, onType, onLeave } = props;
  const label = useLabel(param);
  const hint = useHint(param);
  if (param.kind === 'choice' || param.kind === 'switch') return <Choice {...props} />;
  return (
    <Field
      label={label}
      required={param.isRequired}
      type={param.kind === 'instant' ? 'datetime-local' : 'text'}
      {...(param.kind === 'instant' && { min: localMinute(Date.now()) })}
      inputMode={numeric.has(param.kind) ? 'decimal' : undefined}
      dir={param.kind === 'text' ? 'auto' : undefined}
      value={typed}
      fault={fault}
      {...(hint !== null && { hint })}
      suffix={<Length param={param} typed={typed} />}
      onChange={(event) => onType(event.target.value)}
      onBlur={onLeave}
    />
  );
}

function useLabel({ label, isRequired }: Param): string {
  const t = useTexts(createTexts);
  return isRequired ? label : `${label} (${t('optional')})`;
}

function useHint({ kind, hint }: Param): string | null {
  const t = useTexts(createTexts);
  if (kind !== 'instant') return hint;
  return t('localTime', { zone: Intl.DateTimeFormat().resolvedOptions().timeZone });
}

/** From which part of the most on the count is worth a look. */
const NEARLY_FULL = 0.6;

function Length({ param, typed }: Pick<Props, 'param' | 'typed'>) {
  const t = useTexts(createTexts);
  const { length } = [...typed];
  if (param.kind !== 'text' || param.maxLength === null) return null;
  if (length < param.maxLength * NEARLY_FULL) return null;
  return <span className="text-xs">{t('length', { used: length, most: param.maxLength })}</span>;
}

function Choice({ param, typed, fault, onType, onLeave }: Props) {
  const t = useTexts(createTexts);
  const label = useLabel(param);
  const hint = useHint(param);
  const choose = (value: string): void => {
    onType(value);
    onLeave();
  };
  return (
    <div className="flex flex-col items-start gap-1">
      <span className="text-xs text-muted">{label}</span>
      {param.kind === 'switch' ? (
        <Segmented
          label={label}
          value={typed === 'true' ? 'true' : 'false'}
          onChoose={choose}
          choices={[
            { value: 'true', label: t('yes') },
            { value: 'false', label: t('no') },
          ]}
        />
      ) : (
        <Select
          label={label}
          value={typed}
          onChoose={choose}
          choices={[
            { value: '', label: t('choose') },
            ...param.choices.map((choice) => ({ value: String(choice), label: String(choice) })),
          ]}
        />
      )}
      {(fault ?? hint) !== null && (
        <p className={`text-xs ${fault === null ? 'text-muted' : 'text-loss'}`}>{fault ?? hint}</p>
      )}
    </div>
  );
}
