// Two to six choices side by side; one of them holds.
interface Props<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly choices: readonly { readonly value: Value; readonly label: string }[];
  readonly onChoose: (value: Value) => void;
  readonly isWide?: boolean;
}

export function Segmented<Value extends string>({
  label,
  value,
  choices,
  onChoose,
  isWide = false,
}: Props<Value>) {
  return (
    <fieldset
      aria-label={label}
      className={`flex rounded-md border border-line bg-page p-0.5 ${isWide ? 'w-full' : 'w-fit'}`}
    >
      {choices.map((choice) => (
        <button
          key={choice.value}
          type="button"
          aria-pressed={choice.value === value}
          onClick={() => onChoose(choice.value)}
          className="h-7 flex-1 rounded-sm px-3 whitespace-nowrap text-muted hover:text-text aria-pressed:bg-surface aria-pressed:font-semibold aria-pressed:text-text aria-pressed:shadow-pressed"
        >
          {choice.label}
        </button>
      ))}
    </fieldset>
  );
}
