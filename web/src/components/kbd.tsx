// A key of the keyboard.
export function Kbd({ children }: { readonly children: string }) {
  return (
    <kbd className="inline-flex h-5 min-w-5 items-center justify-center rounded-sm border border-line bg-page px-1 font-sans text-xs text-muted">
      {children}
    </kbd>
  );
}
