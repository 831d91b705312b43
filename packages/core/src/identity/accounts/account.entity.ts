import { defineEntity, p } from '@mikro-orm/core';
import type { InferKyselyTable } from '@mikro-orm/postgresql';
import { instant, recordColumns, type Row } from '../../platform/db/columns.ts';
import type { Db } from '../../platform/db/database.ts';
import type { Language } from '../../platform/texts/texts.ts';
import type { Instant } from '../../platform/time/instant.ts';
import type { ProgramEmails } from '../../platform/wire/states.ts';
import { type FormerApproval, NO_APPROVAL, type PayoutApproval } from '../sessions/payout-approval.ts';
import type { PayoutTerms } from '../sessions/payout-terms.ts';

const { account_id: _, ...columns } = recordColumns;

/** A choice between codes and links that was in force until `until`. */
export interface FormerCodeChoice {
  until: Instant;
  code_before_link: boolean;
}

/** `is_shadow`: the former tool decided what sales earn. This was so until `until`. */
export interface FormerShadow {
  until: Instant;
  is_shadow: boolean;
}

/** Returns the time at which the shadow of an account began or, after it, ended. Null for an account that has never been a shadow. */
export function shadowSince({ former_shadows }: { former_shadows: readonly FormerShadow[] }): Instant | null {
  return former_shadows.at(-1)?.until ?? null;
}

/** A merchant's own question on the sign-up pages. */
export interface ApplicationQuestion {
  label: string;
  kind: 'text' | 'choice' | 'url';
  required: boolean;
  /** Possible answers to a question of the kind `choice`. Empty for the other kinds. */
  choices: string[];
}

export const Account = defineEntity({
  name: 'Account',
  tableName: 'account',
  properties: {
    ...columns,
    name: p.string(),
    /** Default currency of the account. */
    currency: p.string(),
    /** Time zone (IANA) of the days in pages, emails, statements and analytics. */
    time_zone: p.string().default('UTC'),
    /** True if a promo code redeemed with a charge takes precedence over the link that the customer is bound to. */
    code_before_link: p.boolean().default(false),
    /** Former values of `code_before_link`, in the order of the times until which they were in force. */
    former_code_choices: p.json().$type<FormerCodeChoice[]>().default([]),
    /** Name of the account in the addresses of its sign-up pages. */
    slug: p.string(),
    support_email: p.string().strictNullable(),
    /** Name under which affiliates know the account. If null, they see the account's own name. */
    brand_name: p.string().strictNullable(),
    /** Background color of the buttons that affiliates see, e.g. `#1c4ed8`. If null, the service's color is used. */
    brand_color: p.string().strictNullable(),
    /** Hash of the logo. It is part of the logo's URL, so a new logo gets a new URL. Null if there is no logo. */
    logo_hash: p.string().strictNullable(),
    /**
     * The way in which applications are decided. `manual`: a member. `automatic`: each application is approved once its address is confirmed. `rule`: the
     * domain of the applicant's email address decides, or a member if no listed domain matches.
     */
    approval: p.string().$type<'manual' | 'automatic' | 'rule'>().default('manual'),
    /**
     * For the approval `rule`: applicants with an address in `approved_domains` are approved at once, those in `rejected_domains` are rejected
     * at once.
     */
    approved_domains: p.json().$type<string[]>().default([]),
    rejected_domains: p.json().$type<string[]>().default([]),
    /** Origins of the sites that may show the portal in a frame. */
    embed_origins: p.json().$type<string[]>().default([]),
    /** The merchant's questions on the sign-up pages, in addition to name and email address. */
    application_questions: p.json().$type<ApplicationQuestion[]>().default([]),
    /** Number of days for which payouts are held after an affiliate has changed the payout details. */
    payout_details_hold_days: p.integer().default(3),
    /** Name, address and tax number of the merchant, as statements show them. */
    billing_details: p.text().strictNullable(),
    /** True if the service filled the account with example data. The owner can remove such an account at once. */
    is_example: p.boolean().default(false),
    /** The live account whose records of test mode this account holds. Null for a live account. */
    test_of: p.string().strictNullable(),
    /** Milliseconds by which the clock of a test account is ahead (docs/rules/platform.md#test-clock). */
    clock_ahead_ms: p.bigint('number').default(0),
    /** Language of emails to people who have not chosen a language. */
    mail_language: p.string().$type<Language>().default('en'),
    program_emails: p.string().$type<ProgramEmails>().default('everyone'),
    /** The rules by which the service sends payments, and those that still hold beside them. */
    payout_approval: p.json().$type<PayoutApproval>().default(JSON.stringify(NO_APPROVAL)),
    former_payout_approvals: p.json().$type<FormerApproval[]>().default([]),
    /** Fees, minimums and pauses of methods. */
    payout_terms: p.json().$type<PayoutTerms[]>().default([]),
    /** Time from which the service sends no payments. Null if it does. */
    payouts_stopped_at: instant().strictNullable(),
    /** With what affiliates are compared before they are paid. Null if they are not. */
    payout_screening: p.string().$type<ScreenerKind>().strictNullable(),
    /** The state of what they are compared with. Affiliates are paid only if they were cleared against it. Null if they are not compared. */
    screening_version: p.string().strictNullable(),
    /**
     * `on`: the account moves in as a shadow, and the former tool decides what sales earn. `ending`: sales earn here again, and what the former tool has decided
     * until then is still being imported (docs/rules/imports.md#a-shadow).
     */
    shadow: p.string().$type<'off' | 'on' | 'ending'>().default('off'),
    /** The former states, in the order of the times. */
    former_shadows: p.json().$type<FormerShadow[]>().default([]),
    /** Time from which the account is closed to members without a second factor. Null if no second factor is required. */
    second_factor_required_from: instant().strictNullable(),
    /** Time at which the account and all its records are removed. Null when no deletion is scheduled. */
    deletion_scheduled_at: instant().strictNullable(),
  },
});

/** A merchant. Every other record belongs to exactly one account. */
export type Account = Row<typeof Account>;

declare module '../../platform/db/tables.ts' {
  interface Tables {
    account: InferKyselyTable<typeof Account>;
    /** A slug that an account has or had. A trigger adds the rows (docs/rules/program.md#links). */
    program_slug: {
      slug: string;
      account_id: string;
    };
  }
}

/** Returns the id of the account that has this slug or had it before, or null. */
export async function accountOfSlug(db: Db, slug: string): Promise<string | null> {
  const row = await db.selectFrom('program_slug').select('account_id').where('slug', '=', slug.toLowerCase()).executeTakeFirst();
  return row?.account_id ?? null;
}

/** With what affiliates can be compared before they are paid (docs/rules/payouts.md#screening). `lists`: the lists that the operator has loaded. */
export const SCREENERS = ['lists'] as const;
export type ScreenerKind = (typeof SCREENERS)[number];

/** State of an account whose affiliates have not been compared yet. No affiliate is cleared against it. */
export const UNSCREENED = 'new';
