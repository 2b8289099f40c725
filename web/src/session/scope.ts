// Whether what is below is about the person's own account or about one of its subaccounts.
import { createContext } from 'react';

/** The id of the subaccount; null for the own account. */
export const ScopeContext = createContext<string | null>(null);
