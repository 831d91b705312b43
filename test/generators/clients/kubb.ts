import { setConfig } from '@kubb/plugin-client/clients/fetch';
import * as settings from './generated/kubb/settings-v1/clients';
import * as program from './generated/kubb/v1/clients';
import { Refused, SERVICE, walk } from './walk.ts';

setConfig({
  baseURL: SERVICE.url,
  headers: {
    Authorization: `Bearer ${SERVICE.apiKey}`,
    'X-Account-Id': SERVICE.accountId,
    'Content-Type': 'application/json',
  },
});

/** Returns the data of a successful response. The generated types have no data of errors, because the client expects them to be thrown. */
async function dataOf<Data>(answer: Promise<{ data: Data; status: number }>): Promise<Data> {
  const { data, status } = await answer;
  if (status >= 400) throw new Refused(status, data as { code: string; error: string });
  return data;
}

await walk(
  {
    createCampaign: (body) => dataOf(program.campaignsCreate(body)),
    createAffiliate: (body) => dataOf(program.affiliatesCreate(body)),
    getAffiliate: (id) => dataOf(program.affiliatesGet(id, { expand: ['links'] })),
    createLink: (body) => dataOf(program.linksCreate(body)),
    archiveLink: async (id) => {
      await dataOf(program.linksArchive(id));
    },
    createReferral: (body) => dataOf(program.referralsCreate(body)),
    recordSale: (body, key) => dataOf(program.trackingRecordSale(body, undefined, { 'Idempotency-Key': key })),
    listCommissions: (query) =>
      dataOf(program.commissionsList({ ...query, state: ['due', 'paid'], expand: ['sale', 'campaign'] })),
    listPayouts: async (affiliate_id) => (await dataOf(program.payoutsList({ affiliate_id }))).data,
    payPayout: (id, payment_reference) => dataOf(program.payoutsPay(id, { payment_reference })),
    paidCommissions: async () => {
      const { data } = await dataOf(program.eventsList({ type: ['payout.paid'] }));
      return data.flatMap((event) => (event.type === 'payout.paid' ? event.data.commission_ids : []));
    },
  },
  {
    me: () => dataOf(settings.meGet()),
    createEndpoint: (body) => dataOf(settings.webhookEndpointsCreate(body)),
    deactivateEndpoint: (id) => dataOf(settings.webhookEndpointsUpdate(id, { active: false })),
    listEndpoints: async () => (await dataOf(settings.webhookEndpointsList())).data,
    deleteEndpoint: async (id) => {
      await dataOf(settings.webhookEndpointsDelete(id));
    },
  },
);
