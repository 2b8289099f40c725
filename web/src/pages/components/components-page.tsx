// Every component in every state, in both themes side by side; a test misses what is not here.
import { Buttons } from './buttons.tsx';
import { Figures } from './figures.tsx';
import { Inputs } from './inputs.tsx';
import { Lists } from './lists.tsx';
import { Markets } from './markets.tsx';
import { States } from './states.tsx';

export function Page() {
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      {(['light', 'dark'] as const).map((theme) => (
        <div
          key={theme}
          className={`flex min-w-0 flex-col gap-4 rounded-lg bg-page p-4 text-text ${theme === 'light' ? 'scheme-light' : 'scheme-dark'}`}
        >
          <Buttons />
          <Inputs />
          <Figures />
          <Markets />
          <States />
          <Lists />
        </div>
      ))}
    </div>
  );
}
