import { z } from 'zod';
import { timeZone } from '../../identity/accounts/account.schema.ts';
import { insertAccount } from '../../identity/accounts/create-account.ts';
import { joinExamples } from '../../identity/accounts/example-account.ts';
import { countAttempt } from '../../identity/auth-library/attempts.ts';
import { assertSetupToken, consumeSetupTokens } from '../../identity/setup/setup-token.ts';
import type { PersonCtx, PublicCtx } from '../../platform/call/context.ts';
import { inTransaction, systemContext } from '../../platform/call/transaction.ts';
import { sameText } from '../../platform/db/conditions.ts';
import type { Db } from '../../platform/db/database.ts';
import { invalid } from '../../platform/errors/errors.ts';
import { composeTexts } from '../../platform/mail/letter.ts';
import { DEMO_DOMAIN } from '../../platform/mail/outbox.ts';
import { LANGUAGES } from '../../platform/texts/texts.ts';
import { toInstant } from '../../platform/time/instant.ts';
import { newId } from '../../platform/wire/ids.ts';
import { currency, email, id, nameText } from '../../platform/wire/scalars.ts';
import { createAffiliate } from '../affiliates/affiliate.service.ts';
import { createCampaign } from '../campaigns/campaign.service.ts';
import { createLink } from '../links/link.service.ts';
import { PROGRAM_MAILS } from '../mail-texts.ts';
import { PROGRAM_REASONS } from '../reasons.ts';

const token = z.string().min(1).max(200).describe('Token from the setup link that the service printed when it started.');

export const SetupToken = z.strictObject({ token });
export const NewSetupToken = z.object({ token: z.string() });
export const GetSetupNeeded = z.strictObject({}).optional();
export const IsSetupNeeded = z.object({ is_needed: z.boolean() });
export const SetupState = z.object({
  sends_mail: z
    .boolean()
    .describe('False if no mail server is configured. Mails, with their links, are then written to the log.'),
});
export type SetupState = z.infer<typeof SetupState>;

export const SendTestMail = z.strictObject({ token, email: email(), language: z.enum(LANGUAGES).default('en') });
export type SendTestMail = z.infer<typeof SendTestMail>;
export const TestMailSent = z.object({
  problem: z.string().nullable().describe('Reason why the email could not be sent; null if it was sent.'),
});
export type TestMailSent = z.infer<typeof TestMailSent>;

export const CompleteSetup = z.strictObject({
  token,
  owner_name: nameText(200),
  owner_email: email(),
  owner_password: z.string().min(8).max(128),
  program_name: nameText(200),
  currency: currency(),
  time_zone: timeZone().optional(),
  example_data: z.boolean().describe('`true` to create a campaign, an affiliate and a link to look at.'),
});
export type CompleteSetup = z.infer<typeof CompleteSetup>;
export const SetupCompleted = z.object({ account_id: id('account') });
export type SetupCompleted = z.infer<typeof SetupCompleted>;

const TEST_MAILS = { max: 5, windowSeconds: 600 };
const EXAMPLE_SHOP = 'https://shop.example.com';

/**
 * Returns whether the installation needs setup, which is the case until it has an account. Nobody can sign in before setup. The process
 * printed a link to the setup page when it started.
 */
export async function isSetupNeeded({ services }: Pick<PublicCtx, 'services'>): Promise<{ is_needed: boolean }> {
  const account = await services.database.kysely.selectFrom('account').select('id').limit(1).executeTakeFirst();
  return { is_needed: account === undefined };
}

/** Returns the facts that the setup page shows. Throws NOT_FOUND for a wrong, used or expired token. */
export async function openSetup({ services }: PublicCtx, { token }: { token: string }): Promise<SetupState> {
  await assertSetupToken(services, token);
  return { sends_mail: !services.mailer.writesToLog };
}

/**
 * Sends an email immediately, to test the mail settings. If the email cannot be sent, returns the problem instead of throwing it. Throws
 * NOT_FOUND, RATE_LIMITED.
 */
export async function sendTestMail({ services }: PublicCtx, { token, email, language }: SendTestMail): Promise<TestMailSent> {
  await assertSetupToken(services, token);
  await countAttempt(services, 'setup test mail', TEST_MAILS);
  const mail = composeTexts({ to: email, language }, PROGRAM_MAILS.setupTest, services.publicUrl, {});
  try {
    await services.mailer.send({ id: newId('mail', services.clock.now()), ...mail });
    return { problem: null };
  } catch (error) {
    services.log.warn({ err: error }, 'test email not sent');
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

/**
 * Creates the first account and its owner, and invalidates the token (docs/rules/program.md#setup).
 *
 * @throws NOT_FOUND for a wrong, used or expired token; VALIDATION_ERROR
 */
export async function completeSetup({ services, requestId }: PublicCtx, input: CompleteSetup): Promise<SetupCompleted> {
  await assertSetupToken(services, input.token);
  const account_id = await services.database.transaction(async (db) => {
    await consumeSetupTokens(services, db, input.token);
    await assertNewPerson(db, input.owner_email);
    const account = await insertAccount(services, db, {
      name: input.program_name,
      currency: input.currency,
      timeZone: input.time_zone,
      ownerEmail: input.owner_email,
      ownerName: input.owner_name,
      ownerPassword: input.owner_password,
    });
    await joinExamples(db, account.user_id, toInstant(services.clock.now()));
    return account.account_id;
  });
  if (input.example_data) {
    await inTransaction(systemContext(services, account_id, requestId), async (ctx) => {
      const campaign = await createCampaign(ctx, {
        name: 'Friends of the shop',
        url: EXAMPLE_SHOP,
        reward_type: 'percent',
        commission_percent: 20,
        default: true,
      });
      const affiliate = await createAffiliate(
        ctx,
        { email: `ada@${DEMO_DOMAIN}`, first_name: 'Ada', last_name: 'Lovelace' },
        // A new account has no archived affiliates.
        async () => {},
      );
      await createLink(ctx, { affiliate_id: affiliate.id, campaign_id: campaign.id, url: EXAMPLE_SHOP });
    });
  }
  return { account_id };
}

/**
 * Throws VALIDATION_ERROR if the address belongs to a person of the example data. That person would keep their password, and the entered
 * password would be ignored.
 */
async function assertNewPerson(db: Db, email: string): Promise<void> {
  const known = await db.selectFrom('auth_user').select('id').where(sameText('email', email)).executeTakeFirst();
  if (known) throw invalid('owner_email', PROGRAM_REASONS.example_address, 'taken');
}

/** The releases of this service. */
interface Releases {
  /** The running version. */
  running: string;
  /** Returns the newest version that the operator's file names, or null if that version is not newer than the running one. */
  newer(): Promise<string | null>;
}

declare module '../../platform/call/context.ts' {
  interface Services {
    releases?: Releases;
  }
}

export const Installation = z.object({
  version: z.string().nullable(),
  newer_version: z.string().nullable(),
});
export type Installation = z.infer<typeof Installation>;

export async function getInstallation({ services: { releases } }: PersonCtx): Promise<Installation> {
  return { version: releases?.running ?? null, newer_version: (await releases?.newer()) ?? null };
}
