import { defineEntity, p } from '@mikro-orm/core';
import type { InferKyselyTable } from '@mikro-orm/postgresql';
import type { MailLanguage } from '../../platform/mail/in-language.ts';
import { instant, recordColumns } from '../../platform/db/columns.ts';

const { account_id: _, ...columns } = recordColumns;

/** A question on the sign-up pages. */
export interface ApplicationQuestion {
  label: string;
  kind: 'text' | 'choice' | 'url';
  required: boolean;
  /** The answers of a `choice`; empty for the other kinds. */
  choices: string[];
}

export const AccountSchema = defineEntity({
  name: 'Account',
  tableName: 'account',
  properties: {
    ...columns,
    name: p.string(),
    /** Default currency of the account. */
    currency: p.string(),
    /** Time zone (IANA) in which the days of analytics begin. */
    time_zone: p.string().default('UTC'),
    /** A code redeemed with a charge wins over the link that its customer is bound to. */
    code_before_link: p.boolean().default(false),
    /** Name of the account in the addresses of its sign-up pages. Null on accounts made by an earlier version. */
    slug: p.string().nullable(),
    support_email: p.string().nullable(),
    /** Name under which affiliates know the account. Null for its own name. */
    brand_name: p.string().strictNullable(),
    /** Background of buttons that affiliates see, e.g. `#1c4ed8`. Null for that of the service. */
    brand_color: p.string().strictNullable(),
    /** Hash of the logo, which changes its address. Null without a logo. */
    logo_hash: p.string().strictNullable(),
    /** `manual`: a member decides about each application; `automatic`: each is approved once its address is confirmed. */
    approval: p.string().$type<'manual' | 'automatic' | 'rule'>().default('manual'),
    /** With the approval `rule`: domains of e-mail addresses whose applicants are approved at once, and those whose are rejected. */
    approved_domains: p.json().$type<string[]>().default([]),
    rejected_domains: p.json().$type<string[]>().default([]),
    /** Origins of the sites that may show the portal in a frame. */
    embed_origins: p.json().$type<string[]>().default([]),
    /** Questions on the sign-up pages, in addition to name and address. */
    application_questions: p.json().$type<ApplicationQuestion[]>().default([]),
    /** Days for which payouts wait after an affiliate has changed the payout details. */
    payout_details_hold_days: p.integer().default(3),
    /** The service filled it with an example, which its owner can remove at once. */
    is_example: p.boolean().default(false),
    /** Language of mails to people who have none of their own. */
    mail_language: p.string().$type<MailLanguage>().default('en'),
    /** Time from which the account is closed to members without a second factor. Null when none is required. */
    second_factor_required_from: instant().strictNullable(),
    /** Time at which the account and all its records are removed. Null when no deletion is scheduled. */
    deletion_scheduled_at: instant().strictNullable(),
  },
});

/** A merchant. Every other record belongs to exactly one account. */
export class Account extends AccountSchema.class {}
AccountSchema.setClass(Account);

declare module '../../platform/db/tables.ts' {
  interface Tables {
    account: InferKyselyTable<typeof AccountSchema>;
  }
}
