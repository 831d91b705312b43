import * as settings from './generated/orval/settings-v1';
import * as program from './generated/orval/v1';
import { Refused, walk } from './walk.ts';

interface Failure {
  status: Exclude<number, 200 | 201 | 204>;
  data: { code: string; error: string };
}

/** Returns the data of the statuses `Expected`. */
async function dataOf<Answer extends { status: number; data: unknown }, Expected extends Answer['status']>(
  answer: Promise<Answer>,
  ...expected: Expected[]
): Promise<Extract<Answer, { status: Expected }>['data']> {
  const response = await answer;
  if (isExpected(response, expected)) return response.data;
  throw new Refused(response.status, (response as Failure).data);
}

function isExpected<Answer extends { status: number }, Expected extends Answer['status']>(
  response: Answer,
  expected: readonly Expected[],
): response is Extract<Answer, { status: Expected }> {
  return expected.some((status) => status === response.status);
}

await walk(
  {
    createCampaign: (body) => dataOf(program.campaignsCreate(body), 201),
    createAffiliate: (body) => dataOf(program.affiliatesCreate(body), 201),
    getAffiliate: (id) => dataOf(program.affiliatesGet(id, { expand: ['links'] }), 200),
    createLink: (body) => dataOf(program.linksCreate(body), 201),
    archiveLink: async (id) => {
      await dataOf(program.linksArchive(id), 204);
    },
    createReferral: (body) => dataOf(program.referralsCreate(body), 201),
    recordSale: (body, key) =>
      dataOf(program.trackingRecordSale(body, undefined, { headers: { 'Idempotency-Key': key } }), 200, 201),
    listCommissions: (query) =>
      dataOf(program.commissionsList({ ...query, state: ['due', 'paid'], expand: ['sale', 'campaign'] }), 200),
    listPayouts: async (affiliate_id) => (await dataOf(program.payoutsList({ affiliate_id }), 200)).data,
    payPayout: (id, payment_reference) => dataOf(program.payoutsPay(id, { payment_reference }), 200),
    paidCommissions: async () => {
      const { data } = await dataOf(program.eventsList({ type: ['payout.paid'] }), 200);
      return data.flatMap((event) => (event.type === 'payout.paid' ? event.data.commission_ids : []));
    },
  },
  {
    me: () => dataOf(settings.meGet(), 200),
    createEndpoint: (body) => dataOf(settings.webhookEndpointsCreate(body), 201),
    deactivateEndpoint: (id) => dataOf(settings.webhookEndpointsUpdate(id, { active: false }), 200),
    listEndpoints: async () => (await dataOf(settings.webhookEndpointsList(), 200)).data,
    deleteEndpoint: async (id) => {
      await dataOf(settings.webhookEndpointsDelete(id), 204);
    },
  },
);
