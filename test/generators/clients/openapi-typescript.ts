import createClient from 'openapi-fetch';
import type { paths as SettingsPaths } from './generated/openapi-typescript/settings-v1';
import type { paths as ProgramPaths } from './generated/openapi-typescript/v1';
import { Refused, SERVICE, walk } from './walk.ts';

const options = {
  baseUrl: SERVICE.url,
  headers: { Authorization: `Bearer ${SERVICE.apiKey}`, 'X-Account-Id': SERVICE.accountId },
};
const program = createClient<ProgramPaths>(options);
const settings = createClient<SettingsPaths>(options);

interface Answer<Data> {
  data?: Data;
  error?: { code: string; error: string };
  response: Response;
}

async function dataOf<Data>(answer: Promise<Answer<Data>>): Promise<Data> {
  const { data, error, response } = await answer;
  if (error !== undefined) throw new Refused(response.status, error);
  return data!;
}

await walk(
  {
    createCampaign: (body) => dataOf(program.POST('/api/v1/campaigns', { body })),
    createAffiliate: (body) => dataOf(program.POST('/api/v1/affiliates', { body })),
    getAffiliate: (id) =>
      dataOf(program.GET('/api/v1/affiliates/{id}', { params: { path: { id }, query: { expand: ['links'] } } })),
    createLink: (body) => dataOf(program.POST('/api/v1/links', { body })),
    archiveLink: async (id) => {
      await dataOf(program.DELETE('/api/v1/links/{id}', { params: { path: { id } } }));
    },
    createReferral: (body) => dataOf(program.POST('/api/v1/referrals', { body })),
    recordSale: (body, key) => dataOf(program.POST('/track/sales', { body, params: { header: { 'Idempotency-Key': key } } })),
    listCommissions: (query) =>
      dataOf(
        program.GET('/api/v1/commissions', {
          params: { query: { ...query, state: ['due', 'paid'], expand: ['sale', 'campaign'] } },
        }),
      ),
    listPayouts: async (affiliate_id) =>
      (await dataOf(program.GET('/api/v1/payouts', { params: { query: { affiliate_id } } }))).data,
    payPayout: (id, payment_reference) =>
      dataOf(program.POST('/api/v1/payouts/{id}/pay', { params: { path: { id } }, body: { payment_reference } })),
    paidCommissions: async () => {
      const { data } = await dataOf(program.GET('/api/v1/events', { params: { query: { type: ['payout.paid'] } } }));
      return data.flatMap((event) => (event.type === 'payout.paid' ? event.data.commission_ids : []));
    },
  },
  {
    me: () => dataOf(settings.GET('/api/settings/v1/me')),
    createEndpoint: (body) => dataOf(settings.POST('/api/settings/v1/webhook_endpoints', { body })),
    deactivateEndpoint: (id) =>
      dataOf(settings.PATCH('/api/settings/v1/webhook_endpoints/{id}', { params: { path: { id } }, body: { active: false } })),
    listEndpoints: async () => (await dataOf(settings.GET('/api/settings/v1/webhook_endpoints'))).data,
    deleteEndpoint: async (id) => {
      await dataOf(settings.DELETE('/api/settings/v1/webhook_endpoints/{id}', { params: { path: { id } } }));
    },
  },
);
