import * as settings from './generated/hey-api/settings-v1';
import { client as settingsClient } from './generated/hey-api/settings-v1/client.gen';
import * as program from './generated/hey-api/v1';
import { client as programClient } from './generated/hey-api/v1/client.gen';
import { Refused, SERVICE, walk } from './walk.ts';

for (const client of [programClient, settingsClient])
  client.setConfig({
    baseUrl: SERVICE.url,
    auth: () => SERVICE.apiKey,
    headers: { 'X-Account-Id': SERVICE.accountId },
  });

interface Answer<Data> {
  data?: Data | undefined;
  error?: { code: string; error: string } | undefined;
  response?: Response | undefined;
}

async function dataOf<Data>(answer: Promise<Answer<Data>>): Promise<NonNullable<Data>> {
  const { data, error, response } = await answer;
  if (error !== undefined) throw new Refused(response!.status, error);
  return data!;
}

await walk(
  {
    createCampaign: (body) => dataOf(program.campaignsCreate({ body })),
    createAffiliate: (body) => dataOf(program.affiliatesCreate({ body })),
    getAffiliate: (id) => dataOf(program.affiliatesGet({ path: { id }, query: { expand: ['links'] } })),
    createLink: (body) => dataOf(program.linksCreate({ body })),
    archiveLink: async (id) => {
      await dataOf(program.linksArchive({ path: { id } }));
    },
    createReferral: (body) => dataOf(program.referralsCreate({ body })),
    recordSale: (body, key) => dataOf(program.trackingRecordSale({ body, headers: { 'Idempotency-Key': key } })),
    listCommissions: (query) =>
      dataOf(program.commissionsList({ query: { ...query, state: ['due', 'paid'], expand: ['sale', 'campaign'] } })),
    listPayouts: async (affiliate_id) => (await dataOf(program.payoutsList({ query: { affiliate_id } }))).data,
    payPayout: (id, payment_reference) => dataOf(program.payoutsPay({ path: { id }, body: { payment_reference } })),
    paidCommissions: async () => {
      const { data } = await dataOf(program.eventsList({ query: { type: ['payout.paid'] } }));
      return data.flatMap((event) => (event.type === 'payout.paid' ? event.data.commission_ids : []));
    },
  },
  {
    me: () => dataOf(settings.meGet()),
    createEndpoint: (body) => dataOf(settings.webhookEndpointsCreate({ body })),
    deactivateEndpoint: (id) => dataOf(settings.webhookEndpointsUpdate({ path: { id }, body: { active: false } })),
    listEndpoints: async () => (await dataOf(settings.webhookEndpointsList())).data,
    deleteEndpoint: async (id) => {
      await dataOf(settings.webhookEndpointsDelete({ path: { id } }));
    },
  },
);
