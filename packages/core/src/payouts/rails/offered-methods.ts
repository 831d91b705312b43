import { z } from 'zod';
import { termsOf } from '../../ledger/payouts/payment-outlook.queries.ts';
import { type MethodTerms, termsIn } from '../../ledger/payouts/payment-outlook.ts';
import type { Services } from '../../platform/call/context.ts';
import type { Db } from '../../platform/db/database.ts';
import { inEachLanguage } from '../../platform/texts/texts.ts';
import type { PayoutMethodKind } from '../../program/payout-methods/payout-method.schema.ts';
import { ownMode } from '../../sources/port/port.ts';
import { IS_CONNECTED } from './open-rail.ts';

/**
 * Lists the kinds of methods to which affiliates of an account can be paid now, with the parts of their addresses.
 *
 * @param db reads at least `kind`, `mode` and `state` of the account's rails, and the terms of the account
 */
export async function offeredMethods(
  db: Pick<Db, 'selectFrom'>,
  services: Pick<Services, 'payoutMethods'>,
  accountId: string,
): Promise<PayoutMethodKind[]> {
  const rails = db.selectFrom('payout_rail').select('kind').where('account_id', '=', accountId).where(IS_CONNECTED);
  const connected = new Set((await rails.where('mode', '=', ownMode(accountId)).execute()).map(({ kind }) => kind));
  const { payoutMethods } = services;
  const account = db.selectFrom('account').select('payout_terms').where('id', '=', accountId);
  const known = (await account.executeTakeFirst())?.payout_terms ?? [];
  // Of two methods of a kind, the first one knows the addresses.
  const methods = payoutMethods.filter(({ kind }, at) => payoutMethods.findIndex((method) => method.kind === kind) === at);
  return methods.flatMap(({ kind, words, paidBy, accounts, onboarding, addressSchema }): PayoutMethodKind[] => {
    if (!addressSchema || ((accounts || paidBy) && !connected.has(paidBy ?? kind))) return [];
    const fields = Object.entries(addressSchema.shape).map(([name, type]) => ({
      name,
      required: !type.safeParse(undefined).success,
      values: type instanceof z.ZodEnum ? type.options.map(String) : null,
    }));
    return [
      {
        kind,
        name: words?.name ?? inEachLanguage(() => kind),
        paid_by: paidBy ?? null,
        opens_account: onboarding !== undefined,
        fields,
        ...shownTerms(termsOf(services, known, kind)),
      },
    ];
  });
}

function shownTerms(of: MethodTerms) {
  const { fee_bearer = 'merchant' as const, fees = [], minimums = [], paused = false } = of.terms ?? {};
  return { fee_bearer, fees, minimums, paused, terms_in_words: inEachLanguage((language) => termsIn(language, of)) };
}
