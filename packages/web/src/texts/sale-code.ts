/** Values that the examples report, besides the program's own. */
export interface SaleCode {
  origin: string;
  accountId: string;
  apiKey: string;
  currency: string;
}

/** Placeholder for the id of the referral, which the tracking script keeps in the cookie `affiliate_referral`. */
const REFERRAL = 'ref_…';

/** Languages of the examples, each with code that reports a sale. Code is the same in every language of the pages. */
export const SALE_CODE: Readonly<Record<string, (values: SaleCode) => string>> = {
  curl: ({ origin, accountId, apiKey, currency }) => `curl ${origin}/track/sales \\
  -H 'Authorization: Bearer ${apiKey}' -H 'X-Account-Id: ${accountId}' -H 'Content-Type: application/json' \\
  -d '{ "referral_id": "${REFERRAL}", "external_id": "order-1001", "amount_cents": 11900, "currency": "${currency}" }'`,
  'Node.js': ({ origin, accountId, apiKey, currency }) => `await fetch('${origin}/track/sales', {
  method: 'POST',
  headers: {
    Authorization: 'Bearer ${apiKey}',
    'X-Account-Id': '${accountId}',
    'Content-Type': 'application/json',
  },
  body: JSON.stringify({
    referral_id: '${REFERRAL}', // cookie affiliate_referral
    external_id: 'order-1001',
    amount_cents: 11900,
    currency: '${currency}',
  }),
});`,
  PHP: ({ origin, accountId, apiKey, currency }) => `$request = curl_init('${origin}/track/sales');
curl_setopt_array($request, [
  CURLOPT_POST => true,
  CURLOPT_RETURNTRANSFER => true,
  CURLOPT_HTTPHEADER => [
    'Authorization: Bearer ${apiKey}',
    'X-Account-Id: ${accountId}',
    'Content-Type: application/json',
  ],
  CURLOPT_POSTFIELDS => json_encode([
    'referral_id' => $_COOKIE['affiliate_referral'] ?? null,
    'external_id' => 'order-1001',
    'amount_cents' => 11900,
    'currency' => '${currency}',
  ]),
]);
curl_exec($request);`,
  Python: ({ origin, accountId, apiKey, currency }) => `import json, urllib.request

urllib.request.urlopen(urllib.request.Request(
    "${origin}/track/sales",
    headers={
        "Authorization": "Bearer ${apiKey}",
        "X-Account-Id": "${accountId}",
        "Content-Type": "application/json",
    },
    data=json.dumps({
        "referral_id": "${REFERRAL}",  # cookie affiliate_referral
        "external_id": "order-1001",
        "amount_cents": 11900,
        "currency": "${currency}",
    }).encode(),
))`,
};
