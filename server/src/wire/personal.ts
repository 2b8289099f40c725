// Personal data by the names of its fields: what nobody but its owner is shown, in answers, messages and webhooks.

/** Names under which email, phone or address travel. */
const PERSONAL: ReadonlySet<string> = new Set([
  'email',
  'email_address',
  'phone',
  'phone_number',
  'wallet_address',
  'ip',
  'ip_address',
  'last_login_ip',
  'last_used_ip',
  'created_ip',
  'remote_address',
]);

export function isPersonal(name: string): boolean {
  return PERSONAL.has(name.toLowerCase());
}

export function holdsPersonal(value: object): boolean {
  for (const [name, child] of Object.entries(value)) {
    if (isPersonal(name)) return true;
    if (typeof child === 'object' && child !== null && holdsPersonal(child)) return true;
  }
  return false;
}

/** A copy without them. */
export function withoutPersonal(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPersonal);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([name]) => !isPersonal(name));
  return Object.fromEntries(kept.map(([name, child]) => [name, withoutPersonal(child)]));
}
