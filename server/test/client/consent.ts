// A browser without scripts on the consent page, in the hands of somebody who signs in and decides.

export interface Person {
  readonly email: string;
  readonly password: string;
}

/** Gives the address that the browser is sent to. */
export async function decide(
  url: URL,
  { email, password }: Person,
  action: 'approve' | 'deny',
): Promise<URL> {
  const headers = { origin: url.origin, 'content-type': 'application/x-www-form-urlencoded' };
  const send = (form: Record<string, string>, cookie = '') =>
    fetch(url, {
      method: 'POST',
      headers: { ...headers, cookie },
      body: new URLSearchParams(form).toString(),
      redirect: 'manual',
    });
  const signedIn = await send({ action: 'sign_in', email, password });
  const cookie = String(signedIn.headers.get('set-cookie')).split(';')[0]!;
  const page = await (await fetch(url, { headers: { cookie } })).text();
  const [, csrf = ''] = /name="csrf" value="([^"]+)"/.exec(page) ?? [];
  const answer = await send({ action, csrf, account: '' }, cookie);
  return new URL(String(answer.headers.get('location')));
}
