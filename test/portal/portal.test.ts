import { beforeAll, describe, expect, it } from 'vitest';
import { plusDays } from '../../packages/core/src/platform/time/instant.ts';
import { pdfOf } from '../../packages/core/src/portal/payouts/statement-pdf.ts';
import { sendAllMail } from '../support/mailbox.ts';
import { ownerOf } from '../support/people.ts';
import { type Program, must, program, refer, sell } from '../support/program.ts';
import { type Outputs } from '../support/service.ts';
import { useService, useAccount } from '../support/suite.ts';
import { drawnInPdf, textOfPdf } from './pdf-text.ts';
import { PortalVisitor } from './people.ts';

type Portal = Outputs['portal'];

const service = useService({ writesRows: true });
const account = useAccount(service, 'file');
let ada: PortalVisitor;
let started: Program;

beforeAll(async () => {
  started = await program(
    account,
    { minimum_payout_cents: 5_000, days_until_commissions_are_due: 0, max_commission_period_months: 12 },
    { email: 'ada@partner.example', walleta_email: 'ada@pay.example' },
  );
  ada = await PortalVisitor.enter(service, account, 'ada@partner.example');
});

async function sale(more: object = {}) {
  const { id: referral_id } = await refer(account, started);
  return sell(account, { referral_id, customer_email: 'karen@customer.example', description: 'Annual plan', ...more });
}

describe('an affiliate', () => {
  it('sees their earnings, and why these cannot be paid yet', async () => {
    await sale();
    const home = await ada.query<Portal['home']>('portal.home');
    expect(home).toMatchObject({
      affiliate_id: started.affiliate.id,
      state: 'active',
      campaign: { reward: '10% of every sale to a customer you refer, for 12 months.' },
      links: [{ token: started.link.token, tracking_url: started.link.tracking_url }],
      visitors: 1,
      conversions: 1,
      earnings: [
        {
          currency: 'USD',
          pending_cents: 0,
          due_cents: 1_000,
          paid_cents: 0,
          outlook: { amount_cents: 1_000, payable_cents: 0, obstacles: ['below_minimum'] },
        },
      ],
    });
  });

  it('sees masked customers unless the campaign shows them', async () => {
    const first = async () => (await ada.query<Portal['listConversions']>('portal.listConversions')).data[0]!;
    expect(await first()).toMatchObject({
      customer: expect.stringMatching(/^k•••@••• #[0-9A-F]{5}$/),
      description: 'Annual plan',
      sale_amount_cents: 10_000,
      commission_cents: 1_000,
    });
    const terms = { customers_visible_to_affiliates: true, sale_description_visible_to_affiliates: false };
    expect((await account.api.patch(`/campaigns/${started.campaign.id}`, terms)).status).toBe(200);
    expect(await first()).toMatchObject({ customer: 'karen@customer.example', description: null });
  });

  it('sees a commission, the refund that voided it, and a payment with its statement', async () => {
    const { data } = await ada.query<Portal['listCommissions']>('portal.listCommissions', { state: 'due' });
    expect(data).toMatchObject([{ amount_cents: 1_000, in_review: false, sale_refunded: false, void_cause: null }]);

    const refunded = await sale({ external_id: 'refunded', customer_email: 'other@customer.example' });
    await must(account, '/track/refunds', { external_id: 'refunded', refund_id: 'r1', amount_cents: 10_000 });
    const { data: voided } = await ada.query<Portal['listCommissions']>('portal.listCommissions', { state: 'voided' });
    expect(voided).toMatchObject([{ id: refunded.commission!.id, void_cause: 'refund', sale_refunded: true }]);

    const free = await sale({ external_id: 'free', customer_email: 'third@customer.example' });
    expect((await account.api.patch(`/sales/${free.sale.id}`, { amount_cents: 0, tax_amount_cents: 0 })).status).toBe(200);
    const { data: all } = await ada.query<Portal['listCommissions']>('portal.listCommissions', { state: 'voided' });
    expect(all.find(({ id }) => id === free.commission!.id)).toMatchObject({ void_cause: 'not_charged', sale_refunded: false });

    const { data: open } = await ada.query<Portal['listPayouts']>('portal.listPayouts');
    expect(open).toMatchObject([{ state: 'pending', amount_cents: 1_000 }]);
    await must(account, `/payouts/${open[0]!.id}/pay`, {}, 200);
    const paid = await ada.query<Portal['listPayouts']>('portal.listPayouts');
    expect(paid.data).toMatchObject([{ state: 'paid', payment_in: { en: expect.stringMatching(/^Paid by the program on /) } }]);
    const statement = await ada.query<Portal['getStatement']>('portal.getStatement', { id: open[0]!.id });
    const day = service.clock.instant().slice(0, 10);
    const name = `statement-${day}-usd-${open[0]!.id.slice(-6)}`;
    expect(statement.file_name).toBe(`${name}.csv`);
    const why = 'The sale counts with US$100.00, without tax. The campaign pays 10% of US$100.00, rounded to US$10.00.';
    expect((await service.download(statement.download_url)).toString().split('\r\n')).toMatchObject([
      '\uFEFFcommission,sale,date,kind,customer,description,source,gross,base,base_currency,rate,explanation,amount,currency,payout,payout_state,paid_on,payout_fee',
      expect.stringMatching(
        new RegExp(
          `^${data[0]!.id},sale_.*,sale,karen@customer.example,,${started.link.token},100.00,100.00,USD,10,"${why.replaceAll(/[.$]/g, '\\$&')}",10.00,USD,${open[0]!.id},paid,${day},$`,
        ),
      ),
      '',
    ]);
    const pdf = await ada.query<Portal['getStatement']>('portal.getStatement', { id: open[0]!.id, format: 'pdf' });
    expect(pdf.file_name).toBe(`${name}.pdf`);
    const bytes = await service.download(pdf.download_url);
    expect(textOfPdf(bytes)).toEqual(
      expect.arrayContaining([
        open[0]!.id,
        '10.00 USD',
        `sale, karen@customer.example, through ${started.link.token}`,
        '10.00',
        'Total',
        'Page 1 of 1',
      ]),
    );
    // A download can be continued, because the same statement has the same bytes.
    expect((await service.download(pdf.download_url, 'bytes=100-')).equals(bytes.subarray(100))).toBe(true);
    expect((await ada.query<Portal['home']>('portal.home')).earnings).toMatchObject([
      { due_cents: 0, paid_cents: 1_000, outlook: null },
    ]);
  });

  it('gets a statement with all European scripts', async () => {
    const content = {
      language: 'de' as const,
      payout: { id: 'payout_1', state: 'paid' as const, paid_on: '2026-11-22', created_on: '2026-11-01' },
      payment: 'Am 22. November 2026 über Wise an a…@partner.example gezahlt.',
      period: { from: '2026-11-20', until: '2026-11-20' },
      merchant: { name: 'Чай Ωmega Żółw', details: 'Teestraße 1\nUSt-IdNr. DE123456789' },
      affiliate: { name: 'Ада Αθηνά Müller', email: 'ada@partner.example', details: 'Weg 2\nSteuernummer 12/345' },
      lines: Array.from({ length: 60 }, (_, line) => ({
        commission: `com_${line}`,
        sale: `sale_${line}`,
        source: 'ada',
        gross: '12.00',
        base: '10.00',
        base_currency: 'EUR',
        rate: '10',
        explanation: 'Die Kampagne zahlt 10 % von 10,00 €, gerundet 1,00 €.',
        date: '2026-11-20',
        kind: 'sale' as const,
        customer: 'Ёлка',
        description: '',
        amount: '1.00',
      })),
      fee: '',
      total: '60.00',
      currency: 'EUR',
    };
    const pdf = await pdfOf(content);
    expect(textOfPdf(pdf)).toEqual(
      expect.arrayContaining([
        'Чай Ωmega Żółw',
        'USt-IdNr. DE123456789',
        'Steuernummer 12/345',
        '2026-11-20 bis 2026-11-20',
        'Ада Αθηνά Müller, ada@partner.example',
        'Verkauf, Ёлка, über ada',
        'Seite 4 von 4',
        'Die Kampagne zahlt 10 % von 10,00 €, gerundet 1,00 €.',
      ]),
    );
    // Screen readers know the language, the headings and the table: a row of headers, 60 commissions and the sum.
    const tags = pdf.toString('latin1');
    const count = (tag: string) => tags.split(`/S /${tag}\n`).length - 1;
    expect([count('H1'), count('H2'), count('Table'), count('TR'), count('TH')]).toEqual([1, 1, 1, 62, 3]);
    for (const entry of ['/Lang (de)', '/Marked true', '/DisplayDocTitle true']) expect(tags).toContain(entry);
  });

  it('gets a statement with names in scripts of other fonts and directions', async () => {
    const line = {
      commission: 'com_1',
      sale: 'sale_1',
      source: '',
      gross: '',
      base: '',
      base_currency: '',
      rate: '',
      explanation: '',
    };
    const pdf = await pdfOf({
      language: 'en',
      payout: { id: 'payout_1', state: 'paid', paid_on: '2026-11-22', created_on: '2026-11-01' },
      payment: '',
      fee: '',
      period: { from: '', until: '' },
      merchant: { name: '王小明 (上海)', details: 'חברה בע״מ\nรถ 1' },
      affiliate: { name: 'สมชาย ใจดี', email: 'som@partner.example', details: '김철수' },
      lines: ['Αλέξης', 'אבי כהן', 'Müller 😀🏖'].map((customer) => ({
        ...line,
        date: '2026-11-20',
        kind: 'sale',
        customer,
        description: '',
        amount: '1.00',
      })),
      total: '3.00',
      currency: 'EUR',
    });
    const { texts, outlines } = drawnInPdf(pdf);
    expect(texts).toEqual(['王小明 (上海)', 'חברה בע״מ\nรถ 1', 'สมชาย ใจดี, som@partner.example', '김철수', 'sale, אבי כהן']);
    // Marks of Thai are glyphs of their own, and spaces have no outline.
    expect(outlines).toBeGreaterThanOrEqual(texts.join('').replaceAll(/\s/g, '').length);
    expect(textOfPdf(pdf)).toEqual(expect.arrayContaining(['sale, Αλέξης', 'sale, Müller 😀']));
  });

  it('has billing details of both sides in a statement', async () => {
    await account.client.portalSettings.update.mutate({ billing_details: 'Shop Ltd\nVAT 123' });
    const saved = await ada.mutate<Portal['getProfile']>('portal.updateProfile', { billing_details: 'Ada Ltd\nVAT 456' });
    expect(saved.billing_details).toBe('Ada Ltd\nVAT 456');
    const { data } = await ada.query<Portal['listPayouts']>('portal.listPayouts');
    const pdf = await ada.query<Portal['getStatement']>('portal.getStatement', { id: data[0]!.id, format: 'pdf' });
    expect(textOfPdf(await service.download(pdf.download_url))).toEqual(
      expect.arrayContaining(['Shop Ltd', 'VAT 123', 'Ada Ltd', 'VAT 456']),
    );
  });

  it('does not see amounts of the test mode', async () => {
    const { id: referral_id } = await refer(account, started);
    const before = await ada.query<Portal['listConversions']>('portal.listConversions');
    const { sale: hidden } = await sell(account, { referral_id });
    await service.services.database.kysely.updateTable('sale').set({ livemode: false }).where('id', '=', hidden.id).execute();
    await service.services.database.kysely
      .updateTable('commission')
      .set({ livemode: false })
      .where('sale_id', '=', hidden.id)
      .execute();
    expect(await ada.query<Portal['listConversions']>('portal.listConversions')).toEqual(before);
    expect((await ada.query<Portal['home']>('portal.home')).earnings[0]!.paid_cents).toBe(1_000);
  });

  it('creates links to the site of the campaign, with a token of their own', async () => {
    const link = await ada.mutate<Portal['createLink']>('portal.createLink', {
      url: 'https://www.shop.example.com/tea',
      token: 'ada-tea',
    });
    expect(link).toMatchObject({ token: 'ada-tea', clicks: 0 });
    expect((await ada.query<Portal['listLinks']>('portal.listLinks')).data[0]).toEqual(link);
    expect((await account.api.get(`/links/${link.id}`)).body).toMatchObject({ affiliate_id: started.affiliate.id });
    for (const url of ['https://evil.example/', 'https://notshop.example.com/', 'https://shop.example.com.evil.example/']) {
      expect(await ada.refusal('mutate', 'portal.createLink', { url })).toEqual({ status: 422, code: 'VALIDATION_ERROR' });
    }
    expect(
      await ada.refusal('mutate', 'portal.createLink', { url: 'https://shop.example.com/', token: 'ADA-TEA' }),
    ).toMatchObject({ status: 422 });
    await ada.mutate('portal.archiveLink', { id: link.id });
    expect((await ada.query<Portal['listLinks']>('portal.listLinks')).data.map(({ token }) => token)).toEqual([
      started.link.token,
    ]);
  });

  it('can change their names', async () => {
    expect(await ada.mutate('portal.updateProfile', { last_name: 'King' })).toMatchObject({
      first_name: 'Ada',
      last_name: 'King',
    });

    expect(await ada.query('portal.listPromoCodes')).toEqual({ data: [] });
  });
});

describe('payout details', () => {
  let grace: PortalVisitor;
  let affiliateId: string;
  const change = (input: object) => grace.mutate<Portal['updatePayoutDetails']>('portal.updatePayoutDetails', input);
  const openPayout = async () =>
    (await account.api.get<{ data: Outputs['payouts']['get'][] }>('/payouts', { affiliate_id: affiliateId })).body.data[0]!;

  beforeAll(async () => {
    const theirs = await program(account, { days_until_commissions_are_due: 0 }, { email: 'grace@partner.example' });
    affiliateId = theirs.affiliate.id;
    grace = await PortalVisitor.enter(service, account, 'grace@partner.example');
    const { id: referral_id } = await refer(account, theirs);
    await sell(account, { referral_id });
  });

  it('take effect at once when they are entered for the first time', async () => {
    expect(await change({ walleta_email: 'grace@pay.example' })).toEqual({
      walleta_email: 'grace@pay.example',
      walletb_email: null,
      payouts_held_until: null,
    });
    await service.mailbox.take('grace@partner.example', /payout details/);
    expect(await openPayout()).toMatchObject({ eligible: true });
  });

  it('hold payouts for three days when they change, and the former address gets an email', async () => {
    service.clock.advance(1, 'seconds');
    const { payouts_held_until } = await change({ walleta_email: 'thief@pay.example' });
    expect(Date.parse(payouts_held_until!) - service.clock.now().getTime()).toBe(3 * 86_400_000);
    for (const address of ['grace@partner.example', 'grace@pay.example']) {
      expect((await service.mailbox.take(address, /payout details/)).text).not.toContain('thief');
    }
    expect(await openPayout()).toMatchObject({ eligible: false, state: 'pending', ineligible_reasons: ['details_changed'] });
    expect((await account.api.post('/payout_exports', { payout_ids: [(await openPayout()).id] })).status).toBe(422);
    const run = await must<{ items: unknown[] }>(account, '/payout_runs', {
      affiliate_ids: [affiliateId],
      idempotency_key: 'held',
    });
    expect(run.items).toEqual([]);
    service.clock.advance(3, 'days');
    expect(await openPayout()).toMatchObject({ eligible: true });
  });

  it('cause no email when they do not change', async () => {
    expect(await change({ walletb_email: null })).toMatchObject({ walleta_email: 'thief@pay.example' });
    expect(service.mailbox.mails.filter(({ subject }) => /payout details/.test(subject))).toEqual([]);
  });

  it('can be changed only shortly after signing in', async () => {
    await service.services.database.kysely
      .updateTable('auth_session')
      .set({ created_at: new Date(Date.now() - 16 * 60_000).toISOString() as never })
      .execute();
    expect(await grace.refusal('mutate', 'portal.updatePayoutDetails', { walletb_email: 'x@pay.example' })).toEqual({
      status: 403,
      code: 'FORBIDDEN',
    });
    expect(await grace.query('portal.getPayoutDetails')).toMatchObject({ walletb_email: null });
  });

  it('changed by the merchant hold payouts, too, and the affiliate and the previous addresses get an email', async () => {
    const { affiliate } = await program(account, {}, { email: 'hedy@partner.example', walleta_email: 'hedy@pay.example' });
    const change = async (body: object) => {
      const reply = await account.api.patch(`/affiliates/${affiliate.id}`, body);
      const payouts_held_until = plusDays(service.clock.instant(), 3);
      expect(reply).toMatchObject({ status: 200, body: { payouts_held_until } });
      await sendAllMail(service.services);
    };
    const told = (...addresses: string[]) =>
      addresses.flatMap((address) => service.mailbox.takeAll(address, /Auszahlungsdaten|your payout details|Where we pay/));
    // An affiliate who cannot sign in gets no email. The holder of the former payout address gets one, because the payouts now go to another address.
    await change({ walleta_email: 'first@pay.example' });
    expect(told('hedy@pay.example')).toHaveLength(1);
    const toOwner = await service.mailbox.take(account.ownerEmail, /^Payout details of .* have changed/);
    expect(toOwner.text).toMatch(/An API key has changed them\.[^]*Nothing is paid to the new details before/);
    expect(toOwner.text).not.toContain('pay.example');
    const choices = service.services.database.kysely.insertInto('member_mail_choice');
    await choices.values({ account_id: account.id, user_id: account.ownerId, mails: [] }).execute();
    await PortalVisitor.enter(service, account, 'hedy@partner.example');
    await service.services.database.kysely
      .updateTable('auth_user')
      .set({ language: 'de' })
      .where('email', '=', 'hedy@partner.example')
      .execute();

    await change({ walleta_email: 'second@pay.example' });
    const mails = told('hedy@partner.example', 'first@pay.example');
    expect(mails.map(({ subject }) => subject)).toEqual(Array(2).fill('Test account hat Ihre Auszahlungsdaten geändert'));
    for (const { text } of mails) expect(text).not.toMatch(/first@|second@/);

    await change({ walleta_email: 'second@pay.example', walletb_email: null, first_name: 'Hedy', email: 'HEDY@partner.example' });
    const wording = { mail: 'payout_details_changed_by_merchant', subject: 'Where we pay', body: 'We said so.' } as const;
    await account.client.emailTexts.update.mutate(wording);
    await change({ walletb_email: 'second@pay.example' });
    expect(told('HEDY@partner.example', 'second@pay.example')).toHaveLength(2);
    expect(told('hedy@partner.example', 'hedy@pay.example')).toEqual([]);

    // A thief may change the affiliate's address in the same request, or remove a payout address.
    await change({ email: 'thief@partner.example', walleta_email: null, walletb_email: 'thief@pay.example' });
    expect(told('HEDY@partner.example', 'second@pay.example')).toHaveLength(2);
    expect(told('thief@partner.example', 'thief@pay.example')).toEqual([]);
  });

  it.each(['by their id', 'by their verified address'])(
    'changed after the email address are announced to the previous holders, for an affiliate who is known %s',
    async (known) => {
      const email = `${known.replaceAll(' ', '-')}@partner.example`;
      const { affiliate } = await program(account, {}, { email, walleta_email: email.toUpperCase() });
      await PortalVisitor.enter(service, account, email);
      if (known === 'by their verified address') {
        const rows = service.services.database.kysely.updateTable('affiliate').set({ user_id: null });
        await rows.where('id', '=', affiliate.id).execute();
      }
      const told = async (body: object) => {
        const { length } = service.mailbox.mails;
        expect((await account.api.patch(`/affiliates/${affiliate.id}`, body)).status).toBe(200);
        await sendAllMail(service.services);
        return service.mailbox.mails.slice(length).map(({ to, subject }) => `${to}: ${subject}`);
      };
      const paidElsewhere = expect.stringMatching(/changed your payout details|Where we pay/);
      expect(await told({ walleta_email: 'first@pay.example' })).toEqual([paidElsewhere]);
      expect(await told({ email: email.toUpperCase() })).toEqual([]);
      expect(await told({ email: 'robber@partner.example' })).toEqual([
        `${email.toUpperCase()}: Test account has changed your email address`,
      ]);
      const mails = await told({ walleta_email: 'robber@pay.example' });
      expect(mails).toEqual([expect.stringMatching(/^first@pay\.example: /)]);
      // The new email address gets no email, because nobody has signed in with it.
      expect(await told({ email: `former-${email}`, walleta_email: null })).toEqual([expect.stringMatching(/^robber@pay/)]);
    },
  );
});

it('a statement has the days of the account’s time zone', async () => {
  const now = service.clock.instant();
  // In one of the two, it is another day than in UTC.
  const time_zone = Number(now.slice(11, 13)) < 10 ? 'Pacific/Pago_Pago' : 'Pacific/Kiritimati';
  const day = new Intl.DateTimeFormat('en-CA', { timeZone: time_zone, dateStyle: 'short' }).format(new Date(now));
  expect(day).not.toBe(now.slice(0, 10));
  const { browser: owner } = await ownerOf(service, account);
  expect((await owner.mutate('account.update', { account_id: account.id, time_zone })).status).toBe(200);
  await sale({ customer_email: 'zoned@customer.example' });
  const [open] = (await ada.query<Portal['listPayouts']>('portal.listPayouts')).data;
  await must(account, `/payouts/${open!.id}/pay`, {}, 200);
  const [paid] = (await ada.query<Portal['listPayouts']>('portal.listPayouts')).data;
  const long = new Intl.DateTimeFormat('en-GB', { timeZone: time_zone, dateStyle: 'long' }).format(new Date(now));
  expect(paid!.payment_in!.en).toContain(long);
  const { file_name, download_url } = await ada.query<Portal['getStatement']>('portal.getStatement', { id: open!.id });
  expect(file_name).toContain(`-${day}-`);
  const [header, row] = (await service.download(download_url))
    .toString()
    .split('\r\n')
    .map((line) => line.split(','));
  const cell = (name: string) => row!.at(header!.indexOf(name) - header!.length);
  expect([row![2], cell('paid_on')]).toEqual([day, day]);
  await owner.mutate('account.update', { account_id: account.id, time_zone: 'UTC' });
});
