// A component whose script is loaded when it is first shown. It stands within a `Suspense`, which shows something meanwhile.
import { type ComponentType, lazy } from 'react';

/** The type is the component's own, so that one for rows of any kind stays one. */
export function later<Module, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
): Module[Name] {
  const component = lazy(async () => ({ default: (await load())[name] as ComponentType }));
  return component as unknown as Module[Name];
}
