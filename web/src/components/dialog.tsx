// A dialog that must be dealt with first: a window on a wide screen, a sheet from below on a phone.
import { Dialog as Base } from '@base-ui/react/dialog';
import type { ReactNode } from 'react';
import { useTexts } from '../texts/use-texts.ts';
import { Icon } from './icon.tsx';
import { componentTexts } from './texts.ts';

interface Props {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

export function Dialog({ title, isOpen, onClose, children }: Props) {
  const t = useTexts(componentTexts);
  return (
    <Base.Root
      open={isOpen}
      onOpenChange={(next, { event }) => {
        // The second press of a double click that opened it is no wish to close it.
        const isSecondPress = event instanceof MouseEvent && event.detail > 1;
        if (!next && !isSecondPress) onClose();
      }}
    >
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-30 bg-[rgb(0_0_0/0.5)]" />
        <Base.Popup className="fixed inset-x-0 bottom-0 z-30 max-h-[92dvh] overflow-y-auto rounded-t-lg border border-line bg-raised p-4 shadow-raised outline-none sm:inset-x-auto sm:top-1/2 sm:bottom-auto sm:left-1/2 sm:w-full sm:max-w-md sm:-translate-x-1/2 sm:-translate-y-1/2 sm:rounded-lg sm:p-6">
          <div className="mb-4 flex items-start justify-between gap-4">
            <Base.Title className="text-lg font-semibold">{title}</Base.Title>
            <Base.Close
              aria-label={t('close')}
              className="-mt-1 -mr-2 inline-flex size-9 items-center justify-center rounded-md text-muted hover:bg-accent-soft hover:text-text"
            >
              <Icon name="close" />
            </Base.Close>
          </div>
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
