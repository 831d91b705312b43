declare module '../../platform/db/tables.ts' {
  interface Tables {
    queued_sale_decision: QueuedSaleDecisionTable;
    queued_lead_decision: QueuedLeadDecisionTable;
  }
}

/** A sale to decide again, because the tiers of its affiliate, the sales before it, or what counts for its milestones turned out to be others. */
interface QueuedSaleDecisionTable {
  sale_id: string;
  account_id: string;
}

/** A referral whose reward for a lead is to be decided again. */
interface QueuedLeadDecisionTable {
  referral_id: string;
  account_id: string;
}
