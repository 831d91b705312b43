import { expect } from 'vitest';
import type { Fields } from '../support/http.ts';
import { type Program, must, refer, sell, unique } from '../support/program.ts';
import type { Outputs, TestAccount, TestService } from '../support/service.ts';

type Outlook = NonNullable<Outputs['portal']['home']['earnings'][number]['outlook']>;
type Payout = Outputs['payouts']['list']['data'][number];

/** An affiliate in a state, and what everybody reads about the next payment. */
interface State {
  terms?: Fields;
  person?: Fields;
  /** Brings the affiliate, who has earned 10.00 dollars, into the state. */
  become?: (started: Program) => Promise<unknown>;
  expected: { obstacles: Outlook['obstacles']; to_do: Outlook['to_do']; en: string; de: string }[];
  /** Sentences of the emails. `{outlook}` is the English sentence that is shown everywhere else. */
  mails?: string[];
}

/** Time until which a payment waits to be accepted. Another day in each time zone of the account. */
export const EXPIRES_AT = '2027-03-01T10:30:00.000Z';
export const PAID = { person: { walleta_email: 'ada@pay.example' } };

/** Returns the states of affiliates, and the steps that bring them there, for affiliates of an account. */
export function outlookStates(service: TestService, account: TestAccount) {
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
  return {
    patch,
    openPayout,
    pay,
    earn,
    states: {
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
            en: 'US$10.00 is still to be paid. The membership in the program has ended, so the program pays by hand.',
            de: '10,00 $ stehen noch aus. Die Teilnahme am Programm ist beendet. Deshalb zahlt das Programm von Hand.',
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
            en: 'US$10.00 is still to be paid. The membership in the program has ended, so the program pays by hand.',
            de: '10,00 $ stehen noch aus. Die Teilnahme am Programm ist beendet. Deshalb zahlt das Programm von Hand.',
          },
        ],
      },
      'owes more than was earned': {
        ...PAID,
        become: async (started) => {
          await pay(started);
          const [refunded] = (
            await account.client.commissions.list.query({ affiliate_id: started.affiliate.id, expand: ['sale'] })
          ).data;
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
            .set({ state: 'unclaimed', expires_at: EXPIRES_AT })
            .where('payout_id', '=', id)
            .execute();
        },
        expected: [
          {
            obstacles: ['empty'],
            to_do: 'accept_payment',
            en: 'US$10.00 was sent by PayPal to a…@pay.example, and waits there to be accepted until {expires}.',
            de: '10,00 $ wurden über PayPal an a…@pay.example gesendet und müssen dort bis zum {expires} angenommen werden.',
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
    } satisfies Record<string, State> as Record<string, State>,
  };
}
