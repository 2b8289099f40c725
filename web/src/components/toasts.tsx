// Short notes that come and go: what was done, or what was not.
import { Toast } from '@base-ui/react/toast';
import type { ReactNode } from 'react';
import { useTexts } from '../texts/use-texts.ts';
import { Icon } from './icon.tsx';
import { componentTexts } from './texts.ts';

const SHOWN_MS = 6_000;

export function ToastProvider({ children }: { readonly children: ReactNode }) {
  return (
    <Toast.Provider timeout={SHOWN_MS}>
      {children}
      <Toast.Portal>
        <Toast.Viewport className="fixed right-4 bottom-20 z-50 flex w-[calc(100vw-2rem)] max-w-sm flex-col gap-2 sm:bottom-4">
          <Notes />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}

function Notes() {
  const t = useTexts(componentTexts);
  const { toasts } = Toast.useToastManager();
  return toasts.map((toast) => (
    <Toast.Root
      key={toast.id}
      toast={toast}
      className="rounded-md border border-line bg-raised p-3 shadow-raised"
    >
      <Toast.Content className="flex items-start justify-between gap-3">
        <div className="min-w-0">
          <Toast.Title className="font-semibold" />
          <Toast.Description className="text-muted" />
          <Toast.Action className="mt-1 font-semibold text-accent hover:underline" />
        </div>
        <Toast.Close aria-label={t('close')} className="text-muted hover:text-text">
          <Icon name="close" />
        </Toast.Close>
      </Toast.Content>
    </Toast.Root>
  ));
}

export interface NoteAction {
  readonly label: string;
  readonly onPress: () => void;
}

/** Gives the function that shows a note. */
export function useNote(): (title: string, description?: string, action?: NoteAction) => void {
  const { add } = Toast.useToastManager();
  return (title, description, action) => {
    add({
      title,
      ...(description !== undefined && { description }),
      ...(action !== undefined && {
        actionProps: { children: action.label, onClick: action.onPress },
      }),
    });
  };
}
