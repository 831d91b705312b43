import type { DemoAccount } from './demo-account.ts';

/** What the console shows once the service answers: where it is and, on the first start, how to try it. */
export function welcome(baseUrl: string, demo: DemoAccount | null): string {
  const where = `\nThe service answers at ${baseUrl} (reference: ${baseUrl}/docs)\n`;
  if (!demo) return `${where}A key of your own: npx -y pnpm@12 affiliate api-key create --help\n\n`;
  return `${where}
A demo account was made, with one campaign. This is shown once:

  Account id   ${demo.accountId}
  API key      ${demo.apiKey}
  Owner        ${demo.ownerEmail}, password ${demo.ownerPassword}

Try, in another terminal:

${tryOut(baseUrl, demo)
  .map((command) => `  ${command.join(' \\\n    ')}\n`)
  .join('\n')}
`;
}

function tryOut(baseUrl: string, { accountId, apiKey }: DemoAccount): string[][] {
  const curl = (path: string, ...more: string[]) => [
    `curl -s '${baseUrl}/api/v1${path}'`,
    `-H 'Authorization: Bearer ${apiKey}' -H 'X-Account-Id: ${accountId}'`,
    ...more,
  ];
  return [
    curl('/campaigns'),
    curl(
      '/campaigns',
      `-H 'Content-Type: application/json'`,
      `-d '{"name":"Spring","url":"https://shop.example.com","reward_type":"percent","commission_percent":12.5}'`,
    ),
    curl('/api_keys'),
  ];
}
