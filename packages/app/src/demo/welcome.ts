import type { DemoAccount } from './demo-account.ts';

/** Returns the console text after the start: the service's address and, on the first start, how to try the service. */
export function welcome(baseUrl: string, demo: DemoAccount | null): string {
  const where = `\nThe service answers at ${baseUrl} (reference: ${baseUrl}/docs)\n`;
  if (!demo) return `${where}Create an API key: npx -y pnpm@12 affiliate api-key create --help\n\n`;
  return `${where}
Created a demo account with 90 days of clicks, sales and payouts. These credentials are shown once:

  Account id   ${demo.accountId}
  API key      ${demo.apiKey}
  Owner        ${demo.ownerEmail}, password ${demo.ownerPassword}

Open ${baseUrl} and sign in as the owner to look around, and to start a program of your own.

Try in another terminal:

${tryOut(baseUrl, demo)
  .map((command) => `  ${command.join(' \\\n    ')}\n`)
  .join('\n')}
`;
}

/** Returns the first commands to try: list the affiliate, click the link, list the referral of that click. */
function tryOut(baseUrl: string, { accountId, apiKey, trackingUrl }: DemoAccount): string[][] {
  const get = (path: string) => [
    `curl -s '${baseUrl}/api/v1${path}'`,
    `-H 'Authorization: Bearer ${apiKey}' -H 'X-Account-Id: ${accountId}'`,
  ];
  return [get('/affiliates?expand=campaign,links'), [`curl -si '${trackingUrl}'`], get('/referrals?expand=link')];
}

/**
 * Returns the text that the console shows when the service starts without any account. The token is in the fragment of the link, so
 * browsers do not send it to servers and proxies do not log it.
 */
export function invitation(baseUrl: string, token: string): string {
  return `\nThere is no account yet. To create the first one, open this link within a day; it works once:\n\n  ${baseUrl}/setup#token=${token}\n\n`;
}
