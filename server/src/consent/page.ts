// The consent page as HTML: sign in or register, decide, or read why a link does not work. It has no script and needs none.
import type { Scope } from '@sibyl/contract';
import type { Locale } from '@sibyl/contract/locales';
import type { AuthorizeRequest } from './authorize-request.ts';
import { html, type Markup } from './markup.ts';
import type { Choice } from './own-calls.ts';
import { type ConsentTexts, consentTexts } from './texts.ts';

export type Fault = keyof ConsentTexts['faults'];

export function faultPage(locale: Locale, fault: Fault): string {
  const t = consentTexts[locale];
  return frame(locale, t.faultTitle, html`${faultText(t, fault)}${homeLine(t)}`);
}

function faultText(t: ConsentTexts, fault: Fault): Markup {
  return html`<h1>${t.faultTitle}</h1><p>${t.faults[fault]}</p>
`;
}

function homeLine(t: ConsentTexts): Markup {
  return html`<p class="hint"><a href="/">${t.home}</a></p>`;
}

/** Who is signed in, as they know themselves, and the token by which they can leave it to another. */
interface Present {
  readonly who: string;
  readonly csrf: string;
}

/** An app that only its owner can connect, and somebody else is here. */
export function strangersPage(locale: Locale, mistake: string | null, present: Present): string {
  const t = consentTexts[locale];
  return frame(
    locale,
    t.faultTitle,
    html`${faultText(t, 'unapproved')}${mistakeNote(t, mistake)}
<form method="post">
<input type="hidden" name="csrf" value="${present.csrf}">
${otherAccount(t, present.who)}
</form>
${homeLine(t)}`,
  );
}

function otherAccount(t: ConsentTexts, who: string): Markup {
  return html`<p class="hint">${t.signedInAs(who)} <button class="link" type="submit" name="action" value="sign_out">${t.notYou}</button></p>`;
}

/** In the words of OAuth, which the developer of the app looks up. */
function mistakeNote(t: ConsentTexts, mistake: string | null): Markup {
  return mistake === null
    ? html``
    : html`<p class="problem">${t.mistake} <code>${mistake}</code></p>`;
}

/** For which app somebody is asked who they are, and what is wrong with the link. */
interface Asking {
  readonly app: AuthorizeRequest['app'];
  readonly mistake: string | null;
}

/** What somebody has typed who is not signed in; `problem` is what stood against the last attempt, in words. */
export interface Entering {
  readonly isNew: boolean;
  readonly email: string;
  readonly problem: string | null;
}

export function entryPage(locale: Locale, asked: Asking, entering: Entering): string {
  const t = consentTexts[locale];
  return entering.isNew
    ? frame(locale, t.registerTitle, registerForm(t, asked, entering))
    : frame(locale, t.signInTitle, signInForm(t, asked, entering));
}

function signInForm(t: ConsentTexts, asked: Asking, entering: Entering): Markup {
  return html`<h1>${t.signInTitle}</h1>
<p>${t.signInText(shownName(t, asked.app))}</p>
${ownerNote(t, asked)}
${problemNote(entering.problem)}
<form method="post">
<input type="hidden" name="action" value="sign_in">
${emailField(t, entering.email)}
<label for="password">${t.password}</label>
<input id="password" name="password" type="password" autocomplete="current-password" maxlength="256" required>
<label for="code">${t.code}</label>
<input id="code" name="code" autocomplete="one-time-code" maxlength="32" aria-describedby="code-hint">
<p class="hint" id="code-hint">${t.codeHint}</p>
<button class="main" type="submit">${t.signIn}</button>
</form>
${otherWay('to_register', t.toRegister)}
<p class="hint"><a href="/" target="_blank" rel="noopener">${t.passkeyHint}</a></p>`;
}

function registerForm(t: ConsentTexts, asked: Asking, entering: Entering): Markup {
  return html`<h1>${t.registerTitle}</h1>
<p>${t.registerText(shownName(t, asked.app))}</p>
${ownerNote(t, asked)}
${problemNote(entering.problem)}
<form method="post">
<input type="hidden" name="action" value="register">
${emailField(t, entering.email)}
<label for="password">${t.password}</label>
<input id="password" name="password" type="password" autocomplete="new-password" maxlength="256" required aria-describedby="password-hint">
<p class="hint" id="password-hint">${t.passwordHint}</p>
<button class="main" type="submit">${t.register}</button>
</form>
${otherWay('to_sign_in', t.toSignIn)}`;
}

function ownerNote(t: ConsentTexts, { app, mistake }: Asking): Markup {
  if (app.status === 'approved') return html``;
  return html`<p class="warning">${t.ownerOnly}</p>${mistakeNote(t, mistake)}`;
}

function emailField(t: ConsentTexts, email: string): Markup {
  return html`<label for="email">${t.email}</label>
<input id="email" name="email" type="email" autocomplete="username" maxlength="254" required value="${email}">`;
}

function otherWay(action: string, text: string): Markup {
  return html`<form class="other" method="post"><button type="submit" name="action" value="${action}">${text}</button></form>`;
}

function shownName(t: ConsentTexts, app: AuthorizeRequest['app']): string {
  return isReviewed(app) ? (app.verifiedName ?? app.name) : t.unreviewedApp;
}

export interface Deciding extends Present {
  readonly subaccounts: readonly { readonly id: string; readonly label: string }[];
  /** The app has been allowed before, and still is. */
  readonly isConnected: boolean;
  readonly chosen: Choice;
  readonly problem: string | null;
}

export function decisionPage(
  locale: Locale,
  { app, scopes, lane, redirectUri }: AuthorizeRequest,
  { who, csrf, subaccounts, isConnected, chosen, problem }: Deciding,
): string {
  const t = consentTexts[locale];
  const title = t.title(app.name);
  const isKnown = isReviewed(app);
  const lasts = scopes.includes('offline') ? t.lasts.offline : t.lasts.present;
  return frame(
    locale,
    title,
    html`<h1>${title}</h1>
<p class="${isKnown ? 'verified' : 'warning'}">${isKnown ? t.verified(app.verifiedName ?? '') : t.unverified}</p>
${problemNote(problem)}
<form method="post">
<input type="hidden" name="csrf" value="${csrf}">
${FIRST_BUTTON}
<p class="lane ${lane}">${t.lane[lane]}</p>
<h2>${t.wants}</h2>
<ul>${scopes.map((scope) => html`<li>${t.scopes[scope as Scope]}</li>`)}</ul>
${scopes.includes('orders:trade') ? html`<p>${feeText(locale, app)}</p>` : html``}
${accountChoice(t, subaccounts, chosen.account)}
${scopes.some(isCapped) ? capField(t, chosen.dailyCap) : html``}
<p>${lasts}</p>
${isConnected ? html`<p>${t.already}</p>` : html``}
<h2>${t.never}</h2>
<ul class="never">${t.neverList.map((line) => html`<li>${line}</li>`)}</ul>
<div class="choice">
<button class="main" type="submit" name="action" value="approve">${t.approve}</button>
<button type="submit" name="action" value="deny">${t.deny}</button>
</div>
<p class="hint">${t.goesTo(new URL(redirectUri).host)} ${t.revokeLater} <a href="${ACCOUNT_PAGE[lane]}" target="_blank" rel="noopener">${t.revokeWhere}</a>.</p>
${otherAccount(t, who)}
</form>`,
  );
}

/** Where the person finds what they have allowed in the lane; in a tab of its own, for they have not decided yet. */
const ACCOUNT_PAGE = {
  live: '/account#connected-apps',
  sandbox: '/sandbox/account#connected-apps',
} as const;

/**
 * Enter in a field presses the first button of a form: this one shows the page again, so that only a press on Allow allows. It is
 * drawn, though nobody sees it: some browsers pass over a button that is not.
 */
const FIRST_BUTTON = html`<button class="unseen" type="submit" name="action" value="show" tabindex="-1" aria-hidden="true"></button>`;

/** What an app calls itself before its review, or after a change, is told to its owner alone. */
function isReviewed({ status, verifiedName }: AuthorizeRequest['app']): boolean {
  return verifiedName !== null && status === 'approved';
}

function accountChoice(
  t: ConsentTexts,
  subaccounts: Deciding['subaccounts'],
  chosen: string,
): Markup {
  const choice = (id: string, text: string) =>
    html`<label class="radio"><input type="radio" name="account" value="${id}"${id === chosen ? html` checked` : html``}>${text}</label>`;
  return html`<fieldset><legend>${t.account}</legend>
${choice('', t.wholeAccount)}
${subaccounts.map(({ id, label }) => choice(id, t.onlySubaccount(label)))}
</fieldset>`;
}

/** What it takes of a trade for itself, and how far it may go. */
function feeText(locale: Locale, { builderFeeBps, feeCapBps }: AuthorizeRequest['app']): string {
  const options = { style: 'percent', maximumFractionDigits: 2 } as const;
  const percent = (bps: number): string =>
    new Intl.NumberFormat(locale, options).format(bps / BPS_PER_WHOLE);
  return consentTexts[locale].fee(percent(builderFeeBps), percent(feeCapBps));
}

const BPS_PER_WHOLE = 10_000;

/** What a daily cap holds back. */
const CAPPED: readonly string[] = ['orders:trade', 'positions:convert'] satisfies Scope[];

function isCapped(scope: string): boolean {
  return CAPPED.includes(scope);
}

function capField(t: ConsentTexts, chosen: string): Markup {
  return html`<label for="daily_cap">${t.dailyCap}</label>
<input id="daily_cap" name="daily_cap" inputmode="decimal" maxlength="40" autocomplete="off" aria-describedby="cap-hint" value="${chosen}">
<p class="hint" id="cap-hint">${t.dailyCapHint}</p>`;
}

function problemNote(problem: string | null): Markup {
  return problem === null ? html`` : html`<p class="problem" role="alert">${problem}</p>`;
}

function frame(locale: Locale, title: string, content: Markup): string {
  return html`<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} · Sibyl</title>
<link rel="stylesheet" href="/connect/consent.css">
</head>
<body>
<main>
<p class="name">Sibyl</p>
${content}
</main>
</body>
</html>
`.text;
}
