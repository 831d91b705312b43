import { z } from 'zod';
import { httpUrl, id, instant } from '../../platform/wire/scalars.ts';
import { TEST_MARK } from '../../program/clicks/bots.ts';
import { SCRIPT_PROBLEMS } from './check-page.ts';
import { PAGE_FAILURES } from './page-reader.ts';

export const CheckSite = z.strictObject({
  url: httpUrl().meta({ description: 'A page of your site.', example: 'https://shop.example.com/' }),
});
export type CheckSite = z.infer<typeof CheckSite>;

export const SiteCheck = z.object({
  url: z.string().describe('The page that was read, after redirects.'),
  failure: z.enum(PAGE_FAILURES).nullable().describe('Reason why the page could not be read; null if it was read.'),
  script: z.object({ src: z.string(), account_id: z.string().nullable() }).nullable(),
  problems: z.array(z.enum(SCRIPT_PROBLEMS)).describe('Problems that keep the script from working; empty if there are none.'),
});
export type SiteCheck = z.infer<typeof SiteCheck>;

/** A random text that identifies the click of a test visit. */
const mark = z
  .string()
  .regex(TEST_MARK)
  .meta({ description: 'Value of `sub5` in the address of the test visit.', example: 'test-0123456789' });

export const GetTestVisit = z.strictObject({
  mark,
  referral_id: id('referral').optional().describe('Referral of the test visit’s click, if you know it already.'),
});
export type GetTestVisit = z.infer<typeof GetTestVisit>;

export const TestVisit = z.object({
  click: z
    .object({ at: instant(), referral_id: id('referral').nullable() })
    .nullable()
    .describe('Null until the link was followed. The click has no referral if a bot seems to have followed the link.'),
  is_lead: z.boolean().describe('`true` if the visitor has become a lead or has converted.'),
  sale: z
    .object({ id: id('sale'), livemode: z.boolean(), amount_cents: z.int(), currency: z.string() })
    .nullable()
    .describe('First sale of the referral since the click.'),
  commission: z.object({ id: id('commission'), amount_cents: z.int(), currency: z.string() }).nullable(),
});
export type TestVisit = z.infer<typeof TestVisit>;

export const RecordTestSale = z.strictObject({ mark, referral_id: id('referral') });
export type RecordTestSale = z.infer<typeof RecordTestSale>;

export const RecordedTestSale = z.object({ sale_id: id('sale') });
