import type { Instant } from '../../platform/time/instant.ts';
import type { CampaignTerms } from './campaign.transitions.ts';

declare module '../../platform/db/tables.ts' {
  interface Tables {
    campaign_terms: CampaignTermsTable;
  }
}

/** Former terms of a campaign, in force until `until` and since the `until` before them, if any. The row of the campaign has the present ones. */
interface CampaignTermsTable extends CampaignTerms {
  campaign_id: string;
  until: Instant;
  account_id: string;
  archived: boolean;
}
