// By which names the operator's listener is asked: a page of another site can have its own name lead to this machine, and
// would then be taken for a page of the console.
import { type ApiError, fail } from '../handling/handler.ts';

const OWN = ['127.0.0.1', 'localhost', '::1'];

export class OperatorHosts {
  readonly #names: ReadonlySet<string>;

  /** `more` are names of a proxy before this machine. */
  constructor(more: readonly string[]) {
    this.#names = new Set([...OWN, ...more].map((name) => name.toLowerCase()));
  }

  /** Null if the name is one of them, on whatever port: tunnels have their own. No browser leaves the name out. */
  refusal(host: string | undefined): ApiError | null {
    if (host === undefined || this.#names.has(nameOf(host))) return null;
    const reason = 'Host names another machine';
    const message =
      'The operator plane is asked as 127.0.0.1, localhost or [::1], or by a name that ADMIN_HOSTS has.';
    return fail('BAD_REQUEST', { reason }, message);
  }
}

/** Without the port, and an address of IPv6 without its brackets. */
function nameOf(host: string): string {
  const named = /^(?:\[([0-9a-f:.]+)\]|([^:[\]]+))(?::[0-9]*)?$/i.exec(host);
  return (named?.[1] ?? named?.[2] ?? '').toLowerCase();
}
