// The outline of what is about to come. It shows itself after a moment only, so that quick answers do not flicker.
export function Skeleton({ className }: { readonly className: string }) {
  return <span aria-hidden="true" className={`skeleton block rounded-sm bg-line ${className}`} />;
}
