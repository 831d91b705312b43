import { isAxiosError } from 'axios';
import { createApiClient as createSettings } from './generated/openapi-zod-client/settings-v1';
import { createApiClient as createProgram } from './generated/openapi-zod-client/v1';
import { Refused, SERVICE, walk } from './walk.ts';

const options = {
  axiosConfig: {
    headers: { Authorization: `Bearer ${SERVICE.apiKey}`, 'X-Account-Id': SERVICE.accountId },
    paramsSerializer: { indexes: null },
  },
};
const program = createProgram(SERVICE.url, options);
const settings = createSettings(SERVICE.url, options);

/** Returns the data, which zod has validated. */
async function dataOf<Data>(answer: Promise<Data>): Promise<Data> {
  try {
    return await answer;
  } catch (error) {
    if (isAxiosError<{ code: string; error: string }>(error) && error.response)
      throw new Refused(error.response.status, error.response.data);
    throw error;
  }
}

await walk(
  {
    createCampaign: (body) => dataOf(program['campaigns.create'](body)),
    createAffiliate: (body) => dataOf(program['affiliates.create'](body)),
    getAffiliate: (id) => dataOf(program['affiliates.get']({ params: { id }, queries: { expand: ['links'] } })),
    createLink: (body) => dataOf(program['links.create'](body)),
    archiveLink: async (id) => {
      await dataOf(program['links.archive'](undefined, { params: { id } }));
    },
    createReferral: (body) => dataOf(program['referrals.create'](body)),
    recordSale: (body, key) => dataOf(program['tracking.recordSale'](body, { headers: { 'Idempotency-Key': key } })),
    listCommissions: (query) =>
      dataOf(program['commissions.list']({ queries: { ...query, state: ['due', 'paid'], expand: ['sale', 'campaign'] } })),
    listPayouts: async (affiliate_id) => (await dataOf(program['payouts.list']({ queries: { affiliate_id } }))).data,
    payPayout: (id, payment_reference) => dataOf(program['payouts.pay']({ payment_reference }, { params: { id } })),
    paidCommissions: async () => {
      const { data } = await dataOf(program['events.list']({ queries: { type: ['payout.paid'] } }));
      return data.flatMap((event) => (event.type === 'payout.paid' ? event.data.commission_ids : []));
    },
  },
  {
    me: () => dataOf(settings['me.get']()),
    createEndpoint: (body) => dataOf(settings['webhookEndpoints.create'](body)),
    deactivateEndpoint: (id) => dataOf(settings['webhookEndpoints.update']({ active: false }, { params: { id } })),
    listEndpoints: async () => (await dataOf(settings['webhookEndpoints.list']())).data,
    deleteEndpoint: async (id) => {
      await dataOf(settings['webhookEndpoints.delete'](undefined, { params: { id } }));
    },
  },
);
