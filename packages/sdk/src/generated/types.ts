// Generated from the contract by `pnpm generate`. Do not edit.

/**
 * The body of every error response. More codes may be added: handle an unknown code by the status of the
 * response.
 */
export type ErrorEnvelope =
  | MalformedJsonError
  | MalformedRequestError
  | MissingAccountIdError
  | InvalidSignatureError
  | UnauthorizedError
  | ForbiddenError
  | PayLimitExceededError
  | SecondFactorRequiredError
  | NotFoundError
  | MethodNotAllowedError
  | RequestTimeoutError
  | ConflictError
  | OperationPendingError
  | ReconciliationRequiredError
  | PreconditionFailedError
  | PayloadTooLargeError
  | UnsupportedMediaTypeError
  | ValidationError
  | PspNotConnectedError
  | RateLimitedError
  | HeadersTooLargeError
  | InternalError
  | UnavailableError
  | PspError;

/** Map of permission names to booleans. `{ "all": true }` grants every permission that is not set to `false`. */
export type Permissions = Partial<
  Record<
    | 'all'
    | 'v1.api_keys.read'
    | 'v1.api_keys.write'
    | 'mcp.api_keys.read'
    | 'mcp.api_keys.write'
    | 'v1.affiliates.read'
    | 'v1.affiliates.write'
    | 'mcp.affiliates.read'
    | 'mcp.affiliates.write'
    | 'v1.affiliate_coupons.read'
    | 'v1.affiliate_coupons.write'
    | 'mcp.affiliate_coupons.read'
    | 'mcp.affiliate_coupons.write'
    | 'v1.campaigns.read'
    | 'v1.campaigns.write'
    | 'mcp.campaigns.read'
    | 'mcp.campaigns.write'
    | 'v1.links.read'
    | 'v1.links.write'
    | 'mcp.links.read'
    | 'mcp.links.write'
    | 'v1.referrals.read'
    | 'v1.referrals.write'
    | 'mcp.referrals.read'
    | 'mcp.referrals.write'
    | 'v1.sales.read'
    | 'v1.sales.write'
    | 'mcp.sales.read'
    | 'mcp.sales.write'
    | 'v1.commissions.read'
    | 'v1.commissions.write'
    | 'mcp.commissions.read'
    | 'mcp.commissions.write'
    | 'v1.payouts.read'
    | 'v1.payouts.write'
    | 'mcp.payouts.read'
    | 'mcp.payouts.write'
    | 'v1.payout_exports.read'
    | 'v1.payout_exports.write'
    | 'mcp.payout_exports.read'
    | 'mcp.payout_exports.write'
    | 'v1.payout_runs.read'
    | 'v1.payout_runs.write'
    | 'mcp.payout_runs.read'
    | 'mcp.payout_runs.write'
    | 'v1.payout_outcomes.write'
    | 'mcp.payout_outcomes.write'
    | 'v1.invitations.read'
    | 'v1.invitations.write'
    | 'mcp.invitations.read'
    | 'mcp.invitations.write'
    | 'v1.portal_tokens.write'
    | 'settings.webhooks.read'
    | 'settings.webhooks.write'
    | 'settings.connectors.read'
    | 'settings.connectors.write'
    | 'settings.psp.read'
    | 'settings.psp.write'
    | 'settings.members.read'
    | 'settings.members.write'
    | 'settings.imports.read'
    | 'settings.imports.write',
    boolean
  >
>;

/** One fact, or several facts together. */
export type FactsDelivery = PaymentSeenDelivery | CustomerSeenDelivery | CodeSeenDelivery | FactBatch;

/** A fact of the type payment.seen. */
export interface PaymentSeenDelivery {
  /** Type of the fact. */
  type: 'payment.seen';
  /** Time of this snapshot. */
  timestamp: string;
  data: PaymentFact;
  /** `true` to check the facts only. Nothing is stored. Default: `false`. */
  dry_run?: boolean;
}

/** Everything that is known of one payment at this moment. */
export interface PaymentFact {
  /** All names of the payment, each with its kind in front. Any of them finds the payment again. */
  names: string[];
  /**
   * A number that rises with every change, e.g. the milliseconds since 1970 of the change. An older version
   * changes nothing.
   */
  version: number;
  /** `false` for a test. Tests and real payments never mix. */
  live: boolean;
  /** Null while nothing is paid. */
  charged?: {
    /** Amount with the tax in it, in the minor unit of the currency. */
    amount: number;
    /** The tax in `amount`. */
    tax?: number | null;
    /** ISO 4217 currency code. */
    currency: string;
    /** Time of the payment. */
    at: string;
  } | null;
  /** Default: `{"ids":[]}`. */
  payer?: FactPayer;
  /** Values from the checkout, or from your records, that say who sent the customer. Default: `[]`. */
  references?: FactReference[];
  /** All lines that were sold. Empty if they are not known. Default: `[]`. */
  lines?: FactLine[];
  /** Promotion codes that were redeemed. Default: `[]`. */
  codes?: FactCode[];
  /** All refunds of the payment. Default: `[]`. */
  refunds?: FactRefund[];
  /** All disputes of the payment. Default: `[]`. */
  disputes?: FactDispute[];
  /** The subscription that is paid; null for a single purchase. */
  subscription?: FactSubscription | null;
  /** `true` if nobody earns from this payment. Default: `false`. */
  excluded?: boolean;
  /** Description. */
  description?: string | null;
}

/** The customer who pays. A guest may have nothing but an email address. */
export interface FactPayer {
  /** IDs of the customer at this source. Other sources may have a customer with the same ID. Default: `[]`. */
  ids?: string[];
  /**
   * Your own ID of the customer, as in `external_customer_id` of the API. It connects the customer with other
   * sources.
   */
  external_id?: string | null;
  /** Email address. */
  email?: string | null;
  /** Name. */
  name?: string | null;
}

/** A value that says who sent the customer. */
export interface FactReference {
  /** ID of a referral, or the token of a link. Values that name nothing are kept and earn nothing. */
  value: string;
  /** Time at which the value was stored with the checkout or the customer. */
  at?: string | null;
}

/** Something that was sold. */
export interface FactLine {
  /** Product of the line, e.g. its ID at the payment provider. */
  product?: string | null;
  /** Price of the line, e.g. its ID at the payment provider. */
  price?: string | null;
  /** Name. */
  name?: string | null;
  /** Billing interval of the price. */
  interval?: PriceInterval | null;
  /** Default: `1`. */
  quantity?: number;
  /** Amount after discounts, without tax. Negative for a line that takes an earlier charge back. */
  amount: number;
}

/** A promotion code that the customer redeemed. */
export interface FactCode {
  /** Text of the code. */
  code: string;
  /** Time at which it was redeemed. */
  at?: string | null;
}

/** Money that went back to the customer, or was asked back. */
export interface FactRefund {
  /** ID. */
  id: string;
  /** Amount with the tax in it. */
  amount: number;
  /** The tax in `amount`, if it is known. */
  tax?: number | null;
  /** Time of the refund. */
  at: string;
  /** `waiting`: requested. `done`: the customer gets the money. `failed`: refused, or returned to you. */
  state: FactRefundState;
  /** Time at which a refund failed that had been done before. */
  failed_at?: string | null;
  /** Amounts without tax that are taken back from products. Default: `[]`. */
  lines?: FactRefundLine[];
}

export interface FactRefundLine {
  /** Product of the line, e.g. its ID at the payment provider. */
  product?: string | null;
  /** Amount without tax. */
  amount: number;
}

/** A chargeback. */
export interface FactDispute {
  /** ID. */
  id: string;
  /** Amount that the customer disputes. */
  amount: number;
  /** Time at which the dispute was opened. */
  at: string;
  /** `won` includes every end that takes no money from you. */
  outcome: FactDisputeOutcome;
}

export interface FactSubscription {
  /** ID. */
  id: string;
  /** End of the free period before the first payment; null if there is none. */
  trial_until?: string | null;
}

/** A fact of the type customer.seen. */
export interface CustomerSeenDelivery {
  /** Type of the fact. */
  type: 'customer.seen';
  /** Time of this snapshot. */
  timestamp: string;
  data: CustomerFact;
  /** `true` to check the facts only. Nothing is stored. Default: `false`. */
  dry_run?: boolean;
}

/** Everything that is known of one customer apart from payments, e.g. at the start of a trial. */
export interface CustomerFact {
  /**
   * A number that rises with every change, e.g. the milliseconds since 1970 of the change. An older version
   * changes nothing.
   */
  version: number;
  /** `false` for a test. Tests and real payments never mix. */
  live: boolean;
  payer: FactPayer;
  /** The address that the current one replaced. */
  former_email?: string | null;
  /** Values from the checkout, or from your records, that say who sent the customer. Default: `[]`. */
  references?: FactReference[];
  /** Promotion codes that were redeemed. Default: `[]`. */
  codes?: FactCode[];
  /** The subscription of the customer, e.g. with its trial. */
  subscription?: FactSubscription | null;
  /** `true` if nobody earns from this customer. */
  excluded?: boolean | null;
}

/** A fact of the type code.seen. */
export interface CodeSeenDelivery {
  /** Type of the fact. */
  type: 'code.seen';
  /** Time of this snapshot. */
  timestamp: string;
  data: CodeFact;
  /** `true` to check the facts only. Nothing is stored. Default: `false`. */
  dry_run?: boolean;
}

/** The state of a promotion code. It can then be assigned to an affiliate. */
export interface CodeFact {
  /** Text of the code. */
  code: string;
  /**
   * A number that rises with every change, e.g. the milliseconds since 1970 of the change. An older version
   * changes nothing.
   */
  version: number;
  /** `false` for a test. Tests and real payments never mix. */
  live: boolean;
  /** True while the code can be redeemed. */
  active: boolean;
  /** Time at which the code was created. */
  created_at?: string | null;
  /** Time from which the code can no longer be redeemed. */
  expires_at?: string | null;
  /** Number of times that the code can be redeemed; `null` for no limit. */
  max_redemptions?: number | null;
  /** Default: `0`. */
  times_redeemed?: number;
}

/** Up to 100 facts. If one is not valid, none is accepted. */
export interface FactBatch {
  /** The facts, in any order. */
  facts: Fact[];
  /** `true` to check the facts only. Nothing is stored. Default: `false`. */
  dry_run?: boolean;
}

/** A fact. It is stored in the form in which it was understood. */
export type Fact = PaymentSeen | CustomerSeen | CodeSeen;

/** A fact of the type payment.seen. */
export interface PaymentSeen {
  /** Type of the fact. */
  type: 'payment.seen';
  /** Time of this snapshot. */
  timestamp: string;
  data: PaymentFact;
}

/** A fact of the type customer.seen. */
export interface CustomerSeen {
  /** Type of the fact. */
  type: 'customer.seen';
  /** Time of this snapshot. */
  timestamp: string;
  data: CustomerFact;
}

/** A fact of the type code.seen. */
export interface CodeSeen {
  /** Type of the fact. */
  type: 'code.seen';
  /** Time of this snapshot. */
  timestamp: string;
  data: CodeFact;
}

/** Occurs when an affiliate is created. */
export interface AffiliateCreatedEvent {
  /** ID of the event, identical in every delivery. */
  id: string;
  /** Type of the event. */
  type: 'affiliate.created';
  /** Version of the contract that `data` follows. */
  api_version: 'v1';
  /** Position among the events of the account, in the order of the changes. 0 for test events. */
  sequence: number;
  /** ISO 8601 time in UTC with milliseconds. */
  occurred_at: string;
  /** ID of the record that the event is about. */
  subject_id: string;
  actor: EventActor;
  /** The records. */
  data: AffiliateEventData;
  /**
   * The former values of the fields that have changed. If nothing has changed, e.g. for a new record, omitted in
   * deliveries, and `null` in the list of events.
   */
  previous_attributes?: Record<string, unknown> | null;
  /** Deliveries to webhook endpoints, oldest first. Only in responses whose request has `expand=deliveries`. */
  deliveries?: WebhookDelivery[] | null;
  /** `true` for the made-up event of a test delivery. Omitted in other deliveries. */
  test?: boolean;
}

/** The caller who has caused the change. */
export interface EventActor {
  /**
   * `session`: a member; `affiliate`: an affiliate in the portal; `api_key`, `connector`: a program; `system`: the
   * service, e.g. after a payment.
   */
  kind: EventActorKind;
  /** ID of the user, the affiliate, the API key or the connector; `system` for the service. */
  id: string;
}

export interface AffiliateEventData {
  /** ID of the affiliate. */
  id: string;
  /** Email address, unique among affiliates that are not archived. */
  email: string;
  /** ID of the campaign. */
  campaign_id: string;
  /** First name. */
  first_name: string | null;
  /** Last name. */
  last_name: string | null;
  /**
   * State of the affiliate. `active` affiliates track visits and earn commissions. So do `suspicious` ones, but
   * their commissions are flagged for review and their payouts are on hold; setting the affiliate to `active`
   * releases both. Affiliates in any other state do neither.
   */
  state: AffiliateState;
  /** Your ID for the record. */
  external_id: string | null;
  metadata: Metadata;
  /** ID of the Stripe customer with this email address. */
  psp_customer_id: string | null;
  /** No payout is eligible before this time, because the payout details have changed. */
  payouts_held_until: string | null;
  /** ISO 8601 time in UTC with milliseconds. */
  archived_at: string | null;
  /** Time at which the personal data were erased; `null` if they were not. */
  erased_at: string | null;
  /** `false` for records of test mode. */
  livemode: boolean;
  /** ISO 8601 time in UTC with milliseconds. */
  created_at: string;
  /** ISO 8601 time in UTC with milliseconds. */
  updated_at: string;
}

/** Your own pairs of keys and values. */
export type Metadata = Record<string, string>;

/** The delivery of one event to one endpoint. */
export interface WebhookDelivery {
  /** ID of the delivery, sent as `webhook-id` and `hook-id` with every attempt. */
  id: string;
  /** `false` for records of test mode. */
  livemode: boolean;
  /** ID of the webhook endpoint. */
  endpoint_id: string;
  /** ID of the event. */
  event_id: string;
  event_type: EventType;
  /** `true` for a test delivery. */
  test: boolean;
  /**
   * `pending`: not completed; `succeeded`; `failed`: all scheduled attempts failed; `canceled`: the endpoint was
   * deleted before the delivery was completed.
   */
  status: DeliveryStatus;
  /** Number of attempts so far. */
  attempts_count: number;
  /** Time of the next scheduled attempt; `null` if none is scheduled. */
  next_attempt_at: string | null;
  /** Time at which a manual retry was requested; `null` if none is outstanding. */
  retry_requested_at: string | null;
  /** ISO 8601 time in UTC with milliseconds. */
  last_attempt_at: string | null;
  /** HTTP status of the last attempt; `null` without a response. */
  response_status: number | null;
  /** Error code of the last attempt; `null` if it succeeded. */
  error_code: string | null;
  /** Time at which the delivery succeeded, finally failed, or was canceled. */
  completed_at: string | null;
  /** ISO 8601 time in UTC with milliseconds. */
  created_at: string;
}

/** Occurs when an affiliate becomes active. */
export interface AffiliateApprovedEvent {
  /** ID of the event, identical in every delivery. */
  id: string;
  /** Type of the event. */
  type: 'affiliate.approved';
  /** Version of the contract that `data` follows. */
  api_version: 'v1';
  /** Position among the events of the account, in the order of the changes. 0 for test events. */
  sequence: number;
  /** ISO 8601 time in UTC with milliseconds. */
  occurred_at: string;
  /** ID of the record that the event is about. */
  subject_id: string;
  actor: EventActor;
  /** The records. */
  data: AffiliateEventData;
  /**
   * The former values of the fields that have changed. If nothing has changed, e.g. for a new record, omitted in
   * deliveries, and `null` in the list of events.
   */
  previous_attributes?: Record<string, unknown> | null;
  /** Deliveries to webhook endpoints, oldest first. Only in responses whose request has `expand=deliveries`. */
  deliveries?: WebhookDelivery[] | null;
  /** `true` for the made-up event of a test delivery. Omitted in other deliveries. */
  test?: boolean;
}

/** Occurs when an affiliate changes in any other way, e.g. when it is archived. */
export interface AffiliateUpdatedEvent {
  /** ID of the event, identical in every delivery. */
  id: string;
  /** Type of the event. */
  type: 'affiliate.updated';
  /** Version of the contract that `data` follows. */
  api_version: 'v1';
  /** Position among the events of the account, in the order of the changes. 0 for test events. */
  sequence: number;
  /** ISO 8601 time in UTC with milliseconds. */
  occurred_at: string;
  /** ID of the record that the event is about. */
  subject_id: string;
  actor: EventActor;
  /** The records. */
  data: AffiliateEventData;
  /**
   * The former values of the fields that have changed. If nothing has changed, e.g. for a new record, omitted in
   * deliveries, and `null` in the list of events.
   */
  previous_attributes?: Record<string, unknown> | null;
  /** Deliveries to webhook endpoints, oldest first. Only in responses whose request has `expand=deliveries`. */
  deliveries?: WebhookDelivery[] | null;
  /** `true` for the made-up event of a test delivery. Omitted in other deliveries. */
  test?: boolean;
}

/** Occurs when an affiliate reaches or loses a tier of a campaign. */
export interface AffiliateTierChangedEvent {
  /** ID of the event, identical in every delivery. */
  id: string;
  /** Type of the event. */
  type: 'affiliate.tier_changed';
  /** Version of the contract that `data` follows. */
  api_version: 'v1';
  /** Position among the events of the account, in the order of the changes. 0 for test events. */
  sequence: number;
  /** ISO 8601 time in UTC with milliseconds. */
  occurred_at: string;
  /** ID of the record that the event is about. */
  subject_id: string;
  actor: EventActor;
  /** The records. */
  data: TierChangeEventData;
  /**
   * The former values of the fields that have changed. If nothing has changed, e.g. for a new record, omitted in
   * deliveries, and `null` in the list of events.
   */
  previous_attributes?: Record<string, unknown> | null;
  /** Deliveries to webhook endpoints, oldest first. Only in responses whose request has `expand=deliveries`. */
  deliveries?: WebhookDelivery[] | null;
  /** `true` for the made-up event of a test delivery. Omitted in other deliveries. */
  test?: boolean;
}

export interface TierChangeEventData {
  /** ID of the affiliate. */
  id: string;
  /** Email address, unique among affiliates that are not archived. */
  email: string;
  /** ID of the campaign. */
  campaign_id: string;
  /** First name. */
  first_name: string | null;
  /** Last name. */
  last_name: string | null;
  /**
   * State of the affiliate. `active` affiliates track visits and earn commissions. So do `suspicious` ones, but
   * their commissions are flagged for review and their payouts are on hold; setting the affiliate to `active`
   * releases both. Affiliates in any other state do neither.
   */
  state: AffiliateState;
  /** Your ID for the record. */
  external_id: string | null;
  metadata: Metadata;
  /** ID of the Stripe customer with this email address. */
  psp_customer_id: string | null;
  /** No payout is eligible before this time, because the payout details have changed. */
  payouts_held_until: string | null;
  /** ISO 8601 time in UTC with milliseconds. */
  archived_at: string | null;
  /** Time at which the personal data were erased; `null` if they were not. */
  erased_at: string | null;
  /** `false` for records of test mode. */
  livemode: boolean;
  /** ISO 8601 time in UTC with milliseconds. */
  created_at: string;
  /** ISO 8601 time in UTC with milliseconds. */
  updated_at: string;
  /** Campaign of the tiers. */
  tier_campaign_id: string;
  /** The tiers that the affiliate has now, from the lowest. */
  tiers: {
    /** ID of the tier. */
    id: string;
    /** Name. */
    name: string;
  }[];
  /** The tiers that the affiliate had before. */
  previous_tiers: {
    /** ID of the tier. */
    id: string;
    /** Name. */
    name: string;
  }[];
}

/** Occurs when a campaign is created. */
export interface CampaignCreatedEvent {
  /** ID of the event, identical in every delivery. */
  id: string;
  /** Type of the event. */
  type: 'campaign.created';
  /** Version of the contract that `data` follows. */
  api_version: 'v1';
  /** Position among the events of the account, in the order of the changes. 0 for test events. */
  sequence: number;
  /** ISO 8601 time in UTC with milliseconds. */
  occurred_at: string;
  /** ID of the record that the event is about. */
  subject_id: string;
  actor: EventActor;
  /** The records. */
  data: CampaignEventData;
  /**
   * The former values of the fields that have changed. If nothing has changed, e.g. for a new record, omitted in
   * deliveries, and `null` in the list of events.
   */
  previous_attributes?: Record<string, unknown> | null;
  /** Deliveries to webhook endpoints, oldest first. Only in responses whose request has `expand=deliveries`. */
  deliveries?: WebhookDelivery[] | null;
  /** `true` for the made-up event of a test delivery. Omitted in other deliveries. */
  test?: boolean;
}

export interface CampaignEventData {
  /** ID of the campaign. */
  id: string;
  /** Campaign name, shown to affiliates. */
  name: string;
  /** Unique within the account. By default derived from the name. */
  slug: string;
  /** Landing page of the campaign, also used for visitors of inactive links. */
  url: string;
  /** `true` if affiliates can join by invitation only. */
  private: boolean;
  /** `true` if generated link tokens are random instead of based on the affiliate’s name. */
  private_tokens: boolean;
  /** `percent`: percentage of the sale; `fixed`: fixed amount per sale. */
  reward_type: RewardType;
  /** Commission as a percentage of the sale, up to two decimals. For `reward_type` `percent`. */
  commission_percent: number | null;
  /** Commission per sale, in the minor unit of its currency. For `reward_type` `fixed`. */
  commission_amount_cents: number | null;
  /** Currency of `commission_amount_cents`. Defaults to the account’s currency. */
  commission_amount_currency: string | null;
  /** Minimum payout amount. Payouts below it are not eligible. Defaults to 0. */
  minimum_payout_cents: number;
  /** Currency of `minimum_payout_cents`. The minimum applies only to payouts in this currency. */
  minimum_payout_currency: string;
  /**
   * Calendar months, counted from a referral’s first commission, in which its sales earn commissions. `null` for
   * no limit.
   */
  max_commission_period_months: number | null;
  /**
   * Maximum number of commissions per referral; `null` for no limit. Commissions of fully refunded sales do not
   * count. A commission that you void no longer counts for sales charged afterwards.
   */
  max_commissions: number | null;
  /** Attribution window: days a visitor has to convert. Defaults to 60. */
  days_before_referrals_expire: number;
  /** Holding period: days from the charge until its commission is due. 0 for immediately. Defaults to 30. */
  days_until_commissions_are_due: number;
  /** Text for the affiliate dashboard. */
  affiliate_dashboard_text: string | null;
  /** Custom description of the reward. */
  custom_reward_description: string | null;
  /** Welcome text for new affiliates. */
  welcome_text: string | null;
  /** `true` if affiliates can see their customers. Defaults to `false`. */
  customers_visible_to_affiliates: boolean;
  /** `true` if affiliates can see sale descriptions. Defaults to `true`. */
  sale_description_visible_to_affiliates: boolean;
  /**
   * Which click earns if a visitor clicks several links before converting: the first click (`first_click`), or the
   * latest click on a link of this campaign (`last_click`). Defaults to `first_click`.
   */
  attribution: Attribution;
  /** Place of the token in links: the query string (`query`) or the URL fragment (`hash`). Defaults to `query`. */
  parameter_type: ParameterType;
  /**
   * Names of the URL parameters that carry the token of a link in addition to `via`, e.g. those of a former tool:
   * `?ref=ada`. The tracking snippet of the account names them in `data-params`. Defaults to none.
   */
  params: string[];
  /** ID of the Stripe coupon used for this campaign’s affiliate coupons. */
  psp_coupon_id: string | null;
  /** `true` if affiliates created without a campaign join this one. At most one campaign is the default. */
  default: boolean;
  /** Your ID for the record. */
  external_id: string | null;
  metadata: Metadata;
  /** ISO 8601 time in UTC with milliseconds. */
  archived_at: string | null;
  /** `false` for records of test mode. */
  livemode: boolean;
  /** ISO 8601 time in UTC with milliseconds. */
  created_at: string;
  /** ISO 8601 time in UTC with milliseconds. */
  updated_at: string;
}

/** Occurs when a campaign changes, e.g. its terms, or is archived. */
export interface CampaignUpdatedEvent {
  /** ID of the event, identical in every delivery. */
  id: string;
  /** Type of the event. */
  type: 'campaign.updated';
  /** Version of the contract that `data` follows. */
  api_version: 'v1';
  /** Position among the events of the account, in the order of the changes. 0 for test events. */
  sequence: number;
  /** ISO 8601 time in UTC with milliseconds. */
  occurred_at: string;
  /** ID of the record that the event is about. */
  subject_id: string;
  actor: EventActor;
  /** The records. */
  data: CampaignEventData;
  /**
   * The former values of the fields that have changed. If nothing has changed, e.g. for a new record, omitted in
   * deliveries, and `null` in the list of events.
   */
  previous_attributes?: Record<string, unknown> | null;
  /** Deliveries to webhook endpoints, oldest first. Only in responses whose request has `expand=deliveries`. */
  deliveries?: WebhookDelivery[] | null;
  /** `true` for the made-up event of a test delivery. Omitted in other deliveries. */
  test?: boolean;
}

/** Occurs when a reward rule is created. */
export interface RewardRuleCreatedEvent {
  /** ID of the event, identical in every delivery. */
  id: string;
  /** Type of the event. */
  type: 'reward_rule.created';
  /** Version of the contract that `data` follows. */
  api_version: 'v1';
  /** Position among the events of the account, in the order of the changes. 0 for test events. */
  sequence: number;
  /** ISO 8601 time in UTC with milliseconds. */
  occurred_at: string;
  /** ID of the record that the event is about. */
  subject_id: string;
  actor: EventActor;
  /** The records. */
  data: RewardRuleEventData;
  /**
   * The former values of the fields that have changed. If nothing has changed, e.g. for a new record, omitted in
   * deliveries, and `null` in the list of events.
   */
  previous_attributes?: Record<string, unknown> | null;
  /** Deliveries to webhook endpoints, oldest first. Only in responses whose request has `expand=deliveries`. */
  deliveries?: WebhookDelivery[] | null;
  /** `true` for the made-up event of a test delivery. Omitted in other deliveries. */
  test?: boolean;
}

export interface RewardRuleEventData {
  /** ID of the reward rule. */
  id: string;
  /** `false` for records of test mode. */
  livemode: boolean;
  /** ID of the campaign. */
  campaign_id: string;
  /** Set if the rule is for sales of this affiliate only. Such a rule comes before those of the campaign. */
  affiliate_id: string | null;
  /** Set if the rule is for sales through this link only. Such a rule comes before those of the affiliate. */
  link_id: string | null;
  /**
   * `sale`: pays for sales. `lead`: pays a fixed amount once for each proven lead. `milestone`: pays a fixed
   * amount for a number of customers or sales, or for revenue.
   */
  event: RewardEvent;
  /** Name of the rule, for you. */
  name: string;
  /**
   * Place of the rule among the rules of the campaign. The first rule whose conditions hold decides. At the same
   * place, rules that exclude products come first.
   */
  position: number;
  /** Conditions. All given conditions must hold; a list holds if any of its values does. */
  when: {
    /** IDs of products at the payment provider, or those in the `lines` of your reports. */
    products?: string[];
    /** IDs of prices, like `products`. */
    prices?: string[];
    /** Interval at which the price is charged. */
    interval?: PriceInterval[];
    /** Codes redeemed with the sale, in any case. */
    codes?: string[];
    /** Countries of the customer, by ISO 3166. Does not hold if the country is not known. */
    countries?: string[];
    /** Values that the metadata of the sale may have when it earns, by key. Every key must match. */
    metadata?: Record<string, string[]>;
    /**
     * Place of the sale among those of its referral, counted from 1. Both ends are included: 1 to 1 is the first
     * sale.
     */
    sale_number?: {
      /** Lower bound, inclusive. */
      from?: number;
      /** Upper bound, inclusive. */
      to?: number;
    };
    /** Whole months since the first sale of the referral. `to` is not included: 0 to 12 are the first twelve months. */
    age_months?: {
      /** Lower bound, inclusive. */
      from?: number;
      /** Upper bound, inclusive. */
      to?: number;
    };
    /** Amount of the sale without tax, in cents. `to` is not included. Holds only for sales in this currency. */
    amount?: {
      /** Lower bound, inclusive. */
      from?: number;
      /** Upper bound, inclusive. */
      to?: number;
      /** ISO 4217 currency code. */
      currency: string;
    };
    /** Tiers, of which the affiliate has reached one before the charge. */
    tier?: string[];
    /** `new`: the first sale of the customer; `returning`: later sales. */
    customer?: CustomerAge;
  };
  /** Payment of the rule: exactly one of `percent`, `fixed` and `nothing`. */
  pay: {
    /** Percentage of the lines that the rule decides. */
    percent?: number;
    /** Fixed amount. */
    fixed?: {
      /** Amount in the currency’s minor unit. */
      amount_cents: number;
      /** ISO 4217 currency code. */
      currency: string;
      /** `sale`: once per sale; `unit`: for each unit of the lines that the rule decides. Default: `"sale"`. */
      per?: PayPer;
    };
    /** The lines that the rule decides earn nothing. */
    nothing?: true;
  };
  /** The most that the rule pays. Has no effect on commissions in another currency. */
  cap: {
    /** Amount in the currency’s minor unit. */
    amount_cents: number;
    /** ISO 4217 currency code. */
    currency: string;
    /** Unit of the maximum: each sale, each referral, or each affiliate. */
    per: CapScope;
    /** Calendar period in UTC to which the maximum applies. Default: `"ever"`. */
    window?: CapWindow;
  } | null;
  /**
   * `instead`: decides what lines earn, if no rule before it does. `on_top`: pays a commission of its own (`kind`
   * `bonus`).
   */
  apply: RewardApply;
  /** For rules of `milestone`: exactly one of `every` and `at`. A change starts the count again. */
  milestone: {
    /**
     * `customers`: customers who paid; `sales`: sales; `revenue`: amount of the sales in the currency of `pay`, in
     * cents.
     */
    metric: MilestoneMetric;
    /** Calendar period in UTC over which the milestone counts. `ever`: since the rule is in force. Default: `"ever"`. */
    window?: MilestoneWindow;
    /** Pays at each multiple of this number. */
    every?: number;
    /** Pays once, when this number is reached. */
    at?: number;
  } | null;
  /** For rules of `lead`: days after which the reward is due if the customer has not paid yet. Defaults to 30. */
  hold_days: number | null;
  /** Applies to charges from this time on. */
  from: string | null;
  /** Applies to charges before this time. */
  until: string | null;
  /** Number of changes, counted from 1. A sale earns by the version that was in force at its charge. */
  version: number;
  /** Time from which this version is in force. */
  changed_at: string;
  /** ISO 8601 time in UTC with milliseconds. */
  ended_at: string | null;
  /** ISO 8601 time in UTC with milliseconds. */
  created_at: string;
  /** ISO 8601 time in UTC with milliseconds. */
  updated_at: string;
}

/** Occurs when a reward rule changes, is moved, or ends. */
export interface RewardRuleUpdatedEvent {
  /** ID of the event, identical in every delivery. */
  id: string;
  /** Type of the event. */
  type: 'reward_rule.updated';
  /** Version of the contract that `data` follows. */
  api_version: 'v1';
  /** Position among the events of the account, in the order of the changes. 0 for test events. */
  sequence: number;
  /** ISO 8601 time in UTC with milliseconds. */
  occurred_at: string;
  /** ID of the record that the event is about. */
  subject_id: string;
  actor: EventActor;
  /** The records. */
  data: RewardRuleEventData;
  /**
   * The former values of the fields that have changed. If nothing has changed, e.g. for a new record, omitted in
   * deliveries, and `null` in the list of events.
   */
  previous_attributes?: Record<string, unknown> | null;
  /** Deliveries to webhook endpoints, oldest first. Only in responses whose request has `expand=deliveries`. */
  deliveries?: WebhookDelivery[] | null;
  /** `true` for the made-up event of a test delivery. Omitted in other deliveries. */
  test?: boolean;
}

/** Occurs when a tier is created. */
export interface TierCreatedEvent {
  /** ID of the event, identical in every delivery. */
  id: string;
  /** Type of the event. */
  type: 'tier.created';
  /** Version of the contract that `data` follows. */
  api_version: 'v1';
  /** Position among the events of the account, in the order of the changes. 0 for test events. */
  sequence: number;
  /** ISO 8601 time in UTC with milliseconds. */
  occurred_at: string;
  /** ID of the record that the event is about. */
  subject_id: string;
  actor: EventActor;
  /** The records. */
  data: TierEventData;
  /**
   * The former values of the fields that have changed. If nothing has changed, e.g. for a new record, omitted in
   * deliveries, and `null` in the list of events.
   */
  previous_attributes?: Record<string, unknown> | null;
  /** Deliveries to webhook endpoints, oldest first. Only in responses whose request has `expand=deliveries`. */
  deliveries?: WebhookDelivery[] | null;
  /** `true` for the made-up event of a test delivery. Omitted in other deliveries. */
  test?: boolean;
}

export interface TierEventData {
  /** ID of the tier. */
  id: string;
  /** `false` for records of test mode. */
  livemode: boolean;
  /** ID of the campaign. */
  campaign_id: string;
  /** Name of the tier, which its affiliates see. */
  name: string;
  /** `customers`: customers who paid; `sales`: sales; `revenue`: amount of the sales in `currency`, in cents. */
  metric: MilestoneMetric;
  /**
   * Calendar period in UTC that counts: the last closed `month` or `quarter` before that of a charge. `ever`:
   * everything before the month of the charge.
   */
  window: MilestoneWindow;
  /** Number from which the tier is reached. */
  from: number;
  /** Currency of `revenue`; `null` for other metrics. */
  currency: string | null;
  /** ISO 8601 time in UTC with milliseconds. */
  ended_at: string | null;
  /** ISO 8601 time in UTC with milliseconds. */
  created_at: string;
  /** ISO 8601 time in UTC with milliseconds. */
  updated_at: string;
}

/** Occurs when a tier is renamed or ends. */
export interface TierUpdatedEvent {
  /** ID of the event, identical in every delivery. */
  id: string;
  /** Type of the event. */
  type: 'tier.updated';
  /** Version of the contract that `data` follows. */
  api_version: 'v1';
  /** Position among the events of the account, in the order of the changes. 0 for test events. */
  sequence: number;
  /** ISO 8601 time in UTC with milliseconds. */
  occurred_at: string;
  /** ID of the record that the event is about. */
  subject_id: string;
  actor: EventActor;
  /** The records. */
  data: TierEventData;
  /**
   * The former values of the fields that have changed. If nothing has changed, e.g. for a new record, omitted in
   * deliveries, and `null` in the list of events.
   */
  previous_attributes?: Record<string, unknown> | null;
  /** Deliveries to webhook endpoints, oldest first. Only in responses whose request has `expand=deliveries`. */
  deliveries?: WebhookDelivery[] | null;
  /** `true` for the made-up event of a test delivery. Omitted in other deliveries. */
  test?: boolean;
}

/** Occurs when a link is created. */
export interface LinkCreatedEvent {
  /** ID of the event, identical in every delivery. */
  id: string;
  /** Type of the event. */
  type: 'link.created';
  /** Version of the contract that `data` follows. */
  api_version: 'v1';
  /** Position among the events of the account, in the order of the changes. 0 for test events. */
  sequence: number;
  /** ISO 8601 time in UTC with milliseconds. */
  occurred_at: string;
  /** ID of the record that the event is about. */
  subject_id: string;
  actor: EventActor;
  /** The records. */
  data: LinkEventData;
  /**
   * The former values of the fields that have changed. If nothing has changed, e.g. for a new record, omitted in
   * deliveries, and `null` in the list of events.
   */
  previous_attributes?: Record<string, unknown> | null;
  /** Deliveries to webhook endpoints, oldest first. Only in responses whose request has `expand=deliveries`. */
  deliveries?: WebhookDelivery[] | null;
  /** `true` for the made-up event of a test delivery. Omitted in other deliveries. */
  test?: boolean;
}

export interface LinkEventData {
  /** ID of the link. */
  id: string;
  /** ID of the affiliate. */
  affiliate_id: string;
  /** ID of the campaign. */
  campaign_id: string;
  /** Destination URL. */
  url: string;
  /** Link code. Unique within the account, case-insensitive. */
  token: string;
  /** Link code before the affiliate chose another one. It leads to the link for good; null if there is none. */
  former_token: string | null;
  /** Your ID for the record. */
  external_id: string | null;
  metadata: Metadata;
  /** ISO 8601 time in UTC with milliseconds. */
  archived_at: string | null;
  /** `false` for records of test mode. */
  livemode: boolean;
  /** ISO 8601 time in UTC with milliseconds. */
  created_at: string;
  /** ISO 8601 time in UTC with milliseconds. */
  updated_at: string;
}

/** Occurs when a link changes, moves to another campaign, or is archived. */
export interface LinkUpdatedEvent {
  /** ID of the event, identical in every delivery. */
  id: string;
  /** Type of the event. */
  type: 'link.updated';
  /** Version of the contract that `data` follows. */
  api_version: 'v1';
  /** Position among the events of the account, in the order of the changes. 0 for test events. */
  sequence: number;
  /** ISO 8601 time in UTC with milliseconds. */
  occurred_at: string;
  /** ID of the record that the event is about. */
  subject_id: string;
  actor: EventActor;
  /** The records. */
  data: LinkEventData;
  /**
   * The former values of the fields that have changed. If nothing has changed, e.g. for a new record, omitted in
   * deliveries, and `null` in the list of events.
   */
  previous_attributes?: Record<string, unknown> | null;
  /** Deliveries to webhook endpoints, oldest first. Only in responses whose request has `expand=deliveries`. */
  deliveries?: WebhookDelivery[] | null;
  /** `true` for the made-up event of a test delivery. Omitted in other deliveries. */
  test?: boolean;
}

/** Occurs when a promotion code is assigned to an affiliate. */
export interface PromoCodeCreatedEvent {
  /** ID of the event, identical in every delivery. */
  id: string;
  /** Type of the event. */
  type: 'promo_code.created';
  /** Version of the contract that `data` follows. */
  api_version: 'v1';
  /** Position among the events of the account, in the order of the changes. 0 for test events. */
  sequence: number;
  /** ISO 8601 time in UTC with milliseconds. */
  occurred_at: string;
  /** ID of the record that the event is about. */
  subject_id: string;
  actor: EventActor;
  data: PromoCodeEventData;
  /**
   * The former values of the fields that have changed. If nothing has changed, e.g. for a new record, omitted in
   * deliveries, and `null` in the list of events.
   */
  previous_attributes?: Record<string, unknown> | null;
  /** Deliveries to webhook endpoints, oldest first. Only in responses whose request has `expand=deliveries`. */
  deliveries?: WebhookDelivery[] | null;
  /** `true` for the made-up event of a test delivery. Omitted in other deliveries. */
  test?: boolean;
}

/** A promotion code of the payment provider, or of your own shop, that is assigned to one affiliate. */
export interface PromoCodeEventData {
  /** ID of the promo code. */
  id: string;
  /** ID of the affiliate. */
  affiliate_id: string;
  /** ID of the campaign. */
  campaign_id: string;
  /** `null` in a preview of a new code, and for a code of your own shop. */
  psp_promotion_code_id: string | null;
  /** ID of the Stripe coupon that the code applies. */
  psp_coupon_id: string | null;
  /** Code of the promotion, as customers enter it. */
  code: string;
  /** `false` for records of test mode. */
  livemode: boolean;
  /** Opaque identifier kept for compatibility; not for display. */
  tracking_token: string | null;
  /**
   * `active`: redeemable and tracked. `inactive`: not redeemable in Stripe. `stopped`: tracking has ended
   * permanently.
   */
  status: PromoCodeStatus;
  /** The code at the payment provider, when it was last read. */
  observation: PromoCodeObservation | null;
  /** `null` for a code of your own shop. */
  observed_at: string | null;
  /** ISO 8601 time in UTC with milliseconds. */
  stopped_at: string | null;
  /** ISO 8601 time in UTC with milliseconds. */
  created_at: string | null;
  /** ISO 8601 time in UTC with milliseconds. */
  updated_at: string | null;
}

/** State of the promotion code as last reported by Stripe. */
export interface PromoCodeObservation {
  /** `true` if the code can be redeemed now. */
  active: boolean;
  /** Code of the promotion, as customers enter it. */
  code: string;
  /** ID of the coupon at the payment provider. */
  psp_coupon_id: string | null;
  /** Stripe ID of the only customer who can redeem the code; `null` if any customer can. */
  psp_customer_id: string | null;
  /** ISO 8601 time in UTC with milliseconds. */
  expires_at: string | null;
  /** Number of times that the code can be redeemed; `null` for no limit. */
  max_redemptions: number | null;
  /** Number of times that the code was redeemed. */
  times_redeemed: number;
  /** `true` if the code is limited to customers without prior payments. */
  first_time_transaction: boolean;
  /** Minimum amount of a purchase for the code. */
  minimum_amount_cents: number | null;
  /** Currency of the minimum amount. */
  minimum_amount_currency: string | null;
  /** ISO 8601 time in UTC with milliseconds. */
  created_at: string;
}

/** Occurs when an assigned promotion code changes at the payment provider, moves, or is no longer tracked. */
export interface PromoCodeUpdatedEvent {
  /** ID of the event, identical in every delivery. */
  id: string;
  /** Type of the event. */
  type: 'promo_code.updated';
  /** Version of the contract that `data` follows. */
  api_version: 'v1';
  /** Position among the events of the account, in the order of the changes. 0 for test events. */
  sequence: number;
  /** ISO 8601 time in UTC with milliseconds. */
  occurred_at: string;
  /** ID of the record that the event is about. */
  subject_id: string;
  actor: EventActor;
  data: PromoCodeEventData;
  /**
   * The former values of the fields that have changed. If nothing has changed, e.g. for a new record, omitted in
   * deliveries, and `null` in the list of events.
   */
  previous_attributes?: Record<string, unknown> | null;
  /** Deliveries to webhook endpoints, oldest first. Only in responses whose request has `expand=deliveries`. */
  deliveries?: WebhookDelivery[] | null;
  /** `true` for the made-up event of a test delivery. Omitted in other deliveries. */
  test?: boolean;
}

/** Occurs when a referral is created. */
export interface ReferralCreatedEvent {
  /** ID of the event, identical in every delivery. */
  id: string;
  /** Type of the event. */
  type: 'referral.created';
  /** Version of the contract that `data` follows. */
  api_version: 'v1';
  /** Position among the events of the account, in the order of the changes. 0 for test events. */
  sequence: number;
  /** ISO 8601 time in UTC with milliseconds. */
  occurred_at: string;
  /** ID of the record that the event is about. */
  subject_id: string;
  actor: EventActor;
  /** The records. */
  data: ReferralEventData;
  /**
   * The former values of the fields that have changed. If nothing has changed, e.g. for a new record, omitted in
   * deliveries, and `null` in the list of events.
   */
  previous_attributes?: Record<string, unknown> | null;
  /** Deliveries to webhook endpoints, oldest first. Only in responses whose request has `expand=deliveries`. */
  deliveries?: WebhookDelivery[] | null;
  /** `true` for the made-up event of a test delivery. Omitted in other deliveries. */
  test?: boolean;
}

export interface ReferralEventData {
  /** ID of the referral. */
  id: string;
  /** ID of the affiliate. */
  affiliate_id: string;
  /** ID of the campaign. */
  campaign_id: string;
  /** ID of the link. */
  link_id: string | null;
  /** ID of the customer. */
  customer_id: string | null;
  /** `visitor`, `lead` (signed up), or `conversion` (paid). */
  conversion_state: ConversionState;
  /** Stripe customer ID. */
  psp_customer_id: string | null;
  /** ISO 8601 time in UTC with milliseconds. */
  converted_at: string | null;
  /** End of the attribution window. A referral that converts before this time keeps earning afterwards. */
  expires_at: string | null;
  /** ISO 8601 time in UTC with milliseconds. */
  deactivated_at: string | null;
  /** Your ID for the record. */
  external_id: string | null;
  metadata: Metadata;
  /** `false` for records of test mode. */
  livemode: boolean;
  /** ISO 8601 time in UTC with milliseconds. */
  created_at: string;
  /** ISO 8601 time in UTC with milliseconds. */
  updated_at: string;
}

/** Occurs when a referral’s `conversion_state` becomes `conversion`. */
export interface ReferralConvertedEvent {
  /** ID of the event, identical in every delivery. */
  id: string;
  /** Type of the event. */
  type: 'referral.converted';
  /** Version of the contract that `data` follows. */
  api_version: 'v1';
  /** Position among the events of the account, in the order of the changes. 0 for test events. */
  sequence: number;
  /** ISO 8601 time in UTC with milliseconds. */
  occurred_at: string;
  /** ID of the record that the event is about. */
  subject_id: string;
  actor: EventActor;
  /** The records. */
  data: ReferralEventData;
  /**
   * The former values of the fields that have changed. If nothing has changed, e.g. for a new record, omitted in
   * deliveries, and `null` in the list of events.
   */
  previous_attributes?: Record<string, unknown> | null;
  /** Deliveries to webhook endpoints, oldest first. Only in responses whose request has `expand=deliveries`. */
  deliveries?: WebhookDelivery[] | null;
  /** `true` for the made-up event of a test delivery. Omitted in other deliveries. */
  test?: boolean;
}

/** Occurs when a referral changes in any other way, e.g. when it becomes a lead or is deactivated. */
export interface ReferralUpdatedEvent {
  /** ID of the event, identical in every delivery. */
  id: string;
  /** Type of the event. */
  type: 'referral.updated';
  /** Version of the contract that `data` follows. */
  api_version: 'v1';
  /** Position among the events of the account, in the order of the changes. 0 for test events. */
  sequence: number;
  /** ISO 8601 time in UTC with milliseconds. */
  occurred_at: string;
  /** ID of the record that the event is about. */
  subject_id: string;
  actor: EventActor;
  /** The records. */
  data: ReferralEventData;
  /**
   * The former values of the fields that have changed. If nothing has changed, e.g. for a new record, omitted in
   * deliveries, and `null` in the list of events.
   */
  previous_attributes?: Record<string, unknown> | null;
  /** Deliveries to webhook endpoints, oldest first. Only in responses whose request has `expand=deliveries`. */
  deliveries?: WebhookDelivery[] | null;
  /** `true` for the made-up event of a test delivery. Omitted in other deliveries. */
  test?: boolean;
}

/** Occurs when a customer is created. */
export interface CustomerCreatedEvent {
  /** ID of the event, identical in every delivery. */
  id: string;
  /** Type of the event. */
  type: 'customer.created';
  /** Version of the contract that `data` follows. */
  api_version: 'v1';
  /** Position among the events of the account, in the order of the changes. 0 for test events. */
  sequence: number;
  /** ISO 8601 time in UTC with milliseconds. */
  occurred_at: string;
  /** ID of the record that the event is about. */
  subject_id: string;
  actor: EventActor;
  /** The records. */
  data: CustomerEventData;
  /**
   * The former values of the fields that have changed. If nothing has changed, e.g. for a new record, omitted in
   * deliveries, and `null` in the list of events.
   */
  previous_attributes?: Record<string, unknown> | null;
  /** Deliveries to webhook endpoints, oldest first. Only in responses whose request has `expand=deliveries`. */
  deliveries?: WebhookDelivery[] | null;
  /** `true` for the made-up event of a test delivery. Omitted in other deliveries. */
  test?: boolean;
}

export interface CustomerEventData {
  /** ID of the customer. */
  id: string;
  /** Email address. */
  email: string | null;
  /** Name. */
  name: string | null;
  /** First name. */
  first_name: string | null;
  /** Last name. */
  last_name: string | null;
  /** ID of the customer at the payment provider. */
  psp_customer_id: string | null;
  /** Your ID for the record. */
  external_id: string | null;
  metadata: Metadata;
  /** Time at which the personal data were erased; `null` if they were not. */
  erased_at: string | null;
  /** End of the customer’s trial of a subscription; `null` if there is none. */
  trial_until: string | null;
  /** `false` for records of test mode. */
  livemode: boolean;
  /** ISO 8601 time in UTC with milliseconds. */
  created_at: string;
  /** ISO 8601 time in UTC with milliseconds. */
  updated_at: string;
}

/** Occurs when the details of a customer change. */
export interface CustomerUpdatedEvent {
  /** ID of the event, identical in every delivery. */
  id: string;
  /** Type of the event. */
  type: 'customer.updated';
  /** Version of the contract that `data` follows. */
  api_version: 'v1';
  /** Position among the events of the account, in the order of the changes. 0 for test events. */
  sequence: number;
  /** ISO 8601 time in UTC with milliseconds. */
  occurred_at: string;
  /** ID of the record that the event is about. */
  subject_id: string;
  actor: EventActor;
  /** The records. */
  data: CustomerEventData;
  /**
   * The former values of the fields that have changed. If nothing has changed, e.g. for a new record, omitted in
   * deliveries, and `null` in the list of events.
   */
  previous_attributes?: Record<string, unknown> | null;
  /** Deliveries to webhook endpoints, oldest first. Only in responses whose request has `expand=deliveries`. */
  deliveries?: WebhookDelivery[] | null;
  /** `true` for the made-up event of a test delivery. Omitted in other deliveries. */
  test?: boolean;
}

/** Occurs when a customer turns out to be the same as another one, and no longer exists. */
export interface CustomerMergedEvent {
  /** ID of the event, identical in every delivery. */
  id: string;
  /** Type of the event. */
  type: 'customer.merged';
  /** Version of the contract that `data` follows. */
  api_version: 'v1';
  /** Position among the events of the account, in the order of the changes. 0 for test events. */
  sequence: number;
  /** ISO 8601 time in UTC with milliseconds. */
  occurred_at: string;
  /** ID of the record that the event is about. */
  subject_id: string;
  actor: EventActor;
  /** The records. */
  data: MergedCustomerEventData;
  /**
   * The former values of the fields that have changed. If nothing has changed, e.g. for a new record, omitted in
   * deliveries, and `null` in the list of events.
   */
  previous_attributes?: Record<string, unknown> | null;
  /** Deliveries to webhook endpoints, oldest first. Only in responses whose request has `expand=deliveries`. */
  deliveries?: WebhookDelivery[] | null;
  /** `true` for the made-up event of a test delivery. Omitted in other deliveries. */
  test?: boolean;
}

export interface MergedCustomerEventData {
  /** ID of the customer. */
  id: string;
  /** Email address. */
  email: string | null;
  /** Name. */
  name: string | null;
  /** First name. */
  first_name: string | null;
  /** Last name. */
  last_name: string | null;
  /** ID of the customer at the payment provider. */
  psp_customer_id: string | null;
  /** Your ID for the record. */
  external_id: string | null;
  metadata: Metadata;
  /** Time at which the personal data were erased; `null` if they were not. */
  erased_at: string | null;
  /** End of the customer’s trial of a subscription; `null` if there is none. */
  trial_until: string | null;
  /** `false` for records of test mode. */
  livemode: boolean;
  /** ISO 8601 time in UTC with milliseconds. */
  created_at: string;
  /** ISO 8601 time in UTC with milliseconds. */
  updated_at: string;
  /** Customer that has everything of this one. */
  merged_into: string;
}

/** Occurs when a sale is recorded. */
export interface SaleRecordedEvent {
  /** ID of the event, identical in every delivery. */
  id: string;
  /** Type of the event. */
  type: 'sale.recorded';
  /** Version of the contract that `data` follows. */
  api_version: 'v1';
  /** Position among the events of the account, in the order of the changes. 0 for test events. */
  sequence: number;
  /** ISO 8601 time in UTC with milliseconds. */
  occurred_at: string;
  /** ID of the record that the event is about. */
  subject_id: string;
  actor: EventActor;
  /** The records. */
  data: SaleEventData;
  /**
   * The former values of the fields that have changed. If nothing has changed, e.g. for a new record, omitted in
   * deliveries, and `null` in the list of events.
   */
  previous_attributes?: Record<string, unknown> | null;
  /** Deliveries to webhook endpoints, oldest first. Only in responses whose request has `expand=deliveries`. */
  deliveries?: WebhookDelivery[] | null;
  /** `true` for the made-up event of a test delivery. Omitted in other deliveries. */
  test?: boolean;
}

export interface SaleEventData {
  /** ID of the sale. */
  id: string;
  /** `false` for records of test mode. */
  livemode: boolean;
  /** Your ID for the record. */
  external_id: string | null;
  metadata: Metadata;
  /** ID of the charge at the payment provider. */
  psp_charge_id: string | null;
  /** ID of the invoice at the payment provider. */
  psp_invoice_id: string | null;
  /** ID of the payment intent at the payment provider. */
  psp_payment_intent_id: string | null;
  /** Promo code with which the customer paid. */
  promo_code: string | null;
  /** Amount charged to the customer, including tax. */
  charge_amount_cents: number;
  /** Tax included in the charge. */
  tax_amount_cents: number;
  /** Total refunded to date. */
  refund_amount_cents: number;
  /**
   * Charge minus tax, reduced by refunds in proportion to the charge; 0 after a full refund. Commissions are
   * calculated from this amount.
   */
  sale_amount_cents: number;
  /** ISO 4217 currency code. */
  currency: string;
  /** Description. */
  description: string | null;
  /**
   * Set if the invoice was marked as paid outside the payment provider. `counted`: the sale earns like any other.
   * `excluded`: nobody earns from it, as the settings of the connection say.
   */
  paid_outside: PaidOutside | null;
  /** ISO 8601 time in UTC with milliseconds. */
  charged_at: string;
  /** ID of the referral. */
  referral_id: string | null;
  /** ID of the affiliate. */
  affiliate_id: string | null;
  /** ID of the customer. */
  customer_id: string | null;
  /** ISO 8601 time in UTC with milliseconds. */
  created_at: string;
  /** ISO 8601 time in UTC with milliseconds. */
  updated_at: string;
  /** Reason why the sale earned no commission. */
  no_commission_reason: NoCommissionReason | null;
}

/** Occurs when the refunds of a sale grow. */
export interface SaleRefundedEvent {
  /** ID of the event, identical in every delivery. */
  id: string;
  /** Type of the event. */
  type: 'sale.refunded';
  /** Version of the contract that `data` follows. */
  api_version: 'v1';
  /** Position among the events of the account, in the order of the changes. 0 for test events. */
  sequence: number;
  /** ISO 8601 time in UTC with milliseconds. */
  occurred_at: string;
  /** ID of the record that the event is about. */
  subject_id: string;
  actor: EventActor;
  /** The records. */
  data: SaleEventData;
  /**
   * The former values of the fields that have changed. If nothing has changed, e.g. for a new record, omitted in
   * deliveries, and `null` in the list of events.
   */
  previous_attributes?: Record<string, unknown> | null;
  /** Deliveries to webhook endpoints, oldest first. Only in responses whose request has `expand=deliveries`. */
  deliveries?: WebhookDelivery[] | null;
  /** `true` for the made-up event of a test delivery. Omitted in other deliveries. */
  test?: boolean;
}

/** Occurs when a sale changes in any other way, e.g. when it is attributed to another affiliate. */
export interface SaleUpdatedEvent {
  /** ID of the event, identical in every delivery. */
  id: string;
  /** Type of the event. */
  type: 'sale.updated';
  /** Version of the contract that `data` follows. */
  api_version: 'v1';
  /** Position among the events of the account, in the order of the changes. 0 for test events. */
  sequence: number;
  /** ISO 8601 time in UTC with milliseconds. */
  occurred_at: string;
  /** ID of the record that the event is about. */
  subject_id: string;
  actor: EventActor;
  /** The records. */
  data: SaleEventData;
  /**
   * The former values of the fields that have changed. If nothing has changed, e.g. for a new record, omitted in
   * deliveries, and `null` in the list of events.
   */
  previous_attributes?: Record<string, unknown> | null;
  /** Deliveries to webhook endpoints, oldest first. Only in responses whose request has `expand=deliveries`. */
  deliveries?: WebhookDelivery[] | null;
  /** `true` for the made-up event of a test delivery. Omitted in other deliveries. */
  test?: boolean;
}

/** Occurs when a commission is created. */
export interface CommissionCreatedEvent {
  /** ID of the event, identical in every delivery. */
  id: string;
  /** Type of the event. */
  type: 'commission.created';
  /** Version of the contract that `data` follows. */
  api_version: 'v1';
  /** Position among the events of the account, in the order of the changes. 0 for test events. */
  sequence: number;
  /** ISO 8601 time in UTC with milliseconds. */
  occurred_at: string;
  /** ID of the record that the event is about. */
  subject_id: string;
  actor: EventActor;
  /** The records. */
  data: CommissionEventData;
  /**
   * The former values of the fields that have changed. If nothing has changed, e.g. for a new record, omitted in
   * deliveries, and `null` in the list of events.
   */
  previous_attributes?: Record<string, unknown> | null;
  /** Deliveries to webhook endpoints, oldest first. Only in responses whose request has `expand=deliveries`. */
  deliveries?: WebhookDelivery[] | null;
  /** `true` for the made-up event of a test delivery. Omitted in other deliveries. */
  test?: boolean;
}

export interface CommissionEventData {
  /** ID of the commission. */
  id: string;
  /** `pending`: not due yet; `due`: ready for payout; `paid`; or `voided`. */
  state: CommissionState;
  /**
   * `sale`: earned from a sale; `bonus`: paid on top of it by a reward rule; `lead`: earned for a lead;
   * `milestone`: earned for a number of customers or sales, or for revenue; `adjustment`: correction of a
   * commission that was already claimed or paid; `manual`: created by hand; `imported`: decided by another tool,
   * and changed only by refunds from after the import.
   */
  kind: CommissionKind;
  /** Amount in the minor unit of `currency`; negative for a clawback. */
  amount_cents: number;
  /** ISO 4217 currency code. */
  currency: string;
  /** `false` for records of test mode. */
  livemode: boolean;
  /** Time at which the commission becomes due. */
  due_at: string;
  /** Time at which the commission was marked paid. */
  paid_at: string | null;
  /** ISO 8601 time in UTC with milliseconds. */
  voided_at: string | null;
  /** Reason why the commission was voided. */
  void_reason: string | null;
  /**
   * `suspicious`: the commission is flagged and excluded from payouts until you approve it. `approved`: you
   * approved it.
   */
  review_status: ReviewStatus | null;
  /**
   * Reason why the commission was flagged automatically. `self_referral`: the customer uses an email address of
   * the affiliate. `possible_duplicate`: both Stripe and you reported a sale of the same customer and amount (with
   * or without tax) within 15 minutes. `tax_currency`: Stripe reported the tax in another currency than the
   * charge, so the tax was ignored. `crowded_network`: a lead from a page connects the customer with the
   * affiliate, and it was one of at least 20 within ten minutes from one network; the flag ends when you name the
   * referral for the customer. `unproven_lead`: only a lead from a page, which anyone can send, connects the
   * customer with the affiliate; the flag ends when your server, a checkout or a payment names the same referral.
   * `unverified_address`: only an email address that somebody typed connects the sale with the affiliate, until
   * you name the referral or the address; or the sale names another affiliate, and no ID of the customer.
   * `suspicious_affiliate`: the affiliate was suspicious when the customer was charged; the flag ends when you set
   * the affiliate to `active`. `unpaid_lead`: a reward for a lead who has not paid yet; the flag ends with the
   * first payment or when the commission becomes due. `dispute`: the customer disputes the payment, and the
   * dispute is open.
   */
  review_reason: ReviewReason | null;
  /** ID of the campaign. */
  campaign_id: string;
  /** ID of the affiliate. */
  affiliate_id: string;
  /** `null` for manual commissions, milestones and their adjustments. */
  referral_id: string | null;
  /** `null` for manual commissions, leads, milestones and their adjustments. */
  sale_id: string | null;
  /** The reward rule that pays a bonus, a lead or a milestone; `null` for other kinds. */
  rule_id: string | null;
  /** ID of the payout. */
  payout_id: string | null;
  /** Commission that this adjustment corrects; `null` for other kinds. */
  adjusts_commission_id: string | null;
  /** Purpose of a manual commission; `null` for other kinds. */
  note: string | null;
  /** ID of the user, API key, or connector that created a manual commission; `null` for other kinds. */
  created_by: string | null;
  /** Your ID for the record. */
  external_id: string | null;
  metadata: Metadata;
  /** ISO 8601 time in UTC with milliseconds. */
  created_at: string;
  /** ISO 8601 time in UTC with milliseconds. */
  updated_at: string;
  /** Email address of the customer. Omitted if it is not known. */
  sale_customer_email?: string;
  /** Name of the customer. Omitted if it is not known. */
  sale_customer_name?: string;
  /** First name of the customer. Omitted if it is not known. */
  sale_customer_first_name?: string;
  /** Last name of the customer. Omitted if it is not known. */
  sale_customer_last_name?: string;
}

/** Occurs when a commission becomes due. */
export interface CommissionDueEvent {
  /** ID of the event, identical in every delivery. */
  id: string;
  /** Type of the event. */
  type: 'commission.due';
  /** Version of the contract that `data` follows. */
  api_version: 'v1';
  /** Position among the events of the account, in the order of the changes. 0 for test events. */
  sequence: number;
  /** ISO 8601 time in UTC with milliseconds. */
  occurred_at: string;
  /** ID of the record that the event is about. */
  subject_id: string;
  actor: EventActor;
  /** The records. */
  data: CommissionEventData;
  /**
   * The former values of the fields that have changed. If nothing has changed, e.g. for a new record, omitted in
   * deliveries, and `null` in the list of events.
   */
  previous_attributes?: Record<string, unknown> | null;
  /** Deliveries to webhook endpoints, oldest first. Only in responses whose request has `expand=deliveries`. */
  deliveries?: WebhookDelivery[] | null;
  /** `true` for the made-up event of a test delivery. Omitted in other deliveries. */
  test?: boolean;
}

/** Occurs when a commission is paid, with its payout or by hand. */
export interface CommissionPaidEvent {
  /** ID of the event, identical in every delivery. */
  id: string;
  /** Type of the event. */
  type: 'commission.paid';
  /** Version of the contract that `data` follows. */
  api_version: 'v1';
  /** Position among the events of the account, in the order of the changes. 0 for test events. */
  sequence: number;
  /** ISO 8601 time in UTC with milliseconds. */
  occurred_at: string;
  /** ID of the record that the event is about. */
  subject_id: string;
  actor: EventActor;
  /** The records. */
  data: CommissionEventData;
  /**
   * The former values of the fields that have changed. If nothing has changed, e.g. for a new record, omitted in
   * deliveries, and `null` in the list of events.
   */
  previous_attributes?: Record<string, unknown> | null;
  /** Deliveries to webhook endpoints, oldest first. Only in responses whose request has `expand=deliveries`. */
  deliveries?: WebhookDelivery[] | null;
  /** `true` for the made-up event of a test delivery. Omitted in other deliveries. */
  test?: boolean;
}

/** Occurs when a commission is voided. */
export interface CommissionVoidedEvent {
  /** ID of the event, identical in every delivery. */
  id: string;
  /** Type of the event. */
  type: 'commission.voided';
  /** Version of the contract that `data` follows. */
  api_version: 'v1';
  /** Position among the events of the account, in the order of the changes. 0 for test events. */
  sequence: number;
  /** ISO 8601 time in UTC with milliseconds. */
  occurred_at: string;
  /** ID of the record that the event is about. */
  subject_id: string;
  actor: EventActor;
  /** The records. */
  data: CommissionEventData;
  /**
   * The former values of the fields that have changed. If nothing has changed, e.g. for a new record, omitted in
   * deliveries, and `null` in the list of events.
   */
  previous_attributes?: Record<string, unknown> | null;
  /** Deliveries to webhook endpoints, oldest first. Only in responses whose request has `expand=deliveries`. */
  deliveries?: WebhookDelivery[] | null;
  /** `true` for the made-up event of a test delivery. Omitted in other deliveries. */
  test?: boolean;
}

/**
 * Occurs when a commission changes in any other way: its amount, its due date, its flag, its review or its
 * payout.
 */
export interface CommissionUpdatedEvent {
  /** ID of the event, identical in every delivery. */
  id: string;
  /** Type of the event. */
  type: 'commission.updated';
  /** Version of the contract that `data` follows. */
  api_version: 'v1';
  /** Position among the events of the account, in the order of the changes. 0 for test events. */
  sequence: number;
  /** ISO 8601 time in UTC with milliseconds. */
  occurred_at: string;
  /** ID of the record that the event is about. */
  subject_id: string;
  actor: EventActor;
  /** The records. */
  data: CommissionEventData;
  /**
   * The former values of the fields that have changed. If nothing has changed, e.g. for a new record, omitted in
   * deliveries, and `null` in the list of events.
   */
  previous_attributes?: Record<string, unknown> | null;
  /** Deliveries to webhook endpoints, oldest first. Only in responses whose request has `expand=deliveries`. */
  deliveries?: WebhookDelivery[] | null;
  /** `true` for the made-up event of a test delivery. Omitted in other deliveries. */
  test?: boolean;
}

/** Occurs when the first commission of a new payout is due. */
export interface PayoutCreatedEvent {
  /** ID of the event, identical in every delivery. */
  id: string;
  /** Type of the event. */
  type: 'payout.created';
  /** Version of the contract that `data` follows. */
  api_version: 'v1';
  /** Position among the events of the account, in the order of the changes. 0 for test events. */
  sequence: number;
  /** ISO 8601 time in UTC with milliseconds. */
  occurred_at: string;
  /** ID of the record that the event is about. */
  subject_id: string;
  actor: EventActor;
  /** The records. */
  data: PayoutEventData;
  /**
   * The former values of the fields that have changed. If nothing has changed, e.g. for a new record, omitted in
   * deliveries, and `null` in the list of events.
   */
  previous_attributes?: Record<string, unknown> | null;
  /** Deliveries to webhook endpoints, oldest first. Only in responses whose request has `expand=deliveries`. */
  deliveries?: WebhookDelivery[] | null;
  /** `true` for the made-up event of a test delivery. Omitted in other deliveries. */
  test?: boolean;
}

export interface PayoutEventData {
  /** ID of the payout. */
  id: string;
  /** ID of the affiliate. */
  affiliate_id: string;
  /**
   * `pending`: open but not eligible yet; `due`: open and eligible; `processing`: claimed by an export or a run;
   * `paid`; `returned`: the transfer bounced, and the commissions are in another payout.
   */
  state: PayoutState;
  /** Sum of the commissions, in the minor unit of `currency`. */
  amount_cents: number;
  /** ISO 4217 currency code. */
  currency: string;
  /** `false` for records of test mode. */
  livemode: boolean;
  /** Number of commissions. */
  commissions_count: number;
  /** `true` if the payout can be exported or added to a run now. */
  eligible: boolean;
  /**
   * Reasons why the payout is not eligible; empty once it is paid or returned. `on_hold`: the affiliate is
   * suspicious. `details_changed`: the payout details have just changed. `moving_in`: your former tool pays until
   * the account is no shadow any more. `screening`: the affiliate has not been cleared by the screening
   * (`payout_screenings`). `below_minimum`: the amount is below the campaign’s minimum payout; applies only if
   * both are in the same currency.
   */
  ineligible_reasons: IneligibleReason[];
  /** Your reference of the payment. */
  payment_reference: string | null;
  /** ISO 8601 time in UTC with milliseconds. */
  paid_at: string | null;
  /** ISO 8601 time in UTC with milliseconds. */
  returned_at: string | null;
  /** Reason why the transfer was returned. */
  return_reason: string | null;
  /** Your ID for the record. */
  external_id: string | null;
  metadata: Metadata;
  /** ISO 8601 time in UTC with milliseconds. */
  created_at: string;
  /** ISO 8601 time in UTC with milliseconds. */
  updated_at: string;
}

/** Occurs when a payout changes in any other way, e.g. when it takes a commission, or an export claims it. */
export interface PayoutUpdatedEvent {
  /** ID of the event, identical in every delivery. */
  id: string;
  /** Type of the event. */
  type: 'payout.updated';
  /** Version of the contract that `data` follows. */
  api_version: 'v1';
  /** Position among the events of the account, in the order of the changes. 0 for test events. */
  sequence: number;
  /** ISO 8601 time in UTC with milliseconds. */
  occurred_at: string;
  /** ID of the record that the event is about. */
  subject_id: string;
  actor: EventActor;
  /** The records. */
  data: PayoutEventData;
  /**
   * The former values of the fields that have changed. If nothing has changed, e.g. for a new record, omitted in
   * deliveries, and `null` in the list of events.
   */
  previous_attributes?: Record<string, unknown> | null;
  /** Deliveries to webhook endpoints, oldest first. Only in responses whose request has `expand=deliveries`. */
  deliveries?: WebhookDelivery[] | null;
  /** `true` for the made-up event of a test delivery. Omitted in other deliveries. */
  test?: boolean;
}

/** Occurs when a payout is merged into a released one of the same affiliate, and no longer exists. */
export interface PayoutMergedEvent {
  /** ID of the event, identical in every delivery. */
  id: string;
  /** Type of the event. */
  type: 'payout.merged';
  /** Version of the contract that `data` follows. */
  api_version: 'v1';
  /** Position among the events of the account, in the order of the changes. 0 for test events. */
  sequence: number;
  /** ISO 8601 time in UTC with milliseconds. */
  occurred_at: string;
  /** ID of the record that the event is about. */
  subject_id: string;
  actor: EventActor;
  /** The records. */
  data: MergedPayoutEventData;
  /**
   * The former values of the fields that have changed. If nothing has changed, e.g. for a new record, omitted in
   * deliveries, and `null` in the list of events.
   */
  previous_attributes?: Record<string, unknown> | null;
  /** Deliveries to webhook endpoints, oldest first. Only in responses whose request has `expand=deliveries`. */
  deliveries?: WebhookDelivery[] | null;
  /** `true` for the made-up event of a test delivery. Omitted in other deliveries. */
  test?: boolean;
}

export interface MergedPayoutEventData {
  /** ID of the payout. */
  id: string;
  /** ID of the affiliate. */
  affiliate_id: string;
  /**
   * `pending`: open but not eligible yet; `due`: open and eligible; `processing`: claimed by an export or a run;
   * `paid`; `returned`: the transfer bounced, and the commissions are in another payout.
   */
  state: PayoutState;
  /** Sum of the commissions, in the minor unit of `currency`. */
  amount_cents: number;
  /** ISO 4217 currency code. */
  currency: string;
  /** `false` for records of test mode. */
  livemode: boolean;
  /** Number of commissions. */
  commissions_count: number;
  /** `true` if the payout can be exported or added to a run now. */
  eligible: boolean;
  /**
   * Reasons why the payout is not eligible; empty once it is paid or returned. `on_hold`: the affiliate is
   * suspicious. `details_changed`: the payout details have just changed. `moving_in`: your former tool pays until
   * the account is no shadow any more. `screening`: the affiliate has not been cleared by the screening
   * (`payout_screenings`). `below_minimum`: the amount is below the campaign’s minimum payout; applies only if
   * both are in the same currency.
   */
  ineligible_reasons: IneligibleReason[];
  /** Your reference of the payment. */
  payment_reference: string | null;
  /** ISO 8601 time in UTC with milliseconds. */
  paid_at: string | null;
  /** ISO 8601 time in UTC with milliseconds. */
  returned_at: string | null;
  /** Reason why the transfer was returned. */
  return_reason: string | null;
  /** Your ID for the record. */
  external_id: string | null;
  metadata: Metadata;
  /** ISO 8601 time in UTC with milliseconds. */
  created_at: string;
  /** ISO 8601 time in UTC with milliseconds. */
  updated_at: string;
  /** Payout that has the commissions of this one. */
  merged_into: string;
}

/** Occurs when a payout is marked as paid, together with its commissions. */
export interface PayoutPaidEvent {
  /** ID of the event, identical in every delivery. */
  id: string;
  /** Type of the event. */
  type: 'payout.paid';
  /** Version of the contract that `data` follows. */
  api_version: 'v1';
  /** Position among the events of the account, in the order of the changes. 0 for test events. */
  sequence: number;
  /** ISO 8601 time in UTC with milliseconds. */
  occurred_at: string;
  /** ID of the record that the event is about. */
  subject_id: string;
  actor: EventActor;
  /** The records. */
  data: PaidPayoutEventData;
  /**
   * The former values of the fields that have changed. If nothing has changed, e.g. for a new record, omitted in
   * deliveries, and `null` in the list of events.
   */
  previous_attributes?: Record<string, unknown> | null;
  /** Deliveries to webhook endpoints, oldest first. Only in responses whose request has `expand=deliveries`. */
  deliveries?: WebhookDelivery[] | null;
  /** `true` for the made-up event of a test delivery. Omitted in other deliveries. */
  test?: boolean;
}

export interface PaidPayoutEventData {
  /** ID of the payout. */
  id: string;
  /** ID of the affiliate. */
  affiliate_id: string;
  /**
   * `pending`: open but not eligible yet; `due`: open and eligible; `processing`: claimed by an export or a run;
   * `paid`; `returned`: the transfer bounced, and the commissions are in another payout.
   */
  state: PayoutState;
  /** Sum of the commissions, in the minor unit of `currency`. */
  amount_cents: number;
  /** ISO 4217 currency code. */
  currency: string;
  /** `false` for records of test mode. */
  livemode: boolean;
  /** Number of commissions. */
  commissions_count: number;
  /** `true` if the payout can be exported or added to a run now. */
  eligible: boolean;
  /**
   * Reasons why the payout is not eligible; empty once it is paid or returned. `on_hold`: the affiliate is
   * suspicious. `details_changed`: the payout details have just changed. `moving_in`: your former tool pays until
   * the account is no shadow any more. `screening`: the affiliate has not been cleared by the screening
   * (`payout_screenings`). `below_minimum`: the amount is below the campaign’s minimum payout; applies only if
   * both are in the same currency.
   */
  ineligible_reasons: IneligibleReason[];
  /** Your reference of the payment. */
  payment_reference: string | null;
  /** ISO 8601 time in UTC with milliseconds. */
  paid_at: string | null;
  /** ISO 8601 time in UTC with milliseconds. */
  returned_at: string | null;
  /** Reason why the transfer was returned. */
  return_reason: string | null;
  /** Your ID for the record. */
  external_id: string | null;
  metadata: Metadata;
  /** ISO 8601 time in UTC with milliseconds. */
  created_at: string;
  /** ISO 8601 time in UTC with milliseconds. */
  updated_at: string;
  payment: PayoutPayment;
  /** Commissions in the payout. With `payout.paid`, all of them that are not voided are paid, too. */
  commission_ids: string[];
}

/** The payment of a payout, and its fee when the event was made. */
export interface PayoutPayment {
  /** Kind of the method: `by_hand`, `csv`, `paypal`, `wise`. */
  method: string;
  /**
   * Fee that the service which pays has taken, in the minor unit of `fee_currency`. You bear what
   * `affiliate_fee_cents` does not cover. `null`: the service has not told.
   */
  fee_cents: number | null;
  /** ISO 4217 currency code. */
  fee_currency: string | null;
  /**
   * Part of `amount_cents` that was not sent, because the affiliate bears it as the fee. When the payment fails or
   * comes back, it is due again, too.
   */
  affiliate_fee_cents: number;
  /** Amount that came back, in the minor unit of `currency`. `null`: not known. */
  returned_cents: number | null;
}

/** Occurs when the transfer of a paid payout is returned. */
export interface PayoutReturnedEvent {
  /** ID of the event, identical in every delivery. */
  id: string;
  /** Type of the event. */
  type: 'payout.returned';
  /** Version of the contract that `data` follows. */
  api_version: 'v1';
  /** Position among the events of the account, in the order of the changes. 0 for test events. */
  sequence: number;
  /** ISO 8601 time in UTC with milliseconds. */
  occurred_at: string;
  /** ID of the record that the event is about. */
  subject_id: string;
  actor: EventActor;
  /** The records. */
  data: PaidPayoutEventData;
  /**
   * The former values of the fields that have changed. If nothing has changed, e.g. for a new record, omitted in
   * deliveries, and `null` in the list of events.
   */
  previous_attributes?: Record<string, unknown> | null;
  /** Deliveries to webhook endpoints, oldest first. Only in responses whose request has `expand=deliveries`. */
  deliveries?: WebhookDelivery[] | null;
  /** `true` for the made-up event of a test delivery. Omitted in other deliveries. */
  test?: boolean;
}

/** Occurs when an attempt to pay a payout failed. The payout is open again. */
export interface PayoutFailedEvent {
  /** ID of the event, identical in every delivery. */
  id: string;
  /** Type of the event. */
  type: 'payout.failed';
  /** Version of the contract that `data` follows. */
  api_version: 'v1';
  /** Position among the events of the account, in the order of the changes. 0 for test events. */
  sequence: number;
  /** ISO 8601 time in UTC with milliseconds. */
  occurred_at: string;
  /** ID of the record that the event is about. */
  subject_id: string;
  actor: EventActor;
  /** The records. */
  data: FailedPayoutEventData;
  /**
   * The former values of the fields that have changed. If nothing has changed, e.g. for a new record, omitted in
   * deliveries, and `null` in the list of events.
   */
  previous_attributes?: Record<string, unknown> | null;
  /** Deliveries to webhook endpoints, oldest first. Only in responses whose request has `expand=deliveries`. */
  deliveries?: WebhookDelivery[] | null;
  /** `true` for the made-up event of a test delivery. Omitted in other deliveries. */
  test?: boolean;
}

export interface FailedPayoutEventData {
  /** ID of the payout. */
  id: string;
  /** ID of the affiliate. */
  affiliate_id: string;
  /**
   * `pending`: open but not eligible yet; `due`: open and eligible; `processing`: claimed by an export or a run;
   * `paid`; `returned`: the transfer bounced, and the commissions are in another payout.
   */
  state: PayoutState;
  /** Sum of the commissions, in the minor unit of `currency`. */
  amount_cents: number;
  /** ISO 4217 currency code. */
  currency: string;
  /** `false` for records of test mode. */
  livemode: boolean;
  /** Number of commissions. */
  commissions_count: number;
  /** `true` if the payout can be exported or added to a run now. */
  eligible: boolean;
  /**
   * Reasons why the payout is not eligible; empty once it is paid or returned. `on_hold`: the affiliate is
   * suspicious. `details_changed`: the payout details have just changed. `moving_in`: your former tool pays until
   * the account is no shadow any more. `screening`: the affiliate has not been cleared by the screening
   * (`payout_screenings`). `below_minimum`: the amount is below the campaign’s minimum payout; applies only if
   * both are in the same currency.
   */
  ineligible_reasons: IneligibleReason[];
  /** Your reference of the payment. */
  payment_reference: string | null;
  /** ISO 8601 time in UTC with milliseconds. */
  paid_at: string | null;
  /** ISO 8601 time in UTC with milliseconds. */
  returned_at: string | null;
  /** Reason why the transfer was returned. */
  return_reason: string | null;
  /** Your ID for the record. */
  external_id: string | null;
  metadata: Metadata;
  /** ISO 8601 time in UTC with milliseconds. */
  created_at: string;
  /** ISO 8601 time in UTC with milliseconds. */
  updated_at: string;
  payment: PayoutPayment;
  /** Reason for which the attempt to pay the payout failed. */
  reason: string;
}

/** Occurs when an affiliate gets a payout method. */
export interface PayoutMethodCreatedEvent {
  /** ID of the event, identical in every delivery. */
  id: string;
  /** Type of the event. */
  type: 'payout_method.created';
  /** Version of the contract that `data` follows. */
  api_version: 'v1';
  /** Position among the events of the account, in the order of the changes. 0 for test events. */
  sequence: number;
  /** ISO 8601 time in UTC with milliseconds. */
  occurred_at: string;
  /** ID of the record that the event is about. */
  subject_id: string;
  actor: EventActor;
  /** The records. */
  data: PayoutMethodEventData;
  /**
   * The former values of the fields that have changed. If nothing has changed, e.g. for a new record, omitted in
   * deliveries, and `null` in the list of events.
   */
  previous_attributes?: Record<string, unknown> | null;
  /** Deliveries to webhook endpoints, oldest first. Only in responses whose request has `expand=deliveries`. */
  deliveries?: WebhookDelivery[] | null;
  /** `true` for the made-up event of a test delivery. Omitted in other deliveries. */
  test?: boolean;
}

export interface PayoutMethodEventData {
  /** ID of the payout method. */
  id: string;
  /** ID of the affiliate. */
  affiliate_id: string;
  /** Kind of the method, e.g. `paypal` or `wise`. */
  kind: string;
  /**
   * `confirmed`: payouts can be paid to it; `held`: the payout details have just changed, and payouts wait until
   * `payouts_held_until`; `retired`: it was removed.
   */
  state: PayoutMethodState;
  /** Part of the address by which its owner recognizes it. The address itself is never shown. */
  hint: string;
  /** Time of the last change of the address. */
  since: string;
  /** ISO 8601 time in UTC with milliseconds. */
  retired_at: string | null;
  /** `false` for records of test mode. */
  livemode: boolean;
  /** ISO 8601 time in UTC with milliseconds. */
  created_at: string;
  /** ISO 8601 time in UTC with milliseconds. */
  updated_at: string;
}

/** Occurs when the address of a payout method changes, or the method is removed. */
export interface PayoutMethodUpdatedEvent {
  /** ID of the event, identical in every delivery. */
  id: string;
  /** Type of the event. */
  type: 'payout_method.updated';
  /** Version of the contract that `data` follows. */
  api_version: 'v1';
  /** Position among the events of the account, in the order of the changes. 0 for test events. */
  sequence: number;
  /** ISO 8601 time in UTC with milliseconds. */
  occurred_at: string;
  /** ID of the record that the event is about. */
  subject_id: string;
  actor: EventActor;
  /** The records. */
  data: PayoutMethodEventData;
  /**
   * The former values of the fields that have changed. If nothing has changed, e.g. for a new record, omitted in
   * deliveries, and `null` in the list of events.
   */
  previous_attributes?: Record<string, unknown> | null;
  /** Deliveries to webhook endpoints, oldest first. Only in responses whose request has `expand=deliveries`. */
  deliveries?: WebhookDelivery[] | null;
  /** `true` for the made-up event of a test delivery. Omitted in other deliveries. */
  test?: boolean;
}

/** Occurs when a payout run is completed, fully or in part, or canceled. */
export interface PayoutRunFinishedEvent {
  /** ID of the event, identical in every delivery. */
  id: string;
  /** Type of the event. */
  type: 'payout_run.finished';
  /** Version of the contract that `data` follows. */
  api_version: 'v1';
  /** Position among the events of the account, in the order of the changes. 0 for test events. */
  sequence: number;
  /** ISO 8601 time in UTC with milliseconds. */
  occurred_at: string;
  /** ID of the record that the event is about. */
  subject_id: string;
  actor: EventActor;
  /** The records. */
  data: PayoutRunEventData;
  /**
   * The former values of the fields that have changed. If nothing has changed, e.g. for a new record, omitted in
   * deliveries, and `null` in the list of events.
   */
  previous_attributes?: Record<string, unknown> | null;
  /** Deliveries to webhook endpoints, oldest first. Only in responses whose request has `expand=deliveries`. */
  deliveries?: WebhookDelivery[] | null;
  /** `true` for the made-up event of a test delivery. Omitted in other deliveries. */
  test?: boolean;
}

export interface PayoutRunEventData {
  /** ID of the payout run. */
  id: string;
  /**
   * `planned`; `executing`; `completed`: no failed items remain; `partially_completed`: some items failed, see
   * `issues`; `canceled`.
   */
  state: PayoutRunState;
  /** Key that was sent when the run was created. */
  idempotency_key: string;
  /** `false` for records of test mode. */
  livemode: boolean;
  /** Affiliates that the run is limited to; `null` for all. */
  affiliate_ids: string[] | null;
  /** Your reference of the payment. */
  payment_reference: string | null;
  /** Number of items of the run. */
  items_total: number;
  /** Number of items that are paid, failed, excluded, or canceled. */
  items_done: number;
  /** Totals per currency. */
  totals: {
    /** ISO 4217 currency code. */
    currency: string;
    /** Number of items. */
    items_count: number;
    /** Total of all items. */
    amount_cents: number;
    /** Amount of the items that are not executed yet. */
    planned_cents: number;
    /** Amount that was paid. */
    paid_cents: number;
    /** Amount of the payouts that were returned. */
    returned_cents: number;
    /** Amount of the failed items. */
    failed_cents: number;
    /** Amount of the excluded items. */
    excluded_cents: number;
    /** Amount of the canceled items. */
    canceled_cents: number;
  }[];
  /** Issues of failed items, by code. */
  issues: {
    /**
     * `missing_payout_details`: the affiliate has neither a PayPal (`walleta_email`) nor a Wise email address
     * (`walletb_email`). `affiliate_inactive`: the affiliate is not active or is archived.
     */
    code: PayoutRunIssue;
    /** Number of items. */
    items_count: number;
  }[];
  /** ISO 8601 time in UTC with milliseconds. */
  executed_at: string | null;
  /** ISO 8601 time in UTC with milliseconds. */
  completed_at: string | null;
  /** ISO 8601 time in UTC with milliseconds. */
  canceled_at: string | null;
  /** ISO 8601 time in UTC with milliseconds. */
  created_at: string;
  /** ISO 8601 time in UTC with milliseconds. */
  updated_at: string;
}

/** Occurs when all payouts of an export are marked as paid. */
export interface PayoutExportPaidEvent {
  /** ID of the event, identical in every delivery. */
  id: string;
  /** Type of the event. */
  type: 'payout_export.paid';
  /** Version of the contract that `data` follows. */
  api_version: 'v1';
  /** Position among the events of the account, in the order of the changes. 0 for test events. */
  sequence: number;
  /** ISO 8601 time in UTC with milliseconds. */
  occurred_at: string;
  /** ID of the record that the event is about. */
  subject_id: string;
  actor: EventActor;
  /** The records. */
  data: PayoutExportEventData;
  /**
   * The former values of the fields that have changed. If nothing has changed, e.g. for a new record, omitted in
   * deliveries, and `null` in the list of events.
   */
  previous_attributes?: Record<string, unknown> | null;
  /** Deliveries to webhook endpoints, oldest first. Only in responses whose request has `expand=deliveries`. */
  deliveries?: WebhookDelivery[] | null;
  /** `true` for the made-up event of a test delivery. Omitted in other deliveries. */
  test?: boolean;
}

export interface PayoutExportEventData {
  /** ID of the payout export. */
  id: string;
  /**
   * `processing`: the export holds its payouts until it is paid or deleted; `paying`: the payouts of a large
   * export are being marked as paid, see `paid_count`; `paid`; `released`: the export was deleted, and its payouts
   * were released.
   */
  state: PayoutExportState;
  /**
   * `csv`: spreadsheet with every field; `walleta`: PayPal Payouts upload; `walletb`: Wise batch payment by email;
   * `bank_sepa`: bank file in euros (pain.001); `bank_ach`: in US dollars (NACHA).
   */
  export_format: ExportFormat;
  /** `false` for records of test mode. */
  livemode: boolean;
  /** Your notes. */
  notes: string | null;
  /** Number of payouts. */
  payouts_count: number;
  /** Totals by currency. */
  totals: {
    /** ISO 4217 currency code. */
    currency: string;
    /** Number of payouts. */
    payouts_count: number;
    /** Amount in the currency’s minor unit. */
    amount_cents: number;
  }[];
  /** Your reference of the payment. */
  payment_reference: string | null;
  /** ISO 8601 time in UTC with milliseconds. */
  paid_at: string | null;
  /** Number of payouts paid so far. */
  paid_count: number;
  /** Number of payouts that were paid and then returned. */
  returned_count: number;
  /** ISO 8601 time in UTC with milliseconds. */
  released_at: string | null;
  /** ISO 8601 time in UTC with milliseconds. */
  created_at: string;
  /** ISO 8601 time in UTC with milliseconds. */
  updated_at: string;
}

/** An import is done or undone. */
export interface ImportCompletedEvent {
  /** ID of the event, identical in every delivery. */
  id: string;
  /** Type of the event. */
  type: 'import.completed';
  /** Version of the contract that `data` follows. */
  api_version: 'v1';
  /** Position among the events of the account, in the order of the changes. 0 for test events. */
  sequence: number;
  /** ISO 8601 time in UTC with milliseconds. */
  occurred_at: string;
  /** ID of the record that the event is about. */
  subject_id: string;
  actor: EventActor;
  /** The records. */
  data: ImportEventData;
  /**
   * The former values of the fields that have changed. If nothing has changed, e.g. for a new record, omitted in
   * deliveries, and `null` in the list of events.
   */
  previous_attributes?: Record<string, unknown> | null;
  /** Deliveries to webhook endpoints, oldest first. Only in responses whose request has `expand=deliveries`. */
  deliveries?: WebhookDelivery[] | null;
  /** `true` for the made-up event of a test delivery. Omitted in other deliveries. */
  test?: boolean;
}

export interface ImportEventData {
  /** ID of the import. */
  id: string;
  /** `false` for records of test mode. */
  livemode: boolean;
  /** The tool from which the records come. */
  source: string;
  /**
   * `reading`: the records are read and checked, and nothing is made yet; `draft`: files arrive in parts, or
   * reading was stopped; `ready`: everything is known that the import would make; `running`: records are made;
   * `done`; `undoing` and `undone`: the records that the import made are removed; `failed`: see `failure`.
   */
  state: ImportState;
  /** Files that were not read yet. They are deleted as soon as they are read, or cannot be read. */
  files: {
    /** The records in the file. */
    kind: string;
    /** Bytes of the text in UTF-8 that have arrived. */
    bytes: number;
    /** False while parts of the file are still to come. */
    is_complete: boolean;
  }[];
  /** Campaign of affiliates for whom the source names none. */
  campaign_id: string | null;
  /** Currency of amounts for which the source names none. */
  currency: string | null;
  /** Numbers of records by kind and outcome. */
  counts: {
    /** Kind of the record. */
    kind: ImportedKind;
    /** `null` for records that are not checked yet. */
    outcome: ImportOutcome | null;
    /** Number of records. */
    count: number;
    /** Number of them with which the import has finished. */
    done: number;
  }[];
  /** Amounts of commissions and payouts by currency and state. */
  totals: {
    /** Kind of the records. */
    kind: ImportedAmount;
    /** ISO 4217 currency code. */
    currency: string | null;
    /** State of the records at the source, in the words of this API. */
    state: string;
    /** Number of records. */
    count: number;
    /** Sum of all records of the source. */
    source_cents: number;
    /**
     * Sum of those that the import makes or has made, or that your account has. The difference is that of the
     * records that are skipped or a problem.
     */
    here_cents: number;
  }[];
  /** Progress of the work in the background; `null` if there is none. */
  progress: {
    /** The present work. */
    phase: ImportPhase;
    /** Number of records with which it is done. */
    done: number;
    /** Number of all records, or `null` if the source does not say how many it has. */
    total: number | null;
    /** Records in a minute since the work began, or went on. */
    per_minute: number;
    /** Seconds until the work is done, at this rate. */
    seconds_left: number | null;
  } | null;
  /** Number of records that the source says to have, or `null`. */
  expected_count: number | null;
  /**
   * Reason why the import failed. `key_refused`: the source does not accept the key; `no_api_access`: your plan
   * there has no API; `not_understood`: an answer has another form than documented; `goes_round`: a list begins
   * again and again; `unreachable`: the source did not answer for hours; `file_unreadable`: a file is not the CSV
   * that its kind needs. Run the import again to go on where it stopped.
   */
  failure: ImportFailure | null;
  /** The column of a file, or the list of the source, that the failure is about. */
  failure_detail: string | null;
  /** Time at which a source that asked to wait is asked again. */
  resume_at: string | null;
  /** ISO 8601 time in UTC with milliseconds. */
  read_at: string | null;
  /** ISO 8601 time in UTC with milliseconds. */
  done_at: string | null;
  /** ISO 8601 time in UTC with milliseconds. */
  created_at: string;
  /** ISO 8601 time in UTC with milliseconds. */
  updated_at: string;
}

/** The permission or the sign-in that the caller lacks. */
export interface ForbiddenDetails {
  /** Missing permission. */
  permission?: string;
  /** `sign_in_again`: the sign-in is too old; `person_needed`: only a signed-in person may do this. */
  reason?: ForbiddenReason;
}

/** The daily limit of a connector. */
export interface PayLimitDetails {
  /** Currency of the amounts. */
  currency: string;
  /** The most that the connector may mark as paid within 24 hours. */
  limit_cents: number;
  /** The amount that it has marked as paid within the last 24 hours. */
  counted_cents: number;
  /** The amount that the request would mark as paid. */
  amount_cents: number;
}

/** The reason of the conflict. */
export interface ConflictDetails {
  /** Stable code of the conflict, for programs, if the operation has several. */
  reason?: string;
  /** ID of the code at the payment provider that has the same text. */
  psp_promotion_code_id?: string;
  /** With `other_values`: the fields of a reported sale or refund that differ from the first report. */
  fields?: string[];
  /** With `other_values`: the stored sale. */
  sale?: Sale;
  /** With `other_values` of a refund: the stored refund. */
  refund?: {
    /** Your ID for the refund. */
    refund_id: string;
    /** Amount in the currency’s minor unit. */
    amount_cents: number;
  };
  /** With `other_values`: the commission of the stored sale, or `null`. */
  commission?: PlainCommission | null;
}

/** A charge paid by a customer. Amounts are in the minor unit of `currency`. */
export interface Sale {
  /** ID of the sale. */
  id: string;
  /** `false` for records of test mode. */
  livemode: boolean;
  /** Your ID for the record. */
  external_id: string | null;
  metadata: Metadata;
  /** ID of the charge at the payment provider. */
  psp_charge_id: string | null;
  /** ID of the invoice at the payment provider. */
  psp_invoice_id: string | null;
  /** ID of the payment intent at the payment provider. */
  psp_payment_intent_id: string | null;
  /** Promo code with which the customer paid. */
  promo_code: string | null;
  /** Amount charged to the customer, including tax. */
  charge_amount_cents: number;
  /** Tax included in the charge. */
  tax_amount_cents: number;
  /** Total refunded to date. */
  refund_amount_cents: number;
  /**
   * Charge minus tax, reduced by refunds in proportion to the charge; 0 after a full refund. Commissions are
   * calculated from this amount.
   */
  sale_amount_cents: number;
  /** ISO 4217 currency code. */
  currency: string;
  /** Description. */
  description: string | null;
  /**
   * Set if the invoice was marked as paid outside the payment provider. `counted`: the sale earns like any other.
   * `excluded`: nobody earns from it, as the settings of the connection say.
   */
  paid_outside: PaidOutside | null;
  /** ISO 8601 time in UTC with milliseconds. */
  charged_at: string;
  /** ID of the referral. */
  referral_id: string | null;
  /** ID of the affiliate. */
  affiliate_id: string | null;
  /** ID of the customer. */
  customer_id: string | null;
  /** The referral. */
  referral: {
    /** ID of the referral. */
    id: string;
    /** `visitor`, `lead` (signed up), or `conversion` (paid). */
    conversion_state: string;
    /** ID of the customer at the payment provider. */
    psp_customer_id: string | null;
    /** The customer. */
    customer: Customer | null;
  } | null;
  /** The affiliate. */
  affiliate: {
    /** ID of the affiliate. */
    id: string;
    /** Email address. */
    email: string;
    /** First name. */
    first_name: string | null;
    /** Last name. */
    last_name: string | null;
  } | null;
  /** ISO 8601 time in UTC with milliseconds. */
  created_at: string;
  /** ISO 8601 time in UTC with milliseconds. */
  updated_at: string;
}

/**
 * A paying customer. Email address and name are present if a payment provider or the conversion flow provided
 * them.
 */
export interface Customer {
  /** ID of the customer. */
  id: string;
  /** Email address. */
  email: string | null;
  /** Name. */
  name: string | null;
  /** First name. */
  first_name: string | null;
  /** Last name. */
  last_name: string | null;
  /** ID of the customer at the payment provider. */
  psp_customer_id: string | null;
  /** Your ID for the record. */
  external_id: string | null;
  metadata: Metadata;
  /** Time at which the personal data were erased; `null` if they were not. */
  erased_at: string | null;
  /** End of the customer’s trial of a subscription; `null` if there is none. */
  trial_until: string | null;
  /** `false` for records of test mode. */
  livemode: boolean;
  /** ISO 8601 time in UTC with milliseconds. */
  created_at: string;
  /** ISO 8601 time in UTC with milliseconds. */
  updated_at: string;
}

/** A commission without expansions. */
export interface PlainCommission {
  /** ID of the commission. */
  id: string;
  /** `pending`: not due yet; `due`: ready for payout; `paid`; or `voided`. */
  state: CommissionState;
  /**
   * `sale`: earned from a sale; `bonus`: paid on top of it by a reward rule; `lead`: earned for a lead;
   * `milestone`: earned for a number of customers or sales, or for revenue; `adjustment`: correction of a
   * commission that was already claimed or paid; `manual`: created by hand; `imported`: decided by another tool,
   * and changed only by refunds from after the import.
   */
  kind: CommissionKind;
  /** Amount in the minor unit of `currency`; negative for a clawback. */
  amount_cents: number;
  /** ISO 4217 currency code. */
  currency: string;
  /** `false` for records of test mode. */
  livemode: boolean;
  /** Time at which the commission becomes due. */
  due_at: string;
  /** Time at which the commission was marked paid. */
  paid_at: string | null;
  /** ISO 8601 time in UTC with milliseconds. */
  voided_at: string | null;
  /** Reason why the commission was voided. */
  void_reason: string | null;
  /**
   * `suspicious`: the commission is flagged and excluded from payouts until you approve it. `approved`: you
   * approved it.
   */
  review_status: ReviewStatus | null;
  /**
   * Reason why the commission was flagged automatically. `self_referral`: the customer uses an email address of
   * the affiliate. `possible_duplicate`: both Stripe and you reported a sale of the same customer and amount (with
   * or without tax) within 15 minutes. `tax_currency`: Stripe reported the tax in another currency than the
   * charge, so the tax was ignored. `crowded_network`: a lead from a page connects the customer with the
   * affiliate, and it was one of at least 20 within ten minutes from one network; the flag ends when you name the
   * referral for the customer. `unproven_lead`: only a lead from a page, which anyone can send, connects the
   * customer with the affiliate; the flag ends when your server, a checkout or a payment names the same referral.
   * `unverified_address`: only an email address that somebody typed connects the sale with the affiliate, until
   * you name the referral or the address; or the sale names another affiliate, and no ID of the customer.
   * `suspicious_affiliate`: the affiliate was suspicious when the customer was charged; the flag ends when you set
   * the affiliate to `active`. `unpaid_lead`: a reward for a lead who has not paid yet; the flag ends with the
   * first payment or when the commission becomes due. `dispute`: the customer disputes the payment, and the
   * dispute is open.
   */
  review_reason: ReviewReason | null;
  /** ID of the campaign. */
  campaign_id: string;
  /** ID of the affiliate. */
  affiliate_id: string;
  /** `null` for manual commissions, milestones and their adjustments. */
  referral_id: string | null;
  /** `null` for manual commissions, leads, milestones and their adjustments. */
  sale_id: string | null;
  /** The reward rule that pays a bonus, a lead or a milestone; `null` for other kinds. */
  rule_id: string | null;
  /** ID of the payout. */
  payout_id: string | null;
  /** Commission that this adjustment corrects; `null` for other kinds. */
  adjusts_commission_id: string | null;
  /** Purpose of a manual commission; `null` for other kinds. */
  note: string | null;
  /** ID of the user, API key, or connector that created a manual commission; `null` for other kinds. */
  created_by: string | null;
  /** Your ID for the record. */
  external_id: string | null;
  metadata: Metadata;
  /** ISO 8601 time in UTC with milliseconds. */
  created_at: string;
  /** ISO 8601 time in UTC with milliseconds. */
  updated_at: string;
}

/** An operation at the payment provider whose outcome is unknown. */
export interface OperationDetails {
  /** ID of the operation at the payment provider. */
  operation_id?: string;
}

/** The condition that does not hold, unless it is `If-Match`. */
export interface PreconditionDetails {
  /** `exists`: the request has `If-None-Match: *`, and the record exists. */
  reason?: 'exists';
  /** With `exists`: ID of the record. */
  id?: string;
}

/** One problem with the input. */
export interface ValidationDetail {
  /** Path of the field or parameter, with dots and indexes. Empty if the problem concerns the input as a whole. */
  path: string;
  /** Stable code of the problem, for programs. */
  code: string;
  /** Human-readable message. */
  message: string;
  /**
   * For a value or a name that is not one of those accepted: the accepted ones. Several problems with the same
   * list have it once.
   */
  accepted?: string[];
}

/** Time after which the request can be sent again. */
export interface RetryDetails {
  /** Seconds to wait, as in the header `Retry-After`. */
  retry_after?: number;
}

/** The answer of the payment provider. */
export interface ProviderDetails {
  /** Reason: `unreachable`, `timeout`, `unavailable`, `rate_limited`, `authentication` or `permission`. */
  reason?: string;
  /** Error code of the payment provider. */
  psp_code?: string;
  /** Request ID of the payment provider. Quote it to the provider’s support. */
  psp_request_id?: string;
}

/** The single coupon code of an affiliate (legacy). New integrations should use promo codes. */
export interface AffiliateCoupon {
  /** ID of the affiliate coupon. */
  id: string;
  /** ID of the affiliate. */
  affiliate_id: string;
  /** ID of the campaign. */
  campaign_id: string;
  /** Code of the promotion, as customers enter it. */
  code: string;
  /** `true` if the code can be redeemed in Stripe. */
  active: boolean;
  /** Stripe promotion code ID. */
  psp_promotion_code_id: string;
  /** Stripe coupon ID. */
  psp_coupon_id: string | null;
  /** `true` for a code in Stripe live mode, `false` in test mode. */
  livemode: boolean;
  observation: PromoCodeObservation;
  /** Time of the last sync with Stripe. */
  synced_at: string;
  /** ISO 8601 time in UTC with milliseconds. */
  created_at: string;
  /** ISO 8601 time in UTC with milliseconds. */
  updated_at: string;
}

/** A partner who promotes a campaign and earns commissions. */
export interface Affiliate {
  /** ID of the affiliate. */
  id: string;
  /** Email address, unique among affiliates that are not archived. */
  email: string;
  /** ID of the campaign. */
  campaign_id: string;
  /** First name. */
  first_name: string | null;
  /** Last name. */
  last_name: string | null;
  /**
   * State of the affiliate. `active` affiliates track visits and earn commissions. So do `suspicious` ones, but
   * their commissions are flagged for review and their payouts are on hold; setting the affiliate to `active`
   * releases both. Affiliates in any other state do neither.
   */
  state: AffiliateState;
  /** PayPal email address for payouts. */
  walleta_email: string | null;
  /** Wise email address for payouts. */
  walletb_email: string | null;
  /** Your ID for the record. */
  external_id: string | null;
  metadata: Metadata;
  /** ID of the Stripe customer with this email address. */
  psp_customer_id: string | null;
  /** No payout is eligible before this time, because the payout details have changed. */
  payouts_held_until: string | null;
  /** ISO 8601 time in UTC with milliseconds. */
  archived_at: string | null;
  /** Time at which the personal data were erased; `null` if they were not. */
  erased_at: string | null;
  /** `false` for records of test mode. */
  livemode: boolean;
  /** ISO 8601 time in UTC with milliseconds. */
  created_at: string;
  /** ISO 8601 time in UTC with milliseconds. */
  updated_at: string;
  /** Present if `expand` includes `campaign`. */
  campaign?: Campaign | null;
  /** Present if `expand` includes `links`. */
  links?: Link[] | null;
  /** Present if `expand` includes `coupon`. */
  coupon?: AffiliateCoupon | null;
  /** Present if `expand` includes `tiers`. */
  tiers?: AffiliateTier[] | null;
  /** Present if `expand` includes `commission_stats`. */
  commission_stats?: CommissionStats | null;
  /** Present if `expand` includes `outlook`. */
  outlook?: PaymentOutlook[] | null;
  /** Present if `expand` includes `shared_accounts`. */
  shared_accounts?: SharedPayoutAccount[] | null;
  /** Only in the answer to a change of `campaign_id`, and in its preview. */
  left_behind?: LeftBehind;
}

/** A promotion with the terms under which its affiliates earn commissions. */
export interface Campaign {
  /** ID of the campaign. */
  id: string;
  /** Campaign name, shown to affiliates. */
  name: string;
  /** Unique within the account. By default derived from the name. */
  slug: string;
  /** Landing page of the campaign, also used for visitors of inactive links. */
  url: string;
  /** `true` if affiliates can join by invitation only. */
  private: boolean;
  /** `true` if generated link tokens are random instead of based on the affiliate’s name. */
  private_tokens: boolean;
  /** `percent`: percentage of the sale; `fixed`: fixed amount per sale. */
  reward_type: RewardType;
  /** Commission as a percentage of the sale, up to two decimals. For `reward_type` `percent`. */
  commission_percent: number | null;
  /** Commission per sale, in the minor unit of its currency. For `reward_type` `fixed`. */
  commission_amount_cents: number | null;
  /** Currency of `commission_amount_cents`. Defaults to the account’s currency. */
  commission_amount_currency: string | null;
  /** Minimum payout amount. Payouts below it are not eligible. Defaults to 0. */
  minimum_payout_cents: number;
  /** Currency of `minimum_payout_cents`. The minimum applies only to payouts in this currency. */
  minimum_payout_currency: string;
  /**
   * Calendar months, counted from a referral’s first commission, in which its sales earn commissions. `null` for
   * no limit.
   */
  max_commission_period_months: number | null;
  /**
   * Maximum number of commissions per referral; `null` for no limit. Commissions of fully refunded sales do not
   * count. A commission that you void no longer counts for sales charged afterwards.
   */
  max_commissions: number | null;
  /** Attribution window: days a visitor has to convert. Defaults to 60. */
  days_before_referrals_expire: number;
  /** Holding period: days from the charge until its commission is due. 0 for immediately. Defaults to 30. */
  days_until_commissions_are_due: number;
  /** Text for the affiliate dashboard. */
  affiliate_dashboard_text: string | null;
  /** Custom description of the reward. */
  custom_reward_description: string | null;
  /** Welcome text for new affiliates. */
  welcome_text: string | null;
  /** `true` if affiliates can see their customers. Defaults to `false`. */
  customers_visible_to_affiliates: boolean;
  /** `true` if affiliates can see sale descriptions. Defaults to `true`. */
  sale_description_visible_to_affiliates: boolean;
  /**
   * Which click earns if a visitor clicks several links before converting: the first click (`first_click`), or the
   * latest click on a link of this campaign (`last_click`). Defaults to `first_click`.
   */
  attribution: Attribution;
  /** Place of the token in links: the query string (`query`) or the URL fragment (`hash`). Defaults to `query`. */
  parameter_type: ParameterType;
  /**
   * Names of the URL parameters that carry the token of a link in addition to `via`, e.g. those of a former tool:
   * `?ref=ada`. The tracking snippet of the account names them in `data-params`. Defaults to none.
   */
  params: string[];
  /** ID of the Stripe coupon used for this campaign’s affiliate coupons. */
  psp_coupon_id: string | null;
  /** `true` if affiliates created without a campaign join this one. At most one campaign is the default. */
  default: boolean;
  /** Your ID for the record. */
  external_id: string | null;
  metadata: Metadata;
  /** ISO 8601 time in UTC with milliseconds. */
  archived_at: string | null;
  /** `false` for records of test mode. */
  livemode: boolean;
  /** ISO 8601 time in UTC with milliseconds. */
  created_at: string;
  /** ISO 8601 time in UTC with milliseconds. */
  updated_at: string;
}

/** A tracked link of an affiliate. */
export interface Link {
  /** ID of the link. */
  id: string;
  /** ID of the affiliate. */
  affiliate_id: string;
  /** ID of the campaign. */
  campaign_id: string;
  /** Destination URL. */
  url: string;
  /** Link code. Unique within the account, case-insensitive. */
  token: string;
  /** Link code before the affiliate chose another one. It leads to the link for good; null if there is none. */
  former_token: string | null;
  /** Your ID for the record. */
  external_id: string | null;
  metadata: Metadata;
  /** Destination URL with `via=<token>`, for sites that use the tracking script. */
  share_url: string;
  /** URL that records the visit, sets the referral cookie, and redirects to the destination. */
  tracking_url: string;
  /**
   * URL to give to people: `share_url` if the tracking script was seen on the destination’s site in the last 30
   * days, otherwise a tracked link, under your own portal host if you have one.
   */
  copy_url: string;
  /** Number of visits, including repeat visits. */
  clicks: number;
  /** Number of referrals through this link, in any state, including expired referrals that were deleted. */
  visitors: number;
  /** Referrals that became leads, including conversions. */
  leads: number;
  /** Referrals that converted. */
  conversions: number;
  /** ISO 8601 time in UTC with milliseconds. */
  archived_at: string | null;
  /** `false` for records of test mode. */
  livemode: boolean;
  /** ISO 8601 time in UTC with milliseconds. */
  created_at: string;
  /** ISO 8601 time in UTC with milliseconds. */
  updated_at: string;
}

/** A period in which an affiliate has a tier. */
export interface AffiliateTier {
  /** ID of the tier. */
  tier_id: string;
  /** Name. */
  name: string;
  /** ID of the campaign. */
  campaign_id: string;
  /** ISO 8601 time in UTC with milliseconds. */
  since: string;
  /** `null` if the affiliate has the tier now. */
  until: string | null;
}

/** Referrals, sales, and commissions of an affiliate, per currency. */
export interface CommissionStats {
  /** Referrals in any state, including expired referrals that were deleted. */
  visitors: number;
  /** Referrals that became leads, including conversions. */
  leads: number;
  /** Referrals that converted. */
  conversions: number;
  /** Amounts by currency. */
  currencies: {
    /** ISO 4217 currency code. */
    currency: string;
    /** Amount that is not due yet. */
    pending_cents: number;
    /** Amount that is due. */
    due_cents: number;
    /** Paid commissions, including commissions voided after they were paid; the clawback is in `due_cents`. */
    paid_cents: number;
    /** Commissions voided before they were claimed or paid. */
    voided_cents: number;
    /**
     * Part of `pending_cents` and `due_cents` that is kept out of payouts until it is reviewed (`needs_review` of
     * commissions).
     */
    under_review_cents: number;
    /** Amount charged to referred customers, before tax and refunds. */
    gross_sales_cents: number;
  }[];
}

/** The next payment to an affiliate in one currency, with what is in the way of it. */
export interface PaymentOutlook {
  /** ISO 4217 currency code. */
  currency: string;
  /** Amount of the open payout; negative if more was refunded than earned. */
  amount_cents: number;
  /** Part of `amount_cents` that can be paid now: all or nothing. */
  payable_cents: number;
  /** Time from which the open payout can be paid. Null if that does not depend on the time alone. */
  payable_from: string | null;
  /** Amount of payouts that are being paid. */
  on_its_way_cents: number;
  /** Commissions that are not due yet. */
  pending_cents: number;
  /** Time at which the next of them falls due. */
  next_due_at: string | null;
  /** Commissions that wait for a review. */
  in_review_cents: number;
  /** The ways in which the affiliate can be paid. */
  methods: {
    /** Kind of the entry. */
    kind: string;
    /** Part of the address by which its owner recognizes it. */
    hint: string;
  }[];
  /** Reasons why the open payout is not paid; empty if there is none. */
  obstacles: OutlookObstacle[];
  /**
   * The next act of a person. `enter_payout_details` and `accept_payment`: the affiliate; `pay_by_hand` and
   * `review_affiliate`: the account.
   */
  to_do: OutlookAct | null;
  /** All of it in words, in each language, as the portal and emails say it. */
  in_words: {
    /** The text in English. */
    en: string;
    /** The text in German. */
    de: string;
  };
}

/** Another affiliate who is paid to the same account. */
export interface SharedPayoutAccount {
  /** ID of the affiliate. */
  affiliate_id: string;
  /** Name of the other affiliate, or the email address if there is no name. */
  affiliate_name: string;
  /** Kind of the payout method. */
  kind: string;
  /** Part of the address by which its owner recognizes it. */
  hint: string;
}

/**
 * The links, codes and referrals that stay in the former campaign of an affiliate who has moved, and earn by its
 * terms.
 */
export interface LeftBehind {
  /** The former campaign. */
  campaign_id: string;
  /** Number of links that are not archived. */
  links_count: number;
  /** The first 20 of the links. */
  link_ids: string[];
  /** Number of promo codes that are tracked. */
  promo_codes_count: number;
  /** Number of referrals that can still earn. */
  live_referrals_count: number;
  /** The counts in words, and the way to take links and codes along. */
  message: string;
}

/** Position of this page in the list. */
export interface Pagination {
  /** `null` on the first page and with a cursor. */
  previous_page: number | null;
  /** Omitted with a cursor. */
  current_page?: number;
  /** `null` on the last page and with a cursor. */
  next_page: number | null;
  /** Value of `ending_before` for the preceding page; `null` on the first page. */
  previous_cursor: string | null;
  /** Value of `starting_after` for the following page; `null` on the last page. */
  next_cursor: string | null;
  /** Number of records on this page. */
  count: number;
  /** Maximum number of records on a page. */
  limit: number;
  /** Omitted with `include_total=false`. */
  total_pages?: number;
  /** Number of records on all pages. Omitted with `include_total=false`. */
  total_count?: number;
}

/** An affiliate without expansions. */
export interface PlainAffiliate {
  /** ID of the affiliate. */
  id: string;
  /** Email address, unique among affiliates that are not archived. */
  email: string;
  /** ID of the campaign. */
  campaign_id: string;
  /** First name. */
  first_name: string | null;
  /** Last name. */
  last_name: string | null;
  /**
   * State of the affiliate. `active` affiliates track visits and earn commissions. So do `suspicious` ones, but
   * their commissions are flagged for review and their payouts are on hold; setting the affiliate to `active`
   * releases both. Affiliates in any other state do neither.
   */
  state: AffiliateState;
  /** PayPal email address for payouts. */
  walleta_email: string | null;
  /** Wise email address for payouts. */
  walletb_email: string | null;
  /** Your ID for the record. */
  external_id: string | null;
  metadata: Metadata;
  /** ID of the Stripe customer with this email address. */
  psp_customer_id: string | null;
  /** No payout is eligible before this time, because the payout details have changed. */
  payouts_held_until: string | null;
  /** ISO 8601 time in UTC with milliseconds. */
  archived_at: string | null;
  /** Time at which the personal data were erased; `null` if they were not. */
  erased_at: string | null;
  /** `false` for records of test mode. */
  livemode: boolean;
  /** ISO 8601 time in UTC with milliseconds. */
  created_at: string;
  /** ISO 8601 time in UTC with milliseconds. */
  updated_at: string;
}

/** The milestones of an affiliate. */
export interface AffiliateTimeline {
  /** Newest first. */
  entries: {
    /** ISO 8601 time in UTC with milliseconds. */
    at: string;
    kind: AffiliateTimelineKind;
    /** Amount in the currency’s minor unit. */
    amount_cents: number | null;
    /** ISO 4217 currency code. */
    currency: string | null;
  }[];
}

/** The results of a bulk call. */
export interface AffiliatesBulk {
  /** A result for each item, in the order of the items. */
  data: {
    /** Position of the item in the request, starting at 0. */
    index: number;
    /**
     * `updated`: the record exists and has the given fields now. `unchanged`: the record exists, with the same
     * content. `failed`: nothing was changed; see `error`.
     */
    result: BulkResult;
    /** The record, as in the response of a single call; `null` if the item failed. */
    record: Affiliate | null;
    /** `null` unless the item failed. */
    error: BulkError | null;
  }[];
  /** Number of items that did not fail. */
  succeeded_count: number;
  /** Number of items that failed. */
  failed_count: number;
}

/** Error of an item of a bulk call. */
export interface BulkError {
  /** Human-readable message. Its wording may change. */
  error: string;
  /** Stable code for programs, as in the errors of single calls. */
  code: string;
  /** As in the errors of single calls. */
  details?: unknown;
}

/** A link that opens the portal of an affiliate. */
export interface PortalSignInLink {
  /** URL that opens the affiliate’s portal once. Redirect the browser to the URL immediately, and do not store it. */
  url: string;
  /** 60 seconds after the link was created. */
  expires_at: string;
}

/** A token that shows the portal of an affiliate in your application. */
export interface EmbedToken {
  /** Value for `data-token` of the loader script. Give it only to the page that this affiliate sees. */
  token: string;
  /** One hour after the token was created. */
  expires_at: string;
}

/** Everything that is stored about a person. */
export interface PersonalData {
  kind: PersonKind;
  /** ID. */
  id: string;
  /** ISO 8601 time in UTC with milliseconds. */
  exported_at: string;
  /** All records about the person, by kind, with their stored fields. */
  records: Record<string, Record<string, unknown>[]>;
}

/** The erasure of a person’s data. */
export interface Erased {
  /** ID of the erased record, which stays with its amounts. */
  id: string;
  /** Time of the erasure. */
  erased_at: string;
  /**
   * Time at which all copies were erased, too: events, deliveries, the audit log. Null until then; it takes
   * seconds to minutes.
   */
  completed_at: string | null;
  /** Other records of your account with the same email or payout address. They were not erased. */
  kept: {
    kind: PersonRole;
    /** ID. */
    id: string;
  }[];
  /**
   * Texts that may name the person, once the erasure is completed: with the name, which others may have, or with
   * the address within a longer word. Decide about each of them. At most 100.
   */
  to_review: {
    /** Kind of the record with the text. */
    table: string;
    /** ID. */
    id: string;
    /** Name of the field with the text. */
    field: string;
  }[];
}

/** An API key of the account. The secret is returned only on creation. */
export interface ApiKey {
  /** ID of the API key. */
  id: string;
  /** Name that you gave to the key. */
  name: string;
  /** First characters of the key, for identification. */
  prefix: string;
  permissions: Permissions;
  /**
   * `true`: the key sees and makes only live records. `false`: only records of test mode. `null`: a key without a
   * mode.
   */
  livemode: boolean | null;
  /** ISO 8601 time in UTC with milliseconds. */
  expires_at: string | null;
  /** Time of last use, to the minute. */
  last_used_at: string | null;
  /** ISO 8601 time in UTC with milliseconds. */
  revoked_at: string | null;
  /** ISO 8601 time in UTC with milliseconds. */
  created_at: string;
  /** ISO 8601 time in UTC with milliseconds. */
  updated_at: string;
}

export interface CreatedApiKey {
  /** ID of the API key. */
  id: string;
  /** Name that you gave to the key. */
  name: string;
  /** First characters of the key, for identification. */
  prefix: string;
  permissions: Permissions;
  /**
   * `true`: the key sees and makes only live records. `false`: only records of test mode. `null`: a key without a
   * mode.
   */
  livemode: boolean | null;
  /** ISO 8601 time in UTC with milliseconds. */
  expires_at: string | null;
  /** Time of last use, to the minute. */
  last_used_at: string | null;
  /** ISO 8601 time in UTC with milliseconds. */
  revoked_at: string | null;
  /** ISO 8601 time in UTC with milliseconds. */
  created_at: string;
  /** ISO 8601 time in UTC with milliseconds. */
  updated_at: string;
  /** The secret key. Returned only once. */
  api_key: string;
}

export interface RevokedApiKey {
  /** Explanation for people. */
  message: string;
  /** ID of the API key. */
  id: string;
  /** ISO 8601 time in UTC with milliseconds. */
  revoked_at: string;
}

/** The application of an affiliate to a campaign. */
export interface Application {
  /** ID of the affiliate. */
  affiliate_id: string;
  /** Email address. */
  email: string;
  /** First name. */
  first_name: string | null;
  /** Last name. */
  last_name: string | null;
  /** ID of the campaign. */
  campaign_id: string;
  /** Name of the campaign. */
  campaign_name: string;
  /** State of the affiliate. */
  state: AffiliateState;
  /** Answers of the applicant. */
  answers: {
    /** The question. */
    question: string;
    /** Answer of the applicant. */
    answer: string;
  }[];
  /** The merchant’s note to the applicant. */
  note: string | null;
  /** ISO 8601 time in UTC with milliseconds. */
  applied_at: string;
  /** Time of the decision; null if there is none. */
  decided_at: string | null;
  /** ISO 8601 time in UTC with milliseconds. */
  updated_at: string;
}

/** A file that affiliates can download in their portal, e.g. a banner. */
export interface Asset {
  /** ID of the asset. */
  id: string;
  /** `false` for records of test mode. */
  livemode: boolean;
  /** Name of the file. */
  name: string;
  /** Description. */
  description: string | null;
  /** Type of the file, detected from its bytes. */
  content_type: string;
  /** Size in bytes. */
  size_bytes: number;
  /** ISO 8601 time in UTC with milliseconds. */
  created_at: string;
}

/** An asset with the address of its content. */
export interface AssetFile {
  /** ID of the asset. */
  id: string;
  /** `false` for records of test mode. */
  livemode: boolean;
  /** Name of the file. */
  name: string;
  /** Description. */
  description: string | null;
  /** Type of the file, detected from its bytes. */
  content_type: string;
  /** Size in bytes. */
  size_bytes: number;
  /** ISO 8601 time in UTC with milliseconds. */
  created_at: string;
  /** Address of the file. It needs no credentials, accepts ranges, and works for ten minutes. */
  download_url: string;
}

/** A campaign. On request, includes the numbers of the records that depend on it. */
export interface CampaignDetail {
  /** ID of the campaign. */
  id: string;
  /** Campaign name, shown to affiliates. */
  name: string;
  /** Unique within the account. By default derived from the name. */
  slug: string;
  /** Landing page of the campaign, also used for visitors of inactive links. */
  url: string;
  /** `true` if affiliates can join by invitation only. */
  private: boolean;
  /** `true` if generated link tokens are random instead of based on the affiliate’s name. */
  private_tokens: boolean;
  /** `percent`: percentage of the sale; `fixed`: fixed amount per sale. */
  reward_type: RewardType;
  /** Commission as a percentage of the sale, up to two decimals. For `reward_type` `percent`. */
  commission_percent: number | null;
  /** Commission per sale, in the minor unit of its currency. For `reward_type` `fixed`. */
  commission_amount_cents: number | null;
  /** Currency of `commission_amount_cents`. Defaults to the account’s currency. */
  commission_amount_currency: string | null;
  /** Minimum payout amount. Payouts below it are not eligible. Defaults to 0. */
  minimum_payout_cents: number;
  /** Currency of `minimum_payout_cents`. The minimum applies only to payouts in this currency. */
  minimum_payout_currency: string;
  /**
   * Calendar months, counted from a referral’s first commission, in which its sales earn commissions. `null` for
   * no limit.
   */
  max_commission_period_months: number | null;
  /**
   * Maximum number of commissions per referral; `null` for no limit. Commissions of fully refunded sales do not
   * count. A commission that you void no longer counts for sales charged afterwards.
   */
  max_commissions: number | null;
  /** Attribution window: days a visitor has to convert. Defaults to 60. */
  days_before_referrals_expire: number;
  /** Holding period: days from the charge until its commission is due. 0 for immediately. Defaults to 30. */
  days_until_commissions_are_due: number;
  /** Text for the affiliate dashboard. */
  affiliate_dashboard_text: string | null;
  /** Custom description of the reward. */
  custom_reward_description: string | null;
  /** Welcome text for new affiliates. */
  welcome_text: string | null;
  /** `true` if affiliates can see their customers. Defaults to `false`. */
  customers_visible_to_affiliates: boolean;
  /** `true` if affiliates can see sale descriptions. Defaults to `true`. */
  sale_description_visible_to_affiliates: boolean;
  /**
   * Which click earns if a visitor clicks several links before converting: the first click (`first_click`), or the
   * latest click on a link of this campaign (`last_click`). Defaults to `first_click`.
   */
  attribution: Attribution;
  /** Place of the token in links: the query string (`query`) or the URL fragment (`hash`). Defaults to `query`. */
  parameter_type: ParameterType;
  /**
   * Names of the URL parameters that carry the token of a link in addition to `via`, e.g. those of a former tool:
   * `?ref=ada`. The tracking snippet of the account names them in `data-params`. Defaults to none.
   */
  params: string[];
  /** ID of the Stripe coupon used for this campaign’s affiliate coupons. */
  psp_coupon_id: string | null;
  /** `true` if affiliates created without a campaign join this one. At most one campaign is the default. */
  default: boolean;
  /** Your ID for the record. */
  external_id: string | null;
  metadata: Metadata;
  /** ISO 8601 time in UTC with milliseconds. */
  archived_at: string | null;
  /** `false` for records of test mode. */
  livemode: boolean;
  /** ISO 8601 time in UTC with milliseconds. */
  created_at: string;
  /** ISO 8601 time in UTC with milliseconds. */
  updated_at: string;
  /** Present if `expand` includes `usage`. */
  usage?: CampaignUsage | null;
}

/** Numbers of records that depend on a campaign and end when it is archived. */
export interface CampaignUsage {
  /** Affiliates of the campaign that are not archived. */
  affiliates: number;
  /** Links that are not archived. */
  links: number;
  /** Promo codes whose tracking was not stopped. */
  promo_codes: number;
  /** Customers who have bought and whose next sale would still earn a commission. */
  subscriptions: number;
}

/** History of a record and of the records related to it. */
export interface Timeline {
  /** Newest first. Of entries of one kind, the latest 50. */
  entries: {
    /** ISO 8601 time in UTC with milliseconds. */
    at: string;
    kind: TimelineKind;
    /** ID of the referral, sale, commission, or payout of this entry. */
    record_id: string;
    /** Amount at the time of the entry, as long as its event is kept; later the current amount. */
    amount_cents: number | null;
    /** The amount before a change, if the change was one of the amount. */
    previous_amount_cents: number | null;
    /** ISO 4217 currency code. */
    currency: string | null;
    /** Reason or reference, if any. */
    note: string | null;
    /** `visitor`, `stripe`, `report`, or the id of a user, API key, connector, run, or export; null if unknown. */
    actor: string | null;
    /** Name of the person, key or assistant who did it. */
    actor_name: string | null;
  }[];
}

/** Balances, records that need review, and recent activity. */
export interface Overview {
  /** ISO 8601 time in UTC with milliseconds. */
  as_of: string;
  /** Amounts owed to affiliates, per currency. */
  due: {
    /** ISO 4217 currency code. */
    currency: string;
    /** Eligible payouts. */
    payable: {
      /** Number of records. */
      count: number;
      /** Amount in the currency’s minor unit. */
      amount_cents: number;
    };
    /** Open payouts above zero that are not eligible: below minimum, on hold, or affiliate inactive, for example. */
    waiting: {
      /** Number of records. */
      count: number;
      /** Amount in the currency’s minor unit. */
      amount_cents: number;
    };
    /** The payouts of `waiting` by reason. A payout with several reasons is counted for each. */
    obstacles: {
      reason: IneligibleReason;
      /** Number of records. */
      count: number;
      /** Amount in the currency’s minor unit. */
      amount_cents: number;
    }[];
    /**
     * Open payouts below zero: more was taken back than earned. They are never netted against payouts of other
     * affiliates.
     */
    debts: {
      /** Number of records. */
      count: number;
      /** Amount in the currency’s minor unit. */
      amount_cents: number;
    };
    /** Payouts claimed by an export or a run. */
    processing: {
      /** Number of records. */
      count: number;
      /** Amount in the currency’s minor unit. */
      amount_cents: number;
    };
    /** Pending commissions that do not wait for a review. */
    not_due_yet: {
      /** Number of records. */
      count: number;
      /** Amount in the currency’s minor unit. */
      amount_cents: number;
    };
    /** Flagged commissions that wait for a review. They are in no payout until they are approved. */
    under_review: {
      /** Number of records. */
      count: number;
      /** Amount in the currency’s minor unit. */
      amount_cents: number;
    };
  }[];
  /** Records that wait for a decision. */
  needs_review: {
    /** Number of commissions. */
    commissions_count: number;
    /** Commissions that wait for a review; the ten oldest. */
    commissions: {
      /** ID of the commission. */
      id: string;
      /** ID of the affiliate. */
      affiliate_id: string;
      /** Amount in the currency’s minor unit. */
      amount_cents: number;
      /** ISO 4217 currency code. */
      currency: string;
      /** ISO 8601 time in UTC with milliseconds. */
      created_at: string;
    }[];
    /** Paid bonuses, rewards for leads and milestones that facts contradict. */
    rewards_count: number;
    /** Sales whose paid commission facts contradict, or whose refunds are in doubt. */
    sales_count: number;
    /** Pending and suspicious affiliates; the ten oldest. */
    affiliates: {
      /** ID of the affiliate. */
      id: string;
      /** Email address. */
      email: string;
      state: AffiliateState;
      /** ISO 8601 time in UTC with milliseconds. */
      created_at: string;
    }[];
  };
  /** Number of affiliates in each state, excluding archived ones. */
  affiliates: {
    /** Number of pending ones. */
    pending: number;
    /** Number of active ones. */
    active: number;
    /** Number of disabled ones. */
    disabled: number;
    /** Number of suspicious ones. */
    suspicious: number;
    /** Number of rejected ones. */
    rejected: number;
  };
  /** The ten most recent events, in webhook format. */
  recent_activity: {
    /** ID of the event. */
    id: string;
    /** Type. */
    type: string;
    /** ISO 8601 time in UTC with milliseconds. */
    occurred_at: string;
    /** Name or email address of the affiliate; null if unknown. */
    affiliate_name: string | null;
    /** The records. */
    data: Record<string, unknown>;
  }[];
}

/** Pending commissions by the month in which they become due. */
export interface FallingDue {
  /** Pending live commissions by the month (UTC) in which they become due, e.g. `2026-12`. */
  months: {
    /** Month, e.g. `2026-12`. */
    month: string;
    /** ISO 4217 currency code. */
    currency: string;
    /** Number of records. */
    count: number;
    /** Amount in the currency’s minor unit. */
    amount_cents: number;
  }[];
}

/** Payouts that could be paid at a time, if nothing else happens until then. */
export interface Payable {
  /** ISO 8601 time in UTC with milliseconds. */
  at: string;
  /** Live payouts per currency, without those that an export or a run has claimed. */
  currencies: {
    /** ISO 4217 currency code. */
    currency: string;
    /** Payouts that could be paid then. */
    payable: {
      /** Number of records. */
      count: number;
      /** Amount in the currency’s minor unit. */
      amount_cents: number;
    };
    /** Commissions that become due until then. Included in the payouts. */
    falling_due: {
      /** Number of records. */
      count: number;
      /** Amount in the currency’s minor unit. */
      amount_cents: number;
    };
    /** Flagged commissions. They are in no payout until they are approved. */
    under_review: {
      /** Number of records. */
      count: number;
      /** Amount in the currency’s minor unit. */
      amount_cents: number;
    };
    /** Payouts that could not be paid, by reason. A payout with several reasons is counted for each. */
    obstacles: {
      reason: IneligibleReason;
      /** Number of records. */
      count: number;
      /** Amount in the currency’s minor unit. */
      amount_cents: number;
    }[];
  }[];
  /** The ten payouts with the largest amounts. */
  largest: {
    /** ID of the affiliate. */
    affiliate_id: string;
    /** Email address. */
    email: string;
    /** ISO 4217 currency code. */
    currency: string;
    /** Amount in the currency’s minor unit. */
    amount_cents: number;
    /** Reasons why the payout cannot be paid now. */
    ineligible_reasons: IneligibleReason[];
  }[];
}

/** Daily figures of a date range, in UTC. */
export interface DailySeries {
  /** Lower bound, inclusive. */
  from: string;
  /** Upper bound, inclusive. */
  to: string;
  /** Figures by day. */
  days: {
    /** Day in the account’s time zone. */
    date: string;
    /** Number of clicks. */
    clicks: number;
    /** Referrals created on this day. */
    referrals: number;
    /** Referrals that converted on this day. */
    conversions: number;
    /** Currencies with sales, commissions, or payouts on this day. */
    currencies: {
      /** ISO 4217 currency code. */
      currency: string;
      /** Sales of affiliates. */
      sales: number;
      /**
       * Sales of affiliates charged on this day, net of tax and refunds to date. Sales that no affiliate brought are
       * not included.
       */
      sales_cents: number;
      /**
       * Commissions in this currency on this day’s sales, net of voids and adjustments, and manual commissions created
       * on this day.
       */
      commissions_cents: number;
      /** Payouts marked paid on this day. */
      payouts: number;
      /** Amount of the paid payouts. */
      payouts_cents: number;
    }[];
  }[];
}

/** Affiliates with the highest sales in a date range, in one currency. */
export interface TopAffiliates {
  /** Lower bound, inclusive. */
  from: string;
  /** Upper bound, inclusive. */
  to: string;
  /** ISO 4217 currency code. */
  currency: string;
  /** Affiliates with sales in the range, highest sales first. */
  affiliates: {
    /** ID of the affiliate. */
    id: string;
    /** Email address. */
    email: string;
    /** First name. */
    first_name: string | null;
    /** Last name. */
    last_name: string | null;
    state: AffiliateState;
    /** Number of sales. */
    sales: number;
    /** Sales charged in the range, net of tax and refunds to date. */
    sales_cents: number;
    /** Sales in the same number of days before the range. */
    previous_sales_cents: number;
    /** Commissions on these sales in the same currency, net of voids and adjustments. */
    commissions_cents: number;
  }[];
}

/** Metrics for a range of days, grouped by one dimension. */
export interface AnalyticsReport {
  /** The requested dimension. */
  group_by: AnalyticsDimension | null;
  /** First day of the range. */
  since: string;
  /** Last day of the range. */
  until: string;
  /** Time zone of the days. */
  time_zone: string;
  /** ISO 4217 currency code. */
  currency: string;
  /** One row for each value of the dimension. */
  data: {
    /**
     * Day, first day of the week (Monday), first day of the month, ID, or text. Null for the totals and for records
     * without a value.
     */
    value: string | null;
    /** Number of clicks. */
    clicks: number;
    /** Unique visitors, counted per link and day (UTC). */
    unique_visitors: number;
    /** Referrals created in the range that are now a lead or converted. */
    leads: number;
    /** Referrals that converted in the range. */
    conversions: number;
    /** Visitors who came in the range and have converted since. Codes bring no visitors. */
    converted_visitors: number;
    /** Sales of referrals, charged in the range. */
    sales: number;
    /** Charges of these sales, tax included. */
    charges_cents: number;
    /** Refunds of these sales, whenever they were made. */
    refunds_cents: number;
    /** Amount of these sales, without tax and refunds. */
    net_revenue_cents: number;
    /** Commissions of these sales, and commissions without a sale that were created in the range. */
    commissions_cents: number;
    /** Payouts paid in the range. Null if `group_by` or a filter is a dimension that payouts do not have. */
    payouts_cents: number | null;
    /**
     * Share of the unique visitors who have converted since: `converted_visitors` divided by `unique_visitors`. Null
     * without visitors.
     */
    conversion_rate: number | null;
    /** Commissions per click. */
    earnings_per_click_cents: number | null;
    /** Refunds divided by charges. */
    refund_rate: number | null;
    /** Net revenue per sale. */
    average_order_cents: number | null;
    /** Net revenue per customer. */
    lifetime_value_cents: number | null;
    /** Present with `compare`. */
    previous?: {
      /** Number of clicks. */
      clicks: number;
      /** Unique visitors, counted per link and day (UTC). */
      unique_visitors: number;
      /** Referrals created in the range that are now a lead or converted. */
      leads: number;
      /** Referrals that converted in the range. */
      conversions: number;
      /** Visitors who came in the range and have converted since. Codes bring no visitors. */
      converted_visitors: number;
      /** Sales of referrals, charged in the range. */
      sales: number;
      /** Charges of these sales, tax included. */
      charges_cents: number;
      /** Refunds of these sales, whenever they were made. */
      refunds_cents: number;
      /** Amount of these sales, without tax and refunds. */
      net_revenue_cents: number;
      /** Commissions of these sales, and commissions without a sale that were created in the range. */
      commissions_cents: number;
      /** Payouts paid in the range. Null if `group_by` or a filter is a dimension that payouts do not have. */
      payouts_cents: number | null;
      /**
       * Share of the unique visitors who have converted since: `converted_visitors` divided by `unique_visitors`. Null
       * without visitors.
       */
      conversion_rate: number | null;
      /** Commissions per click. */
      earnings_per_click_cents: number | null;
      /** Refunds divided by charges. */
      refund_rate: number | null;
      /** Net revenue per sale. */
      average_order_cents: number | null;
      /** Net revenue per customer. */
      lifetime_value_cents: number | null;
    };
  }[];
  /** Present with `format=csv`. */
  csv?: string;
}

/**
 * A Stripe promotion code, or a code of your own shop, assigned to one affiliate. An assignment does not prove
 * that a sale was attributed or paid.
 */
export interface PromoCodeAssignment {
  /** `null` in a preview of a new assignment. */
  id: string | null;
  /** ID of the affiliate. */
  affiliate_id: string;
  /** ID of the campaign. */
  campaign_id: string;
  /** `null` in a preview of a new code, and for a code of your own shop. */
  psp_promotion_code_id: string | null;
  /** ID of the Stripe coupon that the code applies. */
  psp_coupon_id: string | null;
  /** Code of the promotion, as customers enter it. */
  code: string;
  /** `false` for records of test mode. */
  livemode: boolean;
  /** Opaque identifier kept for compatibility; not for display. */
  tracking_token: string | null;
  /**
   * `active`: redeemable and tracked. `inactive`: not redeemable in Stripe. `stopped`: tracking has ended
   * permanently.
   */
  status: PromoCodeStatus;
  /** The code at the payment provider, when it was last read. */
  observation: PromoCodeObservation | null;
  /** `null` for a code of your own shop. */
  observed_at: string | null;
  /** ISO 8601 time in UTC with milliseconds. */
  stopped_at: string | null;
  /** ISO 8601 time in UTC with milliseconds. */
  created_at: string | null;
  /** ISO 8601 time in UTC with milliseconds. */
  updated_at: string | null;
}

/** A Stripe promotion code whose code matches `q` exactly. */
export interface PromoCodeMatch {
  /** ID of the promotion code at the payment provider. */
  psp_promotion_code_id: string;
  /** `false` for records of test mode. */
  livemode: boolean;
  observation: PromoCodeObservation;
  /** ID of the assignment, if the code is assigned. */
  assignment_id: string | null;
  /** Affiliate that the code is assigned to, if any. */
  affiliate_id: string | null;
  /** Status of the record. */
  status: PromoCodeStatus | null;
}

/** A Stripe coupon that can be redeemed now. */
export interface PspDiscount {
  /** ID of the coupon at the payment provider. */
  psp_coupon_id: string;
  /** Name. */
  name: string | null;
  /** Percentage that the discount takes off. */
  percent_off: number | null;
  /** Amount that the discount takes off. */
  amount_off_cents: number | null;
  /** ISO 4217 currency code of the amount; `null` for a percentage. */
  currency: string | null;
  /** `once`, `repeating` (for `duration_in_months`), or `forever`. */
  duration: string;
  /** Number of months for which the discount applies. */
  duration_in_months: number | null;
  /** ISO 8601 time in UTC with milliseconds. */
  redeem_by: string | null;
  /** Number of times that the code can be redeemed; `null` for no limit. */
  max_redemptions: number | null;
  /** Number of times that the code was redeemed. */
  times_redeemed: number;
  /** `false` for records of test mode. */
  livemode: boolean;
}

/** Result of a promo code write, or its preview. */
export interface PromoCodeOutcome {
  /** `true` if nothing was changed. */
  dry_run: boolean;
  /** The operation on the code. */
  operation: {
    /** ID of the operation that imported or created the code; otherwise `null`. */
    id: string | null;
    type: PromoCodeOperation;
    state: PromoCodeOperationState;
  };
  assignment: PromoCodeAssignment;
  /** Facts that may surprise you. */
  warnings: {
    /** Stable code of the warning, for programs. */
    code: string;
    /** Explanation for people. */
    message: string;
  }[];
}

/** The results of a bulk call. */
export interface PromoCodesBulk {
  /** A result for each item, in the order of the items. */
  data: {
    /** Position of the item in the request, starting at 0. */
    index: number;
    /**
     * `updated`: the record exists and has the given fields now. `unchanged`: the record exists, with the same
     * content. `failed`: nothing was changed; see `error`.
     */
    result: BulkResult;
    /** The record, as in the response of a single call; `null` if the item failed. */
    record: PromoCodeAssignment | null;
    /** `null` unless the item failed. */
    error: BulkError | null;
  }[];
  /** Number of items that did not fail. */
  succeeded_count: number;
  /** Number of items that failed. */
  failed_count: number;
}

/** Amount that an affiliate earns from a sale, or that was entered by hand. */
export interface Commission {
  /** ID of the commission. */
  id: string;
  /** `pending`: not due yet; `due`: ready for payout; `paid`; or `voided`. */
  state: CommissionState;
  /**
   * `sale`: earned from a sale; `bonus`: paid on top of it by a reward rule; `lead`: earned for a lead;
   * `milestone`: earned for a number of customers or sales, or for revenue; `adjustment`: correction of a
   * commission that was already claimed or paid; `manual`: created by hand; `imported`: decided by another tool,
   * and changed only by refunds from after the import.
   */
  kind: CommissionKind;
  /** Amount in the minor unit of `currency`; negative for a clawback. */
  amount_cents: number;
  /** ISO 4217 currency code. */
  currency: string;
  /** `false` for records of test mode. */
  livemode: boolean;
  /** Time at which the commission becomes due. */
  due_at: string;
  /** Time at which the commission was marked paid. */
  paid_at: string | null;
  /** ISO 8601 time in UTC with milliseconds. */
  voided_at: string | null;
  /** Reason why the commission was voided. */
  void_reason: string | null;
  /**
   * `suspicious`: the commission is flagged and excluded from payouts until you approve it. `approved`: you
   * approved it.
   */
  review_status: ReviewStatus | null;
  /**
   * Reason why the commission was flagged automatically. `self_referral`: the customer uses an email address of
   * the affiliate. `possible_duplicate`: both Stripe and you reported a sale of the same customer and amount (with
   * or without tax) within 15 minutes. `tax_currency`: Stripe reported the tax in another currency than the
   * charge, so the tax was ignored. `crowded_network`: a lead from a page connects the customer with the
   * affiliate, and it was one of at least 20 within ten minutes from one network; the flag ends when you name the
   * referral for the customer. `unproven_lead`: only a lead from a page, which anyone can send, connects the
   * customer with the affiliate; the flag ends when your server, a checkout or a payment names the same referral.
   * `unverified_address`: only an email address that somebody typed connects the sale with the affiliate, until
   * you name the referral or the address; or the sale names another affiliate, and no ID of the customer.
   * `suspicious_affiliate`: the affiliate was suspicious when the customer was charged; the flag ends when you set
   * the affiliate to `active`. `unpaid_lead`: a reward for a lead who has not paid yet; the flag ends with the
   * first payment or when the commission becomes due. `dispute`: the customer disputes the payment, and the
   * dispute is open.
   */
  review_reason: ReviewReason | null;
  /** ID of the campaign. */
  campaign_id: string;
  /** ID of the affiliate. */
  affiliate_id: string;
  /** `null` for manual commissions, milestones and their adjustments. */
  referral_id: string | null;
  /** `null` for manual commissions, leads, milestones and their adjustments. */
  sale_id: string | null;
  /** The reward rule that pays a bonus, a lead or a milestone; `null` for other kinds. */
  rule_id: string | null;
  /** ID of the payout. */
  payout_id: string | null;
  /** Commission that this adjustment corrects; `null` for other kinds. */
  adjusts_commission_id: string | null;
  /** Purpose of a manual commission; `null` for other kinds. */
  note: string | null;
  /** ID of the user, API key, or connector that created a manual commission; `null` for other kinds. */
  created_by: string | null;
  /** Your ID for the record. */
  external_id: string | null;
  metadata: Metadata;
  /** ISO 8601 time in UTC with milliseconds. */
  created_at: string;
  /** ISO 8601 time in UTC with milliseconds. */
  updated_at: string;
  /** Present if `expand` includes `campaign`. */
  campaign?: Campaign | null;
  /** Present if `expand` includes `sale`. */
  sale?: SaleOfRecord | null;
  /** Present if `expand` includes `affiliate`. */
  affiliate?: AffiliateOfRecord | null;
  /** Present if `expand` includes `lines`. */
  lines?: CommissionLine[] | null;
  /** Present if `expand` includes `contested`. */
  contested?: ContestedReward | null;
  /** Present if `expand` includes `explanation`. */
  explanation?: AmountExplanation | null;
}

/** The sale of a record, on request with the customer who paid. The customer of its referral may be another one. */
export interface SaleOfRecord {
  /** ID of the sale. */
  id: string;
  /** `false` for records of test mode. */
  livemode: boolean;
  /** Your ID for the record. */
  external_id: string | null;
  metadata: Metadata;
  /** ID of the charge at the payment provider. */
  psp_charge_id: string | null;
  /** ID of the invoice at the payment provider. */
  psp_invoice_id: string | null;
  /** ID of the payment intent at the payment provider. */
  psp_payment_intent_id: string | null;
  /** Promo code with which the customer paid. */
  promo_code: string | null;
  /** Amount charged to the customer, including tax. */
  charge_amount_cents: number;
  /** Tax included in the charge. */
  tax_amount_cents: number;
  /** Total refunded to date. */
  refund_amount_cents: number;
  /**
   * Charge minus tax, reduced by refunds in proportion to the charge; 0 after a full refund. Commissions are
   * calculated from this amount.
   */
  sale_amount_cents: number;
  /** ISO 4217 currency code. */
  currency: string;
  /** Description. */
  description: string | null;
  /**
   * Set if the invoice was marked as paid outside the payment provider. `counted`: the sale earns like any other.
   * `excluded`: nobody earns from it, as the settings of the connection say.
   */
  paid_outside: PaidOutside | null;
  /** ISO 8601 time in UTC with milliseconds. */
  charged_at: string;
  /** ID of the referral. */
  referral_id: string | null;
  /** ID of the affiliate. */
  affiliate_id: string | null;
  /** ID of the customer. */
  customer_id: string | null;
  /** The referral. */
  referral: {
    /** ID of the referral. */
    id: string;
    /** `visitor`, `lead` (signed up), or `conversion` (paid). */
    conversion_state: string;
    /** ID of the customer at the payment provider. */
    psp_customer_id: string | null;
    /** The customer. */
    customer: Customer | null;
  } | null;
  /** The affiliate. */
  affiliate: {
    /** ID of the affiliate. */
    id: string;
    /** Email address. */
    email: string;
    /** First name. */
    first_name: string | null;
    /** Last name. */
    last_name: string | null;
  } | null;
  /** ISO 8601 time in UTC with milliseconds. */
  created_at: string;
  /** ISO 8601 time in UTC with milliseconds. */
  updated_at: string;
  /** Present if `expand` includes `customer`. */
  customer?: Customer | null;
}

/** The affiliate of a record, on request with the campaign. */
export interface AffiliateOfRecord {
  /** ID of the affiliate. */
  id: string;
  /** Email address, unique among affiliates that are not archived. */
  email: string;
  /** ID of the campaign. */
  campaign_id: string;
  /** First name. */
  first_name: string | null;
  /** Last name. */
  last_name: string | null;
  /**
   * State of the affiliate. `active` affiliates track visits and earn commissions. So do `suspicious` ones, but
   * their commissions are flagged for review and their payouts are on hold; setting the affiliate to `active`
   * releases both. Affiliates in any other state do neither.
   */
  state: AffiliateState;
  /** PayPal email address for payouts. */
  walleta_email: string | null;
  /** Wise email address for payouts. */
  walletb_email: string | null;
  /** Your ID for the record. */
  external_id: string | null;
  metadata: Metadata;
  /** ID of the Stripe customer with this email address. */
  psp_customer_id: string | null;
  /** No payout is eligible before this time, because the payout details have changed. */
  payouts_held_until: string | null;
  /** ISO 8601 time in UTC with milliseconds. */
  archived_at: string | null;
  /** Time at which the personal data were erased; `null` if they were not. */
  erased_at: string | null;
  /** `false` for records of test mode. */
  livemode: boolean;
  /** ISO 8601 time in UTC with milliseconds. */
  created_at: string;
  /** ISO 8601 time in UTC with milliseconds. */
  updated_at: string;
  /** Present if `expand` includes `campaign`. */
  campaign?: Campaign | null;
}

/** Earnings of a line of a sale. */
export interface CommissionLine {
  /** `null` if the lines of the sale are not known. */
  product: string | null;
  /** Price of the line, e.g. its ID at the payment provider. */
  price: string | null;
  /** Name of what was sold, for people. */
  name: string | null;
  /** Billing interval of the price. */
  interval: PriceInterval | null;
  /** Number of units. */
  quantity: number;
  /** The rule that decided; `null` for the base reward of the campaign. */
  rule_id: string | null;
  /** Name of the rule now. */
  rule_name: string | null;
  /** Version of the reward rule that applied. */
  rule_version: number | null;
  /** Payment of the rule when the sale was charged. Later changes of the rule have no effect. */
  pay: {
    /** Percentage of the lines that the rule decides. */
    percent?: number;
    /** Fixed amount. */
    fixed?: {
      /** Amount in the currency’s minor unit. */
      amount_cents: number;
      /** ISO 4217 currency code. */
      currency: string;
      /** `sale`: once per sale; `unit`: for each unit of the lines that the rule decides. Default: `"sale"`. */
      per: PayPer;
    };
    /** The lines that the rule decides earn nothing. */
    nothing?: true;
  };
  /**
   * `other_currency`: the line earns nothing, because it would earn in another currency than the commission.
   * `cap_other_currency`: the cap of the rule is in another currency than its payment, so it does not count.
   */
  note: LineNote | null;
  /** Amount of the line without tax, after refunds. */
  base_cents: number;
  /** Earnings of the line after refunds and adjustments. */
  amount_cents: number;
  /** Which rule decided, and how the amount is computed, in plain words. */
  explanation: string;
}

/** The reward that the facts known now give instead of a paid one. */
export interface ContestedReward {
  /**
   * Affiliate who would earn the reward for the lead. `null` if nobody would, or the same affiliate another
   * amount.
   */
  affiliate_id: string | null;
  /** Amount that would be earned, in the currency of the commission. */
  amount_cents: number;
}

/** The steps by which an amount came about. */
export interface AmountExplanation {
  /** The explained amount. */
  amount_cents: number;
  /** ISO 4217 currency code. */
  currency: string;
  /** The explanation in plain English: all steps, one after the other. */
  text: string;
  /** `text` in each language. */
  in_words: {
    /** The text in English. */
    en: string;
    /** The text in German. */
    de: string;
  };
  /** Steps from what was sold to the amount. */
  steps: {
    /**
     * `sale`: the amount of the sale that counts. `line`: a line of the sale, by its rule. `base_reward`: by the
     * terms of the campaign. `rule`: a reward of a rule that no line of a sale earns. `commissions`: commissions of
     * a kind in a payout. `difference`: caps, rounding, and changes after the amount was claimed or paid. `fee`: the
     * part of the payout that is not sent, because the affiliate bears it as the fee. `screening`: the reason why
     * the affiliate is not paid yet.
     */
    kind: ExplanationStep;
    /** Text. */
    text: string;
    /** `text` in each language. */
    in_words: {
      /** The text in English. */
      en: string;
      /** The text in German. */
      de: string;
    };
    /** Part of the amount; `null` for a step that only explains. The parts add up to the amount. */
    amount_cents: number | null;
  }[];
}

/** The results of a bulk call. */
export interface CommissionsBulk {
  /** A result for each item, in the order of the items. */
  data: {
    /** Position of the item in the request, starting at 0. */
    index: number;
    /**
     * `updated`: the record exists and has the given fields now. `unchanged`: the record exists, with the same
     * content. `failed`: nothing was changed; see `error`.
     */
    result: BulkResult;
    /** The record, as in the response of a single call; `null` if the item failed. */
    record: Commission | null;
    /** `null` unless the item failed. */
    error: BulkError | null;
  }[];
  /** Number of items that did not fail. */
  succeeded_count: number;
  /** Number of items that failed. */
  failed_count: number;
}

/** A customer with its referral and affiliate. */
export interface ListedCustomer {
  /** ID of the customer. */
  id: string;
  /** Email address. */
  email: string | null;
  /** Name. */
  name: string | null;
  /** First name. */
  first_name: string | null;
  /** Last name. */
  last_name: string | null;
  /** ID of the customer at the payment provider. */
  psp_customer_id: string | null;
  /** Your ID for the record. */
  external_id: string | null;
  metadata: Metadata;
  /** Time at which the personal data were erased; `null` if they were not. */
  erased_at: string | null;
  /** End of the customer’s trial of a subscription; `null` if there is none. */
  trial_until: string | null;
  /** `false` for records of test mode. */
  livemode: boolean;
  /** ISO 8601 time in UTC with milliseconds. */
  created_at: string;
  /** ISO 8601 time in UTC with milliseconds. */
  updated_at: string;
  /** Referral of the customer; null if there is none. */
  referral_id: string | null;
  /** Affiliate of the referral. */
  affiliate_id: string | null;
  /** Present if `expand` includes `affiliate`. */
  affiliate?: AffiliateOfRecord | null;
}

/**
 * Something that happened to a record, as the service posts it to webhook endpoints. Kept for 90 days. More
 * types may be added: ignore unknown ones.
 */
export type Event =
  | AffiliateCreatedEvent
  | AffiliateApprovedEvent
  | AffiliateUpdatedEvent
  | AffiliateTierChangedEvent
  | CampaignCreatedEvent
  | CampaignUpdatedEvent
  | RewardRuleCreatedEvent
  | RewardRuleUpdatedEvent
  | TierCreatedEvent
  | TierUpdatedEvent
  | LinkCreatedEvent
  | LinkUpdatedEvent
  | PromoCodeCreatedEvent
  | PromoCodeUpdatedEvent
  | ReferralCreatedEvent
  | ReferralConvertedEvent
  | ReferralUpdatedEvent
  | CustomerCreatedEvent
  | CustomerUpdatedEvent
  | CustomerMergedEvent
  | SaleRecordedEvent
  | SaleRefundedEvent
  | SaleUpdatedEvent
  | CommissionCreatedEvent
  | CommissionDueEvent
  | CommissionPaidEvent
  | CommissionVoidedEvent
  | CommissionUpdatedEvent
  | PayoutCreatedEvent
  | PayoutUpdatedEvent
  | PayoutMergedEvent
  | PayoutPaidEvent
  | PayoutReturnedEvent
  | PayoutFailedEvent
  | PayoutMethodCreatedEvent
  | PayoutMethodUpdatedEvent
  | PayoutRunFinishedEvent
  | PayoutExportPaidEvent
  | ImportCompletedEvent;

/** A visitor referred by an affiliate, tracked until and after conversion. */
export interface Referral {
  /** ID of the referral. */
  id: string;
  /** ID of the affiliate. */
  affiliate_id: string;
  /** ID of the campaign. */
  campaign_id: string;
  /** ID of the link. */
  link_id: string | null;
  /** ID of the customer. */
  customer_id: string | null;
  /** `visitor`, `lead` (signed up), or `conversion` (paid). */
  conversion_state: ConversionState;
  /** Stripe customer ID. */
  psp_customer_id: string | null;
  /** ISO 8601 time in UTC with milliseconds. */
  converted_at: string | null;
  /** End of the attribution window. A referral that converts before this time keeps earning afterwards. */
  expires_at: string | null;
  /** ISO 8601 time in UTC with milliseconds. */
  deactivated_at: string | null;
  /** Your ID for the record. */
  external_id: string | null;
  metadata: Metadata;
  /** `false` for records of test mode. */
  livemode: boolean;
  /** ISO 8601 time in UTC with milliseconds. */
  created_at: string;
  /** ISO 8601 time in UTC with milliseconds. */
  updated_at: string;
  /** Present if `expand` includes `link`. */
  link?: Link | null;
  /** Present if `expand` includes `customer`. */
  customer?: Customer | null;
  /** Present if `expand` includes `affiliate`. */
  affiliate?: AffiliateOfRecord | null;
  /** Present if `expand` includes `touches`. */
  touches?: Touch[] | null;
}

/** A click that started this referral, or after which the visitor kept it. */
export interface Touch {
  /** Time of the visit. */
  at: string;
  /** Link that was clicked. With `first_click`, it may be another affiliate’s link. */
  link_id: string;
  /** ID of the affiliate. */
  affiliate_id: string;
  /** ID of the campaign. */
  campaign_id: string;
  /**
   * `new_visitor`: the click started the referral; `first_click`: the visitor kept the live referral that they
   * had; `last_click`: the campaign uses the last click, so the click started a new referral in place of the
   * former one; `former_not_live`: the visitor's former referral had expired, was deactivated, or could not earn.
   */
  rule: AppliedTouchRule;
  /** First click of the visitor on this link and day (UTC). */
  is_unique: boolean;
  /** Host of the page from which the visitor came. */
  referrer_host: string | null;
  /** Path of the page from which the visitor came. */
  referrer_path: string | null;
  /** Path of the page that the visitor opened. */
  landing_path: string | null;
  /** `utm_source` of the visit. */
  utm_source: string | null;
  /** `utm_medium` of the visit. */
  utm_medium: string | null;
  /** `utm_campaign` of the visit. */
  utm_campaign: string | null;
  /** Kind of device of the visitor. */
  device: string | null;
  /** Browser of the visitor. */
  browser: string | null;
  /** Operating system of the visitor. */
  os: string | null;
  /** Country of the visitor. */
  country: string | null;
}

/** The results of a bulk call. */
export interface LinksBulk {
  /** A result for each item, in the order of the items. */
  data: {
    /** Position of the item in the request, starting at 0. */
    index: number;
    /**
     * `updated`: the record exists and has the given fields now. `unchanged`: the record exists, with the same
     * content. `failed`: nothing was changed; see `error`.
     */
    result: BulkResult;
    /** The record, as in the response of a single call; `null` if the item failed. */
    record: Link | null;
    /** `null` unless the item failed. */
    error: BulkError | null;
  }[];
  /** Number of items that did not fail. */
  succeeded_count: number;
  /** Number of items that failed. */
  failed_count: number;
}

/** Commissions of one affiliate in one currency and mode that are paid together. */
export interface Payout {
  /** ID of the payout. */
  id: string;
  /** ID of the affiliate. */
  affiliate_id: string;
  /**
   * `pending`: open but not eligible yet; `due`: open and eligible; `processing`: claimed by an export or a run;
   * `paid`; `returned`: the transfer bounced, and the commissions are in another payout.
   */
  state: PayoutState;
  /** Sum of the commissions, in the minor unit of `currency`. */
  amount_cents: number;
  /** ISO 4217 currency code. */
  currency: string;
  /** `false` for records of test mode. */
  livemode: boolean;
  /** Number of commissions. */
  commissions_count: number;
  /** `true` if the payout can be exported or added to a run now. */
  eligible: boolean;
  /**
   * Reasons why the payout is not eligible; empty once it is paid or returned. `on_hold`: the affiliate is
   * suspicious. `details_changed`: the payout details have just changed. `moving_in`: your former tool pays until
   * the account is no shadow any more. `screening`: the affiliate has not been cleared by the screening
   * (`payout_screenings`). `below_minimum`: the amount is below the campaign’s minimum payout; applies only if
   * both are in the same currency.
   */
  ineligible_reasons: IneligibleReason[];
  /** Your reference of the payment. */
  payment_reference: string | null;
  /** ISO 8601 time in UTC with milliseconds. */
  paid_at: string | null;
  /** ISO 8601 time in UTC with milliseconds. */
  returned_at: string | null;
  /** Reason why the transfer was returned. */
  return_reason: string | null;
  /** Your ID for the record. */
  external_id: string | null;
  metadata: Metadata;
  /** ISO 8601 time in UTC with milliseconds. */
  created_at: string;
  /** ISO 8601 time in UTC with milliseconds. */
  updated_at: string;
  /** Present if `expand` includes `affiliate`. */
  affiliate?: AffiliateOfRecord | null;
  /** Present if `expand` includes `commissions`. */
  commissions?: CommissionOfPayout[] | null;
  /** Present if `expand` includes `attempts`. */
  attempts?: PayoutAttempt[] | null;
  /** Present if `expand` includes `shared_accounts`. */
  shared_accounts?: SharedPayoutAccount[] | null;
  /** Present if `expand` includes `under_review`. */
  under_review?: UnderReview | null;
  /** Present if `expand` includes `explanation`. */
  explanation?: AmountExplanation | null;
}

/** A commission of a payout, on request with its campaign and sale. */
export interface CommissionOfPayout {
  /** ID of the commission. */
  id: string;
  /** `pending`: not due yet; `due`: ready for payout; `paid`; or `voided`. */
  state: CommissionState;
  /**
   * `sale`: earned from a sale; `bonus`: paid on top of it by a reward rule; `lead`: earned for a lead;
   * `milestone`: earned for a number of customers or sales, or for revenue; `adjustment`: correction of a
   * commission that was already claimed or paid; `manual`: created by hand; `imported`: decided by another tool,
   * and changed only by refunds from after the import.
   */
  kind: CommissionKind;
  /** Amount in the minor unit of `currency`; negative for a clawback. */
  amount_cents: number;
  /** ISO 4217 currency code. */
  currency: string;
  /** `false` for records of test mode. */
  livemode: boolean;
  /** Time at which the commission becomes due. */
  due_at: string;
  /** Time at which the commission was marked paid. */
  paid_at: string | null;
  /** ISO 8601 time in UTC with milliseconds. */
  voided_at: string | null;
  /** Reason why the commission was voided. */
  void_reason: string | null;
  /**
   * `suspicious`: the commission is flagged and excluded from payouts until you approve it. `approved`: you
   * approved it.
   */
  review_status: ReviewStatus | null;
  /**
   * Reason why the commission was flagged automatically. `self_referral`: the customer uses an email address of
   * the affiliate. `possible_duplicate`: both Stripe and you reported a sale of the same customer and amount (with
   * or without tax) within 15 minutes. `tax_currency`: Stripe reported the tax in another currency than the
   * charge, so the tax was ignored. `crowded_network`: a lead from a page connects the customer with the
   * affiliate, and it was one of at least 20 within ten minutes from one network; the flag ends when you name the
   * referral for the customer. `unproven_lead`: only a lead from a page, which anyone can send, connects the
   * customer with the affiliate; the flag ends when your server, a checkout or a payment names the same referral.
   * `unverified_address`: only an email address that somebody typed connects the sale with the affiliate, until
   * you name the referral or the address; or the sale names another affiliate, and no ID of the customer.
   * `suspicious_affiliate`: the affiliate was suspicious when the customer was charged; the flag ends when you set
   * the affiliate to `active`. `unpaid_lead`: a reward for a lead who has not paid yet; the flag ends with the
   * first payment or when the commission becomes due. `dispute`: the customer disputes the payment, and the
   * dispute is open.
   */
  review_reason: ReviewReason | null;
  /** ID of the campaign. */
  campaign_id: string;
  /** ID of the affiliate. */
  affiliate_id: string;
  /** `null` for manual commissions, milestones and their adjustments. */
  referral_id: string | null;
  /** `null` for manual commissions, leads, milestones and their adjustments. */
  sale_id: string | null;
  /** The reward rule that pays a bonus, a lead or a milestone; `null` for other kinds. */
  rule_id: string | null;
  /** ID of the payout. */
  payout_id: string | null;
  /** Commission that this adjustment corrects; `null` for other kinds. */
  adjusts_commission_id: string | null;
  /** Purpose of a manual commission; `null` for other kinds. */
  note: string | null;
  /** ID of the user, API key, or connector that created a manual commission; `null` for other kinds. */
  created_by: string | null;
  /** Your ID for the record. */
  external_id: string | null;
  metadata: Metadata;
  /** ISO 8601 time in UTC with milliseconds. */
  created_at: string;
  /** ISO 8601 time in UTC with milliseconds. */
  updated_at: string;
  /** Present if `expand` includes `campaign`. */
  campaign?: Campaign | null;
  /** Present if `expand` includes `sale`. */
  sale?: Sale | null;
}

/** One try to pay a payout. At most one attempt of a payout is unfinished or has arrived. */
export interface PayoutAttempt {
  /** ID of the payout attempt. */
  id: string;
  /** A payout that was merged into another one since no longer exists. */
  payout_id: string;
  /** ID of the affiliate. */
  affiliate_id: string;
  /** The export, the run or the batch that prepared the attempt. `null` for a payment by hand. */
  batch_id: string | null;
  /** Kind of the method: `by_hand`, `csv`, `paypal`, `wise`. */
  method: string;
  /**
   * `prepared` and `approved`: not sent yet; `sent`; `unknown`: no answer, so nothing else can pay the payout;
   * `in_transit`; `unclaimed`: waits for the receiver; `arrived`; `returned`: the money came back; `failed`:
   * refused, see `reason`; `withdrawn`: ended before it was sent.
   */
  state: PayoutAttemptState;
  /**
   * Reason for which the attempt failed, was withdrawn or came back. `screening`: it is not sent before the
   * affiliate has been cleared (`payout_screenings`).
   */
  reason: string | null;
  /** Amount of the payout, with the fee that the affiliate bears. */
  amount_cents: number;
  /** ISO 4217 currency code. */
  currency: string;
  /** `false` for records of test mode. */
  livemode: boolean;
  /** State in the words of the service that pays. */
  raw_state: string | null;
  /** The connected account through which the payment is sent. `null` if it is not sent yet, or a person pays. */
  rail_id: string | null;
  /** ID of the batch of the payment at the service that pays. */
  provider_batch_id: string | null;
  /** ID of the payment at the service that pays. */
  provider_item_id: string | null;
  /** Number of this try of the batch. A new try has a new key, and is made only after a certain failure. */
  key_generation: number;
  /** Time at which somebody asked to call the payment back. `null` once that is decided. */
  cancel_requested_at: string | null;
  /** `true` if `cancel` asks the service that pays to call the payment back. */
  can_cancel: boolean;
  /** Name of the receiver at the service that pays. */
  receiver_name: string | null;
  /**
   * Part of `amount_cents` that is not sent, because the affiliate bears it as the fee. `null`: the service that
   * pays is still asked for it.
   */
  affiliate_fee_cents: number | null;
  /**
   * Fee that was expected when the payment was prepared, in the minor unit of `quoted_fee_currency`. `null`:
   * unknown.
   */
  quoted_fee_cents: number | null;
  /** ISO 4217 currency code. */
  quoted_fee_currency: string | null;
  /** Fee of the payment, in the minor unit of `fee_currency`. */
  fee_cents: number | null;
  /** ISO 4217 currency code. */
  fee_currency: string | null;
  /** Amount that was taken from you, in the minor unit of `debited_currency`. */
  debited_cents: number | null;
  /** ISO 4217 currency code. */
  debited_currency: string | null;
  /** Amount that the receiver got, in the minor unit of `credited_currency`. */
  credited_cents: number | null;
  /** ISO 4217 currency code. */
  credited_currency: string | null;
  /** Units of `credited_currency` for one unit of `debited_currency`, as a decimal number. */
  exchange_rate: string | null;
  /** Amount that came back, in the minor unit of `currency`. */
  returned_cents: number | null;
  /** ISO 8601 time in UTC with milliseconds. */
  prepared_at: string | null;
  /**
   * Time at which the payment was first sent to the service that pays. The service may send it again, with the
   * same key.
   */
  first_posted_at: string | null;
  /** ISO 8601 time in UTC with milliseconds. */
  sent_at: string | null;
  /** ISO 8601 time in UTC with milliseconds. */
  arrived_at: string | null;
  /** ISO 8601 time in UTC with milliseconds. */
  returned_at: string | null;
  /** Time at which an unclaimed payment comes back. */
  expires_at: string | null;
  /** Time at which the attempt failed or was withdrawn. */
  ended_at: string | null;
  /** ISO 8601 time in UTC with milliseconds. */
  created_at: string;
  /** ISO 8601 time in UTC with milliseconds. */
  updated_at: string;
}

/**
 * Unpaid commissions of the affiliate, in the currency and mode of an open payout, that are flagged for review.
 * They join a payout once they are due and approved. `null` for a payout that is not open.
 */
export interface UnderReview {
  /** Amount in the currency’s minor unit. */
  amount_cents: number;
  /** Number of commissions. */
  commissions_count: number;
}

/** One try to pay a payout, on request with the affiliate. */
export interface ListedPayoutAttempt {
  /** ID of the payout attempt. */
  id: string;
  /** A payout that was merged into another one since no longer exists. */
  payout_id: string;
  /** ID of the affiliate. */
  affiliate_id: string;
  /** The export, the run or the batch that prepared the attempt. `null` for a payment by hand. */
  batch_id: string | null;
  /** Kind of the method: `by_hand`, `csv`, `paypal`, `wise`. */
  method: string;
  /**
   * `prepared` and `approved`: not sent yet; `sent`; `unknown`: no answer, so nothing else can pay the payout;
   * `in_transit`; `unclaimed`: waits for the receiver; `arrived`; `returned`: the money came back; `failed`:
   * refused, see `reason`; `withdrawn`: ended before it was sent.
   */
  state: PayoutAttemptState;
  /**
   * Reason for which the attempt failed, was withdrawn or came back. `screening`: it is not sent before the
   * affiliate has been cleared (`payout_screenings`).
   */
  reason: string | null;
  /** Amount of the payout, with the fee that the affiliate bears. */
  amount_cents: number;
  /** ISO 4217 currency code. */
  currency: string;
  /** `false` for records of test mode. */
  livemode: boolean;
  /** State in the words of the service that pays. */
  raw_state: string | null;
  /** The connected account through which the payment is sent. `null` if it is not sent yet, or a person pays. */
  rail_id: string | null;
  /** ID of the batch of the payment at the service that pays. */
  provider_batch_id: string | null;
  /** ID of the payment at the service that pays. */
  provider_item_id: string | null;
  /** Number of this try of the batch. A new try has a new key, and is made only after a certain failure. */
  key_generation: number;
  /** Time at which somebody asked to call the payment back. `null` once that is decided. */
  cancel_requested_at: string | null;
  /** `true` if `cancel` asks the service that pays to call the payment back. */
  can_cancel: boolean;
  /** Name of the receiver at the service that pays. */
  receiver_name: string | null;
  /**
   * Part of `amount_cents` that is not sent, because the affiliate bears it as the fee. `null`: the service that
   * pays is still asked for it.
   */
  affiliate_fee_cents: number | null;
  /**
   * Fee that was expected when the payment was prepared, in the minor unit of `quoted_fee_currency`. `null`:
   * unknown.
   */
  quoted_fee_cents: number | null;
  /** ISO 4217 currency code. */
  quoted_fee_currency: string | null;
  /** Fee of the payment, in the minor unit of `fee_currency`. */
  fee_cents: number | null;
  /** ISO 4217 currency code. */
  fee_currency: string | null;
  /** Amount that was taken from you, in the minor unit of `debited_currency`. */
  debited_cents: number | null;
  /** ISO 4217 currency code. */
  debited_currency: string | null;
  /** Amount that the receiver got, in the minor unit of `credited_currency`. */
  credited_cents: number | null;
  /** ISO 4217 currency code. */
  credited_currency: string | null;
  /** Units of `credited_currency` for one unit of `debited_currency`, as a decimal number. */
  exchange_rate: string | null;
  /** Amount that came back, in the minor unit of `currency`. */
  returned_cents: number | null;
  /** ISO 8601 time in UTC with milliseconds. */
  prepared_at: string | null;
  /**
   * Time at which the payment was first sent to the service that pays. The service may send it again, with the
   * same key.
   */
  first_posted_at: string | null;
  /** ISO 8601 time in UTC with milliseconds. */
  sent_at: string | null;
  /** ISO 8601 time in UTC with milliseconds. */
  arrived_at: string | null;
  /** ISO 8601 time in UTC with milliseconds. */
  returned_at: string | null;
  /** Time at which an unclaimed payment comes back. */
  expires_at: string | null;
  /** Time at which the attempt failed or was withdrawn. */
  ended_at: string | null;
  /** ISO 8601 time in UTC with milliseconds. */
  created_at: string;
  /** ISO 8601 time in UTC with milliseconds. */
  updated_at: string;
  /** Present if `expand` includes `affiliate`. */
  affiliate?: AffiliateOfRecord | null;
}

/** Payouts that the service will pay. */
export interface PreparedPayouts {
  /** The attempts have this `batch_id`. */
  batch_id: string;
  /** Kind of the method. */
  method: string;
  /** `false` for records of test mode. */
  livemode: boolean;
  /** Number of payouts. */
  payouts_count: number;
  /** Totals by currency. */
  totals: {
    /** ISO 4217 currency code. */
    currency: string;
    /** Number of payouts. */
    payouts_count: number;
    /** Amount in the currency’s minor unit. */
    amount_cents: number;
  }[];
  /** Time until which the payments wait, because of `allowed_hours` of the account. `null`: they are sent at once. */
  waits_until: string | null;
  /** Number of payouts that do not fit into the format. */
  left_out_count: number;
  /** At most 100 of the eligible payouts that the method cannot pay. */
  left_out: {
    /** ID of the payout. */
    payout_id: string;
    /** ID of the affiliate. */
    affiliate_id: string;
    /** Name of the affiliate, or the email address if there is no name. */
    affiliate_name: string;
    code: PayoutObstacle;
    /** Explanation for people. */
    message: string;
  }[];
}

/** Payments that the service sends together, in a list. */
export interface ListedPayoutBatch {
  /** ID of the payout batch. */
  id: string;
  /**
   * `prepared`: nothing is sent yet; `approved`: somebody else agreed; `paying`: payments are sent or under way;
   * `paid`: all have arrived; `partly_paid`: some have not arrived and never will; `withdrawn`.
   */
  state: PayoutBatchState;
  /** Kind of the method. */
  method: string;
  /** `false` for records of test mode. */
  livemode: boolean;
  /** Number of payouts. */
  payouts_count: number;
  /** Number of payments without an answer. */
  unknown_count: number;
  /** Totals per currency. */
  totals: {
    /** ISO 4217 currency code. */
    currency: string;
    /** Number of payouts. */
    payouts_count: number;
    /** Amount in the currency’s minor unit. */
    amount_cents: number;
    /** Prepared and not sent. */
    unsent_cents: number;
    /** Sent and neither arrived nor ended. */
    underway_cents: number;
    /** Arrived, and not returned. */
    arrived_cents: number;
    /** Failed, withdrawn or returned. */
    ended_cents: number;
  }[];
  /** Fees per currency: expected when the payments were prepared, and taken so far. */
  fees: {
    /** ISO 4217 currency code. */
    currency: string;
    /** Expected. */
    quoted_cents: number;
    /** Taken so far. */
    charged_cents: number;
    /** Borne by affiliates: not sent to them. */
    affiliate_cents: number;
  }[];
  /** Number of payments whose fee was not known before. */
  unquoted_count: number;
  /** Hash of the payments with their amounts and receivers, while they are prepared. It is what an approval is for. */
  items_hash: string | null;
  /** `true` if somebody else has to approve the payments before they are sent. */
  needs_approval: boolean;
  /**
   * Time until which payments that may be sent wait, because of `allowed_hours` of the account. `null`: none waits
   * for that.
   */
  waits_until: string | null;
  /**
   * Reason why payments that may be sent wait: a switch of the account (`payouts_stopped`, `paused` of
   * `payout_terms`), its `allowed_hours`, or the account at the service that pays, which has refused to pay
   * (`rail_stopped`, see `problem` of the rail) or is not connected (`rail_missing`). `screening`: some affiliates
   * have not been cleared (`payout_screenings`). `null`: none waits.
   */
  waits_for: PayoutBatchStop | null;
  /** ID of the caller. */
  prepared_by: string;
  /** ID of the person who approved the payments. `null` again when the payments have changed. */
  approved_by: string | null;
  /** ISO 8601 time in UTC with milliseconds. */
  approved_at: string | null;
  /** Time from which the payments may be sent. */
  started_at: string | null;
  /** Time at which the payments were withdrawn before they were sent. */
  withdrawn_at: string | null;
  /** ISO 8601 time in UTC with milliseconds. */
  created_at: string;
  /** ISO 8601 time in UTC with milliseconds. */
  updated_at: string;
}

/** New payments, which are not sent yet. */
export interface CreatedPayoutBatch {
  /** ID of the payout batch. */
  id: string;
  /**
   * `prepared`: nothing is sent yet; `approved`: somebody else agreed; `paying`: payments are sent or under way;
   * `paid`: all have arrived; `partly_paid`: some have not arrived and never will; `withdrawn`.
   */
  state: PayoutBatchState;
  /** Kind of the method. */
  method: string;
  /** `false` for records of test mode. */
  livemode: boolean;
  /** Number of payouts. */
  payouts_count: number;
  /** Number of payments without an answer. */
  unknown_count: number;
  /** Totals per currency. */
  totals: {
    /** ISO 4217 currency code. */
    currency: string;
    /** Number of payouts. */
    payouts_count: number;
    /** Amount in the currency’s minor unit. */
    amount_cents: number;
    /** Prepared and not sent. */
    unsent_cents: number;
    /** Sent and neither arrived nor ended. */
    underway_cents: number;
    /** Arrived, and not returned. */
    arrived_cents: number;
    /** Failed, withdrawn or returned. */
    ended_cents: number;
  }[];
  /** Fees per currency: expected when the payments were prepared, and taken so far. */
  fees: {
    /** ISO 4217 currency code. */
    currency: string;
    /** Expected. */
    quoted_cents: number;
    /** Taken so far. */
    charged_cents: number;
    /** Borne by affiliates: not sent to them. */
    affiliate_cents: number;
  }[];
  /** Number of payments whose fee was not known before. */
  unquoted_count: number;
  /** Hash of the payments with their amounts and receivers, while they are prepared. It is what an approval is for. */
  items_hash: string | null;
  /** `true` if somebody else has to approve the payments before they are sent. */
  needs_approval: boolean;
  /**
   * Time until which payments that may be sent wait, because of `allowed_hours` of the account. `null`: none waits
   * for that.
   */
  waits_until: string | null;
  /**
   * Reason why payments that may be sent wait: a switch of the account (`payouts_stopped`, `paused` of
   * `payout_terms`), its `allowed_hours`, or the account at the service that pays, which has refused to pay
   * (`rail_stopped`, see `problem` of the rail) or is not connected (`rail_missing`). `screening`: some affiliates
   * have not been cleared (`payout_screenings`). `null`: none waits.
   */
  waits_for: PayoutBatchStop | null;
  /** ID of the caller. */
  prepared_by: string;
  /** ID of the person who approved the payments. `null` again when the payments have changed. */
  approved_by: string | null;
  /** ISO 8601 time in UTC with milliseconds. */
  approved_at: string | null;
  /** Time from which the payments may be sent. */
  started_at: string | null;
  /** Time at which the payments were withdrawn before they were sent. */
  withdrawn_at: string | null;
  /** ISO 8601 time in UTC with milliseconds. */
  created_at: string;
  /** ISO 8601 time in UTC with milliseconds. */
  updated_at: string;
  /** Present if `expand` includes `attempts`. */
  attempts?: PayoutAttempt[] | null;
  /** Needs of the payments against your balance at the service that pays, per currency. */
  funds: {
    /** ISO 4217 currency code. */
    currency: string;
    /** The payments, with the fees that are known before and that you bear. */
    needed_cents: number;
    /** Number of payments whose fee is not known before, and is taken besides. */
    unquoted_count: number;
    /** Balance at the service that pays. `null`: it does not say. */
    available_cents: number | null;
  }[];
  /** Number of payouts that do not fit into the format. */
  left_out_count: number;
  /** At most 100 of the eligible payouts that the method cannot pay. */
  left_out: {
    /** ID of the payout. */
    payout_id: string;
    /** ID of the affiliate. */
    affiliate_id: string;
    /** Name of the affiliate, or the email address if there is no name. */
    affiliate_name: string;
    code: PayoutObstacle;
    /** Explanation for people. */
    message: string;
  }[];
}

/** Payments that the service sends together. */
export interface PayoutBatch {
  /** ID of the payout batch. */
  id: string;
  /**
   * `prepared`: nothing is sent yet; `approved`: somebody else agreed; `paying`: payments are sent or under way;
   * `paid`: all have arrived; `partly_paid`: some have not arrived and never will; `withdrawn`.
   */
  state: PayoutBatchState;
  /** Kind of the method. */
  method: string;
  /** `false` for records of test mode. */
  livemode: boolean;
  /** Number of payouts. */
  payouts_count: number;
  /** Number of payments without an answer. */
  unknown_count: number;
  /** Totals per currency. */
  totals: {
    /** ISO 4217 currency code. */
    currency: string;
    /** Number of payouts. */
    payouts_count: number;
    /** Amount in the currency’s minor unit. */
    amount_cents: number;
    /** Prepared and not sent. */
    unsent_cents: number;
    /** Sent and neither arrived nor ended. */
    underway_cents: number;
    /** Arrived, and not returned. */
    arrived_cents: number;
    /** Failed, withdrawn or returned. */
    ended_cents: number;
  }[];
  /** Fees per currency: expected when the payments were prepared, and taken so far. */
  fees: {
    /** ISO 4217 currency code. */
    currency: string;
    /** Expected. */
    quoted_cents: number;
    /** Taken so far. */
    charged_cents: number;
    /** Borne by affiliates: not sent to them. */
    affiliate_cents: number;
  }[];
  /** Number of payments whose fee was not known before. */
  unquoted_count: number;
  /** Hash of the payments with their amounts and receivers, while they are prepared. It is what an approval is for. */
  items_hash: string | null;
  /** `true` if somebody else has to approve the payments before they are sent. */
  needs_approval: boolean;
  /**
   * Time until which payments that may be sent wait, because of `allowed_hours` of the account. `null`: none waits
   * for that.
   */
  waits_until: string | null;
  /**
   * Reason why payments that may be sent wait: a switch of the account (`payouts_stopped`, `paused` of
   * `payout_terms`), its `allowed_hours`, or the account at the service that pays, which has refused to pay
   * (`rail_stopped`, see `problem` of the rail) or is not connected (`rail_missing`). `screening`: some affiliates
   * have not been cleared (`payout_screenings`). `null`: none waits.
   */
  waits_for: PayoutBatchStop | null;
  /** ID of the caller. */
  prepared_by: string;
  /** ID of the person who approved the payments. `null` again when the payments have changed. */
  approved_by: string | null;
  /** ISO 8601 time in UTC with milliseconds. */
  approved_at: string | null;
  /** Time from which the payments may be sent. */
  started_at: string | null;
  /** Time at which the payments were withdrawn before they were sent. */
  withdrawn_at: string | null;
  /** ISO 8601 time in UTC with milliseconds. */
  created_at: string;
  /** ISO 8601 time in UTC with milliseconds. */
  updated_at: string;
  /** Present if `expand` includes `attempts`. */
  attempts?: PayoutAttempt[] | null;
}

/** A way in which an affiliate is paid. An affiliate has at most one method of a kind. */
export interface PayoutMethod {
  /** ID of the payout method. */
  id: string;
  /** ID of the affiliate. */
  affiliate_id: string;
  /** Kind of the method, e.g. `paypal` or `wise`. */
  kind: string;
  /**
   * `confirmed`: payouts can be paid to it; `held`: the payout details have just changed, and payouts wait until
   * `payouts_held_until`; `retired`: it was removed.
   */
  state: PayoutMethodState;
  /** Part of the address by which its owner recognizes it. The address itself is never shown. */
  hint: string;
  /** Time of the last change of the address. */
  since: string;
  /** ISO 8601 time in UTC with milliseconds. */
  retired_at: string | null;
  /** `false` for records of test mode. */
  livemode: boolean;
  /** ISO 8601 time in UTC with milliseconds. */
  created_at: string;
  /** ISO 8601 time in UTC with milliseconds. */
  updated_at: string;
}

/** A kind of payout method, with the form of its addresses. */
export interface PayoutMethodKind {
  /** Kind of the method, e.g. `paypal` or `wise`. */
  kind: string;
  /** Name of the addresses, for people. */
  name: {
    /** The text in English. */
    en: string;
    /** The text in German. */
    de: string;
  };
  /** Kind that pays to these addresses and has the terms, if these are another form of its addresses. */
  paid_by: string | null;
  /** `true` if `open_account` opens accounts of this kind. */
  opens_account: boolean;
  /** The parts of an `address`. */
  fields: PayoutAddressField[];
  /** `affiliate`: the fee of a payment is taken from the amount that is sent. `merchant`: it is paid besides. */
  fee_bearer: FeeBearer;
  /**
   * Fee of a payment that an affiliate bears. In other currencies, it is the fee that the service quotes before;
   * without a quote, you bear it.
   */
  fees: {
    /** ISO 4217 currency code. */
    currency: string;
    /** Amount in the currency’s minor unit. */
    amount_cents: number;
  }[];
  /** Smallest payouts that are paid by the method. No minimum in other currencies. */
  minimums: {
    /** ISO 4217 currency code. */
    currency: string;
    /** Amount in the currency’s minor unit. */
    amount_cents: number;
  }[];
  /**
   * `true`: nothing new is prepared or sent by the method. Payments that the service which pays has are followed
   * to their end.
   */
  paused: boolean;
  /** Minimum and fee of payments in words, and whether they are paused. Empty if there is nothing to say. */
  terms_in_words: {
    /** The text in English. */
    en: string;
    /** The text in German. */
    de: string;
  };
}

export interface PayoutAddressField {
  /** Name. */
  name: string;
  /** `true` if the answer is required. */
  required: boolean;
  /** The only values that are taken. Null if there is no such list. */
  values: string[] | null;
}

/** An account of an affiliate at a service that pays. */
export interface OpenedPayoutAccount {
  /** Page of the service where the affiliate enters what it asks for. For the affiliate only, and for a short time. */
  url: string;
  /** Time at which `url` ends. Ask for another one then. */
  expires_at: string | null;
  payout_method: PayoutMethod;
}

/** A comparison of an affiliate with lists of people and companies that nobody may pay. */
export interface PayoutScreening {
  /** ID of the payout screening. */
  id: string;
  /** ID of the affiliate. */
  affiliate_id: string;
  /** `false` for records of test mode. */
  livemode: boolean;
  /**
   * The names that were compared: that of the affiliate, and those of the holders of accounts. Empty if there is
   * none, and once they are erased.
   */
  names: string[];
  /**
   * `clear`: no name is alike; `hit`: names of `matches` are alike; `unavailable`: there is no name to compare, no
   * list is loaded, or a list is too old.
   */
  result: ScreeningResult;
  /** `true` if the affiliate is not paid because of the result. */
  held: boolean;
  /** `false` for a former screening, e.g. of a former name. */
  current: boolean;
  /** The lists, in the versions with which the names were compared. */
  lists: {
    /** `ofac`: United States; `un`: United Nations; `uk`: United Kingdom; `eu`: European Union. */
    list: string;
    /** Day of the version of the list. */
    list_date: string;
  }[];
  /** At most 20. */
  matches: {
    /** `ofac`: United States; `un`: United Nations; `uk`: United Kingdom; `eu`: European Union. */
    list: string;
    /** Reference of the entry in the list. */
    entry: string;
    /** Name in the list. */
    name: string;
    /** Days or years of birth, as the list has them. */
    born: string | null;
  }[];
  /** Time of the last comparison with this outcome. */
  screened_at: string;
  /** Time at which a person released the hit. It stays released for these names, payout methods and entries. */
  released_at: string | null;
  /** ID of the person. */
  released_by: string | null;
  /** Reason that the person gave. */
  release_reason: string | null;
  /** ISO 8601 time in UTC with milliseconds. */
  created_at: string;
  /** ISO 8601 time in UTC with milliseconds. */
  updated_at: string;
}

/** A set of payouts exported to a file, to be paid outside the service. */
export interface PayoutExport {
  /** ID of the payout export. */
  id: string;
  /**
   * `processing`: the export holds its payouts until it is paid or deleted; `paying`: the payouts of a large
   * export are being marked as paid, see `paid_count`; `paid`; `released`: the export was deleted, and its payouts
   * were released.
   */
  state: PayoutExportState;
  /**
   * `csv`: spreadsheet with every field; `walleta`: PayPal Payouts upload; `walletb`: Wise batch payment by email;
   * `bank_sepa`: bank file in euros (pain.001); `bank_ach`: in US dollars (NACHA).
   */
  export_format: ExportFormat;
  /** `false` for records of test mode. */
  livemode: boolean;
  /** Your notes. */
  notes: string | null;
  /** Number of payouts. */
  payouts_count: number;
  /** Totals by currency. */
  totals: {
    /** ISO 4217 currency code. */
    currency: string;
    /** Number of payouts. */
    payouts_count: number;
    /** Amount in the currency’s minor unit. */
    amount_cents: number;
  }[];
  /** Your reference of the payment. */
  payment_reference: string | null;
  /** ISO 8601 time in UTC with milliseconds. */
  paid_at: string | null;
  /** Number of payouts paid so far. */
  paid_count: number;
  /** Number of payouts that were paid and then returned. */
  returned_count: number;
  /** ISO 8601 time in UTC with milliseconds. */
  released_at: string | null;
  /** `true` if somebody else has to approve the export before its file can be read. */
  needs_approval: boolean;
  /**
   * Hash of the payouts with their amounts and receivers, while they need an approval. It is what the approval is
   * for.
   */
  items_hash: string | null;
  /** ID of the person who approved the export. */
  approved_by: string | null;
  /** ISO 8601 time in UTC with milliseconds. */
  approved_at: string | null;
  /** ISO 8601 time in UTC with milliseconds. */
  created_at: string;
  /** ISO 8601 time in UTC with milliseconds. */
  updated_at: string;
}

/** A new payout export. */
export interface CreatedPayoutExport {
  /** ID of the payout export. */
  id: string;
  /**
   * `processing`: the export holds its payouts until it is paid or deleted; `paying`: the payouts of a large
   * export are being marked as paid, see `paid_count`; `paid`; `released`: the export was deleted, and its payouts
   * were released.
   */
  state: PayoutExportState;
  /**
   * `csv`: spreadsheet with every field; `walleta`: PayPal Payouts upload; `walletb`: Wise batch payment by email;
   * `bank_sepa`: bank file in euros (pain.001); `bank_ach`: in US dollars (NACHA).
   */
  export_format: ExportFormat;
  /** `false` for records of test mode. */
  livemode: boolean;
  /** Your notes. */
  notes: string | null;
  /** Number of payouts. */
  payouts_count: number;
  /** Totals by currency. */
  totals: {
    /** ISO 4217 currency code. */
    currency: string;
    /** Number of payouts. */
    payouts_count: number;
    /** Amount in the currency’s minor unit. */
    amount_cents: number;
  }[];
  /** Your reference of the payment. */
  payment_reference: string | null;
  /** ISO 8601 time in UTC with milliseconds. */
  paid_at: string | null;
  /** Number of payouts paid so far. */
  paid_count: number;
  /** Number of payouts that were paid and then returned. */
  returned_count: number;
  /** ISO 8601 time in UTC with milliseconds. */
  released_at: string | null;
  /** `true` if somebody else has to approve the export before its file can be read. */
  needs_approval: boolean;
  /**
   * Hash of the payouts with their amounts and receivers, while they need an approval. It is what the approval is
   * for.
   */
  items_hash: string | null;
  /** ID of the person who approved the export. */
  approved_by: string | null;
  /** ISO 8601 time in UTC with milliseconds. */
  approved_at: string | null;
  /** ISO 8601 time in UTC with milliseconds. */
  created_at: string;
  /** ISO 8601 time in UTC with milliseconds. */
  updated_at: string;
  /** With `leave_out_unpayable`: at most 100 of the payouts that were left out. */
  left_out?: PayoutLeftOut[];
}

/** A payout that a file of a format cannot pay, with the first reason. */
export interface PayoutLeftOut {
  /** ID of the payout. */
  payout_id: string;
  /** ID of the affiliate. */
  affiliate_id: string;
  /** Name of the affiliate, or the email address if there is no name. */
  affiliate_name: string;
  /**
   * `method_paused`: the account has paused the method (`payout_terms`); `missing_wallet_address`: the affiliate
   * has no address for this format; `unsafe_wallet_address`: the address starts like a spreadsheet formula;
   * `mixed_currencies`: the file pays another currency; `fractional_amount`: the method pays the currency in whole
   * units only; `unsupported_currency`: the format does not pay the currency; `unsupported_amount`: the amount is
   * too large for the format; `below_minimum` and `fee_exceeds_amount`: the amount is below the minimum of the
   * method, or not above its fee; `too_many_rows`: the file is full.
   */
  code: ExportObstacle;
  /** Explanation for people. */
  message: string;
}

/** Contents of an export that is not created, by format. */
export interface PayoutExportCheck {
  /** Results by format. */
  formats: {
    /**
     * `csv`: spreadsheet with every field; `walleta`: PayPal Payouts upload; `walletb`: Wise batch payment by email;
     * `bank_sepa`: bank file in euros (pain.001); `bank_ach`: in US dollars (NACHA).
     */
    export_format: ExportFormat;
    /** Number of payouts that a file of this format can pay. */
    payouts_count: number;
    /** Totals by currency. */
    totals: {
      /** ISO 4217 currency code. */
      currency: string;
      /** Number of payouts. */
      payouts_count: number;
      /** Amount in the currency’s minor unit. */
      amount_cents: number;
    }[];
    /** Number of payouts that do not fit into the format. */
    left_out_count: number;
    /** At most 100 of the payouts that the file cannot pay. */
    left_out: PayoutLeftOut[];
  }[];
}

/** A payout export with its file. */
export interface PayoutExportFile {
  /** ID of the payout export. */
  id: string;
  /**
   * `processing`: the export holds its payouts until it is paid or deleted; `paying`: the payouts of a large
   * export are being marked as paid, see `paid_count`; `paid`; `released`: the export was deleted, and its payouts
   * were released.
   */
  state: PayoutExportState;
  /**
   * `csv`: spreadsheet with every field; `walleta`: PayPal Payouts upload; `walletb`: Wise batch payment by email;
   * `bank_sepa`: bank file in euros (pain.001); `bank_ach`: in US dollars (NACHA).
   */
  export_format: ExportFormat;
  /** `false` for records of test mode. */
  livemode: boolean;
  /** Your notes. */
  notes: string | null;
  /** Number of payouts. */
  payouts_count: number;
  /** Totals by currency. */
  totals: {
    /** ISO 4217 currency code. */
    currency: string;
    /** Number of payouts. */
    payouts_count: number;
    /** Amount in the currency’s minor unit. */
    amount_cents: number;
  }[];
  /** Your reference of the payment. */
  payment_reference: string | null;
  /** ISO 8601 time in UTC with milliseconds. */
  paid_at: string | null;
  /** Number of payouts paid so far. */
  paid_count: number;
  /** Number of payouts that were paid and then returned. */
  returned_count: number;
  /** ISO 8601 time in UTC with milliseconds. */
  released_at: string | null;
  /** `true` if somebody else has to approve the export before its file can be read. */
  needs_approval: boolean;
  /**
   * Hash of the payouts with their amounts and receivers, while they need an approval. It is what the approval is
   * for.
   */
  items_hash: string | null;
  /** ID of the person who approved the export. */
  approved_by: string | null;
  /** ISO 8601 time in UTC with milliseconds. */
  approved_at: string | null;
  /** ISO 8601 time in UTC with milliseconds. */
  created_at: string;
  /** ISO 8601 time in UTC with milliseconds. */
  updated_at: string;
  /** Name of the file. */
  filename: string;
  /** File content, fixed when the export is created. Empty while the export needs an approval. */
  content: string;
}

/** The effect of a report of a bank on the payouts of an export. */
export interface PayoutExportReport {
  payout_export: PayoutExport;
  /** Number of payouts that the report has marked as paid. */
  booked_count: number;
  /** Number of payouts that were not paid and are open again. */
  rejected_count: number;
  /** Number of payouts whose money has come back. */
  returned_count: number;
  /** Number of payouts about which the report says nothing new. */
  unchanged_count: number;
  /** Number of statements about payments of other files. */
  other_count: number;
  /** At most 100. */
  problems: BankReportProblem[];
}

/** A statement of a bank that a person has to look at. */
export interface BankReportProblem {
  /** Null for a problem of the whole file. */
  payout_id: string | null;
  /**
   * `amount_mismatch`: the bank has booked another amount, so the payout stays claimed; `sum_mismatch`: the bank
   * has booked the file as a whole with another sum or number of payments; `arrived_after_all`: the bank has
   * booked a payment that was given up here, and may have been paid again.
   */
  code: BankReportProblemCode;
}

/** A payout run without its items. */
export interface PayoutRunSummary {
  /** ID of the payout run. */
  id: string;
  /**
   * `planned`; `executing`; `completed`: no failed items remain; `partially_completed`: some items failed, see
   * `issues`; `canceled`.
   */
  state: PayoutRunState;
  /** Key that was sent when the run was created. */
  idempotency_key: string;
  /** `false` for records of test mode. */
  livemode: boolean;
  /** Affiliates that the run is limited to; `null` for all. */
  affiliate_ids: string[] | null;
  /** Your reference of the payment. */
  payment_reference: string | null;
  /** Number of items of the run. */
  items_total: number;
  /** Number of items that are paid, failed, excluded, or canceled. */
  items_done: number;
  /** Totals per currency. */
  totals: {
    /** ISO 4217 currency code. */
    currency: string;
    /** Number of items. */
    items_count: number;
    /** Total of all items. */
    amount_cents: number;
    /** Amount of the items that are not executed yet. */
    planned_cents: number;
    /** Amount that was paid. */
    paid_cents: number;
    /** Amount of the payouts that were returned. */
    returned_cents: number;
    /** Amount of the failed items. */
    failed_cents: number;
    /** Amount of the excluded items. */
    excluded_cents: number;
    /** Amount of the canceled items. */
    canceled_cents: number;
  }[];
  /** Issues of failed items, by code. */
  issues: {
    /**
     * `missing_payout_details`: the affiliate has neither a PayPal (`walleta_email`) nor a Wise email address
     * (`walletb_email`). `affiliate_inactive`: the affiliate is not active or is archived.
     */
    code: PayoutRunIssue;
    /** Number of items. */
    items_count: number;
  }[];
  /** ISO 8601 time in UTC with milliseconds. */
  executed_at: string | null;
  /** ISO 8601 time in UTC with milliseconds. */
  completed_at: string | null;
  /** ISO 8601 time in UTC with milliseconds. */
  canceled_at: string | null;
  /** ISO 8601 time in UTC with milliseconds. */
  created_at: string;
  /** ISO 8601 time in UTC with milliseconds. */
  updated_at: string;
}

/** A batch of payouts that are checked and marked paid together. */
export interface PayoutRun {
  /** ID of the payout run. */
  id: string;
  /**
   * `planned`; `executing`; `completed`: no failed items remain; `partially_completed`: some items failed, see
   * `issues`; `canceled`.
   */
  state: PayoutRunState;
  /** Key that was sent when the run was created. */
  idempotency_key: string;
  /** `false` for records of test mode. */
  livemode: boolean;
  /** Affiliates that the run is limited to; `null` for all. */
  affiliate_ids: string[] | null;
  /** Your reference of the payment. */
  payment_reference: string | null;
  /** Number of items of the run. */
  items_total: number;
  /** Number of items that are paid, failed, excluded, or canceled. */
  items_done: number;
  /** Totals per currency. */
  totals: {
    /** ISO 4217 currency code. */
    currency: string;
    /** Number of items. */
    items_count: number;
    /** Total of all items. */
    amount_cents: number;
    /** Amount of the items that are not executed yet. */
    planned_cents: number;
    /** Amount that was paid. */
    paid_cents: number;
    /** Amount of the payouts that were returned. */
    returned_cents: number;
    /** Amount of the failed items. */
    failed_cents: number;
    /** Amount of the excluded items. */
    excluded_cents: number;
    /** Amount of the canceled items. */
    canceled_cents: number;
  }[];
  /** Issues of failed items, by code. */
  issues: {
    /**
     * `missing_payout_details`: the affiliate has neither a PayPal (`walleta_email`) nor a Wise email address
     * (`walletb_email`). `affiliate_inactive`: the affiliate is not active or is archived.
     */
    code: PayoutRunIssue;
    /** Number of items. */
    items_count: number;
  }[];
  /** Up to 1000 items: failed items first, then oldest payouts first. */
  items: {
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
  }[];
  /** ISO 8601 time in UTC with milliseconds. */
  executed_at: string | null;
  /** ISO 8601 time in UTC with milliseconds. */
  completed_at: string | null;
  /** ISO 8601 time in UTC with milliseconds. */
  canceled_at: string | null;
  /** ISO 8601 time in UTC with milliseconds. */
  created_at: string;
  /** ISO 8601 time in UTC with milliseconds. */
  updated_at: string;
}

/** Consistency report of payouts, commissions, exports, and runs. */
export interface PayoutReconciliation {
  /** Number of days that were checked. */
  lookback_days: number;
  /** ISO 8601 time in UTC with milliseconds. */
  from: string;
  /** ISO 8601 time in UTC with milliseconds. */
  until: string;
  /** Number of runs created in the window, by state. */
  runs: {
    /** Number of planned ones. */
    planned: number;
    /** Number of those that are being executed. */
    executing: number;
    /** Number of completed ones. */
    completed: number;
    /** Number of those that were completed in part. */
    partially_completed: number;
    /** Number of canceled ones. */
    canceled: number;
  };
  /** Records that are incomplete until further events arrive. This is normal; they are not discrepancies. */
  waiting: {
    /** Stripe events that failed and will be retried. */
    events: number;
    /** Stripe payments, changed in the window, that have a checkout or a refund but no charge yet. */
    payments_without_amount: number;
    /** Sales charged in the window that are not attributed to a referral. */
    sales_without_referral: number;
  };
  /** Live payouts paid or returned in the window, per currency. */
  totals: {
    /** ISO 4217 currency code. */
    currency: string;
    /** Number of payouts. */
    payouts_count: number;
    /** Amount that was paid. */
    paid_cents: number;
    /** Amount that was paid with runs. */
    paid_by_run_cents: number;
    /** Amount that was paid with exports. */
    paid_by_export_cents: number;
    /** Amount that was paid one payout at a time. */
    paid_by_hand_cents: number;
    /** Amount that this service sent. */
    paid_by_service_cents: number;
    /** Total of payouts returned in the window, whenever they were paid. Not included in `paid_cents`. */
    returned_cents: number;
  }[];
  /**
   * Fees that services which pay took for live payments sent in the window, per currency. Not included in
   * `totals`.
   */
  fees: {
    /** ISO 4217 currency code. */
    currency: string;
    /** Sum of the fees. */
    fee_cents: number;
    /** Fees that affiliates bear: parts of payments that have arrived, and that were not sent. */
    affiliate_fee_cents: number;
  }[];
  /**
   * Inconsistencies found; empty if there are none. Unpaid payouts, due commissions and unfinished runs are always
   * checked, regardless of age. Up to 1000 per code.
   */
  discrepancies: {
    /**
     * `run_stuck`: the run has unfinished items and made no progress for 15 minutes; `export_stuck`: the export is
     * being paid and made no progress for 15 minutes; `missing_claim`: the payout is processing, but no export or
     * run holds it; `orphaned_claim`: a finished export or run still holds the payout, or an export or run holds an
     * open payout; `amount_mismatch`: the amount differs from the sum of the commissions; `item_mismatch`: the
     * amount or paid state of the payout differs from the one that its export or run records; `unpaid_commissions`:
     * the payout is paid, but some of its commissions are not; `uncollected_commissions`: commissions are due, but
     * are not in a payout; `paid_commissions`: the payout is not paid, but some of its commissions are;
     * `sale_mismatch`: the commission of a sale and its adjustments do not add up to the amount that the sale earns;
     * `paid_attribution`: the commission of a sale is paid, but facts that arrived later give the sale to
     * `affiliate_id` or to nobody; `paid_reward`: the commission of a sale is paid, but by the tiers or the time of
     * the charge that are known now it would have another amount, or a bonus is paid whose commission of the sale
     * was voided or went to another affiliate; `paid_lead`: the reward for a lead is paid, but by the facts that are
     * known now another affiliate (`affiliate_id`), nobody or another amount would be rewarded; `paid_milestone`: a
     * milestone is paid that is reached less often now; `uncounted_refund`: refunds of another report of the same
     * payment are not counted, because they may be the same refunds; `failed_event`: a Stripe event could not be
     * applied and will not be retried; `kept_event`: Stripe events had no effect so far, because they could not be
     * read or are in another mode (live or test) than the key; `mode_mismatch`: the payout, its commissions, and the
     * export or run that holds it do not have the same `livemode`; `terms_mismatch`: a commission does not have the
     * terms that its campaign had at the charge; `earner_mismatch`: a commission belongs to another affiliate,
     * referral or mode than its sale, or its affiliate could not earn from the sale; `limit_exceeded`: a referral
     * has more commissions than its campaign allowed; `cap_exceeded`: a line of a commission, or the unpaid
     * commissions of a referral or an affiliate together, pay more than the cap of a rule; `bonus_mismatch`: a bonus
     * stands although the commission of its sale does not, or is flagged or falls due otherwise; `credit_mismatch`:
     * a commission without a sale and its adjustments do not add up; `review_mismatch`: a flagged commission is in a
     * payout, or a dispute or a suspicion does not hold a commission, or holds it although it has ended;
     * `payout_mismatch`: a payout holds commissions of another affiliate or currency, or commissions that are
     * pending or voided; `paid_twice`: several exports or runs say that they paid the payout, or a payment that was
     * given up has been made after all; `open_payment`: a person has to ask about a payment: it has no certain
     * answer, the service that pays names another amount, or it has been under way for 14 days; `event_mismatch`:
     * the events about a commission or a payout were not emitted exactly once; `payment_mismatch`: a sale
     * contradicts its Stripe payment; `refund_mismatch`: the refunds of a sale are not those that were reported.
     */
    code: DiscrepancyCode;
    /** Explanation for people. */
    message: string;
    /** ID of the payout run. */
    payout_run_id: string | null;
    /** ID of the payout export. */
    payout_export_id: string | null;
    /** ID of the payout. */
    payout_id: string | null;
    /**
     * Sale whose paid commission differs from the facts (`paid_attribution`, `paid_reward`), or whose refunds are in
     * doubt (`uncounted_refund`).
     */
    sale_id: string | null;
    /** Affiliate who would earn from the sale by all known facts. `null` if nobody would, and for all other codes. */
    affiliate_id: string | null;
    /** Stripe event that could not be applied. The oldest one if there are several. */
    psp_event_id: string | null;
    /** ISO 4217 currency code. */
    currency: string | null;
    /** Amount that was expected. */
    expected_cents: number | null;
    /** Amount that was found. */
    actual_cents: number | null;
    /** Affected commissions, up to 100. */
    commission_ids: string[];
  }[];
}

/** The results of a bulk call. */
export interface ReferralsBulk {
  /** A result for each item, in the order of the items. */
  data: {
    /** Position of the item in the request, starting at 0. */
    index: number;
    /**
     * `updated`: the record exists and has the given fields now. `unchanged`: the record exists, with the same
     * content. `failed`: nothing was changed; see `error`.
     */
    result: BulkResult;
    /** The record, as in the response of a single call; `null` if the item failed. */
    record: Referral | null;
    /** `null` unless the item failed. */
    error: BulkError | null;
  }[];
  /** Number of items that did not fail. */
  succeeded_count: number;
  /** Number of items that failed. */
  failed_count: number;
}

/** Refunds of a sale. */
export interface RefundsOfSale {
  /** ID of the sale. */
  sale_id: string;
  /** Your ID for the sale. */
  external_id: string | null;
  /** ID of the affiliate. */
  affiliate_id: string | null;
  /** ID of the customer. */
  customer_id: string | null;
  /** ISO 4217 currency code. */
  currency: string;
  /** Sum of the refunds and lost disputes. */
  refund_amount_cents: number;
  /** Each refund, failed refund and lost dispute, oldest first. */
  refunds: {
    /** ISO 8601 time in UTC with milliseconds. */
    at: string;
    /** `refund_failed`: the money came back. */
    kind: RefundKind;
    /** Negative for money that went back to the customer. */
    amount_cents: number;
    /** Kind of the source, e.g. `stripe`, or `report` for a report of the merchant. */
    source: string;
  }[];
  /** Time at which the sale was recorded. */
  created_at: string;
  /** Time at which the sale last changed. */
  updated_at: string;
}

/** Reward of some sales of a campaign, instead of its base reward or on top of it, or of leads or milestones. */
export interface RewardRule {
  /** ID of the reward rule. */
  id: string;
  /** `false` for records of test mode. */
  livemode: boolean;
  /** ID of the campaign. */
  campaign_id: string;
  /** Set if the rule is for sales of this affiliate only. Such a rule comes before those of the campaign. */
  affiliate_id: string | null;
  /** Set if the rule is for sales through this link only. Such a rule comes before those of the affiliate. */
  link_id: string | null;
  /**
   * `sale`: pays for sales. `lead`: pays a fixed amount once for each proven lead. `milestone`: pays a fixed
   * amount for a number of customers or sales, or for revenue.
   */
  event: RewardEvent;
  /** Name of the rule, for you. */
  name: string;
  /**
   * Place of the rule among the rules of the campaign. The first rule whose conditions hold decides. At the same
   * place, rules that exclude products come first.
   */
  position: number;
  /** Conditions. All given conditions must hold; a list holds if any of its values does. */
  when: {
    /** IDs of products at the payment provider, or those in the `lines` of your reports. */
    products?: string[];
    /** IDs of prices, like `products`. */
    prices?: string[];
    /** Interval at which the price is charged. */
    interval?: PriceInterval[];
    /** Codes redeemed with the sale, in any case. */
    codes?: string[];
    /** Countries of the customer, by ISO 3166. Does not hold if the country is not known. */
    countries?: string[];
    /** Values that the metadata of the sale may have when it earns, by key. Every key must match. */
    metadata?: Record<string, string[]>;
    /**
     * Place of the sale among those of its referral, counted from 1. Both ends are included: 1 to 1 is the first
     * sale.
     */
    sale_number?: {
      /** Lower bound, inclusive. */
      from?: number;
      /** Upper bound, inclusive. */
      to?: number;
    };
    /** Whole months since the first sale of the referral. `to` is not included: 0 to 12 are the first twelve months. */
    age_months?: {
      /** Lower bound, inclusive. */
      from?: number;
      /** Upper bound, inclusive. */
      to?: number;
    };
    /** Amount of the sale without tax, in cents. `to` is not included. Holds only for sales in this currency. */
    amount?: {
      /** Lower bound, inclusive. */
      from?: number;
      /** Upper bound, inclusive. */
      to?: number;
      /** ISO 4217 currency code. */
      currency: string;
    };
    /** Tiers, of which the affiliate has reached one before the charge. */
    tier?: string[];
    /** `new`: the first sale of the customer; `returning`: later sales. */
    customer?: CustomerAge;
  };
  /** Payment of the rule: exactly one of `percent`, `fixed` and `nothing`. */
  pay: {
    /** Percentage of the lines that the rule decides. */
    percent?: number;
    /** Fixed amount. */
    fixed?: {
      /** Amount in the currency’s minor unit. */
      amount_cents: number;
      /** ISO 4217 currency code. */
      currency: string;
      /** `sale`: once per sale; `unit`: for each unit of the lines that the rule decides. Default: `"sale"`. */
      per: PayPer;
    };
    /** The lines that the rule decides earn nothing. */
    nothing?: true;
  };
  /** The most that the rule pays. Has no effect on commissions in another currency. */
  cap: {
    /** Amount in the currency’s minor unit. */
    amount_cents: number;
    /** ISO 4217 currency code. */
    currency: string;
    /** Unit of the maximum: each sale, each referral, or each affiliate. */
    per: CapScope;
    /** Calendar period in UTC to which the maximum applies. Default: `"ever"`. */
    window: CapWindow;
  } | null;
  /**
   * `instead`: decides what lines earn, if no rule before it does. `on_top`: pays a commission of its own (`kind`
   * `bonus`).
   */
  apply: RewardApply;
  /** For rules of `milestone`: exactly one of `every` and `at`. A change starts the count again. */
  milestone: {
    /**
     * `customers`: customers who paid; `sales`: sales; `revenue`: amount of the sales in the currency of `pay`, in
     * cents.
     */
    metric: MilestoneMetric;
    /** Calendar period in UTC over which the milestone counts. `ever`: since the rule is in force. Default: `"ever"`. */
    window: MilestoneWindow;
    /** Pays at each multiple of this number. */
    every?: number;
    /** Pays once, when this number is reached. */
    at?: number;
  } | null;
  /** For rules of `lead`: days after which the reward is due if the customer has not paid yet. Defaults to 30. */
  hold_days: number | null;
  /** Applies to charges from this time on. */
  from: string | null;
  /** Applies to charges before this time. */
  until: string | null;
  /** Number of changes, counted from 1. A sale earns by the version that was in force at its charge. */
  version: number;
  /** Time from which this version is in force. */
  changed_at: string;
  /** ISO 8601 time in UTC with milliseconds. */
  ended_at: string | null;
  /** ISO 8601 time in UTC with milliseconds. */
  created_at: string;
  /** ISO 8601 time in UTC with milliseconds. */
  updated_at: string;
}

/** Earnings of a sale that is not recorded, by the rules of a campaign. */
export interface RewardsPreview {
  /** Amount of the commission of the sale, without `bonuses`. */
  amount_cents: number;
  /** ISO 4217 currency code. */
  currency: string;
  /** Lines of the sale. */
  lines: {
    /** Product of the line, e.g. its ID at the payment provider. */
    product: string | null;
    /** The rule that decides; `null` for the base reward of the campaign. */
    rule_id: string | null;
    /** Name of the reward rule. */
    rule_name: string | null;
    /** Payment of the rule. */
    pay: {
      /** Percentage of the lines that the rule decides. */
      percent?: number;
      /** Fixed amount. */
      fixed?: {
        /** Amount in the currency’s minor unit. */
        amount_cents: number;
        /** ISO 4217 currency code. */
        currency: string;
        /** `sale`: once per sale; `unit`: for each unit of the lines that the rule decides. Default: `"sale"`. */
        per: PayPer;
      };
      /** The lines that the rule decides earn nothing. */
      nothing?: true;
    };
    /** Reason why the line earns nothing. */
    note: LineNote | null;
    /** Amount of the line that the reward is computed from. */
    base_cents: number;
    /** Amount in the currency’s minor unit. */
    amount_cents: number;
  }[];
  /** Further commissions of the sale, by rules that pay on top. */
  bonuses: {
    /** ID of the reward rule. */
    rule_id: string;
    /** Name of the reward rule. */
    rule_name: string;
    /** Amount in the currency’s minor unit. */
    amount_cents: number;
    /** ISO 4217 currency code. */
    currency: string;
  }[];
}

/**
 * Cost that the sales of a campaign would have had with other rewards. Rewards for leads and milestones are left
 * out.
 */
export interface RewardEffect {
  /** Meaning of the change, in plain words. */
  explanation: string;
  /** Start of the time whose sales are computed. */
  from: string;
  /** ISO 8601 time in UTC with milliseconds. */
  until: string;
  /** Number of sales that are computed. */
  sales_count: number;
  /** `false` if there are more than 2000 sales. Then the latest 2000 are computed. */
  is_complete: boolean;
  /** One entry for each currency. */
  totals: {
    /** ISO 4217 currency code. */
    currency: string;
    /** Cost of these sales by the rules as they are now. */
    current_cents: number;
    /** Cost of these sales by the changed rules. */
    changed_cents: number;
  }[];
  /** Rules that could never match after the change, or from which an earlier one would take sales. */
  warnings: RewardWarning[];
}

/** A reward rule that can never match, or from which an earlier one takes sales. */
export interface RewardWarning {
  /** The rule; `null` for a rule that is not created yet. */
  rule_id: string | null;
  /**
   * `shadowed`: an earlier rule always decides; `partly_shadowed`: an earlier rule decides about the sales in
   * `when`, for which this rule is, too; `contradiction`: no sale can meet all conditions; `unknown_product` and
   * `unknown_price`: the connected payment provider has none of them; `ended_tier`: all its tiers have ended;
   * `ended_period`: its period is over.
   */
  code: RewardWarningCode;
  /** The rule that decides before (`shadowed`, `partly_shadowed`). */
  by_rule_id: string | null;
  /** Conditions of the sales about which that rule decides (`partly_shadowed`). */
  when: {
    /** IDs of products at the payment provider, or those in the `lines` of your reports. */
    products?: string[];
    /** IDs of prices, like `products`. */
    prices?: string[];
    /** Interval at which the price is charged. */
    interval?: PriceInterval[];
    /** Codes redeemed with the sale, in any case. */
    codes?: string[];
    /** Countries of the customer, by ISO 3166. Does not hold if the country is not known. */
    countries?: string[];
    /** Values that the metadata of the sale may have when it earns, by key. Every key must match. */
    metadata?: Record<string, string[]>;
    /**
     * Place of the sale among those of its referral, counted from 1. Both ends are included: 1 to 1 is the first
     * sale.
     */
    sale_number?: {
      /** Lower bound, inclusive. */
      from?: number;
      /** Upper bound, inclusive. */
      to?: number;
    };
    /** Whole months since the first sale of the referral. `to` is not included: 0 to 12 are the first twelve months. */
    age_months?: {
      /** Lower bound, inclusive. */
      from?: number;
      /** Upper bound, inclusive. */
      to?: number;
    };
    /** Amount of the sale without tax, in cents. `to` is not included. Holds only for sales in this currency. */
    amount?: {
      /** Lower bound, inclusive. */
      from?: number;
      /** Upper bound, inclusive. */
      to?: number;
      /** ISO 4217 currency code. */
      currency: string;
    };
    /** Tiers, of which the affiliate has reached one before the charge. */
    tier?: string[];
    /** `new`: the first sale of the customer; `returning`: later sales. */
    customer?: CustomerAge;
  } | null;
}

/** A tier of a campaign. Reward rules can pay more to affiliates who have reached it. */
export interface Tier {
  /** ID of the tier. */
  id: string;
  /** `false` for records of test mode. */
  livemode: boolean;
  /** ID of the campaign. */
  campaign_id: string;
  /** Name of the tier, which its affiliates see. */
  name: string;
  /** `customers`: customers who paid; `sales`: sales; `revenue`: amount of the sales in `currency`, in cents. */
  metric: MilestoneMetric;
  /**
   * Calendar period in UTC that counts: the last closed `month` or `quarter` before that of a charge. `ever`:
   * everything before the month of the charge.
   */
  window: MilestoneWindow;
  /** Number from which the tier is reached. */
  from: number;
  /** Currency of `revenue`; `null` for other metrics. */
  currency: string | null;
  /** ISO 8601 time in UTC with milliseconds. */
  ended_at: string | null;
  /** ISO 8601 time in UTC with milliseconds. */
  created_at: string;
  /** ISO 8601 time in UTC with milliseconds. */
  updated_at: string;
}

export interface RecordedSale {
  sale: Sale;
  /** The commission. */
  commission: PlainCommission | null;
  /** Reason why the sale earned no commission; `null` if it earned one. */
  reason: NoCommissionReason | null;
  /** Parts of the report that had no effect. */
  warnings: {
    /** `unknown_promo_code`: no affiliate has the code, or it was stopped before the charge. */
    code: ReportWarning;
    /** Explanation for people. */
    message: string;
  }[];
}

/** The results of a bulk call. */
export interface SalesBulk {
  /** A result for each item, in the order of the items. */
  data: {
    /** Position of the item in the request, starting at 0. */
    index: number;
    /**
     * `updated`: the record exists and has the given fields now. `unchanged`: the record exists, with the same
     * content. `failed`: nothing was changed; see `error`.
     */
    result: BulkResult;
    /** The record, as in the response of a single call; `null` if the item failed. */
    record: RecordedSale | null;
    /** `null` unless the item failed. */
    error: BulkError | null;
  }[];
  /** Number of items that did not fail. */
  succeeded_count: number;
  /** Number of items that failed. */
  failed_count: number;
}

/** An emailed invitation to join the account as a member or an affiliate. */
export interface Invitation {
  /** ID of the invitation. */
  id: string;
  /** `false` for records of test mode. */
  livemode: boolean;
  /** `member`: the person joins the account’s team; `affiliate`: the person becomes an affiliate. */
  kind: InvitationKind;
  /** Email address. */
  email: string;
  /** Role of the new member, for `kind` `member`. */
  role: Role | null;
  /** Campaign to join, for `kind` `affiliate`. */
  campaign_id: string | null;
  /** Status of the invitation. An expired pending invitation can be resent but not accepted. */
  status: InvitationStatus;
  /** User who sent the invitation; `null` if it was sent with an API key. */
  invited_by_user_id: string | null;
  /** ID of the user. */
  accepted_by_user_id: string | null;
  /** Affiliate created or activated by accepting the invitation. */
  affiliate_id: string | null;
  /**
   * Reason why the person gets no emails: `no_such_recipient`, the address does not exist; `complaint`, its owner
   * reported an email as spam. `null` otherwise.
   */
  email_problem: BlockReason | null;
  /** Expiration time: seven days after the invitation was last sent. */
  expires_at: string;
  /** ISO 8601 time in UTC with milliseconds. */
  resent_at: string | null;
  /** ISO 8601 time in UTC with milliseconds. */
  accepted_at: string | null;
  /** ISO 8601 time in UTC with milliseconds. */
  revoked_at: string | null;
  /** ISO 8601 time in UTC with milliseconds. */
  created_at: string;
  /** ISO 8601 time in UTC with milliseconds. */
  updated_at: string;
}

/** A sale in a list and, on request, what it lacked, or what a person should look at. */
export interface SaleInList {
  /** ID of the sale. */
  id: string;
  /** `false` for records of test mode. */
  livemode: boolean;
  /** Your ID for the record. */
  external_id: string | null;
  metadata: Metadata;
  /** ID of the charge at the payment provider. */
  psp_charge_id: string | null;
  /** ID of the invoice at the payment provider. */
  psp_invoice_id: string | null;
  /** ID of the payment intent at the payment provider. */
  psp_payment_intent_id: string | null;
  /** Promo code with which the customer paid. */
  promo_code: string | null;
  /** Amount charged to the customer, including tax. */
  charge_amount_cents: number;
  /** Tax included in the charge. */
  tax_amount_cents: number;
  /** Total refunded to date. */
  refund_amount_cents: number;
  /**
   * Charge minus tax, reduced by refunds in proportion to the charge; 0 after a full refund. Commissions are
   * calculated from this amount.
   */
  sale_amount_cents: number;
  /** ISO 4217 currency code. */
  currency: string;
  /** Description. */
  description: string | null;
  /**
   * Set if the invoice was marked as paid outside the payment provider. `counted`: the sale earns like any other.
   * `excluded`: nobody earns from it, as the settings of the connection say.
   */
  paid_outside: PaidOutside | null;
  /** ISO 8601 time in UTC with milliseconds. */
  charged_at: string;
  /** ID of the referral. */
  referral_id: string | null;
  /** ID of the affiliate. */
  affiliate_id: string | null;
  /** ID of the customer. */
  customer_id: string | null;
  /** The referral. */
  referral: {
    /** ID of the referral. */
    id: string;
    /** `visitor`, `lead` (signed up), or `conversion` (paid). */
    conversion_state: string;
    /** ID of the customer at the payment provider. */
    psp_customer_id: string | null;
    /** The customer. */
    customer: Customer | null;
  } | null;
  /** The affiliate. */
  affiliate: {
    /** ID of the affiliate. */
    id: string;
    /** Email address. */
    email: string;
    /** First name. */
    first_name: string | null;
    /** Last name. */
    last_name: string | null;
  } | null;
  /** ISO 8601 time in UTC with milliseconds. */
  created_at: string;
  /** ISO 8601 time in UTC with milliseconds. */
  updated_at: string;
  /** Reason why the sale earned no commission. */
  no_commission_reason: NoCommissionReason | null;
  /** The customer. */
  customer: Customer | null;
  /** Present if `expand` includes `missing`. */
  missing?: SaleGap | null;
  /** Present if `expand` includes `review`. */
  review?: SaleReview | null;
  /** Present if `expand` includes `explanation`. */
  explanation?: AmountExplanation | null;
}

/** Reason why a sale has no commission, and the change that would have given it one. */
export interface SaleGap {
  /**
   * Missing fact. `no_reference`: nothing named a referral. `unknown_reference`: `reference` is not a referral.
   * `named_later`: the referral was named after the payment. The others are as in `no_commission_reason`, or
   * `paid_outside`: the payment was made outside Stripe.
   */
  gap: SaleGapReason;
  /** Way in which the customer paid at the payment provider, or `report`: your server reported the sale. */
  way: SaleWay;
  /** The value that named no referral. */
  reference: string | null;
  /** Redeemed promotion codes of Stripe that belong to no affiliate. */
  unknown_codes: string[];
  /** Time at which the referral was named, after the payment. */
  named_at: string | null;
  /** Description of what was missing, in plain words. */
  explanation: string;
  /** Each line of code or setting that would have made the sale count. */
  fixes: {
    kind: SaleFixKind;
    /** Text. */
    text: string;
  }[];
}

/** Doubts about a sale, for a person to decide. */
export interface SaleReview {
  /** By the facts that are known now, the sale would earn otherwise than it was paid. */
  contested: {
    /** The commission of the sale. */
    commission_id: string;
    /** `voided`: a person has taken the commission back, and can have the sale decided again. */
    commission_state: CommissionState;
    /** Amount of the commission. */
    commission_cents: number;
    /** Earnings of the affiliate from the sale, with bonuses. They are paid at least in part. */
    earned_cents: number;
    /** ISO 4217 currency code. */
    currency: string;
    /** The affiliate who would earn; `null` if nobody would. */
    affiliate_id: string | null;
    /** Email of that affiliate. */
    affiliate_email: string | null;
    /** Reason why nobody would earn. */
    no_commission_reason: NoCommissionReason | null;
    /**
     * Amount that the affiliate who was paid would earn, with bonuses; `null` if another affiliate or nobody would
     * earn.
     */
    amount_cents: number | null;
  } | null;
  /** Refunds of another report of the same payment that are not counted, because they may be the same refunds. */
  uncounted_refund_cents: number | null;
}

/** A sale with its customer and, on request, the decision about it. */
export interface DetailedSale {
  /** ID of the sale. */
  id: string;
  /** `false` for records of test mode. */
  livemode: boolean;
  /** Your ID for the record. */
  external_id: string | null;
  metadata: Metadata;
  /** ID of the charge at the payment provider. */
  psp_charge_id: string | null;
  /** ID of the invoice at the payment provider. */
  psp_invoice_id: string | null;
  /** ID of the payment intent at the payment provider. */
  psp_payment_intent_id: string | null;
  /** Promo code with which the customer paid. */
  promo_code: string | null;
  /** Amount charged to the customer, including tax. */
  charge_amount_cents: number;
  /** Tax included in the charge. */
  tax_amount_cents: number;
  /** Total refunded to date. */
  refund_amount_cents: number;
  /**
   * Charge minus tax, reduced by refunds in proportion to the charge; 0 after a full refund. Commissions are
   * calculated from this amount.
   */
  sale_amount_cents: number;
  /** ISO 4217 currency code. */
  currency: string;
  /** Description. */
  description: string | null;
  /**
   * Set if the invoice was marked as paid outside the payment provider. `counted`: the sale earns like any other.
   * `excluded`: nobody earns from it, as the settings of the connection say.
   */
  paid_outside: PaidOutside | null;
  /** ISO 8601 time in UTC with milliseconds. */
  charged_at: string;
  /** ID of the referral. */
  referral_id: string | null;
  /** ID of the affiliate. */
  affiliate_id: string | null;
  /** ID of the customer. */
  customer_id: string | null;
  /** The referral. */
  referral: {
    /** ID of the referral. */
    id: string;
    /** `visitor`, `lead` (signed up), or `conversion` (paid). */
    conversion_state: string;
    /** ID of the customer at the payment provider. */
    psp_customer_id: string | null;
    /** The customer. */
    customer: Customer | null;
  } | null;
  /** The affiliate. */
  affiliate: {
    /** ID of the affiliate. */
    id: string;
    /** Email address. */
    email: string;
    /** First name. */
    first_name: string | null;
    /** Last name. */
    last_name: string | null;
  } | null;
  /** ISO 8601 time in UTC with milliseconds. */
  created_at: string;
  /** ISO 8601 time in UTC with milliseconds. */
  updated_at: string;
  /** Reason why the sale earned no commission. */
  no_commission_reason: NoCommissionReason | null;
  /** The customer. */
  customer: Customer | null;
  /** Present if `expand` includes `decision`. */
  decision?: SaleDecision | null;
  /** Present if `expand` includes `missing`. */
  missing?: SaleGap | null;
  /** Present if `expand` includes `review`. */
  review?: SaleReview | null;
  /** Present if `expand` includes `explanation`. */
  explanation?: AmountExplanation | null;
}

/**
 * Reasons why a sale belongs to an affiliate or to nobody: the claims, the rule that chose one of them, the
 * terms, and what a person should look at.
 */
export interface SaleDecision {
  /** The rule that chose the claim. */
  rule: SaleRule;
  /** The decision in plain words. */
  explanation: string;
  /** All claims on the customer, in the order of their visits. */
  claims: {
    /** `link`: a referral was named for the customer. `code`: a promo code was redeemed. */
    kind: SaleClaimKind;
    /** ID of the affiliate. */
    affiliate_id: string;
    /** ID of the campaign. */
    campaign_id: string;
    /** Null as long as a claim by a code has no referral. */
    referral_id: string | null;
    /** The promo code; null for a link. */
    code: string | null;
    /** Time of the visit or of the redemption. The claim earns nothing from earlier charges. */
    visited_at: string;
    /**
     * Time at which the claim was made, e.g. when the checkout was opened. A claim does not change who earned from
     * earlier charges.
     */
    made_at: string;
    /** `false` if only a public lead made the claim. */
    proven: boolean;
    /** Outcome of the claim for this sale. */
    status: SaleClaimStatus;
    /** The status in plain words. */
    explanation: string;
  }[];
  /** The affiliate to whom the sale belongs, or null. */
  affiliate_id: string | null;
  /** ID of the referral. */
  referral_id: string | null;
  /** Reason why the sale earns nothing; null if it may earn. */
  no_commission_reason: NoCommissionReason | null;
  /**
   * The base reward and the limits of the campaign for this sale; null if the sale belongs to nobody. Rules may
   * pay otherwise: `expand=explanation` has what the sale earns.
   */
  terms: {
    /** The percentage, if the campaign pays one. */
    commission_percent: number | null;
    /** The fixed amount, if the campaign pays one. */
    commission_amount_cents: number | null;
    /** ISO 4217 currency code. */
    commission_amount_currency: string | null;
    /** Number of commissions that a referral earns at most; `null` for no limit. */
    max_commissions: number | null;
    /** Months during which a referral earns commissions; `null` for no limit. */
    max_commission_period_months: number | null;
    /** Time whose terms apply: of the charge or, after a person has reconsidered the sale, of that moment. */
    in_effect_at: string;
  } | null;
  /**
   * Reasons to look at the commission before it is paid. They hold the commission, unless a person has approved
   * it.
   */
  flags: {
    reason: ReviewReason;
    /** The reason in words. */
    explanation: string;
  }[];
  /** Affiliate who would earn if the commission had not been paid; null if the facts agree with the payment. */
  contested: {
    /** ID of the affiliate. */
    affiliate_id: string | null;
    /** Reason why the sale earned no commission; `null` if it earned one. */
    no_commission_reason: NoCommissionReason | null;
    /** The reason in words. */
    explanation: string;
  } | null;
}

/** A changed sale, and what its affiliate earns. */
export interface UpdatedSale {
  /** ID of the sale. */
  id: string;
  /** `false` for records of test mode. */
  livemode: boolean;
  /** Your ID for the record. */
  external_id: string | null;
  metadata: Metadata;
  /** ID of the charge at the payment provider. */
  psp_charge_id: string | null;
  /** ID of the invoice at the payment provider. */
  psp_invoice_id: string | null;
  /** ID of the payment intent at the payment provider. */
  psp_payment_intent_id: string | null;
  /** Promo code with which the customer paid. */
  promo_code: string | null;
  /** Amount charged to the customer, including tax. */
  charge_amount_cents: number;
  /** Tax included in the charge. */
  tax_amount_cents: number;
  /** Total refunded to date. */
  refund_amount_cents: number;
  /**
   * Charge minus tax, reduced by refunds in proportion to the charge; 0 after a full refund. Commissions are
   * calculated from this amount.
   */
  sale_amount_cents: number;
  /** ISO 4217 currency code. */
  currency: string;
  /** Description. */
  description: string | null;
  /**
   * Set if the invoice was marked as paid outside the payment provider. `counted`: the sale earns like any other.
   * `excluded`: nobody earns from it, as the settings of the connection say.
   */
  paid_outside: PaidOutside | null;
  /** ISO 8601 time in UTC with milliseconds. */
  charged_at: string;
  /** ID of the referral. */
  referral_id: string | null;
  /** ID of the affiliate. */
  affiliate_id: string | null;
  /** ID of the customer. */
  customer_id: string | null;
  /** The referral. */
  referral: {
    /** ID of the referral. */
    id: string;
    /** `visitor`, `lead` (signed up), or `conversion` (paid). */
    conversion_state: string;
    /** ID of the customer at the payment provider. */
    psp_customer_id: string | null;
    /** The customer. */
    customer: Customer | null;
  } | null;
  /** The affiliate. */
  affiliate: {
    /** ID of the affiliate. */
    id: string;
    /** Email address. */
    email: string;
    /** First name. */
    first_name: string | null;
    /** Last name. */
    last_name: string | null;
  } | null;
  /** ISO 8601 time in UTC with milliseconds. */
  created_at: string;
  /** ISO 8601 time in UTC with milliseconds. */
  updated_at: string;
  /** Reason why the sale earned no commission. */
  no_commission_reason: NoCommissionReason | null;
  /** The customer. */
  customer: Customer | null;
  /** The commission of the sale; `null` if it earned none. Its amount stays if the commission is claimed or paid. */
  commission: PlainCommission | null;
  /** The adjustment that this change created, because the commission is claimed or paid; otherwise `null`. */
  adjustment: PlainCommission | null;
}

export interface ReconsideredSale {
  sale: Sale;
  /** The commission. */
  commission: PlainCommission | null;
  /** Reason why the sale still earns no commission. */
  reason: NoCommissionReason | null;
}

/** A sale with its customer, whether or not it earned a commission. */
export interface ListedSale {
  /** ID of the sale. */
  id: string;
  /** `false` for records of test mode. */
  livemode: boolean;
  /** Your ID for the record. */
  external_id: string | null;
  metadata: Metadata;
  /** ID of the charge at the payment provider. */
  psp_charge_id: string | null;
  /** ID of the invoice at the payment provider. */
  psp_invoice_id: string | null;
  /** ID of the payment intent at the payment provider. */
  psp_payment_intent_id: string | null;
  /** Promo code with which the customer paid. */
  promo_code: string | null;
  /** Amount charged to the customer, including tax. */
  charge_amount_cents: number;
  /** Tax included in the charge. */
  tax_amount_cents: number;
  /** Total refunded to date. */
  refund_amount_cents: number;
  /**
   * Charge minus tax, reduced by refunds in proportion to the charge; 0 after a full refund. Commissions are
   * calculated from this amount.
   */
  sale_amount_cents: number;
  /** ISO 4217 currency code. */
  currency: string;
  /** Description. */
  description: string | null;
  /**
   * Set if the invoice was marked as paid outside the payment provider. `counted`: the sale earns like any other.
   * `excluded`: nobody earns from it, as the settings of the connection say.
   */
  paid_outside: PaidOutside | null;
  /** ISO 8601 time in UTC with milliseconds. */
  charged_at: string;
  /** ID of the referral. */
  referral_id: string | null;
  /** ID of the affiliate. */
  affiliate_id: string | null;
  /** ID of the customer. */
  customer_id: string | null;
  /** The referral. */
  referral: {
    /** ID of the referral. */
    id: string;
    /** `visitor`, `lead` (signed up), or `conversion` (paid). */
    conversion_state: string;
    /** ID of the customer at the payment provider. */
    psp_customer_id: string | null;
    /** The customer. */
    customer: Customer | null;
  } | null;
  /** The affiliate. */
  affiliate: {
    /** ID of the affiliate. */
    id: string;
    /** Email address. */
    email: string;
    /** First name. */
    first_name: string | null;
    /** Last name. */
    last_name: string | null;
  } | null;
  /** ISO 8601 time in UTC with milliseconds. */
  created_at: string;
  /** ISO 8601 time in UTC with milliseconds. */
  updated_at: string;
  /** Reason why the sale earned no commission. */
  no_commission_reason: NoCommissionReason | null;
  /** The customer. */
  customer: Customer | null;
}

/** A sale that was assigned to an affiliate, with the commissions it led to. */
export interface AssignedSale {
  sale: Sale;
  commission: PlainCommission;
  /** Commissions that the customer’s later sales earn as a result: the first 20. */
  also: PlainCommission[];
  /** Count and sum of all commissions that later sales earn as a result, by currency. */
  also_totals: {
    /** ISO 4217 currency code. */
    currency: string;
    /** Number of commissions. */
    commissions_count: number;
    /** Amount in the currency’s minor unit. */
    amount_cents: number;
  }[];
}

/** The records that match a search. */
export interface SearchResults {
  /** A few records of each kind; affiliates and customers first. Not paginated. */
  data: {
    kind: SearchedKind;
    /** ID of the record to open. For a link or promo code, this is the affiliate. */
    record_id: string;
    /** Title of the record. */
    title: string;
    /** Further text about the record. */
    detail: string | null;
  }[];
}

/** The answer to an event of a payment provider. */
export interface EventReceipt {
  /** Always `true`. */
  received: true;
  /** The effect of the event. */
  outcome: EventOutcome;
}

/** Facts in the order of the delivery. */
export interface FactsReceipt {
  /** The facts, in the order of the delivery. */
  facts: AcceptedFact[];
  /** `true` if nothing was changed. */
  dry_run: boolean;
}

export interface AcceptedFact {
  /** ID of the fact. The same content always has the same ID. */
  id: string;
  /** Type. */
  type: string;
  /**
   * `pending`: it is stored, and takes effect within moments. `duplicate`: it was received before. `ignored`: it
   * is of another mode (live or test) than the account. `valid`: the answer to a dry run.
   */
  outcome: FactOutcome;
}

export interface TrackedVisit {
  /**
   * `null` if the visitor got no referral, e.g. because the link is unknown or archived, or its affiliate or
   * campaign is not active.
   */
  referral_id: string | null;
  /** Time before which the referral must convert. */
  expires_at: string | null;
  /** Time for which the browser should remember the referral, in seconds: at least one day. */
  max_age: number | null;
}

export interface TrackedLead {
  /** ID of the referral. */
  referral_id: string;
  conversion_state: ConversionState;
}

/** The body is not valid JSON in UTF-8. */
export interface MalformedJsonError {
  /** Human-readable message. Its wording may change. */
  error: string;
  /** Stable code for programs. */
  code: 'MALFORMED_JSON';
  /** ID of the request, as in the header `X-Request-Id`. Quote it when you report the error. */
  request_id?: string;
  /** Manual that describes the errors. */
  documentation_url?: string;
}

/** The request is not valid HTTP. */
export interface MalformedRequestError {
  /** Human-readable message. Its wording may change. */
  error: string;
  /** Stable code for programs. */
  code: 'MALFORMED_REQUEST';
  /** ID of the request, as in the header `X-Request-Id`. Quote it when you report the error. */
  request_id?: string;
  /** Manual that describes the errors. */
  documentation_url?: string;
}

/** The request does not name an account. */
export interface MissingAccountIdError {
  /** Human-readable message. Its wording may change. */
  error: string;
  /** Stable code for programs. */
  code: 'MISSING_ACCOUNT_ID';
  /** ID of the request, as in the header `X-Request-Id`. Quote it when you report the error. */
  request_id?: string;
  /** Manual that describes the errors. */
  documentation_url?: string;
}

/** The signature does not match the body, or is too old. */
export interface InvalidSignatureError {
  /** Human-readable message. Its wording may change. */
  error: string;
  /** Stable code for programs. */
  code: 'INVALID_SIGNATURE';
  /** ID of the request, as in the header `X-Request-Id`. Quote it when you report the error. */
  request_id?: string;
  /** Manual that describes the errors. */
  documentation_url?: string;
}

/** Credentials are missing or invalid. */
export interface UnauthorizedError {
  /** Human-readable message. Its wording may change. */
  error: string;
  /** Stable code for programs. */
  code: 'UNAUTHORIZED';
  /** ID of the request, as in the header `X-Request-Id`. Quote it when you report the error. */
  request_id?: string;
  /** Manual that describes the errors. */
  documentation_url?: string;
}

/**
 * The caller lacks the required role or permission (`details.permission`), the credential belongs to another
 * account, or the request comes from another site.
 */
export interface ForbiddenError {
  /** Human-readable message. Its wording may change. */
  error: string;
  /** Stable code for programs. */
  code: 'FORBIDDEN';
  details?: ForbiddenDetails;
  /** ID of the request, as in the header `X-Request-Id`. Quote it when you report the error. */
  request_id?: string;
  /** Manual that describes the errors. */
  documentation_url?: string;
}

/**
 * The assistant would mark more as paid within 24 hours than the daily limit of its connector allows; `details`
 * has the amounts.
 */
export interface PayLimitExceededError {
  /** Human-readable message. Its wording may change. */
  error: string;
  /** Stable code for programs. */
  code: 'PAY_LIMIT_EXCEEDED';
  details?: PayLimitDetails;
  /** ID of the request, as in the header `X-Request-Id`. Quote it when you report the error. */
  request_id?: string;
  /** Manual that describes the errors. */
  documentation_url?: string;
}

/**
 * The account requires its members to have a second factor, and the signed-in person, or the person who
 * connected the assistant, has none.
 */
export interface SecondFactorRequiredError {
  /** Human-readable message. Its wording may change. */
  error: string;
  /** Stable code for programs. */
  code: 'SECOND_FACTOR_REQUIRED';
  /** ID of the request, as in the header `X-Request-Id`. Quote it when you report the error. */
  request_id?: string;
  /** Manual that describes the errors. */
  documentation_url?: string;
}

/** This account has no such record, or the path does not exist. */
export interface NotFoundError {
  /** Human-readable message. Its wording may change. */
  error: string;
  /** Stable code for programs. */
  code: 'NOT_FOUND';
  /** ID of the request, as in the header `X-Request-Id`. Quote it when you report the error. */
  request_id?: string;
  /** Manual that describes the errors. */
  documentation_url?: string;
}

/** The request conflicts with the state of other records, or another request changed the record at the same time. */
export interface ConflictError {
  /** Human-readable message. Its wording may change. */
  error: string;
  /** Stable code for programs. */
  code: 'CONFLICT';
  details?: ConflictDetails;
  /** ID of the request, as in the header `X-Request-Id`. Quote it when you report the error. */
  request_id?: string;
  /** Manual that describes the errors. */
  documentation_url?: string;
}

/**
 * An earlier request with this Idempotency-Key is still running, or its outcome is unknown: send the same
 * request with the same key again.
 */
export interface OperationPendingError {
  /** Human-readable message. Its wording may change. */
  error: string;
  /** Stable code for programs. */
  code: 'OPERATION_PENDING';
  details?: OperationDetails;
  /** ID of the request, as in the header `X-Request-Id`. Quote it when you report the error. */
  request_id?: string;
  /** Manual that describes the errors. */
  documentation_url?: string;
}

/**
 * An earlier operation on this code at the payment provider has an unknown outcome and must be finished first;
 * `details.operation_id` names it.
 */
export interface ReconciliationRequiredError {
  /** Human-readable message. Its wording may change. */
  error: string;
  /** Stable code for programs. */
  code: 'RECONCILIATION_REQUIRED';
  details?: OperationDetails;
  /** ID of the request, as in the header `X-Request-Id`. Quote it when you report the error. */
  request_id?: string;
  /** Manual that describes the errors. */
  documentation_url?: string;
}

/**
 * The record does not have the version that `If-Match` names: it was changed meanwhile. Or it exists, although
 * the request has `If-None-Match: *`.
 */
export interface PreconditionFailedError {
  /** Human-readable message. Its wording may change. */
  error: string;
  /** Stable code for programs. */
  code: 'PRECONDITION_FAILED';
  details?: PreconditionDetails;
  /** ID of the request, as in the header `X-Request-Id`. Quote it when you report the error. */
  request_id?: string;
  /** Manual that describes the errors. */
  documentation_url?: string;
}

/**
 * The body is larger than 1 MiB, or than 16 KiB where no credentials are needed, or has more than 20,000 values
 * or 5,000 fields.
 */
export interface PayloadTooLargeError {
  /** Human-readable message. Its wording may change. */
  error: string;
  /** Stable code for programs. */
  code: 'PAYLOAD_TOO_LARGE';
  /** ID of the request, as in the header `X-Request-Id`. Quote it when you report the error. */
  request_id?: string;
  /** Manual that describes the errors. */
  documentation_url?: string;
}

/** The body is not sent as `application/json`. */
export interface UnsupportedMediaTypeError {
  /** Human-readable message. Its wording may change. */
  error: string;
  /** Stable code for programs. */
  code: 'UNSUPPORTED_MEDIA_TYPE';
  /** ID of the request, as in the header `X-Request-Id`. Quote it when you report the error. */
  request_id?: string;
  /** Manual that describes the errors. */
  documentation_url?: string;
}

/**
 * A field or parameter is missing, unknown or invalid, or the state of the record does not allow the change;
 * `details` lists each problem.
 */
export interface ValidationError {
  /** Human-readable message. Its wording may change. */
  error: string;
  /** Stable code for programs. */
  code: 'VALIDATION_ERROR';
  /** The problems. */
  details: ValidationDetail[];
  /** ID of the request, as in the header `X-Request-Id`. Quote it when you report the error. */
  request_id?: string;
  /** Manual that describes the errors. */
  documentation_url?: string;
}

/** The account is not connected to a payment provider. */
export interface PspNotConnectedError {
  /** Human-readable message. Its wording may change. */
  error: string;
  /** Stable code for programs. */
  code: 'PSP_NOT_CONNECTED';
  /** ID of the request, as in the header `X-Request-Id`. Quote it when you report the error. */
  request_id?: string;
  /** Manual that describes the errors. */
  documentation_url?: string;
}

/** There were too many requests; `Retry-After` and `details.retry_after` say how many seconds to wait. */
export interface RateLimitedError {
  /** Human-readable message. Its wording may change. */
  error: string;
  /** Stable code for programs. */
  code: 'RATE_LIMITED';
  details?: RetryDetails;
  /** ID of the request, as in the header `X-Request-Id`. Quote it when you report the error. */
  request_id?: string;
  /** Manual that describes the errors. */
  documentation_url?: string;
}

/** Something failed in the service; nothing was changed. Quote the `X-Request-Id` when you report it. */
export interface InternalError {
  /** Human-readable message. Its wording may change. */
  error: string;
  /** Stable code for programs. */
  code: 'INTERNAL_ERROR';
  /** ID of the request, as in the header `X-Request-Id`. Quote it when you report the error. */
  request_id?: string;
  /** Manual that describes the errors. */
  documentation_url?: string;
}

/**
 * The database cannot be reached or is overloaded, or a record stayed locked for too long. Send the request
 * again after `Retry-After` (also `details.retry_after`) seconds. Repeat a write with the same
 * `Idempotency-Key`.
 */
export interface UnavailableError {
  /** Human-readable message. Its wording may change. */
  error: string;
  /** Stable code for programs. */
  code: 'UNAVAILABLE';
  details?: RetryDetails;
  /** ID of the request, as in the header `X-Request-Id`. Quote it when you report the error. */
  request_id?: string;
  /** Manual that describes the errors. */
  documentation_url?: string;
}

/** The payment provider refused the request or could not be reached. */
export interface PspError {
  /** Human-readable message. Its wording may change. */
  error: string;
  /** Stable code for programs. */
  code: 'PSP_ERROR';
  details?: ProviderDetails;
  /** ID of the request, as in the header `X-Request-Id`. Quote it when you report the error. */
  request_id?: string;
  /** Manual that describes the errors. */
  documentation_url?: string;
}

/** The path does not accept this method; the header `Allow` lists the accepted methods. */
export interface MethodNotAllowedError {
  /** Human-readable message. Its wording may change. */
  error: string;
  /** Stable code for programs. */
  code: 'METHOD_NOT_ALLOWED';
  /** ID of the request, as in the header `X-Request-Id`. Quote it when you report the error. */
  request_id?: string;
  /** Manual that describes the errors. */
  documentation_url?: string;
}

/** The request did not arrive in time. */
export interface RequestTimeoutError {
  /** Human-readable message. Its wording may change. */
  error: string;
  /** Stable code for programs. */
  code: 'REQUEST_TIMEOUT';
  /** ID of the request, as in the header `X-Request-Id`. Quote it when you report the error. */
  request_id?: string;
  /** Manual that describes the errors. */
  documentation_url?: string;
}

/** The URL and the headers together are larger than 16 KiB. */
export interface HeadersTooLargeError {
  /** Human-readable message. Its wording may change. */
  error: string;
  /** Stable code for programs. */
  code: 'HEADERS_TOO_LARGE';
  /** ID of the request, as in the header `X-Request-Id`. Quote it when you report the error. */
  request_id?: string;
  /** Manual that describes the errors. */
  documentation_url?: string;
}

export interface AffiliateCouponsCreateRequest {
  /** Code that customers enter at checkout. Defaults to one generated from the affiliate’s name. */
  code?: string;
}

export interface AffiliateCouponsUpdateRequest {
  /** New code. Creates it in Stripe and deactivates the previous one. */
  code?: string;
  /** Activates or deactivates the code in Stripe. */
  active?: boolean;
}

export interface AffiliateCouponsSyncRequest {
  /** If `true`, recreates the code when it no longer exists in Stripe. Default: `false`. */
  force?: boolean;
}

export interface AffiliatesListResponse {
  /** The records. */
  data: Affiliate[];
  pagination: Pagination;
}

export interface AffiliatesCreateRequest {
  /** Email address, unique among affiliates that are not archived. */
  email: string;
  /** Campaign to join. Defaults to the account’s default campaign. */
  campaign_id?: string;
  /** First name. */
  first_name?: string | null;
  /** Last name. */
  last_name?: string | null;
  /** Initial state, by default `active`. */
  state?: AffiliateState;
  /** PayPal email address for payouts. */
  walleta_email?: string | null;
  /** Wise email address for payouts. */
  walletb_email?: string | null;
  /** Your ID for the record, unique among records of this kind. */
  external_id?: string | null;
  /**
   * Your own pairs of keys and values, up to 50: keys have up to 40 characters and values up to 500. A change
   * keeps other pairs; `null` removes a pair.
   */
  metadata?: Record<string, string | null>;
}

export interface AffiliatesUpsertRequest {
  /** Email address, unique among affiliates that are not archived. */
  email: string;
  /** Campaign to join. Defaults to the account’s default campaign. */
  campaign_id?: string;
  /** First name. */
  first_name?: string | null;
  /** Last name. */
  last_name?: string | null;
  /** Initial state, by default `active`. */
  state?: AffiliateState;
  /** PayPal email address for payouts. */
  walleta_email?: string | null;
  /** Wise email address for payouts. */
  walletb_email?: string | null;
  /**
   * Your own pairs of keys and values, up to 50: keys have up to 40 characters and values up to 500. A change
   * keeps other pairs; `null` removes a pair.
   */
  metadata?: Record<string, string | null>;
}

export interface AffiliatesUpdateRequest {
  /** Email address, unique among affiliates that are not archived. */
  email?: string;
  /** ID of the campaign. */
  campaign_id?: string;
  /** First name. */
  first_name?: string | null;
  /** Last name. */
  last_name?: string | null;
  /**
   * State of the affiliate. `active` affiliates track visits and earn commissions. So do `suspicious` ones, but
   * their commissions are flagged for review and their payouts are on hold; setting the affiliate to `active`
   * releases both. Affiliates in any other state do neither.
   */
  state?: AffiliateState;
  /** PayPal email address for payouts. */
  walleta_email?: string | null;
  /** Wise email address for payouts. */
  walletb_email?: string | null;
  /** Your ID for the record, unique among records of this kind. */
  external_id?: string | null;
  /**
   * Your own pairs of keys and values, up to 50: keys have up to 40 characters and values up to 500. A change
   * keeps other pairs; `null` removes a pair.
   */
  metadata?: Record<string, string | null>;
  /** `null` restores the archived record. */
  archived_at?: null;
  /**
   * With a new `campaign_id`, also moves links and promo codes. Existing referrals stay in the former campaign and
   * earn on its terms. Default: `false`.
   */
  move_links?: boolean;
}

export interface AffiliatesCreateManyRequest {
  /** Up to 100 records, as for a single call. */
  items: {
    /** Email address, unique among affiliates that are not archived. */
    email: string;
    /** Campaign to join. Defaults to the account’s default campaign. */
    campaign_id?: string;
    /** First name. */
    first_name?: string | null;
    /** Last name. */
    last_name?: string | null;
    /** Initial state, by default `active`. */
    state?: AffiliateState;
    /** PayPal email address for payouts. */
    walleta_email?: string | null;
    /** Wise email address for payouts. */
    walletb_email?: string | null;
    /** Your ID for the record, unique among records of this kind. */
    external_id?: string | null;
    /**
     * Your own pairs of keys and values, up to 50: keys have up to 40 characters and values up to 500. A change
     * keeps other pairs; `null` removes a pair.
     */
    metadata?: Record<string, string | null>;
  }[];
  /**
   * If `true`, an item updates the affiliate who has its `external_id` or, if it has none, its email address.
   * Default: `false`.
   */
  upsert?: boolean;
}

export interface AffiliatesCreatePortalLinkByEmailRequest {
  /** Email address. Required if no affiliate has the given `external_id` yet. */
  email?: string;
  /**
   * Your ID for the affiliate. The affiliate is looked up by this ID first, then by `email`. An affiliate found by
   * `email` who has no `external_id` yet gets this ID.
   */
  external_id?: string;
  /** Campaign to join. Defaults to the account’s default campaign. */
  campaign_id?: string;
  /** First name. */
  first_name?: string | null;
  /** Last name. */
  last_name?: string | null;
}

export interface AffiliatesCreateEmbedTokenByEmailRequest {
  /** Email address. Required if no affiliate has the given `external_id` yet. */
  email?: string;
  /**
   * Your ID for the affiliate. The affiliate is looked up by this ID first, then by `email`. An affiliate found by
   * `email` who has no `external_id` yet gets this ID.
   */
  external_id?: string;
  /** Campaign to join. Defaults to the account’s default campaign. */
  campaign_id?: string;
  /** First name. */
  first_name?: string | null;
  /** Last name. */
  last_name?: string | null;
}

export interface ApiKeysListResponse {
  /** The records. */
  data: ApiKey[];
  pagination: Pagination;
}

export interface ApiKeysCreateRequest {
  /** Name. */
  name: string;
  /** Defaults to `{ "all": true }`. */
  permissions?: Permissions;
  /**
   * The mode of the records that the key sees and makes: `true` for live, `false` for test. Defaults to a key
   * without a mode.
   */
  livemode?: boolean | null;
  /** Expiration time; must be in the future. Defaults to no expiration. */
  expires_at?: string | null;
}

export interface ApplicationsListResponse {
  /** The records. */
  data: Application[];
  pagination: Pagination;
}

export interface ApplicationsDecideRequest {
  /** IDs of the affiliates. */
  affiliate_ids: string[];
  decision: ApplicationDecision;
  /** Note that the applicants see in the email and in the portal. */
  note?: string;
}

export interface ApplicationsDecideResponse {
  /** Number of decided applications. */
  decided: string[];
  /** Affiliates who were no longer pending. They were not changed. */
  skipped: string[];
}

export interface AssetsListResponse {
  /** The records. */
  data: Asset[];
  pagination: Pagination;
}

export interface AssetsCreateRequest {
  /**
   * Name of the file. Its extension must match the content: png, jpg, webp, gif, svg, mp4, pdf, zip, txt, md or
   * csv.
   */
  name: string;
  /** Use of the file, for affiliates. */
  description?: string;
  /** The file in base64, at most 5 MiB. */
  content: string;
}

export interface CampaignsListResponse {
  /** The records. */
  data: Campaign[];
  pagination: Pagination;
}

export interface CampaignsCreateRequest {
  /** Campaign name, shown to affiliates. */
  name: string;
  /** Landing page of the campaign, also used for visitors of inactive links. */
  url: string;
  /** `percent`: percentage of the sale; `fixed`: fixed amount per sale. */
  reward_type: RewardType;
  /** Unique within the account. By default derived from the name. */
  slug?: string;
  /** `true` if affiliates can join by invitation only. */
  private?: boolean;
  /** `true` if generated link tokens are random instead of based on the affiliate’s name. */
  private_tokens?: boolean;
  /** Commission as a percentage of the sale, up to two decimals. For `reward_type` `percent`. */
  commission_percent?: number | null;
  /** Commission per sale, in the minor unit of its currency. For `reward_type` `fixed`. */
  commission_amount_cents?: number | null;
  /** Currency of `commission_amount_cents`. Defaults to the account’s currency. */
  commission_amount_currency?: string | null;
  /** Minimum payout amount. Payouts below it are not eligible. Defaults to 0. */
  minimum_payout_cents?: number;
  /** Currency of `minimum_payout_cents`. The minimum applies only to payouts in this currency. */
  minimum_payout_currency?: string;
  /**
   * Calendar months, counted from a referral’s first commission, in which its sales earn commissions. `null` for
   * no limit.
   */
  max_commission_period_months?: number | null;
  /**
   * Maximum number of commissions per referral; `null` for no limit. Commissions of fully refunded sales do not
   * count. A commission that you void no longer counts for sales charged afterwards.
   */
  max_commissions?: number | null;
  /** Attribution window: days a visitor has to convert. Defaults to 60. */
  days_before_referrals_expire?: number;
  /** Holding period: days from the charge until its commission is due. 0 for immediately. Defaults to 30. */
  days_until_commissions_are_due?: number;
  /** Text for the affiliate dashboard. */
  affiliate_dashboard_text?: string | null;
  /** Custom description of the reward. */
  custom_reward_description?: string | null;
  /** Welcome text for new affiliates. */
  welcome_text?: string | null;
  /** `true` if affiliates can see their customers. Defaults to `false`. */
  customers_visible_to_affiliates?: boolean;
  /** `true` if affiliates can see sale descriptions. Defaults to `true`. */
  sale_description_visible_to_affiliates?: boolean;
  /**
   * Which click earns if a visitor clicks several links before converting: the first click (`first_click`), or the
   * latest click on a link of this campaign (`last_click`). Defaults to `first_click`.
   */
  attribution?: Attribution;
  /** Place of the token in links: the query string (`query`) or the URL fragment (`hash`). Defaults to `query`. */
  parameter_type?: ParameterType;
  /**
   * Names of the URL parameters that carry the token of a link in addition to `via`, e.g. those of a former tool:
   * `?ref=ada`. The tracking snippet of the account names them in `data-params`. Defaults to none.
   */
  params?: string[];
  /** ID of the Stripe coupon used for this campaign’s affiliate coupons. */
  psp_coupon_id?: string | null;
  /** `true` if affiliates created without a campaign join this one. At most one campaign is the default. */
  default?: boolean;
  /** Your ID for the record, unique among records of this kind. */
  external_id?: string | null;
  /**
   * Your own pairs of keys and values, up to 50: keys have up to 40 characters and values up to 500. A change
   * keeps other pairs; `null` removes a pair.
   */
  metadata?: Record<string, string | null>;
}

export interface CampaignsUpdateRequest {
  /** Campaign name, shown to affiliates. */
  name?: string;
  /** Unique within the account. By default derived from the name. */
  slug?: string;
  /** Landing page of the campaign, also used for visitors of inactive links. */
  url?: string;
  /** `true` if affiliates can join by invitation only. */
  private?: boolean;
  /** `true` if generated link tokens are random instead of based on the affiliate’s name. */
  private_tokens?: boolean;
  /** `percent`: percentage of the sale; `fixed`: fixed amount per sale. */
  reward_type?: RewardType;
  /** Commission as a percentage of the sale, up to two decimals. For `reward_type` `percent`. */
  commission_percent?: number | null;
  /** Commission per sale, in the minor unit of its currency. For `reward_type` `fixed`. */
  commission_amount_cents?: number | null;
  /** Currency of `commission_amount_cents`. Defaults to the account’s currency. */
  commission_amount_currency?: string | null;
  /** Minimum payout amount. Payouts below it are not eligible. Defaults to 0. */
  minimum_payout_cents?: number;
  /** Currency of `minimum_payout_cents`. The minimum applies only to payouts in this currency. */
  minimum_payout_currency?: string;
  /**
   * Calendar months, counted from a referral’s first commission, in which its sales earn commissions. `null` for
   * no limit.
   */
  max_commission_period_months?: number | null;
  /**
   * Maximum number of commissions per referral; `null` for no limit. Commissions of fully refunded sales do not
   * count. A commission that you void no longer counts for sales charged afterwards.
   */
  max_commissions?: number | null;
  /** Attribution window: days a visitor has to convert. Defaults to 60. */
  days_before_referrals_expire?: number;
  /** Holding period: days from the charge until its commission is due. 0 for immediately. Defaults to 30. */
  days_until_commissions_are_due?: number;
  /** Text for the affiliate dashboard. */
  affiliate_dashboard_text?: string | null;
  /** Custom description of the reward. */
  custom_reward_description?: string | null;
  /** Welcome text for new affiliates. */
  welcome_text?: string | null;
  /** `true` if affiliates can see their customers. Defaults to `false`. */
  customers_visible_to_affiliates?: boolean;
  /** `true` if affiliates can see sale descriptions. Defaults to `true`. */
  sale_description_visible_to_affiliates?: boolean;
  /**
   * Which click earns if a visitor clicks several links before converting: the first click (`first_click`), or the
   * latest click on a link of this campaign (`last_click`). Defaults to `first_click`.
   */
  attribution?: Attribution;
  /** Place of the token in links: the query string (`query`) or the URL fragment (`hash`). Defaults to `query`. */
  parameter_type?: ParameterType;
  /**
   * Names of the URL parameters that carry the token of a link in addition to `via`, e.g. those of a former tool:
   * `?ref=ada`. The tracking snippet of the account names them in `data-params`. Defaults to none.
   */
  params?: string[];
  /** ID of the Stripe coupon used for this campaign’s affiliate coupons. */
  psp_coupon_id?: string | null;
  /** `true` if affiliates created without a campaign join this one. At most one campaign is the default. */
  default?: boolean;
  /** Your ID for the record, unique among records of this kind. */
  external_id?: string | null;
  /**
   * Your own pairs of keys and values, up to 50: keys have up to 40 characters and values up to 500. A change
   * keeps other pairs; `null` removes a pair.
   */
  metadata?: Record<string, string | null>;
  /** `null` restores the archived record. */
  archived_at?: null;
}

export interface PromoCodesListResponse {
  /** The records. */
  data: PromoCodeAssignment[];
  pagination: Pagination;
  /** Stripe promotion codes matching `q`. Present only with `q`. */
  matches?: PromoCodeMatch[];
  /** Valid Stripe coupons. Present only with `discounts=true`. */
  discounts?: PspDiscount[];
}

export interface PromoCodesAssignRequest {
  /** Stripe promotion code to import. */
  psp_promotion_code_id?: string;
  /** `create` creates a new code; requires `code` and `psp_coupon_id`. */
  mode?: 'create';
  /** Code that customers enter at checkout. */
  code?: string;
  /** ID of the Stripe coupon that the code applies. */
  psp_coupon_id?: string;
  /** If `true`, returns a preview and changes nothing here or in Stripe. Default: `true`. */
  dry_run?: boolean;
}

export interface PromoCodesListAllResponse {
  /** The records. */
  data: PromoCodeAssignment[];
  pagination: Pagination;
}

export interface PromoCodesCreateRequest {
  /** ID of the affiliate. */
  affiliate_id: string;
  /** Campaign whose terms sales with the code earn by. Default: that of the affiliate. */
  campaign_id?: string;
  /** Code that customers enter in your shop, in any case. Default: made from the name of the affiliate. */
  code?: string;
}

export interface PromoCodesCreateManyRequest {
  /** Up to 100 records, as for a single call. */
  items: {
    /** ID of the affiliate. */
    affiliate_id: string;
    /** Campaign whose terms sales with the code earn by. Default: that of the affiliate. */
    campaign_id?: string;
    /** Code that customers enter in your shop, in any case. Default: made from the name of the affiliate. */
    code?: string;
  }[];
}

export interface PromoCodesPendingResponse {
  /** The records. */
  data: {
    /** ID of the operation. */
    id: string;
    /** ID of the affiliate. */
    affiliate_id: string;
    type: PromoCodePendingOperation;
    /** `false` for records of test mode. */
    livemode: boolean;
    /** The code to create. */
    code: string | null;
    /** ID of the coupon at the payment provider. */
    psp_coupon_id: string | null;
    /** The Stripe promotion code to import. */
    psp_promotion_code_id: string | null;
    /** `true` if a request is working on the operation right now. */
    is_running: boolean;
    /** ISO 8601 time in UTC with milliseconds. */
    created_at: string;
  }[];
}

export interface PromoCodesResumeRequest {
  /** If given, must be the affiliate of the operation. */
  affiliate_id?: string;
}

export interface PromoCodesRefreshRequest {
  /** If `true`, returns a preview and changes nothing here or in Stripe. Default: `true`. */
  dry_run?: boolean;
}

export interface PromoCodesStopRequest {
  /** If `true`, returns a preview and changes nothing here or in Stripe. Default: `true`. */
  dry_run?: boolean;
}

export interface CommissionsListResponse {
  /** The records. */
  data: Commission[];
  pagination: Pagination;
}

export interface CommissionsCreateRequest {
  /** ID of the affiliate. */
  affiliate_id: string;
  /** Amount in the minor unit of `currency`; negative to take money back from the next payout. Not 0. */
  amount_cents: number;
  /** ISO 4217 currency code. */
  currency: string;
  /** Purpose of the commission, e.g. a bonus or a correction. */
  note: string;
  /** Time at which the commission becomes due. Defaults to now. */
  due_at?: string;
  /** Your ID for the record, unique among records of this kind. */
  external_id?: string | null;
  /**
   * Your own pairs of keys and values, up to 50: keys have up to 40 characters and values up to 500. A change
   * keeps other pairs; `null` removes a pair.
   */
  metadata?: Record<string, string | null>;
}

export interface CommissionsUpdateRequest {
  /** Due date. Moves an unpaid commission between `pending` and `due`. */
  due_at?: string;
  /**
   * Set to a time, not in the future, to mark the commission paid manually, or to `null` to make it pending or due
   * again.
   */
  paid_at?: string | null;
  /** Your ID for the record, unique among records of this kind. */
  external_id?: string | null;
  /**
   * Your own pairs of keys and values, up to 50: keys have up to 40 characters and values up to 500. A change
   * keeps other pairs; `null` removes a pair.
   */
  metadata?: Record<string, string | null>;
}

export interface CommissionsVoidRequest {
  /** Reason, stored with the commission. */
  void_reason?: string;
}

export interface CommissionsCreateManyRequest {
  /** Up to 100 records, as for a single call. */
  items: {
    /** ID of the affiliate. */
    affiliate_id: string;
    /** Amount in the minor unit of `currency`; negative to take money back from the next payout. Not 0. */
    amount_cents: number;
    /** ISO 4217 currency code. */
    currency: string;
    /** Purpose of the commission, e.g. a bonus or a correction. */
    note: string;
    /** Time at which the commission becomes due. Defaults to now. */
    due_at?: string;
    /** Your ID for the record, unique among records of this kind. */
    external_id?: string | null;
    /**
     * Your own pairs of keys and values, up to 50: keys have up to 40 characters and values up to 500. A change
     * keeps other pairs; `null` removes a pair.
     */
    metadata?: Record<string, string | null>;
  }[];
}

export interface CommissionsReviewRequest {
  /**
   * `approve`: clears the flag. `suspicious`: flags the commission and excludes it from payouts. `deactivate`:
   * voids it and deactivates its referral. The bonuses of a sale follow its commission. `reconsider`: takes back a
   * paid bonus, reward for a lead or milestone that facts contradict, and earns what is right by the facts.
   * `keep`: such a reward stands.
   */
  review_action: ReviewAction;
}

export interface CustomersListResponse {
  /** The records. */
  data: ListedCustomer[];
  pagination: Pagination;
}

export interface CustomersUpdateRequest {
  /** Full name. */
  name?: string;
  /** Your ID for the record, unique among records of this kind. */
  external_id?: string | null;
  /**
   * Your own pairs of keys and values, up to 50: keys have up to 40 characters and values up to 500. A change
   * keeps other pairs; `null` removes a pair.
   */
  metadata?: Record<string, string | null>;
}

export interface CustomersUpsertRequest {
  /** Email address. The customer is also known by it. */
  email?: string;
  /** Full name. */
  name?: string;
  /**
   * Your own pairs of keys and values, up to 50: keys have up to 40 characters and values up to 500. A change
   * keeps other pairs; `null` removes a pair.
   */
  metadata?: Record<string, string | null>;
}

export interface CustomersIdentitiesResponse {
  /** The records. */
  data: {
    kind: IdentityKind;
    /** The address in lower case, or the ID. */
    value: string;
    /** `true` if you or a payment provider vouch for it. Anyone can enter an address on a page. */
    is_verified: boolean;
    /** Source that stated it first. */
    source: IdentitySource;
    /** ISO 8601 time in UTC with milliseconds. */
    created_at: string;
  }[];
}

export interface CustomersMergeRequest {
  /** Customer that is merged into the other one and then no longer exists. */
  customer_id: string;
}

export interface EventsListResponse {
  /** The records. */
  data: Event[];
  pagination: Pagination;
}

export interface LeadsListResponse {
  /** The records. */
  data: Referral[];
  pagination: Pagination;
}

export interface LeadsCreateRequest {
  /** Referral of the visitor who signed up. */
  referral_id: string;
  /** Email address of the customer. */
  email: string;
}

export interface LinksListResponse {
  /** The records. */
  data: Link[];
  pagination: Pagination;
}

export interface LinksCreateRequest {
  /** ID of the affiliate. */
  affiliate_id: string;
  /** ID of the campaign. */
  campaign_id: string;
  /** Destination URL. */
  url: string;
  /** Link code. Unique within the account, case-insensitive. Defaults to a generated code. */
  token?: string;
  /** Your ID for the record, unique among records of this kind. */
  external_id?: string | null;
  /**
   * Your own pairs of keys and values, up to 50: keys have up to 40 characters and values up to 500. A change
   * keeps other pairs; `null` removes a pair.
   */
  metadata?: Record<string, string | null>;
}

export interface LinksUpdateRequest {
  /** ID of the affiliate. */
  affiliate_id?: string;
  /** ID of the campaign. */
  campaign_id?: string;
  /** Destination URL. */
  url?: string;
  /** Link code. Unique within the account, case-insensitive. */
  token?: string;
  /** Your ID for the record, unique among records of this kind. */
  external_id?: string | null;
  /**
   * Your own pairs of keys and values, up to 50: keys have up to 40 characters and values up to 500. A change
   * keeps other pairs; `null` removes a pair.
   */
  metadata?: Record<string, string | null>;
  /** `null` restores the archived record. */
  archived_at?: null;
}

export interface LinksCreateManyRequest {
  /** Up to 100 records, as for a single call. */
  items: {
    /** ID of the affiliate. */
    affiliate_id: string;
    /** ID of the campaign. */
    campaign_id: string;
    /** Destination URL. */
    url: string;
    /** Link code. Unique within the account, case-insensitive. Defaults to a generated code. */
    token?: string;
    /** Your ID for the record, unique among records of this kind. */
    external_id?: string | null;
    /**
     * Your own pairs of keys and values, up to 50: keys have up to 40 characters and values up to 500. A change
     * keeps other pairs; `null` removes a pair.
     */
    metadata?: Record<string, string | null>;
  }[];
}

export interface PayoutsListResponse {
  /** The records. */
  data: Payout[];
  /** Omitted with `eligible=true`. */
  pagination?: Pagination;
}

export interface PayoutsUpdateRequest {
  /** Your ID for the record, unique among records of this kind. */
  external_id?: string | null;
  /**
   * Your own pairs of keys and values, up to 50: keys have up to 40 characters and values up to 500. A change
   * keeps other pairs; `null` removes a pair.
   */
  metadata?: Record<string, string | null>;
}

export interface PayoutsItemsResponse {
  /** The records. */
  data: Commission[];
  pagination: Pagination;
}

export interface PayoutsPayRequest {
  /** Your reference for the transfer, stored with the payout. */
  payment_reference?: string;
}

export interface PayoutsReturnRequest {
  /** Reason why the transfer bounced, stored with the payout. */
  reason: string;
}

export interface PayoutAttemptsListResponse {
  /** The records. */
  data: ListedPayoutAttempt[];
  pagination: Pagination;
}

export interface PayoutAttemptsPrepareRequest {
  /** Kind of a method whose payments the service sends. */
  method: string;
  /** Default: all eligible payouts of the mode. All of them must be eligible. */
  payout_ids?: string[];
  /** `false`: prepares test payouts. Default: `true`. */
  livemode?: boolean;
}

export interface PayoutAttemptsWithdrawRequest {
  /** Stored with the attempt. Default: `"withdrawn"`. */
  reason?: string;
}

export interface PayoutAttemptsDecideRequest {
  /** `arrived`: the payout is paid; `failed`: the payout is open again, and can be paid in another way. */
  outcome: PayoutAttemptOutcome;
  /** Source of the knowledge. Stored in the audit log and, with `failed`, with the attempt. */
  reason: string;
  /** The id of the payment where it was sent. With it, the service notices if the money comes back. */
  provider_item_id?: string;
}

export interface PayoutBatchesListResponse {
  /** The records. */
  data: ListedPayoutBatch[];
  pagination: Pagination;
}

export interface PayoutBatchesCreateRequest {
  /** Kind of a method whose payments the service sends. */
  method: string;
  /** Limits the batch to these affiliates. */
  affiliate_ids?: string[];
  /** `false`: prepares test payouts. Default: `true`. */
  livemode?: boolean;
  /** Internal notes. */
  notes?: string;
  /** If `true`, previews the batch without making it. Default: `false`. */
  dry_run?: boolean;
}

export interface PayoutBatchesApproveRequest {
  /** The `items_hash` of the payments that you have seen. With other payments, the request is refused. */
  items_hash?: string;
}

export interface PayoutMethodsListResponse {
  /** The records. */
  data: PayoutMethod[];
  pagination: Pagination;
}

export interface PayoutMethodsCreateRequest {
  /** ID of the affiliate. */
  affiliate_id: string;
  /** Kind of the entry. */
  kind: string;
  /** Address in the form of the kind (`GET /payout_methods/kinds`), e.g. `{ "email": … }` for `paypal` and `wise`. */
  address: Record<string, string>;
}

export interface PayoutMethodsKindsResponse {
  /** The records. */
  data: PayoutMethodKind[];
}

export interface PayoutMethodsUpdateRequest {
  /** Address in the form of the kind (`GET /payout_methods/kinds`), e.g. `{ "email": … }` for `paypal` and `wise`. */
  address: Record<string, string>;
}

export interface PayoutMethodsOpenAccountRequest {
  /** ID of the affiliate. */
  affiliate_id: string;
  /** Kind of a method whose service opens accounts for affiliates. */
  kind: string;
  /** Country of the affiliate, by its two letters. Default: that of your account at the service. */
  country?: string;
  /**
   * Page to which the affiliate comes back. Coming back does not mean that everything was entered. Default: the
   * payout details in the portal.
   */
  return_url?: string;
}

export interface PayoutScreeningsListResponse {
  /** The records. */
  data: PayoutScreening[];
  pagination: Pagination;
}

export interface PayoutScreeningsReleaseRequest {
  /** Reason why the affiliate is not the one on the list. Stored with the screening and in the audit log. */
  reason: string;
}

export interface PayoutExportsListResponse {
  /** The records. */
  data: PayoutExport[];
  pagination: Pagination;
}

export interface PayoutExportsCreateRequest {
  /** Payouts to export; each must be eligible. Defaults to all eligible payouts. */
  payout_ids?: string[];
  /** File format. Defaults to `csv`. */
  export_format?: ExportFormat;
  /** `false` exports payouts of the payment provider’s test mode. An export never mixes modes. Default: `true`. */
  livemode?: boolean;
  /** Internal notes, not included in the file. */
  notes?: string;
  /** `true` leaves out payouts that the format cannot pay, instead of failing. Default: `false`. */
  leave_out_unpayable?: boolean;
}

export interface PayoutExportsTakeOutRequest {
  /** Payouts of the export that are not paid with it. */
  payout_ids: string[];
}

export interface PayoutExportsApproveRequest {
  /** The `items_hash` of the export that you have seen. With other payouts, the request is refused. */
  items_hash?: string;
}

export interface PayoutExportsPayRequest {
  /** Your reference for the transfer, stored with each payout. */
  payment_reference?: string;
  /**
   * `true` if the money was sent already: marks the payouts as paid even if they have changed since the export was
   * created. Default: `false`.
   */
  already_sent?: boolean;
  /** Payouts that were not paid. They are open again. Default: `[]`. */
  refused?: {
    /** ID of the payout. */
    payout_id: string;
    /** Reason of the refusal. */
    reason: string;
  }[];
}

export interface PayoutExportsReportRequest {
  /** Content of the file of your bank: pain.002, camt.053 or camt.054. */
  bank_report: string;
}

export interface PayoutRunsListResponse {
  /** The records. */
  data: PayoutRunSummary[];
  pagination: Pagination;
}

export interface PayoutRunsCreateRequest {
  /** Repeating a key returns the existing run. Defaults to a generated key. */
  idempotency_key?: string;
  /** If `true`, executes the run immediately and returns when it is finished. Default: `false`. */
  execute_now?: boolean;
  /** Limits the run to these affiliates. */
  affiliate_ids?: string[];
  /** Limits the run to these payouts. Fails and names them if one of them is not eligible. */
  payout_ids?: string[];
  /** `false` pays payouts of the payment provider’s test mode. A run never mixes modes. Default: `true`. */
  livemode?: boolean;
  /** Your reference for the transfer, stored with each payout. Used with `execute_now`. */
  payment_reference?: string;
}

export interface PayoutRunsItemsResponse {
  /** The records. */
  data: {
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
  }[];
  pagination: Pagination;
}

export interface PayoutRunsExecuteRequest {
  /**
   * If `true`, executes in the background and returns 202 immediately; if `false`, returns when the run is
   * finished. Default: `true`.
   */
  async?: boolean;
  /** Your reference for the transfer, stored with each payout. */
  payment_reference?: string;
}

export interface PayoutRunsRemediateRequest {
  /**
   * `retry`: claims and checks failed items again and pays those that pass; `exclude`: removes failed items, or
   * the planned items in `payout_ids`; `cancel`: releases all unpaid payouts.
   */
  remediation_action: RemediationAction;
  /** Limits the action to failed items with this issue. Not allowed with `cancel`. */
  issue_code?: PayoutRunIssue;
  /** Limits the action to these items. Not allowed with `cancel`. */
  payout_ids?: string[];
}

export interface ReferralsListResponse {
  /** The records. */
  data: Referral[];
  pagination: Pagination;
}

export interface ReferralsCreateRequest {
  /** Required unless `link_id` is given. */
  affiliate_id?: string;
  /** Required unless `link_id` is given. */
  campaign_id?: string;
  /** Link that the visitor followed. Determines `affiliate_id` and `campaign_id`, which must match if given. */
  link_id?: string;
  /** Defaults to `visitor`. */
  conversion_state?: ConversionState;
  /** End of the attribution window. Defaults to the campaign’s `days_before_referrals_expire` from now. */
  expires_at?: string;
  /** Your ID for the record, unique among records of this kind. */
  external_id?: string | null;
  /**
   * Your own pairs of keys and values, up to 50: keys have up to 40 characters and values up to 500. A change
   * keeps other pairs; `null` removes a pair.
   */
  metadata?: Record<string, string | null>;
}

export interface ReferralsUpdateRequest {
  /** `visitor`, `lead` (signed up), or `conversion` (paid). */
  conversion_state?: ConversionState;
  /** Set to a time, not in the future, to deactivate the referral, or to `null` to reactivate it. */
  deactivated_at?: string | null;
  /**
   * Assigns the customer with this email address, creating it if needed. An assigned customer cannot move to
   * another referral.
   */
  customer_email?: string;
  /** Your ID for the record, unique among records of this kind. */
  external_id?: string | null;
  /**
   * Your own pairs of keys and values, up to 50: keys have up to 40 characters and values up to 500. A change
   * keeps other pairs; `null` removes a pair.
   */
  metadata?: Record<string, string | null>;
}

export interface ReferralsCreateManyRequest {
  /** Up to 100 records, as for a single call. */
  items: {
    /** Required unless `link_id` is given. */
    affiliate_id?: string;
    /** Required unless `link_id` is given. */
    campaign_id?: string;
    /** Link that the visitor followed. Determines `affiliate_id` and `campaign_id`, which must match if given. */
    link_id?: string;
    /** Defaults to `visitor`. */
    conversion_state?: ConversionState;
    /** End of the attribution window. Defaults to the campaign’s `days_before_referrals_expire` from now. */
    expires_at?: string;
    /** Your ID for the record, unique among records of this kind. */
    external_id?: string | null;
    /**
     * Your own pairs of keys and values, up to 50: keys have up to 40 characters and values up to 500. A change
     * keeps other pairs; `null` removes a pair.
     */
    metadata?: Record<string, string | null>;
  }[];
}

export interface RefundsListResponse {
  /** The records. */
  data: RefundsOfSale[];
  pagination: Pagination;
}

export interface RewardRulesListResponse {
  /** The records. */
  data: RewardRule[];
  pagination: Pagination;
}

export interface RewardRulesCreateRequest {
  /** ID of the campaign. */
  campaign_id: string;
  /** Set if the rule is for sales of this affiliate only. Such a rule comes before those of the campaign. */
  affiliate_id?: string | null;
  /** Set if the rule is for sales through this link only. Such a rule comes before those of the affiliate. */
  link_id?: string | null;
  /** Name of the rule, for you. */
  name: string;
  /**
   * `sale`: pays for sales. `lead`: pays a fixed amount once for each proven lead. `milestone`: pays a fixed
   * amount for a number of customers or sales, or for revenue. Default: `"sale"`.
   */
  event?: RewardEvent;
  /** Payment of the rule: exactly one of `percent`, `fixed` and `nothing`. */
  pay: {
    /** Percentage of the lines that the rule decides. */
    percent?: number;
    /** Fixed amount. */
    fixed?: {
      /** Amount in the currency’s minor unit. */
      amount_cents: number;
      /** ISO 4217 currency code. */
      currency: string;
      /** `sale`: once per sale; `unit`: for each unit of the lines that the rule decides. Default: `"sale"`. */
      per?: PayPer;
    };
    /** The lines that the rule decides earn nothing. */
    nothing?: true;
  };
  /**
   * Place among the rules of the campaign. Defaults to the last one or, for a rule that excludes products or
   * prices, to the first one.
   */
  position?: number;
  /** Conditions. All given conditions must hold; a list holds if any of its values does. */
  when?: {
    /** IDs of products at the payment provider, or those in the `lines` of your reports. */
    products?: string[];
    /** IDs of prices, like `products`. */
    prices?: string[];
    /** Interval at which the price is charged. */
    interval?: PriceInterval[];
    /** Codes redeemed with the sale, in any case. */
    codes?: string[];
    /** Countries of the customer, by ISO 3166. Does not hold if the country is not known. */
    countries?: string[];
    /** Values that the metadata of the sale may have when it earns, by key. Every key must match. */
    metadata?: Record<string, string[]>;
    /**
     * Place of the sale among those of its referral, counted from 1. Both ends are included: 1 to 1 is the first
     * sale.
     */
    sale_number?: {
      /** Lower bound, inclusive. */
      from?: number;
      /** Upper bound, inclusive. */
      to?: number;
    };
    /** Whole months since the first sale of the referral. `to` is not included: 0 to 12 are the first twelve months. */
    age_months?: {
      /** Lower bound, inclusive. */
      from?: number;
      /** Upper bound, inclusive. */
      to?: number;
    };
    /** Amount of the sale without tax, in cents. `to` is not included. Holds only for sales in this currency. */
    amount?: {
      /** Lower bound, inclusive. */
      from?: number;
      /** Upper bound, inclusive. */
      to?: number;
      /** ISO 4217 currency code. */
      currency: string;
    };
    /** Tiers, of which the affiliate has reached one before the charge. */
    tier?: string[];
    /** `new`: the first sale of the customer; `returning`: later sales. */
    customer?: CustomerAge;
  };
  /** The most that the rule pays. Has no effect on commissions in another currency. */
  cap?: {
    /** Amount in the currency’s minor unit. */
    amount_cents: number;
    /** ISO 4217 currency code. */
    currency: string;
    /** Unit of the maximum: each sale, each referral, or each affiliate. */
    per: CapScope;
    /** Calendar period in UTC to which the maximum applies. Default: `"ever"`. */
    window?: CapWindow;
  } | null;
  /**
   * `instead`: decides what lines earn, if no rule before it does. `on_top`: pays a commission of its own (`kind`
   * `bonus`).
   */
  apply?: RewardApply;
  /** For rules of `milestone`: exactly one of `every` and `at`. A change starts the count again. */
  milestone?: {
    /**
     * `customers`: customers who paid; `sales`: sales; `revenue`: amount of the sales in the currency of `pay`, in
     * cents.
     */
    metric: MilestoneMetric;
    /** Calendar period in UTC over which the milestone counts. `ever`: since the rule is in force. Default: `"ever"`. */
    window?: MilestoneWindow;
    /** Pays at each multiple of this number. */
    every?: number;
    /** Pays once, when this number is reached. */
    at?: number;
  } | null;
  /** For rules of `lead`: days after which the reward is due if the customer has not paid yet. Defaults to 30. */
  hold_days?: number | null;
  /** Applies to charges from this time on. */
  from?: string | null;
  /** Applies to charges before this time. */
  until?: string | null;
}

export interface RewardRulesUpdateRequest {
  /** Name of the rule, for you. */
  name?: string;
  /**
   * Place of the rule among the rules of the campaign. The first rule whose conditions hold decides. At the same
   * place, rules that exclude products come first.
   */
  position?: number;
  /** Conditions. All given conditions must hold; a list holds if any of its values does. */
  when?: {
    /** IDs of products at the payment provider, or those in the `lines` of your reports. */
    products?: string[];
    /** IDs of prices, like `products`. */
    prices?: string[];
    /** Interval at which the price is charged. */
    interval?: PriceInterval[];
    /** Codes redeemed with the sale, in any case. */
    codes?: string[];
    /** Countries of the customer, by ISO 3166. Does not hold if the country is not known. */
    countries?: string[];
    /** Values that the metadata of the sale may have when it earns, by key. Every key must match. */
    metadata?: Record<string, string[]>;
    /**
     * Place of the sale among those of its referral, counted from 1. Both ends are included: 1 to 1 is the first
     * sale.
     */
    sale_number?: {
      /** Lower bound, inclusive. */
      from?: number;
      /** Upper bound, inclusive. */
      to?: number;
    };
    /** Whole months since the first sale of the referral. `to` is not included: 0 to 12 are the first twelve months. */
    age_months?: {
      /** Lower bound, inclusive. */
      from?: number;
      /** Upper bound, inclusive. */
      to?: number;
    };
    /** Amount of the sale without tax, in cents. `to` is not included. Holds only for sales in this currency. */
    amount?: {
      /** Lower bound, inclusive. */
      from?: number;
      /** Upper bound, inclusive. */
      to?: number;
      /** ISO 4217 currency code. */
      currency: string;
    };
    /** Tiers, of which the affiliate has reached one before the charge. */
    tier?: string[];
    /** `new`: the first sale of the customer; `returning`: later sales. */
    customer?: CustomerAge;
  };
  /** Payment of the rule: exactly one of `percent`, `fixed` and `nothing`. */
  pay?: {
    /** Percentage of the lines that the rule decides. */
    percent?: number;
    /** Fixed amount. */
    fixed?: {
      /** Amount in the currency’s minor unit. */
      amount_cents: number;
      /** ISO 4217 currency code. */
      currency: string;
      /** `sale`: once per sale; `unit`: for each unit of the lines that the rule decides. Default: `"sale"`. */
      per?: PayPer;
    };
    /** The lines that the rule decides earn nothing. */
    nothing?: true;
  };
  /** The most that the rule pays. Has no effect on commissions in another currency. */
  cap?: {
    /** Amount in the currency’s minor unit. */
    amount_cents: number;
    /** ISO 4217 currency code. */
    currency: string;
    /** Unit of the maximum: each sale, each referral, or each affiliate. */
    per: CapScope;
    /** Calendar period in UTC to which the maximum applies. Default: `"ever"`. */
    window?: CapWindow;
  } | null;
  /**
   * `instead`: decides what lines earn, if no rule before it does. `on_top`: pays a commission of its own (`kind`
   * `bonus`).
   */
  apply?: RewardApply;
  /** For rules of `milestone`: exactly one of `every` and `at`. A change starts the count again. */
  milestone?: {
    /**
     * `customers`: customers who paid; `sales`: sales; `revenue`: amount of the sales in the currency of `pay`, in
     * cents.
     */
    metric: MilestoneMetric;
    /** Calendar period in UTC over which the milestone counts. `ever`: since the rule is in force. Default: `"ever"`. */
    window?: MilestoneWindow;
    /** Pays at each multiple of this number. */
    every?: number;
    /** Pays once, when this number is reached. */
    at?: number;
  } | null;
  /** For rules of `lead`: days after which the reward is due if the customer has not paid yet. Defaults to 30. */
  hold_days?: number | null;
  /** Applies to charges from this time on. */
  from?: string | null;
  /** Applies to charges before this time. */
  until?: string | null;
}

export interface RewardRulesPreviewRequest {
  /** ISO 4217 currency code. */
  currency: string;
  /** Lines of the sale. */
  lines: {
    /** Product of the line, e.g. its ID at the payment provider. */
    product?: string;
    /** Price of the line, e.g. its ID at the payment provider. */
    price?: string;
    interval?: PriceInterval;
    /** Default: `1`. */
    quantity?: number;
    /** Amount of the line without tax, after discounts. */
    amount_cents: number;
  }[];
  /** ID of the affiliate. */
  affiliate_id?: string;
  /** ID of the link. */
  link_id?: string;
  /** Codes redeemed with the sale. Default: `[]`. */
  codes?: string[];
  /** Metadata of the sale. Default: `{}`. */
  metadata?: Record<string, string>;
  /** Country of the customer. */
  country?: string;
  /** Place of the sale among those of its referral. Default: `1`. */
  sale_number?: number;
  /** Whole months since the first sale of the referral. Default: `0`. */
  age_months?: number;
  /** Tiers that the affiliate has. Default: `[]`. */
  tier_ids?: string[];
  /** Default: `"new"`. */
  customer?: CustomerAge;
}

export interface RewardRulesPreviewChangeRequest {
  /** A new rule. */
  create?: {
    /** Set if the rule is for sales of this affiliate only. Such a rule comes before those of the campaign. */
    affiliate_id?: string | null;
    /** Set if the rule is for sales through this link only. Such a rule comes before those of the affiliate. */
    link_id?: string | null;
    /** Name of the rule, for you. */
    name: string;
    /**
     * `sale`: pays for sales. `lead`: pays a fixed amount once for each proven lead. `milestone`: pays a fixed
     * amount for a number of customers or sales, or for revenue. Default: `"sale"`.
     */
    event?: RewardEvent;
    /** Payment of the rule: exactly one of `percent`, `fixed` and `nothing`. */
    pay: {
      /** Percentage of the lines that the rule decides. */
      percent?: number;
      /** Fixed amount. */
      fixed?: {
        /** Amount in the currency’s minor unit. */
        amount_cents: number;
        /** ISO 4217 currency code. */
        currency: string;
        /** `sale`: once per sale; `unit`: for each unit of the lines that the rule decides. Default: `"sale"`. */
        per?: PayPer;
      };
      /** The lines that the rule decides earn nothing. */
      nothing?: true;
    };
    /**
     * Place among the rules of the campaign. Defaults to the last one or, for a rule that excludes products or
     * prices, to the first one.
     */
    position?: number;
    /** Conditions. All given conditions must hold; a list holds if any of its values does. */
    when?: {
      /** IDs of products at the payment provider, or those in the `lines` of your reports. */
      products?: string[];
      /** IDs of prices, like `products`. */
      prices?: string[];
      /** Interval at which the price is charged. */
      interval?: PriceInterval[];
      /** Codes redeemed with the sale, in any case. */
      codes?: string[];
      /** Countries of the customer, by ISO 3166. Does not hold if the country is not known. */
      countries?: string[];
      /** Values that the metadata of the sale may have when it earns, by key. Every key must match. */
      metadata?: Record<string, string[]>;
      /**
       * Place of the sale among those of its referral, counted from 1. Both ends are included: 1 to 1 is the first
       * sale.
       */
      sale_number?: {
        /** Lower bound, inclusive. */
        from?: number;
        /** Upper bound, inclusive. */
        to?: number;
      };
      /** Whole months since the first sale of the referral. `to` is not included: 0 to 12 are the first twelve months. */
      age_months?: {
        /** Lower bound, inclusive. */
        from?: number;
        /** Upper bound, inclusive. */
        to?: number;
      };
      /** Amount of the sale without tax, in cents. `to` is not included. Holds only for sales in this currency. */
      amount?: {
        /** Lower bound, inclusive. */
        from?: number;
        /** Upper bound, inclusive. */
        to?: number;
        /** ISO 4217 currency code. */
        currency: string;
      };
      /** Tiers, of which the affiliate has reached one before the charge. */
      tier?: string[];
      /** `new`: the first sale of the customer; `returning`: later sales. */
      customer?: CustomerAge;
    };
    /** The most that the rule pays. Has no effect on commissions in another currency. */
    cap?: {
      /** Amount in the currency’s minor unit. */
      amount_cents: number;
      /** ISO 4217 currency code. */
      currency: string;
      /** Unit of the maximum: each sale, each referral, or each affiliate. */
      per: CapScope;
      /** Calendar period in UTC to which the maximum applies. Default: `"ever"`. */
      window?: CapWindow;
    } | null;
    /**
     * `instead`: decides what lines earn, if no rule before it does. `on_top`: pays a commission of its own (`kind`
     * `bonus`).
     */
    apply?: RewardApply;
    /** For rules of `milestone`: exactly one of `every` and `at`. A change starts the count again. */
    milestone?: {
      /**
       * `customers`: customers who paid; `sales`: sales; `revenue`: amount of the sales in the currency of `pay`, in
       * cents.
       */
      metric: MilestoneMetric;
      /** Calendar period in UTC over which the milestone counts. `ever`: since the rule is in force. Default: `"ever"`. */
      window?: MilestoneWindow;
      /** Pays at each multiple of this number. */
      every?: number;
      /** Pays once, when this number is reached. */
      at?: number;
    } | null;
    /** For rules of `lead`: days after which the reward is due if the customer has not paid yet. Defaults to 30. */
    hold_days?: number | null;
    /** Applies to charges from this time on. */
    from?: string | null;
    /** Applies to charges before this time. */
    until?: string | null;
  };
  /** New values of a rule. */
  update?: {
    /** ID of the reward rule. */
    id: string;
    /** Name of the rule, for you. */
    name?: string;
    /**
     * Place of the rule among the rules of the campaign. The first rule whose conditions hold decides. At the same
     * place, rules that exclude products come first.
     */
    position?: number;
    /** Conditions. All given conditions must hold; a list holds if any of its values does. */
    when?: {
      /** IDs of products at the payment provider, or those in the `lines` of your reports. */
      products?: string[];
      /** IDs of prices, like `products`. */
      prices?: string[];
      /** Interval at which the price is charged. */
      interval?: PriceInterval[];
      /** Codes redeemed with the sale, in any case. */
      codes?: string[];
      /** Countries of the customer, by ISO 3166. Does not hold if the country is not known. */
      countries?: string[];
      /** Values that the metadata of the sale may have when it earns, by key. Every key must match. */
      metadata?: Record<string, string[]>;
      /**
       * Place of the sale among those of its referral, counted from 1. Both ends are included: 1 to 1 is the first
       * sale.
       */
      sale_number?: {
        /** Lower bound, inclusive. */
        from?: number;
        /** Upper bound, inclusive. */
        to?: number;
      };
      /** Whole months since the first sale of the referral. `to` is not included: 0 to 12 are the first twelve months. */
      age_months?: {
        /** Lower bound, inclusive. */
        from?: number;
        /** Upper bound, inclusive. */
        to?: number;
      };
      /** Amount of the sale without tax, in cents. `to` is not included. Holds only for sales in this currency. */
      amount?: {
        /** Lower bound, inclusive. */
        from?: number;
        /** Upper bound, inclusive. */
        to?: number;
        /** ISO 4217 currency code. */
        currency: string;
      };
      /** Tiers, of which the affiliate has reached one before the charge. */
      tier?: string[];
      /** `new`: the first sale of the customer; `returning`: later sales. */
      customer?: CustomerAge;
    };
    /** Payment of the rule: exactly one of `percent`, `fixed` and `nothing`. */
    pay?: {
      /** Percentage of the lines that the rule decides. */
      percent?: number;
      /** Fixed amount. */
      fixed?: {
        /** Amount in the currency’s minor unit. */
        amount_cents: number;
        /** ISO 4217 currency code. */
        currency: string;
        /** `sale`: once per sale; `unit`: for each unit of the lines that the rule decides. Default: `"sale"`. */
        per?: PayPer;
      };
      /** The lines that the rule decides earn nothing. */
      nothing?: true;
    };
    /** The most that the rule pays. Has no effect on commissions in another currency. */
    cap?: {
      /** Amount in the currency’s minor unit. */
      amount_cents: number;
      /** ISO 4217 currency code. */
      currency: string;
      /** Unit of the maximum: each sale, each referral, or each affiliate. */
      per: CapScope;
      /** Calendar period in UTC to which the maximum applies. Default: `"ever"`. */
      window?: CapWindow;
    } | null;
    /**
     * `instead`: decides what lines earn, if no rule before it does. `on_top`: pays a commission of its own (`kind`
     * `bonus`).
     */
    apply?: RewardApply;
    /** For rules of `milestone`: exactly one of `every` and `at`. A change starts the count again. */
    milestone?: {
      /**
       * `customers`: customers who paid; `sales`: sales; `revenue`: amount of the sales in the currency of `pay`, in
       * cents.
       */
      metric: MilestoneMetric;
      /** Calendar period in UTC over which the milestone counts. `ever`: since the rule is in force. Default: `"ever"`. */
      window?: MilestoneWindow;
      /** Pays at each multiple of this number. */
      every?: number;
      /** Pays once, when this number is reached. */
      at?: number;
    } | null;
    /** For rules of `lead`: days after which the reward is due if the customer has not paid yet. Defaults to 30. */
    hold_days?: number | null;
    /** Applies to charges from this time on. */
    from?: string | null;
    /** Applies to charges before this time. */
    until?: string | null;
  };
  /** A rule to end. */
  end?: string;
  /** Rules in a new order. */
  rule_ids?: string[];
  /** A new base reward of the campaign. */
  base?: {
    /** `percent`: percentage of the sale; `fixed`: fixed amount per sale. */
    reward_type?: RewardType;
    /** Commission as a percentage of the sale, up to two decimals. For `reward_type` `percent`. */
    commission_percent?: number | null;
    /** Commission per sale, in the minor unit of its currency. For `reward_type` `fixed`. */
    commission_amount_cents?: number | null;
    /** Currency of `commission_amount_cents`. Defaults to the account’s currency. */
    commission_amount_currency?: string | null;
  };
}

export interface RewardRulesWarningsResponse {
  /** The records. */
  data: RewardWarning[];
}

export interface RewardRulesReorderRequest {
  /** ID of the campaign. */
  campaign_id: string;
  /** Rules of the campaign in their new order. Rules that are left out come after them, in their former order. */
  rule_ids: string[];
}

export interface RewardRulesReorderResponse {
  /** The records. */
  data: RewardRule[];
}

export interface TiersListResponse {
  /** The records. */
  data: Tier[];
  pagination: Pagination;
}

export interface TiersCreateRequest {
  /** ID of the campaign. */
  campaign_id: string;
  /** Name of the tier, which its affiliates see. */
  name: string;
  /** `customers`: customers who paid; `sales`: sales; `revenue`: amount of the sales in `currency`, in cents. */
  metric: MilestoneMetric;
  /**
   * Calendar period in UTC that counts: the last closed `month` or `quarter` before that of a charge. `ever`:
   * everything before the month of the charge. Default: `"month"`.
   */
  window?: MilestoneWindow;
  /** Number from which the tier is reached. */
  from: number;
  /** Required for `revenue`. */
  currency?: string;
}

export interface TiersUpdateRequest {
  /** Name of the tier, which its affiliates see. */
  name: string;
}

export interface TrackingRecordSaleRequest {
  /**
   * Your ID for the sale. Reporting the same sale again changes nothing and returns 200 with the same body.
   * Another amount, tax, currency, or customer under the same ID returns 409.
   */
  external_id: string;
  /** Referral ID from the referral cookie or the `referral` query parameter. */
  referral_id?: string | null;
  /** Email address of the customer. */
  customer_email?: string | null;
  /** Stripe customer ID. */
  psp_customer_id?: string | null;
  /** Your own ID of the customer. */
  external_customer_id?: string | null;
  /**
   * Stripe charge ID. If Stripe reports this sale as well, set `psp_charge_id`, `psp_payment_intent_id`, or
   * `psp_invoice_id`. Both reports then count as one sale.
   */
  psp_charge_id?: string | null;
  /** Stripe payment intent ID. See `psp_charge_id`. */
  psp_payment_intent_id?: string | null;
  /** Stripe invoice ID, for an invoice with one payment. See `psp_charge_id`. */
  psp_invoice_id?: string | null;
  /** Promo code entered at checkout. Attributes the sale if the customer has no referral. */
  promo_code?: string | null;
  /** Amount charged to the customer, including tax, in the minor unit of `currency`. */
  amount_cents: number;
  /** Tax included in `amount_cents`. Default: `0`. */
  tax_amount_cents?: number;
  /**
   * Shipping included in `amount_cents`, without its tax. Nobody earns from it: the sale has the amount without
   * it, and refunds are reported without it, too. Default: `0`.
   */
  shipping_amount_cents?: number;
  /** ISO 4217 currency code. */
  currency: string;
  /** Time of the charge; not in the future. Defaults to now. */
  charged_at?: string | null;
  /** Name of the customer. */
  customer_name?: string | null;
  /** Description. */
  description?: string | null;
  /**
   * Your own pairs of keys and values, up to 50: keys have up to 40 characters and values up to 500. A change
   * keeps other pairs; `null` removes a pair.
   */
  metadata?: Record<string, string | null>;
  /**
   * Sold items. Reward rules can pay by product. The amounts should add up to the sale without tax; a difference
   * is divided among the lines in proportion.
   */
  lines?:
    | {
        /** Your ID of the product, as reward rules name it. */
        product: string;
        /** Your ID of the price. */
        price?: string | null;
        /** Name of the product, for people. */
        name?: string | null;
        /** Interval at which the price is charged. */
        interval?: PriceInterval | null;
        /** Default: `1`. */
        quantity?: number;
        /** Amount of the line without tax, after its discounts. Negative if the line takes an earlier charge back. */
        amount_cents: number;
      }[]
    | null;
}

export interface TrackingRecordSalesRequest {
  /** Up to 100 records, as for a single call. */
  items: {
    /**
     * Your ID for the sale. Reporting the same sale again changes nothing and returns 200 with the same body.
     * Another amount, tax, currency, or customer under the same ID returns 409.
     */
    external_id: string;
    /** Referral ID from the referral cookie or the `referral` query parameter. */
    referral_id?: string | null;
    /** Email address of the customer. */
    customer_email?: string | null;
    /** Stripe customer ID. */
    psp_customer_id?: string | null;
    /** Your own ID of the customer. */
    external_customer_id?: string | null;
    /**
     * Stripe charge ID. If Stripe reports this sale as well, set `psp_charge_id`, `psp_payment_intent_id`, or
     * `psp_invoice_id`. Both reports then count as one sale.
     */
    psp_charge_id?: string | null;
    /** Stripe payment intent ID. See `psp_charge_id`. */
    psp_payment_intent_id?: string | null;
    /** Stripe invoice ID, for an invoice with one payment. See `psp_charge_id`. */
    psp_invoice_id?: string | null;
    /** Promo code entered at checkout. Attributes the sale if the customer has no referral. */
    promo_code?: string | null;
    /** Amount charged to the customer, including tax, in the minor unit of `currency`. */
    amount_cents: number;
    /** Tax included in `amount_cents`. Default: `0`. */
    tax_amount_cents?: number;
    /**
     * Shipping included in `amount_cents`, without its tax. Nobody earns from it: the sale has the amount without
     * it, and refunds are reported without it, too. Default: `0`.
     */
    shipping_amount_cents?: number;
    /** ISO 4217 currency code. */
    currency: string;
    /** Time of the charge; not in the future. Defaults to now. */
    charged_at?: string | null;
    /** Name of the customer. */
    customer_name?: string | null;
    /** Description. */
    description?: string | null;
    /**
     * Your own pairs of keys and values, up to 50: keys have up to 40 characters and values up to 500. A change
     * keeps other pairs; `null` removes a pair.
     */
    metadata?: Record<string, string | null>;
    /**
     * Sold items. Reward rules can pay by product. The amounts should add up to the sale without tax; a difference
     * is divided among the lines in proportion.
     */
    lines?:
      | {
          /** Your ID of the product, as reward rules name it. */
          product: string;
          /** Your ID of the price. */
          price?: string | null;
          /** Name of the product, for people. */
          name?: string | null;
          /** Interval at which the price is charged. */
          interval?: PriceInterval | null;
          /** Default: `1`. */
          quantity?: number;
          /** Amount of the line without tax, after its discounts. Negative if the line takes an earlier charge back. */
          amount_cents: number;
        }[]
      | null;
  }[];
}

export interface TrackingRecordRefundRequest {
  /**
   * `external_id` of the refunded sale. If that sale repeats the payment of another one, the refund is one of the
   * other sale, which is returned.
   */
  external_id: string;
  /**
   * Your ID for the refund. Reporting the same refund again changes nothing and returns 200. Another amount under
   * the same ID returns 409.
   */
  refund_id: string;
  /** Amount of this refund in the sale’s minor currency unit. The refunds of a sale cannot exceed its charge. */
  amount_cents: number;
  /** Refunded lines. These lines of the sale then earn less. Without `lines`, all lines earn less in proportion. */
  lines?:
    | {
        /** `product` of a line of the sale. */
        product: string;
        /** Refunded amount of this product without tax. */
        amount_cents: number;
      }[]
    | null;
}

export interface InvitationsListResponse {
  /** The records. */
  data: Invitation[];
  pagination: Pagination;
}

export interface InvitationsCreateRequest {
  /** `member`: the person joins the account’s team; `affiliate`: the person becomes an affiliate. */
  kind: InvitationKind;
  /** Email address. */
  email: string;
  /** Role of the new member, for `kind` `member`. Defaults to `member`. Only an owner can invite an owner. */
  role?: Role;
  /** Campaign to join. Required for `kind` `affiliate`. */
  campaign_id?: string;
  /** Alias of `campaign_id`. */
  campaignId?: string;
}

export interface InvitationsUpdateRequest {
  /** Expected kind. If set, an invitation of the other kind is not found. */
  kind?: InvitationKind;
  /** Accepts or revokes the invitation, which must be pending. */
  invitation_action?: InvitationAction;
  /** Alias of `invitation_action`. */
  status_action?: InvitationAction;
  /** Alias of `invitation_action=revoke`. */
  status?: 'revoked';
  /** Role of the new member, for `kind` `member`. Only an owner can invite an owner. */
  role?: Role;
  /**
   * User who accepts. Required to accept a member invitation with an API key. The user’s email address must match
   * the invitation.
   */
  user_id?: string;
}

export interface InvitationsDeleteRequest {
  /** Expected kind. If set, an invitation of the other kind is not found. */
  kind?: InvitationKind;
}

export interface InvitationsResendRequest {
  /** Expected kind. If set, an invitation of the other kind is not found. */
  kind?: InvitationKind;
}

export interface SalesListResponse {
  /** The records. */
  data: SaleInList[];
  pagination: Pagination;
}

export interface SalesUpdateRequest {
  /** Amount charged to the customer, including tax. */
  amount_cents?: number;
  /** Tax included in `amount_cents`. */
  tax_amount_cents?: number;
  /** Must be the currency of the sale, because commissions are never converted. Another currency is refused. */
  currency?: string;
  /**
   * Your own pairs of keys and values, up to 50: keys have up to 40 characters and values up to 500. A change
   * keeps other pairs; `null` removes a pair.
   */
  metadata?: Record<string, string | null>;
  /** If `true`, previews the change without making it. Default: `false`. */
  dry_run?: boolean;
}

export interface SalesReconsiderRequest {
  /** If `true`, previews the decision without making it. Default: `false`. */
  dry_run?: boolean;
}

export interface SalesReviewRequest {
  /**
   * `keep`: the paid commission stands, although facts contradict it. `same_refunds`: the refunds in doubt are
   * those that count. Other facts put both in doubt again.
   */
  review_action: SaleReviewAction;
  /** `updated_at` of the sale that was reviewed. If the sale has changed since then, the answer is 409. */
  updated_at?: string;
}

export interface SalesAssignRequest {
  /** The affiliate who earns. Send either this or `referral_id`. */
  affiliate_id?: string;
  /** The referral through which the customer came. Send either this or `affiliate_id`. */
  referral_id?: string;
  /** If `true`, previews the assignment without making it. Default: `false`. */
  dry_run?: boolean;
}

export interface TrackingRecordVisitRequest {
  /** ID of the account. */
  account_id: string;
  /** Value of the `via` parameter of the page URL. */
  token?: string | null;
  /**
   * Value of the `referral` parameter of the page URL, which a tracked link adds. If this referral is live, the
   * link has already counted the visit.
   */
  passed_referral_id?: string | null;
  /**
   * Existing referral of this browser. It is kept while it is live, unless the campaign of the link uses
   * `last_click`.
   */
  referral_id?: string | null;
  /** Part of the page URL that contains `via` or `referral`, in place of `token` and `passed_referral_id`. */
  parameters?: string | null;
  /** URL of the page. */
  url?: string | null;
  /** URL of the page from which the visitor came (`document.referrer`). */
  referrer?: string | null;
  /**
   * Domain for which the browser accepts cookies. If the request goes to the merchant’s own domain, the response
   * sets the referral cookie for this domain.
   */
  cookie_domain?: string | null;
}

export interface TrackingRecordLeadRequest {
  /** ID of the referral. */
  referral_id: string;
  /** Email address. */
  email: string;
  /** Name. */
  name?: string | null;
  /** Your own ID of the customer. */
  external_customer_id?: string | null;
}

/** State of an affiliate. More values may be added. */
export type AffiliateState = 'pending' | 'active' | 'disabled' | 'suspicious' | 'rejected';

/** Kind of an entry in the timeline of an affiliate. More values may be added. */
export type AffiliateTimelineKind =
  | 'joined'
  | 'first_click'
  | 'first_sale'
  | 'refund'
  | 'refund_failed'
  | 'dispute_lost'
  | 'payout_paid'
  | 'payout_returned';

/** Dimension by which a report is grouped. More values may be added. */
export type AnalyticsDimension =
  | 'day'
  | 'week'
  | 'month'
  | 'affiliate'
  | 'campaign'
  | 'link'
  | 'landing_path'
  | 'referrer'
  | 'utm_source'
  | 'utm_medium'
  | 'utm_campaign'
  | 'utm_term'
  | 'utm_content'
  | 'sub1'
  | 'sub2'
  | 'sub3'
  | 'sub4'
  | 'sub5'
  | 'country'
  | 'device'
  | 'browser';

/** Decision about applications. More values may be added. */
export type ApplicationDecision = 'approve' | 'reject';

/** Rule that decided which referral a visitor has after a click. More values may be added. */
export type AppliedTouchRule = 'new_visitor' | 'first_click' | 'last_click' | 'former_not_live';

/** Which click of a visitor counts. More values may be added. */
export type Attribution = 'first_click' | 'last_click';

/** Contradiction between a report of a bank and the payouts. More values may be added. */
export type BankReportProblemCode = 'amount_mismatch' | 'sum_mismatch' | 'arrived_after_all';

/** Reason why an address gets no emails. More values may be added. */
export type BlockReason = 'no_such_recipient' | 'complaint';

/** Result of an item of a bulk call. More values may be added. */
export type BulkResult = 'created' | 'updated' | 'unchanged' | 'failed';

/** Unit to which the limit of a reward rule applies. More values may be added. */
export type CapScope = 'sale' | 'referral' | 'affiliate';

/** Time over which the limit of a reward rule applies. More values may be added. */
export type CapWindow = 'ever' | 'month' | 'year';

/** Origin of a commission. More values may be added. */
export type CommissionKind = 'sale' | 'bonus' | 'lead' | 'milestone' | 'adjustment' | 'manual' | 'imported';

/** State of a commission. More values may be added. */
export type CommissionState = 'pending' | 'due' | 'paid' | 'voided';

/** `visitor`, `lead` (signed up), or `conversion` (paid). More values may be added. */
export type ConversionState = 'visitor' | 'lead' | 'conversion';

/** New or returning customer. More values may be added. */
export type CustomerAge = 'new' | 'returning';

/** Status of a webhook delivery. More values may be added. */
export type DeliveryStatus = 'pending' | 'succeeded' | 'failed' | 'canceled';

/** Kind of a discrepancy. More values may be added. */
export type DiscrepancyCode =
  | 'run_stuck'
  | 'export_stuck'
  | 'missing_claim'
  | 'orphaned_claim'
  | 'amount_mismatch'
  | 'item_mismatch'
  | 'unpaid_commissions'
  | 'uncollected_commissions'
  | 'paid_commissions'
  | 'sale_mismatch'
  | 'paid_attribution'
  | 'paid_reward'
  | 'paid_lead'
  | 'paid_milestone'
  | 'uncounted_refund'
  | 'failed_event'
  | 'kept_event'
  | 'mode_mismatch'
  | 'terms_mismatch'
  | 'earner_mismatch'
  | 'limit_exceeded'
  | 'cap_exceeded'
  | 'bonus_mismatch'
  | 'credit_mismatch'
  | 'review_mismatch'
  | 'payout_mismatch'
  | 'paid_twice'
  | 'open_payment'
  | 'event_mismatch'
  | 'payment_mismatch'
  | 'refund_mismatch';

/** Kind of who has caused an event. More values may be added. */
export type EventActorKind = 'session' | 'affiliate' | 'api_key' | 'connector' | 'system';

/** Effect of an event of a payment provider. More values may be added. */
export type EventOutcome = 'processed' | 'pending' | 'duplicate' | 'ignored';

/** An event type, or a pattern for several types. More values may be added. */
export type EventSubscription =
  | '*'
  | 'affiliate.*'
  | 'campaign.*'
  | 'reward_rule.*'
  | 'tier.*'
  | 'link.*'
  | 'promo_code.*'
  | 'referral.*'
  | 'customer.*'
  | 'sale.*'
  | 'commission.*'
  | 'payout.*'
  | 'payout_method.*'
  | 'payout_run.*'
  | 'payout_export.*'
  | 'import.*'
  | 'affiliate.created'
  | 'affiliate.approved'
  | 'affiliate.updated'
  | 'affiliate.tier_changed'
  | 'campaign.created'
  | 'campaign.updated'
  | 'reward_rule.created'
  | 'reward_rule.updated'
  | 'tier.created'
  | 'tier.updated'
  | 'link.created'
  | 'link.updated'
  | 'promo_code.created'
  | 'promo_code.updated'
  | 'referral.created'
  | 'referral.converted'
  | 'referral.updated'
  | 'customer.created'
  | 'customer.updated'
  | 'customer.merged'
  | 'sale.recorded'
  | 'sale.refunded'
  | 'sale.updated'
  | 'commission.created'
  | 'commission.due'
  | 'commission.paid'
  | 'commission.voided'
  | 'commission.updated'
  | 'payout.created'
  | 'payout.updated'
  | 'payout.merged'
  | 'payout.paid'
  | 'payout.returned'
  | 'payout.failed'
  | 'payout_method.created'
  | 'payout_method.updated'
  | 'payout_run.finished'
  | 'payout_export.paid'
  | 'import.completed';

/** Type of an event. More values may be added. */
export type EventType =
  | 'affiliate.created'
  | 'affiliate.approved'
  | 'affiliate.updated'
  | 'affiliate.tier_changed'
  | 'campaign.created'
  | 'campaign.updated'
  | 'reward_rule.created'
  | 'reward_rule.updated'
  | 'tier.created'
  | 'tier.updated'
  | 'link.created'
  | 'link.updated'
  | 'promo_code.created'
  | 'promo_code.updated'
  | 'referral.created'
  | 'referral.converted'
  | 'referral.updated'
  | 'customer.created'
  | 'customer.updated'
  | 'customer.merged'
  | 'sale.recorded'
  | 'sale.refunded'
  | 'sale.updated'
  | 'commission.created'
  | 'commission.due'
  | 'commission.paid'
  | 'commission.voided'
  | 'commission.updated'
  | 'payout.created'
  | 'payout.updated'
  | 'payout.merged'
  | 'payout.paid'
  | 'payout.returned'
  | 'payout.failed'
  | 'payout_method.created'
  | 'payout_method.updated'
  | 'payout_run.finished'
  | 'payout_export.paid'
  | 'import.completed';

/** Kind of a step in the explanation of an amount. More values may be added. */
export type ExplanationStep =
  | 'sale'
  | 'line'
  | 'base_reward'
  | 'rule'
  | 'adjustment'
  | 'manual'
  | 'imported'
  | 'commissions'
  | 'difference'
  | 'voided'
  | 'fee'
  | 'screening';

/**
 * Format of an export file: `csv`, `walleta` (PayPal), `walletb` (Wise), `bank_sepa` or `bank_ach`. More values
 * may be added.
 */
export type ExportFormat = 'csv' | 'walleta' | 'walletb' | 'bank_sepa' | 'bank_ach';

/** Reason why a payout does not fit into an export file. More values may be added. */
export type ExportObstacle =
  | 'method_paused'
  | 'missing_wallet_address'
  | 'unsafe_wallet_address'
  | 'mixed_currencies'
  | 'fractional_amount'
  | 'unsupported_currency'
  | 'unsupported_amount'
  | 'below_minimum'
  | 'fee_exceeds_amount'
  | 'too_many_rows';

/** Outcome of a dispute. More values may be added. */
export type FactDisputeOutcome = 'open' | 'won' | 'lost';

/** Effect of a fact. More values may be added. */
export type FactOutcome = 'pending' | 'duplicate' | 'ignored' | 'valid';

/** State of a refund. More values may be added. */
export type FactRefundState = 'waiting' | 'done' | 'failed';

/** Person who bears the fee of a payment. More values may be added. */
export type FeeBearer = 'merchant' | 'affiliate';

/** Reason why a caller with the permission is refused. More values may be added. */
export type ForbiddenReason = 'sign_in_again' | 'person_needed';

/** Kind of an identity of a customer. More values may be added. */
export type IdentityKind = 'email' | 'psp_customer_id' | 'external_customer_id' | 'payer_id';

/** Source of an identity of a customer. More values may be added. */
export type IdentitySource = 'merchant' | 'provider' | 'lead';

/** Reason why an import failed. More values may be added. */
export type ImportFailure = 'key_refused' | 'no_api_access' | 'not_understood' | 'goes_round' | 'unreachable' | 'file_unreadable';

/** Outcome of a record of an import. More values may be added. */
export type ImportOutcome = 'new' | 'existing' | 'skipped' | 'problem';

/** The present work of an import. More values may be added. */
export type ImportPhase = 'reading' | 'checking' | 'making' | 'removing';

/** State of an import. More values may be added. */
export type ImportState = 'draft' | 'reading' | 'ready' | 'running' | 'done' | 'undoing' | 'undone' | 'failed';

/** Kind of records with amounts. More values may be added. */
export type ImportedAmount = 'commission' | 'payout';

/** Kind of a record of an import. More values may be added. */
export type ImportedKind = 'campaign' | 'affiliate' | 'link' | 'customer' | 'code' | 'commission' | 'payout';

/** Reason why a payout cannot be paid now. More values may be added. */
export type IneligibleReason =
  | 'below_minimum'
  | 'affiliate_inactive'
  | 'on_hold'
  | 'not_positive'
  | 'details_changed'
  | 'moving_in'
  | 'screening'
  | 'claimed';

/** Action on an invitation. More values may be added. */
export type InvitationAction = 'accept' | 'revoke';

/** Role that an invitation offers. More values may be added. */
export type InvitationKind = 'member' | 'affiliate';

/** Status of an invitation. More values may be added. */
export type InvitationStatus = 'pending' | 'accepted' | 'revoked';

/** Reason why a line of a sale earns nothing. More values may be added. */
export type LineNote = 'other_currency' | 'cap_other_currency';

/** Number that a milestone counts. More values may be added. */
export type MilestoneMetric = 'customers' | 'sales' | 'revenue';

/** Time over which a milestone counts. More values may be added. */
export type MilestoneWindow = 'ever' | 'month' | 'quarter';

/** Reason why a sale earned no commission. More values may be added. */
export type NoCommissionReason =
  | 'no_referral'
  | 'before_visit'
  | 'referral_expired'
  | 'referral_deactivated'
  | 'affiliate_inactive'
  | 'campaign_archived'
  | 'max_commissions_reached'
  | 'commission_period_over'
  | 'nothing_to_earn'
  | 'excluded'
  | 'shadow';

/** The next act of a person for a payment. More values may be added. */
export type OutlookAct = 'enter_payout_details' | 'accept_payment' | 'pay_by_hand' | 'review_affiliate';

/** Reason why an open payout is not paid. More values may be added. */
export type OutlookObstacle =
  | 'negative'
  | 'empty'
  | 'affiliate_inactive'
  | 'on_hold'
  | 'no_address'
  | 'below_minimum'
  | 'details_changed'
  | 'moving_in'
  | 'screening';

/** Treatment of a payment outside the payment provider. More values may be added. */
export type PaidOutside = 'counted' | 'excluded';

/** Where links carry their token. More values may be added. */
export type ParameterType = 'query' | 'hash';

/** Unit for which a fixed reward is paid. More values may be added. */
export type PayPer = 'sale' | 'unit';

/** Outcome of a payment. More values may be added. */
export type PayoutAttemptOutcome = 'arrived' | 'failed';

/** State of an attempt to pay a payout. More values may be added. */
export type PayoutAttemptState =
  | 'prepared'
  | 'approved'
  | 'sent'
  | 'unknown'
  | 'in_transit'
  | 'unclaimed'
  | 'arrived'
  | 'returned'
  | 'failed'
  | 'withdrawn';

/** State of payments that the service sends together. More values may be added. */
export type PayoutBatchState = 'prepared' | 'approved' | 'paying' | 'paid' | 'partly_paid' | 'withdrawn';

/** Reason why payments that may be sent wait. More values may be added. */
export type PayoutBatchStop =
  | 'payouts_stopped'
  | 'method_paused'
  | 'allowed_hours'
  | 'rail_stopped'
  | 'rail_missing'
  | 'screening';

/** State of a payout export. More values may be added. */
export type PayoutExportState = 'processing' | 'paying' | 'paid' | 'released';

/** State of a payout method. More values may be added. */
export type PayoutMethodState = 'confirmed' | 'held' | 'retired';

/** Reason why a method cannot pay a payout. More values may be added. */
export type PayoutObstacle =
  | 'method_paused'
  | 'missing_address'
  | 'unsafe_address'
  | 'unsupported_address'
  | 'unsupported_currency'
  | 'mixed_currencies'
  | 'fractional_amount'
  | 'unsupported_amount'
  | 'below_minimum'
  | 'fee_exceeds_amount'
  | 'too_many_items';

/** Reason why an item of a payout run failed. More values may be added. */
export type PayoutRunIssue =
  | 'amount_mismatch'
  | 'commission_flagged'
  | 'affiliate_inactive'
  | 'not_positive'
  | 'below_minimum'
  | 'payout_details_changed'
  | 'screening'
  | 'missing_payout_details'
  | 'payment_failed';

/** State of an item of a payout run. More values may be added. */
export type PayoutRunItemState = 'planned' | 'paid' | 'returned' | 'failed' | 'excluded' | 'canceled';

/** State of a payout run. More values may be added. */
export type PayoutRunState = 'planned' | 'executing' | 'completed' | 'partially_completed' | 'canceled';

/** State of a payout. More values may be added. */
export type PayoutState = 'pending' | 'due' | 'processing' | 'paid' | 'returned';

/** Kind of a person. More values may be added. */
export type PersonKind = 'customer' | 'affiliate';

/** Role that a person still has. More values may be added. */
export type PersonRole = 'customer' | 'affiliate' | 'member';

/** Billing interval of a price. More values may be added. */
export type PriceInterval = 'day' | 'week' | 'month' | 'year' | 'one_time';

/** Operation on a promo code. More values may be added. */
export type PromoCodeOperation = 'import' | 'create' | 'refresh' | 'stop';

/** Outcome of an operation on a promo code. More values may be added. */
export type PromoCodeOperationState = 'previewed' | 'succeeded';

/** Operation on a promo code whose outcome is unknown. More values may be added. */
export type PromoCodePendingOperation = 'import' | 'create';

/** Status of an assigned promo code. More values may be added. */
export type PromoCodeStatus = 'active' | 'inactive' | 'stopped';

/** Kind of a refund. More values may be added. */
export type RefundKind = 'refund' | 'refund_failed' | 'dispute_lost';

/** Action on the failed items of a payout run. More values may be added. */
export type RemediationAction = 'retry' | 'exclude' | 'cancel';

/** Part of a report that had no effect. More values may be added. */
export type ReportWarning = 'unknown_promo_code';

/** Decision about a flagged commission. More values may be added. */
export type ReviewAction = 'approve' | 'suspicious' | 'deactivate' | 'reconsider' | 'keep';

/** Reason why a commission was flagged. More values may be added. */
export type ReviewReason =
  | 'self_referral'
  | 'possible_duplicate'
  | 'tax_currency'
  | 'crowded_network'
  | 'unproven_lead'
  | 'unverified_address'
  | 'suspicious_affiliate'
  | 'unpaid_lead'
  | 'dispute';

/** Result of the review of a commission. More values may be added. */
export type ReviewStatus = 'suspicious' | 'approved';

/** Way in which a reward rule pays. More values may be added. */
export type RewardApply = 'instead' | 'on_top';

/** Event for which a reward rule pays. More values may be added. */
export type RewardEvent = 'sale' | 'lead' | 'milestone';

/** Way of computing commissions. More values may be added. */
export type RewardType = 'percent' | 'fixed';

/** Fault of a reward rule. More values may be added. */
export type RewardWarningCode =
  | 'shadowed'
  | 'partly_shadowed'
  | 'contradiction'
  | 'unknown_product'
  | 'unknown_price'
  | 'ended_tier'
  | 'ended_period';

/** Role in an account. More values may be added. */
export type Role = 'viewer' | 'finance' | 'member' | 'admin' | 'owner';

/** Origin of a claim on a sale. More values may be added. */
export type SaleClaimKind = 'link' | 'code';

/** Outcome of a claim on a sale. More values may be added. */
export type SaleClaimStatus =
  | 'won'
  | 'another_claim_won'
  | 'made_after_charge'
  | 'visited_after_charge'
  | 'lead_without_effect'
  | 'referral_expired'
  | 'referral_deactivated'
  | 'affiliate_inactive'
  | 'campaign_archived';

/** Kind of a proposed change of the integration. More values may be added. */
export type SaleFixKind = 'code' | 'setting';

/** Reason why a sale has no commission. More values may be added. */
export type SaleGapReason =
  | 'no_reference'
  | 'unknown_reference'
  | 'named_later'
  | 'before_visit'
  | 'referral_expired'
  | 'referral_deactivated'
  | 'affiliate_inactive'
  | 'campaign_archived'
  | 'max_commissions_reached'
  | 'commission_period_over'
  | 'nothing_to_earn'
  | 'excluded'
  | 'shadow'
  | 'paid_outside';

/** Decision about a sale in doubt. More values may be added. */
export type SaleReviewAction = 'keep' | 'same_refunds';

/** Rule that decided who earns from a sale. More values may be added. */
export type SaleRule =
  | 'paid'
  | 'assigned'
  | 'redeemed_code'
  | 'converted'
  | 'named'
  | 'last_click'
  | 'first_claim'
  | 'none'
  | 'imported';

/** Way in which a sale was made. More values may be added. */
export type SaleWay = 'payment_link' | 'checkout' | 'subscription' | 'invoice' | 'payment' | 'report';

/** Result of a comparison with lists. More values may be added. */
export type ScreeningResult = 'clear' | 'hit' | 'unavailable';

/** Kind of a record that a search found. More values may be added. */
export type SearchedKind =
  | 'affiliate'
  | 'customer'
  | 'referral'
  | 'sale'
  | 'commission'
  | 'payout'
  | 'payout_run'
  | 'link'
  | 'promo_code';

/** Kind of an entry in a timeline. More values may be added. */
export type TimelineKind =
  | 'click'
  | 'referral_created'
  | 'converted'
  | 'deactivated'
  | 'sale'
  | 'sale_corrected'
  | 'sale_assigned'
  | 'refund'
  | 'refund_failed'
  | 'dispute_lost'
  | 'commission_created'
  | 'commission_changed'
  | 'commission_moved'
  | 'adjustment_created'
  | 'commission_due'
  | 'commission_paid'
  | 'commission_voided'
  | 'payout_claimed'
  | 'payout_paid'
  | 'payout_returned';

/** An account as a signed-in member sees it. */
export interface Account {
  /** ID of the account. */
  id: string;
  /** `false` for the test account, which holds the records of test mode. */
  livemode: boolean;
  /** Name. */
  name: string;
  /** Default currency for new amounts. */
  currency: string;
  /** Role of the signed-in person in the account. */
  role: Role;
  /** Time zone of the account. Days in pages, emails, statements and analytics are days in it. */
  time_zone: string;
  /** Language of emails to people who have not chosen a language. */
  mail_language: MailLanguage;
  /** `true` if promo codes take precedence over links. */
  code_before_link: boolean;
  payout_approval: PayoutApproval;
  /** Fees, minimums and pauses of methods. Methods that are not named have none. */
  payout_terms: PayoutTerms[];
  /** Time from which the service sends no payments; `null` if it does. */
  payouts_stopped_at: string | null;
  /** `true` if the service filled the account with example data. */
  is_example: boolean;
  /** Time from which the account is closed to members without a second factor; null when none is required. */
  second_factor_required_from: string | null;
  /** `true` if the account is closed to the user because the user has no second factor. */
  lacks_second_factor: boolean;
  /** Time at which the account will be deleted; null if no deletion is scheduled. */
  deletion_scheduled_at: string | null;
}

/** Rules for payments that the service sends. */
export interface PayoutApproval {
  /**
   * Payments that somebody else than who prepared them must approve: none, all, or those that exceed the amounts
   * of `above`.
   */
  second_person: SecondPerson;
  /** Largest amounts that are sent within 24 hours without approval. `0` in other currencies. Only for `above`. */
  above: {
    /** ISO 4217 currency code. */
    currency: string;
    /** Amount in the currency’s minor unit. */
    amount_cents: number;
  }[];
  /**
   * Largest amounts that are sent within 24 hours, with or without approval. `0` in other currencies. `null`: no
   * limit.
   */
  daily_limits:
    | {
        /** ISO 4217 currency code. */
        currency: string;
        /** Amount in the currency’s minor unit. */
        amount_cents: number;
      }[]
    | null;
  /**
   * `true`: somebody else must approve the first payment of an affiliate by a method, and the first one after a
   * change of addresses.
   */
  new_methods: boolean;
  /**
   * Hours of the day, in the time zone of the account, in which payments are sent: from the beginning of `from` to
   * the beginning of `until`. `null`: all hours.
   */
  allowed_hours: {
    /** Lower bound, inclusive. */
    from: number;
    /** Last day of the range. */
    until: number;
  } | null;
}

/** The terms on which affiliates are paid by a method. */
export interface PayoutTerms {
  /** Kind of the method. */
  method: string;
  /** `affiliate`: the fee of a payment is taken from the amount that is sent. `merchant`: it is paid besides. */
  fee_bearer: FeeBearer;
  /**
   * Fee of a payment that an affiliate bears. In other currencies, it is the fee that the service quotes before;
   * without a quote, you bear it.
   */
  fees: {
    /** ISO 4217 currency code. */
    currency: string;
    /** Amount in the currency’s minor unit. */
    amount_cents: number;
  }[];
  /** Smallest payouts that are paid by the method. No minimum in other currencies. */
  minimums: {
    /** ISO 4217 currency code. */
    currency: string;
    /** Amount in the currency’s minor unit. */
    amount_cents: number;
  }[];
  /**
   * `true`: nothing new is prepared or sent by the method. Payments that the service which pays has are followed
   * to their end.
   */
  paused: boolean;
}

/** A request with an API key. Kept for 7 days, at most 20,000 entries a day. */
export interface ApiRequest {
  /** ID of the API request. */
  id: string;
  /** ID of the API key. */
  key_id: string;
  /** HTTP method. */
  method: string;
  /** Path without the query. Other values than IDs of records are replaced by the name of the parameter. */
  path: string;
  /** HTTP status of the response, or that of a canceled request if the client did not read the whole response. */
  status: number;
  /** `code` of an error. */
  error_code: string | null;
  /** The `X-Request-Id` of the response. */
  request_id: string;
  /** Time until the response was sent, in milliseconds. */
  duration_ms: number;
  /**
   * Number of requests. Refusals within a second with the same key, method, route, status and error code are one
   * entry.
   */
  count: number;
  /** ISO 8601 time in UTC with milliseconds. */
  created_at: string;
}

/**
 * A recorded action: a write by a member or an AI assistant, a write by an API key in the settings, a sign-in of
 * a member, or a merge of customers by the service.
 */
export interface AuditEntry {
  /** ID of the audit entry. */
  id: string;
  /**
   * `connector`, `api_key`, `session`, or `system` for changes that the service made itself, e.g. after a Stripe
   * event.
   */
  caller_kind: string;
  /** ID of the connector, API key, or user; `system` for changes that the service made itself. */
  caller_id: string;
  /** Name of the group of operations. */
  tool: string;
  /** Action, e.g. `create`. */
  action: string;
  /** Arguments of the call. Secrets are removed and long texts truncated. */
  arguments: unknown;
  /** `true` if the call was a preview, which changes nothing. */
  preview: boolean;
  /**
   * `succeeded`, `replayed` (stored response of an earlier call), or an error code. `null` while the call runs or
   * if the process stopped before it finished.
   */
  outcome: string | null;
  /** ID of the request. */
  request_id: string;
  /** ISO 8601 time in UTC with milliseconds. */
  created_at: string;
  /** ISO 8601 time in UTC with milliseconds. */
  completed_at: string | null;
}

/** Access of an AI assistant to the account. */
export interface Connector {
  /** ID of the connector. */
  id: string;
  /** `false` for records of test mode. */
  livemode: boolean;
  /** Name. */
  name: string;
  /** `token`: uses its own token. `oauth`: authorized by a user in the browser. */
  kind: ConnectorKind;
  /** First characters of the token, for identification. Empty for `oauth`. */
  prefix: string;
  /** User who authorized the connector; `null` for `token`. */
  authorized_by_user_id: string | null;
  /**
   * Map of permission names (`mcp.*`, `settings.webhooks.*`, `settings.members.read` and
   * `settings.connectors.read`) to booleans. Permissions that are absent are denied.
   */
  permissions: Partial<
    Record<
      | 'mcp.api_keys.read'
      | 'mcp.api_keys.write'
      | 'mcp.affiliates.read'
      | 'mcp.affiliates.write'
      | 'mcp.affiliate_coupons.read'
      | 'mcp.affiliate_coupons.write'
      | 'mcp.campaigns.read'
      | 'mcp.campaigns.write'
      | 'mcp.links.read'
      | 'mcp.links.write'
      | 'mcp.referrals.read'
      | 'mcp.referrals.write'
      | 'mcp.sales.read'
      | 'mcp.sales.write'
      | 'mcp.commissions.read'
      | 'mcp.commissions.write'
      | 'mcp.payouts.read'
      | 'mcp.payouts.write'
      | 'mcp.payout_exports.read'
      | 'mcp.payout_exports.write'
      | 'mcp.payout_runs.read'
      | 'mcp.payout_runs.write'
      | 'mcp.payout_outcomes.write'
      | 'mcp.invitations.read'
      | 'mcp.invitations.write'
      | 'settings.webhooks.read'
      | 'settings.webhooks.write'
      | 'settings.members.read'
      | 'settings.connectors.read',
      boolean
    >
  >;
  /** Largest amount per currency that the assistant may mark as paid within 24 hours; `null`: no limit. */
  daily_pay_limits:
    | {
        /** ISO 4217 currency code. */
        currency: string;
        /** Amount in the currency’s minor unit. */
        amount_cents: number;
      }[]
    | null;
  /** `true` if an API key of live mode made the connector. Such a connector sees and makes only live records. */
  live_only: boolean;
  /** ISO 8601 time in UTC with milliseconds. */
  expires_at: string | null;
  /** Time of last use, to the minute. */
  last_used_at: string | null;
  /** ISO 8601 time in UTC with milliseconds. */
  revoked_at: string | null;
  /** ISO 8601 time in UTC with milliseconds. */
  created_at: string;
  /** ISO 8601 time in UTC with milliseconds. */
  updated_at: string;
}

export interface CreatedConnector {
  /** ID of the connector. */
  id: string;
  /** `false` for records of test mode. */
  livemode: boolean;
  /** Name. */
  name: string;
  /** `token`: uses its own token. `oauth`: authorized by a user in the browser. */
  kind: ConnectorKind;
  /** First characters of the token, for identification. Empty for `oauth`. */
  prefix: string;
  /** User who authorized the connector; `null` for `token`. */
  authorized_by_user_id: string | null;
  /**
   * Map of permission names (`mcp.*`, `settings.webhooks.*`, `settings.members.read` and
   * `settings.connectors.read`) to booleans. Permissions that are absent are denied.
   */
  permissions: Partial<
    Record<
      | 'mcp.api_keys.read'
      | 'mcp.api_keys.write'
      | 'mcp.affiliates.read'
      | 'mcp.affiliates.write'
      | 'mcp.affiliate_coupons.read'
      | 'mcp.affiliate_coupons.write'
      | 'mcp.campaigns.read'
      | 'mcp.campaigns.write'
      | 'mcp.links.read'
      | 'mcp.links.write'
      | 'mcp.referrals.read'
      | 'mcp.referrals.write'
      | 'mcp.sales.read'
      | 'mcp.sales.write'
      | 'mcp.commissions.read'
      | 'mcp.commissions.write'
      | 'mcp.payouts.read'
      | 'mcp.payouts.write'
      | 'mcp.payout_exports.read'
      | 'mcp.payout_exports.write'
      | 'mcp.payout_runs.read'
      | 'mcp.payout_runs.write'
      | 'mcp.payout_outcomes.write'
      | 'mcp.invitations.read'
      | 'mcp.invitations.write'
      | 'settings.webhooks.read'
      | 'settings.webhooks.write'
      | 'settings.members.read'
      | 'settings.connectors.read',
      boolean
    >
  >;
  /** Largest amount per currency that the assistant may mark as paid within 24 hours; `null`: no limit. */
  daily_pay_limits:
    | {
        /** ISO 4217 currency code. */
        currency: string;
        /** Amount in the currency’s minor unit. */
        amount_cents: number;
      }[]
    | null;
  /** `true` if an API key of live mode made the connector. Such a connector sees and makes only live records. */
  live_only: boolean;
  /** ISO 8601 time in UTC with milliseconds. */
  expires_at: string | null;
  /** Time of last use, to the minute. */
  last_used_at: string | null;
  /** ISO 8601 time in UTC with milliseconds. */
  revoked_at: string | null;
  /** ISO 8601 time in UTC with milliseconds. */
  created_at: string;
  /** ISO 8601 time in UTC with milliseconds. */
  updated_at: string;
  /** The secret token. Returned only once. */
  token: string;
}

/** A connection to an account at a payment provider. Contains no secrets. */
export interface ProviderConnection {
  /** ID of the connection. */
  id: string;
  /** Kind of the source: a payment provider, or `facts` for facts that your own server signs. */
  source: string;
  /** `false` for records of test mode. */
  livemode: boolean;
  /** ID of your account at the provider. */
  provider_account_id: string;
  /** Name of your account at the provider. */
  provider_account_name: string | null;
  /** URL to which the provider must send events. */
  webhook_url: string;
  /** The same URL as `webhook_url`. */
  events_url: string;
  /** Event types to subscribe to at the provider. */
  webhook_event_types: string[];
  /** Your decisions about what earns, by name. `GET /connections/sources` lists the options. */
  choices: Record<string, string>;
  /** `false` while events are refused, because no signing secret is set. */
  has_signing_secret: boolean;
  /**
   * Reason why the provider could not be asked for events that were not delivered, e.g. because the key has
   * expired. `null` if it could, the last time.
   */
  problem: string | null;
  /** Time of the last event; `null` if there was none in 90 days. */
  last_event_at: string | null;
  /** Number of events that are kept without an effect, e.g. because they are of the other mode. */
  ignored_events: number;
  /** Reasons why these events had no effect, with the number of events each. The most frequent reasons come first. */
  ignored_reasons: IgnoredReason[];
  /** Number of events that could not be applied so far. */
  waiting_events: number;
  /** Time from which the provider refuses the key. `null` unless the provider has announced it. */
  key_expires_at: string | null;
  /** Time at which the provider was last asked for events that were not delivered. */
  looked_at: string | null;
  /** ISO 8601 time in UTC with milliseconds. */
  created_at: string;
  /** ISO 8601 time in UTC with milliseconds. */
  updated_at: string;
}

export interface IgnoredReason {
  /** The reason. */
  reason: string;
  /** Number of records. */
  count: number;
}

/** A connection to an account at a payment provider. */
export interface ProviderConnectionWithSecret {
  /** ID of the connection. */
  id: string;
  /** Kind of the source: a payment provider, or `facts` for facts that your own server signs. */
  source: string;
  /** `false` for records of test mode. */
  livemode: boolean;
  /** ID of your account at the provider. */
  provider_account_id: string;
  /** Name of your account at the provider. */
  provider_account_name: string | null;
  /** URL to which the provider must send events. */
  webhook_url: string;
  /** The same URL as `webhook_url`. */
  events_url: string;
  /** Event types to subscribe to at the provider. */
  webhook_event_types: string[];
  /** Your decisions about what earns, by name. `GET /connections/sources` lists the options. */
  choices: Record<string, string>;
  /** `false` while events are refused, because no signing secret is set. */
  has_signing_secret: boolean;
  /**
   * Reason why the provider could not be asked for events that were not delivered, e.g. because the key has
   * expired. `null` if it could, the last time.
   */
  problem: string | null;
  /** Time of the last event; `null` if there was none in 90 days. */
  last_event_at: string | null;
  /** Number of events that are kept without an effect, e.g. because they are of the other mode. */
  ignored_events: number;
  /** Reasons why these events had no effect, with the number of events each. The most frequent reasons come first. */
  ignored_reasons: IgnoredReason[];
  /** Number of events that could not be applied so far. */
  waiting_events: number;
  /** Time from which the provider refuses the key. `null` unless the provider has announced it. */
  key_expires_at: string | null;
  /** Time at which the provider was last asked for events that were not delivered. */
  looked_at: string | null;
  /** ISO 8601 time in UTC with milliseconds. */
  created_at: string;
  /** ISO 8601 time in UTC with milliseconds. */
  updated_at: string;
  /**
   * Secret with which you sign, or that you enter at the provider. Only if this service has made it, and returned
   * only once.
   */
  signing_secret?: string;
}

/** A kind of source that can be connected. */
export interface Source {
  /** Kind of the source: a payment provider, or `facts` for facts that your own server signs. */
  source: string;
  /** Name of the provider. */
  name: string;
  /** The fields of `credentials`. Empty if the source needs none. */
  fields: CredentialField[];
  /** `true` if this service makes the signing secret, and returns it when the source is connected. */
  makes_secret: boolean;
  /** `true` if this service creates the endpoint at the provider. */
  creates_endpoint: boolean;
  /** Decisions about what earns, which a connection of this source offers. */
  choices: ConnectionChoice[];
  /** The event types that the service handles. */
  event_types: string[];
}

export interface CredentialField {
  /** Name. */
  name: string;
  /** `true` for a value that pages hide. */
  secret: boolean;
  /** Form of the value. */
  placeholder: string;
}

export interface ConnectionChoice {
  /** Name. */
  name: string;
  /** The first one holds until you choose. */
  options: string[];
}

/** The account’s connection to Stripe. Contains no secrets. */
export interface PspConnection {
  /** `true` if the account is connected. */
  connected: boolean;
  /** `true` for a live-mode key, `false` for a test-mode key, `null` without a connection. */
  livemode: boolean | null;
  /** ID of the account at the payment provider. */
  psp_account_id: string | null;
  /** Name of the account at the payment provider. */
  psp_account_name: string | null;
  /** ID of the webhook endpoint in Stripe, if the service created it; otherwise `null`. */
  endpoint_id: string | null;
  /**
   * For a Stripe Connect platform: the connected account whose events count. `null` for the platform’s own
   * account. Events of other accounts are kept without an effect.
   */
  connected_account_id: string | null;
  /**
   * Key of Stripe metadata under which you store your own ID of the customer. Initially `customer_id`. `null` if
   * there is no such key.
   */
  customer_id_key: string | null;
  /**
   * Effect of an invoice that is marked as paid outside Stripe: `count` (earns commissions) or `exclude`. Applies
   * to payments that become known afterwards. Initially `count`.
   */
  outside_payments: OutsidePayments;
  /**
   * `true` if the service writes the IDs of `affiliate`, `campaign` and `commission` into the metadata of the
   * customer and the invoice in Stripe. Applies to commissions that change afterwards. Initially `false`.
   */
  write_back: boolean;
  /** Reason why the last attempt to write metadata failed. It is repeated. */
  write_back_problem: string | null;
  /** URL to which Stripe must send events. */
  webhook_url: string;
  /** Event types to subscribe to in Stripe. */
  webhook_event_types: string[];
  /** Time until which the previous signing secret is also accepted. */
  previous_webhook_secret_expires_at: string | null;
  /** ISO 8601 time in UTC with milliseconds. */
  created_at: string | null;
  /** ISO 8601 time in UTC with milliseconds. */
  updated_at: string | null;
}

/** The products and prices at the connected payment providers. */
export interface PspCatalog {
  /** `false` if no payment provider is connected. Then the lists are empty. */
  connected: boolean;
  /** Reason why the products could not be read, in plain words; `null` if they were. */
  problem: string | null;
  /**
   * `false` if a provider has more prices than its 1,000 newest ones, which are listed, or does not list its
   * products.
   */
  is_complete: boolean;
  /** The products, by name. */
  products: {
    /** ID. */
    id: string;
    /** The ID if the name cannot be read. */
    name: string;
  }[];
  /** Their prices, newest first. */
  prices: {
    /** ID. */
    id: string;
    /** Name. */
    name: string | null;
    /** The product that the price is for. */
    product_id: string;
    interval: PriceInterval;
    /** Amount of a unit; `null` if it depends on the quantity or the customer. */
    unit_cents: number | null;
    /** ISO 4217 currency code. */
    currency: string;
    /** Number of active ones. */
    active: boolean;
  }[];
}

/** The webhook endpoint in Stripe, and what the key may not do. */
export interface PspEndpointStatus {
  /** The endpoint at the payment provider. */
  endpoint: {
    /** ID. */
    id: string;
    /** `true` if the service created the endpoint. */
    is_managed: boolean;
    /** `true` if it is enabled. */
    is_enabled: boolean;
    /** `null` for the default version of the Stripe account. */
    api_version: string | null;
    /** Event types that the service handles and the endpoint does not receive. */
    missing_event_types: string[];
  } | null;
  /** Reason why events may be missing. `unreadable`: the key may not read endpoints. */
  problem: PspEndpointProblem | null;
  /**
   * Permissions that the key lacks, as Stripe names them. `purpose`: `endpoint` to create and repair the webhook
   * endpoint, `events` to read what events leave out, `lines` to read what was sold, `codes` for promo codes,
   * `write_back` to write metadata, if you have switched that on.
   */
  missing_permissions: {
    /** Resource at the payment provider. */
    resource: string;
    access: PspAccess;
    purpose: PermissionPurpose;
  }[];
}

/** A checkout in the test mode of Stripe that waits for its payment. */
export interface StartedTestPurchase {
  /** ID of the operation. */
  id: string;
  /** Address of the checkout at Stripe. Pay there with a test card. */
  checkout_url: string;
  /** The affiliate whose link the checkout names. */
  affiliate_id: string;
  /** Amount in the currency’s minor unit. */
  amount_cents: number;
  /** ISO 4217 currency code. */
  currency: string;
}

/** Progress of a test purchase. */
export interface TestPurchase {
  /** `null` until the event of the completed checkout has arrived. */
  checkout: {
    /** ISO 8601 time in UTC with milliseconds. */
    at: string;
    /** ID of the referral. */
    referral_id: string | null;
  } | null;
  /** `null` until the event of the payment has arrived. */
  sale: {
    /** ID of the sale. */
    id: string;
    /** Amount in the currency’s minor unit. */
    amount_cents: number;
    /** ISO 4217 currency code. */
    currency: string;
    /** Reason why the sale earned no commission; `null` if it earned one. */
    no_commission_reason: NoCommissionReason | null;
  } | null;
  /** The commission. */
  commission: {
    /** ID of the commission. */
    id: string;
    /** Amount in the currency’s minor unit. */
    amount_cents: number;
    /** ISO 4217 currency code. */
    currency: string;
  } | null;
}

/** A move of your program from another tool. Contains no key. */
export interface Import {
  /** ID of the import. */
  id: string;
  /** `false` for records of test mode. */
  livemode: boolean;
  /** The tool from which the records come. */
  source: string;
  /**
   * `reading`: the records are read and checked, and nothing is made yet; `draft`: files arrive in parts, or
   * reading was stopped; `ready`: everything is known that the import would make; `running`: records are made;
   * `done`; `undoing` and `undone`: the records that the import made are removed; `failed`: see `failure`.
   */
  state: ImportState;
  /** Files that were not read yet. They are deleted as soon as they are read, or cannot be read. */
  files: {
    /** The records in the file. */
    kind: string;
    /** Bytes of the text in UTF-8 that have arrived. */
    bytes: number;
    /** False while parts of the file are still to come. */
    is_complete: boolean;
  }[];
  /** Campaign of affiliates for whom the source names none. */
  campaign_id: string | null;
  /** Currency of amounts for which the source names none. */
  currency: string | null;
  /** Numbers of records by kind and outcome. */
  counts: {
    /** Kind of the record. */
    kind: ImportedKind;
    /** `null` for records that are not checked yet. */
    outcome: ImportOutcome | null;
    /** Number of records. */
    count: number;
    /** Number of them with which the import has finished. */
    done: number;
  }[];
  /** Amounts of commissions and payouts by currency and state. */
  totals: {
    /** Kind of the records. */
    kind: ImportedAmount;
    /** ISO 4217 currency code. */
    currency: string | null;
    /** State of the records at the source, in the words of this API. */
    state: string;
    /** Number of records. */
    count: number;
    /** Sum of all records of the source. */
    source_cents: number;
    /**
     * Sum of those that the import makes or has made, or that your account has. The difference is that of the
     * records that are skipped or a problem.
     */
    here_cents: number;
  }[];
  /** Progress of the work in the background; `null` if there is none. */
  progress: {
    /** The present work. */
    phase: ImportPhase;
    /** Number of records with which it is done. */
    done: number;
    /** Number of all records, or `null` if the source does not say how many it has. */
    total: number | null;
    /** Records in a minute since the work began, or went on. */
    per_minute: number;
    /** Seconds until the work is done, at this rate. */
    seconds_left: number | null;
  } | null;
  /** Number of records that the source says to have, or `null`. */
  expected_count: number | null;
  /**
   * Reason why the import failed. `key_refused`: the source does not accept the key; `no_api_access`: your plan
   * there has no API; `not_understood`: an answer has another form than documented; `goes_round`: a list begins
   * again and again; `unreachable`: the source did not answer for hours; `file_unreadable`: a file is not the CSV
   * that its kind needs. Run the import again to go on where it stopped.
   */
  failure: ImportFailure | null;
  /** The column of a file, or the list of the source, that the failure is about. */
  failure_detail: string | null;
  /** Time at which a source that asked to wait is asked again. */
  resume_at: string | null;
  /** ISO 8601 time in UTC with milliseconds. */
  read_at: string | null;
  /** ISO 8601 time in UTC with milliseconds. */
  done_at: string | null;
  /** ISO 8601 time in UTC with milliseconds. */
  created_at: string;
  /** ISO 8601 time in UTC with milliseconds. */
  updated_at: string;
}

/** A record of the source, and what becomes of it. */
export interface ImportRow {
  /** Kind of the record. */
  kind: ImportedKind;
  /** ID of the record at the source, or its place in a file. */
  source_id: string;
  /**
   * `new`: the record is made, or was made by this import; `existing`: your account has the record already, and it
   * stays as it is; `skipped`: there is nothing to do; `problem`: the record cannot be made, see `reason`.
   */
  outcome: ImportOutcome | null;
  /**
   * `repeated`: an earlier record of the import is the same; `no_customer`: a visitor who left no name, a customer
   * of a test, or one whom the source no longer counts for the affiliate; `invalid`: a field has no valid value,
   * see `detail`; `campaign_missing`, `affiliate_missing`: the record refers to one that is not there, or is a
   * campaign of which the source does not tell what affiliates earn and that has no namesake here; `token_taken`:
   * a link of another affiliate has the token; `other_affiliate`: the customer belongs to another affiliate here;
   * `currency_missing`: neither the record nor the import names a currency; `no_money`: points, months and the
   * like; `earned_here`: the sale has a commission here already; `not_paid`: the payout is not paid yet, and its
   * commissions wait for a payout here; `being_paid`: the former tool is paying the payout, so run the import
   * again when it has; `commissions_differ`: the commissions of the payout are not known, not all of them are
   * paid, or they do not add up to its amount; `changed_there`: the record has changed at the source, but its
   * commission was paid or adjusted here; `refused`: see `detail`; `in_use`: the record has earned or was paid
   * since, so it is not removed.
   */
  reason: ImportRowReason | null;
  /** The field that is wrong, and the code of the error. */
  detail: string | null;
  /** ID of the record here. For a customer, that of the referral. */
  record_id: string | null;
  /** The record as it was understood. */
  data: Record<string, unknown>;
}

/** The time in which your former tool still decides what sales earn. */
export interface Shadow {
  /**
   * `on`: the former tool decides what sales earn, nothing is paid, and affiliates get no news by email; `ending`:
   * sales earn here, and nothing is paid until the imports have read the former tool once more; `off`: the account
   * is no shadow.
   */
  state: ShadowState;
  /**
   * Time from which the former tool decides or, unless the state is `on`, until which it did; null if there was no
   * shadow.
   */
  since: string | null;
  /** Reading of the payments since `since` at your payment providers. */
  history: {
    /** Number of connections whose history is still being read. */
    open: number;
    /** Reason why the last attempt to read one failed. It is repeated. */
    problem: string | null;
  };
}

/** The sales of a customer, as a former tool and as this service decide them. */
export interface ShadowCustomer {
  /** ID of the customer. */
  customer_id: string;
  /** In the order of the charges. Sales that earn nothing in either are left out. */
  sales: {
    /** Null if the former tool names no payment. */
    sale_id: string | null;
    /** ISO 8601 time in UTC with milliseconds. */
    charged_at: string;
    /**
     * `equal`: both give the same; `differs`: see `cause`; `only_there`: nothing is earned here; `only_here`: the
     * former tool gives nothing.
     */
    outcome: ShadowOutcome;
    /**
     * Cause of the difference. `affiliate`: another affiliate earns; `currency`: the former tool has converted the
     * amount; `tax`, `refund`, `tax_and_refund`: the former tool pays for tax or for what was refunded or lost in a
     * dispute; `rounding`: one cent; `charge`: the former tool pays the same percentage of another amount, e.g. of
     * the price without discount; `terms`: another percentage, a fixed amount or reward rules; `duplicate`: the
     * former tool has a further commission for the same payment; `no_payment`, `no_customer`: it names no payment,
     * or no customer; `voided_there`: a person or a refund has voided the commission there; `not_earned_there`: the
     * former tool knows no commission. Other values say why the sale earns nothing here.
     */
    cause: ShadowCause | null;
    /** Commission of the former tool. */
    there: {
      /** ID of the affiliate. */
      affiliate_id: string;
      /** Name of the affiliate, or the email address if there is no name. */
      affiliate_name: string;
      /** Amount in the currency’s minor unit. */
      amount_cents: number;
      /** ISO 4217 currency code. */
      currency: string;
    } | null;
    /** Commission of this service, bonuses included. */
    here: {
      /** ID of the affiliate. */
      affiliate_id: string;
      /** Name of the affiliate, or the email address if there is no name. */
      affiliate_name: string;
      /** Amount in the currency’s minor unit. */
      amount_cents: number;
      /** ISO 4217 currency code. */
      currency: string;
    } | null;
    /** The decision of this service in plain words. */
    explanation: string;
  }[];
}

/** Sums of the commissions of a former tool and of this service, for a part of the customers. */
export interface ShadowSums {
  /** Sums by affiliate, month and currency, in no order. */
  data: {
    /** ID of the affiliate. */
    affiliate_id: string;
    /** Name of the affiliate, or the email address if there is no name. */
    affiliate_name: string;
    /** Month of the charges, in UTC. */
    month: string;
    /** ISO 4217 currency code. */
    currency: string;
    /** Sum of the commissions of the former tool. */
    there_cents: number;
    /** Sum of those of this service. */
    here_cents: number;
  }[];
  /** The same amounts by outcome, cause and currency, in no order. */
  causes: {
    /**
     * `equal`: both give the same; `differs`: see `cause`; `only_there`: nothing is earned here; `only_here`: the
     * former tool gives nothing.
     */
    outcome: ShadowOutcome;
    /**
     * Cause of the difference. `affiliate`: another affiliate earns; `currency`: the former tool has converted the
     * amount; `tax`, `refund`, `tax_and_refund`: the former tool pays for tax or for what was refunded or lost in a
     * dispute; `rounding`: one cent; `charge`: the former tool pays the same percentage of another amount, e.g. of
     * the price without discount; `terms`: another percentage, a fixed amount or reward rules; `duplicate`: the
     * former tool has a further commission for the same payment; `no_payment`, `no_customer`: it names no payment,
     * or no customer; `voided_there`: a person or a refund has voided the commission there; `not_earned_there`: the
     * former tool knows no commission. Other values say why the sale earns nothing here.
     */
    cause: ShadowCause | null;
    /** ISO 4217 currency code. */
    currency: string;
    /** Number of sales. One with two currencies is in both of them. */
    sales_count: number;
    /** Sum of the commissions of the former tool. */
    there_cents: number;
    /** Sum of those of this service. */
    here_cents: number;
  }[];
  /** Number of customers in this part. */
  customers_count: number;
  /** Customer after whom the next part begins, or `null` if this is the last part. */
  next: string | null;
}

/** The API key or the signed-in person that sends a request. */
export interface Caller {
  /** `api_key`, or `session` for a signed-in person. */
  kind: CallerKind;
  /** ID of the API key or the person. */
  id: string;
  /** Name of the API key or the person. */
  name: string;
  /** ID of the account. */
  account_id: string;
  /**
   * The mode of an API key. `false` for every caller in test mode; `null` for a person, or a key without a mode,
   * otherwise.
   */
  livemode: boolean | null;
  /** The account that the request is about. */
  account: {
    /** Name. */
    name: string;
    /** ISO 4217 currency code. */
    currency: string;
    /** Time zone of the days. */
    time_zone: string;
  };
  /** Role of the signed-in person, `invitee` for a person with a pending invitation only; `null` for an API key. */
  role: RoleOfCaller | null;
  /** The permissions of the caller on the REST APIs, without those that are not granted. */
  permissions: string[];
  /** Time at which the API key expires; `null` if it does not. */
  expires_at: string | null;
}

/** The texts of an email to affiliates. */
export interface EmailText {
  /** Name of the email. */
  mail: EmailTextName;
  language: MailLanguage;
  /** Subject. May contain placeholders. */
  subject: string;
  /** Paragraphs, separated by blank lines. Placeholders are written as `{{name}}`. */
  body: string;
  /** `true` if these are the default texts. */
  is_default: boolean;
  /** `true` if you may choose not to send this email. */
  is_optional: boolean;
  /** `true` for an email of the program. Each of these contains a link with which its reader ends all of them. */
  can_unsubscribe: boolean;
  /** `true` if this email is sent. */
  is_sent: boolean;
  /** Names of the placeholders that subject and body may contain. */
  placeholders: string[];
}

/** An address that gets no emails. */
export interface BlockedAddress {
  /** Email address. */
  email: string;
  /**
   * `no_such_recipient`: the address does not exist. `complaint`: its owner reported an email as spam, and only
   * gets emails that they ask for, e.g. sign-in links. `unsubscribed`: the affiliate ended the emails of the
   * program, and only the affiliate can start them again.
   */
  reason: BlockReason;
  /** ISO 8601 time in UTC with milliseconds. */
  blocked_at: string;
  /** Time from which the address gets emails again. Null if there is none. */
  expires_at: string | null;
}

/** An account at a service that pays affiliates. Contains no secrets. */
export interface PayoutRail {
  /** ID of the payout rail. */
  id: string;
  /** Kind of the method whose payments go through the rail. */
  kind: string;
  /** `false` for records of test mode. */
  livemode: boolean;
  /** Your account at the service that pays. */
  provider_account_id: string;
  /** URL to which the service that pays sends notices. */
  events_url: string;
  /** `false` if no notices come, so that payments are only asked about every few minutes. */
  has_endpoint: boolean;
  /** Reason for which no further payment is sent. Correct the cause, and resume the rail. */
  problem: string | null;
  /** ISO 8601 time in UTC with milliseconds. */
  problem_at: string | null;
  /** ISO 8601 time in UTC with milliseconds. */
  created_at: string;
  /** ISO 8601 time in UTC with milliseconds. */
  updated_at: string;
}

/** A service that can be connected to pay affiliates. */
export interface PayoutRailKind {
  /** Kind of the method whose payments go through the rail. */
  kind: string;
  /** Name of the service that pays. */
  name: string;
  /** `true` if the service sends payments; `false` for a bank account from which you pay the files of exports. */
  sends: boolean;
  /** The fields of `credentials`. */
  fields: RailField[];
}

export interface RailField {
  /** Name. */
  name: string;
  /** `true` if the answer is required. */
  required: boolean;
  /** `true` for a value that pages hide. */
  secret: boolean;
  /** Form of the value. */
  placeholder: string;
}

/** With what affiliates are compared before they are paid. */
export interface ScreeningSettings {
  /** `lists`: affiliates are compared with the lists before they are paid. `null`: they are not. */
  kind: ScreeningKind | null;
  /** The lists that the operator of the installation has loaded. */
  lists: ScreeningList[];
}

/** A list that the operator of the installation has loaded. */
export interface ScreeningList {
  /** `ofac`: United States; `un`: United Nations; `uk`: United Kingdom; `eu`: European Union. */
  list: string;
  /** Day of the version of the list. */
  list_date: string;
  /** Number of names in the list. */
  names_count: number;
  /** Time at which the operator of the installation loaded it. */
  loaded_at: string;
  /** `false` if it was loaded more than 30 days ago. Then nobody is cleared. */
  fresh: boolean;
}

/** The clock of test mode. */
export interface TestClock {
  /** The time by which dates of the account’s test records are compared. */
  now: string;
  /** Seconds by which the clock is ahead of the service’s clock. */
  ahead_seconds: number;
}

/** The result of copying campaigns to test mode. */
export interface CopiedCampaigns {
  /** The campaigns of live mode that are not archived, oldest first. */
  data: {
    /** The campaign in live mode. */
    live_campaign_id: string;
    /** The campaign in test mode. `null` in a preview of a copy. */
    campaign_id: string | null;
    /** Name of the campaign in live mode. */
    name: string;
    /** `false` if test mode already had a campaign with this slug or `external_id`. That campaign does not change. */
    copied: boolean;
    /** Number of copied reward rules. */
    rules_count: number;
    /** Number of copied tiers. */
    tiers_count: number;
    /** Number of reward rules that are not copied because they are for one affiliate or link. */
    left_out_rules_count: number;
    /**
     * IDs of products, prices and a coupon that the copy names. It has an effect in test mode if the provider’s test
     * mode uses the same IDs.
     */
    provider_ids: string[];
  }[];
}

/** The result of deleting all test data. */
export interface DeletedTestData {
  /** Number of deleted rows of the database. */
  deleted_count: number;
}

export interface WebhookDeliveryDetail {
  /** ID of the delivery, sent as `webhook-id` and `hook-id` with every attempt. */
  id: string;
  /** `false` for records of test mode. */
  livemode: boolean;
  /** ID of the webhook endpoint. */
  endpoint_id: string;
  /** ID of the event. */
  event_id: string;
  event_type: EventType;
  /** `true` for a test delivery. */
  test: boolean;
  /**
   * `pending`: not completed; `succeeded`; `failed`: all scheduled attempts failed; `canceled`: the endpoint was
   * deleted before the delivery was completed.
   */
  status: DeliveryStatus;
  /** Number of attempts so far. */
  attempts_count: number;
  /** Time of the next scheduled attempt; `null` if none is scheduled. */
  next_attempt_at: string | null;
  /** Time at which a manual retry was requested; `null` if none is outstanding. */
  retry_requested_at: string | null;
  /** ISO 8601 time in UTC with milliseconds. */
  last_attempt_at: string | null;
  /** HTTP status of the last attempt; `null` without a response. */
  response_status: number | null;
  /** Error code of the last attempt; `null` if it succeeded. */
  error_code: string | null;
  /** Time at which the delivery succeeded, finally failed, or was canceled. */
  completed_at: string | null;
  /** ISO 8601 time in UTC with milliseconds. */
  created_at: string;
  /** Request body, identical for every attempt. */
  request_body: string;
  /** Attempts, oldest first. */
  attempts: WebhookAttempt[];
}

/** One request of a delivery and its response. Kept for 30 days. */
export interface WebhookAttempt {
  /** Attempt number, starting at 1. */
  attempt: number;
  /** Origin of the attempt: the schedule or a manual request. */
  trigger: WebhookTrigger;
  /** ISO 8601 time in UTC with milliseconds. */
  started_at: string;
  /** Duration in milliseconds. */
  duration_ms: number;
  /** Headers that were sent. */
  request_headers: Record<string, string>;
  /** HTTP status; `null` without a response. */
  response_status: number | null;
  /** Headers that were received. */
  response_headers: Record<string, string> | null;
  /** First 16 KiB of the response body. */
  response_excerpt: string | null;
  /**
   * `null` after a 2xx status; otherwise `private_uri`, `invalid_uri`, `timeout`, `dns_error`, `ssl_error`,
   * `connection_error`, or `http_<status>`.
   */
  error_code: string | null;
}

export interface ResendSummary {
  /** Number of new deliveries, for events without a delivery to the endpoint or with only failed ones. */
  created_count: number;
  /** Number of pending deliveries that are attempted again immediately. */
  retried_count: number;
}

/** A URL that receives signed events of selected types. */
export interface WebhookEndpoint {
  /** ID of the webhook endpoint. */
  id: string;
  /** Name. */
  name: string;
  /**
   * URL to which events are posted. Must be http or https, without credentials (see `secret_headers`), on a public
   * address.
   */
  url: string;
  /**
   * Event types sent to this endpoint. `commission.*` stands for all about commissions, `*` for all, later types
   * included.
   */
  event_types: EventSubscription[];
  /**
   * `true` if deliveries are sent. Deliveries that come due while the endpoint is inactive are sent when it is
   * activated again.
   */
  active: boolean;
  /** `true`: events about live records only. `false`: events about test records only. `null`: both. */
  livemode: boolean | null;
  /** Names of the headers of `secret_headers`, in lower case. */
  secret_header_names: string[];
  /**
   * Reason why the service deactivated the endpoint: `gone` (it responded with 410) or `failing` (no success for
   * five days). `null` otherwise, and after reactivation.
   */
  disabled_reason: DisabledReason | null;
  /** ISO 8601 time in UTC with milliseconds. */
  disabled_at: string | null;
  /** Time of the first failure since the last success; `null` while deliveries succeed. */
  failing_since: string | null;
  /** Time of the last success, to the minute. */
  last_success_at: string | null;
  /** Time until which deliveries are also signed with the previous secret. */
  previous_secret_expires_at: string | null;
  /** ISO 8601 time in UTC with milliseconds. */
  deleted_at: string | null;
  /** ISO 8601 time in UTC with milliseconds. */
  created_at: string;
  /** ISO 8601 time in UTC with milliseconds. */
  updated_at: string;
}

export interface WebhookEndpointWithSecret {
  /** ID of the webhook endpoint. */
  id: string;
  /** Name. */
  name: string;
  /**
   * URL to which events are posted. Must be http or https, without credentials (see `secret_headers`), on a public
   * address.
   */
  url: string;
  /**
   * Event types sent to this endpoint. `commission.*` stands for all about commissions, `*` for all, later types
   * included.
   */
  event_types: EventSubscription[];
  /**
   * `true` if deliveries are sent. Deliveries that come due while the endpoint is inactive are sent when it is
   * activated again.
   */
  active: boolean;
  /** `true`: events about live records only. `false`: events about test records only. `null`: both. */
  livemode: boolean | null;
  /** Names of the headers of `secret_headers`, in lower case. */
  secret_header_names: string[];
  /**
   * Reason why the service deactivated the endpoint: `gone` (it responded with 410) or `failing` (no success for
   * five days). `null` otherwise, and after reactivation.
   */
  disabled_reason: DisabledReason | null;
  /** ISO 8601 time in UTC with milliseconds. */
  disabled_at: string | null;
  /** Time of the first failure since the last success; `null` while deliveries succeed. */
  failing_since: string | null;
  /** Time of the last success, to the minute. */
  last_success_at: string | null;
  /** Time until which deliveries are also signed with the previous secret. */
  previous_secret_expires_at: string | null;
  /** ISO 8601 time in UTC with milliseconds. */
  deleted_at: string | null;
  /** ISO 8601 time in UTC with milliseconds. */
  created_at: string;
  /** ISO 8601 time in UTC with milliseconds. */
  updated_at: string;
  /**
   * Signing secret. Give it to a library of Standard Webhooks as it is. For `hook-signature`, use its UTF-8 text
   * as the HMAC key. Returned only once.
   */
  signing_secret: string;
}

/** A user with access to the account. */
export interface Member {
  /** ID of the user. */
  user_id: string;
  /** Email address. */
  email: string;
  /** Name. */
  name: string;
  role: Role;
  /** `true` if signing in asks the user for a code. */
  has_second_factor: boolean;
  /** Time at which the user joined the account. */
  created_at: string;
  /** ISO 8601 time in UTC with milliseconds. */
  updated_at: string;
}

/** Settings of sign-up pages and the portal. */
export interface PortalSettings {
  /** ID of the account. */
  account_id: string;
  /** Name of the account in the addresses of its sign-up pages. */
  slug: string;
  /** Name under which affiliates know the account; null if they see the account’s own name. */
  brand_name: string | null;
  brand: Brand;
  /** Email address for questions of affiliates. */
  support_email: string | null;
  /**
   * `manual`: applicants wait until they are approved; `automatic`: all are approved; `rule`: the domain of their
   * email address decides.
   */
  approval: ApprovalMode;
  /** Domains whose applicants are approved. */
  approved_domains: string[];
  /** Domains whose applicants are rejected. */
  rejected_domains: string[];
  /** Questions to applicants. */
  questions: {
    /** Text of the question. */
    label: string;
    kind: PortalQuestionKind;
    /** `true` if the answer is required. */
    required: boolean;
    /** Possible answers to a question of kind `choice`; empty for the other kinds. Default: `[]`. */
    choices: string[];
  }[];
  /** Origins of the sites that may show the portal in a frame. */
  embed_origins: string[];
  /** Days for which payouts are on hold after a change of payout details. */
  payout_details_hold_days: number;
  /** Your name, address and tax number, as statements of payouts show them. */
  billing_details: string | null;
  /** Your own host name for the portal; null without one. */
  portal_host: PortalHost | null;
  /** The latest terms; null if there are none. */
  terms: {
    /** Version. */
    version: number;
    /** Text. */
    body: string;
    /** Your words about what changes with this version. */
    summary: string | null;
    /** Time from which affiliates need to have accepted this version. */
    applies_from: string;
    /** ISO 8601 time in UTC with milliseconds. */
    published_at: string;
  } | null;
  /** Affiliates who get the emails of the program: `everyone`, or only those who have `signed_in` at least once. */
  program_emails: ProgramEmails;
}

/** Appearance of an account to its affiliates. */
export interface Brand {
  /** Background color of buttons, e.g. `#1c4ed8`; null if the service’s color is used. */
  color: string | null;
  /** Color of text on `color`: black or white, whichever has the higher contrast. Null without `color`. */
  text_color: string | null;
  /** Path of the logo on the service’s host; null without a logo. */
  logo_path: string | null;
  /** Email address for questions of affiliates. */
  support_email: string | null;
}

/** The merchant’s own host name for the portal. */
export interface PortalHost {
  /** Host name. */
  host: string;
  /** Time at which the host was verified. Null while it is not verified; the portal is not available there then. */
  verified_at: string | null;
  /** Reason why the last check failed; null if it succeeded or has not run yet. */
  failure: PortalHostFailure | null;
  /** ISO 8601 time in UTC with milliseconds. */
  failing_since: string | null;
  /** TXT record to create in the DNS. It proves that the host name is yours. */
  record: {
    /** Name. */
    name: string;
    /** Value. */
    value: string;
  };
}

export interface AccountUpdateRequest {
  /** Account name, shown in the application and in invitations. */
  name?: string;
  /** Default currency for new amounts. Existing amounts keep their currency. */
  currency?: string;
  /** Time zone of the account. Days in pages, emails, statements and analytics are days in it. Initially `UTC`. */
  time_zone?: string;
  /** Language of emails to people who have not chosen a language. Initially `en`. */
  mail_language?: MailLanguage;
  /**
   * `true` if a promo code redeemed with a charge takes precedence over the link that the customer is bound to.
   * Initially `false`.
   */
  code_before_link?: boolean;
  /**
   * Rules for payments that the service sends. Needs a sign-in within the last 15 minutes. The former rules hold
   * beside the new ones for 24 hours.
   */
  payout_approval?: {
    /**
     * Payments that somebody else than who prepared them must approve: none, all, or those that exceed the amounts
     * of `above`.
     */
    second_person: SecondPerson;
    /**
     * Largest amounts that are sent within 24 hours without approval. `0` in other currencies. Only for `above`.
     * Default: `[]`.
     */
    above?: {
      /** ISO 4217 currency code. */
      currency: string;
      /** Amount in the currency’s minor unit. */
      amount_cents: number;
    }[];
    /**
     * Largest amounts that are sent within 24 hours, with or without approval. `0` in other currencies. `null`: no
     * limit. Default: `null`.
     */
    daily_limits?:
      | {
          /** ISO 4217 currency code. */
          currency: string;
          /** Amount in the currency’s minor unit. */
          amount_cents: number;
        }[]
      | null;
    /**
     * `true`: somebody else must approve the first payment of an affiliate by a method, and the first one after a
     * change of addresses. Default: `false`.
     */
    new_methods?: boolean;
    /**
     * Hours of the day, in the time zone of the account, in which payments are sent: from the beginning of `from` to
     * the beginning of `until`. `null`: all hours. Default: `null`.
     */
    allowed_hours?: {
      /** Lower bound, inclusive. */
      from: number;
      /** Last day of the range. */
      until: number;
    } | null;
  };
  /**
   * Fees, minimums and pauses of methods, for payments that are prepared from now on. Methods that are not named
   * have none.
   */
  payout_terms?: {
    /** Kind of the method. */
    method: string;
    /**
     * `affiliate`: the fee of a payment is taken from the amount that is sent. `merchant`: it is paid besides.
     * Default: `"merchant"`.
     */
    fee_bearer?: FeeBearer;
    /**
     * Fee of a payment that an affiliate bears. In other currencies, it is the fee that the service quotes before;
     * without a quote, you bear it. Default: `[]`.
     */
    fees?: {
      /** ISO 4217 currency code. */
      currency: string;
      /** Amount in the currency’s minor unit. */
      amount_cents: number;
    }[];
    /** Smallest payouts that are paid by the method. No minimum in other currencies. Default: `[]`. */
    minimums?: {
      /** ISO 4217 currency code. */
      currency: string;
      /** Amount in the currency’s minor unit. */
      amount_cents: number;
    }[];
    /**
     * `true`: nothing new is prepared or sent by the method. Payments that the service which pays has are followed
     * to their end. Default: `false`.
     */
    paused?: boolean;
  }[];
  /** `true`: the service sends no payment from now on. `false` needs a sign-in within the last 15 minutes. */
  payouts_stopped?: boolean;
}

export interface ApiRequestsListResponse {
  /** The records. */
  data: ApiRequest[];
  pagination: Pagination;
}

export interface AuditLogListResponse {
  /** The records. */
  data: AuditEntry[];
  pagination: Pagination;
}

export interface ClicksRecentResponse {
  /** Number of clicks. */
  clicks: {
    /** ISO 8601 time in UTC with milliseconds. */
    at: string;
    /** ID of the link. */
    link_id: string;
    /** Null for a link that was deleted. */
    token: string | null;
    /** ID of the referral. */
    referral_id: string | null;
    /** Reason why the request was not made by a person; null for a person. */
    bot_reason: BotReason | null;
    /** Path of the page that the visitor opened. */
    landing_path: string | null;
    /** Host of the page from which the visitor came. */
    referrer_host: string | null;
    /** Kind of device of the visitor. */
    device: string | null;
    /** Browser of the visitor. */
    browser: string | null;
    /** Country of the visitor. */
    country: string | null;
  }[];
}

export interface SiteCheckResponse {
  /** The page that was read, after redirects. */
  url: string;
  /** Reason why the page could not be read; null if it was read. */
  failure: SiteCheckFailure | null;
  /** The tracking script of the page. */
  script: {
    /** URL of the script. */
    src: string;
    /** ID of the account. */
    account_id: string | null;
  } | null;
  /** Problems that keep the script from working; empty if there are none. */
  problems: SiteProblem[];
}

export interface SiteTestVisitResponse {
  /** Null until the link was followed. The click has no referral if a bot seems to have followed the link. */
  click: {
    /** ISO 8601 time in UTC with milliseconds. */
    at: string;
    /** ID of the referral. */
    referral_id: string | null;
  } | null;
  /** `true` if the visitor has become a lead or has converted. */
  is_lead: boolean;
  /** First sale of the referral since the click. */
  sale: {
    /** ID of the sale. */
    id: string;
    /** `false` for records of test mode. */
    livemode: boolean;
    /** Amount in the currency’s minor unit. */
    amount_cents: number;
    /** ISO 4217 currency code. */
    currency: string;
  } | null;
  /** The commission. */
  commission: {
    /** ID of the commission. */
    id: string;
    /** Amount in the currency’s minor unit. */
    amount_cents: number;
    /** ISO 4217 currency code. */
    currency: string;
  } | null;
}

export interface SiteRecordTestSaleRequest {
  /** Value of `sub5` in the address of the test visit. */
  mark: string;
  /** ID of the referral. */
  referral_id: string;
}

export interface SiteRecordTestSaleResponse {
  /** ID of the sale. */
  sale_id: string;
}

export interface ConnectorsListResponse {
  /** The records. */
  data: Connector[];
  pagination: Pagination;
}

export interface ConnectorsCreateRequest {
  /** Name of the assistant and its user or team. */
  name: string;
  /** Defaults to read access to everything except promo codes. */
  permissions?: Partial<
    Record<
      | 'mcp.api_keys.read'
      | 'mcp.api_keys.write'
      | 'mcp.affiliates.read'
      | 'mcp.affiliates.write'
      | 'mcp.affiliate_coupons.read'
      | 'mcp.affiliate_coupons.write'
      | 'mcp.campaigns.read'
      | 'mcp.campaigns.write'
      | 'mcp.links.read'
      | 'mcp.links.write'
      | 'mcp.referrals.read'
      | 'mcp.referrals.write'
      | 'mcp.sales.read'
      | 'mcp.sales.write'
      | 'mcp.commissions.read'
      | 'mcp.commissions.write'
      | 'mcp.payouts.read'
      | 'mcp.payouts.write'
      | 'mcp.payout_exports.read'
      | 'mcp.payout_exports.write'
      | 'mcp.payout_runs.read'
      | 'mcp.payout_runs.write'
      | 'mcp.payout_outcomes.write'
      | 'mcp.invitations.read'
      | 'mcp.invitations.write'
      | 'settings.webhooks.read'
      | 'settings.webhooks.write'
      | 'settings.members.read'
      | 'settings.connectors.read',
      boolean
    >
  >;
  /** Adds `mcp.affiliate_coupons.read` and `mcp.affiliate_coupons.write`. Default: `false`. */
  allow_promo_code_management?: boolean;
  /**
   * Largest amount per currency that the assistant may mark as paid within 24 hours; nothing in other currencies.
   * `null`: no limit.
   */
  daily_pay_limits?:
    | {
        /** ISO 4217 currency code. */
        currency: string;
        /** Amount in the currency’s minor unit. */
        amount_cents: number;
      }[]
    | null;
  /** Expiration time; must be in the future. Defaults to no expiration. */
  expires_at?: string | null;
}

export interface ConnectorsUpdateRequest {
  /** Name of the assistant and its user or team. */
  name?: string;
  /** Replaces all permissions. */
  permissions?: Partial<
    Record<
      | 'mcp.api_keys.read'
      | 'mcp.api_keys.write'
      | 'mcp.affiliates.read'
      | 'mcp.affiliates.write'
      | 'mcp.affiliate_coupons.read'
      | 'mcp.affiliate_coupons.write'
      | 'mcp.campaigns.read'
      | 'mcp.campaigns.write'
      | 'mcp.links.read'
      | 'mcp.links.write'
      | 'mcp.referrals.read'
      | 'mcp.referrals.write'
      | 'mcp.sales.read'
      | 'mcp.sales.write'
      | 'mcp.commissions.read'
      | 'mcp.commissions.write'
      | 'mcp.payouts.read'
      | 'mcp.payouts.write'
      | 'mcp.payout_exports.read'
      | 'mcp.payout_exports.write'
      | 'mcp.payout_runs.read'
      | 'mcp.payout_runs.write'
      | 'mcp.payout_outcomes.write'
      | 'mcp.invitations.read'
      | 'mcp.invitations.write'
      | 'settings.webhooks.read'
      | 'settings.webhooks.write'
      | 'settings.members.read'
      | 'settings.connectors.read',
      boolean
    >
  >;
  /**
   * Largest amount per currency that the assistant may mark as paid within 24 hours; nothing in other currencies.
   * `null`: no limit.
   */
  daily_pay_limits?:
    | {
        /** ISO 4217 currency code. */
        currency: string;
        /** Amount in the currency’s minor unit. */
        amount_cents: number;
      }[]
    | null;
}

export interface ConnectionsListResponse {
  /** The records. */
  data: ProviderConnection[];
  pagination: Pagination;
}

export interface ConnectionsCreateRequest {
  /** Kind of the source: a payment provider, or `facts` for facts that your own server signs. */
  source: string;
  /**
   * Key of your account at the provider, or an object with the `fields` of the source. The key determines live or
   * test mode. It is never shown again.
   */
  credentials?: string | Record<string, string>;
  /**
   * Secret with which the provider signs events. Without it, this service makes the secret or creates the endpoint
   * where the source allows it. Otherwise events are refused until you set it. For `facts`, also a public key
   * (`whpk_…`) that verifies signatures of the kind `v1a`.
   */
  webhook_secret?: string;
}

export interface ConnectionsSourcesResponse {
  /** The records. */
  data: Source[];
}

export interface ConnectionsUpdateRequest {
  /** Secret with which the provider signs events to `webhook_url`. */
  webhook_secret?: string;
  /** Decisions to change, by name. They hold for everything that the provider tells from then on. */
  choices?: Record<string, string>;
  /** Makes a new signing secret, for sources whose secret this service makes. */
  rotate_signing_secret?: true;
}

export interface ConnectionsRenewKeyRequest {
  /** The new key, or an object with the `fields` of the source. It is never shown again. */
  credentials: string | Record<string, string>;
}

export interface PspConnectionConnectRequest {
  /** Stripe secret key or restricted key. The key determines live or test mode. */
  secret_key: string;
  /**
   * Signing secret of a webhook endpoint that you have created in Stripe. Without it, the service creates the
   * endpoint, for which the key needs the permission Webhook Endpoints (write).
   */
  webhook_secret?: string;
}

export interface PspConnectionUpdateRequest {
  /**
   * For a Stripe Connect platform: the connected account whose events count. `null` for the platform’s own
   * account. Events of other accounts are kept without an effect.
   */
  connected_account_id?: string | null;
  /**
   * Key of Stripe metadata under which you store your own ID of the customer. Initially `customer_id`. `null` if
   * there is no such key.
   */
  customer_id_key?: string | null;
  /**
   * Effect of an invoice that is marked as paid outside Stripe: `count` (earns commissions) or `exclude`. Applies
   * to payments that become known afterwards. Initially `count`.
   */
  outside_payments?: OutsidePayments;
  /**
   * `true` if the service writes the IDs of `affiliate`, `campaign` and `commission` into the metadata of the
   * customer and the invoice in Stripe. Applies to commissions that change afterwards. Initially `false`.
   */
  write_back?: boolean;
}

export interface PspConnectionLastEventsResponse {
  /** Time of the last live event; null if there was none in 90 days. */
  live: string | null;
  /** Time of the last event of the test mode; null if there was none in 90 days. */
  test: string | null;
}

export interface PspConnectionActivityResponse {
  /** The event types that the service handles, each with the time of its last event in 90 days. */
  types: {
    /** Type. */
    type: string;
    /** ISO 8601 time in UTC with milliseconds. */
    last_at: string | null;
  }[];
  /** Other event types that Stripe has sent. They have no effect. */
  unused_types: {
    /** Type. */
    type: string;
    /** ISO 8601 time in UTC with milliseconds. */
    last_at: string;
  }[];
  /**
   * Events of handled types that had no effect, by reason: first those that are kept because they may have an
   * effect later, then those of the last 7 days that contained nothing of use.
   */
  ignored: {
    /** Type of the events; `null` if the reason does not depend on the type. */
    type: string | null;
    /** The reason. */
    reason: string;
    /** Number of records. */
    count: number;
    /** ISO 8601 time in UTC with milliseconds. */
    last_at: string;
  }[];
  /**
   * `true` if the account has been connected for 7 days, and in the last 7 days affiliates’ links had visitors and
   * new customers paid, but no checkout or payment named a referral. Then the pages probably do not pass the
   * referral to Stripe.
   */
  never_meet: boolean;
}

export interface PspConnectionRotateWebhookSecretRequest {
  /** Signing secret of the webhook endpoint in Stripe. */
  webhook_secret: string;
}

export interface ImportsListResponse {
  /** The records. */
  data: Import[];
  pagination: Pagination;
}

export interface ImportsCreateRequest {
  /**
   * `csv` for files, otherwise the name of the tool: `rewardful`, `first_promoter`, `tolt`, `dub`,
   * `partner_stack`.
   */
  source: string;
  /**
   * Key of your account at the tool, with which everything can be read. For `first_promoter`, a colon and the ID
   * of the account follow, for `tolt` a colon and the ID of the program, for `partner_stack` a colon and the
   * secret key. Stored encrypted, and deleted when the import is done.
   */
  credentials?: string;
  /** The files of the source `csv`. Larger files arrive in parts. */
  files?: {
    /** The records in the file. */
    kind: ImportedFile;
    /** The file as text, with a line of headers, or the first part of the file. Optional for a draft. */
    content?: string;
    /** Fields by the header of their column, for headers that do not speak for themselves. */
    columns?: Record<string, string>;
    /** Order of days such as `01/02/2026`. Without it, days with two readings are problems. */
    date_order?: DateOrder;
    /** Mark before the decimals of amounts. Without it, amounts with two readings are problems, e.g. `1.234`. */
    decimal_mark?: DecimalMark;
  }[];
  /** True to send the files in parts. Nothing is read until you run the import. */
  draft?: boolean;
  /** Campaign of affiliates for whom the source names none. Defaults to your default campaign. */
  campaign_id?: string;
  /** Currency of amounts for which the source names none. */
  currency?: string;
}

export interface ImportsRowsResponse {
  /** The records. */
  data: ImportRow[];
  pagination: Pagination;
}

export interface ImportsAddPartRequest {
  /** Number of the file in the order of the import, from 0. */
  file: number;
  /**
   * Bytes of the text in UTF-8 before this part: those that have arrived. A part that has arrived already changes
   * nothing.
   */
  offset: number;
  /** The part as text. */
  content: string;
  /** True for the last part of the file. */
  is_last?: boolean;
}

export interface ImportsRunRequest {
  /** A key, if the former one was deleted or is no longer valid. */
  credentials?: string;
}

export interface ShadowsBeginRequest {
  /**
   * Time from which the former tool has decided, up to 24 months ago. Your connected payment providers are then
   * asked for all payments since, so that you can compare them. Default: now.
   */
  since?: string;
}

export interface ShadowsEndRequest {
  /**
   * `read`: imports from tools read them once more, and nothing is paid until they have; `skip`: they do not.
   * Default: `"read"`.
   */
  imports?: ShadowEnding;
}

export interface ShadowsListResponse {
  /** The records. */
  data: ShadowCustomer[];
  pagination: Pagination;
}

export interface EmailTextsListResponse {
  /** The records. */
  data: EmailText[];
}

export interface EmailTextsListBlockedResponse {
  /** The last 100, newest first. */
  data: BlockedAddress[];
  /**
   * Number of your affiliates who get the emails of the program under each choice of `program_emails`, if their
   * addresses take emails.
   */
  recipients: {
    /** With `everyone`. */
    everyone: number;
    /** With `signed_in`. */
    signed_in: number;
  };
}

export interface EmailTextsUnblockRequest {
  /** An address of the list. */
  email: string;
}

export interface EmailTextsUnblockResponse {
  /** The last 100, newest first. */
  data: BlockedAddress[];
  /**
   * Number of your affiliates who get the emails of the program under each choice of `program_emails`, if their
   * addresses take emails.
   */
  recipients: {
    /** With `everyone`. */
    everyone: number;
    /** With `signed_in`. */
    signed_in: number;
  };
}

export interface EmailTextsPreviewRequest {
  /** Language of the texts. Default: `"en"`. */
  language?: MailLanguage;
  /** Subject. May contain placeholders. */
  subject: string;
  /** Paragraphs, separated by blank lines. Placeholders are written as `{{name}}`. */
  body: string;
}

export interface EmailTextsPreviewResponse {
  /** Subject of the email. */
  subject: string;
  /** The email as plain text. */
  text: string;
  /** The email as HTML. */
  html: string;
}

export interface EmailTextsUpdateRequest {
  /** Language of the texts. Default: `"en"`. */
  language?: MailLanguage;
  /** Subject. May contain placeholders. */
  subject: string;
  /** Paragraphs, separated by blank lines. Placeholders are written as `{{name}}`. */
  body: string;
}

export interface EmailTextsChooseRequest {
  /** `false` to stop sending this email. */
  is_sent: boolean;
}

export interface EmailTextsResetRequest {
  /** Language of the texts. Default: `"en"`. */
  language?: MailLanguage;
}

export interface EmailTextsSendTestRequest {
  /** Language of the texts. Default: `"en"`. */
  language?: MailLanguage;
}

export interface EmailTextsSendTestResponse {
  /** Email address of the person who requested the mail. */
  to: string;
}

export interface PayoutRailsListResponse {
  /** The records. */
  data: PayoutRail[];
  pagination: Pagination;
}

export interface PayoutRailsCreateRequest {
  /** Kind of the method whose payments go through the rail. */
  kind: string;
  /** An object with the `fields` of the rail. They determine live or test mode. They are never shown again. */
  credentials: Record<string, string>;
}

export interface PayoutRailsKindsResponse {
  /** The records. */
  data: PayoutRailKind[];
}

export interface PayoutScreeningsConfigureRequest {
  /** `lists`: affiliates are compared with the lists before they are paid. `null`: they are not. */
  kind: ScreeningKind | null;
}

export interface TestModeAdvanceClockRequest {
  /** Days by which to move the clock forward. Required unless `to` is given. */
  days?: number;
  /**
   * Time to which to move the clock, after the time that it shows, by at most 366 days, and at most ten years
   * ahead. Instead of `days`.
   */
  to?: string;
}

export interface TestModeCopyCampaignsRequest {
  /** If `true`, previews the copy without making it. Default: `false`. */
  dry_run?: boolean;
}

export interface WebhookDeliveriesListResponse {
  /** The records. */
  data: WebhookDelivery[];
  pagination: Pagination;
}

export interface WebhookDeliveriesResendSinceRequest {
  /** Events that occurred at or after this time are sent again, unless they were delivered. */
  since: string;
}

export interface WebhookEndpointsListResponse {
  /** The records. */
  data: WebhookEndpoint[];
  pagination: Pagination;
}

export interface WebhookEndpointsCreateRequest {
  /** Name. */
  name: string;
  /**
   * URL to which events are posted. Must be http or https, without credentials (see `secret_headers`), on a public
   * address.
   */
  url: string;
  /**
   * Event types sent to this endpoint. `commission.*` stands for all about commissions, `*` for all, later types
   * included.
   */
  event_types: EventSubscription[];
  /**
   * `true` if deliveries are sent. Deliveries that come due while the endpoint is inactive are sent when it is
   * activated again. Default: `true`.
   */
  active?: boolean;
  /** `true`: events about live records only. `false`: events about test records only. `null`: both. */
  livemode?: boolean | null;
  /**
   * Headers that are sent with each delivery, e.g. `Authorization`. At most 10, replaced as a whole. They are
   * never shown again, and are forgotten when the host of `url` changes, unless they are given with it.
   */
  secret_headers?: Record<string, string>;
}

export interface WebhookEndpointsUpdateRequest {
  /** Name. */
  name?: string;
  /**
   * URL to which events are posted. Must be http or https, without credentials (see `secret_headers`), on a public
   * address.
   */
  url?: string;
  /**
   * Event types sent to this endpoint. `commission.*` stands for all about commissions, `*` for all, later types
   * included.
   */
  event_types?: EventSubscription[];
  /**
   * `true` if deliveries are sent. Deliveries that come due while the endpoint is inactive are sent when it is
   * activated again.
   */
  active?: boolean;
  /** `true`: events about live records only. `false`: events about test records only. `null`: both. */
  livemode?: boolean | null;
  /**
   * Headers that are sent with each delivery, e.g. `Authorization`. At most 10, replaced as a whole. They are
   * never shown again, and are forgotten when the host of `url` changes, unless they are given with it.
   */
  secret_headers?: Record<string, string>;
}

export interface MembersListResponse {
  /** The records. */
  data: Member[];
  pagination: Pagination;
}

export interface MembersUpdateRoleRequest {
  role: Role;
}

export interface PortalSettingsUpdateRequest {
  /** Name in URLs. */
  slug?: string;
  /** Name of the program in the portal. */
  brand_name?: string | null;
  /** Color of the portal. */
  brand_color?: string | null;
  /** Email address for questions of affiliates. */
  support_email?: string | null;
  /**
   * `manual`: applicants wait until they are approved; `automatic`: all are approved; `rule`: the domain of their
   * email address decides.
   */
  approval?: ApprovalMode;
  /** With `rule`: applicants with addresses of these domains are approved. */
  approved_domains?: string[];
  /** With `rule`: applicants with addresses of these domains are rejected. */
  rejected_domains?: string[];
  /** Questions to applicants. */
  questions?: {
    /** Text of the question. */
    label: string;
    kind: PortalQuestionKind;
    /** `true` if the answer is required. */
    required: boolean;
    /** Possible answers to a question of kind `choice`; empty for the other kinds. Default: `[]`. */
    choices?: string[];
  }[];
  /** Sites that may embed the portal. */
  embed_origins?: string[];
  /** Days for which payouts are on hold after a change of payout details. */
  payout_details_hold_days?: number;
  /** Your name, address and tax number, as statements of payouts show them. */
  billing_details?: string | null;
  /** Your own host name for the portal. Used as soon as it is verified. `null` removes it. */
  portal_host?: string | null;
  /** Publishes a new version of the terms. */
  terms?: string;
  /**
   * With a new version of `terms`: your words about what changes. Affiliates read them in the email and in the
   * portal.
   */
  terms_summary?: string | null;
  /** With a new version of `terms`: time from which affiliates need to have accepted it. Default: now. */
  terms_apply_from?: string;
  /** Affiliates who get the emails of the program: `everyone`, or only those who have `signed_in` at least once. */
  program_emails?: ProgramEmails;
}

export interface PortalSettingsSetLogoRequest {
  /** A PNG, JPEG or WebP of at most 512 KiB, in base64. */
  content: string;
}

/** Way of approving applications of affiliates. More values may be added. */
export type ApprovalMode = 'manual' | 'automatic' | 'rule';

/** Reason why a click counts as that of a program. More values may be added. */
export type BotReason = 'bot' | 'preview' | 'test_visit';

/** Kind of a caller. More values may be added. */
export type CallerKind = 'api_key' | 'session';

/** Way in which an assistant signs in. More values may be added. */
export type ConnectorKind = 'token' | 'oauth';

/** Order of the numbers in a day. More values may be added. */
export type DateOrder = 'day_first' | 'month_first';

/** Mark before the decimals of an amount. More values may be added. */
export type DecimalMark = '.' | ',';

/** Reason why the service has deactivated a webhook endpoint. More values may be added. */
export type DisabledReason = 'gone' | 'failing';

/** Name of an email. More values may be added. */
export type EmailTextName =
  | 'application_received'
  | 'application_approved'
  | 'application_rejected'
  | 'payout_paid'
  | 'payout_returned'
  | 'email_changed_by_merchant'
  | 'payout_details_changed'
  | 'payout_details_changed_by_merchant'
  | 'payout_details_missing'
  | 'commission_digest'
  | 'tier_reached'
  | 'tier_lost'
  | 'membership_ended'
  | 'campaign_ended'
  | 'rewards_changed'
  | 'terms_changed';

/** Reason why a record is not imported. More values may be added. */
export type ImportRowReason =
  | 'repeated'
  | 'no_customer'
  | 'invalid'
  | 'campaign_missing'
  | 'affiliate_missing'
  | 'token_taken'
  | 'other_affiliate'
  | 'currency_missing'
  | 'no_money'
  | 'earned_here'
  | 'not_paid'
  | 'being_paid'
  | 'commissions_differ'
  | 'changed_there'
  | 'refused'
  | 'in_use';

/** Records in a file. More values may be added. */
export type ImportedFile = 'affiliates' | 'links' | 'customers' | 'codes' | 'commissions' | 'payouts';

/** Language of emails. More values may be added. */
export type MailLanguage = 'en' | 'de';

/** Treatment of payments outside the payment provider. More values may be added. */
export type OutsidePayments = 'count' | 'exclude';

/** Purpose of a permission at the payment provider. More values may be added. */
export type PermissionPurpose = 'endpoint' | 'events' | 'lines' | 'codes' | 'write_back';

/** Reason why a host name of the portal is not served. More values may be added. */
export type PortalHostFailure = 'unreachable' | 'refused' | 'wrong_answer' | 'no_record' | 'taken';

/** Kind of a question to applicants. More values may be added. */
export type PortalQuestionKind = 'text' | 'choice' | 'url';

/** The affiliates who get emails of the program. More values may be added. */
export type ProgramEmails = 'everyone' | 'signed_in';

/** Access to a resource of the payment provider. More values may be added. */
export type PspAccess = 'read' | 'write';

/** Problem of the endpoint at the payment provider. More values may be added. */
export type PspEndpointProblem = 'missing' | 'disabled' | 'missing_events' | 'unreadable';

/** Role of a signed-in person. More values may be added. */
export type RoleOfCaller = 'viewer' | 'finance' | 'member' | 'admin' | 'owner' | 'invitee';

/** With what affiliates are compared before they are paid. More values may be added. */
export type ScreeningKind = 'lists';

/** Payments that a second person must approve. More values may be added. */
export type SecondPerson = 'never' | 'above' | 'always';

/** Cause of a difference between a former tool and this service. More values may be added. */
export type ShadowCause =
  | 'affiliate'
  | 'currency'
  | 'tax'
  | 'refund'
  | 'tax_and_refund'
  | 'rounding'
  | 'charge'
  | 'terms'
  | 'duplicate'
  | 'no_payment'
  | 'no_customer'
  | 'voided_there'
  | 'not_earned_there'
  | 'no_referral'
  | 'before_visit'
  | 'referral_expired'
  | 'referral_deactivated'
  | 'affiliate_inactive'
  | 'campaign_archived'
  | 'max_commissions_reached'
  | 'commission_period_over'
  | 'nothing_to_earn'
  | 'excluded'
  | 'shadow';

/** Last reading of the former tool when a shadow ends. More values may be added. */
export type ShadowEnding = 'read' | 'skip';

/** Result of the comparison of a former tool with this service. More values may be added. */
export type ShadowOutcome = 'equal' | 'differs' | 'only_there' | 'only_here';

/** State of a shadow. More values may be added. */
export type ShadowState = 'off' | 'on' | 'ending';

/** Reason why a page could not be read. More values may be added. */
export type SiteCheckFailure = 'invalid_url' | 'refused' | 'unreachable' | 'too_many_redirects' | 'error_page' | 'not_html';

/** Problem of the tracking script of a page. More values may be added. */
export type SiteProblem =
  | 'missing'
  | 'no_account'
  | 'wrong_account'
  | 'other_host'
  | 'missing_params'
  | 'blocked_script'
  | 'blocked_reports';

/** Origin of an attempt. More values may be added. */
export type WebhookTrigger = 'schedule' | 'manual';

export interface AffiliatesListQuery {
  /** Page number, starting at 1. */
  page?: number;
  /** Records per page. Values above 100 count as 100. */
  limit?: number;
  /** `pagination.next_cursor` of the preceding page. Use it instead of `page`, with the same `sort` and filters. */
  starting_after?: string;
  /**
   * `pagination.previous_cursor` of the following page. Use it instead of `page`, with the same `sort` and
   * filters.
   */
  ending_before?: string;
  /** `false` leaves out `total_count` and `total_pages`, which makes long filtered lists faster. */
  include_total?: boolean;
  /** Order of the records. A leading minus means descending. */
  sort?: '-created_at' | 'created_at' | '-updated_at' | 'updated_at' | '-email' | 'email';
  /**
   * Related records to include. Accepts several values, repeated (`expand=a&expand=b` or `expand[]=a&expand[]=b`)
   * or comma-separated (`expand=a,b`).
   */
  expand?: ('campaign' | 'links' | 'coupon' | 'tiers' | 'commission_stats' | 'outlook' | 'shared_accounts')[];
  /** Returns records updated at or after this time. */
  updated_since?: string;
  /** Returns records updated at or before this time. */
  updated_until?: string;
  /** Returns records created at or after this time. */
  created_since?: string;
  /** Returns records created at or before this time. */
  created_until?: string;
  /** `true`: archived records only. */
  archived?: boolean;
  /** ID of the campaign. */
  campaign_id?: string;
  /** Filters by exact email address, case-insensitive. */
  email?: string;
  /** Searches, ignoring case: the beginning of the email address, the full name or the last name. */
  q?: string;
  /** Filters by part of the email address or name, case-insensitive. */
  search?: string;
  /**
   * Filters by one or more of these values. Accepts several values, repeated (`state=a&state=b` or
   * `state[]=a&state[]=b`) or comma-separated (`state=a,b`).
   */
  state?: AffiliateState[];
  /** Filters by whether the affiliate has ever signed in. */
  signed_in?: boolean;
  /** Filters by exact Stripe customer ID. */
  psp_customer_id?: string;
  /**
   * Filters by up to 100 IDs. Accepts several values, repeated (`ids=a&ids=b` or `ids[]=a&ids[]=b`) or
   * comma-separated (`ids=a,b`).
   */
  ids?: string[];
  /** Filters by exact `external_id`. */
  external_id?: string;
  /** Filters by metadata: all given pairs must match, e.g. `metadata[tier]=gold`. */
  metadata?: Record<string, string>;
}

export interface AffiliatesGetQuery {
  /**
   * Related records to include. Accepts several values, repeated (`expand=a&expand=b` or `expand[]=a&expand[]=b`)
   * or comma-separated (`expand=a,b`).
   */
  expand?: ('campaign' | 'links' | 'coupon' | 'tiers' | 'commission_stats' | 'outlook' | 'shared_accounts')[];
}

export interface ApiKeysListQuery {
  /** Page number, starting at 1. */
  page?: number;
  /** Records per page. Values above 100 count as 100. */
  limit?: number;
  /** `pagination.next_cursor` of the preceding page. Use it instead of `page`, with the same `sort` and filters. */
  starting_after?: string;
  /**
   * `pagination.previous_cursor` of the following page. Use it instead of `page`, with the same `sort` and
   * filters.
   */
  ending_before?: string;
  /** `false` leaves out `total_count` and `total_pages`, which makes long filtered lists faster. */
  include_total?: boolean;
  /** Order of the records. A leading minus means descending. */
  sort?: '-created_at' | 'created_at' | '-updated_at' | 'updated_at';
  /** Returns records updated at or after this time. */
  updated_since?: string;
  /** Returns records updated at or before this time. */
  updated_until?: string;
}

export interface ApplicationsListQuery {
  /** Page number, starting at 1. */
  page?: number;
  /** Records per page. Values above 100 count as 100. */
  limit?: number;
  /** `pagination.next_cursor` of the preceding page. Use it instead of `page`, with the same `sort` and filters. */
  starting_after?: string;
  /**
   * `pagination.previous_cursor` of the following page. Use it instead of `page`, with the same `sort` and
   * filters.
   */
  ending_before?: string;
  /** `false` leaves out `total_count` and `total_pages`, which makes long filtered lists faster. */
  include_total?: boolean;
  /** Order of the affiliates, oldest first by default. */
  sort?: '-created_at' | 'created_at' | '-updated_at' | 'updated_at';
  /** Returns records updated at or after this time. */
  updated_since?: string;
  /** Returns records updated at or before this time. */
  updated_until?: string;
  /** ID of the affiliate. */
  affiliate_id?: string;
  /**
   * Filters by state of the affiliate. Without it, returns those who wait for a decision. Accepts several values,
   * repeated (`state=a&state=b` or `state[]=a&state[]=b`) or comma-separated (`state=a,b`).
   */
  state?: AffiliateState[];
}

export interface AssetsListQuery {
  /** Page number, starting at 1. */
  page?: number;
  /** Records per page. Values above 100 count as 100. */
  limit?: number;
  /** `pagination.next_cursor` of the preceding page. Use it instead of `page`, with the same `sort` and filters. */
  starting_after?: string;
  /**
   * `pagination.previous_cursor` of the following page. Use it instead of `page`, with the same `sort` and
   * filters.
   */
  ending_before?: string;
  /** `false` leaves out `total_count` and `total_pages`, which makes long filtered lists faster. */
  include_total?: boolean;
  /** Order of the records. A leading minus means descending. */
  sort?: '-created_at' | 'created_at';
  /** Returns records updated at or after this time. */
  updated_since?: string;
  /** Returns records updated at or before this time. */
  updated_until?: string;
}

export interface AssetsUploadQuery {
  /**
   * Name of the file. Its extension must match the content: png, jpg, webp, gif, svg, mp4, pdf, zip, txt, md or
   * csv.
   */
  name: string;
  /** Use of the file, for affiliates. */
  description?: string;
}

export interface CampaignsListQuery {
  /** Page number, starting at 1. */
  page?: number;
  /** Records per page. Values above 100 count as 100. */
  limit?: number;
  /** `pagination.next_cursor` of the preceding page. Use it instead of `page`, with the same `sort` and filters. */
  starting_after?: string;
  /**
   * `pagination.previous_cursor` of the following page. Use it instead of `page`, with the same `sort` and
   * filters.
   */
  ending_before?: string;
  /** `false` leaves out `total_count` and `total_pages`, which makes long filtered lists faster. */
  include_total?: boolean;
  /** Order of the records. A leading minus means descending. */
  sort?: '-created_at' | 'created_at' | '-updated_at' | 'updated_at';
  /** Returns records updated at or after this time. */
  updated_since?: string;
  /** Returns records updated at or before this time. */
  updated_until?: string;
  /** `true`: archived records only. */
  archived?: boolean;
  /** Filters by exact slug. */
  slug?: string;
  /**
   * Filters by up to 100 IDs. Accepts several values, repeated (`ids=a&ids=b` or `ids[]=a&ids[]=b`) or
   * comma-separated (`ids=a,b`).
   */
  ids?: string[];
  /** Filters by exact `external_id`. */
  external_id?: string;
  /** Filters by metadata: all given pairs must match, e.g. `metadata[tier]=gold`. */
  metadata?: Record<string, string>;
}

export interface CampaignsGetQuery {
  /**
   * Related records to include. Accepts several values, repeated (`expand=a&expand=b` or `expand[]=a&expand[]=b`)
   * or comma-separated (`expand=a,b`).
   */
  expand?: 'usage'[];
}

export interface OverviewPayableQuery {
  /** Time of the payment, e.g. next Friday. Now or later. */
  at: string;
}

export interface OverviewDailyQuery {
  /** First day, in UTC. Defaults to 29 days before `to`. */
  from?: string;
  /** Last day, in UTC. Defaults to today. The range can span up to 366 days. */
  to?: string;
}

export interface OverviewTopAffiliatesQuery {
  /** First day, in UTC. Defaults to 29 days before `to`. */
  from?: string;
  /** Last day, in UTC. Defaults to today. The range can span up to 366 days. */
  to?: string;
  /** Currency to rank by. Sales in other currencies are not included. */
  currency: string;
  /** Number of affiliates. */
  limit?: number;
}

export interface AnalyticsGetQuery {
  /** Dimension of the rows: one row per value. If omitted, one row with the totals. */
  group_by?: AnalyticsDimension;
  /** First day, in the time zone of the account. Defaults to 29 days before `until`. */
  since?: string;
  /** Last day. Defaults to today. The range can span up to 400 days. */
  until?: string;
  /** Counts amounts and sales in this currency only. Defaults to the currency of the account. */
  currency?: string;
  /** Adds `previous` to each row: the metrics of the same number of days before `since`. */
  compare?: 'previous_period';
  /**
   * Maximum number of rows; rows with the most clicks come first. Does not apply to rows of days, weeks, or
   * months.
   */
  limit?: number;
  /** With `csv`, the response also contains the rows as CSV text. */
  format?: 'json' | 'csv';
  /** Filters by value; empty for records without a value. */
  affiliate?: string;
  /** Filters by value; empty for records without a value. */
  campaign?: string;
  /** Filters by value; empty for records without a value. */
  link?: string;
  /** Filters by value; empty for records without a value. */
  landing_path?: string;
  /** Filters by value; empty for records without a value. */
  referrer?: string;
  /** Filters by value; empty for records without a value. */
  utm_source?: string;
  /** Filters by value; empty for records without a value. */
  utm_medium?: string;
  /** Filters by value; empty for records without a value. */
  utm_campaign?: string;
  /** Filters by value; empty for records without a value. */
  utm_term?: string;
  /** Filters by value; empty for records without a value. */
  utm_content?: string;
  /** Filters by value; empty for records without a value. */
  sub1?: string;
  /** Filters by value; empty for records without a value. */
  sub2?: string;
  /** Filters by value; empty for records without a value. */
  sub3?: string;
  /** Filters by value; empty for records without a value. */
  sub4?: string;
  /** Filters by value; empty for records without a value. */
  sub5?: string;
  /** Filters by value; empty for records without a value. */
  country?: string;
  /** Filters by value; empty for records without a value. */
  device?: string;
  /** Filters by value; empty for records without a value. */
  browser?: string;
}

export interface PromoCodesListQuery {
  /** Page number, starting at 1. */
  page?: number;
  /** Records per page. Values above 100 count as 100. */
  limit?: number;
  /** `pagination.next_cursor` of the preceding page. Use it instead of `page`, with the same `sort` and filters. */
  starting_after?: string;
  /**
   * `pagination.previous_cursor` of the following page. Use it instead of `page`, with the same `sort` and
   * filters.
   */
  ending_before?: string;
  /** `false` leaves out `total_count` and `total_pages`, which makes long filtered lists faster. */
  include_total?: boolean;
  /** Order of the records. A leading minus means descending. */
  sort?: '-created_at' | 'created_at' | '-updated_at' | 'updated_at';
  /** Returns records updated at or after this time. */
  updated_since?: string;
  /** Returns records updated at or before this time. */
  updated_until?: string;
  /** Exact code, case-insensitive. Filters the assignments and looks up the code in Stripe. */
  q?: string;
  /** If `true`, includes the valid Stripe coupons. */
  discounts?: boolean;
}

export interface PromoCodesListAllQuery {
  /** Page number, starting at 1. */
  page?: number;
  /** Records per page. Values above 100 count as 100. */
  limit?: number;
  /** `pagination.next_cursor` of the preceding page. Use it instead of `page`, with the same `sort` and filters. */
  starting_after?: string;
  /**
   * `pagination.previous_cursor` of the following page. Use it instead of `page`, with the same `sort` and
   * filters.
   */
  ending_before?: string;
  /** `false` leaves out `total_count` and `total_pages`, which makes long filtered lists faster. */
  include_total?: boolean;
  /** Order of the records. A leading minus means descending. */
  sort?: '-created_at' | 'created_at' | '-updated_at' | 'updated_at';
  /** Returns records updated at or after this time. */
  updated_since?: string;
  /** Returns records updated at or before this time. */
  updated_until?: string;
  /** ID of the affiliate. */
  affiliate_id?: string;
  /** ID of the campaign. */
  campaign_id?: string;
  /** Exact code, case-insensitive. */
  code?: string;
  /**
   * Filters by one or more of these values. Accepts several values, repeated (`status=a&status=b` or
   * `status[]=a&status[]=b`) or comma-separated (`status=a,b`).
   */
  status?: PromoCodeStatus[];
  /** `true`: records of live mode only. `false`: records of test mode only. */
  livemode?: boolean;
}

export interface PromoCodesPendingQuery {
  /** ID of the affiliate. */
  affiliate_id?: string;
}

export interface PromoCodesStopQuery {
  /** If `true`, returns a preview and changes nothing here or in Stripe. */
  dry_run?: boolean;
}

export interface CommissionsListQuery {
  /** Page number, starting at 1. */
  page?: number;
  /** Records per page. Values above 100 count as 100. */
  limit?: number;
  /** `pagination.next_cursor` of the preceding page. Use it instead of `page`, with the same `sort` and filters. */
  starting_after?: string;
  /**
   * `pagination.previous_cursor` of the following page. Use it instead of `page`, with the same `sort` and
   * filters.
   */
  ending_before?: string;
  /** `false` leaves out `total_count` and `total_pages`, which makes long filtered lists faster. */
  include_total?: boolean;
  /**
   * Order of the records. A leading minus means descending. Order by `amount_cents` requires at most 50,000
   * records, all of one currency.
   */
  sort?: '-created_at' | 'created_at' | '-updated_at' | 'updated_at' | '-amount_cents' | 'amount_cents';
  /**
   * Related records to include. Accepts several values, repeated (`expand=a&expand=b` or `expand[]=a&expand[]=b`)
   * or comma-separated (`expand=a,b`).
   */
  expand?: ('campaign' | 'sale' | 'affiliate' | 'lines' | 'contested' | 'explanation' | 'sale.customer' | 'affiliate.campaign')[];
  /** Returns records updated at or after this time. */
  updated_since?: string;
  /** Returns records updated at or before this time. */
  updated_until?: string;
  /** Returns records created at or after this time. */
  created_since?: string;
  /** Returns records created at or before this time. */
  created_until?: string;
  /** Filters by currency. */
  currency?: string;
  /** Returns records with at least this amount. */
  amount_from_cents?: number;
  /** Returns records with at most this amount. */
  amount_to_cents?: number;
  /** Filters by exact `external_id`. */
  external_id?: string;
  /** Filters by metadata: all given pairs must match, e.g. `metadata[tier]=gold`. */
  metadata?: Record<string, string>;
  /**
   * Filters by one or more of these values. Accepts several values, repeated (`state=a&state=b` or
   * `state[]=a&state[]=b`) or comma-separated (`state=a,b`).
   */
  state?: CommissionState[];
  /** ID of the affiliate. */
  affiliate_id?: string;
  /** ID of the campaign. */
  campaign_id?: string;
  /** ID of the referral. */
  referral_id?: string;
  /** ID of the sale. */
  sale_id?: string;
  /** Returns the commissions that the payout holds. */
  payout_id?: string;
  /** Returns the commissions from sales to the customer. */
  customer_id?: string;
  /**
   * Filters by up to 100 IDs. Accepts several values, repeated (`ids=a&ids=b` or `ids[]=a&ids[]=b`) or
   * comma-separated (`ids=a,b`).
   */
  ids?: string[];
  /**
   * Filters by one or more of these values. Accepts several values, repeated (`review_status=a&review_status=b` or
   * `review_status[]=a&review_status[]=b`) or comma-separated (`review_status=a,b`).
   */
  review_status?: ReviewStatus[];
  /**
   * `true`: only unpaid commissions that are flagged until somebody reviews them. `unpaid_lead` is not among them,
   * because it ends by itself. `false`: only others.
   */
  needs_review?: boolean;
  /** `true`: only paid rewards that facts contradict, which can be reconsidered. `false`: only others. */
  contested?: boolean;
  /** `true`: records of live mode only. `false`: records of test mode only. */
  livemode?: boolean;
}

export interface CommissionsGetQuery {
  /**
   * `explanation`: how the amount came about. `lines`: what each line of the sale earns. `contested`: what a paid
   * reward would be by the facts that are known now, if it can be reconsidered. `sale.customer`: who paid. The
   * campaign and sale are always expanded. Accepts several values, repeated (`expand=a&expand=b` or
   * `expand[]=a&expand[]=b`) or comma-separated (`expand=a,b`).
   */
  expand?: ('campaign' | 'sale' | 'affiliate' | 'lines' | 'contested' | 'explanation' | 'sale.customer' | 'affiliate.campaign')[];
}

export interface CommissionsVoidQuery {
  /** Reason, stored with the commission. */
  void_reason?: string;
}

export interface CustomersListQuery {
  /** Page number, starting at 1. */
  page?: number;
  /** Records per page. Values above 100 count as 100. */
  limit?: number;
  /** `pagination.next_cursor` of the preceding page. Use it instead of `page`, with the same `sort` and filters. */
  starting_after?: string;
  /**
   * `pagination.previous_cursor` of the following page. Use it instead of `page`, with the same `sort` and
   * filters.
   */
  ending_before?: string;
  /** `false` leaves out `total_count` and `total_pages`, which makes long filtered lists faster. */
  include_total?: boolean;
  /** Order of the records. A leading minus means descending. */
  sort?: '-created_at' | 'created_at' | '-updated_at' | 'updated_at';
  /**
   * Related records to include. Accepts several values, repeated (`expand=a&expand=b` or `expand[]=a&expand[]=b`)
   * or comma-separated (`expand=a,b`).
   */
  expand?: ('affiliate' | 'affiliate.campaign')[];
  /** Returns records updated at or after this time. */
  updated_since?: string;
  /** Returns records updated at or before this time. */
  updated_until?: string;
  /** Returns records created at or after this time. */
  created_since?: string;
  /** Returns records created at or before this time. */
  created_until?: string;
  /**
   * Filters by up to 100 IDs. Accepts several values, repeated (`ids=a&ids=b` or `ids[]=a&ids[]=b`) or
   * comma-separated (`ids=a,b`).
   */
  ids?: string[];
  /** Filters by exact `external_id`. */
  external_id?: string;
  /** Filters by metadata: all given pairs must match, e.g. `metadata[tier]=gold`. */
  metadata?: Record<string, string>;
  /**
   * Searches, ignoring case: the beginning of the email address or the name, or the whole of any email address, of
   * your ID or of the Stripe customer ID.
   */
  q?: string;
  /** Filters by the beginning of the email address, case-insensitive, or by your own ID of the customer. */
  search?: string;
}

export interface EventsListQuery {
  /** Page number, starting at 1. */
  page?: number;
  /** Records per page. Values above 100 count as 100. */
  limit?: number;
  /** `pagination.next_cursor` of the preceding page. Use it instead of `page`, with the same `sort` and filters. */
  starting_after?: string;
  /**
   * `pagination.previous_cursor` of the following page. Use it instead of `page`, with the same `sort` and
   * filters.
   */
  ending_before?: string;
  /** `false` leaves out `total_count` and `total_pages`, which makes long filtered lists faster. */
  include_total?: boolean;
  /**
   * Filters by type. `commission.*` stands for all types about commissions. Accepts several values, repeated
   * (`type=a&type=b` or `type[]=a&type[]=b`) or comma-separated (`type=a,b`).
   */
  type?: EventSubscription[];
  /** ID of the record that the event is about, e.g. of an affiliate or a commission. */
  subject_id?: string;
  /**
   * Returns events with a higher `sequence`, in the order of their sequence. To follow the events without losing
   * one, repeat the request with the `sequence` of the last event that you have read.
   */
  after_sequence?: number;
  /** Returns events that occurred at or after this time. */
  occurred_since?: string;
  /** Returns events that occurred at or before this time. */
  occurred_until?: string;
  /**
   * Related records to include. Accepts several values, repeated (`expand=a&expand=b` or `expand[]=a&expand[]=b`)
   * or comma-separated (`expand=a,b`).
   */
  expand?: 'deliveries'[];
}

export interface EventsGetQuery {
  /**
   * Related records to include. Accepts several values, repeated (`expand=a&expand=b` or `expand[]=a&expand[]=b`)
   * or comma-separated (`expand=a,b`).
   */
  expand?: 'deliveries'[];
}

export interface LeadsListQuery {
  /** Page number, starting at 1. */
  page?: number;
  /** Records per page. Values above 100 count as 100. */
  limit?: number;
  /** `pagination.next_cursor` of the preceding page. Use it instead of `page`, with the same `sort` and filters. */
  starting_after?: string;
  /**
   * `pagination.previous_cursor` of the following page. Use it instead of `page`, with the same `sort` and
   * filters.
   */
  ending_before?: string;
  /** `false` leaves out `total_count` and `total_pages`, which makes long filtered lists faster. */
  include_total?: boolean;
  /** Order of the records. A leading minus means descending. */
  sort?: '-created_at' | 'created_at' | '-updated_at' | 'updated_at';
  /**
   * Related records to include. Accepts several values, repeated (`expand=a&expand=b` or `expand[]=a&expand[]=b`)
   * or comma-separated (`expand=a,b`).
   */
  expand?: ('link' | 'customer' | 'affiliate' | 'touches' | 'affiliate.campaign')[];
  /** Returns records updated at or after this time. */
  updated_since?: string;
  /** Returns records updated at or before this time. */
  updated_until?: string;
  /** Returns records created at or after this time. */
  created_since?: string;
  /** Returns records created at or before this time. */
  created_until?: string;
  /** Filters by exact `external_id`. */
  external_id?: string;
  /** Filters by metadata: all given pairs must match, e.g. `metadata[tier]=gold`. */
  metadata?: Record<string, string>;
  /** ID of the affiliate. */
  affiliate_id?: string;
  /** ID of the campaign. */
  campaign_id?: string;
  /** ID of the link. */
  link_id?: string;
  /** ID of the customer. */
  customer_id?: string;
  /**
   * Filters by up to 100 IDs. Accepts several values, repeated (`ids=a&ids=b` or `ids[]=a&ids[]=b`) or
   * comma-separated (`ids=a,b`).
   */
  ids?: string[];
  /** Filters by exact Stripe customer ID. */
  psp_customer_id?: string;
  /** Filters by exact customer email address, case-insensitive. */
  email?: string;
}

export interface LinksListQuery {
  /** Page number, starting at 1. */
  page?: number;
  /** Records per page. Values above 100 count as 100. */
  limit?: number;
  /** `pagination.next_cursor` of the preceding page. Use it instead of `page`, with the same `sort` and filters. */
  starting_after?: string;
  /**
   * `pagination.previous_cursor` of the following page. Use it instead of `page`, with the same `sort` and
   * filters.
   */
  ending_before?: string;
  /** `false` leaves out `total_count` and `total_pages`, which makes long filtered lists faster. */
  include_total?: boolean;
  /** Order of the records. A leading minus means descending. */
  sort?: '-created_at' | 'created_at' | '-updated_at' | 'updated_at';
  /** Returns records updated at or after this time. */
  updated_since?: string;
  /** Returns records updated at or before this time. */
  updated_until?: string;
  /** `true`: archived records only. */
  archived?: boolean;
  /** ID of the affiliate. */
  affiliate_id?: string;
  /** ID of the campaign. */
  campaign_id?: string;
  /** Filters by link code or former link code, case-insensitive. */
  token?: string;
  /** Filters by exact destination URL, as in the record. */
  url?: string;
  /**
   * Filters by up to 100 IDs. Accepts several values, repeated (`ids=a&ids=b` or `ids[]=a&ids[]=b`) or
   * comma-separated (`ids=a,b`).
   */
  ids?: string[];
  /** Filters by exact `external_id`. */
  external_id?: string;
  /** Filters by metadata: all given pairs must match, e.g. `metadata[tier]=gold`. */
  metadata?: Record<string, string>;
}

export interface PayoutsListQuery {
  /** Page number, starting at 1. */
  page?: number;
  /** Records per page. Values above 100 count as 100. */
  limit?: number;
  /** `pagination.next_cursor` of the preceding page. Use it instead of `page`, with the same `sort` and filters. */
  starting_after?: string;
  /**
   * `pagination.previous_cursor` of the following page. Use it instead of `page`, with the same `sort` and
   * filters.
   */
  ending_before?: string;
  /** `false` leaves out `total_count` and `total_pages`, which makes long filtered lists faster. */
  include_total?: boolean;
  /**
   * Order of the records. A leading minus means descending. Order by `amount_cents` requires at most 50,000
   * records, all of one currency.
   */
  sort?: '-created_at' | 'created_at' | '-updated_at' | 'updated_at' | '-amount_cents' | 'amount_cents';
  /**
   * Related records to include. Accepts several values, repeated (`expand=a&expand=b` or `expand[]=a&expand[]=b`)
   * or comma-separated (`expand=a,b`).
   */
  expand?: (
    | 'affiliate'
    | 'commissions'
    | 'attempts'
    | 'shared_accounts'
    | 'under_review'
    | 'explanation'
    | 'affiliate.campaign'
    | 'commissions.campaign'
    | 'commissions.sale'
  )[];
  /** Returns records updated at or after this time. */
  updated_since?: string;
  /** Returns records updated at or before this time. */
  updated_until?: string;
  /** Returns records created at or after this time. */
  created_since?: string;
  /** Returns records created at or before this time. */
  created_until?: string;
  /** Filters by currency. */
  currency?: string;
  /** Returns records with at least this amount. */
  amount_from_cents?: number;
  /** Returns records with at most this amount. */
  amount_to_cents?: number;
  /** Filters by exact `external_id`. */
  external_id?: string;
  /** Filters by metadata: all given pairs must match, e.g. `metadata[tier]=gold`. */
  metadata?: Record<string, string>;
  /** ID of the affiliate. */
  affiliate_id?: string;
  /** Returns the payouts of affiliates in the campaign. */
  campaign_id?: string;
  /** Filters by exact `payment_reference`. */
  payment_reference?: string;
  /**
   * Filters by up to 100 IDs. Accepts several values, repeated (`ids=a&ids=b` or `ids[]=a&ids[]=b`) or
   * comma-separated (`ids=a,b`).
   */
  ids?: string[];
  /**
   * Filters by one or more of these values. Accepts several values, repeated (`state=a&state=b` or
   * `state[]=a&state[]=b`) or comma-separated (`state=a,b`).
   */
  state?: PayoutState[];
  /** `true`: records of live mode only. `false`: records of test mode only. */
  livemode?: boolean;
  /**
   * `true`: returns all eligible payouts without pagination; only live payouts, unless `livemode` is `false`.
   * `false`: returns only payouts that are not eligible.
   */
  eligible?: boolean;
}

export interface PayoutsGetQuery {
  /**
   * Related records to include. Accepts several values, repeated (`expand=a&expand=b` or `expand[]=a&expand[]=b`)
   * or comma-separated (`expand=a,b`).
   */
  expand?: (
    | 'affiliate'
    | 'commissions'
    | 'attempts'
    | 'shared_accounts'
    | 'under_review'
    | 'explanation'
    | 'affiliate.campaign'
    | 'commissions.campaign'
    | 'commissions.sale'
  )[];
}

export interface PayoutsItemsQuery {
  /** Page number, starting at 1. */
  page?: number;
  /** Records per page. Values above 100 count as 100. */
  limit?: number;
  /** `pagination.next_cursor` of the preceding page. Use it instead of `page`, with the same `sort` and filters. */
  starting_after?: string;
  /**
   * `pagination.previous_cursor` of the following page. Use it instead of `page`, with the same `sort` and
   * filters.
   */
  ending_before?: string;
  /** `false` leaves out `total_count` and `total_pages`, which makes long filtered lists faster. */
  include_total?: boolean;
  /**
   * Order of the records. A leading minus means descending. Order by `amount_cents` requires at most 50,000
   * records, all of one currency.
   */
  sort?: '-created_at' | 'created_at' | '-updated_at' | 'updated_at' | '-amount_cents' | 'amount_cents';
  /**
   * Related records to include. Accepts several values, repeated (`expand=a&expand=b` or `expand[]=a&expand[]=b`)
   * or comma-separated (`expand=a,b`).
   */
  expand?: ('campaign' | 'sale' | 'affiliate' | 'lines' | 'contested' | 'explanation' | 'sale.customer' | 'affiliate.campaign')[];
}

export interface PayoutAttemptsListQuery {
  /** Page number, starting at 1. */
  page?: number;
  /** Records per page. Values above 100 count as 100. */
  limit?: number;
  /** `pagination.next_cursor` of the preceding page. Use it instead of `page`, with the same `sort` and filters. */
  starting_after?: string;
  /**
   * `pagination.previous_cursor` of the following page. Use it instead of `page`, with the same `sort` and
   * filters.
   */
  ending_before?: string;
  /** `false` leaves out `total_count` and `total_pages`, which makes long filtered lists faster. */
  include_total?: boolean;
  /** Order of the records. A leading minus means descending. */
  sort?: '-created_at' | 'created_at' | '-updated_at' | 'updated_at';
  /**
   * Related records to include. Accepts several values, repeated (`expand=a&expand=b` or `expand[]=a&expand[]=b`)
   * or comma-separated (`expand=a,b`).
   */
  expand?: ('affiliate' | 'affiliate.campaign')[];
  /** Returns records updated at or after this time. */
  updated_since?: string;
  /** Returns records updated at or before this time. */
  updated_until?: string;
  /** ID of the payout. */
  payout_id?: string;
  /** ID of the affiliate. */
  affiliate_id?: string;
  /** Returns the attempts of an export, a run or a batch. */
  batch_id?: string;
  /** Returns the attempts by a kind of method. */
  method?: string;
  /**
   * Filters by one or more of these values. Accepts several values, repeated (`state=a&state=b` or
   * `state[]=a&state[]=b`) or comma-separated (`state=a,b`).
   */
  state?: PayoutAttemptState[];
  /** `true`: records of live mode only. `false`: records of test mode only. */
  livemode?: boolean;
}

export interface PayoutBatchesListQuery {
  /** Page number, starting at 1. */
  page?: number;
  /** Records per page. Values above 100 count as 100. */
  limit?: number;
  /** `pagination.next_cursor` of the preceding page. Use it instead of `page`, with the same `sort` and filters. */
  starting_after?: string;
  /**
   * `pagination.previous_cursor` of the following page. Use it instead of `page`, with the same `sort` and
   * filters.
   */
  ending_before?: string;
  /** `false` leaves out `total_count` and `total_pages`, which makes long filtered lists faster. */
  include_total?: boolean;
  /** Order of the records. A leading minus means descending. */
  sort?: '-created_at' | 'created_at' | '-updated_at' | 'updated_at';
  /** Returns records updated at or after this time. */
  updated_since?: string;
  /** Returns records updated at or before this time. */
  updated_until?: string;
  /** `true`: records of live mode only. `false`: records of test mode only. */
  livemode?: boolean;
}

export interface PayoutBatchesGetQuery {
  /**
   * Related records to include. Accepts several values, repeated (`expand=a&expand=b` or `expand[]=a&expand[]=b`)
   * or comma-separated (`expand=a,b`).
   */
  expand?: 'attempts'[];
}

export interface PayoutMethodsListQuery {
  /** Page number, starting at 1. */
  page?: number;
  /** Records per page. Values above 100 count as 100. */
  limit?: number;
  /** `pagination.next_cursor` of the preceding page. Use it instead of `page`, with the same `sort` and filters. */
  starting_after?: string;
  /**
   * `pagination.previous_cursor` of the following page. Use it instead of `page`, with the same `sort` and
   * filters.
   */
  ending_before?: string;
  /** `false` leaves out `total_count` and `total_pages`, which makes long filtered lists faster. */
  include_total?: boolean;
  /** Order of the records. A leading minus means descending. */
  sort?: '-created_at' | 'created_at' | '-updated_at' | 'updated_at';
  /** Returns records updated at or after this time. */
  updated_since?: string;
  /** Returns records updated at or before this time. */
  updated_until?: string;
  /** ID of the affiliate. */
  affiliate_id?: string;
  /** Returns the methods of a kind. */
  kind?: string;
  /** `true` also returns methods that were removed. */
  retired?: boolean;
}

export interface PayoutScreeningsListQuery {
  /** Page number, starting at 1. */
  page?: number;
  /** Records per page. Values above 100 count as 100. */
  limit?: number;
  /** `pagination.next_cursor` of the preceding page. Use it instead of `page`, with the same `sort` and filters. */
  starting_after?: string;
  /**
   * `pagination.previous_cursor` of the following page. Use it instead of `page`, with the same `sort` and
   * filters.
   */
  ending_before?: string;
  /** `false` leaves out `total_count` and `total_pages`, which makes long filtered lists faster. */
  include_total?: boolean;
  /** ID of the affiliate. */
  affiliate_id?: string;
  /** `true`: only those because of which affiliates are not paid now. */
  held?: boolean;
}

export interface PayoutExportsListQuery {
  /** Page number, starting at 1. */
  page?: number;
  /** Records per page. Values above 100 count as 100. */
  limit?: number;
  /** `pagination.next_cursor` of the preceding page. Use it instead of `page`, with the same `sort` and filters. */
  starting_after?: string;
  /**
   * `pagination.previous_cursor` of the following page. Use it instead of `page`, with the same `sort` and
   * filters.
   */
  ending_before?: string;
  /** `false` leaves out `total_count` and `total_pages`, which makes long filtered lists faster. */
  include_total?: boolean;
  /** Order of the records. A leading minus means descending. */
  sort?: '-created_at' | 'created_at' | '-updated_at' | 'updated_at';
  /** Returns records updated at or after this time. */
  updated_since?: string;
  /** Returns records updated at or before this time. */
  updated_until?: string;
}

export interface PayoutExportsCheckQuery {
  /**
   * Payouts to check. Defaults to all eligible payouts. Accepts several values, repeated
   * (`payout_ids=a&payout_ids=b` or `payout_ids[]=a&payout_ids[]=b`) or comma-separated (`payout_ids=a,b`).
   */
  payout_ids?: string[];
  /** `false` checks payouts of the payment provider’s test mode. */
  livemode?: boolean;
}

export interface PayoutExportsGetQuery {
  /** Format of the returned file. Defaults to the format of the export. */
  export_format?: ExportFormat;
}

export interface PayoutRunsListQuery {
  /** Page number, starting at 1. */
  page?: number;
  /** Records per page. Values above 100 count as 100. */
  limit?: number;
  /** `pagination.next_cursor` of the preceding page. Use it instead of `page`, with the same `sort` and filters. */
  starting_after?: string;
  /**
   * `pagination.previous_cursor` of the following page. Use it instead of `page`, with the same `sort` and
   * filters.
   */
  ending_before?: string;
  /** `false` leaves out `total_count` and `total_pages`, which makes long filtered lists faster. */
  include_total?: boolean;
  /** Order of the records. A leading minus means descending. */
  sort?: '-created_at' | 'created_at' | '-updated_at' | 'updated_at';
  /** Returns records updated at or after this time. */
  updated_since?: string;
  /** Returns records updated at or before this time. */
  updated_until?: string;
  /**
   * Filters by one or more of these values. Accepts several values, repeated (`state=a&state=b` or
   * `state[]=a&state[]=b`) or comma-separated (`state=a,b`).
   */
  state?: PayoutRunState[];
}

export interface PayoutRunsItemsQuery {
  /** Page number, starting at 1. */
  page?: number;
  /** Records per page. Values above 100 count as 100. */
  limit?: number;
  /** `pagination.next_cursor` of the preceding page. Use it instead of `page`, with the same `sort` and filters. */
  starting_after?: string;
  /**
   * `pagination.previous_cursor` of the following page. Use it instead of `page`, with the same `sort` and
   * filters.
   */
  ending_before?: string;
  /** `false` leaves out `total_count` and `total_pages`, which makes long filtered lists faster. */
  include_total?: boolean;
  /**
   * Filters by one or more of these values. Accepts several values, repeated (`state=a&state=b` or
   * `state[]=a&state[]=b`) or comma-separated (`state=a,b`).
   */
  state?: PayoutRunItemState[];
}

export interface PayoutRunsReconcileQuery {
  /** Number of days to check, counted back from now. */
  lookback_days?: number;
}

export interface ReferralsListQuery {
  /** Page number, starting at 1. */
  page?: number;
  /** Records per page. Values above 100 count as 100. */
  limit?: number;
  /** `pagination.next_cursor` of the preceding page. Use it instead of `page`, with the same `sort` and filters. */
  starting_after?: string;
  /**
   * `pagination.previous_cursor` of the following page. Use it instead of `page`, with the same `sort` and
   * filters.
   */
  ending_before?: string;
  /** `false` leaves out `total_count` and `total_pages`, which makes long filtered lists faster. */
  include_total?: boolean;
  /** Order of the records. A leading minus means descending. */
  sort?: '-created_at' | 'created_at' | '-updated_at' | 'updated_at';
  /**
   * Related records to include. Accepts several values, repeated (`expand=a&expand=b` or `expand[]=a&expand[]=b`)
   * or comma-separated (`expand=a,b`).
   */
  expand?: ('link' | 'customer' | 'affiliate' | 'touches' | 'affiliate.campaign')[];
  /** Returns records updated at or after this time. */
  updated_since?: string;
  /** Returns records updated at or before this time. */
  updated_until?: string;
  /** Returns records created at or after this time. */
  created_since?: string;
  /** Returns records created at or before this time. */
  created_until?: string;
  /** Filters by exact `external_id`. */
  external_id?: string;
  /** Filters by metadata: all given pairs must match, e.g. `metadata[tier]=gold`. */
  metadata?: Record<string, string>;
  /** ID of the affiliate. */
  affiliate_id?: string;
  /** ID of the campaign. */
  campaign_id?: string;
  /** ID of the link. */
  link_id?: string;
  /** ID of the customer. */
  customer_id?: string;
  /**
   * Filters by up to 100 IDs. Accepts several values, repeated (`ids=a&ids=b` or `ids[]=a&ids[]=b`) or
   * comma-separated (`ids=a,b`).
   */
  ids?: string[];
  /**
   * Filters by one or more of these values. Accepts several values, repeated
   * (`conversion_state=a&conversion_state=b` or `conversion_state[]=a&conversion_state[]=b`) or comma-separated
   * (`conversion_state=a,b`).
   */
  conversion_state?: ConversionState[];
  /**
   * Alias of `conversion_state`. Accepts several values, repeated (`conversionState=a&conversionState=b` or
   * `conversionState[]=a&conversionState[]=b`) or comma-separated (`conversionState=a,b`).
   */
  conversionState?: ConversionState[];
  /** Filters by exact Stripe customer ID. */
  psp_customer_id?: string;
  /** Filters by exact customer email address, case-insensitive. */
  email?: string;
}

export interface ReferralsGetQuery {
  /**
   * Related records to include. Accepts several values, repeated (`expand=a&expand=b` or `expand[]=a&expand[]=b`)
   * or comma-separated (`expand=a,b`).
   */
  expand?: ('link' | 'customer' | 'affiliate' | 'touches' | 'affiliate.campaign')[];
}

export interface RefundsListQuery {
  /** Page number, starting at 1. */
  page?: number;
  /** Records per page. Values above 100 count as 100. */
  limit?: number;
  /** `pagination.next_cursor` of the preceding page. Use it instead of `page`, with the same `sort` and filters. */
  starting_after?: string;
  /**
   * `pagination.previous_cursor` of the following page. Use it instead of `page`, with the same `sort` and
   * filters.
   */
  ending_before?: string;
  /** `false` leaves out `total_count` and `total_pages`, which makes long filtered lists faster. */
  include_total?: boolean;
  /** Order of the records. A leading minus means descending. */
  sort?: '-created_at' | 'created_at' | '-updated_at' | 'updated_at';
  /** Returns records updated at or after this time. */
  updated_since?: string;
  /** Returns records updated at or before this time. */
  updated_until?: string;
  /** ID of the affiliate. */
  affiliate_id?: string;
  /** ID of the customer. */
  customer_id?: string;
}

export interface RewardRulesListQuery {
  /** Page number, starting at 1. */
  page?: number;
  /** Records per page. Values above 100 count as 100. */
  limit?: number;
  /** `pagination.next_cursor` of the preceding page. Use it instead of `page`, with the same `sort` and filters. */
  starting_after?: string;
  /**
   * `pagination.previous_cursor` of the following page. Use it instead of `page`, with the same `sort` and
   * filters.
   */
  ending_before?: string;
  /** `false` leaves out `total_count` and `total_pages`, which makes long filtered lists faster. */
  include_total?: boolean;
  /** Returns records updated at or after this time. */
  updated_since?: string;
  /** Returns records updated at or before this time. */
  updated_until?: string;
  /** Order of the records. `rank` is the order in which rules decide. A leading minus means descending. */
  sort?: 'rank' | '-created_at' | 'created_at' | '-updated_at' | 'updated_at';
  /** ID of the campaign. */
  campaign_id?: string;
  /** ID of the affiliate. */
  affiliate_id?: string;
  /** ID of the link. */
  link_id?: string;
  /** `true`: ended rules only. By default, ended rules are left out. */
  ended?: boolean;
}

export interface TiersListQuery {
  /** Page number, starting at 1. */
  page?: number;
  /** Records per page. Values above 100 count as 100. */
  limit?: number;
  /** `pagination.next_cursor` of the preceding page. Use it instead of `page`, with the same `sort` and filters. */
  starting_after?: string;
  /**
   * `pagination.previous_cursor` of the following page. Use it instead of `page`, with the same `sort` and
   * filters.
   */
  ending_before?: string;
  /** `false` leaves out `total_count` and `total_pages`, which makes long filtered lists faster. */
  include_total?: boolean;
  /** Returns records updated at or after this time. */
  updated_since?: string;
  /** Returns records updated at or before this time. */
  updated_until?: string;
  /** Order of the records. A leading minus means descending. */
  sort?: '-created_at' | 'created_at' | '-updated_at' | 'updated_at';
  /** ID of the campaign. */
  campaign_id?: string;
  /** `true`: ended tiers only. By default, ended tiers are left out. */
  ended?: boolean;
}

export interface InvitationsListQuery {
  /** `member`: the person joins the account’s team; `affiliate`: the person becomes an affiliate. */
  kind?: InvitationKind;
  /** Filters by status. */
  status?: InvitationStatus;
  /** Page number, starting at 1. */
  page?: number;
  /** Records per page. Values above 100 count as 100. */
  limit?: number;
  /** `pagination.next_cursor` of the preceding page. Use it instead of `page`, with the same `sort` and filters. */
  starting_after?: string;
  /**
   * `pagination.previous_cursor` of the following page. Use it instead of `page`, with the same `sort` and
   * filters.
   */
  ending_before?: string;
  /** `false` leaves out `total_count` and `total_pages`, which makes long filtered lists faster. */
  include_total?: boolean;
  /** Order of the records. A leading minus means descending. */
  sort?: '-created_at' | 'created_at' | '-updated_at' | 'updated_at';
  /** Returns records updated at or after this time. */
  updated_since?: string;
  /** Returns records updated at or before this time. */
  updated_until?: string;
  /**
   * Filters by up to 100 IDs. Accepts several values, repeated (`ids=a&ids=b` or `ids[]=a&ids[]=b`) or
   * comma-separated (`ids=a,b`).
   */
  ids?: string[];
  /** Filters by exact email address, case-insensitive. */
  email?: string;
}

export interface InvitationsGetQuery {
  /** Expected kind. If set, an invitation of the other kind is not found. */
  kind?: InvitationKind;
}

export interface InvitationsDeleteQuery {
  /** Expected kind. If set, an invitation of the other kind is not found. */
  kind?: InvitationKind;
}

export interface SalesListQuery {
  /** Page number, starting at 1. */
  page?: number;
  /** Records per page. Values above 100 count as 100. */
  limit?: number;
  /** `pagination.next_cursor` of the preceding page. Use it instead of `page`, with the same `sort` and filters. */
  starting_after?: string;
  /**
   * `pagination.previous_cursor` of the following page. Use it instead of `page`, with the same `sort` and
   * filters.
   */
  ending_before?: string;
  /** `false` leaves out `total_count` and `total_pages`, which makes long filtered lists faster. */
  include_total?: boolean;
  /**
   * Order of the records. A leading minus means descending. Order by `charge_amount_cents` requires at most 50,000
   * records, all of one currency.
   */
  sort?:
    | '-created_at'
    | 'created_at'
    | '-updated_at'
    | 'updated_at'
    | '-charged_at'
    | 'charged_at'
    | '-charge_amount_cents'
    | 'charge_amount_cents';
  /** Returns records updated at or after this time. */
  updated_since?: string;
  /** Returns records updated at or before this time. */
  updated_until?: string;
  /** Returns records created at or after this time. */
  created_since?: string;
  /** Returns records created at or before this time. */
  created_until?: string;
  /**
   * Filters by up to 100 IDs. Accepts several values, repeated (`ids=a&ids=b` or `ids[]=a&ids[]=b`) or
   * comma-separated (`ids=a,b`).
   */
  ids?: string[];
  /** Filters by exact `external_id`. */
  external_id?: string;
  /** Filters by metadata: all given pairs must match, e.g. `metadata[tier]=gold`. */
  metadata?: Record<string, string>;
  /** Searches, ignoring case: the whole of your ID, a Stripe ID, or an email address or ID of the customer. */
  q?: string;
  /** Returns sales charged at or after this time. */
  charged_since?: string;
  /** Returns sales charged at or before this time. */
  charged_until?: string;
  /** Filters by currency. */
  currency?: string;
  /** Returns records with at least this amount. */
  amount_from_cents?: number;
  /** Returns records with at most this amount. */
  amount_to_cents?: number;
  /** ID of the affiliate. */
  affiliate_id?: string;
  /** ID of the referral. */
  referral_id?: string;
  /** ID of the customer. */
  customer_id?: string;
  /** Returns only sales whose payment this connection to a provider told. */
  connection_id?: string;
  /** `true`: returns only sales that are attributed to an affiliate. `false`: returns only sales that are not. */
  attributed?: boolean;
  /**
   * `true`: returns only sales that a person should look at: facts contradict a paid commission, or refunds are in
   * doubt (`expand=review`). `false`: returns only others.
   */
  needs_review?: boolean;
  /** `true`: records of live mode only. `false`: records of test mode only. */
  livemode?: boolean;
  /**
   * Related records to include. Accepts several values, repeated (`expand=a&expand=b` or `expand[]=a&expand[]=b`)
   * or comma-separated (`expand=a,b`).
   */
  expand?: ('missing' | 'review' | 'explanation')[];
}

export interface SalesGetQuery {
  /**
   * Related records to include. Accepts several values, repeated (`expand=a&expand=b` or `expand[]=a&expand[]=b`)
   * or comma-separated (`expand=a,b`).
   */
  expand?: ('decision' | 'missing' | 'review' | 'explanation')[];
}

export interface SearchFindQuery {
  /**
   * An ID; the beginning of the name or email address of an affiliate, or of the email address of a customer; or a
   * complete link code, promo code, order ID, Stripe ID, or payment reference.
   */
  q: string;
}

export interface ApiRequestsListQuery {
  /** Records per page. Values above 100 count as 100. */
  limit?: number;
  /** `pagination.next_cursor` of the preceding page. Use it instead of `page`, with the same `sort` and filters. */
  starting_after?: string;
  /**
   * `pagination.previous_cursor` of the following page. Use it instead of `page`, with the same `sort` and
   * filters.
   */
  ending_before?: string;
  /** Returns requests with this API key. */
  key_id?: string;
  /** Filters by HTTP method. */
  method?: 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** `true`: only requests that were answered with an error. `false`: only others. */
  failed?: boolean;
  /** Filters by `X-Request-Id`. */
  request_id?: string;
  /** Returns records created at or after this time. */
  created_since?: string;
  /** Returns records created at or before this time. */
  created_until?: string;
}

export interface AuditLogListQuery {
  /** Page number, starting at 1. */
  page?: number;
  /** Records per page. Values above 100 count as 100. */
  limit?: number;
  /** `pagination.next_cursor` of the preceding page. Use it instead of `page`, with the same `sort` and filters. */
  starting_after?: string;
  /**
   * `pagination.previous_cursor` of the following page. Use it instead of `page`, with the same `sort` and
   * filters.
   */
  ending_before?: string;
  /** `false` leaves out `total_count` and `total_pages`, which makes long filtered lists faster. */
  include_total?: boolean;
  /** Order of the records. A leading minus means descending. */
  sort?: '-created_at' | 'created_at';
  /** ID of a member, connector or API key. */
  caller_id?: string;
  /** Filters by the kind of caller. */
  caller_kind?: 'session' | 'api_key' | 'connector' | 'system';
  /** ID of a record that the entries concern. */
  subject_id?: string;
  /** Kind of record, e.g. `members`. */
  tool?: string;
  /** Action, e.g. `update_role`. */
  action?: string;
  /** `true`: previews only. `false`: no previews. */
  preview?: boolean;
  /** Returns records created at or after this time. */
  created_since?: string;
  /** Returns records created at or before this time. */
  created_until?: string;
}

export interface SiteCheckQuery {
  /** A page of your site. */
  url: string;
}

export interface SiteTestVisitQuery {
  /** Value of `sub5` in the address of the test visit. */
  mark: string;
  /** Referral of the test visit’s click, if you know it already. */
  referral_id?: string;
}

export interface ConnectorsListQuery {
  /** Page number, starting at 1. */
  page?: number;
  /** Records per page. Values above 100 count as 100. */
  limit?: number;
  /** `pagination.next_cursor` of the preceding page. Use it instead of `page`, with the same `sort` and filters. */
  starting_after?: string;
  /**
   * `pagination.previous_cursor` of the following page. Use it instead of `page`, with the same `sort` and
   * filters.
   */
  ending_before?: string;
  /** `false` leaves out `total_count` and `total_pages`, which makes long filtered lists faster. */
  include_total?: boolean;
  /** Order of the records. A leading minus means descending. */
  sort?: '-created_at' | 'created_at' | '-updated_at' | 'updated_at';
  /** Returns records updated at or after this time. */
  updated_since?: string;
  /** Returns records updated at or before this time. */
  updated_until?: string;
}

export interface ConnectionsListQuery {
  /** Page number, starting at 1. */
  page?: number;
  /** Records per page. Values above 100 count as 100. */
  limit?: number;
  /** `pagination.next_cursor` of the preceding page. Use it instead of `page`, with the same `sort` and filters. */
  starting_after?: string;
  /**
   * `pagination.previous_cursor` of the following page. Use it instead of `page`, with the same `sort` and
   * filters.
   */
  ending_before?: string;
  /** `false` leaves out `total_count` and `total_pages`, which makes long filtered lists faster. */
  include_total?: boolean;
}

export interface ImportsListQuery {
  /** Page number, starting at 1. */
  page?: number;
  /** Records per page. Values above 100 count as 100. */
  limit?: number;
  /** `pagination.next_cursor` of the preceding page. Use it instead of `page`, with the same `sort` and filters. */
  starting_after?: string;
  /**
   * `pagination.previous_cursor` of the following page. Use it instead of `page`, with the same `sort` and
   * filters.
   */
  ending_before?: string;
  /** `false` leaves out `total_count` and `total_pages`, which makes long filtered lists faster. */
  include_total?: boolean;
}

export interface ImportsRowsQuery {
  /** Page number, starting at 1. */
  page?: number;
  /** Records per page. Values above 100 count as 100. */
  limit?: number;
  /** `pagination.next_cursor` of the preceding page. Use it instead of `page`, with the same `sort` and filters. */
  starting_after?: string;
  /**
   * `pagination.previous_cursor` of the following page. Use it instead of `page`, with the same `sort` and
   * filters.
   */
  ending_before?: string;
  /** `false` leaves out `total_count` and `total_pages`, which makes long filtered lists faster. */
  include_total?: boolean;
  /** Filters by kind. */
  kind?: ImportedKind;
  /** Filters by outcome. */
  outcome?: ImportOutcome;
}

export interface ShadowsListQuery {
  /** Page number, starting at 1. */
  page?: number;
  /** Records per page. Values above 100 count as 100. */
  limit?: number;
  /** `pagination.next_cursor` of the preceding page. Use it instead of `page`, with the same `sort` and filters. */
  starting_after?: string;
  /**
   * `pagination.previous_cursor` of the following page. Use it instead of `page`, with the same `sort` and
   * filters.
   */
  ending_before?: string;
  /** `false` leaves out `total_count` and `total_pages`, which makes long filtered lists faster. */
  include_total?: boolean;
  /** Only customers who have a referral or a code of the affiliate. */
  affiliate_id?: string;
  /** Only sales that were charged at or after this time. */
  charged_since?: string;
}

export interface ShadowsSumsQuery {
  /** Only customers who have a referral or a code of the affiliate. */
  affiliate_id?: string;
  /** Only sales that were charged at or after this time. */
  charged_since?: string;
  /** `next` of the part before. Without it, the first part. */
  after?: string;
}

export interface EmailTextsListQuery {
  /** Language of the texts. */
  language?: MailLanguage;
}

export interface PayoutRailsListQuery {
  /** Page number, starting at 1. */
  page?: number;
  /** Records per page. Values above 100 count as 100. */
  limit?: number;
  /** `pagination.next_cursor` of the preceding page. Use it instead of `page`, with the same `sort` and filters. */
  starting_after?: string;
  /**
   * `pagination.previous_cursor` of the following page. Use it instead of `page`, with the same `sort` and
   * filters.
   */
  ending_before?: string;
  /** `false` leaves out `total_count` and `total_pages`, which makes long filtered lists faster. */
  include_total?: boolean;
}

export interface WebhookDeliveriesListQuery {
  /** Page number, starting at 1. */
  page?: number;
  /** Records per page. Values above 100 count as 100. */
  limit?: number;
  /** `pagination.next_cursor` of the preceding page. Use it instead of `page`, with the same `sort` and filters. */
  starting_after?: string;
  /**
   * `pagination.previous_cursor` of the following page. Use it instead of `page`, with the same `sort` and
   * filters.
   */
  ending_before?: string;
  /** `false` leaves out `total_count` and `total_pages`, which makes long filtered lists faster. */
  include_total?: boolean;
  /** Order of the records. A leading minus means descending. */
  sort?: '-created_at' | 'created_at';
  /** ID of the webhook endpoint. */
  endpoint_id?: string;
  /** Filters by the type of the event. */
  event_type?: EventType;
  /** `true`: records of live mode only. `false`: records of test mode only. */
  livemode?: boolean;
  /** Filters by status. */
  status?: DeliveryStatus;
}

export interface WebhookEndpointsListQuery {
  /** Page number, starting at 1. */
  page?: number;
  /** Records per page. Values above 100 count as 100. */
  limit?: number;
  /** `pagination.next_cursor` of the preceding page. Use it instead of `page`, with the same `sort` and filters. */
  starting_after?: string;
  /**
   * `pagination.previous_cursor` of the following page. Use it instead of `page`, with the same `sort` and
   * filters.
   */
  ending_before?: string;
  /** `false` leaves out `total_count` and `total_pages`, which makes long filtered lists faster. */
  include_total?: boolean;
  /** Order of the records. A leading minus means descending. */
  sort?: '-created_at' | 'created_at' | '-updated_at' | 'updated_at';
  /** Returns records updated at or after this time. */
  updated_since?: string;
  /** Returns records updated at or before this time. */
  updated_until?: string;
}

export interface MembersListQuery {
  /** Page number, starting at 1. */
  page?: number;
  /** Records per page. Values above 100 count as 100. */
  limit?: number;
  /** `pagination.next_cursor` of the preceding page. Use it instead of `page`, with the same `sort` and filters. */
  starting_after?: string;
  /**
   * `pagination.previous_cursor` of the following page. Use it instead of `page`, with the same `sort` and
   * filters.
   */
  ending_before?: string;
  /** `false` leaves out `total_count` and `total_pages`, which makes long filtered lists faster. */
  include_total?: boolean;
  /** Order of the records. A leading minus means descending. */
  sort?: '-created_at' | 'created_at' | '-updated_at' | 'updated_at';
  /** Returns records updated at or after this time. */
  updated_since?: string;
  /** Returns records updated at or before this time. */
  updated_until?: string;
}

/** Types of `details` by error code. */
export interface ErrorDetails {
  MALFORMED_JSON: undefined;
  MALFORMED_REQUEST: undefined;
  MISSING_ACCOUNT_ID: undefined;
  INVALID_SIGNATURE: undefined;
  UNAUTHORIZED: undefined;
  FORBIDDEN: ForbiddenDetails | undefined;
  PAY_LIMIT_EXCEEDED: PayLimitDetails | undefined;
  SECOND_FACTOR_REQUIRED: undefined;
  NOT_FOUND: undefined;
  CONFLICT: ConflictDetails | undefined;
  OPERATION_PENDING: OperationDetails | undefined;
  RECONCILIATION_REQUIRED: OperationDetails | undefined;
  PRECONDITION_FAILED: PreconditionDetails | undefined;
  PAYLOAD_TOO_LARGE: undefined;
  UNSUPPORTED_MEDIA_TYPE: undefined;
  VALIDATION_ERROR: ValidationDetail[];
  PSP_NOT_CONNECTED: undefined;
  RATE_LIMITED: RetryDetails | undefined;
  INTERNAL_ERROR: undefined;
  PSP_ERROR: ProviderDetails | undefined;
  UNAVAILABLE: RetryDetails | undefined;
  METHOD_NOT_ALLOWED: undefined;
  REQUEST_TIMEOUT: undefined;
  HEADERS_TOO_LARGE: undefined;
}

export type ErrorCode = keyof ErrorDetails;

/** An event, as the service posts it to webhook endpoints: a union by `type`. */
export type WebhookEvent =
  | AffiliateCreatedEvent
  | AffiliateApprovedEvent
  | AffiliateUpdatedEvent
  | AffiliateTierChangedEvent
  | CampaignCreatedEvent
  | CampaignUpdatedEvent
  | RewardRuleCreatedEvent
  | RewardRuleUpdatedEvent
  | TierCreatedEvent
  | TierUpdatedEvent
  | LinkCreatedEvent
  | LinkUpdatedEvent
  | PromoCodeCreatedEvent
  | PromoCodeUpdatedEvent
  | ReferralCreatedEvent
  | ReferralConvertedEvent
  | ReferralUpdatedEvent
  | CustomerCreatedEvent
  | CustomerUpdatedEvent
  | CustomerMergedEvent
  | SaleRecordedEvent
  | SaleRefundedEvent
  | SaleUpdatedEvent
  | CommissionCreatedEvent
  | CommissionDueEvent
  | CommissionPaidEvent
  | CommissionVoidedEvent
  | CommissionUpdatedEvent
  | PayoutCreatedEvent
  | PayoutUpdatedEvent
  | PayoutMergedEvent
  | PayoutPaidEvent
  | PayoutReturnedEvent
  | PayoutFailedEvent
  | PayoutMethodCreatedEvent
  | PayoutMethodUpdatedEvent
  | PayoutRunFinishedEvent
  | PayoutExportPaidEvent
  | ImportCompletedEvent;
