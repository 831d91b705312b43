// Generated from the contract by `pnpm generate`. Do not edit.

import { Connection, type ConnectionOptions, type FileBody, type RequestOptions, path } from '../connection.ts';
import type { List } from '../list.ts';
import type {
  WebhookDelivery,
  AffiliateCoupon,
  Affiliate,
  Campaign,
  Link,
  PlainAffiliate,
  AffiliateTimeline,
  AffiliatesBulk,
  PortalSignInLink,
  EmbedToken,
  PersonalData,
  Erased,
  ApiKey,
  CreatedApiKey,
  RevokedApiKey,
  Application,
  Asset,
  AssetFile,
  CampaignDetail,
  Timeline,
  Overview,
  FallingDue,
  Payable,
  DailySeries,
  TopAffiliates,
  AnalyticsReport,
  PromoCodeAssignment,
  PromoCodeOutcome,
  PromoCodesBulk,
  Commission,
  CommissionsBulk,
  ListedCustomer,
  Event,
  Referral,
  LinksBulk,
  Payout,
  PayoutAttempt,
  ListedPayoutAttempt,
  PreparedPayouts,
  ListedPayoutBatch,
  CreatedPayoutBatch,
  PayoutBatch,
  PayoutMethod,
  OpenedPayoutAccount,
  PayoutScreening,
  PayoutExport,
  CreatedPayoutExport,
  PayoutExportCheck,
  PayoutExportFile,
  PayoutExportReport,
  PayoutRunSummary,
  PayoutRun,
  PayoutReconciliation,
  ReferralsBulk,
  RefundsOfSale,
  RewardRule,
  RewardsPreview,
  RewardEffect,
  Tier,
  RecordedSale,
  SalesBulk,
  Invitation,
  SaleInList,
  DetailedSale,
  UpdatedSale,
  ReconsideredSale,
  ListedSale,
  AssignedSale,
  SearchResults,
  TrackedVisit,
  TrackedLead,
  AffiliateCouponsCreateRequest,
  AffiliateCouponsUpdateRequest,
  AffiliateCouponsSyncRequest,
  AffiliatesListResponse,
  AffiliatesCreateRequest,
  AffiliatesUpsertRequest,
  AffiliatesUpdateRequest,
  AffiliatesCreateManyRequest,
  AffiliatesCreatePortalLinkByEmailRequest,
  AffiliatesCreateEmbedTokenByEmailRequest,
  ApiKeysListResponse,
  ApiKeysCreateRequest,
  ApplicationsListResponse,
  ApplicationsDecideRequest,
  ApplicationsDecideResponse,
  AssetsListResponse,
  AssetsCreateRequest,
  CampaignsListResponse,
  CampaignsCreateRequest,
  CampaignsUpdateRequest,
  PromoCodesListResponse,
  PromoCodesAssignRequest,
  PromoCodesListAllResponse,
  PromoCodesCreateRequest,
  PromoCodesCreateManyRequest,
  PromoCodesPendingResponse,
  PromoCodesResumeRequest,
  PromoCodesRefreshRequest,
  CommissionsListResponse,
  CommissionsCreateRequest,
  CommissionsUpdateRequest,
  CommissionsCreateManyRequest,
  CommissionsReviewRequest,
  CustomersListResponse,
  CustomersUpdateRequest,
  CustomersUpsertRequest,
  CustomersIdentitiesResponse,
  CustomersMergeRequest,
  EventsListResponse,
  LeadsListResponse,
  LeadsCreateRequest,
  LinksListResponse,
  LinksCreateRequest,
  LinksUpdateRequest,
  LinksCreateManyRequest,
  PayoutsListResponse,
  PayoutsUpdateRequest,
  PayoutsItemsResponse,
  PayoutsPayRequest,
  PayoutsReturnRequest,
  PayoutAttemptsListResponse,
  PayoutAttemptsPrepareRequest,
  PayoutAttemptsWithdrawRequest,
  PayoutAttemptsDecideRequest,
  PayoutBatchesListResponse,
  PayoutBatchesCreateRequest,
  PayoutBatchesApproveRequest,
  PayoutMethodsListResponse,
  PayoutMethodsCreateRequest,
  PayoutMethodsKindsResponse,
  PayoutMethodsUpdateRequest,
  PayoutMethodsOpenAccountRequest,
  PayoutScreeningsListResponse,
  PayoutScreeningsReleaseRequest,
  PayoutExportsListResponse,
  PayoutExportsCreateRequest,
  PayoutExportsTakeOutRequest,
  PayoutExportsApproveRequest,
  PayoutExportsPayRequest,
  PayoutExportsReportRequest,
  PayoutRunsListResponse,
  PayoutRunsCreateRequest,
  PayoutRunsItemsResponse,
  PayoutRunsExecuteRequest,
  PayoutRunsRemediateRequest,
  ReferralsListResponse,
  ReferralsCreateRequest,
  ReferralsUpdateRequest,
  ReferralsCreateManyRequest,
  RefundsListResponse,
  RewardRulesListResponse,
  RewardRulesCreateRequest,
  RewardRulesUpdateRequest,
  RewardRulesPreviewRequest,
  RewardRulesPreviewChangeRequest,
  RewardRulesWarningsResponse,
  RewardRulesReorderRequest,
  RewardRulesReorderResponse,
  TiersListResponse,
  TiersCreateRequest,
  TiersUpdateRequest,
  TrackingRecordSaleRequest,
  TrackingRecordSalesRequest,
  TrackingRecordRefundRequest,
  InvitationsListResponse,
  InvitationsCreateRequest,
  InvitationsUpdateRequest,
  InvitationsResendRequest,
  SalesListResponse,
  SalesUpdateRequest,
  SalesReconsiderRequest,
  SalesReviewRequest,
  SalesAssignRequest,
  TrackingRecordVisitRequest,
  TrackingRecordLeadRequest,
  PayoutRunIssue,
  PayoutRunItemState,
  ApiRequest,
  AuditEntry,
  Connector,
  CreatedConnector,
  ProviderConnection,
  ProviderConnectionWithSecret,
  PspConnection,
  PspCatalog,
  PspEndpointStatus,
  StartedTestPurchase,
  TestPurchase,
  Import,
  ImportRow,
  Shadow,
  ShadowCustomer,
  ShadowSums,
  Caller,
  EmailText,
  PayoutRail,
  ScreeningSettings,
  TestClock,
  CopiedCampaigns,
  DeletedTestData,
  WebhookDeliveryDetail,
  ResendSummary,
  WebhookEndpoint,
  WebhookEndpointWithSecret,
  Member,
  PortalSettings,
  ApiRequestsListResponse,
  AuditLogListResponse,
  ClicksRecentResponse,
  SiteCheckResponse,
  SiteTestVisitResponse,
  SiteRecordTestSaleRequest,
  SiteRecordTestSaleResponse,
  ConnectorsListResponse,
  ConnectorsCreateRequest,
  ConnectorsUpdateRequest,
  ConnectionsListResponse,
  ConnectionsCreateRequest,
  ConnectionsSourcesResponse,
  ConnectionsUpdateRequest,
  ConnectionsRenewKeyRequest,
  PspConnectionConnectRequest,
  PspConnectionUpdateRequest,
  PspConnectionLastEventsResponse,
  PspConnectionActivityResponse,
  PspConnectionRotateWebhookSecretRequest,
  ImportsListResponse,
  ImportsCreateRequest,
  ImportsRowsResponse,
  ImportsAddPartRequest,
  ImportsRunRequest,
  ShadowsBeginRequest,
  ShadowsEndRequest,
  ShadowsListResponse,
  EmailTextsListResponse,
  EmailTextsListBlockedResponse,
  EmailTextsUnblockRequest,
  EmailTextsUnblockResponse,
  EmailTextsPreviewRequest,
  EmailTextsPreviewResponse,
  EmailTextsUpdateRequest,
  EmailTextsChooseRequest,
  EmailTextsResetRequest,
  EmailTextsSendTestRequest,
  EmailTextsSendTestResponse,
  PayoutRailsListResponse,
  PayoutRailsCreateRequest,
  PayoutRailsKindsResponse,
  PayoutScreeningsConfigureRequest,
  TestModeAdvanceClockRequest,
  TestModeCopyCampaignsRequest,
  WebhookDeliveriesListResponse,
  WebhookDeliveriesResendSinceRequest,
  WebhookEndpointsListResponse,
  WebhookEndpointsCreateRequest,
  WebhookEndpointsUpdateRequest,
  MembersListResponse,
  MembersUpdateRoleRequest,
  PortalSettingsUpdateRequest,
  PortalSettingsSetLogoRequest,
  AffiliatesListQuery,
  AffiliatesGetQuery,
  ApiKeysListQuery,
  ApplicationsListQuery,
  AssetsListQuery,
  AssetsUploadQuery,
  CampaignsListQuery,
  CampaignsGetQuery,
  OverviewPayableQuery,
  OverviewDailyQuery,
  OverviewTopAffiliatesQuery,
  AnalyticsGetQuery,
  PromoCodesListQuery,
  PromoCodesListAllQuery,
  PromoCodesPendingQuery,
  PromoCodesStopQuery,
  CommissionsListQuery,
  CommissionsGetQuery,
  CommissionsVoidQuery,
  CustomersListQuery,
  EventsListQuery,
  EventsGetQuery,
  LeadsListQuery,
  LinksListQuery,
  PayoutsListQuery,
  PayoutsGetQuery,
  PayoutsItemsQuery,
  PayoutAttemptsListQuery,
  PayoutBatchesListQuery,
  PayoutBatchesGetQuery,
  PayoutMethodsListQuery,
  PayoutScreeningsListQuery,
  PayoutExportsListQuery,
  PayoutExportsCheckQuery,
  PayoutExportsGetQuery,
  PayoutRunsListQuery,
  PayoutRunsItemsQuery,
  PayoutRunsReconcileQuery,
  ReferralsListQuery,
  ReferralsGetQuery,
  RefundsListQuery,
  RewardRulesListQuery,
  TiersListQuery,
  InvitationsListQuery,
  InvitationsGetQuery,
  InvitationsDeleteQuery,
  SalesListQuery,
  SalesGetQuery,
  SearchFindQuery,
  ApiRequestsListQuery,
  AuditLogListQuery,
  SiteCheckQuery,
  SiteTestVisitQuery,
  ConnectorsListQuery,
  ConnectionsListQuery,
  ImportsListQuery,
  ImportsRowsQuery,
  ShadowsListQuery,
  ShadowsSumsQuery,
  EmailTextsListQuery,
  PayoutRailsListQuery,
  WebhookDeliveriesListQuery,
  WebhookEndpointsListQuery,
  MembersListQuery,
} from './types.ts';

abstract class Resource {
  protected readonly connection: Connection;

  constructor(connection: Connection) {
    this.connection = connection;
  }
}

/** One coupon code per affiliate (legacy). New integrations should use promo codes. */
export class AffiliateCouponsResource extends Resource {
  /**
   * Retrieve an affiliate’s coupon.
   *
   * @deprecated
   */
  get(affiliateId: string, options?: RequestOptions): Promise<AffiliateCoupon> {
    return this.connection.send('GET', path`/api/v1/affiliates/${affiliateId}/coupon`, {}, options);
  }

  /**
   * Create an affiliate’s coupon. Creates a promotion code in Stripe for the campaign’s `psp_coupon_id`. If the
   * response is `OPERATION_PENDING`, repeat the same request.
   *
   * @deprecated
   */
  create(affiliateId: string, body: AffiliateCouponsCreateRequest = {}, options?: RequestOptions): Promise<AffiliateCoupon> {
    return this.connection.send('POST', path`/api/v1/affiliates/${affiliateId}/coupon`, { body }, options);
  }

  /**
   * Update an affiliate’s coupon. Replaces the code, or activates or deactivates it in Stripe.
   *
   * @deprecated
   */
  update(affiliateId: string, body: AffiliateCouponsUpdateRequest = {}, options?: RequestOptions): Promise<AffiliateCoupon> {
    return this.connection.send('PATCH', path`/api/v1/affiliates/${affiliateId}/coupon`, { body }, options);
  }

  /**
   * Delete an affiliate’s coupon. Deactivates the code in Stripe and stops tracking it. Sales already attributed
   * to it are not affected.
   *
   * @deprecated
   */
  delete(affiliateId: string, options?: RequestOptions): Promise<void> {
    return this.connection.send('DELETE', path`/api/v1/affiliates/${affiliateId}/coupon`, {}, options);
  }

  /**
   * Sync an affiliate’s coupon. Refreshes the coupon from Stripe. With `force`, recreates the code if it no longer
   * exists in Stripe.
   *
   * @deprecated
   */
  sync(affiliateId: string, body: AffiliateCouponsSyncRequest = {}, options?: RequestOptions): Promise<AffiliateCoupon> {
    return this.connection.send('POST', path`/api/v1/affiliates/${affiliateId}/coupon/sync`, { body }, options);
  }
}

/** Partners who promote your campaigns and earn commissions. */
export class AffiliatesResource extends Resource {
  /**
   * List affiliates. Returns affiliates that are not archived, or archived ones with `archived=true`, newest first
   * unless `sort` says otherwise.
   */
  list(query: AffiliatesListQuery = {}, options?: RequestOptions): List<Affiliate, AffiliatesListResponse> {
    return this.connection.list('/api/v1/affiliates', query, options);
  }

  /** Create an affiliate. Emits `affiliate.created`, and `affiliate.approved` if the affiliate is active. */
  create(body: AffiliatesCreateRequest, options?: RequestOptions): Promise<Affiliate> {
    return this.connection.send('POST', '/api/v1/affiliates', { body }, options);
  }

  /** Retrieve an affiliate. Also returns archived affiliates. */
  get(id: string, query: AffiliatesGetQuery = {}, options?: RequestOptions): Promise<Affiliate> {
    return this.connection.send('GET', path`/api/v1/affiliates/${id}`, { query }, options);
  }

  /**
   * Create or update an affiliate by your ID. Creates the affiliate with this `external_id`, or updates the given
   * fields of the affiliate who has it. An affiliate with the given email address and without an `external_id`
   * gets this one. Archived affiliates are not found. Emits the events of a creation or a change.
   */
  upsert(id: string, body: AffiliatesUpsertRequest, options?: RequestOptions): Promise<PlainAffiliate> {
    return this.connection.send('PUT', path`/api/v1/affiliates/${id}`, { body }, options);
  }

  /**
   * Update an affiliate. Updates the given fields. Emits `affiliate.approved` when the affiliate becomes active.
   * With `move_links`, the affiliate’s links and promo codes move to the new campaign; `left_behind` in the
   * response says what stays in the former one. `archived_at: null` restores an archived affiliate.
   */
  update(id: string, body: AffiliatesUpdateRequest = {}, options?: RequestOptions): Promise<Affiliate> {
    return this.connection.send('PATCH', path`/api/v1/affiliates/${id}`, { body }, options);
  }

  /**
   * Archive an affiliate. The affiliate stops earning and is no longer listed, but can still be retrieved.
   * Archiving an archived affiliate has no effect.
   */
  archive(id: string, options?: RequestOptions): Promise<void> {
    return this.connection.send('DELETE', path`/api/v1/affiliates/${id}`, {}, options);
  }

  /**
   * Retrieve the timeline of an affiliate. Returns the history of the affiliate, newest first: when they joined,
   * their first click and first sale, and the latest refunds and payouts. Test sales are left out.
   */
  timeline(id: string, options?: RequestOptions): Promise<AffiliateTimeline> {
    return this.connection.send('GET', path`/api/v1/affiliates/${id}/timeline`, {}, options);
  }

  /**
   * Create or update up to 100 affiliates. With `upsert`, an item updates the given fields of the affiliate with
   * its `external_id` or, if it has none, its email address. Each item has a transaction of its own, and a result.
   * An item that fails changes nothing for the others. With an `Idempotency-Key`, a repeated call returns the same
   * results, and continues after an interruption.
   */
  createMany(body: AffiliatesCreateManyRequest, options?: RequestOptions): Promise<AffiliatesBulk> {
    return this.connection.send('POST', '/api/v1/affiliates/bulk', { body }, options);
  }

  /**
   * Create a sign-in link to the portal. Returns a URL that opens the affiliate’s portal. The URL works once,
   * within 60 seconds. Use it for an “open my affiliate dashboard” button in your own application: create the link
   * when the button is clicked, and redirect to it. The portal stays open for 12 hours. It reads and shares:
   * payout details, name and address are changed only by the affiliate, after a sign-in.
   */
  createPortalLink(id: string, options?: RequestOptions): Promise<PortalSignInLink> {
    return this.connection.send('POST', path`/api/v1/affiliates/${id}/portal_link`, {}, options);
  }

  /**
   * Create a sign-in link to the portal, by email address or external ID. Does the same as `POST
   * /affiliates/{id}/portal_link`, but finds the affiliate by `external_id` or, if no affiliate has that
   * `external_id`, by `email`. If no affiliate is found, creates an active affiliate with a first link. The other
   * fields are used only for a new affiliate.
   */
  createPortalLinkByEmail(
    body: AffiliatesCreatePortalLinkByEmailRequest = {},
    options?: RequestOptions,
  ): Promise<PortalSignInLink> {
    return this.connection.send('POST', '/api/v1/affiliates/portal_link', { body }, options);
  }

  /**
   * Create a token that embeds the portal. Returns a token that is valid for an hour. With it, the loader
   * `/embed.js` shows the affiliate’s portal in a frame of your application. Set the sites that may embed the
   * portal in the portal settings. The portal reads and shares: payout details, name and address are changed only
   * by the affiliate, after a sign-in.
   */
  createEmbedToken(id: string, options?: RequestOptions): Promise<EmbedToken> {
    return this.connection.send('POST', path`/api/v1/affiliates/${id}/embed_token`, {}, options);
  }

  /**
   * Create a token that embeds the portal, by email address or external ID. Does the same as `POST
   * /affiliates/{id}/embed_token`, but finds the affiliate by `external_id` or, if no affiliate has that
   * `external_id`, by `email`. If no affiliate is found, creates an active affiliate with a first link. The other
   * fields are used only for a new affiliate.
   */
  createEmbedTokenByEmail(body: AffiliatesCreateEmbedTokenByEmailRequest = {}, options?: RequestOptions): Promise<EmbedToken> {
    return this.connection.send('POST', '/api/v1/affiliates/embed_token', { body }, options);
  }

  /**
   * Export the personal data of an affiliate. Returns everything that is stored about the affiliate, for a request
   * by the person.
   */
  personalData(id: string, options?: RequestOptions): Promise<PersonalData> {
    return this.connection.send('GET', path`/api/v1/affiliates/${id}/personal_data`, {}, options);
  }

  /**
   * Erase the personal data of an affiliate. Archives the affiliate and erases name, addresses, payout details,
   * answers and metadata in the record at once, and in events, deliveries, exports, the audit log and every other
   * copy within minutes. Commissions and payouts keep their amounts. Refused while an export or a run holds a
   * payout of the affiliate. Cannot be undone.
   */
  erase(id: string, options?: RequestOptions): Promise<Erased> {
    return this.connection.send('POST', path`/api/v1/affiliates/${id}/erase`, {}, options);
  }
}

/** API keys authenticate requests. Each has a map of permissions. */
export class ApiKeysResource extends Resource {
  /** List API keys. Returns API keys, including revoked and expired ones, newest first. */
  list(query: ApiKeysListQuery = {}, options?: RequestOptions): List<ApiKey, ApiKeysListResponse> {
    return this.connection.list('/api/v1/api_keys', query, options);
  }

  /**
   * Create an API key. The secret key is in `api_key` of the response and is returned only once. A key cannot have
   * permissions that its creator lacks, or outlive the API key that created it.
   */
  create(body: ApiKeysCreateRequest, options?: RequestOptions): Promise<CreatedApiKey> {
    return this.connection.send('POST', '/api/v1/api_keys', { body }, options);
  }

  /**
   * Revoke an API key. The key stops working. The record is kept, with `revoked_at` set. Revoking a revoked key
   * has no effect. A key can only revoke keys whose permissions it has itself.
   */
  revoke(id: string, options?: RequestOptions): Promise<RevokedApiKey> {
    return this.connection.send('DELETE', path`/api/v1/api_keys/${id}`, {}, options);
  }
}

/** Affiliates who wait for your decision, with their answers. */
export class ApplicationsResource extends Resource {
  /**
   * List applications. Returns the affiliates who wait for a decision, with their answers, oldest first. `state`
   * also returns decided applications.
   */
  list(query: ApplicationsListQuery = {}, options?: RequestOptions): List<Application, ApplicationsListResponse> {
    return this.connection.list('/api/v1/applications', query, options);
  }

  /**
   * Retrieve an application. Returns the answers of an affiliate and your note. Affiliates who never applied are
   * not found.
   */
  get(affiliateId: string, options?: RequestOptions): Promise<Application> {
    return this.connection.send('GET', path`/api/v1/applications/${affiliateId}`, {}, options);
  }

  /**
   * Approve or reject applications. Decides about up to 100 affiliates, who get an email with the note. Affiliates
   * who are no longer pending are skipped.
   */
  decide(body: ApplicationsDecideRequest, options?: RequestOptions): Promise<ApplicationsDecideResponse> {
    return this.connection.send('POST', '/api/v1/applications/decide', { body }, options);
  }
}

/** Files that affiliates can download in their portal. */
export class AssetsResource extends Resource {
  /**
   * List assets. Returns the files that affiliates can download in their portal, newest first, without their
   * contents.
   */
  list(query: AssetsListQuery = {}, options?: RequestOptions): List<Asset, AssetsListResponse> {
    return this.connection.list('/api/v1/assets', query, options);
  }

  /**
   * Create an asset. Makes a file available to all affiliates, e.g. a banner or a text: PNG, JPEG, WebP, GIF, SVG,
   * MP4, PDF, ZIP or text of at most 5 MiB. The type is detected from the content, and the extension of `name`
   * must match it. An account can have at most 50 assets.
   */
  create(body: AssetsCreateRequest, options?: RequestOptions): Promise<Asset> {
    return this.connection.send('POST', '/api/v1/assets', { body }, options);
  }

  /** Retrieve an asset. Includes the address of the file in `download_url`. */
  get(id: string, options?: RequestOptions): Promise<AssetFile> {
    return this.connection.send('GET', path`/api/v1/assets/${id}`, {}, options);
  }

  /** Delete an asset. Cannot be undone. */
  delete(id: string, options?: RequestOptions): Promise<void> {
    return this.connection.send('DELETE', path`/api/v1/assets/${id}`, {}, options);
  }

  /**
   * Upload an asset. Does the same as creating an asset, but takes the bytes of the file as the body of the
   * request, e.g. `curl --data-binary @banner.txt -H "Content-Type: text/plain"`. Four files of an account can
   * arrive at the same time.
   */
  upload(file: FileBody, query: AssetsUploadQuery, options?: RequestOptions): Promise<Asset> {
    return this.connection.send('POST', '/api/v1/assets/upload', { query, file }, options);
  }
}

/** Promotions with the terms under which affiliates earn commissions. */
export class CampaignsResource extends Resource {
  /** List campaigns. Returns campaigns that are not archived, or archived ones with `archived=true`, newest first. */
  list(query: CampaignsListQuery = {}, options?: RequestOptions): List<Campaign, CampaignsListResponse> {
    return this.connection.list('/api/v1/campaigns', query, options);
  }

  /**
   * Create a campaign. Requires `commission_percent` if `reward_type` is `percent`, or `commission_amount_cents`
   * if it is `fixed`. With `default`, replaces the previous default campaign.
   */
  create(body: CampaignsCreateRequest, options?: RequestOptions): Promise<Campaign> {
    return this.connection.send('POST', '/api/v1/campaigns', { body }, options);
  }

  /** Retrieve a campaign. Also returns archived campaigns. */
  get(id: string, query: CampaignsGetQuery = {}, options?: RequestOptions): Promise<CampaignDetail> {
    return this.connection.send('GET', path`/api/v1/campaigns/${id}`, { query }, options);
  }

  /**
   * Update a campaign. Updates the given fields. New terms apply to later sales; existing commissions do not
   * change. `archived_at: null` restores an archived campaign.
   */
  update(id: string, body: CampaignsUpdateRequest = {}, options?: RequestOptions): Promise<Campaign> {
    return this.connection.send('PATCH', path`/api/v1/campaigns/${id}`, { body }, options);
  }

  /**
   * Archive a campaign. The campaign’s affiliates stop earning. The campaign is no longer listed, but can still be
   * retrieved. Archiving an archived campaign has no effect.
   */
  archive(id: string, options?: RequestOptions): Promise<void> {
    return this.connection.send('DELETE', path`/api/v1/campaigns/${id}`, {}, options);
  }

  /**
   * Retrieve the timeline of a campaign. Returns what happened: referrals and commissions of the campaign, the
   * latest 50 of each kind, with their sales.
   */
  timeline(id: string, options?: RequestOptions): Promise<Timeline> {
    return this.connection.send('GET', path`/api/v1/campaigns/${id}/timeline`, {}, options);
  }
}

/** Amounts owed, records to review, daily figures. */
export class OverviewResource extends Resource {
  /**
   * Retrieve the overview. Returns the amounts owed to affiliates, the records that need review, the number of
   * affiliates in each state, and the latest events.
   */
  get(options?: RequestOptions): Promise<Overview> {
    return this.connection.send('GET', '/api/v1/overview', {}, options);
  }

  /**
   * Retrieve the commissions that fall due. Returns the pending commissions by currency and by the month in which
   * they fall due.
   */
  fallingDue(options?: RequestOptions): Promise<FallingDue> {
    return this.connection.send('GET', '/api/v1/overview/falling_due', {}, options);
  }

  /**
   * Retrieve the payouts that will be payable. Returns the live payouts that could be paid at a time, if nothing
   * else happens until then: the open payouts, with the commissions that become due, and what stands against
   * paying the others.
   */
  payable(query: OverviewPayableQuery, options?: RequestOptions): Promise<Payable> {
    return this.connection.send('GET', '/api/v1/overview/payable', { query }, options);
  }

  /**
   * Retrieve daily figures. Returns clicks, referrals, conversions, sales, commissions and payouts of each day, in
   * UTC.
   */
  daily(query: OverviewDailyQuery = {}, options?: RequestOptions): Promise<DailySeries> {
    return this.connection.send('GET', '/api/v1/overview/daily', { query }, options);
  }

  /**
   * Retrieve the affiliates with the highest sales. Ranks affiliates by their sales in a range of days, in one
   * currency.
   */
  topAffiliates(query: OverviewTopAffiliatesQuery, options?: RequestOptions): Promise<TopAffiliates> {
    return this.connection.send('GET', '/api/v1/overview/top_affiliates', { query }, options);
  }
}

/** Clicks, conversions, sales and earnings for a range of days, grouped by one dimension. */
export class AnalyticsResource extends Resource {
  /**
   * Retrieve analytics. Returns clicks, conversions, sales and earnings in a range of days, grouped by day,
   * affiliate, link, or origin of the clicks. Clicks of bots are not counted.
   */
  get(query: AnalyticsGetQuery = {}, options?: RequestOptions): Promise<AnalyticsReport> {
    return this.connection.send('GET', '/api/v1/analytics', { query }, options);
  }
}

/** Stripe promotion codes, each assigned to one affiliate. Writes are previews unless `dry_run` is `false`. */
export class PromoCodesResource extends Resource {
  /**
   * List an affiliate’s promo codes. Returns assignments, newest first. With `q`, also returns the Stripe
   * promotion codes with exactly that code and their owners; with `discounts`, also returns the valid Stripe
   * coupons. Requires a Stripe connection and an active affiliate in an active campaign.
   */
  list(
    affiliateId: string,
    query: PromoCodesListQuery = {},
    options?: RequestOptions,
  ): List<PromoCodeAssignment, PromoCodesListResponse> {
    return this.connection.list(path`/api/v1/affiliates/${affiliateId}/promo_codes`, query, options);
  }

  /**
   * Import or create a promo code. Imports the Stripe promotion code `psp_promotion_code_id`, or creates a new one
   * with `mode=create`. Returns a preview (200) unless `dry_run` is `false`, which requires an `Idempotency-Key`.
   * If the response is `OPERATION_PENDING`, repeat the request with the same key. Requires a Stripe connection and
   * an active affiliate in an active campaign.
   */
  assign(affiliateId: string, body: PromoCodesAssignRequest = {}, options?: RequestOptions): Promise<PromoCodeOutcome> {
    return this.connection.send('POST', path`/api/v1/affiliates/${affiliateId}/promo_codes`, { body }, options);
  }

  /**
   * List all promo codes. Returns the assignments of all affiliates, stopped ones included, newest first. Does not
   * ask Stripe.
   */
  listAll(query: PromoCodesListAllQuery = {}, options?: RequestOptions): List<PromoCodeAssignment, PromoCodesListAllResponse> {
    return this.connection.list('/api/v1/promo_codes', query, options);
  }

  /**
   * Assign a code of your own shop. Assigns a code that your own shop redeems to an affiliate. Needs no payment
   * provider. Report sales with the code as `promo_code`. A code of another affiliate, and a code whose tracking
   * was stopped, are refused (409).
   */
  create(body: PromoCodesCreateRequest, options?: RequestOptions): Promise<PromoCodeAssignment> {
    return this.connection.send('POST', '/api/v1/promo_codes', { body }, options);
  }

  /**
   * Assign up to 100 codes of your own shop. Each item has a transaction of its own, and a result. An item that
   * fails changes nothing for the others. With an `Idempotency-Key`, a repeated call returns the same results, and
   * continues after an interruption.
   */
  createMany(body: PromoCodesCreateManyRequest, options?: RequestOptions): Promise<PromoCodesBulk> {
    return this.connection.send('POST', '/api/v1/promo_codes/bulk', { body }, options);
  }

  /** Retrieve a promo code. Also returns stopped assignments. */
  get(id: string, options?: RequestOptions): Promise<PromoCodeAssignment> {
    return this.connection.send('GET', path`/api/v1/promo_codes/${id}`, {}, options);
  }

  /**
   * List pending operations on promo codes. Returns imports and creations whose outcome at Stripe is unknown,
   * oldest first. Repeat the request with the same `Idempotency-Key`, or resume the operation.
   */
  pending(query: PromoCodesPendingQuery = {}, options?: RequestOptions): Promise<PromoCodesPendingResponse> {
    return this.connection.send('GET', '/api/v1/promo_codes/operations', { query }, options);
  }

  /**
   * Resume a pending operation on a promo code. Finishes an import or a creation that somebody has begun: asks
   * Stripe for its outcome, and repeats it if necessary. Requires a Stripe connection and an active affiliate in
   * an active campaign.
   */
  resume(operationId: string, body: PromoCodesResumeRequest = {}, options?: RequestOptions): Promise<PromoCodeOutcome> {
    return this.connection.send('POST', path`/api/v1/promo_codes/operations/${operationId}/resume`, { body }, options);
  }

  /**
   * Refresh a promo code. Fetches the current state of the code from Stripe and, unless `dry_run` is `true`,
   * stores it. Requires a Stripe connection and an active affiliate in an active campaign.
   */
  refresh(
    affiliateId: string,
    id: string,
    body: PromoCodesRefreshRequest = {},
    options?: RequestOptions,
  ): Promise<PromoCodeOutcome> {
    return this.connection.send('PATCH', path`/api/v1/affiliates/${affiliateId}/promo_codes/${id}`, { body }, options);
  }

  /**
   * Stop tracking a promo code. Permanently stops tracking the code, unless `dry_run` is `true`. Stripe still
   * redeems the code, and sales already attributed to it are not affected.
   */
  stop(affiliateId: string, id: string, query: PromoCodesStopQuery = {}, options?: RequestOptions): Promise<PromoCodeOutcome> {
    return this.connection.send('DELETE', path`/api/v1/affiliates/${affiliateId}/promo_codes/${id}`, { query }, options);
  }
}

/** Amounts that affiliates earn from sales. A commission is pending, due, paid, or voided. */
export class CommissionsResource extends Resource {
  /** List commissions. Returns commissions of every state, newest first unless `sort` says otherwise. */
  list(query: CommissionsListQuery = {}, options?: RequestOptions): List<Commission, CommissionsListResponse> {
    return this.connection.list('/api/v1/commissions', query, options);
  }

  /**
   * Create a manual commission. For a bonus or a correction, positive or negative. It becomes due, joins the
   * affiliate’s open payout, and is paid and voided like any other commission. It is not linked to a sale. Emits
   * `commission.created` and, when it is due, `commission.due`.
   */
  create(body: CommissionsCreateRequest, options?: RequestOptions): Promise<Commission> {
    return this.connection.send('POST', '/api/v1/commissions', { body }, options);
  }

  /**
   * Retrieve the timeline of a commission. Returns what happened to the commission: the sale, refunds,
   * adjustments, and the payout.
   */
  timeline(id: string, options?: RequestOptions): Promise<Timeline> {
    return this.connection.send('GET', path`/api/v1/commissions/${id}/timeline`, {}, options);
  }

  /** Retrieve a commission. Includes the campaign and the sale. */
  get(id: string, query: CommissionsGetQuery = {}, options?: RequestOptions): Promise<Commission> {
    return this.connection.send('GET', path`/api/v1/commissions/${id}`, { query }, options);
  }

  /**
   * Update a commission. Set `paid_at` to mark the commission paid manually, or to `null` to make it pending or
   * due again, depending on its due date. A voided commission, or a commission in a claimed or paid payout, cannot
   * be marked paid or unpaid. The due date of an unpaid commission in a claimed payout cannot be changed.
   */
  update(id: string, body: CommissionsUpdateRequest = {}, options?: RequestOptions): Promise<Commission> {
    return this.connection.send('PATCH', path`/api/v1/commissions/${id}`, { body }, options);
  }

  /**
   * Void a commission. The record is kept. If the commission is already in a claimed or paid payout, that payout
   * does not change and a negative adjustment reduces the affiliate’s next payout. Emits `commission.voided`.
   * Voiding a voided commission has no effect.
   */
  void(id: string, query: CommissionsVoidQuery = {}, options?: RequestOptions): Promise<void> {
    return this.connection.send('DELETE', path`/api/v1/commissions/${id}`, { query }, options);
  }

  /**
   * Create up to 100 manual commissions. Each item has a transaction of its own, and a result. An item that fails
   * changes nothing for the others. With an `Idempotency-Key`, a repeated call returns the same results, and
   * continues after an interruption.
   */
  createMany(body: CommissionsCreateManyRequest, options?: RequestOptions): Promise<CommissionsBulk> {
    return this.connection.send('POST', '/api/v1/commissions/bulk', { body }, options);
  }

  /**
   * Review a commission. Approves, flags, or deactivates an unpaid commission, or has a paid bonus, reward for a
   * lead or milestone decided again. Other paid commissions and voided ones cannot be reviewed.
   */
  review(id: string, body: CommissionsReviewRequest, options?: RequestOptions): Promise<Commission> {
    return this.connection.send('POST', path`/api/v1/commissions/${id}/review`, { body }, options);
  }
}

/** People who were referred or who bought, with their referral and affiliate. */
export class CustomersResource extends Resource {
  /**
   * List customers. Returns customers, each with its referral and affiliate, newest first unless `sort` says
   * otherwise.
   */
  list(query: CustomersListQuery = {}, options?: RequestOptions): List<ListedCustomer, CustomersListResponse> {
    return this.connection.list('/api/v1/customers', query, options);
  }

  /**
   * Retrieve the timeline of a customer. Returns what happened to the customer: clicks, the conversion, sales,
   * refunds, commissions and their payouts.
   */
  timeline(id: string, options?: RequestOptions): Promise<Timeline> {
    return this.connection.send('GET', path`/api/v1/customers/${id}/timeline`, {}, options);
  }

  /** Retrieve a customer. Includes the affiliate. */
  get(id: string, options?: RequestOptions): Promise<ListedCustomer> {
    return this.connection.send('GET', path`/api/v1/customers/${id}`, {}, options);
  }

  /**
   * Update a customer. Updates the given fields. `external_id` is also the ID by which your reports name the
   * customer. Use `PATCH /referrals/{id}` to assign a customer to a referral.
   */
  update(id: string, body: CustomersUpdateRequest = {}, options?: RequestOptions): Promise<ListedCustomer> {
    return this.connection.send('PATCH', path`/api/v1/customers/${id}`, { body }, options);
  }

  /**
   * Create or update a customer by your ID. Creates the customer with this `external_id`, or updates the given
   * fields of the customer who has it. A customer with the given email address is the same person: the customer
   * gets the `external_id`, and two customers are merged.
   */
  upsert(id: string, body: CustomersUpsertRequest = {}, options?: RequestOptions): Promise<ListedCustomer> {
    return this.connection.send('PUT', path`/api/v1/customers/${id}`, { body }, options);
  }

  /**
   * List the identities of a customer. Returns every email address, Stripe customer ID and ID of yours by which
   * the customer is found. The list is complete and has no pages.
   */
  identities(id: string, options?: RequestOptions): Promise<CustomersIdentitiesResponse> {
    return this.connection.send('GET', path`/api/v1/customers/${id}/identities`, {}, options);
  }

  /**
   * Merge another customer into a customer. For two customers who are one person. Sales, referral and identities
   * of `customer_id` move to the customer in the path, who keeps its ID; the other one no longer exists.
   * Commissions of the sales are decided again. Cannot be undone. Emits `customer.merged`.
   */
  merge(id: string, body: CustomersMergeRequest, options?: RequestOptions): Promise<ListedCustomer> {
    return this.connection.send('POST', path`/api/v1/customers/${id}/merge`, { body }, options);
  }

  /**
   * Export the personal data of a customer. Returns everything that is stored about the customer, for a request by
   * the person.
   */
  personalData(id: string, options?: RequestOptions): Promise<PersonalData> {
    return this.connection.send('GET', path`/api/v1/customers/${id}/personal_data`, {}, options);
  }

  /**
   * Erase the personal data of a customer. Erases name, addresses and metadata in the record at once, and in
   * events, deliveries, the audit log and every other copy within minutes. Sales and commissions keep their
   * amounts. The record keeps its IDs, and later facts about them add no personal data. Cannot be undone.
   */
  erase(id: string, options?: RequestOptions): Promise<Erased> {
    return this.connection.send('POST', path`/api/v1/customers/${id}/erase`, {}, options);
  }
}

/** Changes of records, kept for 90 days, which the service posts to your webhook endpoints. */
export class EventsResource extends Resource {
  /**
   * List events. Returns the events of the last 90 days, newest first, whether or not a webhook endpoint received
   * them. Events of test deliveries are left out.
   */
  list(query: EventsListQuery = {}, options?: RequestOptions): List<Event, EventsListResponse> {
    return this.connection.list('/api/v1/events', query, options);
  }

  /** Retrieve an event. Also returns the events of test deliveries. */
  get(id: string, query: EventsGetQuery = {}, options?: RequestOptions): Promise<Event> {
    return this.connection.send('GET', path`/api/v1/events/${id}`, { query }, options);
  }
}

/** Referrals whose visitor signed up and has not paid. */
export class LeadsResource extends Resource {
  /**
   * List leads. Returns the referrals in the state `lead`: the visitor signed up and has not paid. Newest first
   * unless `sort` says otherwise.
   */
  list(query: LeadsListQuery = {}, options?: RequestOptions): List<Referral, LeadsListResponse> {
    return this.connection.list('/api/v1/leads', query, options);
  }

  /**
   * Report a lead from your server. Assigns the customer to the referral, which becomes a lead unless it converted
   * already. Unlike `POST /track/leads`, it proves who the customer is, so later commissions are not flagged.
   */
  create(body: LeadsCreateRequest, options?: RequestOptions): Promise<Referral> {
    return this.connection.send('POST', '/api/v1/leads', { body }, options);
  }
}

/** Tracked links that affiliates share. */
export class LinksResource extends Resource {
  /** List links. Returns links that are not archived, or archived ones with `archived=true`, newest first. */
  list(query: LinksListQuery = {}, options?: RequestOptions): List<Link, LinksListResponse> {
    return this.connection.list('/api/v1/links', query, options);
  }

  /**
   * Create a link. Without `token`, generates one from the affiliate’s name, or a random one if the campaign has
   * `private_tokens`.
   */
  create(body: LinksCreateRequest, options?: RequestOptions): Promise<Link> {
    return this.connection.send('POST', '/api/v1/links', { body }, options);
  }

  /** Retrieve a link. Also returns archived links. */
  get(id: string, options?: RequestOptions): Promise<Link> {
    return this.connection.send('GET', path`/api/v1/links/${id}`, {}, options);
  }

  /**
   * Update a link. Updates the given fields. Existing referrals keep their affiliate and campaign. `archived_at:
   * null` restores an archived link.
   */
  update(id: string, body: LinksUpdateRequest = {}, options?: RequestOptions): Promise<Link> {
    return this.connection.send('PATCH', path`/api/v1/links/${id}`, { body }, options);
  }

  /**
   * Archive a link. The link stops recording visits and is no longer listed, but still redirects. Archiving an
   * archived link has no effect.
   */
  archive(id: string, options?: RequestOptions): Promise<void> {
    return this.connection.send('DELETE', path`/api/v1/links/${id}`, {}, options);
  }

  /**
   * Retrieve the timeline of a link. Returns what happened: clicks and referrals of the link, the latest 50 of
   * each kind, with their sales and commissions.
   */
  timeline(id: string, options?: RequestOptions): Promise<Timeline> {
    return this.connection.send('GET', path`/api/v1/links/${id}/timeline`, {}, options);
  }

  /**
   * Create up to 100 links. Each item has a transaction of its own, and a result. An item that fails changes
   * nothing for the others. With an `Idempotency-Key`, a repeated call returns the same results, and continues
   * after an interruption.
   */
  createMany(body: LinksCreateManyRequest, options?: RequestOptions): Promise<LinksBulk> {
    return this.connection.send('POST', '/api/v1/links/bulk', { body }, options);
  }
}

/** Commissions of one affiliate in one currency that are paid together. */
export class PayoutsResource extends Resource {
  /**
   * List payouts. Returns payouts of every state, newest first unless `sort` says otherwise. With `eligible=true`,
   * returns all eligible live payouts as `{ "data": [...] }`, without pagination; with `livemode=false`, the
   * eligible test payouts.
   */
  list(query: PayoutsListQuery = {}, options?: RequestOptions): List<Payout, PayoutsListResponse> {
    return this.connection.list('/api/v1/payouts', query, options);
  }

  /**
   * Retrieve the timeline of a payout. Returns what happened to the payout: its commissions, and when it was
   * claimed, paid and returned.
   */
  timeline(id: string, options?: RequestOptions): Promise<Timeline> {
    return this.connection.send('GET', path`/api/v1/payouts/${id}/timeline`, {}, options);
  }

  /** Retrieve a payout. */
  get(id: string, query: PayoutsGetQuery = {}, options?: RequestOptions): Promise<Payout> {
    return this.connection.send('GET', path`/api/v1/payouts/${id}`, { query }, options);
  }

  /**
   * Update a payout. Changes your ID and your metadata of a payout in any state. To pay a payout, use `POST
   * /payouts/{id}/pay`.
   */
  update(id: string, body: PayoutsUpdateRequest = {}, options?: RequestOptions): Promise<Payout> {
    return this.connection.send('PATCH', path`/api/v1/payouts/${id}`, { body }, options);
  }

  /** List the commissions of a payout. Returns the commissions that the payout holds. A returned payout holds none. */
  items(id: string, query: PayoutsItemsQuery = {}, options?: RequestOptions): List<Commission, PayoutsItemsResponse> {
    return this.connection.list(path`/api/v1/payouts/${id}/items`, query, options);
  }

  /**
   * Mark a payout as paid. Marks the payout and its commissions as paid and emits `payout.paid`. Does not transfer
   * money. The payout must be open (`pending` or `due`) with an amount above zero; it does not have to be
   * eligible. Fails if it is claimed by an export or a run, or already paid.
   */
  pay(id: string, body: PayoutsPayRequest = {}, options?: RequestOptions): Promise<Payout> {
    return this.connection.send('POST', path`/api/v1/payouts/${id}/pay`, { body }, options);
  }

  /**
   * Return a payout. For a paid payout whose transfer bounced. Its commissions are due again and join the
   * affiliate’s open payout; the payout is kept as `returned`. Emits `payout.returned`. Returning a returned
   * payout has no effect. Fails with `not_paid` if the payout is not paid.
   */
  return(id: string, body: PayoutsReturnRequest, options?: RequestOptions): Promise<Payout> {
    return this.connection.send('POST', path`/api/v1/payouts/${id}/return`, { body }, options);
  }
}

/** Tries to pay payouts: what was sent by which method, and how it ended. */
export class PayoutAttemptsResource extends Resource {
  /**
   * List payout attempts. Returns attempts to pay payouts, newest first, whatever made them: a payment by hand, an
   * export, a run or a batch.
   */
  list(query: PayoutAttemptsListQuery = {}, options?: RequestOptions): List<ListedPayoutAttempt, PayoutAttemptsListResponse> {
    return this.connection.list('/api/v1/payout_attempts', query, options);
  }

  /** Retrieve a payout attempt. */
  get(id: string, options?: RequestOptions): Promise<PayoutAttempt> {
    return this.connection.send('GET', path`/api/v1/payout_attempts/${id}`, {}, options);
  }

  /**
   * Prepare payments. Claims eligible payouts, and pays them by a method whose payments the service sends. They
   * are sent after the response. Emits `payout.updated`.
   */
  prepare(body: PayoutAttemptsPrepareRequest, options?: RequestOptions): Promise<PreparedPayouts> {
    return this.connection.send('POST', '/api/v1/payout_attempts/prepare', { body }, options);
  }

  /**
   * Withdraw a prepared payment. Ends a payment that the service has prepared and not sent. Its payout is open
   * again.
   */
  withdraw(id: string, body: PayoutAttemptsWithdrawRequest = {}, options?: RequestOptions): Promise<PayoutAttempt> {
    return this.connection.send('POST', path`/api/v1/payout_attempts/${id}/withdraw`, { body }, options);
  }

  /**
   * Decide an unknown outcome. For a payment without an answer whose outcome the service can no longer find out
   * (`unknown`, with the reason `key_expired` or `amount_mismatch`). Look the payment up where it was sent first:
   * after `failed`, the payout can be paid again. Emits `payout.paid` or `payout.failed`.
   */
  decide(id: string, body: PayoutAttemptsDecideRequest, options?: RequestOptions): Promise<PayoutAttempt> {
    return this.connection.send('POST', path`/api/v1/payout_attempts/${id}/decide`, { body }, options);
  }

  /**
   * Retry a payment. Sends a payment without an answer again within a minute, with the same key. For a payment
   * that failed, makes a new attempt with the current address of the affiliate, which is returned. Its payout must
   * be eligible.
   */
  retry(id: string, options?: RequestOptions): Promise<PayoutAttempt> {
    return this.connection.send('POST', path`/api/v1/payout_attempts/${id}/retry`, {}, options);
  }

  /**
   * Call a payment back. Asks the service that pays to call a payment back that has not arrived, e.g. one that the
   * receiver has not claimed. The answer comes later: the attempt is then `returned`, or goes on.
   */
  cancel(id: string, options?: RequestOptions): Promise<PayoutAttempt> {
    return this.connection.send('POST', path`/api/v1/payout_attempts/${id}/cancel`, {}, options);
  }
}

/** Payments that the service sends together: prepare, approve, send, and withdraw. */
export class PayoutBatchesResource extends Resource {
  /**
   * List payout batches. Returns payments that the service sends together, newest first, with their totals and
   * fees.
   */
  list(query: PayoutBatchesListQuery = {}, options?: RequestOptions): List<ListedPayoutBatch, PayoutBatchesListResponse> {
    return this.connection.list('/api/v1/payout_batches', query, options);
  }

  /**
   * Create a payout batch. Claims the eligible payouts of all affiliates, or of `affiliate_ids`, for a method
   * whose payments the service sends. Nothing is sent before `POST /payout_batches/{id}/send`. With `dry_run`,
   * previews the batch.
   */
  create(body: PayoutBatchesCreateRequest, options?: RequestOptions): Promise<CreatedPayoutBatch> {
    return this.connection.send('POST', '/api/v1/payout_batches', { body }, options);
  }

  /** Retrieve a payout batch. Returns payments that the service sends together, with their totals and fees. */
  get(id: string, query: PayoutBatchesGetQuery = {}, options?: RequestOptions): Promise<PayoutBatch> {
    return this.connection.send('GET', path`/api/v1/payout_batches/${id}`, { query }, options);
  }

  /**
   * Approve a payout batch. Approves exactly the payments of now, for a signed-in person who did not prepare them
   * and has signed in within the last 15 minutes. An API key counts as the person who made it. Sends nothing.
   */
  approve(id: string, body: PayoutBatchesApproveRequest = {}, options?: RequestOptions): Promise<PayoutBatch> {
    return this.connection.send('POST', path`/api/v1/payout_batches/${id}/approve`, { body }, options);
  }

  /**
   * Send a payout batch. Has the service send the payments, after the response. If the account asks for a second
   * person (`needs_approval`), they must be approved first.
   */
  send(id: string, options?: RequestOptions): Promise<PayoutBatch> {
    return this.connection.send('POST', path`/api/v1/payout_batches/${id}/send`, {}, options);
  }

  /**
   * Withdraw a payout batch. Ends the payments that are not sent. Their payouts are open again. Payments that are
   * sent go on.
   */
  withdraw(id: string, options?: RequestOptions): Promise<PayoutBatch> {
    return this.connection.send('POST', path`/api/v1/payout_batches/${id}/withdraw`, {}, options);
  }
}

/** The ways in which affiliates are paid. Addresses are shown in part. */
export class PayoutMethodsResource extends Resource {
  /**
   * List payout methods. Returns the methods of affiliates, newest first. Methods that were removed are returned
   * with `retired=true`.
   */
  list(query: PayoutMethodsListQuery = {}, options?: RequestOptions): List<PayoutMethod, PayoutMethodsListResponse> {
    return this.connection.list('/api/v1/payout_methods', query, options);
  }

  /**
   * Add a payout method. Adds a way in which an affiliate is paid. The affiliate is told by email. Emits
   * `payout_method.created`. Fails if the affiliate has a method of the kind.
   */
  create(body: PayoutMethodsCreateRequest, options?: RequestOptions): Promise<PayoutMethod> {
    return this.connection.send('POST', '/api/v1/payout_methods', { body }, options);
  }

  /**
   * List the kinds of payout methods. Returns the kinds of methods to which affiliates can be paid now, with the
   * parts of their addresses. Bank accounts are among them once your own account is connected (`payout_rails`).
   */
  kinds(options?: RequestOptions): Promise<PayoutMethodsKindsResponse> {
    return this.connection.send('GET', '/api/v1/payout_methods/kinds', {}, options);
  }

  /** Retrieve a payout method. */
  get(id: string, options?: RequestOptions): Promise<PayoutMethod> {
    return this.connection.send('GET', path`/api/v1/payout_methods/${id}`, {}, options);
  }

  /**
   * Change a payout method. Changes the address. Payments that are prepared and not sent are withdrawn, and the
   * former address is told by email. Emits `payout_method.updated`.
   */
  update(id: string, body: PayoutMethodsUpdateRequest, options?: RequestOptions): Promise<PayoutMethod> {
    return this.connection.send('PATCH', path`/api/v1/payout_methods/${id}`, { body }, options);
  }

  /**
   * Remove a payout method. A removed method can still be retrieved. Removing it again has no effect. Emits
   * `payout_method.updated`.
   */
  retire(id: string, options?: RequestOptions): Promise<void> {
    return this.connection.send('DELETE', path`/api/v1/payout_methods/${id}`, {}, options);
  }

  /**
   * Open an account for an affiliate. Opens an account for an affiliate at a service that pays nobody without one.
   * It becomes the payout method of the affiliate. Makes a link where the affiliate enters what the service asks
   * for. For an affiliate who has one, makes another link. Emits `payout_method.created`.
   */
  openAccount(body: PayoutMethodsOpenAccountRequest, options?: RequestOptions): Promise<OpenedPayoutAccount> {
    return this.connection.send('POST', '/api/v1/payout_methods/open_account', { body }, options);
  }
}

/** Comparisons of affiliates with lists of people and companies that nobody may pay. */
export class PayoutScreeningsResource extends Resource {
  /**
   * List payout screenings. Returns comparisons of affiliates with lists of people and companies that nobody may
   * pay, newest first. There are none unless the account compares affiliates (`PUT
   * /api/settings/v1/payout_screening`).
   */
  list(query: PayoutScreeningsListQuery = {}, options?: RequestOptions): List<PayoutScreening, PayoutScreeningsListResponse> {
    return this.connection.list('/api/v1/payout_screenings', query, options);
  }

  /** Retrieve a payout screening. */
  get(id: string, options?: RequestOptions): Promise<PayoutScreening> {
    return this.connection.send('GET', path`/api/v1/payout_screenings/${id}`, {}, options);
  }

  /**
   * Release a payout screening. Lets an affiliate be paid in spite of a hit, for a signed-in person who has signed
   * in within the last 15 minutes. It ends when the name, a payout method or the matching entries change. Payments
   * that wait for it are sent.
   */
  release(id: string, body: PayoutScreeningsReleaseRequest, options?: RequestOptions): Promise<PayoutScreening> {
    return this.connection.send('POST', path`/api/v1/payout_screenings/${id}/release`, { body }, options);
  }

  /**
   * Retrieve the settings of payout screenings. Returns whether affiliates are compared with lists before they are
   * paid, and the lists that the operator of the installation has loaded.
   */
  settings(options?: RequestOptions): Promise<ScreeningSettings> {
    return this.connection.send('GET', '/api/settings/v1/payout_screening', {}, options);
  }

  /**
   * Change the settings of payout screenings. Has affiliates compared with lists before they are paid, or not any
   * more. Payouts wait until their affiliates are compared, usually for less than a minute. `null` needs a person
   * who has signed in within the last 15 minutes.
   */
  configure(body: PayoutScreeningsConfigureRequest, options?: RequestOptions): Promise<ScreeningSettings> {
    return this.connection.send('PUT', '/api/settings/v1/payout_screening', { body }, options);
  }
}

/** Files for paying many payouts outside the service, e.g. with PayPal or Wise. */
export class PayoutExportsResource extends Resource {
  /** List payout exports. Returns exports that are not deleted, newest first, without their files. */
  list(query: PayoutExportsListQuery = {}, options?: RequestOptions): List<PayoutExport, PayoutExportsListResponse> {
    return this.connection.list('/api/v1/payout_exports', query, options);
  }

  /**
   * Create a payout export. Claims payouts of one mode: those in `payout_ids`, or all eligible payouts. Until the
   * export is paid or deleted, the payouts cannot be paid in any other way, and new commissions go into the
   * affiliates’ next payouts. Fails and lists the affected payouts if a payout is not eligible, an affiliate has
   * no email address for the format (PayPal for `walleta`, Wise for `walletb`) or no bank account (`bank_sepa`,
   * `bank_ach`), a `walleta` export would mix currencies, or there are too many payouts (`walleta` 5,000,
   * `walletb` 1,000, `bank_sepa` and `bank_ach` 10,000, `csv` 100,000). With `leave_out_unpayable`, exports the
   * other payouts instead and names these in `left_out`.
   */
  create(body: PayoutExportsCreateRequest = {}, options?: RequestOptions): Promise<CreatedPayoutExport> {
    return this.connection.send('POST', '/api/v1/payout_exports', { body }, options);
  }

  /**
   * Retrieve the timeline of a payout export. Returns what happened: when its payouts were claimed, paid and
   * returned, the latest 50 of them.
   */
  timeline(id: string, options?: RequestOptions): Promise<Timeline> {
    return this.connection.send('GET', path`/api/v1/payout_exports/${id}/timeline`, {}, options);
  }

  /**
   * Check a payout export. Returns for each format which payouts an export created now would include, and which
   * ones a file of the format cannot pay, with the reason. Each payout in `payout_ids` must be eligible. Changes
   * nothing.
   */
  check(query: PayoutExportsCheckQuery = {}, options?: RequestOptions): Promise<PayoutExportCheck> {
    return this.connection.send('GET', '/api/v1/payout_exports/check', { query }, options);
  }

  /**
   * Retrieve a payout export. Includes the file in `filename` and `content`. The content is fixed when the export
   * is created; `export_format` returns the same payouts in another format. Also returns deleted exports.
   */
  get(id: string, query: PayoutExportsGetQuery = {}, options?: RequestOptions): Promise<PayoutExportFile> {
    return this.connection.send('GET', path`/api/v1/payout_exports/${id}`, { query }, options);
  }

  /**
   * Delete a payout export. Releases the payouts. Commissions earned since the export was created are added to
   * them. A paid export cannot be deleted. A deleted export is no longer listed, but can still be retrieved.
   * Deleting a deleted export has no effect.
   */
  release(id: string, options?: RequestOptions): Promise<PayoutExport> {
    return this.connection.send('DELETE', path`/api/v1/payout_exports/${id}`, {}, options);
  }

  /**
   * Take payouts out of a payout export. Releases payouts of an export that is not paid, as if they had never been
   * in it. `content` no longer has them, so send the bank the new file. If the bank has paid the former file
   * already, mark the export as paid instead.
   */
  takeOut(id: string, body: PayoutExportsTakeOutRequest, options?: RequestOptions): Promise<PayoutExport> {
    return this.connection.send('POST', path`/api/v1/payout_exports/${id}/take_out`, { body }, options);
  }

  /**
   * Approve a payout export. Approves exactly the payouts of the export, so that its file can be read, for a
   * signed-in person who did not create it and has signed in within the last 15 minutes. An API key counts as the
   * person who made it. Pays nothing.
   */
  approve(id: string, body: PayoutExportsApproveRequest = {}, options?: RequestOptions): Promise<PayoutExport> {
    return this.connection.send('POST', path`/api/v1/payout_exports/${id}/approve`, { body }, options);
  }

  /**
   * Mark a payout export as paid. Marks all payouts in the export and their commissions as paid, and emits
   * `payout.paid` for each payout. Does not transfer money. Checks all payouts again, and fails and lists those
   * that have changed since the export was created: the affiliate is not active, the payout details or the amount
   * have changed, or a commission was voided or flagged. If the money was sent already, set `already_sent`. An
   * export of up to 2,000 payouts is `paid` in the response. A larger one is returned as `paying` and finished in
   * the background; `paid_count` shows the progress.
   */
  pay(payoutExportId: string, body: PayoutExportsPayRequest = {}, options?: RequestOptions): Promise<PayoutExport> {
    return this.connection.send('POST', path`/api/v1/payout_exports/${payoutExportId}/payment`, { body }, options);
  }

  /**
   * Apply a report of the bank. Reads what your bank says about the payments of a `bank_sepa` export: what was
   * booked is marked as paid, what was rejected is open again, and what came back is returned. The rest stays as
   * it is, so several reports may follow one another. A report that is sent again changes nothing.
   */
  report(payoutExportId: string, body: PayoutExportsReportRequest, options?: RequestOptions): Promise<PayoutExportReport> {
    return this.connection.send('POST', path`/api/v1/payout_exports/${payoutExportId}/report`, { body }, options);
  }
}

/** Batches of payouts: create, execute, remediate, and reconcile. */
export class PayoutRunsResource extends Resource {
  /** List payout runs. Returns runs of every state without their items, newest first. */
  list(query: PayoutRunsListQuery = {}, options?: RequestOptions): List<PayoutRunSummary, PayoutRunsListResponse> {
    return this.connection.list('/api/v1/payout_runs', query, options);
  }

  /**
   * Create a payout run. Claims the eligible live payouts (with `livemode` false, the eligible test payouts) of
   * all affiliates, or of `affiliate_ids`. With `execute_now`, also marks them as paid. Repeating an
   * `idempotency_key` returns 200 with the current state of the existing run, or an error if other parameters
   * differ.
   */
  create(body: PayoutRunsCreateRequest = {}, options?: RequestOptions): Promise<PayoutRun> {
    return this.connection.send('POST', '/api/v1/payout_runs', { body }, options);
  }

  /** Retrieve a payout run. Returns the run without its items, which `GET /payout_runs/{id}/items` lists. */
  get(id: string, options?: RequestOptions): Promise<PayoutRunSummary> {
    return this.connection.send('GET', path`/api/v1/payout_runs/${id}`, {}, options);
  }

  /**
   * Retrieve the timeline of a payout run. Returns what happened: when its payouts were claimed, paid and
   * returned, the latest 50 of them.
   */
  timeline(id: string, options?: RequestOptions): Promise<Timeline> {
    return this.connection.send('GET', path`/api/v1/payout_runs/${id}/timeline`, {}, options);
  }

  /** List the items of a payout run. Returns the payouts of the run: failed items first, then oldest payouts first. */
  items(
    id: string,
    query: PayoutRunsItemsQuery = {},
    options?: RequestOptions,
  ): List<
    {
      /** ID of the payout. */
      payout_id: string;
      /** ID of the affiliate. */
      affiliate_id: string;
      /**
       * `planned`: the run has claimed or is about to claim the payout; `paid`; `returned`: the payout was paid, but
       * the transfer bounced; `failed`: the item has an issue, and its payout is open again; `excluded`: the item was
       * removed from the run, or its payout was claimed or paid elsewhere first; `canceled`: the payout was released
       * when the run was canceled.
       */
      state: PayoutRunItemState;
      /** Amount when the payout was claimed. */
      amount_cents: number;
      /** ISO 4217 currency code. */
      currency: string;
      /** Number of commissions. */
      commissions_count: number;
      /** Reason why the item failed. */
      issue: {
        /**
         * `missing_payout_details`: the affiliate has neither a PayPal (`walleta_email`) nor a Wise email address
         * (`walletb_email`). `affiliate_inactive`: the affiliate is not active or is archived.
         */
        code: PayoutRunIssue;
        /** Explanation for people. */
        message: string;
      } | null;
      /** Current details of the affiliate. */
      affiliate: {
        /** Email address. */
        email: string;
        /** First name. */
        first_name: string | null;
        /** Last name. */
        last_name: string | null;
      };
    },
    PayoutRunsItemsResponse
  > {
    return this.connection.list(path`/api/v1/payout_runs/${id}/items`, query, options);
  }

  /**
   * Execute a payout run. Checks every item again. Items that pass are marked as paid and emit `payout.paid`;
   * items that fail become issues, and their payouts are open again. With `async`, returns 202 and continues in
   * the background; `items_done` shows the progress. Repeat the call to read the current progress. Executing a
   * completed run returns it unchanged. Does not transfer money.
   */
  execute(id: string, body: PayoutRunsExecuteRequest = {}, options?: RequestOptions): Promise<PayoutRun> {
    return this.connection.send('PUT', path`/api/v1/payout_runs/${id}/execute`, { body }, options);
  }

  /**
   * Remediate a payout run. Handles the unpaid items of a run. `retry` checks failed items again and pays those
   * that pass; `exclude` removes failed items, or the planned items in `payout_ids`; `cancel` releases all unpaid
   * payouts.
   */
  remediate(id: string, body: PayoutRunsRemediateRequest, options?: RequestOptions): Promise<PayoutRun> {
    return this.connection.send('PUT', path`/api/v1/payout_runs/${id}/remediate`, { body }, options);
  }

  /**
   * Reconcile payouts. Returns the totals paid in the last `lookback_days` and, as `discrepancies`, inconsistent
   * amounts, claims, and states. `discrepancies` is empty if everything matches. Changes nothing.
   */
  reconcile(query: PayoutRunsReconcileQuery = {}, options?: RequestOptions): Promise<PayoutReconciliation> {
    return this.connection.send('GET', '/api/v1/payout_runs/reconcile', { query }, options);
  }
}

/** Visitors referred by affiliates, tracked until and after conversion. */
export class ReferralsResource extends Resource {
  /**
   * List referrals. Returns referrals, including deactivated and expired ones, newest first unless `sort` says
   * otherwise.
   */
  list(query: ReferralsListQuery = {}, options?: RequestOptions): List<Referral, ReferralsListResponse> {
    return this.connection.list('/api/v1/referrals', query, options);
  }

  /**
   * Create a referral. Visits through tracked links create referrals automatically. Emits `referral.created`, and
   * `referral.converted` if `conversion_state` is `conversion`.
   */
  create(body: ReferralsCreateRequest = {}, options?: RequestOptions): Promise<Referral> {
    return this.connection.send('POST', '/api/v1/referrals', { body }, options);
  }

  /**
   * Retrieve the timeline of a referral. Returns what happened to the referral: clicks, the conversion, sales,
   * refunds, commissions and their payouts.
   */
  timeline(id: string, options?: RequestOptions): Promise<Timeline> {
    return this.connection.send('GET', path`/api/v1/referrals/${id}/timeline`, {}, options);
  }

  /** Retrieve a referral. */
  get(id: string, query: ReferralsGetQuery = {}, options?: RequestOptions): Promise<Referral> {
    return this.connection.send('GET', path`/api/v1/referrals/${id}`, { query }, options);
  }

  /**
   * Update a referral. Updates the given fields. Emits `referral.converted` when `conversion_state` becomes
   * `conversion`. Assigning a customer also attributes the customer’s unattributed sales.
   */
  update(id: string, body: ReferralsUpdateRequest = {}, options?: RequestOptions): Promise<Referral> {
    return this.connection.send('PATCH', path`/api/v1/referrals/${id}`, { body }, options);
  }

  /**
   * Deactivate a referral. The referral stops earning; its existing commissions are not affected. To reactivate
   * it, set `deactivated_at` to `null`.
   */
  deactivate(id: string, options?: RequestOptions): Promise<void> {
    return this.connection.send('DELETE', path`/api/v1/referrals/${id}`, {}, options);
  }

  /**
   * Create up to 100 referrals. Each item has a transaction of its own, and a result. An item that fails changes
   * nothing for the others. With an `Idempotency-Key`, a repeated call returns the same results, and continues
   * after an interruption.
   */
  createMany(body: ReferralsCreateManyRequest, options?: RequestOptions): Promise<ReferralsBulk> {
    return this.connection.send('POST', '/api/v1/referrals/bulk', { body }, options);
  }
}

/** Refunds and lost disputes of sales, whether you or Stripe reported them. */
export class RefundsResource extends Resource {
  /**
   * List refunds. Returns the sales of which something was refunded, each with its refunds, whether you or Stripe
   * reported them. Newest sales first unless `sort` says otherwise. To report a refund, use `POST /track/refunds`.
   */
  list(query: RefundsListQuery = {}, options?: RequestOptions): List<RefundsOfSale, RefundsListResponse> {
    return this.connection.list('/api/v1/refunds', query, options);
  }

  /** Retrieve the refunds of a sale. Returns an empty list for a sale of which nothing was refunded. */
  get(saleId: string, options?: RequestOptions): Promise<RefundsOfSale> {
    return this.connection.send('GET', path`/api/v1/refunds/${saleId}`, {}, options);
  }
}

/**
 * Rules by which sales earn something else than the campaign’s base reward, e.g. by product, affiliate, or place
 * of the sale.
 */
export class RewardRulesResource extends Resource {
  /**
   * List reward rules. Returns rules that have not ended, or ended ones with `ended=true`, in the order in which
   * they decide: those of links, those of affiliates, then those of the campaign by position. What no rule decides
   * earns the base reward of the campaign.
   */
  list(query: RewardRulesListQuery = {}, options?: RequestOptions): List<RewardRule, RewardRulesListResponse> {
    return this.connection.list('/api/v1/reward_rules', query, options);
  }

  /**
   * Create a reward rule. The rule decides what sales charged from now on earn, whenever they are reported.
   * Earlier sales do not change, even if `from` is earlier.
   */
  create(body: RewardRulesCreateRequest, options?: RequestOptions): Promise<RewardRule> {
    return this.connection.send('POST', '/api/v1/reward_rules', { body }, options);
  }

  /** Retrieve a reward rule. Also returns ended rules. */
  get(id: string, options?: RequestOptions): Promise<RewardRule> {
    return this.connection.send('GET', path`/api/v1/reward_rules/${id}`, {}, options);
  }

  /**
   * Update a reward rule. Makes a new version of the rule for sales charged from now on. Earlier sales earn by the
   * version that was in force at their charge. The answer is 409 for an ended rule.
   */
  update(id: string, body: RewardRulesUpdateRequest = {}, options?: RequestOptions): Promise<RewardRule> {
    return this.connection.send('PATCH', path`/api/v1/reward_rules/${id}`, { body }, options);
  }

  /**
   * End a reward rule. The rule decides nothing about sales charged from now on. Commissions do not change. Ending
   * an ended rule has no effect.
   */
  end(id: string, options?: RequestOptions): Promise<void> {
    return this.connection.send('DELETE', path`/api/v1/reward_rules/${id}`, {}, options);
  }

  /**
   * Preview the reward of a sale. Returns what a sale would earn if it were charged now, and which rule decides
   * about each line. Records nothing. Caps count as unused.
   */
  preview(id: string, body: RewardRulesPreviewRequest, options?: RequestOptions): Promise<RewardsPreview> {
    return this.connection.send('POST', path`/api/v1/campaigns/${id}/rewards/preview`, { body }, options);
  }

  /**
   * Preview a change of rewards. Returns what the live sales of the last 30 days would have cost after a change of
   * the rules or the base reward, and by the rules as they are now. Changes nothing.
   */
  previewChange(id: string, body: RewardRulesPreviewChangeRequest = {}, options?: RequestOptions): Promise<RewardEffect> {
    return this.connection.send('POST', path`/api/v1/campaigns/${id}/rewards/preview_change`, { body }, options);
  }

  /**
   * List warnings about rules. Returns the reward rules of a campaign that can never match, each with the reason:
   * an earlier rule always decides, its conditions contradict each other, or what it names does not exist any
   * more. Also returns rules from which an earlier one takes sales, with the conditions of these.
   */
  warnings(id: string, options?: RequestOptions): Promise<RewardRulesWarningsResponse> {
    return this.connection.send('GET', path`/api/v1/campaigns/${id}/rewards/warnings`, {}, options);
  }

  /**
   * Reorder reward rules. Puts rules of a campaign into a new order. Of several rules that match, the first
   * decides.
   */
  reorder(body: RewardRulesReorderRequest, options?: RequestOptions): Promise<RewardRulesReorderResponse> {
    return this.connection.send('POST', '/api/v1/reward_rules/reorder', { body }, options);
  }
}

/** Levels that affiliates reach, e.g. in the month before a sale, so that reward rules pay them more. */
export class TiersResource extends Resource {
  /** List tiers. Returns tiers that have not ended, or ended ones with `ended=true`, newest first. */
  list(query: TiersListQuery = {}, options?: RequestOptions): List<Tier, TiersListResponse> {
    return this.connection.list('/api/v1/tiers', query, options);
  }

  /**
   * Create a tier. Affiliates have the tier at a charge if they reached `from` in the closed period before it. A
   * reward rule pays by it with `when.tier`. What a tier counts cannot be changed: end it, and create another one.
   */
  create(body: TiersCreateRequest, options?: RequestOptions): Promise<Tier> {
    return this.connection.send('POST', '/api/v1/tiers', { body }, options);
  }

  /** Retrieve a tier. Also returns ended tiers. */
  get(id: string, options?: RequestOptions): Promise<Tier> {
    return this.connection.send('GET', path`/api/v1/tiers/${id}`, {}, options);
  }

  /** Rename a tier. The answer is 409 for an ended tier. */
  update(id: string, body: TiersUpdateRequest, options?: RequestOptions): Promise<Tier> {
    return this.connection.send('PATCH', path`/api/v1/tiers/${id}`, { body }, options);
  }

  /**
   * End a tier. No affiliate has the tier at charges from now on. Commissions do not change. Ending an ended tier
   * has no effect.
   */
  end(id: string, options?: RequestOptions): Promise<void> {
    return this.connection.send('DELETE', path`/api/v1/tiers/${id}`, {}, options);
  }
}

/** Endpoints that record visits, leads, sales, and refunds. They are outside `/api/v1`. */
export class TrackingResource extends Resource {
  /**
   * Report a sale. Call this from your server for sales that Stripe does not report. Identify the referral, the
   * customer, or the promo code. Idempotent by `external_id`: reporting the same sale again returns 200 with the
   * same body. With another amount, tax, currency, or customer, it returns 409 with the stored sale in
   * `details.sale`: correct the sale with a refund, a manual commission, or `PATCH /referrals/{id}`.
   */
  recordSale(body: TrackingRecordSaleRequest, options?: RequestOptions): Promise<RecordedSale> {
    return this.connection.send('POST', '/track/sales', { body }, options);
  }

  /**
   * Report up to 100 sales. Each item has a transaction of its own, and a result. An item that fails changes
   * nothing for the others. With an `Idempotency-Key`, a repeated call returns the same results, and continues
   * after an interruption. A sale that was reported before is `unchanged`.
   */
  recordSales(body: TrackingRecordSalesRequest, options?: RequestOptions): Promise<SalesBulk> {
    return this.connection.send('POST', '/track/sales/bulk', { body }, options);
  }

  /**
   * Report a refund. Call this from your server for refunds that Stripe does not report. Reduces an unpaid
   * commission, or voids it on a full refund. A commission in a claimed or paid payout does not change; a negative
   * adjustment reduces the affiliate’s next payout. Idempotent by `refund_id`; with another amount, it returns 409
   * with the stored refund in `details.refund`.
   */
  recordRefund(body: TrackingRecordRefundRequest, options?: RequestOptions): Promise<RecordedSale> {
    return this.connection.send('POST', '/track/refunds', { body }, options);
  }

  /**
   * Report a visit. Called by the tracking script; CORS is enabled. Records a visit in the same way as a tracked
   * link, but without a redirect.
   */
  recordVisit(body: TrackingRecordVisitRequest, options?: RequestOptions): Promise<TrackedVisit> {
    return this.connection.send('POST', '/track/visits', { body }, options);
  }

  /**
   * Report a lead. Assigns a customer to a referral, which becomes a lead. Has no effect on a customer who has
   * paid or already has a referral.
   */
  recordLead(body: TrackingRecordLeadRequest, options?: RequestOptions): Promise<TrackedLead> {
    return this.connection.send('POST', '/track/leads', { body }, options);
  }
}

/** Invitations to join the account as a member or an affiliate. */
export class InvitationsResource extends Resource {
  /** List invitations. Returns invitations of every status, newest first. */
  list(query: InvitationsListQuery = {}, options?: RequestOptions): List<Invitation, InvitationsListResponse> {
    return this.connection.list('/api/v1/invitations', query, options);
  }

  /**
   * Create an invitation. Emails a link that can be used once within seven days. An email address can have one
   * pending invitation of each kind. Only a signed-in owner can invite an owner.
   */
  create(body: InvitationsCreateRequest, options?: RequestOptions): Promise<Invitation> {
    return this.connection.send('POST', '/api/v1/invitations', { body }, options);
  }

  /** Retrieve an invitation. */
  get(id: string, query: InvitationsGetQuery = {}, options?: RequestOptions): Promise<Invitation> {
    return this.connection.send('GET', path`/api/v1/invitations/${id}`, { query }, options);
  }

  /**
   * Accept, revoke, or update an invitation. A signed-in user can accept an invitation to their own email address;
   * all other changes require the role admin. With an API key, `user_id` names the user who accepts a member
   * invitation. Accepting an affiliate invitation creates an affiliate in the invitation’s campaign, or activates
   * the existing affiliate with this email address.
   */
  update(id: string, body: InvitationsUpdateRequest = {}, options?: RequestOptions): Promise<Invitation> {
    return this.connection.send('PATCH', path`/api/v1/invitations/${id}`, { body }, options);
  }

  /**
   * Delete an invitation. Permanently deletes the invitation; its link stops working. A resulting member or
   * affiliate is kept.
   */
  delete(id: string, query: InvitationsDeleteQuery = {}, options?: RequestOptions): Promise<void> {
    return this.connection.send('DELETE', path`/api/v1/invitations/${id}`, { query }, options);
  }

  /**
   * Resend an invitation. Emails a new link, valid for seven days; the previous link stops working. Limited to
   * once a minute: further requests return 429 with `Retry-After`.
   */
  resend(id: string, body: InvitationsResendRequest = {}, options?: RequestOptions): Promise<Invitation> {
    return this.connection.send('POST', path`/api/v1/invitations/${id}/resend`, { body }, options);
  }
}

/** Charges that customers paid, whether or not they earned a commission. */
export class SalesResource extends Resource {
  /**
   * List sales. Returns sales, whether or not they earned a commission, newest first unless `sort` says otherwise.
   * `no_commission_reason` says why a sale earned nothing, and with `expand=missing` what it lacked and what would
   * have made it count.
   */
  list(query: SalesListQuery = {}, options?: RequestOptions): List<SaleInList, SalesListResponse> {
    return this.connection.list('/api/v1/sales', query, options);
  }

  /**
   * Retrieve the timeline of a sale. Returns what happened to the sale: clicks, refunds, its commissions and their
   * payouts.
   */
  timeline(id: string, options?: RequestOptions): Promise<Timeline> {
    return this.connection.send('GET', path`/api/v1/sales/${id}/timeline`, {}, options);
  }

  /**
   * Retrieve a sale. With `expand=decision`, also explains who earns: the claims on the customer, the rule that
   * chose one of them, the terms, and the flags. With `expand=missing`, says of a sale without a commission what
   * it lacked, and what would have made it count.
   */
  get(id: string, query: SalesGetQuery = {}, options?: RequestOptions): Promise<DetailedSale> {
    return this.connection.send('GET', path`/api/v1/sales/${id}`, { query }, options);
  }

  /**
   * Update a sale. Changes your metadata of a sale, or corrects the amounts of a sale that you reported, e.g. of
   * an order that has grown since. The commission follows by the terms under which it was earned: an unpaid
   * commission gets the new amount, and an adjustment brings a claimed or paid commission up or down. The currency
   * cannot change, and the amounts of a sale that Stripe reported come from Stripe (409). With `dry_run`, previews
   * the change.
   */
  update(id: string, body: SalesUpdateRequest = {}, options?: RequestOptions): Promise<UpdatedSale> {
    return this.connection.send('PATCH', path`/api/v1/sales/${id}`, { body }, options);
  }

  /**
   * Reconsider a sale. Decides again about a sale that earned nothing, by the current state of the affiliate, the
   * campaign and the referral, and the current terms, instead of those at the time of the charge. Other facts
   * never do this. A sale that has earned a commission does not change, unless the commission was paid, later
   * facts gave the sale to another affiliate, and a person has voided the commission. The answer is 409 if another
   * sale of the customer would lose its commission. With `dry_run`, previews the decision.
   */
  reconsider(id: string, body: SalesReconsiderRequest = {}, options?: RequestOptions): Promise<ReconsideredSale> {
    return this.connection.send('POST', path`/api/v1/sales/${id}/reconsider`, { body }, options);
  }

  /**
   * Review a sale. Records that you have looked at a sale that needs a review (`expand=review`), and that its
   * money is right: the paid commission stands (`keep`), or the refunds of two reports are the same
   * (`same_refunds`). The sale and `reconcile` then no longer list it, until other facts are reported. No money
   * moves. If there is nothing to review, nothing changes.
   */
  review(id: string, body: SalesReviewRequest, options?: RequestOptions): Promise<ListedSale> {
    return this.connection.send('POST', path`/api/v1/sales/${id}/review`, { body }, options);
  }

  /**
   * Assign a sale to an affiliate. Names the affiliate, or the referral, who earns from a sale whose commission is
   * not paid. An unpaid commission of another affiliate is voided, and later facts do not undo the assignment.
   * Later sales of the same customer follow, unless their commissions are paid; `also` lists their new
   * commissions. Emits the events of every change. Fails if the commission of another affiliate is paid. Assigning
   * the sale to the same affiliate again changes no money. With `dry_run`, previews the assignment.
   */
  assign(id: string, body: SalesAssignRequest = {}, options?: RequestOptions): Promise<AssignedSale> {
    return this.connection.send('POST', path`/api/v1/sales/${id}/assign`, { body }, options);
  }
}

/** Finds records of every kind by an ID, a name, an email address, or a code. */
export class SearchResource extends Resource {
  /**
   * Search all records. Returns the records that match best: affiliates, customers, referrals, sales, commissions,
   * payouts, runs, links and promo codes.
   */
  find(query: SearchFindQuery, options?: RequestOptions): Promise<SearchResults> {
    return this.connection.send('GET', '/api/v1/search', { query }, options);
  }
}

/** The requests with API keys of the last days. */
export class ApiRequestsResource extends Resource {
  /**
   * List requests with API keys. Returns the requests of the last 7 days to `/api/v1`, `/api/settings/v1` and
   * `/track`, newest first. Bodies, queries and headers are not kept. A request is listed about a second after its
   * response. Read further pages by cursor.
   */
  list(query: ApiRequestsListQuery = {}, options?: RequestOptions): List<ApiRequest, ApiRequestsListResponse> {
    return this.connection.list('/api/settings/v1/api_requests', query, options);
  }
}

/** Changes, with the person or key that made them, and their time. */
export class AuditLogResource extends Resource {
  /** List the entries of the audit log. Returns the entries of the last 400 days, newest first. */
  list(query: AuditLogListQuery = {}, options?: RequestOptions): List<AuditEntry, AuditLogListResponse> {
    return this.connection.list('/api/settings/v1/audit_log', query, options);
  }
}

/** Clicks and visits as they arrive. */
export class ClicksResource extends Resource {
  /** List recent clicks. Returns up to 50 clicks and visits of the last 7 days, bots included, newest first. */
  recent(options?: RequestOptions): Promise<ClicksRecentResponse> {
    return this.connection.send('GET', '/api/settings/v1/site/recent_clicks', {}, options);
  }
}

/** Checks whether tracking works on your site. */
export class SiteResource extends Resource {
  /**
   * Check the tracking script on a page. Reads a page of your site, and says whether the tracking script on it
   * works.
   */
  check(query: SiteCheckQuery, options?: RequestOptions): Promise<SiteCheckResponse> {
    return this.connection.send('GET', '/api/settings/v1/site/check', { query }, options);
  }

  /** Retrieve a test visit. Returns how far a test visit has come: click, lead, sale and commission. */
  testVisit(query: SiteTestVisitQuery, options?: RequestOptions): Promise<SiteTestVisitResponse> {
    return this.connection.send('GET', '/api/settings/v1/site/test_visit', { query }, options);
  }

  /** Record a test sale. Records a sale in test mode for the referral of a test visit. */
  recordTestSale(body: SiteRecordTestSaleRequest, options?: RequestOptions): Promise<SiteRecordTestSaleResponse> {
    return this.connection.send('POST', '/api/settings/v1/site/test_sale', { body }, options);
  }
}

/** Access of AI assistants to the account, each with its own permissions. */
export class ConnectorsResource extends Resource {
  /** List connectors. Returns the connectors of AI assistants, revoked ones included, newest first. */
  list(query: ConnectorsListQuery = {}, options?: RequestOptions): List<Connector, ConnectorsListResponse> {
    return this.connection.list('/api/settings/v1/connectors', query, options);
  }

  /**
   * Create a connector. The token for the AI assistant is in `token` of the response and is returned only once. A
   * connector cannot have more permissions than the caller.
   */
  create(body: ConnectorsCreateRequest, options?: RequestOptions): Promise<CreatedConnector> {
    return this.connection.send('POST', '/api/settings/v1/connectors', { body }, options);
  }

  /** Retrieve a connector. Also returns revoked connectors. The token is not returned. */
  get(id: string, options?: RequestOptions): Promise<Connector> {
    return this.connection.send('GET', path`/api/settings/v1/connectors/${id}`, {}, options);
  }

  /** Update a connector. Updates the given fields. Changed permissions and limits apply within a second. */
  update(id: string, body: ConnectorsUpdateRequest = {}, options?: RequestOptions): Promise<Connector> {
    return this.connection.send('PATCH', path`/api/settings/v1/connectors/${id}`, { body }, options);
  }

  /**
   * Revoke a connector. The assistant loses access within a second. The connector can still be retrieved. Members
   * can revoke the connectors that they authorized themselves.
   */
  revoke(id: string, options?: RequestOptions): Promise<void> {
    return this.connection.send('DELETE', path`/api/settings/v1/connectors/${id}`, {}, options);
  }
}

/** Connections to accounts at payment providers. */
export class ConnectionsResource extends Resource {
  /** List connections. Returns the connections to all payment providers, newest first. */
  list(query: ConnectionsListQuery = {}, options?: RequestOptions): List<ProviderConnection, ConnectionsListResponse> {
    return this.connection.list('/api/settings/v1/connections', query, options);
  }

  /**
   * Add a connection. Connects the account to a further account at a payment provider, also of a kind that is
   * connected already. Checks the key, and stores it encrypted. Some sources have their endpoint created, or their
   * secret made (`GET /connections/sources`). For the others, create an endpoint at the provider that sends events
   * to `webhook_url`, and set its signing secret.
   */
  create(body: ConnectionsCreateRequest, options?: RequestOptions): Promise<ProviderConnectionWithSecret> {
    return this.connection.send('POST', '/api/settings/v1/connections', { body }, options);
  }

  /** List the sources that can be connected. Returns the kinds of sources, with the fields of their `credentials`. */
  sources(options?: RequestOptions): Promise<ConnectionsSourcesResponse> {
    return this.connection.send('GET', '/api/settings/v1/connections/sources', {}, options);
  }

  /** Retrieve a connection. */
  get(id: string, options?: RequestOptions): Promise<ProviderConnection> {
    return this.connection.send('GET', path`/api/settings/v1/connections/${id}`, {}, options);
  }

  /**
   * Set the signing secret of a connection. For 24 hours, events that are signed with the previous secret are also
   * accepted.
   */
  update(id: string, body: ConnectionsUpdateRequest = {}, options?: RequestOptions): Promise<ProviderConnectionWithSecret> {
    return this.connection.send('PATCH', path`/api/settings/v1/connections/${id}`, { body }, options);
  }

  /** Remove a connection. Deletes the stored key and secrets. Recorded sales and commissions stay. */
  remove(id: string, options?: RequestOptions): Promise<void> {
    return this.connection.send('DELETE', path`/api/settings/v1/connections/${id}`, {}, options);
  }

  /**
   * Renew the key of a connection. Replaces the key by a new key of the same account at the provider, e.g. before
   * it expires. Checks the new key, and stores it encrypted. The endpoint, the signing secret and your choices
   * stay.
   */
  renewKey(id: string, body: ConnectionsRenewKeyRequest, options?: RequestOptions): Promise<ProviderConnection> {
    return this.connection.send('PUT', path`/api/settings/v1/connections/${id}/credentials`, { body }, options);
  }
}

/** The connection of the account to Stripe, and the events that arrive by it. */
export class PspConnectionResource extends Resource {
  /**
   * Retrieve the connection to Stripe. Returns the connection, without its secrets. `connected` is false if there
   * is none.
   */
  get(options?: RequestOptions): Promise<PspConnection> {
    return this.connection.send('GET', '/api/settings/v1/psp_connection', {}, options);
  }

  /**
   * Connect the account to Stripe. Checks the key with Stripe, stores it encrypted, and replaces an earlier
   * connection. Without `webhook_secret`, the service creates the webhook endpoint in Stripe. Events that arrived
   * before are handled now.
   */
  connect(body: PspConnectionConnectRequest, options?: RequestOptions): Promise<PspConnection> {
    return this.connection.send('PUT', '/api/settings/v1/psp_connection', { body }, options);
  }

  /** Update the settings of the connection. Updates the given fields. The secret key does not change. */
  update(body: PspConnectionUpdateRequest = {}, options?: RequestOptions): Promise<PspConnection> {
    return this.connection.send('PATCH', '/api/settings/v1/psp_connection', { body }, options);
  }

  /**
   * Disconnect the account from Stripe. Deletes the stored secrets. Recorded sales and commissions stay. The
   * settings are kept for the next connection.
   */
  disconnect(options?: RequestOptions): Promise<void> {
    return this.connection.send('DELETE', '/api/settings/v1/psp_connection', {}, options);
  }

  /**
   * Retrieve the last events from Stripe. Returns when the account last received an event from Stripe, in live and
   * in test mode.
   */
  lastEvents(options?: RequestOptions): Promise<PspConnectionLastEventsResponse> {
    return this.connection.send('GET', '/api/settings/v1/psp_connection/last_events', {}, options);
  }

  /**
   * List products and prices. Returns the products and prices at all connected payment providers, to choose them
   * by name in reward rules. They are at most a minute old. Empty if no provider is connected.
   */
  catalog(options?: RequestOptions): Promise<PspCatalog> {
    return this.connection.send('GET', '/api/settings/v1/psp_connection/catalog', {}, options);
  }

  /**
   * Retrieve the activity of the connection. Returns what the service made of recent events from Stripe, and which
   * of them it could not handle.
   */
  activity(options?: RequestOptions): Promise<PspConnectionActivityResponse> {
    return this.connection.send('GET', '/api/settings/v1/psp_connection/activity', {}, options);
  }

  /**
   * Retrieve the webhook endpoint in Stripe. Asks Stripe for the endpoint that sends events to this service, and
   * for the permissions that the key lacks.
   */
  endpoint(options?: RequestOptions): Promise<PspEndpointStatus> {
    return this.connection.send('GET', '/api/settings/v1/psp_connection/endpoint', {}, options);
  }

  /**
   * Repair the webhook endpoint in Stripe. Creates the endpoint again, enables it, or subscribes it to the missing
   * event types.
   */
  repairEndpoint(options?: RequestOptions): Promise<PspEndpointStatus> {
    return this.connection.send('POST', '/api/settings/v1/psp_connection/repair_endpoint', {}, options);
  }

  /**
   * Start a test purchase. Opens a checkout in the test mode of Stripe that names the newest link that can earn.
   * Pay there with a test card, e.g. 4242 4242 4242 4242. Needs a key of test mode with the permission Checkout
   * Sessions (write). After a lost answer (409 `OPERATION_PENDING`), the same request gives the same checkout.
   */
  startTestPurchase(options?: RequestOptions): Promise<StartedTestPurchase> {
    return this.connection.send('POST', '/api/settings/v1/psp_connection/test_purchases', {}, options);
  }

  /**
   * Retrieve a test purchase. Returns how far a test purchase has come: its checkout, its payment, and the
   * commission.
   */
  testPurchase(id: string, options?: RequestOptions): Promise<TestPurchase> {
    return this.connection.send('GET', path`/api/settings/v1/psp_connection/test_purchases/${id}`, {}, options);
  }

  /**
   * Replace the signing secret of the connection. For 24 hours, events that are signed with the previous secret
   * are also accepted.
   */
  rotateWebhookSecret(body: PspConnectionRotateWebhookSecretRequest, options?: RequestOptions): Promise<PspConnection> {
    return this.connection.send('POST', '/api/settings/v1/psp_connection/rotate_webhook_secret', { body }, options);
  }
}

/** Moves of programs from other tools. */
export class ImportsResource extends Resource {
  /** List imports. Returns imports, newest first. */
  list(query: ImportsListQuery = {}, options?: RequestOptions): List<Import, ImportsListResponse> {
    return this.connection.list('/api/settings/v1/imports', query, options);
  }

  /**
   * Begin an import. Reads campaigns, affiliates, links, customers, codes, commissions and payouts of another tool
   * in the background, and checks them. Makes nothing until you run the import: until then its `counts` and rows
   * are the dry run.
   */
  create(body: ImportsCreateRequest, options?: RequestOptions): Promise<Import> {
    return this.connection.send('POST', '/api/settings/v1/imports', { body }, options);
  }

  /** Retrieve an import. */
  get(id: string, options?: RequestOptions): Promise<Import> {
    return this.connection.send('GET', path`/api/settings/v1/imports/${id}`, {}, options);
  }

  /** List the records of an import. Returns what was read, in its order, and what becomes of each record. */
  rows(id: string, query: ImportsRowsQuery = {}, options?: RequestOptions): List<ImportRow, ImportsRowsResponse> {
    return this.connection.list(path`/api/settings/v1/imports/${id}/rows`, query, options);
  }

  /**
   * Add a part of a file. Adds text at the end of a file of a draft. The files of an import have at most 50 MiB
   * together. `files` of the import says how much has arrived, so that you can go on after a cut connection. Run
   * the import when all files are complete: it is then read, and makes nothing.
   */
  addPart(id: string, body: ImportsAddPartRequest, options?: RequestOptions): Promise<Import> {
    return this.connection.send('POST', path`/api/settings/v1/imports/${id}/parts`, { body }, options);
  }

  /**
   * Run an import. Reads a draft, so that you see what it would make. Otherwise makes the records in the
   * background, without emails and webhooks. Goes on with an import that was stopped or has failed. An import that
   * is done reads its source again, and makes what is new there. Commissions and payouts that have changed there
   * are made again, unless they were paid here. Other records that exist are not changed.
   */
  run(id: string, body: ImportsRunRequest = {}, options?: RequestOptions): Promise<Import> {
    return this.connection.send('POST', path`/api/settings/v1/imports/${id}/run`, { body }, options);
  }

  /** Stop an import. Stops reading or making records. What was made stays. Run the import to go on. */
  stop(id: string, options?: RequestOptions): Promise<Import> {
    return this.connection.send('POST', path`/api/settings/v1/imports/${id}/stop`, {}, options);
  }

  /**
   * Undo an import. Removes all records that the import made, in the background. Those that have earned or were
   * used since stay, with the reason `in_use`.
   */
  undo(id: string, options?: RequestOptions): Promise<Import> {
    return this.connection.send('POST', path`/api/settings/v1/imports/${id}/undo`, {}, options);
  }
}

/** The time in which a former tool still decides and pays, and what this service would have paid. */
export class ShadowsResource extends Resource {
  /** Retrieve the shadow. */
  get(options?: RequestOptions): Promise<Shadow> {
    return this.connection.send('GET', '/api/settings/v1/shadow', {}, options);
  }

  /**
   * Begin a shadow. From now on, your former tool decides what sales earn, and pays: sales are recorded here and
   * earn nothing, payouts wait, and affiliates get no news by email. Imports keep their keys and read their tools
   * again each day, so that you can compare. With `since`, the former tool has decided from then on, and your
   * payment providers are asked for all payments since. An account that is a shadow already may get an earlier
   * beginning.
   */
  begin(body: ShadowsBeginRequest = {}, options?: RequestOptions): Promise<Shadow> {
    return this.connection.send('POST', '/api/settings/v1/shadow', { body }, options);
  }

  /**
   * End the shadow. Makes the switch: what is charged from now on earns here. Imports from tools read them once
   * more, in the background, so that everything is here that was decided there until now. Payouts wait until they
   * have.
   */
  end(body: ShadowsEndRequest = {}, options?: RequestOptions): Promise<Shadow> {
    return this.connection.send('POST', '/api/settings/v1/shadow/end', { body }, options);
  }

  /**
   * Compare with a former tool. Returns customers, newest first, with what the former tool and this service give
   * for each of their sales: imported ones, and those that the payment provider has told. Computed when it is
   * read, by the current terms of campaigns unless they have changed since; nothing is paid or stored.
   */
  list(query: ShadowsListQuery = {}, options?: RequestOptions): List<ShadowCustomer, ShadowsListResponse> {
    return this.connection.list('/api/settings/v1/shadows', query, options);
  }

  /**
   * Sum up the comparison with a former tool. Returns what the former tool and this service give, by affiliate,
   * month and currency, for the next 200 customers. Add the sums of all parts: pass `next` as `after` until it is
   * `null`.
   */
  sums(query: ShadowsSumsQuery = {}, options?: RequestOptions): Promise<ShadowSums> {
    return this.connection.send('GET', '/api/settings/v1/shadows/sums', { query }, options);
  }
}

/** The API key or the signed-in person that sends a request. */
export class MeResource extends Resource {
  /** Retrieve the caller. Returns who sends the request, and with which permissions. */
  get(options?: RequestOptions): Promise<Caller> {
    return this.connection.send('GET', '/api/settings/v1/me', {}, options);
  }
}

/** Texts of the emails that affiliates get, in each language. */
export class EmailTextsResource extends Resource {
  /**
   * List the texts of emails to affiliates. Returns the texts of every email in a language: your own, or the
   * default ones. The list is complete and has no pages.
   */
  list(query: EmailTextsListQuery = {}, options?: RequestOptions): Promise<EmailTextsListResponse> {
    return this.connection.send('GET', '/api/settings/v1/email_texts', { query }, options);
  }

  /**
   * List addresses that get no emails. Returns the addresses of your affiliates and of invited people that do not
   * exist or whose owner reported an email as spam. The list has no pages.
   */
  listBlocked(options?: RequestOptions): Promise<EmailTextsListBlockedResponse> {
    return this.connection.send('GET', '/api/settings/v1/blocked_addresses', {}, options);
  }

  /**
   * Unblock an address. Makes an address get emails again: if it did not exist, from everybody; if its owner
   * reported an email as spam, from you. A new report blocks it again. At most 20 a day.
   */
  unblock(body: EmailTextsUnblockRequest, options?: RequestOptions): Promise<EmailTextsUnblockResponse> {
    return this.connection.send('POST', '/api/settings/v1/blocked_addresses/unblock', { body }, options);
  }

  /** Preview an email to affiliates. Returns the email with the given texts and example values. Stores nothing. */
  preview(mail: string, body: EmailTextsPreviewRequest, options?: RequestOptions): Promise<EmailTextsPreviewResponse> {
    return this.connection.send('POST', path`/api/settings/v1/email_texts/${mail}/preview`, { body }, options);
  }

  /**
   * Replace the texts of an email. Stores your own texts of an email in a language. Emails that were sent do not
   * change.
   */
  update(mail: string, body: EmailTextsUpdateRequest, options?: RequestOptions): Promise<EmailText> {
    return this.connection.send('PUT', path`/api/settings/v1/email_texts/${mail}`, { body }, options);
  }

  /** Start or stop sending an email. Only emails with `is_optional` can be stopped. */
  choose(mail: string, body: EmailTextsChooseRequest, options?: RequestOptions): Promise<EmailText> {
    return this.connection.send('PATCH', path`/api/settings/v1/email_texts/${mail}`, { body }, options);
  }

  /** Reset the texts of an email. Deletes your own texts of an email in a language, and returns the default ones. */
  reset(mail: string, body: EmailTextsResetRequest = {}, options?: RequestOptions): Promise<EmailText> {
    return this.connection.send('POST', path`/api/settings/v1/email_texts/${mail}/reset`, { body }, options);
  }

  /**
   * Send an email with example values to yourself. Only signed-in members can send it, because an API key has no
   * email address.
   */
  sendTest(mail: string, body: EmailTextsSendTestRequest = {}, options?: RequestOptions): Promise<EmailTextsSendTestResponse> {
    return this.connection.send('POST', path`/api/settings/v1/email_texts/${mail}/test`, { body }, options);
  }
}

/** Accounts at services that pay affiliates. */
export class PayoutRailsResource extends Resource {
  /** List payout rails. Returns the connected accounts at services that pay affiliates, newest first. */
  list(query: PayoutRailsListQuery = {}, options?: RequestOptions): List<PayoutRail, PayoutRailsListResponse> {
    return this.connection.list('/api/settings/v1/payout_rails', query, options);
  }

  /**
   * Connect a payout rail. Connects your account at a service that pays affiliates. Checks the credentials there,
   * stores them encrypted, and has the service send its notices. Connecting the same account again replaces its
   * credentials and continues its payments.
   */
  create(body: PayoutRailsCreateRequest, options?: RequestOptions): Promise<PayoutRail> {
    return this.connection.send('POST', '/api/settings/v1/payout_rails', { body }, options);
  }

  /**
   * List the services that can be connected. Returns the kinds of services that pay affiliates, with the fields of
   * their `credentials`.
   */
  kinds(options?: RequestOptions): Promise<PayoutRailsKindsResponse> {
    return this.connection.send('GET', '/api/settings/v1/payout_rails/kinds', {}, options);
  }

  /** Retrieve a payout rail. */
  get(id: string, options?: RequestOptions): Promise<PayoutRail> {
    return this.connection.send('GET', path`/api/settings/v1/payout_rails/${id}`, {}, options);
  }

  /**
   * Remove a payout rail. Deletes the stored credentials. Payments that are not sent wait for another rail of the
   * kind. Those under way are followed again when the same account is connected again.
   */
  remove(id: string, options?: RequestOptions): Promise<void> {
    return this.connection.send('DELETE', path`/api/settings/v1/payout_rails/${id}`, {}, options);
  }

  /**
   * Resume a payout rail. Has payments sent again that wait because of the `problem` of the rail. Correct the
   * cause first.
   */
  resume(id: string, options?: RequestOptions): Promise<PayoutRail> {
    return this.connection.send('POST', path`/api/settings/v1/payout_rails/${id}/resume`, {}, options);
  }
}

/** The clock of test mode, and its data. */
export class TestModeResource extends Resource {
  /** Retrieve the test clock. Only in test mode. */
  clock(options?: RequestOptions): Promise<TestClock> {
    return this.connection.send('GET', '/api/settings/v1/test_clock', {}, options);
  }

  /**
   * Move the test clock forward. Only in test mode. Moves the dates of all test records closer: commissions fall
   * due, referrals and invitations expire, and webhook deliveries are attempted again.
   */
  advanceClock(body: TestModeAdvanceClockRequest = {}, options?: RequestOptions): Promise<TestClock> {
    return this.connection.send('POST', '/api/settings/v1/test_clock/advance', { body }, options);
  }

  /**
   * Copy campaigns from live mode. Only in test mode, for members and keys without a mode. Copies the live
   * campaigns that are not archived, with their tiers and the reward rules that are not for one affiliate or link.
   * Campaigns whose slug or `external_id` test mode already has are left as they are, so that repeating the call
   * changes nothing. Later changes of live campaigns are not copied. With `dry_run`, previews the copy.
   */
  copyCampaigns(body: TestModeCopyCampaignsRequest = {}, options?: RequestOptions): Promise<CopiedCampaigns> {
    return this.connection.send('POST', '/api/settings/v1/test_data/copy_campaigns', { body }, options);
  }

  /**
   * Delete all test data. Only in test mode. Deletes all records of test mode for good, and sets the test clock
   * back. Keeps API keys, webhook endpoints, the connection to Stripe and other settings. Live records are not
   * touched.
   */
  deleteData(options?: RequestOptions): Promise<DeletedTestData> {
    return this.connection.send('POST', '/api/settings/v1/test_data/delete', {}, options);
  }
}

/** Deliveries of events to endpoints, with every attempt. */
export class WebhookDeliveriesResource extends Resource {
  /**
   * List webhook deliveries. Returns the deliveries of the last 90 days, those of deleted endpoints included,
   * newest first.
   */
  list(query: WebhookDeliveriesListQuery = {}, options?: RequestOptions): List<WebhookDelivery, WebhookDeliveriesListResponse> {
    return this.connection.list('/api/settings/v1/webhook_deliveries', query, options);
  }

  /**
   * Retrieve a webhook delivery. Includes the request body and the attempts of the last 30 days, with their
   * responses.
   */
  get(id: string, options?: RequestOptions): Promise<WebhookDeliveryDetail> {
    return this.connection.send('GET', path`/api/settings/v1/webhook_deliveries/${id}`, {}, options);
  }

  /**
   * Retry a webhook delivery. Makes one extra attempt now, whatever the status of the delivery. The schedule of
   * attempts does not change. Fails if the endpoint is deleted.
   */
  retry(id: string, options?: RequestOptions): Promise<WebhookDeliveryDetail> {
    return this.connection.send('POST', path`/api/settings/v1/webhook_deliveries/${id}/retry`, {}, options);
  }

  /**
   * Send the events since a time again. For a receiver that was down. Events without a delivery to the endpoint,
   * or with failed ones only, get a new delivery. Pending deliveries get an extra attempt now. The endpoint must
   * be active.
   */
  resendSince(endpointId: string, body: WebhookDeliveriesResendSinceRequest, options?: RequestOptions): Promise<ResendSummary> {
    return this.connection.send('POST', path`/api/settings/v1/webhook_endpoints/${endpointId}/resend`, { body }, options);
  }
}

/** URLs that receive signed events. */
export class WebhookEndpointsResource extends Resource {
  /** List webhook endpoints. Returns endpoints that are not deleted, newest first. */
  list(query: WebhookEndpointsListQuery = {}, options?: RequestOptions): List<WebhookEndpoint, WebhookEndpointsListResponse> {
    return this.connection.list('/api/settings/v1/webhook_endpoints', query, options);
  }

  /**
   * Create a webhook endpoint. The signing secret is in `signing_secret` of the response and is returned only
   * once. An account has at most 100 endpoints.
   */
  create(body: WebhookEndpointsCreateRequest, options?: RequestOptions): Promise<WebhookEndpointWithSecret> {
    return this.connection.send('POST', '/api/settings/v1/webhook_endpoints', { body }, options);
  }

  /** Retrieve a webhook endpoint. Also returns deleted endpoints. */
  get(id: string, options?: RequestOptions): Promise<WebhookEndpoint> {
    return this.connection.send('GET', path`/api/settings/v1/webhook_endpoints/${id}`, {}, options);
  }

  /**
   * Update a webhook endpoint. Updates the given fields. `active: true` activates an endpoint that the service
   * deactivated.
   */
  update(id: string, body: WebhookEndpointsUpdateRequest = {}, options?: RequestOptions): Promise<WebhookEndpoint> {
    return this.connection.send('PATCH', path`/api/settings/v1/webhook_endpoints/${id}`, { body }, options);
  }

  /**
   * Delete a webhook endpoint. Pending deliveries are canceled. The endpoint is no longer listed, but it and its
   * deliveries can still be retrieved.
   */
  delete(id: string, options?: RequestOptions): Promise<void> {
    return this.connection.send('DELETE', path`/api/settings/v1/webhook_endpoints/${id}`, {}, options);
  }

  /**
   * Rotate the signing secret of a webhook endpoint. The new secret is in `signing_secret` of the response and is
   * returned only once. For 24 hours, deliveries are also signed with the previous secret.
   */
  rotateSecret(id: string, options?: RequestOptions): Promise<WebhookEndpointWithSecret> {
    return this.connection.send('POST', path`/api/settings/v1/webhook_endpoints/${id}/rotate_secret`, {}, options);
  }

  /**
   * Send a test event to a webhook endpoint. Posts a made-up event of the first subscribed type, with `"test":
   * true`, in one attempt. Works for inactive endpoints, too. Returns the delivery.
   */
  sendTest(id: string, options?: RequestOptions): Promise<WebhookDeliveryDetail> {
    return this.connection.send('POST', path`/api/settings/v1/webhook_endpoints/${id}/test`, {}, options);
  }
}

/** People with access to the account, and their roles. */
export class MembersResource extends Resource {
  /**
   * List members. Returns the members of the account, newest first. To add a member, create an invitation (`POST
   * /api/v1/invitations`).
   */
  list(query: MembersListQuery = {}, options?: RequestOptions): List<Member, MembersListResponse> {
    return this.connection.list('/api/settings/v1/members', query, options);
  }

  /** Retrieve a member. Returns a person with access to the account. */
  get(userId: string, options?: RequestOptions): Promise<Member> {
    return this.connection.send('GET', path`/api/settings/v1/members/${userId}`, {}, options);
  }

  /**
   * Change the role of a member. Only an owner can make or demote an owner, and the last owner keeps the role. An
   * API key needs all permissions of the new role.
   */
  updateRole(userId: string, body: MembersUpdateRoleRequest, options?: RequestOptions): Promise<Member> {
    return this.connection.send('PATCH', path`/api/settings/v1/members/${userId}`, { body }, options);
  }

  /**
   * Remove a member. The person loses access to the account, and the AI assistants that they connected to it are
   * revoked. Only an owner can remove an owner, and the last owner cannot be removed.
   */
  remove(userId: string, options?: RequestOptions): Promise<void> {
    return this.connection.send('DELETE', path`/api/settings/v1/members/${userId}`, {}, options);
  }

  /** Remove the second factor of a member. For a member who lost the device. Only signed-in owners can remove it. */
  removeSecondFactor(userId: string, options?: RequestOptions): Promise<Member> {
    return this.connection.send('POST', path`/api/settings/v1/members/${userId}/remove_second_factor`, {}, options);
  }
}

/** Settings of sign-up pages and of the portal: brand, approval, questions, terms, host name. */
export class PortalSettingsResource extends Resource {
  /**
   * Retrieve the portal settings. Returns the settings of sign-up pages and the portal: brand, approval,
   * questions, terms, host name.
   */
  get(options?: RequestOptions): Promise<PortalSettings> {
    return this.connection.send('GET', '/api/settings/v1/portal_settings', {}, options);
  }

  /** Update the portal settings. Updates the given fields. `terms` publishes a new version of the terms. */
  update(body: PortalSettingsUpdateRequest = {}, options?: RequestOptions): Promise<PortalSettings> {
    return this.connection.send('PATCH', '/api/settings/v1/portal_settings', { body }, options);
  }

  /**
   * Check the host name of the portal. Requests a check, which is made within seconds. `portal_host` of the
   * settings then has the result.
   */
  checkHost(options?: RequestOptions): Promise<PortalSettings> {
    return this.connection.send('POST', '/api/settings/v1/portal_settings/check_host', {}, options);
  }

  /** Set the logo. Affiliates see the logo on sign-up pages, in the portal and in emails. */
  setLogo(body: PortalSettingsSetLogoRequest, options?: RequestOptions): Promise<PortalSettings> {
    return this.connection.send('PUT', '/api/settings/v1/portal_settings/logo', { body }, options);
  }

  /** Remove the logo. Affiliates see the name of the account instead. */
  removeLogo(options?: RequestOptions): Promise<void> {
    return this.connection.send('DELETE', '/api/settings/v1/portal_settings/logo', {}, options);
  }

  /**
   * Upload the logo. Does the same as setting the logo, but takes the bytes of the image as the body of the
   * request.
   */
  uploadLogo(file: FileBody, options?: RequestOptions): Promise<PortalSettings> {
    return this.connection.send('PUT', '/api/settings/v1/portal_settings/logo/upload', { file }, options);
  }
}

/**
 * The affiliate program of an account.
 *
 *     const program = new AffiliateProgram({ url, apiKey, accountId });
 *     const affiliate = await program.affiliates.create({ email: 'ada@example.com' });
 */
export class AffiliateProgram {
  readonly affiliateCoupons: AffiliateCouponsResource;
  readonly affiliates: AffiliatesResource;
  readonly apiKeys: ApiKeysResource;
  readonly applications: ApplicationsResource;
  readonly assets: AssetsResource;
  readonly campaigns: CampaignsResource;
  readonly overview: OverviewResource;
  readonly analytics: AnalyticsResource;
  readonly promoCodes: PromoCodesResource;
  readonly commissions: CommissionsResource;
  readonly customers: CustomersResource;
  readonly events: EventsResource;
  readonly leads: LeadsResource;
  readonly links: LinksResource;
  readonly payouts: PayoutsResource;
  readonly payoutAttempts: PayoutAttemptsResource;
  readonly payoutBatches: PayoutBatchesResource;
  readonly payoutMethods: PayoutMethodsResource;
  readonly payoutScreenings: PayoutScreeningsResource;
  readonly payoutExports: PayoutExportsResource;
  readonly payoutRuns: PayoutRunsResource;
  readonly referrals: ReferralsResource;
  readonly refunds: RefundsResource;
  readonly rewardRules: RewardRulesResource;
  readonly tiers: TiersResource;
  readonly tracking: TrackingResource;
  readonly invitations: InvitationsResource;
  readonly sales: SalesResource;
  readonly search: SearchResource;
  readonly apiRequests: ApiRequestsResource;
  readonly auditLog: AuditLogResource;
  readonly clicks: ClicksResource;
  readonly site: SiteResource;
  readonly connectors: ConnectorsResource;
  readonly connections: ConnectionsResource;
  readonly pspConnection: PspConnectionResource;
  readonly imports: ImportsResource;
  readonly shadows: ShadowsResource;
  readonly me: MeResource;
  readonly emailTexts: EmailTextsResource;
  readonly payoutRails: PayoutRailsResource;
  readonly testMode: TestModeResource;
  readonly webhookDeliveries: WebhookDeliveriesResource;
  readonly webhookEndpoints: WebhookEndpointsResource;
  readonly members: MembersResource;
  readonly portalSettings: PortalSettingsResource;

  constructor(options: ConnectionOptions) {
    const connection = new Connection(options);
    this.affiliateCoupons = new AffiliateCouponsResource(connection);
    this.affiliates = new AffiliatesResource(connection);
    this.apiKeys = new ApiKeysResource(connection);
    this.applications = new ApplicationsResource(connection);
    this.assets = new AssetsResource(connection);
    this.campaigns = new CampaignsResource(connection);
    this.overview = new OverviewResource(connection);
    this.analytics = new AnalyticsResource(connection);
    this.promoCodes = new PromoCodesResource(connection);
    this.commissions = new CommissionsResource(connection);
    this.customers = new CustomersResource(connection);
    this.events = new EventsResource(connection);
    this.leads = new LeadsResource(connection);
    this.links = new LinksResource(connection);
    this.payouts = new PayoutsResource(connection);
    this.payoutAttempts = new PayoutAttemptsResource(connection);
    this.payoutBatches = new PayoutBatchesResource(connection);
    this.payoutMethods = new PayoutMethodsResource(connection);
    this.payoutScreenings = new PayoutScreeningsResource(connection);
    this.payoutExports = new PayoutExportsResource(connection);
    this.payoutRuns = new PayoutRunsResource(connection);
    this.referrals = new ReferralsResource(connection);
    this.refunds = new RefundsResource(connection);
    this.rewardRules = new RewardRulesResource(connection);
    this.tiers = new TiersResource(connection);
    this.tracking = new TrackingResource(connection);
    this.invitations = new InvitationsResource(connection);
    this.sales = new SalesResource(connection);
    this.search = new SearchResource(connection);
    this.apiRequests = new ApiRequestsResource(connection);
    this.auditLog = new AuditLogResource(connection);
    this.clicks = new ClicksResource(connection);
    this.site = new SiteResource(connection);
    this.connectors = new ConnectorsResource(connection);
    this.connections = new ConnectionsResource(connection);
    this.pspConnection = new PspConnectionResource(connection);
    this.imports = new ImportsResource(connection);
    this.shadows = new ShadowsResource(connection);
    this.me = new MeResource(connection);
    this.emailTexts = new EmailTextsResource(connection);
    this.payoutRails = new PayoutRailsResource(connection);
    this.testMode = new TestModeResource(connection);
    this.webhookDeliveries = new WebhookDeliveriesResource(connection);
    this.webhookEndpoints = new WebhookEndpointsResource(connection);
    this.members = new MembersResource(connection);
    this.portalSettings = new PortalSettingsResource(connection);
  }
}
