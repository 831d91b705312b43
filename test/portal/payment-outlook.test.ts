import { remindOfPayoutDetails, tellOfEndedCampaigns, tellOfEndedMemberships } from '@affiliate/core';
import { beforeAll, expect, it } from 'vitest';
import { Assistant } from '../mcp/assistant.ts';
import { withoutNulls } from '../mcp/rows.ts';
import { Browser } from '../support/browser.ts';
import { sendAllMail } from '../support/mailbox.ts';
import { ownerOf } from '../support/people.ts';
import { must, program, unique } from '../support/program.ts';
import { type Outputs } from '../support/service.ts';
import { useAccount, useService } from '../support/suite.ts';
import { EXPIRES_AT, PAID, outlookStates } from './outlook-states.ts';
import { PortalVisitor } from './people.ts';

type Home = Outputs['portal']['home'];
type Outlook = NonNullable<Home['earnings'][number]['outlook']>;

const service = useService({ writesRows: true });
const account = useAccount(service, 'file');
const { states, patch, openPayout, pay, earn } = outlookStates(service, account);
let assistant: Assistant;
let timeZone: string;

beforeAll(async () => {
  assistant = await Assistant.overHttp(service, account.apiKey);
  // In one of the two, it is another day than in UTC.
  timeZone = service.clock.now().getUTCHours() < 10 ? 'Pacific/Pago_Pago' : 'Pacific/Kiritimati';
  const { browser: owner } = await ownerOf(service, account);
  await owner.mutate('account.update', { account_id: account.id, time_zone: timeZone });
});

const table = ['| The affiliate | Emails | Portal | Frame | Page of the merchant | Tool |', '|---|---|---|---|---|---|'];

it.each(Object.entries(states))(
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

    const dayOf = (language: string, at: number) =>
      new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone }).format(new Date(at));
    const day = (language: string, days: number) => dayOf(language, service.clock.now().getTime() + days * 86_400_000);
    const filled = (language: string, text: string) =>
      text
        .replace('{held}', day(language, 3))
        .replace('{due}', day(language, 30))
        .replace('{today}', day(language, 0))
        .replace('{expires}', dayOf(language, Date.parse(EXPIRES_AT)));
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
  const today = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone }).format(service.clock.now());
  const words = `Paid by PayPal to a…@pay.example on ${today}.`;
  const arrives = 'The money usually arrives within minutes.';
  expect(await paymentIn()).toMatchObject({ en: `${words} ${arrives}` });
  // Another address later does not change where the money went.
  await patch(`/affiliates/${started.affiliate.id}`, { walleta_email: 'z@pay.example' });
  expect(await paymentIn()).toMatchObject({ en: `${words} ${arrives}` });
  await sendAllMail(service.services);
  expect((await service.mailbox.take(email, /has paid your commissions/)).text).toContain(`${words} ${arrives}`);
  await earn(started);
  await pay(started, 'BANK-7');
  expect(await paymentIn()).toMatchObject({ en: `Paid by the program on ${today}, with the reference BANK-7.` });
  await sendAllMail(service.services);
  expect((await service.mailbox.take(email, /has paid your commissions/)).text).toContain('with the reference BANK-7.');
  // After a week, nobody waits for the money any more.
  service.clock.advance(8, 'days');
  const { data } = await ada.query<Outputs['portal']['listPayouts']>('portal.listPayouts');
  expect(data.map(({ payment_in }) => payment_in!.en)).toContain(words);
});
