import { DebtIndexes, SaleFacts } from './20261127034500_sale_facts.ts';
import { AnalyticsFacts, StaleDays } from './20261122200900_analytics_facts.ts';
import { CheaperIds, DropFormerIndexes, IndexesOfBulkWork } from './20261122210200_bulk_work.ts';
import { LateClickHours } from './20261122213900_late_click_hours.ts';
import { PassedOver } from './20261122191600_passed_over.ts';
import { DropSearchName, SearchNames } from './20261122205900_search_names.ts';
import { EmailChanges } from './20261122203600_email_change.ts';
import { Assets } from './20261122201000_assets.ts';
import { Branding } from './20261122195900_branding.ts';
import { Search } from './20261122203800_search.ts';
import { Embedding } from './20261122180416_embedding.ts';
import { AccountWrite } from './20261122173500_account_write.ts';
import { ApplicationsAndMails } from './20261122165700_applications_and_mails.ts';
import { AccountSlugs, Applications } from './20261122145200_applications.ts';
import { PortalAccess } from './20261122143700_portal_access.ts';
import { TermsOfFacts } from './20261122144025_terms_of_facts.ts';
import { PayoutDetails } from './20261122141900_payout_details.ts';
import { AffiliatesOfPeople, SignInLinks } from './20261122135500_portal.ts';
import { Connectors } from './20261121050000_connectors.ts';
import { AffiliateCoupons } from './20261121060000_affiliate_coupon.ts';
import { VoidedByRefund } from './20261121070000_voided_by_refund.ts';
import { Foundation } from './20261120000000_foundation.ts';
import { PromoCodes } from './20261121010000_promo_code.ts';
import { PspConnections } from './20261121000000_psp_connection.ts';
import { PspEvents } from './20261121040000_psp_event.ts';
import { IdempotencyFinished } from './20261122020000_idempotency_finished.ts';
import { Oauth } from './20261121080000_oauth.ts';
import { People } from './20261121020000_people.ts';
import { AccountDeletion } from './20261122000000_account_deletion.ts';
import { CountOfCommissions, DropCommissionUpdated } from './20261122120800_count_of_commissions.ts';
import { AttributionClaims } from './20261122040000_attribution_claims.ts';
import { CurrentCommissionOfSale, DropCommissionOfSale } from './20261122050000_commission_of_sale.ts';
import { MissingIndexes } from './20261122010000_missing_indexes.ts';
import { DuePspEvents, PspEventRetries } from './20261122103600_psp_event_retries.ts';
import { Modes, MoveTestCommissions, OpenPayoutPerMode } from './20261122103300_modes.ts';
import { PurgeIndexes, VisitorCounts } from './20261122105500_visitor_counts.ts';
import { ReturnedPayouts, ValidReturnedPayouts } from './20261122105500_returned_payouts.ts';
import { ReviewReason, SaleOfPayment } from './20261122110800_review_reason.ts';
import { FindPayingExports, PayingExports } from './20261122111500_paying_exports.ts';
import { ManualCommissions, MarkFormerRefunds, ValidCommissionSource } from './20261122114300_manual_commissions.ts';
import { PayoutClaims } from './20261121030000_payout_claims.ts';
import { SecretKeyCheck } from './20261122105854_secret_key_check.ts';
import { UpdatedAtForward } from './20261122112530_updated_at_forward.ts';
import { PasswordResetRequests } from './20261122113223_password_reset_request.ts';
import { EventOrder } from './20261122114249_event_order.ts';
import { Clicks } from './20261122142000_clicks.ts';
import { Analytics } from './20261122144600_analytics.ts';
import { FindCustomersByName, NamesOfCustomers } from './20261122171100_names_of_customers.ts';
import { NotedRefunds } from './20261122164800_noted_refunds.ts';
import { SetupTokens } from './20261122145805_setup_token.ts';
import { ExampleAccounts } from './20261122164554_example_accounts.ts';
import { AnalyticsAtScale, AnalyticsRanges } from './20261122172800_analytics_at_scale.ts';
import { LinkNotices } from './20261122165800_link_notices.ts';
import { CommissionCounts, CountCommissions } from './20261122171600_commission_counts.ts';
import { NoticesByAge } from './20261122220200_notices_by_age.ts';
import { ExternalIdIndex, ExternalIds } from './20261122231200_external_ids.ts';
import { PortalHosts } from './20261122232600_portal_hosts.ts';
import { OperationInputs } from './20261122233300_operation_input.ts';
import { ArchivedRecords } from './20261122232501_archived.ts';
import { LastPspEvent } from './20261122232500_last_psp_event.ts';
import { SessionUse } from './20261122231200_session_use.ts';
import { SecondFactor } from './20261122231300_second_factor.ts';
import { AuditActions } from './20261122233200_audit_actions.ts';
import { MemberMails } from './20261122233900_member_mails.ts';
import { StableWireTime } from './20261123000706_wire_time.ts';
import { MailedProofs } from './20261123005100_mailed_proofs.ts';
import { RequestedPortalLinks } from './20261123010800_requested_portal_links.ts';
import { RefundedSales } from './20261123011400_refunded_sales.ts';
import { RequiredSecondFactor } from './20261123020900_required_second_factor.ts';
import { LanguagesOfAccounts, LanguagesOfApplicants, LanguagesOfPeople } from './20261123022100_mail_languages.ts';
import { MailTranslations } from './20261123022600_mail_translations.ts';
import { DropSalesOfAffiliates, FirstSales } from './20261123025135_first_sales.ts';
import { CheaperEventIds, DropEventAge, EventsWithoutKey } from './20261123110300_cheaper_events.ts';
import { AgesOfLinks } from './20261123151000_ages_of_links.ts';
import { Viewers } from './20261123190000_viewers.ts';
import { History } from './20261127060000_history.ts';
import { Exclusions } from './20261127040000_exclusions.ts';

/** Migrations in order of application. A released migration is never changed. A later migration corrects it. */
export const MIGRATIONS = [
  { name: '20261120000000_foundation', class: Foundation },
  { name: '20261121000000_psp_connection', class: PspConnections },
  { name: '20261121010000_promo_code', class: PromoCodes },
  { name: '20261121020000_people', class: People },
  { name: '20261121030000_payout_claims', class: PayoutClaims },
  { name: '20261121040000_psp_event', class: PspEvents },
  { name: '20261121050000_connectors', class: Connectors },
  { name: '20261121060000_affiliate_coupon', class: AffiliateCoupons },
  { name: '20261121070000_voided_by_refund', class: VoidedByRefund },
  { name: '20261121080000_oauth', class: Oauth },
  { name: '20261122000000_account_deletion', class: AccountDeletion },
  { name: '20261122010000_missing_indexes', class: MissingIndexes },
  { name: '20261122020000_idempotency_finished', class: IdempotencyFinished },
  { name: '20261122040000_attribution_claims', class: AttributionClaims },
  { name: '20261122050000_commission_of_sale', class: CurrentCommissionOfSale },
  { name: '20261122051000_commission_of_sale', class: DropCommissionOfSale },
  { name: '20261122103300_modes', class: Modes },
  { name: '20261122103301_open_payout_per_mode', class: OpenPayoutPerMode },
  { name: '20261122103303_test_commissions', class: MoveTestCommissions },
  { name: '20261122103600_psp_event_retries', class: PspEventRetries },
  { name: '20261122103601_psp_event_due', class: DuePspEvents },
  { name: '20261122105500_returned_payouts', class: ReturnedPayouts },
  { name: '20261122105500_visitor_counts', class: VisitorCounts },
  { name: '20261122105501_purge_indexes', class: PurgeIndexes },
  { name: '20261122105501_returned_payouts', class: ValidReturnedPayouts },
  { name: '20261122105854_secret_key_check', class: SecretKeyCheck },
  { name: '20261122110800_review_reason', class: ReviewReason },
  { name: '20261122110801_sale_of_payment', class: SaleOfPayment },
  { name: '20261122111500_paying_exports', class: PayingExports },
  { name: '20261122111501_paying_exports', class: FindPayingExports },
  { name: '20261122112530_updated_at_forward', class: UpdatedAtForward },
  { name: '20261122113223_password_reset_request', class: PasswordResetRequests },
  { name: '20261122114249_event_order', class: EventOrder },
  { name: '20261122114300_manual_commissions', class: ManualCommissions },
  { name: '20261122114301_commission_source', class: ValidCommissionSource },
  { name: '20261122114302_former_refunds', class: MarkFormerRefunds },
  { name: '20261122120800_count_of_commissions', class: CountOfCommissions },
  { name: '20261122120801_count_of_commissions', class: DropCommissionUpdated },
  { name: '20261122135500_sign_in_links', class: SignInLinks },
  { name: '20261122135501_affiliates_of_people', class: AffiliatesOfPeople },
  { name: '20261122141900_payout_details', class: PayoutDetails },
  { name: '20261122142000_clicks', class: Clicks },
  { name: '20261122143700_portal_access', class: PortalAccess },
  { name: '20261122144025_terms_of_facts', class: TermsOfFacts },
  { name: '20261122144600_analytics', class: Analytics },
  { name: '20261122145200_applications', class: Applications },
  { name: '20261122145201_account_slugs', class: AccountSlugs },
  { name: '20261122145805_setup_token', class: SetupTokens },
  { name: '20261122164554_example_accounts', class: ExampleAccounts },
  { name: '20261122164800_noted_refunds', class: NotedRefunds },
  { name: '20261122165700_applications_and_mails', class: ApplicationsAndMails },
  { name: '20261122165800_link_notices', class: LinkNotices },
  { name: '20261122171100_names_of_customers', class: NamesOfCustomers },
  { name: '20261122171101_names_of_customers', class: FindCustomersByName },
  { name: '20261122171600_commission_counts', class: CommissionCounts },
  { name: '20261122171601_count_commissions', class: CountCommissions },
  { name: '20261122172800_analytics_at_scale', class: AnalyticsAtScale },
  { name: '20261122172801_analytics_ranges', class: AnalyticsRanges },
  { name: '20261122173500_account_write', class: AccountWrite },
  { name: '20261122180416_embedding', class: Embedding },
  { name: '20261122191600_passed_over', class: PassedOver },
  { name: '20261122195900_branding', class: Branding },
  { name: '20261122200900_analytics_facts', class: AnalyticsFacts },
  { name: '20261122200901_stale_days', class: StaleDays },
  { name: '20261122201000_assets', class: Assets },
  { name: '20261122203600_email_change', class: EmailChanges },
  { name: '20261122203800_search', class: Search },
  { name: '20261122205900_search_names', class: SearchNames },
  { name: '20261122205901_search_names', class: DropSearchName },
  { name: '20261122210200_cheaper_ids', class: CheaperIds },
  { name: '20261122210201_indexes_of_bulk_work', class: IndexesOfBulkWork },
  { name: '20261122210202_drop_former_indexes', class: DropFormerIndexes },
  { name: '20261122213900_late_click_hours', class: LateClickHours },
  { name: '20261122220200_notices_by_age', class: NoticesByAge },
  { name: '20261122231200_external_ids', class: ExternalIds },
  { name: '20261122231200_session_use', class: SessionUse },
  { name: '20261122231201_external_id_index', class: ExternalIdIndex },
  { name: '20261122231300_second_factor', class: SecondFactor },
  { name: '20261122232500_last_psp_event', class: LastPspEvent },
  { name: '20261122232501_archived', class: ArchivedRecords },
  { name: '20261122232600_portal_hosts', class: PortalHosts },
  { name: '20261122233200_audit_actions', class: AuditActions },
  { name: '20261122233300_operation_input', class: OperationInputs },
  { name: '20261122233900_member_mails', class: MemberMails },
  { name: '20261123000706_wire_time', class: StableWireTime },
  { name: '20261123005100_mailed_proofs', class: MailedProofs },
  { name: '20261123010800_requested_portal_links', class: RequestedPortalLinks },
  { name: '20261123011400_refunded_sales', class: RefundedSales },
  { name: '20261123020900_required_second_factor', class: RequiredSecondFactor },
  { name: '20261123022100_mail_languages', class: LanguagesOfPeople },
  { name: '20261123022101_mail_languages', class: LanguagesOfAccounts },
  { name: '20261123022102_mail_languages', class: LanguagesOfApplicants },
  { name: '20261123022600_mail_translations', class: MailTranslations },
  { name: '20261123025135_first_sales', class: FirstSales },
  { name: '20261123025136_first_sales', class: DropSalesOfAffiliates },
  { name: '20261123110300_cheaper_events', class: CheaperEventIds },
  { name: '20261123110301_cheaper_events', class: EventsWithoutKey },
  { name: '20261123110302_cheaper_events', class: DropEventAge },
  { name: '20261123151000_ages_of_links', class: AgesOfLinks },
  { name: '20261123190000_viewers', class: Viewers },
  { name: '20261127034500_sale_facts', class: SaleFacts },
  { name: '20261127034501_sale_facts', class: DebtIndexes },
  { name: '20261127040000_exclusions', class: Exclusions },
  { name: '20261127060000_history', class: History },
];
