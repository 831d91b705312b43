import { z } from 'zod';
import { SHOWN_STATES } from '../../identity/affiliations/affiliations.ts';
import { Brand } from '../../identity/branding/branding.ts';
import { LANGUAGES } from '../../platform/texts/texts.ts';
import { updatedRange } from '../../platform/wire/filters.ts';
import { sortBy } from '../../platform/wire/list-order.ts';
import { pageInput, paginated } from '../../platform/wire/pagination.ts';
import { email, id, instant, nameText, text, textInEachLanguage, timestamp } from '../../platform/wire/scalars.ts';
import { AFFILIATE_STATES, PROGRAM_EMAILS } from '../../platform/wire/states.ts';
import { ownToken } from '../../program/links/link.ts';
import { hostName, PortalHost } from '../host/portal-host.ts';
import { PORTAL_REASONS } from '../reasons.ts';
import { Answer, Question, Questions } from './questions.ts';

const slug = z.string().min(1).max(100);

export const GetJoinPage = z.strictObject({
  account: slug.describe('Slug of the account.'),
  campaign: slug.describe('Slug of the campaign.'),
});
export type GetJoinPage = z.infer<typeof GetJoinPage>;

const Terms = z.object({ version: z.int(), body: z.string() });

export const JoinPage = z
  .object({
    account_name: z.string(),
    brand: Brand,
    support_email: z.string().nullable(),
    campaign_name: z.string(),
    reward: z.string().describe('Reward of the campaign for sales, in words.'),
    reward_in: textInEachLanguage().describe('`reward` in each language.'),
    rewards: z
      .array(textInEachLanguage())
      .describe(
        'Earnings besides `reward` that every affiliate has: one sentence for each reward rule, in the order in which they decide.',
      ),
    welcome_text: z.string().nullable(),
    terms: Terms.nullable().describe('Terms that an applicant must accept; null when there are none.'),
    questions: z.array(Question).describe('Questions for the applicant, in addition to name and address.'),
    form_token: z.string().describe('Send it back with the application. It proves when the page was opened.'),
  })
  .meta({ id: 'JoinPage', description: 'The sign-up page of a campaign.' });
export type JoinPage = z.infer<typeof JoinPage>;

export const Apply = z.strictObject({
  ...GetJoinPage.shape,
  email: email(),
  first_name: nameText(100).optional(),
  last_name: nameText(100).optional(),
  accepted_terms: z.int().optional().describe('Version of the terms that the applicant accepts.'),
  answers: z.array(Answer).max(20).default([]),
  form_token: z.string().max(500),
  link_code: ownToken()
    .optional()
    .describe('Code of the first link. If somebody takes it before the applicant is approved, the code is made from the name.'),
  language: z.enum(LANGUAGES).optional().describe('Language of the page, in which emails to the applicant are written.'),
  website: z
    .string()
    .max(500)
    .optional()
    .describe('Leave it empty. The page hides this field, so only programs fill it in. Their applications are dropped.'),
});
export type Apply = z.infer<typeof Apply>;
export const CheckJoinCode = z.strictObject({ ...GetJoinPage.shape, link_code: ownToken() });
export type CheckJoinCode = z.infer<typeof CheckJoinCode>;
export const CheckedCode = z.object({ token: z.string().describe('The code in letters that links have.') });
export const Applied = z.object({ email: z.string() });

export const ConfirmApplication = z.strictObject({ token: z.string().min(1).max(200) });
export const ConfirmedApplication = z.object({
  account_name: z.string(),
  state: z
    .enum(SHOWN_STATES)
    .describe('`pending`: the merchant has not decided yet; `active`: approved; `rejected`: not approved.'),
  sign_in_token: z
    .string()
    .nullable()
    .describe(
      'Signs the applicant in. Works once, within a minute. Null if the address already has a user, and for links to a portal host.',
    ),
  portal_token: z
    .string()
    .nullable()
    .describe(
      'Opens the portal. Works once, within a minute. Null for links to the service’s own host, and for a person with a second factor.',
    ),
});
export type ConfirmedApplication = z.infer<typeof ConfirmedApplication>;

export const GetProgramSettings = z.strictObject({}).optional();

const approval = z
  .enum(['manual', 'automatic', 'rule'])
  .describe(
    '`manual`: applicants wait until they are approved; `automatic`: all are approved; `rule`: the domain of their email address decides.',
  );

const programEmails = z
  .enum(PROGRAM_EMAILS)
  .describe('Affiliates who get the emails of the program: `everyone`, or only those who have `signed_in` at least once.');

const domains = z
  .array(
    z
      .string()
      .trim()
      .toLowerCase()
      .max(253)
      .regex(/^([a-z0-9-]+\.)+[a-z0-9-]+$/, PORTAL_REASONS.domain_form),
  )
  .max(200);

/** Origins that are written into a response header, so only characters of host names and ports are allowed. */
const origins = z
  .array(
    z
      .string()
      .trim()
      .toLowerCase()
      .max(253)
      .refine((origin) => /^https?:\/\/[a-z0-9.-]+(:\d{1,5})?$/.test(origin), PORTAL_REASONS.origin_form),
  )
  .max(20);

/** Name, address and tax number, in a few lines. */
export const billingDetails = text(1_000).nullable();

/** Maximum size of an application: the answers to all questions, in a script that takes three bytes for a character. */
export const MAX_APPLICATION_BYTES = 64 * 1024;

export const ProgramSettings = z
  .object({
    account_id: id('account'),
    slug: z.string().describe('Name of the account in the addresses of its sign-up pages.'),
    brand_name: z
      .string()
      .nullable()
      .describe('Name under which affiliates know the account; null if they see the account’s own name.'),
    brand: Brand,
    support_email: z.string().nullable(),
    approval,
    approved_domains: z.array(z.string()),
    rejected_domains: z.array(z.string()),
    questions: z.array(Question),
    embed_origins: z.array(z.string()).describe('Origins of the sites that may show the portal in a frame.'),
    payout_details_hold_days: z.int(),
    billing_details: z.string().nullable().describe('Your name, address and tax number, as statements of payouts show them.'),
    portal_host: PortalHost.nullable().describe('Your own host name for the portal; null without one.'),
    terms: z
      .object({
        ...Terms.shape,
        summary: z.string().nullable().describe('Your words about what changes with this version.'),
        applies_from: instant().describe('Time from which affiliates need to have accepted this version.'),
        published_at: instant(),
      })
      .nullable()
      .describe('The latest terms; null if there are none.'),
    program_emails: programEmails,
  })
  .meta({ id: 'PortalSettings', description: 'Settings of sign-up pages and the portal.' });
export type ProgramSettings = z.infer<typeof ProgramSettings>;

export const UpdateProgramSettings = z.strictObject({
  slug: z
    .string()
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, PORTAL_REASONS.slug_form)
    .max(60)
    .optional(),
  brand_name: nameText(100).nullable().optional(),
  brand_color: z
    .string()
    .toLowerCase()
    .regex(/^#[0-9a-f]{6}$/, PORTAL_REASONS.color_form)
    .nullable()
    .optional(),
  support_email: email().nullable().optional(),
  approval: approval.optional(),
  approved_domains: domains.optional().describe('With `rule`: applicants with addresses of these domains are approved.'),
  rejected_domains: domains.optional().describe('With `rule`: applicants with addresses of these domains are rejected.'),
  questions: Questions.optional(),
  embed_origins: origins.optional(),
  payout_details_hold_days: z.int().min(0).max(30).optional(),
  billing_details: billingDetails.optional().describe('Your name, address and tax number, as statements of payouts show them.'),
  portal_host: hostName
    .nullable()
    .optional()
    .describe('Your own host name for the portal. Used as soon as it is verified. `null` removes it.'),
  terms: text(50_000).optional().describe('Publishes a new version of the terms.'),
  terms_summary: text(1_000)
    .nullable()
    .optional()
    .describe(
      'With a new version of `terms`: your words about what changes. Affiliates read them in the email and in the portal.',
    ),
  terms_apply_from: timestamp()
    .optional()
    .describe('With a new version of `terms`: time from which affiliates need to have accepted it. Default: now.'),
  program_emails: programEmails.optional(),
});
export type UpdateProgramSettings = z.infer<typeof UpdateProgramSettings>;

export const ListApplications = z.strictObject({
  ...pageInput,
  sort: sortBy('updated_at').sort.unwrap().default('created_at').describe('Order of the affiliates, oldest first by default.'),
  ...updatedRange,
  affiliate_id: id('affiliate').optional(),
  state: z
    .array(z.enum(AFFILIATE_STATES))
    .min(1)
    .default(['pending'])
    .describe('Filters by state of the affiliate. Without it, returns those who wait for a decision.'),
});
export type ListApplications = z.infer<typeof ListApplications>;

export const ApplicationRecord = z
  .object({
    affiliate_id: id('affiliate'),
    email: z.string(),
    first_name: z.string().nullable(),
    last_name: z.string().nullable(),
    campaign_id: id('campaign'),
    campaign_name: z.string(),
    state: z.enum(AFFILIATE_STATES).describe('State of the affiliate.'),
    answers: z.array(Answer),
    note: z.string().nullable().describe('The merchant’s note to the applicant.'),
    applied_at: instant(),
    decided_at: instant().nullable().describe('Time of the decision; null if there is none.'),
    updated_at: instant(),
  })
  .meta({ id: 'Application', description: 'The application of an affiliate to a campaign.' });
export type ApplicationRecord = z.infer<typeof ApplicationRecord>;
export const ApplicationPage = paginated(ApplicationRecord);

export const GetApplication = z.strictObject({ affiliate_id: id('affiliate') });

export const DecideApplications = z.strictObject({
  affiliate_ids: z.array(id('affiliate')).min(1).max(100),
  decision: z.enum(['approve', 'reject']),
  note: text(1_000).optional().describe('Note that the applicants see in the email and in the portal.'),
});
export type DecideApplications = z.infer<typeof DecideApplications>;

export const DecidedApplications = z.object({
  decided: z.array(id('affiliate')),
  skipped: z.array(id('affiliate')).describe('Affiliates who were no longer pending. They were not changed.'),
});
export type DecidedApplications = z.infer<typeof DecidedApplications>;
