/** Operations of the walk in `/api/v1`. Each adapter implements them with generated code, without assertions of types. */
export interface Program {
  createCampaign(input: {
    name: string;
    url: string;
    reward_type: 'percent' | 'fixed';
    commission_percent: number;
    days_until_commissions_are_due: number;
  }): Promise<{ id: string; commission_percent: number | null }>;
  createAffiliate(input: {
    email: string;
    campaign_id: string;
    external_id?: string;
    metadata?: Record<string, string | null>;
  }): Promise<{ id: string; metadata: Record<string, string> }>;
  /** Reads an affiliate with its links. */
  getAffiliate(id: string): Promise<{ id: string; links?: { token: string }[] | null }>;
  createLink(input: { affiliate_id: string; campaign_id: string; url: string }): Promise<{ id: string; token: string }>;
  archiveLink(id: string): Promise<void>;
  createReferral(input: { link_id: string }): Promise<{ id: string; conversion_state: string }>;
  recordSale(
    input: { external_id: string; referral_id: string; amount_cents: number; currency: string; customer_email: string },
    idempotencyKey: string,
  ): Promise<{ sale: { id: string; charge_amount_cents: number }; commission: { id: string; amount_cents: number } | null }>;
  /** Lists commissions in the states `due` and `paid`, expanded by sale and campaign. */
  listCommissions(query: { affiliate_id: string; limit: number; starting_after?: string }): Promise<{
    data: {
      id: string;
      state: string;
      campaign?: { name: string } | null;
      sale?: { external_id: string | null; referral?: { customer?: { email: string | null } | null } | null } | null;
    }[];
    pagination: { next_cursor: string | null };
  }>;
  listPayouts(affiliateId: string): Promise<{ id: string; amount_cents: number; state: string }[]>;
  payPayout(id: string, paymentReference: string): Promise<{ state: string; payment_reference: string | null }>;
  /** Returns the ids of the commissions in the events `payout.paid`, which the type of an event tells apart from other events. */
  paidCommissions(): Promise<string[]>;
}

/** Operations of the walk in `/api/settings/v1`. */
export interface Settings {
  me(): Promise<{ permissions: string[]; account: { currency: string } }>;
  createEndpoint(input: {
    name: string;
    url: string;
    event_types: ('payout.paid' | 'commission.*')[];
  }): Promise<{ id: string; signing_secret: string }>;
  deactivateEndpoint(id: string): Promise<{ active: boolean }>;
  listEndpoints(): Promise<{ id: string; event_types: string[] }[]>;
  deleteEndpoint(id: string): Promise<void>;
}

/** A response with an error, as an adapter found it in the generated types. */
export class Refused extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, { code, error }: { code: string; error: string }) {
    super(`status ${status}, code ${code}: ${error}`);
    this.status = status;
    this.code = code;
  }
}

/** Address of the service, and credentials. */
export const SERVICE = {
  url: fromEnvironment('SERVICE_URL'),
  apiKey: fromEnvironment('API_KEY'),
  accountId: fromEnvironment('ACCOUNT_ID'),
};

function fromEnvironment(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`Set ${name}.`);
  return value;
}

/** Performs the walk: from a campaign to a paid payout, over pages by cursor and an error, and a webhook endpoint. Throws if a step goes wrong. */
export async function walk(program: Program, settings: Settings): Promise<void> {
  const run = Math.random().toString(36).slice(2);
  const campaign = await program.createCampaign({
    name: `Walk ${run}`,
    url: 'https://shop.example.com',
    reward_type: 'percent',
    commission_percent: 12.5,
    days_until_commissions_are_due: 0,
  });
  same(campaign.commission_percent, 12.5);
  const affiliate = await program.createAffiliate({
    email: `ada-${run}@example.com`,
    campaign_id: campaign.id,
    external_id: `partner-${run}`,
    metadata: { tier: 'gold' },
  });
  same(affiliate.metadata['tier'], 'gold');
  const link = await program.createLink({
    affiliate_id: affiliate.id,
    campaign_id: campaign.id,
    url: 'https://shop.example.com/a',
  });
  const read = await program.getAffiliate(`external:partner-${run}`);
  same(read.id, affiliate.id);
  same(read.links?.map(({ token }) => token).includes(link.token), true);

  const referral = await program.createReferral({ link_id: link.id });
  same(referral.conversion_state, 'visitor');
  const commissions: string[] = [];
  for (const order of ['1', '2']) {
    const recorded = await program.recordSale(
      {
        external_id: `order-${run}-${order}`,
        referral_id: referral.id,
        amount_cents: 10_000,
        currency: 'USD',
        customer_email: `grace-${run}@example.com`,
      },
      `sale-${run}-${order}`,
    );
    same(recorded.sale.charge_amount_cents, 10_000);
    same(recorded.commission?.amount_cents, 1_250);
    commissions.push(recorded.commission!.id);
  }
  const listed: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await program.listCommissions({
      affiliate_id: affiliate.id,
      limit: 1,
      ...(cursor && { starting_after: cursor }),
    });
    for (const { id, campaign: of, sale } of page.data) {
      same(of?.name, `Walk ${run}`);
      same(sale?.referral?.customer?.email, `grace-${run}@example.com`);
      listed.push(id);
    }
    cursor = page.pagination.next_cursor;
  }
  same(listed.toSorted().join(), commissions.toSorted().join());

  const [payout] = await program.listPayouts(affiliate.id);
  same(payout?.amount_cents, 2_500);
  const paid = await program.payPayout(payout!.id, `PAY-${run}`);
  same(paid.state, 'paid');
  same(paid.payment_reference, `PAY-${run}`);
  const told = await program.paidCommissions();
  same(
    commissions.every((id) => told.includes(id)),
    true,
  );
  await program.archiveLink(link.id);
  await refused(() => program.archiveLink('link_unknown'), 404, 'NOT_FOUND');
  await refused(
    () => program.createAffiliate({ email: 'grace@example.com', campaign_id: 'camp_unknown' }),
    422,
    'VALIDATION_ERROR',
  );

  same((await settings.me()).permissions.includes('v1.affiliates.write'), true);
  const endpoint = await settings.createEndpoint({
    name: `Walk ${run}`,
    url: 'http://127.0.0.1:8080/',
    event_types: ['payout.paid', 'commission.*'],
  });
  same(endpoint.signing_secret.startsWith('whsec_'), true);
  same((await settings.deactivateEndpoint(endpoint.id)).active, false);
  same((await settings.listEndpoints()).find(({ id }) => id === endpoint.id)?.event_types.length, 2);
  await settings.deleteEndpoint(endpoint.id);
  same(
    (await settings.listEndpoints()).some(({ id }) => id === endpoint.id),
    false,
  );
}

function same<Value>(found: Value, expected: Value): void {
  if (found !== expected) throw new Error(`Expected ${String(expected)}, found ${String(found)}.`);
}

async function refused(call: () => Promise<unknown>, status: number, code: string): Promise<void> {
  const error = await call().then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof Refused) || error.status !== status || error.code !== code)
    throw new Error(`Expected ${status} ${code}, found ${String(error)}.`);
}
