// The outline of a market while it loads.
import { Skeleton } from '../../components/skeleton.tsx';

export function MarketSkeleton() {
  return (
    <div className="grid min-h-dvh content-start gap-4 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <div className="flex flex-col gap-4">
        <Skeleton className="h-7 w-2/3" />
        <Skeleton className="h-12 w-40" />
        <Skeleton className="h-80 w-full" />
        <Skeleton className="h-40 w-full" />
      </div>
      <Skeleton className="hidden h-96 w-full lg:block" />
    </div>
  );
}
