// Categories as chips, the other filters as lists, and how the markets are shown.

import { Icon } from '../../components/icon.tsx';
import { IconButton } from '../../components/icon-button.tsx';
import { Select } from '../../components/select.tsx';
import { categoryName } from '../../format/categories.ts';
import { useTemplates } from '../../live/use-templates.ts';
import { useLocale, useTexts } from '../../texts/use-texts.ts';
import { type Filters, sorts, states, types } from './filters.ts';
import { marketsTexts } from './texts.ts';

export type View = 'grid' | 'list';

interface Props {
  readonly filters: Filters;
  readonly onChange: (change: Partial<Filters>) => void;
  readonly view: View;
  readonly onView: (view: View) => void;
}

export function FilterBar({ filters, onChange, view, onView }: Props) {
  const t = useTexts(marketsTexts);
  return (
    <div className="flex flex-col gap-3 xl:flex-row xl:items-center xl:justify-between">
      <Chips filters={filters} onChange={onChange} />
      <div className="-mx-4 flex items-center gap-2 overflow-x-auto px-4 py-0.5 sm:mx-0 sm:overflow-visible sm:px-0">
        <Select
          label={t('state')}
          value={filters.state}
          choices={states.map((value) => ({ value, label: t(`state_${value}`) }))}
          onChoose={(state) => onChange({ state, isWatched: false })}
        />
        <Select
          label={t('type')}
          value={filters.type}
          choices={types.map((value) => ({ value, label: t(`type_${value}`) }))}
          onChoose={(type) => onChange({ type, isWatched: false })}
        />
        <Select
          label={t('sort')}
          value={filters.sort}
          choices={sorts.map((value) => ({ value, label: t(`sort_${value}`) }))}
          onChoose={(sort) => onChange({ sort, isWatched: false })}
        />
        <div className="ml-auto hidden shrink-0 sm:flex xl:ml-0">
          <IconButton
            label={t('grid')}
            aria-pressed={view === 'grid'}
            onClick={() => onView('grid')}
          >
            <Icon name="grid" />
          </IconButton>
          <IconButton
            label={t('list')}
            aria-pressed={view === 'list'}
            onClick={() => onView('list')}
          >
            <Icon name="list" />
          </IconButton>
        </div>
      </div>
    </div>
  );
}

function Chips({ filters, onChange }: Pick<Props, 'filters' | 'onChange'>) {
  const t = useTexts(marketsTexts);
  const locale = useLocale();
  const categories = useCategories();
  const { category, isWatched } = filters;
  return (
    <fieldset
      aria-label={t('category')}
      className="-mx-4 flex min-w-0 gap-1 overflow-x-auto px-4 py-0.5 sm:-mx-6 sm:px-6 xl:mx-0 xl:px-0"
    >
      <Chip
        isChosen={category === null && !isWatched}
        onChoose={() => onChange({ category: null, isWatched: false })}
      >
        {t('all')}
      </Chip>
      <Chip
        isChosen={isWatched}
        onChoose={() => onChange({ isWatched: !isWatched, category: null })}
      >
        {t('watched')}
      </Chip>
      {categories.map((each) => (
        <Chip
          key={each}
          isChosen={category === each}
          onChoose={() => onChange({ category: each, isWatched: false })}
        >
          {categoryName(locale, each)}
        </Chip>
      ))}
    </fieldset>
  );
}

interface ChipProps {
  readonly isChosen: boolean;
  readonly onChoose: () => void;
  readonly children: string;
}

function Chip({ isChosen, onChoose, children }: ChipProps) {
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      onClick={onChoose}
      className="h-8 max-w-48 shrink-0 truncate rounded-md px-3 text-muted hover:bg-accent-soft hover:text-text aria-pressed:bg-accent-soft aria-pressed:font-semibold aria-pressed:text-accent"
    >
      {children}
    </button>
  );
}

/** There is a category where there is a template for it. */
function useCategories(): readonly string[] {
  return [...new Set(useTemplates().map(({ category }) => category))].sort();
}
