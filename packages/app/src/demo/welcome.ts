import type { DemoAccount } from './demo-account.ts';

/** What the console shows once the service answers: where it is and, on the first start, how to try it. */
export function welcome(baseUrl: string, demo: DemoAccount | null): string {
  const where = `\nThe service answers at ${baseUrl} (reference: ${baseUrl}/docs)\n`;
  if (!demo) return `${where}A key of your own: npx -y pnpm@12 affiliate api-key create --help\n\n`;
  return `${where}
A demo account was made, with a campaign and an affiliate. This is shown once:

  Account id   ${demo.accountId}
  API key      ${demo.apiKey}
  Owner        ${demo.ownerEmail}, password ${demo.ownerPassword}

Try, in another terminal:

${tryOut(baseUrl, demo)
  .map((command) => `  ${command.join(' \\\n    ')}\n`)
  .join('\n')}
`;
}

/** The first steps: who promotes what, a click on their link, and the referral it made. */
function tryOut(baseUrl: string, { accountId, apiKey, trackingUrl }: DemoAccount): string[][] {
  const get = (path: string) => [
    `curl -s '${baseUrl}/api/v1${path}'`,
    `-H 'Authorization: Bearer ${apiKey}' -H 'X-Account-Id: ${accountId}'`,
  ];
  return [get('/affiliates?expand=campaign,links'), [`curl -si '${trackingUrl}'`], get('/referrals?expand=link')];
}
