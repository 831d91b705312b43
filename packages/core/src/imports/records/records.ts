import type { RecordKind } from '../port/import-kind.ts';
import type { ImportedKind } from '../port/import.entity.ts';
import { AFFILIATES } from './affiliate.ts';
import { CAMPAIGNS } from './campaign.ts';
import { CODES } from './code.ts';
import { COMMISSIONS } from './commission.ts';
import { CUSTOMERS } from './customer.ts';
import { LINKS } from './link.ts';
import { PAYOUTS } from './payout.ts';

export const RECORDS: Readonly<Record<ImportedKind, RecordKind>> = {
  campaign: CAMPAIGNS,
  affiliate: AFFILIATES,
  link: LINKS,
  customer: CUSTOMERS,
  code: CODES,
  commission: COMMISSIONS,
  payout: PAYOUTS,
};
