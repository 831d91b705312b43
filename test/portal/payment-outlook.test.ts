import { remindOfPayoutDetails, tellOfEndedCampaigns, tellOfEndedMemberships } from '@affiliate/core';
import { beforeAll, expect, it } from 'vitest';
import { Assistant } from '../mcp/assistant.ts';
import { withoutNulls } from '../mcp/rows.ts';
import { Browser } from '../support/browser.ts';
import type { Fields } from '../support/http.ts';
import { sendAllMail } from '../support/mailbox.ts';
import { type Program, must, program, refer, sell, unique } from '../support/program.ts';
import { type Outputs } from '../support/service.ts';
import { useAccount, useService } from '../support/suite.ts';
import { PortalVisitor } from './people.ts';

type Home = Outputs['portal']['home'];
type Outlook = NonNullable<Home['earnings'][number]['outlook']>;
type Payout = Outputs['payouts']['list']['data'][number];

const service = useService({ writesRows: true });
const account = useAccount(service, 'file');
let assistant: Assistant;

beforeAll(async () => {
  assistant = await Assistant.overHttp(service, account.apiKey);
});

/** An affiliate in a state, and what everybody reads about the next payment. */
interface State {
  terms?: Fields;
  person?: Fields;
  /** Brings the affiliate, who has earned 10.00 dollars, into the state. */
  become?: (started: Program) => Promise<unknown>;
  expected: { obstacles: Outlook['obstacles']; to_do: Outlook['to_do']; en: string; de: string }[];
  /** What the emails say. `{outlook}` is the English sentence that is shown everywhere else. */
  mails?: string[];
}

const PAID = { person: { walleta_email: 'ada@pay.example' } };
const patch = async (path: string, body: Fields) => expect((await account.api.patch(path, body)).status).toBe(200);
const remove = async (path: string) => expect((await account.api.delete(path)).status).toBe(204);
const openPayout = async ({ affiliate }: Program) =>
  (await account.client.payouts.list.query({ affiliate_id: affiliate.id, state: ['due', 'pending'] })).data[0]!;
const pay = async (started: Program, payment_reference?: string) => {
  const { id } = await openPayout(started);
  return must<Payout>(account, `/payouts/${id}/pay`, { ...(payment_reference && { payment_reference }) }, 200);
};
const earn = async (started: Program, more: Fields = {}) =>
  sell(account, { referral_id: (await refer(account, started)).id, ...more });

const STATES: Record<string, State> = {
  'has no address': {
    expected: [
      {
        obstacles: ['no_address'],
        to_do: 'enter_payout_details',
        en: 'US$10.00 cannot be paid yet. There is no address to pay to: enter the payout details.',
        de: '10,00 $ können noch nicht gezahlt werden. Es fehlt eine Adresse für die Zahlung: Auszahlungsdaten eingeben.',
      },
    ],
    mails: ['Test account owes you US$10.00, but has no address to pay it to.'],
  },
  'can be paid': {
    ...PAID,
    expected: [
      {
        obstacles: [],
        to_do: null,
        en: 'US$10.00 can be paid with the next payment. The payment goes by PayPal to a…@pay.example.',
        de: '10,00 $ können mit der nächsten Zahlung gezahlt werden. Die Zahlung geht über PayPal an a…@pay.example.',
      },
    ],
  },
  'has earned less than the minimum': {
    ...PAID,
    terms: { minimum_payout_cents: 5_000 },
    expected: [
      {
        obstacles: ['below_minimum'],
        to_do: null,
        en: 'US$10.00 cannot be paid yet. Payouts start at US$50.00. The payment goes by PayPal to a…@pay.example.',
        de: '10,00 $ können noch nicht gezahlt werden. Ausgezahlt wird ab 50,00 $. Die Zahlung geht über PayPal an a…@pay.example.',
      },
    ],
  },
  'has changed the payout details': {
    ...PAID,
    become: ({ affiliate }) => patch(`/affiliates/${affiliate.id}`, { walleta_email: 'new@pay.example' }),
    expected: [
      {
        obstacles: ['details_changed'],
        to_do: null,
        en: 'US$10.00 cannot be paid yet. The payout details have changed, so payments wait until {held}. The payment goes by PayPal to n…@pay.example.',
        de: '10,00 $ können noch nicht gezahlt werden. Die Auszahlungsdaten wurden geändert. Deshalb warten Zahlungen bis zum {held}. Die Zahlung geht über PayPal an n…@pay.example.',
      },
    ],
    mails: ['No payout is sent to the new address before {held}.'],
  },
  'is under review': {
    ...PAID,
    become: ({ affiliate }) => patch(`/affiliates/${affiliate.id}`, { state: 'suspicious' }),
    expected: [
      {
        obstacles: ['on_hold'],
        to_do: 'review_affiliate',
        en: 'US$10.00 cannot be paid yet. The program is reviewing the account, and pays after that. The payment goes by PayPal to a…@pay.example.',
        de: '10,00 $ können noch nicht gezahlt werden. Das Programm prüft das Konto und zahlt danach. Die Zahlung geht über PayPal an a…@pay.example.',
      },
    ],
  },
  'is in an archived campaign': {
    ...PAID,
    become: ({ campaign }) => remove(`/campaigns/${campaign.id}`),
    expected: [
      {
        obstacles: [],
        to_do: null,
        en: 'US$10.00 can be paid with the next payment. The payment goes by PayPal to a…@pay.example.',
        de: '10,00 $ können mit der nächsten Zahlung gezahlt werden. Die Zahlung geht über PayPal an a…@pay.example.',
      },
    ],
    mails: ['What you have earned stays yours, and is paid as before.'],
  },
  'is archived': {
    ...PAID,
    mails: ['What you have earned stays yours. {outlook}'],
    become: ({ affiliate }) => remove(`/affiliates/${affiliate.id}`),
    expected: [
      {
        obstacles: ['affiliate_inactive'],
        to_do: 'pay_by_hand',
        en: 'US$10.00 cannot be paid yet. The membership in the program has ended, so the program pays by hand.',
        de: '10,00 $ können noch nicht gezahlt werden. Die Teilnahme am Programm ist beendet. Deshalb zahlt das Programm von Hand.',
      },
    ],
  },
  'is disabled and has no address': {
    mails: ['What you have earned stays yours. {outlook}'],
    become: ({ affiliate }) => patch(`/affiliates/${affiliate.id}`, { state: 'disabled' }),
    expected: [
      {
        obstacles: ['affiliate_inactive'],
        to_do: 'pay_by_hand',
        en: 'US$10.00 cannot be paid yet. The membership in the program has ended, so the program pays by hand.',
        de: '10,00 $ können noch nicht gezahlt werden. Die Teilnahme am Programm ist beendet. Deshalb zahlt das Programm von Hand.',
      },
    ],
  },
  'owes more than was earned': {
    ...PAID,
    become: async (started) => {
      await pay(started);
      const [refunded] = (await account.client.commissions.list.query({ affiliate_id: started.affiliate.id, expand: ['sale'] }))
        .data;
      await must(account, '/track/refunds', {
        external_id: refunded!.sale!.external_id,
        refund_id: unique('r'),
        amount_cents: 10_000,
      });
    },
    expected: [
      {
        obstacles: ['negative'],
        to_do: null,
        en: 'US$10.00 more was taken back by refunds than was earned. The next commissions make up for it.',
        de: 'Durch Erstattungen wurden 10,00 $ mehr zurückgenommen als verdient. Die nächsten Provisionen gleichen das aus.',
      },
    ],
    mails: ['Test account has paid you US$10.00. Paid by the program on {today}.'],
  },
  'has earned in two currencies': {
    person: { walleta_email: 'ada@pay.example', walletb_email: 'bank@wise.example' },
    become: (started) => earn(started, { currency: 'EUR' }),
    expected: [
      {
        obstacles: [],
        to_do: null,
        en: '€10.00 can be paid with the next payment. The payment goes by PayPal to a…@pay.example or by Wise to b…@wise.example.',
        de: '10,00 € können mit der nächsten Zahlung gezahlt werden. Die Zahlung geht über PayPal an a…@pay.example oder über Wise an b…@wise.example.',
      },
      {
        obstacles: [],
        to_do: null,
        en: 'US$10.00 can be paid with the next payment. The payment goes by PayPal to a…@pay.example or by Wise to b…@wise.example.',
        de: '10,00 $ können mit der nächsten Zahlung gezahlt werden. Die Zahlung geht über PayPal an a…@pay.example oder über Wise an b…@wise.example.',
      },
    ],
  },
  'has not claimed a payment': {
    ...PAID,
    become: async (started) => {
      const { id } = await openPayout(started);
      await must(account, '/payout_exports', { payout_ids: [id], export_format: 'walleta' });
      await service.services.database.kysely
        .updateTable('payout_attempt')
        .set({ state: 'unclaimed', expires_at: '2027-03-01T00:00:00.000Z' })
        .where('payout_id', '=', id)
        .execute();
    },
    expected: [
      {
        obstacles: ['empty'],
        to_do: 'accept_payment',
        en: 'US$10.00 was sent by PayPal to a…@pay.example, and waits there to be accepted until 1 March 2027.',
        de: '10,00 $ wurden über PayPal an a…@pay.example gesendet und müssen dort bis zum 1. März 2027 angenommen werden.',
      },
    ],
  },
  'got a payment back': {
    ...PAID,
    become: async (started) => {
      const { id } = await pay(started);
      await must(account, `/payouts/${id}/return`, { reason: 'Account closed' }, 200);
    },
    expected: [
      {
        obstacles: [],
        to_do: null,
        en: 'US$10.00 can be paid with the next payment. The payment goes by PayPal to a…@pay.example.',
        de: '10,00 $ können mit der nächsten Zahlung gezahlt werden. Die Zahlung geht über PayPal an a…@pay.example.',
      },
    ],
    mails: [
      'Test account has paid you US$10.00. Paid by the program on {today}.',
      'You keep the money: it is in your next payout.',
    ],
  },
  'waits for commissions to fall due': {
    ...PAID,
    terms: { days_until_commissions_are_due: 30 },
    expected: [
      {
        obstacles: ['empty'],
        to_do: null,
        en: 'Nothing is due at the moment. US$10.00 more is not due yet, the next part on {due}.',
        de: 'Zurzeit ist nichts fällig. Weitere 10,00 $ sind noch nicht fällig, der nächste Teil am {due}.',
      },
    ],
  },
};

const table = ['| The affiliate | Emails | Portal | Frame | Page of the merchant | Tool |', '|---|---|---|---|---|---|'];

it.each(Object.entries(STATES))(
  'an affiliate who %s reads the same in emails, in the portal, in a frame, on the page of the merchant, from the API and from a tool',
  async (name, { terms, person, become, expected, mails = [] }) => {
    const email = `${unique('ada')}@partner.example`;
    const started = await program(account, { days_until_commissions_are_due: 0, ...terms }, { email, ...person });
    const ada = await PortalVisitor.enter(service, account, email);
    const { token } = await must<{ token: string }>(account, `/affiliates/${started.affiliate.id}/embed_token`, {});
    await earn(started);
    service.clock.advance(1, 'seconds');
    await become?.(started);
    service.clock.advance(1, 'seconds');

    const frame = new Browser(service.url, service.services.publicUrl);
    const homes = [
      await ada.query<Home>('portal.home'),
      (await frame.query<Home>('portal.home', {}, { 'X-Portal-Token': token })).body.result!.data,
    ];
    const outlooks = homes.map(({ earnings }) => earnings.flatMap(({ outlook }) => outlook ?? []));
    const { body } = await account.api.get<{ outlook: Outlook[] }>(`/affiliates/${started.affiliate.id}`, { expand: 'outlook' });
    const page = await account.client.affiliates.get.query({ id: started.affiliate.id, expand: ['outlook'] });
    const told = await assistant.result<{ outlook: { in_words: string }[] }>('explain', {
      action: 'affiliate',
      id: started.affiliate.id,
    });
    for (const other of [outlooks[1], body.outlook, page.outlook]) expect(other).toEqual(outlooks[0]);
    // Tools speak English only.
    const inEnglish = outlooks[0]!.map(({ in_words, ...facts }) => ({ ...facts, in_words: in_words.en }));
    expect(told.outlook).toEqual(withoutNulls(inEnglish));

    const day = (language: string, days: number) =>
      new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(
        new Date(service.clock.now().getTime() + days * 86_400_000),
      );
    const filled = (language: string, text: string) =>
      text.replace('{held}', day(language, 3)).replace('{due}', day(language, 30)).replace('{today}', day(language, 0));
    const plain = (text: string) => text.replaceAll('\u00a0', ' ');
    expect(
      outlooks[0]!.map(({ obstacles, to_do, in_words: { en, de } }) => ({ obstacles, to_do, en: plain(en), de: plain(de) })),
    ).toEqual(expected.map(({ en, de, ...facts }) => ({ ...facts, en: filled('en-GB', en), de: filled('de-DE', de) })));

    for (const tell of [remindOfPayoutDetails, tellOfEndedMemberships, tellOfEndedCampaigns])
      await tell(service.services, () => false);
    await sendAllMail(service.services);
    const texts = service.mailbox.takeAll(email, /./).map(({ text }) => plain(text));
    expect(texts).toHaveLength(mails.length);
    const sentences = mails.map((mail) => filled('en-GB', mail).replace('{outlook}', plain(outlooks[0]![0]!.in_words.en)));
    expect(sentences.filter((sentence) => !texts.some((text) => text.includes(sentence)))).toEqual([]);
    // Only those whom it concerns are asked for an address, or told that the membership has ended.
    const says = (words: string) => texts.some((text) => text.includes(words));
    const isIn = (obstacle: Outlook['obstacles'][number]) => outlooks[0]!.some(({ obstacles }) => obstacles.includes(obstacle));
    expect([says('but has no address'), says('ended your membership')]).toEqual([isIn('no_address'), isIn('affiliate_inactive')]);
    const said = [outlooks[0]!, outlooks[1]!, page.outlook!].map((all) =>
      all.map(({ in_words }) => plain(in_words.en)).join(' '),
    );
    said.push(told.outlook.map(({ in_words }) => plain(in_words)).join(' '));
    table.push(`| ${[name, sentences.join(' '), ...said].join(' | ')} |`);
  },
);

it('the merchant page and all other places agree with the eligibility of payouts', async () => {
  process.stdout.write(`${table.join('\n')}\n`);
  const { data } = await account.client.payouts.list.query({ state: ['due', 'pending'], limit: 100 });
  const outlooks = await account.client.affiliates.list.query({ expand: ['outlook'], limit: 100 });
  const agreeing = data.map(({ affiliate_id, currency, eligible, amount_cents }) => {
    const outlook = outlooks.data.find(({ id }) => id === affiliate_id)?.outlook?.find((each) => each.currency === currency);
    // An archived affiliate is not listed.
    return (
      !outlook ||
      (outlook.amount_cents === amount_cents &&
        (outlook.payable_cents > 0 || outlook.to_do === 'enter_payout_details') === eligible)
    );
  });
  expect(agreeing.length).toBeGreaterThan(10);
  expect(agreeing).not.toContain(false);
});

it('a paid payout says by which method, to which address, when and with which reference it was paid', async () => {
  const email = `${unique('ada')}@partner.example`;
  const started = await program(account, { days_until_commissions_are_due: 0 }, { email, ...PAID.person });
  const ada = await PortalVisitor.enter(service, account, email);
  await earn(started);
  const { id } = await openPayout(started);
  const { id: exportId } = await must<{ id: string }>(account, '/payout_exports', { payout_ids: [id], export_format: 'walleta' });
  const paymentIn = async () => (await ada.query<Outputs['portal']['listPayouts']>('portal.listPayouts')).data[0]!.payment_in;
  expect(await paymentIn()).toMatchObject({ en: 'US$10.00 is being paid.' });
  await must(account, `/payout_exports/${exportId}/payment`, {}, 200);
  const today = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(service.clock.now());
  const words = `Paid by PayPal to a…@pay.example on ${today}.`;
  expect(await paymentIn()).toMatchObject({ en: words });
  // Another address later does not change where the money went.
  await patch(`/affiliates/${started.affiliate.id}`, { walleta_email: 'z@pay.example' });
  expect(await paymentIn()).toMatchObject({ en: words });
  await sendAllMail(service.services);
  expect((await service.mailbox.take(email, /has paid your commissions/)).text).toContain(words);
  await earn(started);
  await pay(started, 'BANK-7');
  expect(await paymentIn()).toMatchObject({ en: `Paid by the program on ${today}, with the reference BANK-7.` });
  await sendAllMail(service.services);
  expect((await service.mailbox.take(email, /has paid your commissions/)).text).toContain('with the reference BANK-7.');
});
