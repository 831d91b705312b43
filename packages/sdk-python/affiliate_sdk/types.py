# Generated from the contract by `pnpm generate`. Do not edit.
"""Records and events, as the service sends them."""

from __future__ import annotations

from typing import Any, Dict, List, Literal, NotRequired, TypedDict, Union


class PaymentSeenDelivery(TypedDict):
    """A fact of the type payment.seen."""

    type: Literal["payment.seen"]
    """Type of the fact."""
    timestamp: str
    """Time of this snapshot."""
    data: PaymentFact
    dry_run: NotRequired[bool]
    """`true` to check the facts only. Nothing is stored. Default: `false`."""


class PaymentFactCharged(TypedDict):
    """Null while nothing is paid."""

    amount: int
    """Amount with the tax in it, in the minor unit of the currency."""
    tax: NotRequired[int | None]
    """The tax in `amount`."""
    currency: str
    """ISO 4217 currency code."""
    at: str
    """Time of the payment."""


class PaymentFact(TypedDict):
    """Everything that is known of one payment at this moment."""

    names: List[str]
    """All names of the payment, each with its kind in front. Any of them finds the payment again."""
    version: int
    """A number that rises with every change, e.g. the milliseconds since 1970 of the change. An older version
    changes nothing.
    """
    live: bool
    """`false` for a test. Tests and real payments never mix."""
    charged: NotRequired[PaymentFactCharged | None]
    """Null while nothing is paid."""
    payer: NotRequired[FactPayer]
    """Default: `{"ids":[]}`."""
    references: NotRequired[List[FactReference]]
    """Values from the checkout, or from your records, that say who sent the customer. Default: `[]`."""
    lines: NotRequired[List[FactLine]]
    """All lines that were sold. Empty if they are not known. Default: `[]`."""
    codes: NotRequired[List[FactCode]]
    """Promotion codes that were redeemed. Default: `[]`."""
    refunds: NotRequired[List[FactRefund]]
    """All refunds of the payment. Default: `[]`."""
    disputes: NotRequired[List[FactDispute]]
    """All disputes of the payment. Default: `[]`."""
    subscription: NotRequired[FactSubscription | None]
    """The subscription that is paid; null for a single purchase."""
    excluded: NotRequired[bool]
    """`true` if nobody earns from this payment. Default: `false`."""
    description: NotRequired[str | None]
    """Description."""


class FactPayer(TypedDict):
    """The customer who pays. A guest may have nothing but an email address."""

    ids: NotRequired[List[str]]
    """IDs of the customer at this source. Other sources may have a customer with the same ID. Default: `[]`."""
    external_id: NotRequired[str | None]
    """Your own ID of the customer, as in `external_customer_id` of the API. It connects the customer with other
    sources.
    """
    email: NotRequired[str | None]
    """Email address."""
    name: NotRequired[str | None]
    """Name."""


class FactReference(TypedDict):
    """A value that says who sent the customer."""

    value: str
    """ID of a referral, or the token of a link. Values that name nothing are kept and earn nothing."""
    at: NotRequired[str | None]
    """Time at which the value was stored with the checkout or the customer."""


class FactLine(TypedDict):
    """Something that was sold."""

    product: NotRequired[str | None]
    """Product of the line, e.g. its ID at the payment provider."""
    price: NotRequired[str | None]
    """Price of the line, e.g. its ID at the payment provider."""
    name: NotRequired[str | None]
    """Name."""
    interval: NotRequired[PriceInterval | None]
    """Billing interval of the price."""
    quantity: NotRequired[int]
    """Default: `1`."""
    amount: int
    """Amount after discounts, without tax. Negative for a line that takes an earlier charge back."""


class FactCode(TypedDict):
    """A promotion code that the customer redeemed."""

    code: str
    """Text of the code."""
    at: NotRequired[str | None]
    """Time at which it was redeemed."""


class FactRefund(TypedDict):
    """Money that went back to the customer, or was asked back."""

    id: str
    """ID."""
    amount: int
    """Amount with the tax in it."""
    tax: NotRequired[int | None]
    """The tax in `amount`, if it is known."""
    at: str
    """Time of the refund."""
    state: FactRefundState
    """`waiting`: requested. `done`: the customer gets the money. `failed`: refused, or returned to you."""
    failed_at: NotRequired[str | None]
    """Time at which a refund failed that had been done before."""
    lines: NotRequired[List[FactRefundLine]]
    """Amounts without tax that are taken back from products. Default: `[]`."""


class FactRefundLine(TypedDict):
    product: NotRequired[str | None]
    """Product of the line, e.g. its ID at the payment provider."""
    amount: int
    """Amount without tax."""


class FactDispute(TypedDict):
    """A chargeback."""

    id: str
    """ID."""
    amount: int
    """Amount that the customer disputes."""
    at: str
    """Time at which the dispute was opened."""
    outcome: FactDisputeOutcome
    """`won` includes every end that takes no money from you."""


class FactSubscription(TypedDict):
    id: str
    """ID."""
    trial_until: NotRequired[str | None]
    """End of the free period before the first payment; null if there is none."""


class CustomerSeenDelivery(TypedDict):
    """A fact of the type customer.seen."""

    type: Literal["customer.seen"]
    """Type of the fact."""
    timestamp: str
    """Time of this snapshot."""
    data: CustomerFact
    dry_run: NotRequired[bool]
    """`true` to check the facts only. Nothing is stored. Default: `false`."""


class CustomerFact(TypedDict):
    """Everything that is known of one customer apart from payments, e.g. at the start of a trial."""

    version: int
    """A number that rises with every change, e.g. the milliseconds since 1970 of the change. An older version
    changes nothing.
    """
    live: bool
    """`false` for a test. Tests and real payments never mix."""
    payer: FactPayer
    former_email: NotRequired[str | None]
    """The address that the current one replaced."""
    references: NotRequired[List[FactReference]]
    """Values from the checkout, or from your records, that say who sent the customer. Default: `[]`."""
    codes: NotRequired[List[FactCode]]
    """Promotion codes that were redeemed. Default: `[]`."""
    subscription: NotRequired[FactSubscription | None]
    """The subscription of the customer, e.g. with its trial."""
    excluded: NotRequired[bool | None]
    """`true` if nobody earns from this customer."""


class CodeSeenDelivery(TypedDict):
    """A fact of the type code.seen."""

    type: Literal["code.seen"]
    """Type of the fact."""
    timestamp: str
    """Time of this snapshot."""
    data: CodeFact
    dry_run: NotRequired[bool]
    """`true` to check the facts only. Nothing is stored. Default: `false`."""


class CodeFact(TypedDict):
    """The state of a promotion code. It can then be assigned to an affiliate."""

    code: str
    """Text of the code."""
    version: int
    """A number that rises with every change, e.g. the milliseconds since 1970 of the change. An older version
    changes nothing.
    """
    live: bool
    """`false` for a test. Tests and real payments never mix."""
    active: bool
    """True while the code can be redeemed."""
    created_at: NotRequired[str | None]
    """Time at which the code was created."""
    expires_at: NotRequired[str | None]
    """Time from which the code can no longer be redeemed."""
    max_redemptions: NotRequired[int | None]
    """Number of times that the code can be redeemed; `null` for no limit."""
    times_redeemed: NotRequired[int]
    """Default: `0`."""


class FactBatch(TypedDict):
    """Up to 100 facts. If one is not valid, none is accepted."""

    facts: List[Fact]
    """The facts, in any order."""
    dry_run: NotRequired[bool]
    """`true` to check the facts only. Nothing is stored. Default: `false`."""


class PaymentSeen(TypedDict):
    """A fact of the type payment.seen."""

    type: Literal["payment.seen"]
    """Type of the fact."""
    timestamp: str
    """Time of this snapshot."""
    data: PaymentFact


class CustomerSeen(TypedDict):
    """A fact of the type customer.seen."""

    type: Literal["customer.seen"]
    """Type of the fact."""
    timestamp: str
    """Time of this snapshot."""
    data: CustomerFact


class CodeSeen(TypedDict):
    """A fact of the type code.seen."""

    type: Literal["code.seen"]
    """Type of the fact."""
    timestamp: str
    """Time of this snapshot."""
    data: CodeFact


class AffiliateCreatedEvent(TypedDict):
    """Occurs when an affiliate is created."""

    id: str
    """ID of the event, identical in every delivery."""
    type: Literal["affiliate.created"]
    """Type of the event."""
    api_version: Literal["v1"]
    """Version of the contract that `data` follows."""
    sequence: int
    """Position among the events of the account, in the order of the changes. 0 for test events."""
    occurred_at: str
    """ISO 8601 time in UTC with milliseconds."""
    subject_id: str
    """ID of the record that the event is about."""
    actor: EventActor
    data: AffiliateEventData
    """The records."""
    previous_attributes: NotRequired[Dict[str, Any] | None]
    """The former values of the fields that have changed. If nothing has changed, e.g. for a new record, omitted in
    deliveries, and `null` in the list of events.
    """
    deliveries: NotRequired[List[WebhookDelivery] | None]
    """Deliveries to webhook endpoints, oldest first. Only in responses whose request has `expand=deliveries`."""
    test: NotRequired[bool]
    """`true` for the made-up event of a test delivery. Omitted in other deliveries."""


class EventActor(TypedDict):
    """The caller who has caused the change."""

    kind: EventActorKind
    """`session`: a member; `affiliate`: an affiliate in the portal; `api_key`, `connector`: a program; `system`:
    the service, e.g. after a payment.
    """
    id: str
    """ID of the user, the affiliate, the API key or the connector; `system` for the service."""


class AffiliateEventData(TypedDict):
    id: str
    """ID of the affiliate."""
    email: str
    """Email address, unique among affiliates that are not archived."""
    campaign_id: str
    """ID of the campaign."""
    first_name: str | None
    """First name."""
    last_name: str | None
    """Last name."""
    state: AffiliateState
    """State of the affiliate. `active` affiliates track visits and earn commissions. So do `suspicious` ones, but
    their commissions are flagged for review and their payouts are on hold; setting the affiliate to `active`
    releases both. Affiliates in any other state do neither.
    """
    external_id: str | None
    """Your ID for the record."""
    metadata: Metadata
    psp_customer_id: str | None
    """ID of the Stripe customer with this email address."""
    payouts_held_until: str | None
    """No payout is eligible before this time, because the payout details have changed."""
    archived_at: str | None
    """ISO 8601 time in UTC with milliseconds."""
    erased_at: str | None
    """Time at which the personal data were erased; `null` if they were not."""
    livemode: bool
    """`false` for records of test mode."""
    created_at: str
    """ISO 8601 time in UTC with milliseconds."""
    updated_at: str
    """ISO 8601 time in UTC with milliseconds."""


class WebhookDelivery(TypedDict):
    """The delivery of one event to one endpoint."""

    id: str
    """ID of the delivery, sent as `webhook-id` and `hook-id` with every attempt."""
    livemode: bool
    """`false` for records of test mode."""
    endpoint_id: str
    """ID of the webhook endpoint."""
    event_id: str
    """ID of the event."""
    event_type: EventType
    test: bool
    """`true` for a test delivery."""
    status: DeliveryStatus
    """`pending`: not completed; `succeeded`; `failed`: all scheduled attempts failed; `canceled`: the endpoint was
    deleted before the delivery was completed.
    """
    attempts_count: int
    """Number of attempts so far."""
    next_attempt_at: str | None
    """Time of the next scheduled attempt; `null` if none is scheduled."""
    retry_requested_at: str | None
    """Time at which a manual retry was requested; `null` if none is outstanding."""
    last_attempt_at: str | None
    """ISO 8601 time in UTC with milliseconds."""
    response_status: int | None
    """HTTP status of the last attempt; `null` without a response."""
    error_code: str | None
    """Error code of the last attempt; `null` if it succeeded."""
    completed_at: str | None
    """Time at which the delivery succeeded, finally failed, or was canceled."""
    created_at: str
    """ISO 8601 time in UTC with milliseconds."""


class AffiliateApprovedEvent(TypedDict):
    """Occurs when an affiliate becomes active."""

    id: str
    """ID of the event, identical in every delivery."""
    type: Literal["affiliate.approved"]
    """Type of the event."""
    api_version: Literal["v1"]
    """Version of the contract that `data` follows."""
    sequence: int
    """Position among the events of the account, in the order of the changes. 0 for test events."""
    occurred_at: str
    """ISO 8601 time in UTC with milliseconds."""
    subject_id: str
    """ID of the record that the event is about."""
    actor: EventActor
    data: AffiliateEventData
    """The records."""
    previous_attributes: NotRequired[Dict[str, Any] | None]
    """The former values of the fields that have changed. If nothing has changed, e.g. for a new record, omitted in
    deliveries, and `null` in the list of events.
    """
    deliveries: NotRequired[List[WebhookDelivery] | None]
    """Deliveries to webhook endpoints, oldest first. Only in responses whose request has `expand=deliveries`."""
    test: NotRequired[bool]
    """`true` for the made-up event of a test delivery. Omitted in other deliveries."""


class AffiliateUpdatedEvent(TypedDict):
    """Occurs when an affiliate changes in any other way, e.g. when it is archived."""

    id: str
    """ID of the event, identical in every delivery."""
    type: Literal["affiliate.updated"]
    """Type of the event."""
    api_version: Literal["v1"]
    """Version of the contract that `data` follows."""
    sequence: int
    """Position among the events of the account, in the order of the changes. 0 for test events."""
    occurred_at: str
    """ISO 8601 time in UTC with milliseconds."""
    subject_id: str
    """ID of the record that the event is about."""
    actor: EventActor
    data: AffiliateEventData
    """The records."""
    previous_attributes: NotRequired[Dict[str, Any] | None]
    """The former values of the fields that have changed. If nothing has changed, e.g. for a new record, omitted in
    deliveries, and `null` in the list of events.
    """
    deliveries: NotRequired[List[WebhookDelivery] | None]
    """Deliveries to webhook endpoints, oldest first. Only in responses whose request has `expand=deliveries`."""
    test: NotRequired[bool]
    """`true` for the made-up event of a test delivery. Omitted in other deliveries."""


class AffiliateTierChangedEvent(TypedDict):
    """Occurs when an affiliate reaches or loses a tier of a campaign."""

    id: str
    """ID of the event, identical in every delivery."""
    type: Literal["affiliate.tier_changed"]
    """Type of the event."""
    api_version: Literal["v1"]
    """Version of the contract that `data` follows."""
    sequence: int
    """Position among the events of the account, in the order of the changes. 0 for test events."""
    occurred_at: str
    """ISO 8601 time in UTC with milliseconds."""
    subject_id: str
    """ID of the record that the event is about."""
    actor: EventActor
    data: TierChangeEventData
    """The records."""
    previous_attributes: NotRequired[Dict[str, Any] | None]
    """The former values of the fields that have changed. If nothing has changed, e.g. for a new record, omitted in
    deliveries, and `null` in the list of events.
    """
    deliveries: NotRequired[List[WebhookDelivery] | None]
    """Deliveries to webhook endpoints, oldest first. Only in responses whose request has `expand=deliveries`."""
    test: NotRequired[bool]
    """`true` for the made-up event of a test delivery. Omitted in other deliveries."""


class TierChangeEventDataTiers(TypedDict):
    id: str
    """ID of the tier."""
    name: str
    """Name."""


class TierChangeEventDataPreviousTiers(TypedDict):
    id: str
    """ID of the tier."""
    name: str
    """Name."""


class TierChangeEventData(TypedDict):
    id: str
    """ID of the affiliate."""
    email: str
    """Email address, unique among affiliates that are not archived."""
    campaign_id: str
    """ID of the campaign."""
    first_name: str | None
    """First name."""
    last_name: str | None
    """Last name."""
    state: AffiliateState
    """State of the affiliate. `active` affiliates track visits and earn commissions. So do `suspicious` ones, but
    their commissions are flagged for review and their payouts are on hold; setting the affiliate to `active`
    releases both. Affiliates in any other state do neither.
    """
    external_id: str | None
    """Your ID for the record."""
    metadata: Metadata
    psp_customer_id: str | None
    """ID of the Stripe customer with this email address."""
    payouts_held_until: str | None
    """No payout is eligible before this time, because the payout details have changed."""
    archived_at: str | None
    """ISO 8601 time in UTC with milliseconds."""
    erased_at: str | None
    """Time at which the personal data were erased; `null` if they were not."""
    livemode: bool
    """`false` for records of test mode."""
    created_at: str
    """ISO 8601 time in UTC with milliseconds."""
    updated_at: str
    """ISO 8601 time in UTC with milliseconds."""
    tier_campaign_id: str
    """Campaign of the tiers."""
    tiers: List[TierChangeEventDataTiers]
    """The tiers that the affiliate has now, from the lowest."""
    previous_tiers: List[TierChangeEventDataPreviousTiers]
    """The tiers that the affiliate had before."""


class CampaignCreatedEvent(TypedDict):
    """Occurs when a campaign is created."""

    id: str
    """ID of the event, identical in every delivery."""
    type: Literal["campaign.created"]
    """Type of the event."""
    api_version: Literal["v1"]
    """Version of the contract that `data` follows."""
    sequence: int
    """Position among the events of the account, in the order of the changes. 0 for test events."""
    occurred_at: str
    """ISO 8601 time in UTC with milliseconds."""
    subject_id: str
    """ID of the record that the event is about."""
    actor: EventActor
    data: CampaignEventData
    """The records."""
    previous_attributes: NotRequired[Dict[str, Any] | None]
    """The former values of the fields that have changed. If nothing has changed, e.g. for a new record, omitted in
    deliveries, and `null` in the list of events.
    """
    deliveries: NotRequired[List[WebhookDelivery] | None]
    """Deliveries to webhook endpoints, oldest first. Only in responses whose request has `expand=deliveries`."""
    test: NotRequired[bool]
    """`true` for the made-up event of a test delivery. Omitted in other deliveries."""


class CampaignEventData(TypedDict):
    id: str
    """ID of the campaign."""
    name: str
    """Campaign name, shown to affiliates."""
    slug: str
    """Unique within the account. By default derived from the name."""
    url: str
    """Landing page of the campaign, also used for visitors of inactive links."""
    private: bool
    """`true` if affiliates can join by invitation only."""
    private_tokens: bool
    """`true` if generated link tokens are random instead of based on the affiliate’s name."""
    reward_type: RewardType
    """`percent`: percentage of the sale; `fixed`: fixed amount per sale."""
    commission_percent: float | None
    """Commission as a percentage of the sale, up to two decimals. For `reward_type` `percent`."""
    commission_amount_cents: int | None
    """Commission per sale, in the minor unit of its currency. For `reward_type` `fixed`."""
    commission_amount_currency: str | None
    """Currency of `commission_amount_cents`. Defaults to the account’s currency."""
    minimum_payout_cents: int
    """Minimum payout amount. Payouts below it are not eligible. Defaults to 0."""
    minimum_payout_currency: str
    """Currency of `minimum_payout_cents`. The minimum applies only to payouts in this currency."""
    max_commission_period_months: int | None
    """Calendar months, counted from a referral’s first commission, in which its sales earn commissions. `null` for
    no limit.
    """
    max_commissions: int | None
    """Maximum number of commissions per referral; `null` for no limit. Commissions of fully refunded sales do not
    count. A commission that you void no longer counts for sales charged afterwards.
    """
    days_before_referrals_expire: int
    """Attribution window: days a visitor has to convert. Defaults to 60."""
    days_until_commissions_are_due: int
    """Holding period: days from the charge until its commission is due. 0 for immediately. Defaults to 30."""
    affiliate_dashboard_text: str | None
    """Text for the affiliate dashboard."""
    custom_reward_description: str | None
    """Custom description of the reward."""
    welcome_text: str | None
    """Welcome text for new affiliates."""
    customers_visible_to_affiliates: bool
    """`true` if affiliates can see their customers. Defaults to `false`."""
    sale_description_visible_to_affiliates: bool
    """`true` if affiliates can see sale descriptions. Defaults to `true`."""
    attribution: Attribution
    """Which click earns if a visitor clicks several links before converting: the first click (`first_click`), or
    the latest click on a link of this campaign (`last_click`). Defaults to `first_click`.
    """
    parameter_type: ParameterType
    """Place of the token in links: the query string (`query`) or the URL fragment (`hash`). Defaults to `query`."""
    params: List[str]
    """Names of the URL parameters that carry the token of a link in addition to `via`, e.g. those of a former
    tool: `?ref=ada`. The tracking snippet of the account names them in `data-params`. Defaults to none.
    """
    psp_coupon_id: str | None
    """ID of the Stripe coupon used for this campaign’s affiliate coupons."""
    default: bool
    """`true` if affiliates created without a campaign join this one. At most one campaign is the default."""
    external_id: str | None
    """Your ID for the record."""
    metadata: Metadata
    archived_at: str | None
    """ISO 8601 time in UTC with milliseconds."""
    livemode: bool
    """`false` for records of test mode."""
    created_at: str
    """ISO 8601 time in UTC with milliseconds."""
    updated_at: str
    """ISO 8601 time in UTC with milliseconds."""


class CampaignUpdatedEvent(TypedDict):
    """Occurs when a campaign changes, e.g. its terms, or is archived."""

    id: str
    """ID of the event, identical in every delivery."""
    type: Literal["campaign.updated"]
    """Type of the event."""
    api_version: Literal["v1"]
    """Version of the contract that `data` follows."""
    sequence: int
    """Position among the events of the account, in the order of the changes. 0 for test events."""
    occurred_at: str
    """ISO 8601 time in UTC with milliseconds."""
    subject_id: str
    """ID of the record that the event is about."""
    actor: EventActor
    data: CampaignEventData
    """The records."""
    previous_attributes: NotRequired[Dict[str, Any] | None]
    """The former values of the fields that have changed. If nothing has changed, e.g. for a new record, omitted in
    deliveries, and `null` in the list of events.
    """
    deliveries: NotRequired[List[WebhookDelivery] | None]
    """Deliveries to webhook endpoints, oldest first. Only in responses whose request has `expand=deliveries`."""
    test: NotRequired[bool]
    """`true` for the made-up event of a test delivery. Omitted in other deliveries."""


class RewardRuleCreatedEvent(TypedDict):
    """Occurs when a reward rule is created."""

    id: str
    """ID of the event, identical in every delivery."""
    type: Literal["reward_rule.created"]
    """Type of the event."""
    api_version: Literal["v1"]
    """Version of the contract that `data` follows."""
    sequence: int
    """Position among the events of the account, in the order of the changes. 0 for test events."""
    occurred_at: str
    """ISO 8601 time in UTC with milliseconds."""
    subject_id: str
    """ID of the record that the event is about."""
    actor: EventActor
    data: RewardRuleEventData
    """The records."""
    previous_attributes: NotRequired[Dict[str, Any] | None]
    """The former values of the fields that have changed. If nothing has changed, e.g. for a new record, omitted in
    deliveries, and `null` in the list of events.
    """
    deliveries: NotRequired[List[WebhookDelivery] | None]
    """Deliveries to webhook endpoints, oldest first. Only in responses whose request has `expand=deliveries`."""
    test: NotRequired[bool]
    """`true` for the made-up event of a test delivery. Omitted in other deliveries."""


# Place of the sale among those of its referral, counted from 1. Both ends are included: 1 to 1 is the
# first sale.
RewardRuleEventDataWhenSaleNumber = TypedDict(
    "RewardRuleEventDataWhenSaleNumber",
    {
        "from": "NotRequired[int]",
        "to": "NotRequired[int]",
    },
)


# Whole months since the first sale of the referral. `to` is not included: 0 to 12 are the first
# twelve months.
RewardRuleEventDataWhenAgeMonths = TypedDict(
    "RewardRuleEventDataWhenAgeMonths",
    {
        "from": "NotRequired[int]",
        "to": "NotRequired[int]",
    },
)


# Amount of the sale without tax, in cents. `to` is not included. Holds only for sales in this
# currency.
RewardRuleEventDataWhenAmount = TypedDict(
    "RewardRuleEventDataWhenAmount",
    {
        "from": "NotRequired[int]",
        "to": "NotRequired[int]",
        "currency": "str",
    },
)


class RewardRuleEventDataWhen(TypedDict):
    """Conditions. All given conditions must hold; a list holds if any of its values does."""

    products: NotRequired[List[str]]
    """IDs of products at the payment provider, or those in the `lines` of your reports."""
    prices: NotRequired[List[str]]
    """IDs of prices, like `products`."""
    interval: NotRequired[List[PriceInterval]]
    """Interval at which the price is charged."""
    codes: NotRequired[List[str]]
    """Codes redeemed with the sale, in any case."""
    countries: NotRequired[List[str]]
    """Countries of the customer, by ISO 3166. Does not hold if the country is not known."""
    metadata: NotRequired[Dict[str, List[str]]]
    """Values that the metadata of the sale may have when it earns, by key. Every key must match."""
    sale_number: NotRequired[RewardRuleEventDataWhenSaleNumber]
    """Place of the sale among those of its referral, counted from 1. Both ends are included: 1 to 1 is the first
    sale.
    """
    age_months: NotRequired[RewardRuleEventDataWhenAgeMonths]
    """Whole months since the first sale of the referral. `to` is not included: 0 to 12 are the first twelve
    months.
    """
    amount: NotRequired[RewardRuleEventDataWhenAmount]
    """Amount of the sale without tax, in cents. `to` is not included. Holds only for sales in this currency."""
    tier: NotRequired[List[str]]
    """Tiers, of which the affiliate has reached one before the charge."""
    customer: NotRequired[CustomerAge]
    """`new`: the first sale of the customer; `returning`: later sales."""


class RewardRuleEventDataPayFixed(TypedDict):
    """Fixed amount."""

    amount_cents: int
    """Amount in the currency’s minor unit."""
    currency: str
    """ISO 4217 currency code."""
    per: NotRequired[PayPer]
    """`sale`: once per sale; `unit`: for each unit of the lines that the rule decides. Default: `"sale"`."""


class RewardRuleEventDataPay(TypedDict):
    """Payment of the rule: exactly one of `percent`, `fixed` and `nothing`."""

    percent: NotRequired[float]
    """Percentage of the lines that the rule decides."""
    fixed: NotRequired[RewardRuleEventDataPayFixed]
    """Fixed amount."""
    nothing: NotRequired[Literal[True]]
    """The lines that the rule decides earn nothing."""


class RewardRuleEventDataCap(TypedDict):
    """The most that the rule pays. Has no effect on commissions in another currency."""

    amount_cents: int
    """Amount in the currency’s minor unit."""
    currency: str
    """ISO 4217 currency code."""
    per: CapScope
    """Unit of the maximum: each sale, each referral, or each affiliate."""
    window: NotRequired[CapWindow]
    """Calendar period in UTC to which the maximum applies. Default: `"ever"`."""


class RewardRuleEventDataMilestone(TypedDict):
    """For rules of `milestone`: exactly one of `every` and `at`. A change starts the count again."""

    metric: MilestoneMetric
    """`customers`: customers who paid; `sales`: sales; `revenue`: amount of the sales in the currency of `pay`, in
    cents.
    """
    window: NotRequired[MilestoneWindow]
    """Calendar period in UTC over which the milestone counts. `ever`: since the rule is in force. Default:
    `"ever"`.
    """
    every: NotRequired[int]
    """Pays at each multiple of this number."""
    at: NotRequired[int]
    """Pays once, when this number is reached."""


RewardRuleEventData = TypedDict(
    "RewardRuleEventData",
    {
        "id": "str",
        "livemode": "bool",
        "campaign_id": "str",
        "affiliate_id": "str | None",
        "link_id": "str | None",
        "event": "RewardEvent",
        "name": "str",
        "position": "int",
        "when": "RewardRuleEventDataWhen",
        "pay": "RewardRuleEventDataPay",
        "cap": "RewardRuleEventDataCap | None",
        "apply": "RewardApply",
        "milestone": "RewardRuleEventDataMilestone | None",
        "hold_days": "int | None",
        "from": "str | None",
        "until": "str | None",
        "version": "int",
        "changed_at": "str",
        "ended_at": "str | None",
        "created_at": "str",
        "updated_at": "str",
    },
)


class RewardRuleUpdatedEvent(TypedDict):
    """Occurs when a reward rule changes, is moved, or ends."""

    id: str
    """ID of the event, identical in every delivery."""
    type: Literal["reward_rule.updated"]
    """Type of the event."""
    api_version: Literal["v1"]
    """Version of the contract that `data` follows."""
    sequence: int
    """Position among the events of the account, in the order of the changes. 0 for test events."""
    occurred_at: str
    """ISO 8601 time in UTC with milliseconds."""
    subject_id: str
    """ID of the record that the event is about."""
    actor: EventActor
    data: RewardRuleEventData
    """The records."""
    previous_attributes: NotRequired[Dict[str, Any] | None]
    """The former values of the fields that have changed. If nothing has changed, e.g. for a new record, omitted in
    deliveries, and `null` in the list of events.
    """
    deliveries: NotRequired[List[WebhookDelivery] | None]
    """Deliveries to webhook endpoints, oldest first. Only in responses whose request has `expand=deliveries`."""
    test: NotRequired[bool]
    """`true` for the made-up event of a test delivery. Omitted in other deliveries."""


class TierCreatedEvent(TypedDict):
    """Occurs when a tier is created."""

    id: str
    """ID of the event, identical in every delivery."""
    type: Literal["tier.created"]
    """Type of the event."""
    api_version: Literal["v1"]
    """Version of the contract that `data` follows."""
    sequence: int
    """Position among the events of the account, in the order of the changes. 0 for test events."""
    occurred_at: str
    """ISO 8601 time in UTC with milliseconds."""
    subject_id: str
    """ID of the record that the event is about."""
    actor: EventActor
    data: TierEventData
    """The records."""
    previous_attributes: NotRequired[Dict[str, Any] | None]
    """The former values of the fields that have changed. If nothing has changed, e.g. for a new record, omitted in
    deliveries, and `null` in the list of events.
    """
    deliveries: NotRequired[List[WebhookDelivery] | None]
    """Deliveries to webhook endpoints, oldest first. Only in responses whose request has `expand=deliveries`."""
    test: NotRequired[bool]
    """`true` for the made-up event of a test delivery. Omitted in other deliveries."""


TierEventData = TypedDict(
    "TierEventData",
    {
        "id": "str",
        "livemode": "bool",
        "campaign_id": "str",
        "name": "str",
        "metric": "MilestoneMetric",
        "window": "MilestoneWindow",
        "from": "int",
        "currency": "str | None",
        "ended_at": "str | None",
        "created_at": "str",
        "updated_at": "str",
    },
)


class TierUpdatedEvent(TypedDict):
    """Occurs when a tier is renamed or ends."""

    id: str
    """ID of the event, identical in every delivery."""
    type: Literal["tier.updated"]
    """Type of the event."""
    api_version: Literal["v1"]
    """Version of the contract that `data` follows."""
    sequence: int
    """Position among the events of the account, in the order of the changes. 0 for test events."""
    occurred_at: str
    """ISO 8601 time in UTC with milliseconds."""
    subject_id: str
    """ID of the record that the event is about."""
    actor: EventActor
    data: TierEventData
    """The records."""
    previous_attributes: NotRequired[Dict[str, Any] | None]
    """The former values of the fields that have changed. If nothing has changed, e.g. for a new record, omitted in
    deliveries, and `null` in the list of events.
    """
    deliveries: NotRequired[List[WebhookDelivery] | None]
    """Deliveries to webhook endpoints, oldest first. Only in responses whose request has `expand=deliveries`."""
    test: NotRequired[bool]
    """`true` for the made-up event of a test delivery. Omitted in other deliveries."""


class LinkCreatedEvent(TypedDict):
    """Occurs when a link is created."""

    id: str
    """ID of the event, identical in every delivery."""
    type: Literal["link.created"]
    """Type of the event."""
    api_version: Literal["v1"]
    """Version of the contract that `data` follows."""
    sequence: int
    """Position among the events of the account, in the order of the changes. 0 for test events."""
    occurred_at: str
    """ISO 8601 time in UTC with milliseconds."""
    subject_id: str
    """ID of the record that the event is about."""
    actor: EventActor
    data: LinkEventData
    """The records."""
    previous_attributes: NotRequired[Dict[str, Any] | None]
    """The former values of the fields that have changed. If nothing has changed, e.g. for a new record, omitted in
    deliveries, and `null` in the list of events.
    """
    deliveries: NotRequired[List[WebhookDelivery] | None]
    """Deliveries to webhook endpoints, oldest first. Only in responses whose request has `expand=deliveries`."""
    test: NotRequired[bool]
    """`true` for the made-up event of a test delivery. Omitted in other deliveries."""


class LinkEventData(TypedDict):
    id: str
    """ID of the link."""
    affiliate_id: str
    """ID of the affiliate."""
    campaign_id: str
    """ID of the campaign."""
    url: str
    """Destination URL."""
    token: str
    """Link code. Unique within the account, case-insensitive."""
    former_token: str | None
    """Link code before the affiliate chose another one. It leads to the link for good; null if there is none."""
    external_id: str | None
    """Your ID for the record."""
    metadata: Metadata
    archived_at: str | None
    """ISO 8601 time in UTC with milliseconds."""
    livemode: bool
    """`false` for records of test mode."""
    created_at: str
    """ISO 8601 time in UTC with milliseconds."""
    updated_at: str
    """ISO 8601 time in UTC with milliseconds."""


class LinkUpdatedEvent(TypedDict):
    """Occurs when a link changes, moves to another campaign, or is archived."""

    id: str
    """ID of the event, identical in every delivery."""
    type: Literal["link.updated"]
    """Type of the event."""
    api_version: Literal["v1"]
    """Version of the contract that `data` follows."""
    sequence: int
    """Position among the events of the account, in the order of the changes. 0 for test events."""
    occurred_at: str
    """ISO 8601 time in UTC with milliseconds."""
    subject_id: str
    """ID of the record that the event is about."""
    actor: EventActor
    data: LinkEventData
    """The records."""
    previous_attributes: NotRequired[Dict[str, Any] | None]
    """The former values of the fields that have changed. If nothing has changed, e.g. for a new record, omitted in
    deliveries, and `null` in the list of events.
    """
    deliveries: NotRequired[List[WebhookDelivery] | None]
    """Deliveries to webhook endpoints, oldest first. Only in responses whose request has `expand=deliveries`."""
    test: NotRequired[bool]
    """`true` for the made-up event of a test delivery. Omitted in other deliveries."""


class PromoCodeCreatedEvent(TypedDict):
    """Occurs when a promotion code is assigned to an affiliate."""

    id: str
    """ID of the event, identical in every delivery."""
    type: Literal["promo_code.created"]
    """Type of the event."""
    api_version: Literal["v1"]
    """Version of the contract that `data` follows."""
    sequence: int
    """Position among the events of the account, in the order of the changes. 0 for test events."""
    occurred_at: str
    """ISO 8601 time in UTC with milliseconds."""
    subject_id: str
    """ID of the record that the event is about."""
    actor: EventActor
    data: PromoCodeEventData
    previous_attributes: NotRequired[Dict[str, Any] | None]
    """The former values of the fields that have changed. If nothing has changed, e.g. for a new record, omitted in
    deliveries, and `null` in the list of events.
    """
    deliveries: NotRequired[List[WebhookDelivery] | None]
    """Deliveries to webhook endpoints, oldest first. Only in responses whose request has `expand=deliveries`."""
    test: NotRequired[bool]
    """`true` for the made-up event of a test delivery. Omitted in other deliveries."""


class PromoCodeEventData(TypedDict):
    """A promotion code of the payment provider, or of your own shop, that is assigned to one affiliate."""

    id: str
    """ID of the promo code."""
    affiliate_id: str
    """ID of the affiliate."""
    campaign_id: str
    """ID of the campaign."""
    psp_promotion_code_id: str | None
    """`null` in a preview of a new code, and for a code of your own shop."""
    psp_coupon_id: str | None
    """ID of the Stripe coupon that the code applies."""
    code: str
    """Code of the promotion, as customers enter it."""
    livemode: bool
    """`false` for records of test mode."""
    tracking_token: str | None
    """Opaque identifier kept for compatibility; not for display."""
    status: PromoCodeStatus
    """`active`: redeemable and tracked. `inactive`: not redeemable in Stripe. `stopped`: tracking has ended
    permanently.
    """
    observation: PromoCodeObservation | None
    """The code at the payment provider, when it was last read."""
    observed_at: str | None
    """`null` for a code of your own shop."""
    stopped_at: str | None
    """ISO 8601 time in UTC with milliseconds."""
    created_at: str | None
    """ISO 8601 time in UTC with milliseconds."""
    updated_at: str | None
    """ISO 8601 time in UTC with milliseconds."""


class PromoCodeObservation(TypedDict):
    """State of the promotion code as last reported by Stripe."""

    active: bool
    """`true` if the code can be redeemed now."""
    code: str
    """Code of the promotion, as customers enter it."""
    psp_coupon_id: str | None
    """ID of the coupon at the payment provider."""
    psp_customer_id: str | None
    """Stripe ID of the only customer who can redeem the code; `null` if any customer can."""
    expires_at: str | None
    """ISO 8601 time in UTC with milliseconds."""
    max_redemptions: int | None
    """Number of times that the code can be redeemed; `null` for no limit."""
    times_redeemed: int
    """Number of times that the code was redeemed."""
    first_time_transaction: bool
    """`true` if the code is limited to customers without prior payments."""
    minimum_amount_cents: int | None
    """Minimum amount of a purchase for the code."""
    minimum_amount_currency: str | None
    """Currency of the minimum amount."""
    created_at: str
    """ISO 8601 time in UTC with milliseconds."""


class PromoCodeUpdatedEvent(TypedDict):
    """Occurs when an assigned promotion code changes at the payment provider, moves, or is no longer tracked."""

    id: str
    """ID of the event, identical in every delivery."""
    type: Literal["promo_code.updated"]
    """Type of the event."""
    api_version: Literal["v1"]
    """Version of the contract that `data` follows."""
    sequence: int
    """Position among the events of the account, in the order of the changes. 0 for test events."""
    occurred_at: str
    """ISO 8601 time in UTC with milliseconds."""
    subject_id: str
    """ID of the record that the event is about."""
    actor: EventActor
    data: PromoCodeEventData
    previous_attributes: NotRequired[Dict[str, Any] | None]
    """The former values of the fields that have changed. If nothing has changed, e.g. for a new record, omitted in
    deliveries, and `null` in the list of events.
    """
    deliveries: NotRequired[List[WebhookDelivery] | None]
    """Deliveries to webhook endpoints, oldest first. Only in responses whose request has `expand=deliveries`."""
    test: NotRequired[bool]
    """`true` for the made-up event of a test delivery. Omitted in other deliveries."""


class ReferralCreatedEvent(TypedDict):
    """Occurs when a referral is created."""

    id: str
    """ID of the event, identical in every delivery."""
    type: Literal["referral.created"]
    """Type of the event."""
    api_version: Literal["v1"]
    """Version of the contract that `data` follows."""
    sequence: int
    """Position among the events of the account, in the order of the changes. 0 for test events."""
    occurred_at: str
    """ISO 8601 time in UTC with milliseconds."""
    subject_id: str
    """ID of the record that the event is about."""
    actor: EventActor
    data: ReferralEventData
    """The records."""
    previous_attributes: NotRequired[Dict[str, Any] | None]
    """The former values of the fields that have changed. If nothing has changed, e.g. for a new record, omitted in
    deliveries, and `null` in the list of events.
    """
    deliveries: NotRequired[List[WebhookDelivery] | None]
    """Deliveries to webhook endpoints, oldest first. Only in responses whose request has `expand=deliveries`."""
    test: NotRequired[bool]
    """`true` for the made-up event of a test delivery. Omitted in other deliveries."""


class ReferralEventData(TypedDict):
    id: str
    """ID of the referral."""
    affiliate_id: str
    """ID of the affiliate."""
    campaign_id: str
    """ID of the campaign."""
    link_id: str | None
    """ID of the link."""
    customer_id: str | None
    """ID of the customer."""
    conversion_state: ConversionState
    """`visitor`, `lead` (signed up), or `conversion` (paid)."""
    psp_customer_id: str | None
    """Stripe customer ID."""
    converted_at: str | None
    """ISO 8601 time in UTC with milliseconds."""
    expires_at: str | None
    """End of the attribution window. A referral that converts before this time keeps earning afterwards."""
    deactivated_at: str | None
    """ISO 8601 time in UTC with milliseconds."""
    external_id: str | None
    """Your ID for the record."""
    metadata: Metadata
    livemode: bool
    """`false` for records of test mode."""
    created_at: str
    """ISO 8601 time in UTC with milliseconds."""
    updated_at: str
    """ISO 8601 time in UTC with milliseconds."""


class ReferralConvertedEvent(TypedDict):
    """Occurs when a referral’s `conversion_state` becomes `conversion`."""

    id: str
    """ID of the event, identical in every delivery."""
    type: Literal["referral.converted"]
    """Type of the event."""
    api_version: Literal["v1"]
    """Version of the contract that `data` follows."""
    sequence: int
    """Position among the events of the account, in the order of the changes. 0 for test events."""
    occurred_at: str
    """ISO 8601 time in UTC with milliseconds."""
    subject_id: str
    """ID of the record that the event is about."""
    actor: EventActor
    data: ReferralEventData
    """The records."""
    previous_attributes: NotRequired[Dict[str, Any] | None]
    """The former values of the fields that have changed. If nothing has changed, e.g. for a new record, omitted in
    deliveries, and `null` in the list of events.
    """
    deliveries: NotRequired[List[WebhookDelivery] | None]
    """Deliveries to webhook endpoints, oldest first. Only in responses whose request has `expand=deliveries`."""
    test: NotRequired[bool]
    """`true` for the made-up event of a test delivery. Omitted in other deliveries."""


class ReferralUpdatedEvent(TypedDict):
    """Occurs when a referral changes in any other way, e.g. when it becomes a lead or is deactivated."""

    id: str
    """ID of the event, identical in every delivery."""
    type: Literal["referral.updated"]
    """Type of the event."""
    api_version: Literal["v1"]
    """Version of the contract that `data` follows."""
    sequence: int
    """Position among the events of the account, in the order of the changes. 0 for test events."""
    occurred_at: str
    """ISO 8601 time in UTC with milliseconds."""
    subject_id: str
    """ID of the record that the event is about."""
    actor: EventActor
    data: ReferralEventData
    """The records."""
    previous_attributes: NotRequired[Dict[str, Any] | None]
    """The former values of the fields that have changed. If nothing has changed, e.g. for a new record, omitted in
    deliveries, and `null` in the list of events.
    """
    deliveries: NotRequired[List[WebhookDelivery] | None]
    """Deliveries to webhook endpoints, oldest first. Only in responses whose request has `expand=deliveries`."""
    test: NotRequired[bool]
    """`true` for the made-up event of a test delivery. Omitted in other deliveries."""


class CustomerCreatedEvent(TypedDict):
    """Occurs when a customer is created."""

    id: str
    """ID of the event, identical in every delivery."""
    type: Literal["customer.created"]
    """Type of the event."""
    api_version: Literal["v1"]
    """Version of the contract that `data` follows."""
    sequence: int
    """Position among the events of the account, in the order of the changes. 0 for test events."""
    occurred_at: str
    """ISO 8601 time in UTC with milliseconds."""
    subject_id: str
    """ID of the record that the event is about."""
    actor: EventActor
    data: CustomerEventData
    """The records."""
    previous_attributes: NotRequired[Dict[str, Any] | None]
    """The former values of the fields that have changed. If nothing has changed, e.g. for a new record, omitted in
    deliveries, and `null` in the list of events.
    """
    deliveries: NotRequired[List[WebhookDelivery] | None]
    """Deliveries to webhook endpoints, oldest first. Only in responses whose request has `expand=deliveries`."""
    test: NotRequired[bool]
    """`true` for the made-up event of a test delivery. Omitted in other deliveries."""


class CustomerEventData(TypedDict):
    id: str
    """ID of the customer."""
    email: str | None
    """Email address."""
    name: str | None
    """Name."""
    first_name: str | None
    """First name."""
    last_name: str | None
    """Last name."""
    psp_customer_id: str | None
    """ID of the customer at the payment provider."""
    external_id: str | None
    """Your ID for the record."""
    metadata: Metadata
    erased_at: str | None
    """Time at which the personal data were erased; `null` if they were not."""
    trial_until: str | None
    """End of the customer’s trial of a subscription; `null` if there is none."""
    livemode: bool
    """`false` for records of test mode."""
    created_at: str
    """ISO 8601 time in UTC with milliseconds."""
    updated_at: str
    """ISO 8601 time in UTC with milliseconds."""


class CustomerUpdatedEvent(TypedDict):
    """Occurs when the details of a customer change."""

    id: str
    """ID of the event, identical in every delivery."""
    type: Literal["customer.updated"]
    """Type of the event."""
    api_version: Literal["v1"]
    """Version of the contract that `data` follows."""
    sequence: int
    """Position among the events of the account, in the order of the changes. 0 for test events."""
    occurred_at: str
    """ISO 8601 time in UTC with milliseconds."""
    subject_id: str
    """ID of the record that the event is about."""
    actor: EventActor
    data: CustomerEventData
    """The records."""
    previous_attributes: NotRequired[Dict[str, Any] | None]
    """The former values of the fields that have changed. If nothing has changed, e.g. for a new record, omitted in
    deliveries, and `null` in the list of events.
    """
    deliveries: NotRequired[List[WebhookDelivery] | None]
    """Deliveries to webhook endpoints, oldest first. Only in responses whose request has `expand=deliveries`."""
    test: NotRequired[bool]
    """`true` for the made-up event of a test delivery. Omitted in other deliveries."""


class CustomerMergedEvent(TypedDict):
    """Occurs when a customer turns out to be the same as another one, and no longer exists."""

    id: str
    """ID of the event, identical in every delivery."""
    type: Literal["customer.merged"]
    """Type of the event."""
    api_version: Literal["v1"]
    """Version of the contract that `data` follows."""
    sequence: int
    """Position among the events of the account, in the order of the changes. 0 for test events."""
    occurred_at: str
    """ISO 8601 time in UTC with milliseconds."""
    subject_id: str
    """ID of the record that the event is about."""
    actor: EventActor
    data: MergedCustomerEventData
    """The records."""
    previous_attributes: NotRequired[Dict[str, Any] | None]
    """The former values of the fields that have changed. If nothing has changed, e.g. for a new record, omitted in
    deliveries, and `null` in the list of events.
    """
    deliveries: NotRequired[List[WebhookDelivery] | None]
    """Deliveries to webhook endpoints, oldest first. Only in responses whose request has `expand=deliveries`."""
    test: NotRequired[bool]
    """`true` for the made-up event of a test delivery. Omitted in other deliveries."""


class MergedCustomerEventData(TypedDict):
    id: str
    """ID of the customer."""
    email: str | None
    """Email address."""
    name: str | None
    """Name."""
    first_name: str | None
    """First name."""
    last_name: str | None
    """Last name."""
    psp_customer_id: str | None
    """ID of the customer at the payment provider."""
    external_id: str | None
    """Your ID for the record."""
    metadata: Metadata
    erased_at: str | None
    """Time at which the personal data were erased; `null` if they were not."""
    trial_until: str | None
    """End of the customer’s trial of a subscription; `null` if there is none."""
    livemode: bool
    """`false` for records of test mode."""
    created_at: str
    """ISO 8601 time in UTC with milliseconds."""
    updated_at: str
    """ISO 8601 time in UTC with milliseconds."""
    merged_into: str
    """Customer that has everything of this one."""


class SaleRecordedEvent(TypedDict):
    """Occurs when a sale is recorded."""

    id: str
    """ID of the event, identical in every delivery."""
    type: Literal["sale.recorded"]
    """Type of the event."""
    api_version: Literal["v1"]
    """Version of the contract that `data` follows."""
    sequence: int
    """Position among the events of the account, in the order of the changes. 0 for test events."""
    occurred_at: str
    """ISO 8601 time in UTC with milliseconds."""
    subject_id: str
    """ID of the record that the event is about."""
    actor: EventActor
    data: SaleEventData
    """The records."""
    previous_attributes: NotRequired[Dict[str, Any] | None]
    """The former values of the fields that have changed. If nothing has changed, e.g. for a new record, omitted in
    deliveries, and `null` in the list of events.
    """
    deliveries: NotRequired[List[WebhookDelivery] | None]
    """Deliveries to webhook endpoints, oldest first. Only in responses whose request has `expand=deliveries`."""
    test: NotRequired[bool]
    """`true` for the made-up event of a test delivery. Omitted in other deliveries."""


class SaleEventData(TypedDict):
    id: str
    """ID of the sale."""
    livemode: bool
    """`false` for records of test mode."""
    external_id: str | None
    """Your ID for the record."""
    metadata: Metadata
    psp_charge_id: str | None
    """ID of the charge at the payment provider."""
    psp_invoice_id: str | None
    """ID of the invoice at the payment provider."""
    psp_payment_intent_id: str | None
    """ID of the payment intent at the payment provider."""
    promo_code: str | None
    """Promo code with which the customer paid."""
    charge_amount_cents: int
    """Amount charged to the customer, including tax."""
    tax_amount_cents: int
    """Tax included in the charge."""
    refund_amount_cents: int
    """Total refunded to date."""
    sale_amount_cents: int
    """Charge minus tax, reduced by refunds in proportion to the charge; 0 after a full refund. Commissions are
    calculated from this amount.
    """
    currency: str
    """ISO 4217 currency code."""
    description: str | None
    """Description."""
    paid_outside: PaidOutside | None
    """Set if the invoice was marked as paid outside the payment provider. `counted`: the sale earns like any
    other. `excluded`: nobody earns from it, as the settings of the connection say.
    """
    charged_at: str
    """ISO 8601 time in UTC with milliseconds."""
    referral_id: str | None
    """ID of the referral."""
    affiliate_id: str | None
    """ID of the affiliate."""
    customer_id: str | None
    """ID of the customer."""
    created_at: str
    """ISO 8601 time in UTC with milliseconds."""
    updated_at: str
    """ISO 8601 time in UTC with milliseconds."""
    no_commission_reason: NoCommissionReason | None
    """Reason why the sale earned no commission."""


class SaleRefundedEvent(TypedDict):
    """Occurs when the refunds of a sale grow."""

    id: str
    """ID of the event, identical in every delivery."""
    type: Literal["sale.refunded"]
    """Type of the event."""
    api_version: Literal["v1"]
    """Version of the contract that `data` follows."""
    sequence: int
    """Position among the events of the account, in the order of the changes. 0 for test events."""
    occurred_at: str
    """ISO 8601 time in UTC with milliseconds."""
    subject_id: str
    """ID of the record that the event is about."""
    actor: EventActor
    data: SaleEventData
    """The records."""
    previous_attributes: NotRequired[Dict[str, Any] | None]
    """The former values of the fields that have changed. If nothing has changed, e.g. for a new record, omitted in
    deliveries, and `null` in the list of events.
    """
    deliveries: NotRequired[List[WebhookDelivery] | None]
    """Deliveries to webhook endpoints, oldest first. Only in responses whose request has `expand=deliveries`."""
    test: NotRequired[bool]
    """`true` for the made-up event of a test delivery. Omitted in other deliveries."""


class SaleUpdatedEvent(TypedDict):
    """Occurs when a sale changes in any other way, e.g. when it is attributed to another affiliate."""

    id: str
    """ID of the event, identical in every delivery."""
    type: Literal["sale.updated"]
    """Type of the event."""
    api_version: Literal["v1"]
    """Version of the contract that `data` follows."""
    sequence: int
    """Position among the events of the account, in the order of the changes. 0 for test events."""
    occurred_at: str
    """ISO 8601 time in UTC with milliseconds."""
    subject_id: str
    """ID of the record that the event is about."""
    actor: EventActor
    data: SaleEventData
    """The records."""
    previous_attributes: NotRequired[Dict[str, Any] | None]
    """The former values of the fields that have changed. If nothing has changed, e.g. for a new record, omitted in
    deliveries, and `null` in the list of events.
    """
    deliveries: NotRequired[List[WebhookDelivery] | None]
    """Deliveries to webhook endpoints, oldest first. Only in responses whose request has `expand=deliveries`."""
    test: NotRequired[bool]
    """`true` for the made-up event of a test delivery. Omitted in other deliveries."""


class CommissionCreatedEvent(TypedDict):
    """Occurs when a commission is created."""

    id: str
    """ID of the event, identical in every delivery."""
    type: Literal["commission.created"]
    """Type of the event."""
    api_version: Literal["v1"]
    """Version of the contract that `data` follows."""
    sequence: int
    """Position among the events of the account, in the order of the changes. 0 for test events."""
    occurred_at: str
    """ISO 8601 time in UTC with milliseconds."""
    subject_id: str
    """ID of the record that the event is about."""
    actor: EventActor
    data: CommissionEventData
    """The records."""
    previous_attributes: NotRequired[Dict[str, Any] | None]
    """The former values of the fields that have changed. If nothing has changed, e.g. for a new record, omitted in
    deliveries, and `null` in the list of events.
    """
    deliveries: NotRequired[List[WebhookDelivery] | None]
    """Deliveries to webhook endpoints, oldest first. Only in responses whose request has `expand=deliveries`."""
    test: NotRequired[bool]
    """`true` for the made-up event of a test delivery. Omitted in other deliveries."""


class CommissionEventData(TypedDict):
    id: str
    """ID of the commission."""
    state: CommissionState
    """`pending`: not due yet; `due`: ready for payout; `paid`; or `voided`."""
    kind: CommissionKind
    """`sale`: earned from a sale; `bonus`: paid on top of it by a reward rule; `lead`: earned for a lead;
    `milestone`: earned for a number of customers or sales, or for revenue; `adjustment`: correction of a
    commission that was already claimed or paid; `manual`: created by hand; `imported`: decided by another tool,
    and changed only by refunds from after the import.
    """
    amount_cents: int
    """Amount in the minor unit of `currency`; negative for a clawback."""
    currency: str
    """ISO 4217 currency code."""
    livemode: bool
    """`false` for records of test mode."""
    due_at: str
    """Time at which the commission becomes due."""
    paid_at: str | None
    """Time at which the commission was marked paid."""
    voided_at: str | None
    """ISO 8601 time in UTC with milliseconds."""
    void_reason: str | None
    """Reason why the commission was voided."""
    review_status: ReviewStatus | None
    """`suspicious`: the commission is flagged and excluded from payouts until you approve it. `approved`: you
    approved it.
    """
    review_reason: ReviewReason | None
    """Reason why the commission was flagged automatically. `self_referral`: the customer uses an email address of
    the affiliate. `possible_duplicate`: both Stripe and you reported a sale of the same customer and amount
    (with or without tax) within 15 minutes. `tax_currency`: Stripe reported the tax in another currency than
    the charge, so the tax was ignored. `crowded_network`: a lead from a page connects the customer with the
    affiliate, and it was one of at least 20 within ten minutes from one network; the flag ends when you name
    the referral for the customer. `unproven_lead`: only a lead from a page, which anyone can send, connects the
    customer with the affiliate; the flag ends when your server, a checkout or a payment names the same
    referral. `unverified_address`: only an email address that somebody typed connects the sale with the
    affiliate, until you name the referral or the address; or the sale names another affiliate, and no ID of the
    customer. `suspicious_affiliate`: the affiliate was suspicious when the customer was charged; the flag ends
    when you set the affiliate to `active`. `unpaid_lead`: a reward for a lead who has not paid yet; the flag
    ends with the first payment or when the commission becomes due. `dispute`: the customer disputes the
    payment, and the dispute is open.
    """
    campaign_id: str
    """ID of the campaign."""
    affiliate_id: str
    """ID of the affiliate."""
    referral_id: str | None
    """`null` for manual commissions, milestones and their adjustments."""
    sale_id: str | None
    """`null` for manual commissions, leads, milestones and their adjustments."""
    rule_id: str | None
    """The reward rule that pays a bonus, a lead or a milestone; `null` for other kinds."""
    payout_id: str | None
    """ID of the payout."""
    adjusts_commission_id: str | None
    """Commission that this adjustment corrects; `null` for other kinds."""
    note: str | None
    """Purpose of a manual commission; `null` for other kinds."""
    created_by: str | None
    """ID of the user, API key, or connector that created a manual commission; `null` for other kinds."""
    external_id: str | None
    """Your ID for the record."""
    metadata: Metadata
    created_at: str
    """ISO 8601 time in UTC with milliseconds."""
    updated_at: str
    """ISO 8601 time in UTC with milliseconds."""
    sale_customer_email: NotRequired[str]
    """Email address of the customer. Omitted if it is not known."""
    sale_customer_name: NotRequired[str]
    """Name of the customer. Omitted if it is not known."""
    sale_customer_first_name: NotRequired[str]
    """First name of the customer. Omitted if it is not known."""
    sale_customer_last_name: NotRequired[str]
    """Last name of the customer. Omitted if it is not known."""


class CommissionDueEvent(TypedDict):
    """Occurs when a commission becomes due."""

    id: str
    """ID of the event, identical in every delivery."""
    type: Literal["commission.due"]
    """Type of the event."""
    api_version: Literal["v1"]
    """Version of the contract that `data` follows."""
    sequence: int
    """Position among the events of the account, in the order of the changes. 0 for test events."""
    occurred_at: str
    """ISO 8601 time in UTC with milliseconds."""
    subject_id: str
    """ID of the record that the event is about."""
    actor: EventActor
    data: CommissionEventData
    """The records."""
    previous_attributes: NotRequired[Dict[str, Any] | None]
    """The former values of the fields that have changed. If nothing has changed, e.g. for a new record, omitted in
    deliveries, and `null` in the list of events.
    """
    deliveries: NotRequired[List[WebhookDelivery] | None]
    """Deliveries to webhook endpoints, oldest first. Only in responses whose request has `expand=deliveries`."""
    test: NotRequired[bool]
    """`true` for the made-up event of a test delivery. Omitted in other deliveries."""


class CommissionPaidEvent(TypedDict):
    """Occurs when a commission is paid, with its payout or by hand."""

    id: str
    """ID of the event, identical in every delivery."""
    type: Literal["commission.paid"]
    """Type of the event."""
    api_version: Literal["v1"]
    """Version of the contract that `data` follows."""
    sequence: int
    """Position among the events of the account, in the order of the changes. 0 for test events."""
    occurred_at: str
    """ISO 8601 time in UTC with milliseconds."""
    subject_id: str
    """ID of the record that the event is about."""
    actor: EventActor
    data: CommissionEventData
    """The records."""
    previous_attributes: NotRequired[Dict[str, Any] | None]
    """The former values of the fields that have changed. If nothing has changed, e.g. for a new record, omitted in
    deliveries, and `null` in the list of events.
    """
    deliveries: NotRequired[List[WebhookDelivery] | None]
    """Deliveries to webhook endpoints, oldest first. Only in responses whose request has `expand=deliveries`."""
    test: NotRequired[bool]
    """`true` for the made-up event of a test delivery. Omitted in other deliveries."""


class CommissionVoidedEvent(TypedDict):
    """Occurs when a commission is voided."""

    id: str
    """ID of the event, identical in every delivery."""
    type: Literal["commission.voided"]
    """Type of the event."""
    api_version: Literal["v1"]
    """Version of the contract that `data` follows."""
    sequence: int
    """Position among the events of the account, in the order of the changes. 0 for test events."""
    occurred_at: str
    """ISO 8601 time in UTC with milliseconds."""
    subject_id: str
    """ID of the record that the event is about."""
    actor: EventActor
    data: CommissionEventData
    """The records."""
    previous_attributes: NotRequired[Dict[str, Any] | None]
    """The former values of the fields that have changed. If nothing has changed, e.g. for a new record, omitted in
    deliveries, and `null` in the list of events.
    """
    deliveries: NotRequired[List[WebhookDelivery] | None]
    """Deliveries to webhook endpoints, oldest first. Only in responses whose request has `expand=deliveries`."""
    test: NotRequired[bool]
    """`true` for the made-up event of a test delivery. Omitted in other deliveries."""


class CommissionUpdatedEvent(TypedDict):
    """Occurs when a commission changes in any other way: its amount, its due date, its flag, its review or its
    payout.
    """

    id: str
    """ID of the event, identical in every delivery."""
    type: Literal["commission.updated"]
    """Type of the event."""
    api_version: Literal["v1"]
    """Version of the contract that `data` follows."""
    sequence: int
    """Position among the events of the account, in the order of the changes. 0 for test events."""
    occurred_at: str
    """ISO 8601 time in UTC with milliseconds."""
    subject_id: str
    """ID of the record that the event is about."""
    actor: EventActor
    data: CommissionEventData
    """The records."""
    previous_attributes: NotRequired[Dict[str, Any] | None]
    """The former values of the fields that have changed. If nothing has changed, e.g. for a new record, omitted in
    deliveries, and `null` in the list of events.
    """
    deliveries: NotRequired[List[WebhookDelivery] | None]
    """Deliveries to webhook endpoints, oldest first. Only in responses whose request has `expand=deliveries`."""
    test: NotRequired[bool]
    """`true` for the made-up event of a test delivery. Omitted in other deliveries."""


class PayoutCreatedEvent(TypedDict):
    """Occurs when the first commission of a new payout is due."""

    id: str
    """ID of the event, identical in every delivery."""
    type: Literal["payout.created"]
    """Type of the event."""
    api_version: Literal["v1"]
    """Version of the contract that `data` follows."""
    sequence: int
    """Position among the events of the account, in the order of the changes. 0 for test events."""
    occurred_at: str
    """ISO 8601 time in UTC with milliseconds."""
    subject_id: str
    """ID of the record that the event is about."""
    actor: EventActor
    data: PayoutEventData
    """The records."""
    previous_attributes: NotRequired[Dict[str, Any] | None]
    """The former values of the fields that have changed. If nothing has changed, e.g. for a new record, omitted in
    deliveries, and `null` in the list of events.
    """
    deliveries: NotRequired[List[WebhookDelivery] | None]
    """Deliveries to webhook endpoints, oldest first. Only in responses whose request has `expand=deliveries`."""
    test: NotRequired[bool]
    """`true` for the made-up event of a test delivery. Omitted in other deliveries."""


class PayoutEventData(TypedDict):
    id: str
    """ID of the payout."""
    affiliate_id: str
    """ID of the affiliate."""
    state: PayoutState
    """`pending`: open but not eligible yet; `due`: open and eligible; `processing`: claimed by an export or a run;
    `paid`; `returned`: the transfer bounced, and the commissions are in another payout.
    """
    amount_cents: int
    """Sum of the commissions, in the minor unit of `currency`."""
    currency: str
    """ISO 4217 currency code."""
    livemode: bool
    """`false` for records of test mode."""
    commissions_count: int
    """Number of commissions."""
    eligible: bool
    """`true` if the payout can be exported or added to a run now."""
    ineligible_reasons: List[IneligibleReason]
    """Reasons why the payout is not eligible; empty once it is paid or returned. `on_hold`: the affiliate is
    suspicious. `details_changed`: the payout details have just changed. `moving_in`: your former tool pays
    until the account is no shadow any more. `screening`: the affiliate has not been cleared by the screening
    (`payout_screenings`). `below_minimum`: the amount is below the campaign’s minimum payout; applies only if
    both are in the same currency.
    """
    payment_reference: str | None
    """Your reference of the payment."""
    paid_at: str | None
    """ISO 8601 time in UTC with milliseconds."""
    returned_at: str | None
    """ISO 8601 time in UTC with milliseconds."""
    return_reason: str | None
    """Reason why the transfer was returned."""
    external_id: str | None
    """Your ID for the record."""
    metadata: Metadata
    created_at: str
    """ISO 8601 time in UTC with milliseconds."""
    updated_at: str
    """ISO 8601 time in UTC with milliseconds."""


class PayoutUpdatedEvent(TypedDict):
    """Occurs when a payout changes in any other way, e.g. when it takes a commission, or an export claims it."""

    id: str
    """ID of the event, identical in every delivery."""
    type: Literal["payout.updated"]
    """Type of the event."""
    api_version: Literal["v1"]
    """Version of the contract that `data` follows."""
    sequence: int
    """Position among the events of the account, in the order of the changes. 0 for test events."""
    occurred_at: str
    """ISO 8601 time in UTC with milliseconds."""
    subject_id: str
    """ID of the record that the event is about."""
    actor: EventActor
    data: PayoutEventData
    """The records."""
    previous_attributes: NotRequired[Dict[str, Any] | None]
    """The former values of the fields that have changed. If nothing has changed, e.g. for a new record, omitted in
    deliveries, and `null` in the list of events.
    """
    deliveries: NotRequired[List[WebhookDelivery] | None]
    """Deliveries to webhook endpoints, oldest first. Only in responses whose request has `expand=deliveries`."""
    test: NotRequired[bool]
    """`true` for the made-up event of a test delivery. Omitted in other deliveries."""


class PayoutMergedEvent(TypedDict):
    """Occurs when a payout is merged into a released one of the same affiliate, and no longer exists."""

    id: str
    """ID of the event, identical in every delivery."""
    type: Literal["payout.merged"]
    """Type of the event."""
    api_version: Literal["v1"]
    """Version of the contract that `data` follows."""
    sequence: int
    """Position among the events of the account, in the order of the changes. 0 for test events."""
    occurred_at: str
    """ISO 8601 time in UTC with milliseconds."""
    subject_id: str
    """ID of the record that the event is about."""
    actor: EventActor
    data: MergedPayoutEventData
    """The records."""
    previous_attributes: NotRequired[Dict[str, Any] | None]
    """The former values of the fields that have changed. If nothing has changed, e.g. for a new record, omitted in
    deliveries, and `null` in the list of events.
    """
    deliveries: NotRequired[List[WebhookDelivery] | None]
    """Deliveries to webhook endpoints, oldest first. Only in responses whose request has `expand=deliveries`."""
    test: NotRequired[bool]
    """`true` for the made-up event of a test delivery. Omitted in other deliveries."""


class MergedPayoutEventData(TypedDict):
    id: str
    """ID of the payout."""
    affiliate_id: str
    """ID of the affiliate."""
    state: PayoutState
    """`pending`: open but not eligible yet; `due`: open and eligible; `processing`: claimed by an export or a run;
    `paid`; `returned`: the transfer bounced, and the commissions are in another payout.
    """
    amount_cents: int
    """Sum of the commissions, in the minor unit of `currency`."""
    currency: str
    """ISO 4217 currency code."""
    livemode: bool
    """`false` for records of test mode."""
    commissions_count: int
    """Number of commissions."""
    eligible: bool
    """`true` if the payout can be exported or added to a run now."""
    ineligible_reasons: List[IneligibleReason]
    """Reasons why the payout is not eligible; empty once it is paid or returned. `on_hold`: the affiliate is
    suspicious. `details_changed`: the payout details have just changed. `moving_in`: your former tool pays
    until the account is no shadow any more. `screening`: the affiliate has not been cleared by the screening
    (`payout_screenings`). `below_minimum`: the amount is below the campaign’s minimum payout; applies only if
    both are in the same currency.
    """
    payment_reference: str | None
    """Your reference of the payment."""
    paid_at: str | None
    """ISO 8601 time in UTC with milliseconds."""
    returned_at: str | None
    """ISO 8601 time in UTC with milliseconds."""
    return_reason: str | None
    """Reason why the transfer was returned."""
    external_id: str | None
    """Your ID for the record."""
    metadata: Metadata
    created_at: str
    """ISO 8601 time in UTC with milliseconds."""
    updated_at: str
    """ISO 8601 time in UTC with milliseconds."""
    merged_into: str
    """Payout that has the commissions of this one."""


class PayoutPaidEvent(TypedDict):
    """Occurs when a payout is marked as paid, together with its commissions."""

    id: str
    """ID of the event, identical in every delivery."""
    type: Literal["payout.paid"]
    """Type of the event."""
    api_version: Literal["v1"]
    """Version of the contract that `data` follows."""
    sequence: int
    """Position among the events of the account, in the order of the changes. 0 for test events."""
    occurred_at: str
    """ISO 8601 time in UTC with milliseconds."""
    subject_id: str
    """ID of the record that the event is about."""
    actor: EventActor
    data: PaidPayoutEventData
    """The records."""
    previous_attributes: NotRequired[Dict[str, Any] | None]
    """The former values of the fields that have changed. If nothing has changed, e.g. for a new record, omitted in
    deliveries, and `null` in the list of events.
    """
    deliveries: NotRequired[List[WebhookDelivery] | None]
    """Deliveries to webhook endpoints, oldest first. Only in responses whose request has `expand=deliveries`."""
    test: NotRequired[bool]
    """`true` for the made-up event of a test delivery. Omitted in other deliveries."""


class PaidPayoutEventData(TypedDict):
    id: str
    """ID of the payout."""
    affiliate_id: str
    """ID of the affiliate."""
    state: PayoutState
    """`pending`: open but not eligible yet; `due`: open and eligible; `processing`: claimed by an export or a run;
    `paid`; `returned`: the transfer bounced, and the commissions are in another payout.
    """
    amount_cents: int
    """Sum of the commissions, in the minor unit of `currency`."""
    currency: str
    """ISO 4217 currency code."""
    livemode: bool
    """`false` for records of test mode."""
    commissions_count: int
    """Number of commissions."""
    eligible: bool
    """`true` if the payout can be exported or added to a run now."""
    ineligible_reasons: List[IneligibleReason]
    """Reasons why the payout is not eligible; empty once it is paid or returned. `on_hold`: the affiliate is
    suspicious. `details_changed`: the payout details have just changed. `moving_in`: your former tool pays
    until the account is no shadow any more. `screening`: the affiliate has not been cleared by the screening
    (`payout_screenings`). `below_minimum`: the amount is below the campaign’s minimum payout; applies only if
    both are in the same currency.
    """
    payment_reference: str | None
    """Your reference of the payment."""
    paid_at: str | None
    """ISO 8601 time in UTC with milliseconds."""
    returned_at: str | None
    """ISO 8601 time in UTC with milliseconds."""
    return_reason: str | None
    """Reason why the transfer was returned."""
    external_id: str | None
    """Your ID for the record."""
    metadata: Metadata
    created_at: str
    """ISO 8601 time in UTC with milliseconds."""
    updated_at: str
    """ISO 8601 time in UTC with milliseconds."""
    payment: PayoutPayment
    commission_ids: List[str]
    """Commissions in the payout. With `payout.paid`, all of them that are not voided are paid, too."""


class PayoutPayment(TypedDict):
    """The payment of a payout, and its fee when the event was made."""

    method: str
    """Kind of the method: `by_hand`, `csv`, `paypal`, `wise`."""
    fee_cents: int | None
    """Fee that the service which pays has taken, in the minor unit of `fee_currency`. You bear what
    `affiliate_fee_cents` does not cover. `null`: the service has not told.
    """
    fee_currency: str | None
    """ISO 4217 currency code."""
    affiliate_fee_cents: int
    """Part of `amount_cents` that was not sent, because the affiliate bears it as the fee. When the payment fails
    or comes back, it is due again, too.
    """
    returned_cents: int | None
    """Amount that came back, in the minor unit of `currency`. `null`: not known."""


class PayoutReturnedEvent(TypedDict):
    """Occurs when the transfer of a paid payout is returned."""

    id: str
    """ID of the event, identical in every delivery."""
    type: Literal["payout.returned"]
    """Type of the event."""
    api_version: Literal["v1"]
    """Version of the contract that `data` follows."""
    sequence: int
    """Position among the events of the account, in the order of the changes. 0 for test events."""
    occurred_at: str
    """ISO 8601 time in UTC with milliseconds."""
    subject_id: str
    """ID of the record that the event is about."""
    actor: EventActor
    data: PaidPayoutEventData
    """The records."""
    previous_attributes: NotRequired[Dict[str, Any] | None]
    """The former values of the fields that have changed. If nothing has changed, e.g. for a new record, omitted in
    deliveries, and `null` in the list of events.
    """
    deliveries: NotRequired[List[WebhookDelivery] | None]
    """Deliveries to webhook endpoints, oldest first. Only in responses whose request has `expand=deliveries`."""
    test: NotRequired[bool]
    """`true` for the made-up event of a test delivery. Omitted in other deliveries."""


class PayoutFailedEvent(TypedDict):
    """Occurs when an attempt to pay a payout failed. The payout is open again."""

    id: str
    """ID of the event, identical in every delivery."""
    type: Literal["payout.failed"]
    """Type of the event."""
    api_version: Literal["v1"]
    """Version of the contract that `data` follows."""
    sequence: int
    """Position among the events of the account, in the order of the changes. 0 for test events."""
    occurred_at: str
    """ISO 8601 time in UTC with milliseconds."""
    subject_id: str
    """ID of the record that the event is about."""
    actor: EventActor
    data: FailedPayoutEventData
    """The records."""
    previous_attributes: NotRequired[Dict[str, Any] | None]
    """The former values of the fields that have changed. If nothing has changed, e.g. for a new record, omitted in
    deliveries, and `null` in the list of events.
    """
    deliveries: NotRequired[List[WebhookDelivery] | None]
    """Deliveries to webhook endpoints, oldest first. Only in responses whose request has `expand=deliveries`."""
    test: NotRequired[bool]
    """`true` for the made-up event of a test delivery. Omitted in other deliveries."""


class FailedPayoutEventData(TypedDict):
    id: str
    """ID of the payout."""
    affiliate_id: str
    """ID of the affiliate."""
    state: PayoutState
    """`pending`: open but not eligible yet; `due`: open and eligible; `processing`: claimed by an export or a run;
    `paid`; `returned`: the transfer bounced, and the commissions are in another payout.
    """
    amount_cents: int
    """Sum of the commissions, in the minor unit of `currency`."""
    currency: str
    """ISO 4217 currency code."""
    livemode: bool
    """`false` for records of test mode."""
    commissions_count: int
    """Number of commissions."""
    eligible: bool
    """`true` if the payout can be exported or added to a run now."""
    ineligible_reasons: List[IneligibleReason]
    """Reasons why the payout is not eligible; empty once it is paid or returned. `on_hold`: the affiliate is
    suspicious. `details_changed`: the payout details have just changed. `moving_in`: your former tool pays
    until the account is no shadow any more. `screening`: the affiliate has not been cleared by the screening
    (`payout_screenings`). `below_minimum`: the amount is below the campaign’s minimum payout; applies only if
    both are in the same currency.
    """
    payment_reference: str | None
    """Your reference of the payment."""
    paid_at: str | None
    """ISO 8601 time in UTC with milliseconds."""
    returned_at: str | None
    """ISO 8601 time in UTC with milliseconds."""
    return_reason: str | None
    """Reason why the transfer was returned."""
    external_id: str | None
    """Your ID for the record."""
    metadata: Metadata
    created_at: str
    """ISO 8601 time in UTC with milliseconds."""
    updated_at: str
    """ISO 8601 time in UTC with milliseconds."""
    payment: PayoutPayment
    reason: str
    """Reason for which the attempt to pay the payout failed."""


class PayoutMethodCreatedEvent(TypedDict):
    """Occurs when an affiliate gets a payout method."""

    id: str
    """ID of the event, identical in every delivery."""
    type: Literal["payout_method.created"]
    """Type of the event."""
    api_version: Literal["v1"]
    """Version of the contract that `data` follows."""
    sequence: int
    """Position among the events of the account, in the order of the changes. 0 for test events."""
    occurred_at: str
    """ISO 8601 time in UTC with milliseconds."""
    subject_id: str
    """ID of the record that the event is about."""
    actor: EventActor
    data: PayoutMethodEventData
    """The records."""
    previous_attributes: NotRequired[Dict[str, Any] | None]
    """The former values of the fields that have changed. If nothing has changed, e.g. for a new record, omitted in
    deliveries, and `null` in the list of events.
    """
    deliveries: NotRequired[List[WebhookDelivery] | None]
    """Deliveries to webhook endpoints, oldest first. Only in responses whose request has `expand=deliveries`."""
    test: NotRequired[bool]
    """`true` for the made-up event of a test delivery. Omitted in other deliveries."""


class PayoutMethodEventData(TypedDict):
    id: str
    """ID of the payout method."""
    affiliate_id: str
    """ID of the affiliate."""
    kind: str
    """Kind of the method, e.g. `paypal` or `wise`."""
    state: PayoutMethodState
    """`confirmed`: payouts can be paid to it; `held`: the payout details have just changed, and payouts wait until
    `payouts_held_until`; `retired`: it was removed.
    """
    hint: str
    """Part of the address by which its owner recognizes it. The address itself is never shown."""
    since: str
    """Time of the last change of the address."""
    retired_at: str | None
    """ISO 8601 time in UTC with milliseconds."""
    livemode: bool
    """`false` for records of test mode."""
    created_at: str
    """ISO 8601 time in UTC with milliseconds."""
    updated_at: str
    """ISO 8601 time in UTC with milliseconds."""


class PayoutMethodUpdatedEvent(TypedDict):
    """Occurs when the address of a payout method changes, or the method is removed."""

    id: str
    """ID of the event, identical in every delivery."""
    type: Literal["payout_method.updated"]
    """Type of the event."""
    api_version: Literal["v1"]
    """Version of the contract that `data` follows."""
    sequence: int
    """Position among the events of the account, in the order of the changes. 0 for test events."""
    occurred_at: str
    """ISO 8601 time in UTC with milliseconds."""
    subject_id: str
    """ID of the record that the event is about."""
    actor: EventActor
    data: PayoutMethodEventData
    """The records."""
    previous_attributes: NotRequired[Dict[str, Any] | None]
    """The former values of the fields that have changed. If nothing has changed, e.g. for a new record, omitted in
    deliveries, and `null` in the list of events.
    """
    deliveries: NotRequired[List[WebhookDelivery] | None]
    """Deliveries to webhook endpoints, oldest first. Only in responses whose request has `expand=deliveries`."""
    test: NotRequired[bool]
    """`true` for the made-up event of a test delivery. Omitted in other deliveries."""


class PayoutRunFinishedEvent(TypedDict):
    """Occurs when a payout run is completed, fully or in part, or canceled."""

    id: str
    """ID of the event, identical in every delivery."""
    type: Literal["payout_run.finished"]
    """Type of the event."""
    api_version: Literal["v1"]
    """Version of the contract that `data` follows."""
    sequence: int
    """Position among the events of the account, in the order of the changes. 0 for test events."""
    occurred_at: str
    """ISO 8601 time in UTC with milliseconds."""
    subject_id: str
    """ID of the record that the event is about."""
    actor: EventActor
    data: PayoutRunEventData
    """The records."""
    previous_attributes: NotRequired[Dict[str, Any] | None]
    """The former values of the fields that have changed. If nothing has changed, e.g. for a new record, omitted in
    deliveries, and `null` in the list of events.
    """
    deliveries: NotRequired[List[WebhookDelivery] | None]
    """Deliveries to webhook endpoints, oldest first. Only in responses whose request has `expand=deliveries`."""
    test: NotRequired[bool]
    """`true` for the made-up event of a test delivery. Omitted in other deliveries."""


class PayoutRunEventDataTotals(TypedDict):
    currency: str
    """ISO 4217 currency code."""
    items_count: int
    """Number of items."""
    amount_cents: int
    """Total of all items."""
    planned_cents: int
    """Amount of the items that are not executed yet."""
    paid_cents: int
    """Amount that was paid."""
    returned_cents: int
    """Amount of the payouts that were returned."""
    failed_cents: int
    """Amount of the failed items."""
    excluded_cents: int
    """Amount of the excluded items."""
    canceled_cents: int
    """Amount of the canceled items."""


class PayoutRunEventDataIssues(TypedDict):
    code: PayoutRunIssue
    """`missing_payout_details`: the affiliate has neither a PayPal (`walleta_email`) nor a Wise email address
    (`walletb_email`). `affiliate_inactive`: the affiliate is not active or is archived.
    """
    items_count: int
    """Number of items."""


class PayoutRunEventData(TypedDict):
    id: str
    """ID of the payout run."""
    state: PayoutRunState
    """`planned`; `executing`; `completed`: no failed items remain; `partially_completed`: some items failed, see
    `issues`; `canceled`.
    """
    idempotency_key: str
    """Key that was sent when the run was created."""
    livemode: bool
    """`false` for records of test mode."""
    affiliate_ids: List[str] | None
    """Affiliates that the run is limited to; `null` for all."""
    payment_reference: str | None
    """Your reference of the payment."""
    items_total: int
    """Number of items of the run."""
    items_done: int
    """Number of items that are paid, failed, excluded, or canceled."""
    totals: List[PayoutRunEventDataTotals]
    """Totals per currency."""
    issues: List[PayoutRunEventDataIssues]
    """Issues of failed items, by code."""
    executed_at: str | None
    """ISO 8601 time in UTC with milliseconds."""
    completed_at: str | None
    """ISO 8601 time in UTC with milliseconds."""
    canceled_at: str | None
    """ISO 8601 time in UTC with milliseconds."""
    created_at: str
    """ISO 8601 time in UTC with milliseconds."""
    updated_at: str
    """ISO 8601 time in UTC with milliseconds."""


class PayoutExportPaidEvent(TypedDict):
    """Occurs when all payouts of an export are marked as paid."""

    id: str
    """ID of the event, identical in every delivery."""
    type: Literal["payout_export.paid"]
    """Type of the event."""
    api_version: Literal["v1"]
    """Version of the contract that `data` follows."""
    sequence: int
    """Position among the events of the account, in the order of the changes. 0 for test events."""
    occurred_at: str
    """ISO 8601 time in UTC with milliseconds."""
    subject_id: str
    """ID of the record that the event is about."""
    actor: EventActor
    data: PayoutExportEventData
    """The records."""
    previous_attributes: NotRequired[Dict[str, Any] | None]
    """The former values of the fields that have changed. If nothing has changed, e.g. for a new record, omitted in
    deliveries, and `null` in the list of events.
    """
    deliveries: NotRequired[List[WebhookDelivery] | None]
    """Deliveries to webhook endpoints, oldest first. Only in responses whose request has `expand=deliveries`."""
    test: NotRequired[bool]
    """`true` for the made-up event of a test delivery. Omitted in other deliveries."""


class PayoutExportEventDataTotals(TypedDict):
    currency: str
    """ISO 4217 currency code."""
    payouts_count: int
    """Number of payouts."""
    amount_cents: int
    """Amount in the currency’s minor unit."""


class PayoutExportEventData(TypedDict):
    id: str
    """ID of the payout export."""
    state: PayoutExportState
    """`processing`: the export holds its payouts until it is paid or deleted; `paying`: the payouts of a large
    export are being marked as paid, see `paid_count`; `paid`; `released`: the export was deleted, and its
    payouts were released.
    """
    export_format: ExportFormat
    """`csv`: spreadsheet with every field; `walleta`: PayPal Payouts upload; `walletb`: Wise batch payment by
    email; `bank_sepa`: bank file in euros (pain.001); `bank_ach`: in US dollars (NACHA).
    """
    livemode: bool
    """`false` for records of test mode."""
    notes: str | None
    """Your notes."""
    payouts_count: int
    """Number of payouts."""
    totals: List[PayoutExportEventDataTotals]
    """Totals by currency."""
    payment_reference: str | None
    """Your reference of the payment."""
    paid_at: str | None
    """ISO 8601 time in UTC with milliseconds."""
    paid_count: int
    """Number of payouts paid so far."""
    returned_count: int
    """Number of payouts that were paid and then returned."""
    released_at: str | None
    """ISO 8601 time in UTC with milliseconds."""
    created_at: str
    """ISO 8601 time in UTC with milliseconds."""
    updated_at: str
    """ISO 8601 time in UTC with milliseconds."""


class ImportCompletedEvent(TypedDict):
    """An import is done or undone."""

    id: str
    """ID of the event, identical in every delivery."""
    type: Literal["import.completed"]
    """Type of the event."""
    api_version: Literal["v1"]
    """Version of the contract that `data` follows."""
    sequence: int
    """Position among the events of the account, in the order of the changes. 0 for test events."""
    occurred_at: str
    """ISO 8601 time in UTC with milliseconds."""
    subject_id: str
    """ID of the record that the event is about."""
    actor: EventActor
    data: ImportEventData
    """The records."""
    previous_attributes: NotRequired[Dict[str, Any] | None]
    """The former values of the fields that have changed. If nothing has changed, e.g. for a new record, omitted in
    deliveries, and `null` in the list of events.
    """
    deliveries: NotRequired[List[WebhookDelivery] | None]
    """Deliveries to webhook endpoints, oldest first. Only in responses whose request has `expand=deliveries`."""
    test: NotRequired[bool]
    """`true` for the made-up event of a test delivery. Omitted in other deliveries."""


class ImportEventDataFiles(TypedDict):
    kind: str
    """The records in the file."""
    bytes: int
    """Bytes of the text in UTF-8 that have arrived."""
    is_complete: bool
    """False while parts of the file are still to come."""


class ImportEventDataCounts(TypedDict):
    kind: ImportedKind
    """Kind of the record."""
    outcome: ImportOutcome | None
    """`null` for records that are not checked yet."""
    count: int
    """Number of records."""
    done: int
    """Number of them with which the import has finished."""


class ImportEventDataTotals(TypedDict):
    kind: ImportedAmount
    """Kind of the records."""
    currency: str | None
    """ISO 4217 currency code."""
    state: str
    """State of the records at the source, in the words of this API."""
    count: int
    """Number of records."""
    source_cents: int
    """Sum of all records of the source."""
    here_cents: int
    """Sum of those that the import makes or has made, or that your account has. The difference is that of the
    records that are skipped or a problem.
    """


class ImportEventDataProgress(TypedDict):
    """Progress of the work in the background; `null` if there is none."""

    phase: ImportPhase
    """The present work."""
    done: int
    """Number of records with which it is done."""
    total: int | None
    """Number of all records, or `null` if the source does not say how many it has."""
    per_minute: int
    """Records in a minute since the work began, or went on."""
    seconds_left: int | None
    """Seconds until the work is done, at this rate."""


class ImportEventData(TypedDict):
    id: str
    """ID of the import."""
    livemode: bool
    """`false` for records of test mode."""
    source: str
    """The tool from which the records come."""
    state: ImportState
    """`reading`: the records are read and checked, and nothing is made yet; `draft`: files arrive in parts, or
    reading was stopped; `ready`: everything is known that the import would make; `running`: records are made;
    `done`; `undoing` and `undone`: the records that the import made are removed; `failed`: see `failure`.
    """
    files: List[ImportEventDataFiles]
    """Files that were not read yet. They are deleted as soon as they are read, or cannot be read."""
    campaign_id: str | None
    """Campaign of affiliates for whom the source names none."""
    currency: str | None
    """Currency of amounts for which the source names none."""
    counts: List[ImportEventDataCounts]
    """Numbers of records by kind and outcome."""
    totals: List[ImportEventDataTotals]
    """Amounts of commissions and payouts by currency and state."""
    progress: ImportEventDataProgress | None
    """Progress of the work in the background; `null` if there is none."""
    expected_count: int | None
    """Number of records that the source says to have, or `null`."""
    failure: ImportFailure | None
    """Reason why the import failed. `key_refused`: the source does not accept the key; `no_api_access`: your plan
    there has no API; `not_understood`: an answer has another form than documented; `goes_round`: a list begins
    again and again; `unreachable`: the source did not answer for hours; `file_unreadable`: a file is not the
    CSV that its kind needs. Run the import again to go on where it stopped.
    """
    failure_detail: str | None
    """The column of a file, or the list of the source, that the failure is about."""
    resume_at: str | None
    """Time at which a source that asked to wait is asked again."""
    read_at: str | None
    """ISO 8601 time in UTC with milliseconds."""
    done_at: str | None
    """ISO 8601 time in UTC with milliseconds."""
    created_at: str
    """ISO 8601 time in UTC with milliseconds."""
    updated_at: str
    """ISO 8601 time in UTC with milliseconds."""


class ForbiddenDetails(TypedDict):
    """The permission or the sign-in that the caller lacks."""

    permission: NotRequired[str]
    """Missing permission."""
    reason: NotRequired[ForbiddenReason]
    """`sign_in_again`: the sign-in is too old; `person_needed`: only a signed-in person may do this."""


class PayLimitDetails(TypedDict):
    """The daily limit of a connector."""

    currency: str
    """Currency of the amounts."""
    limit_cents: int
    """The most that the connector may mark as paid within 24 hours."""
    counted_cents: int
    """The amount that it has marked as paid within the last 24 hours."""
    amount_cents: int
    """The amount that the request would mark as paid."""


class ConflictDetailsRefund(TypedDict):
    """With `other_values` of a refund: the stored refund."""

    refund_id: str
    """Your ID for the refund."""
    amount_cents: int
    """Amount in the currency’s minor unit."""


class ConflictDetails(TypedDict):
    """The reason of the conflict."""

    reason: NotRequired[str]
    """Stable code of the conflict, for programs, if the operation has several."""
    psp_promotion_code_id: NotRequired[str]
    """ID of the code at the payment provider that has the same text."""
    fields: NotRequired[List[str]]
    """With `other_values`: the fields of a reported sale or refund that differ from the first report."""
    sale: NotRequired[Sale]
    """With `other_values`: the stored sale."""
    refund: NotRequired[ConflictDetailsRefund]
    """With `other_values` of a refund: the stored refund."""
    commission: NotRequired[PlainCommission | None]
    """With `other_values`: the commission of the stored sale, or `null`."""


class SaleReferral(TypedDict):
    """The referral."""

    id: str
    """ID of the referral."""
    conversion_state: str
    """`visitor`, `lead` (signed up), or `conversion` (paid)."""
    psp_customer_id: str | None
    """ID of the customer at the payment provider."""
    customer: Customer | None
    """The customer."""


class SaleAffiliate(TypedDict):
    """The affiliate."""

    id: str
    """ID of the affiliate."""
    email: str
    """Email address."""
    first_name: str | None
    """First name."""
    last_name: str | None
    """Last name."""


class Sale(TypedDict):
    """A charge paid by a customer. Amounts are in the minor unit of `currency`."""

    id: str
    """ID of the sale."""
    livemode: bool
    """`false` for records of test mode."""
    external_id: str | None
    """Your ID for the record."""
    metadata: Metadata
    psp_charge_id: str | None
    """ID of the charge at the payment provider."""
    psp_invoice_id: str | None
    """ID of the invoice at the payment provider."""
    psp_payment_intent_id: str | None
    """ID of the payment intent at the payment provider."""
    promo_code: str | None
    """Promo code with which the customer paid."""
    charge_amount_cents: int
    """Amount charged to the customer, including tax."""
    tax_amount_cents: int
    """Tax included in the charge."""
    refund_amount_cents: int
    """Total refunded to date."""
    sale_amount_cents: int
    """Charge minus tax, reduced by refunds in proportion to the charge; 0 after a full refund. Commissions are
    calculated from this amount.
    """
    currency: str
    """ISO 4217 currency code."""
    description: str | None
    """Description."""
    paid_outside: PaidOutside | None
    """Set if the invoice was marked as paid outside the payment provider. `counted`: the sale earns like any
    other. `excluded`: nobody earns from it, as the settings of the connection say.
    """
    charged_at: str
    """ISO 8601 time in UTC with milliseconds."""
    referral_id: str | None
    """ID of the referral."""
    affiliate_id: str | None
    """ID of the affiliate."""
    customer_id: str | None
    """ID of the customer."""
    referral: SaleReferral | None
    """The referral."""
    affiliate: SaleAffiliate | None
    """The affiliate."""
    created_at: str
    """ISO 8601 time in UTC with milliseconds."""
    updated_at: str
    """ISO 8601 time in UTC with milliseconds."""


class Customer(TypedDict):
    """A paying customer. Email address and name are present if a payment provider or the conversion flow provided
    them.
    """

    id: str
    """ID of the customer."""
    email: str | None
    """Email address."""
    name: str | None
    """Name."""
    first_name: str | None
    """First name."""
    last_name: str | None
    """Last name."""
    psp_customer_id: str | None
    """ID of the customer at the payment provider."""
    external_id: str | None
    """Your ID for the record."""
    metadata: Metadata
    erased_at: str | None
    """Time at which the personal data were erased; `null` if they were not."""
    trial_until: str | None
    """End of the customer’s trial of a subscription; `null` if there is none."""
    livemode: bool
    """`false` for records of test mode."""
    created_at: str
    """ISO 8601 time in UTC with milliseconds."""
    updated_at: str
    """ISO 8601 time in UTC with milliseconds."""


class PlainCommission(TypedDict):
    """A commission without expansions."""

    id: str
    """ID of the commission."""
    state: CommissionState
    """`pending`: not due yet; `due`: ready for payout; `paid`; or `voided`."""
    kind: CommissionKind
    """`sale`: earned from a sale; `bonus`: paid on top of it by a reward rule; `lead`: earned for a lead;
    `milestone`: earned for a number of customers or sales, or for revenue; `adjustment`: correction of a
    commission that was already claimed or paid; `manual`: created by hand; `imported`: decided by another tool,
    and changed only by refunds from after the import.
    """
    amount_cents: int
    """Amount in the minor unit of `currency`; negative for a clawback."""
    currency: str
    """ISO 4217 currency code."""
    livemode: bool
    """`false` for records of test mode."""
    due_at: str
    """Time at which the commission becomes due."""
    paid_at: str | None
    """Time at which the commission was marked paid."""
    voided_at: str | None
    """ISO 8601 time in UTC with milliseconds."""
    void_reason: str | None
    """Reason why the commission was voided."""
    review_status: ReviewStatus | None
    """`suspicious`: the commission is flagged and excluded from payouts until you approve it. `approved`: you
    approved it.
    """
    review_reason: ReviewReason | None
    """Reason why the commission was flagged automatically. `self_referral`: the customer uses an email address of
    the affiliate. `possible_duplicate`: both Stripe and you reported a sale of the same customer and amount
    (with or without tax) within 15 minutes. `tax_currency`: Stripe reported the tax in another currency than
    the charge, so the tax was ignored. `crowded_network`: a lead from a page connects the customer with the
    affiliate, and it was one of at least 20 within ten minutes from one network; the flag ends when you name
    the referral for the customer. `unproven_lead`: only a lead from a page, which anyone can send, connects the
    customer with the affiliate; the flag ends when your server, a checkout or a payment names the same
    referral. `unverified_address`: only an email address that somebody typed connects the sale with the
    affiliate, until you name the referral or the address; or the sale names another affiliate, and no ID of the
    customer. `suspicious_affiliate`: the affiliate was suspicious when the customer was charged; the flag ends
    when you set the affiliate to `active`. `unpaid_lead`: a reward for a lead who has not paid yet; the flag
    ends with the first payment or when the commission becomes due. `dispute`: the customer disputes the
    payment, and the dispute is open.
    """
    campaign_id: str
    """ID of the campaign."""
    affiliate_id: str
    """ID of the affiliate."""
    referral_id: str | None
    """`null` for manual commissions, milestones and their adjustments."""
    sale_id: str | None
    """`null` for manual commissions, leads, milestones and their adjustments."""
    rule_id: str | None
    """The reward rule that pays a bonus, a lead or a milestone; `null` for other kinds."""
    payout_id: str | None
    """ID of the payout."""
    adjusts_commission_id: str | None
    """Commission that this adjustment corrects; `null` for other kinds."""
    note: str | None
    """Purpose of a manual commission; `null` for other kinds."""
    created_by: str | None
    """ID of the user, API key, or connector that created a manual commission; `null` for other kinds."""
    external_id: str | None
    """Your ID for the record."""
    metadata: Metadata
    created_at: str
    """ISO 8601 time in UTC with milliseconds."""
    updated_at: str
    """ISO 8601 time in UTC with milliseconds."""


class OperationDetails(TypedDict):
    """An operation at the payment provider whose outcome is unknown."""

    operation_id: NotRequired[str]
    """ID of the operation at the payment provider."""


class PreconditionDetails(TypedDict):
    """The condition that does not hold, unless it is `If-Match`."""

    reason: NotRequired[Literal["exists"]]
    """`exists`: the request has `If-None-Match: *`, and the record exists."""
    id: NotRequired[str]
    """With `exists`: ID of the record."""


class ValidationDetail(TypedDict):
    """One problem with the input."""

    path: str
    """Path of the field or parameter, with dots and indexes. Empty if the problem concerns the input as a whole."""
    code: str
    """Stable code of the problem, for programs."""
    message: str
    """Human-readable message."""
    accepted: NotRequired[List[str]]
    """For a value or a name that is not one of those accepted: the accepted ones. Several problems with the same
    list have it once.
    """


class RetryDetails(TypedDict):
    """Time after which the request can be sent again."""

    retry_after: NotRequired[int]
    """Seconds to wait, as in the header `Retry-After`."""


class ProviderDetails(TypedDict):
    """The answer of the payment provider."""

    reason: NotRequired[str]
    """Reason: `unreachable`, `timeout`, `unavailable`, `rate_limited`, `authentication` or `permission`."""
    psp_code: NotRequired[str]
    """Error code of the payment provider."""
    psp_request_id: NotRequired[str]
    """Request ID of the payment provider. Quote it to the provider’s support."""


class AffiliateCoupon(TypedDict):
    """The single coupon code of an affiliate (legacy). New integrations should use promo codes."""

    id: str
    """ID of the affiliate coupon."""
    affiliate_id: str
    """ID of the affiliate."""
    campaign_id: str
    """ID of the campaign."""
    code: str
    """Code of the promotion, as customers enter it."""
    active: bool
    """`true` if the code can be redeemed in Stripe."""
    psp_promotion_code_id: str
    """Stripe promotion code ID."""
    psp_coupon_id: str | None
    """Stripe coupon ID."""
    livemode: bool
    """`true` for a code in Stripe live mode, `false` in test mode."""
    observation: PromoCodeObservation
    synced_at: str
    """Time of the last sync with Stripe."""
    created_at: str
    """ISO 8601 time in UTC with milliseconds."""
    updated_at: str
    """ISO 8601 time in UTC with milliseconds."""


class Affiliate(TypedDict):
    """A partner who promotes a campaign and earns commissions."""

    id: str
    """ID of the affiliate."""
    email: str
    """Email address, unique among affiliates that are not archived."""
    campaign_id: str
    """ID of the campaign."""
    first_name: str | None
    """First name."""
    last_name: str | None
    """Last name."""
    state: AffiliateState
    """State of the affiliate. `active` affiliates track visits and earn commissions. So do `suspicious` ones, but
    their commissions are flagged for review and their payouts are on hold; setting the affiliate to `active`
    releases both. Affiliates in any other state do neither.
    """
    walleta_email: str | None
    """PayPal email address for payouts."""
    walletb_email: str | None
    """Wise email address for payouts."""
    external_id: str | None
    """Your ID for the record."""
    metadata: Metadata
    psp_customer_id: str | None
    """ID of the Stripe customer with this email address."""
    payouts_held_until: str | None
    """No payout is eligible before this time, because the payout details have changed."""
    archived_at: str | None
    """ISO 8601 time in UTC with milliseconds."""
    erased_at: str | None
    """Time at which the personal data were erased; `null` if they were not."""
    livemode: bool
    """`false` for records of test mode."""
    created_at: str
    """ISO 8601 time in UTC with milliseconds."""
    updated_at: str
    """ISO 8601 time in UTC with milliseconds."""
    campaign: NotRequired[Campaign | None]
    """Present if `expand` includes `campaign`."""
    links: NotRequired[List[Link] | None]
    """Present if `expand` includes `links`."""
    coupon: NotRequired[AffiliateCoupon | None]
    """Present if `expand` includes `coupon`."""
    tiers: NotRequired[List[AffiliateTier] | None]
    """Present if `expand` includes `tiers`."""
    commission_stats: NotRequired[CommissionStats | None]
    """Present if `expand` includes `commission_stats`."""
    outlook: NotRequired[List[PaymentOutlook] | None]
    """Present if `expand` includes `outlook`."""
    shared_accounts: NotRequired[List[SharedPayoutAccount] | None]
    """Present if `expand` includes `shared_accounts`."""
    left_behind: NotRequired[LeftBehind]
    """Only in the answer to a change of `campaign_id`, and in its preview."""


class Campaign(TypedDict):
    """A promotion with the terms under which its affiliates earn commissions."""

    id: str
    """ID of the campaign."""
    name: str
    """Campaign name, shown to affiliates."""
    slug: str
    """Unique within the account. By default derived from the name."""
    url: str
    """Landing page of the campaign, also used for visitors of inactive links."""
    private: bool
    """`true` if affiliates can join by invitation only."""
    private_tokens: bool
    """`true` if generated link tokens are random instead of based on the affiliate’s name."""
    reward_type: RewardType
    """`percent`: percentage of the sale; `fixed`: fixed amount per sale."""
    commission_percent: float | None
    """Commission as a percentage of the sale, up to two decimals. For `reward_type` `percent`."""
    commission_amount_cents: int | None
    """Commission per sale, in the minor unit of its currency. For `reward_type` `fixed`."""
    commission_amount_currency: str | None
    """Currency of `commission_amount_cents`. Defaults to the account’s currency."""
    minimum_payout_cents: int
    """Minimum payout amount. Payouts below it are not eligible. Defaults to 0."""
    minimum_payout_currency: str
    """Currency of `minimum_payout_cents`. The minimum applies only to payouts in this currency."""
    max_commission_period_months: int | None
    """Calendar months, counted from a referral’s first commission, in which its sales earn commissions. `null` for
    no limit.
    """
    max_commissions: int | None
    """Maximum number of commissions per referral; `null` for no limit. Commissions of fully refunded sales do not
    count. A commission that you void no longer counts for sales charged afterwards.
    """
    days_before_referrals_expire: int
    """Attribution window: days a visitor has to convert. Defaults to 60."""
    days_until_commissions_are_due: int
    """Holding period: days from the charge until its commission is due. 0 for immediately. Defaults to 30."""
    affiliate_dashboard_text: str | None
    """Text for the affiliate dashboard."""
    custom_reward_description: str | None
    """Custom description of the reward."""
    welcome_text: str | None
    """Welcome text for new affiliates."""
    customers_visible_to_affiliates: bool
    """`true` if affiliates can see their customers. Defaults to `false`."""
    sale_description_visible_to_affiliates: bool
    """`true` if affiliates can see sale descriptions. Defaults to `true`."""
    attribution: Attribution
    """Which click earns if a visitor clicks several links before converting: the first click (`first_click`), or
    the latest click on a link of this campaign (`last_click`). Defaults to `first_click`.
    """
    parameter_type: ParameterType
    """Place of the token in links: the query string (`query`) or the URL fragment (`hash`). Defaults to `query`."""
    params: List[str]
    """Names of the URL parameters that carry the token of a link in addition to `via`, e.g. those of a former
    tool: `?ref=ada`. The tracking snippet of the account names them in `data-params`. Defaults to none.
    """
    psp_coupon_id: str | None
    """ID of the Stripe coupon used for this campaign’s affiliate coupons."""
    default: bool
    """`true` if affiliates created without a campaign join this one. At most one campaign is the default."""
    external_id: str | None
    """Your ID for the record."""
    metadata: Metadata
    archived_at: str | None
    """ISO 8601 time in UTC with milliseconds."""
    livemode: bool
    """`false` for records of test mode."""
    created_at: str
    """ISO 8601 time in UTC with milliseconds."""
    updated_at: str
    """ISO 8601 time in UTC with milliseconds."""


class Link(TypedDict):
    """A tracked link of an affiliate."""

    id: str
    """ID of the link."""
    affiliate_id: str
    """ID of the affiliate."""
    campaign_id: str
    """ID of the campaign."""
    url: str
    """Destination URL."""
    token: str
    """Link code. Unique within the account, case-insensitive."""
    former_token: str | None
    """Link code before the affiliate chose another one. It leads to the link for good; null if there is none."""
    external_id: str | None
    """Your ID for the record."""
    metadata: Metadata
    share_url: str
    """Destination URL with `via=<token>`, for sites that use the tracking script."""
    tracking_url: str
    """URL that records the visit, sets the referral cookie, and redirects to the destination."""
    copy_url: str
    """URL to give to people: `share_url` if the tracking script was seen on the destination’s site in the last 30
    days, otherwise a tracked link, under your own portal host if you have one.
    """
    clicks: int
    """Number of visits, including repeat visits."""
    visitors: int
    """Number of referrals through this link, in any state, including expired referrals that were deleted."""
    leads: int
    """Referrals that became leads, including conversions."""
    conversions: int
    """Referrals that converted."""
    archived_at: str | None
    """ISO 8601 time in UTC with milliseconds."""
    livemode: bool
    """`false` for records of test mode."""
    created_at: str
    """ISO 8601 time in UTC with milliseconds."""
    updated_at: str
    """ISO 8601 time in UTC with milliseconds."""


class AffiliateTier(TypedDict):
    """A period in which an affiliate has a tier."""

    tier_id: str
    """ID of the tier."""
    name: str
    """Name."""
    campaign_id: str
    """ID of the campaign."""
    since: str
    """ISO 8601 time in UTC with milliseconds."""
    until: str | None
    """`null` if the affiliate has the tier now."""


class CommissionStatsCurrencies(TypedDict):
    currency: str
    """ISO 4217 currency code."""
    pending_cents: int
    """Amount that is not due yet."""
    due_cents: int
    """Amount that is due."""
    paid_cents: int
    """Paid commissions, including commissions voided after they were paid; the clawback is in `due_cents`."""
    voided_cents: int
    """Commissions voided before they were claimed or paid."""
    under_review_cents: int
    """Part of `pending_cents` and `due_cents` that is kept out of payouts until it is reviewed (`needs_review` of
    commissions).
    """
    gross_sales_cents: int
    """Amount charged to referred customers, before tax and refunds."""


class CommissionStats(TypedDict):
    """Referrals, sales, and commissions of an affiliate, per currency."""

    visitors: int
    """Referrals in any state, including expired referrals that were deleted."""
    leads: int
    """Referrals that became leads, including conversions."""
    conversions: int
    """Referrals that converted."""
    currencies: List[CommissionStatsCurrencies]
    """Amounts by currency."""


class PaymentOutlookMethods(TypedDict):
    kind: str
    """Kind of the entry."""
    hint: str
    """Part of the address by which its owner recognizes it."""


class PaymentOutlookInWords(TypedDict):
    """All of it in words, in each language, as the portal and emails say it."""

    en: str
    """The text in English."""
    de: str
    """The text in German."""


class PaymentOutlook(TypedDict):
    """The next payment to an affiliate in one currency, with what is in the way of it."""

    currency: str
    """ISO 4217 currency code."""
    amount_cents: int
    """Amount of the open payout; negative if more was refunded than earned."""
    payable_cents: int
    """Part of `amount_cents` that can be paid now: all or nothing."""
    payable_from: str | None
    """Time from which the open payout can be paid. Null if that does not depend on the time alone."""
    on_its_way_cents: int
    """Amount of payouts that are being paid."""
    pending_cents: int
    """Commissions that are not due yet."""
    next_due_at: str | None
    """Time at which the next of them falls due."""
    in_review_cents: int
    """Commissions that wait for a review."""
    methods: List[PaymentOutlookMethods]
    """The ways in which the affiliate can be paid."""
    obstacles: List[OutlookObstacle]
    """Reasons why the open payout is not paid; empty if there is none."""
    to_do: OutlookAct | None
    """The next act of a person. `enter_payout_details` and `accept_payment`: the affiliate; `pay_by_hand` and
    `review_affiliate`: the account.
    """
    in_words: PaymentOutlookInWords
    """All of it in words, in each language, as the portal and emails say it."""


class SharedPayoutAccount(TypedDict):
    """Another affiliate who is paid to the same account."""

    affiliate_id: str
    """ID of the affiliate."""
    affiliate_name: str
    """Name of the other affiliate, or the email address if there is no name."""
    kind: str
    """Kind of the payout method."""
    hint: str
    """Part of the address by which its owner recognizes it."""


class LeftBehind(TypedDict):
    """The links, codes and referrals that stay in the former campaign of an affiliate who has moved, and earn by
    its terms.
    """

    campaign_id: str
    """The former campaign."""
    links_count: int
    """Number of links that are not archived."""
    link_ids: List[str]
    """The first 20 of the links."""
    promo_codes_count: int
    """Number of promo codes that are tracked."""
    live_referrals_count: int
    """Number of referrals that can still earn."""
    message: str
    """The counts in words, and the way to take links and codes along."""


class Pagination(TypedDict):
    """Position of this page in the list."""

    previous_page: int | None
    """`null` on the first page and with a cursor."""
    current_page: NotRequired[int]
    """Omitted with a cursor."""
    next_page: int | None
    """`null` on the last page and with a cursor."""
    previous_cursor: str | None
    """Value of `ending_before` for the preceding page; `null` on the first page."""
    next_cursor: str | None
    """Value of `starting_after` for the following page; `null` on the last page."""
    count: int
    """Number of records on this page."""
    limit: int
    """Maximum number of records on a page."""
    total_pages: NotRequired[int]
    """Omitted with `include_total=false`."""
    total_count: NotRequired[int]
    """Number of records on all pages. Omitted with `include_total=false`."""


class PlainAffiliate(TypedDict):
    """An affiliate without expansions."""

    id: str
    """ID of the affiliate."""
    email: str
    """Email address, unique among affiliates that are not archived."""
    campaign_id: str
    """ID of the campaign."""
    first_name: str | None
    """First name."""
    last_name: str | None
    """Last name."""
    state: AffiliateState
    """State of the affiliate. `active` affiliates track visits and earn commissions. So do `suspicious` ones, but
    their commissions are flagged for review and their payouts are on hold; setting the affiliate to `active`
    releases both. Affiliates in any other state do neither.
    """
    walleta_email: str | None
    """PayPal email address for payouts."""
    walletb_email: str | None
    """Wise email address for payouts."""
    external_id: str | None
    """Your ID for the record."""
    metadata: Metadata
    psp_customer_id: str | None
    """ID of the Stripe customer with this email address."""
    payouts_held_until: str | None
    """No payout is eligible before this time, because the payout details have changed."""
    archived_at: str | None
    """ISO 8601 time in UTC with milliseconds."""
    erased_at: str | None
    """Time at which the personal data were erased; `null` if they were not."""
    livemode: bool
    """`false` for records of test mode."""
    created_at: str
    """ISO 8601 time in UTC with milliseconds."""
    updated_at: str
    """ISO 8601 time in UTC with milliseconds."""


class AffiliateTimelineEntries(TypedDict):
    at: str
    """ISO 8601 time in UTC with milliseconds."""
    kind: AffiliateTimelineKind
    amount_cents: int | None
    """Amount in the currency’s minor unit."""
    currency: str | None
    """ISO 4217 currency code."""


class AffiliateTimeline(TypedDict):
    """The milestones of an affiliate."""

    entries: List[AffiliateTimelineEntries]
    """Newest first."""


class AffiliatesBulkData(TypedDict):
    index: int
    """Position of the item in the request, starting at 0."""
    result: BulkResult
    """`updated`: the record exists and has the given fields now. `unchanged`: the record exists, with the same
    content. `failed`: nothing was changed; see `error`.
    """
    record: Affiliate | None
    """The record, as in the response of a single call; `null` if the item failed."""
    error: BulkError | None
    """`null` unless the item failed."""


class AffiliatesBulk(TypedDict):
    """The results of a bulk call."""

    data: List[AffiliatesBulkData]
    """A result for each item, in the order of the items."""
    succeeded_count: int
    """Number of items that did not fail."""
    failed_count: int
    """Number of items that failed."""


class BulkError(TypedDict):
    """Error of an item of a bulk call."""

    error: str
    """Human-readable message. Its wording may change."""
    code: str
    """Stable code for programs, as in the errors of single calls."""
    details: NotRequired[Any]
    """As in the errors of single calls."""


class PortalSignInLink(TypedDict):
    """A link that opens the portal of an affiliate."""

    url: str
    """URL that opens the affiliate’s portal once. Redirect the browser to the URL immediately, and do not store
    it.
    """
    expires_at: str
    """60 seconds after the link was created."""


class EmbedToken(TypedDict):
    """A token that shows the portal of an affiliate in your application."""

    token: str
    """Value for `data-token` of the loader script. Give it only to the page that this affiliate sees."""
    expires_at: str
    """One hour after the token was created."""


class PersonalData(TypedDict):
    """Everything that is stored about a person."""

    kind: PersonKind
    id: str
    """ID."""
    exported_at: str
    """ISO 8601 time in UTC with milliseconds."""
    records: Dict[str, List[Dict[str, Any]]]
    """All records about the person, by kind, with their stored fields."""


class ErasedKept(TypedDict):
    kind: PersonRole
    id: str
    """ID."""


class ErasedToReview(TypedDict):
    table: str
    """Kind of the record with the text."""
    id: str
    """ID."""
    field: str
    """Name of the field with the text."""


class Erased(TypedDict):
    """The erasure of a person’s data."""

    id: str
    """ID of the erased record, which stays with its amounts."""
    erased_at: str
    """Time of the erasure."""
    completed_at: str | None
    """Time at which all copies were erased, too: events, deliveries, the audit log. Null until then; it takes
    seconds to minutes.
    """
    kept: List[ErasedKept]
    """Other records of your account with the same email or payout address. They were not erased."""
    to_review: List[ErasedToReview]
    """Texts that may name the person, once the erasure is completed: with the name, which others may have, or with
    the address within a longer word. Decide about each of them. At most 100.
    """


class ApiKey(TypedDict):
    """An API key of the account. The secret is returned only on creation."""

    id: str
    """ID of the API key."""
    name: str
    """Name that you gave to the key."""
    prefix: str
    """First characters of the key, for identification."""
    permissions: Permissions
    livemode: bool | None
    """`true`: the key sees and makes only live records. `false`: only records of test mode. `null`: a key without
    a mode.
    """
    expires_at: str | None
    """ISO 8601 time in UTC with milliseconds."""
    last_used_at: str | None
    """Time of last use, to the minute."""
    revoked_at: str | None
    """ISO 8601 time in UTC with milliseconds."""
    created_at: str
    """ISO 8601 time in UTC with milliseconds."""
    updated_at: str
    """ISO 8601 time in UTC with milliseconds."""


class CreatedApiKey(TypedDict):
    id: str
    """ID of the API key."""
    name: str
    """Name that you gave to the key."""
    prefix: str
    """First characters of the key, for identification."""
    permissions: Permissions
    livemode: bool | None
    """`true`: the key sees and makes only live records. `false`: only records of test mode. `null`: a key without
    a mode.
    """
    expires_at: str | None
    """ISO 8601 time in UTC with milliseconds."""
    last_used_at: str | None
    """Time of last use, to the minute."""
    revoked_at: str | None
    """ISO 8601 time in UTC with milliseconds."""
    created_at: str
    """ISO 8601 time in UTC with milliseconds."""
    updated_at: str
    """ISO 8601 time in UTC with milliseconds."""
    api_key: str
    """The secret key. Returned only once."""


class RevokedApiKey(TypedDict):
    message: str
    """Explanation for people."""
    id: str
    """ID of the API key."""
    revoked_at: str
    """ISO 8601 time in UTC with milliseconds."""


class ApplicationAnswers(TypedDict):
    question: str
    """The question."""
    answer: str
    """Answer of the applicant."""


class Application(TypedDict):
    """The application of an affiliate to a campaign."""

    affiliate_id: str
    """ID of the affiliate."""
    email: str
    """Email address."""
    first_name: str | None
    """First name."""
    last_name: str | None
    """Last name."""
    campaign_id: str
    """ID of the campaign."""
    campaign_name: str
    """Name of the campaign."""
    state: AffiliateState
    """State of the affiliate."""
    answers: List[ApplicationAnswers]
    """Answers of the applicant."""
    note: str | None
    """The merchant’s note to the applicant."""
    applied_at: str
    """ISO 8601 time in UTC with milliseconds."""
    decided_at: str | None
    """Time of the decision; null if there is none."""
    updated_at: str
    """ISO 8601 time in UTC with milliseconds."""


class Asset(TypedDict):
    """A file that affiliates can download in their portal, e.g. a banner."""

    id: str
    """ID of the asset."""
    livemode: bool
    """`false` for records of test mode."""
    name: str
    """Name of the file."""
    description: str | None
    """Description."""
    content_type: str
    """Type of the file, detected from its bytes."""
    size_bytes: int
    """Size in bytes."""
    created_at: str
    """ISO 8601 time in UTC with milliseconds."""


class AssetFile(TypedDict):
    """An asset with the address of its content."""

    id: str
    """ID of the asset."""
    livemode: bool
    """`false` for records of test mode."""
    name: str
    """Name of the file."""
    description: str | None
    """Description."""
    content_type: str
    """Type of the file, detected from its bytes."""
    size_bytes: int
    """Size in bytes."""
    created_at: str
    """ISO 8601 time in UTC with milliseconds."""
    download_url: str
    """Address of the file. It needs no credentials, accepts ranges, and works for ten minutes."""


class CampaignDetail(TypedDict):
    """A campaign. On request, includes the numbers of the records that depend on it."""

    id: str
    """ID of the campaign."""
    name: str
    """Campaign name, shown to affiliates."""
    slug: str
    """Unique within the account. By default derived from the name."""
    url: str
    """Landing page of the campaign, also used for visitors of inactive links."""
    private: bool
    """`true` if affiliates can join by invitation only."""
    private_tokens: bool
    """`true` if generated link tokens are random instead of based on the affiliate’s name."""
    reward_type: RewardType
    """`percent`: percentage of the sale; `fixed`: fixed amount per sale."""
    commission_percent: float | None
    """Commission as a percentage of the sale, up to two decimals. For `reward_type` `percent`."""
    commission_amount_cents: int | None
    """Commission per sale, in the minor unit of its currency. For `reward_type` `fixed`."""
    commission_amount_currency: str | None
    """Currency of `commission_amount_cents`. Defaults to the account’s currency."""
    minimum_payout_cents: int
    """Minimum payout amount. Payouts below it are not eligible. Defaults to 0."""
    minimum_payout_currency: str
    """Currency of `minimum_payout_cents`. The minimum applies only to payouts in this currency."""
    max_commission_period_months: int | None
    """Calendar months, counted from a referral’s first commission, in which its sales earn commissions. `null` for
    no limit.
    """
    max_commissions: int | None
    """Maximum number of commissions per referral; `null` for no limit. Commissions of fully refunded sales do not
    count. A commission that you void no longer counts for sales charged afterwards.
    """
    days_before_referrals_expire: int
    """Attribution window: days a visitor has to convert. Defaults to 60."""
    days_until_commissions_are_due: int
    """Holding period: days from the charge until its commission is due. 0 for immediately. Defaults to 30."""
    affiliate_dashboard_text: str | None
    """Text for the affiliate dashboard."""
    custom_reward_description: str | None
    """Custom description of the reward."""
    welcome_text: str | None
    """Welcome text for new affiliates."""
    customers_visible_to_affiliates: bool
    """`true` if affiliates can see their customers. Defaults to `false`."""
    sale_description_visible_to_affiliates: bool
    """`true` if affiliates can see sale descriptions. Defaults to `true`."""
    attribution: Attribution
    """Which click earns if a visitor clicks several links before converting: the first click (`first_click`), or
    the latest click on a link of this campaign (`last_click`). Defaults to `first_click`.
    """
    parameter_type: ParameterType
    """Place of the token in links: the query string (`query`) or the URL fragment (`hash`). Defaults to `query`."""
    params: List[str]
    """Names of the URL parameters that carry the token of a link in addition to `via`, e.g. those of a former
    tool: `?ref=ada`. The tracking snippet of the account names them in `data-params`. Defaults to none.
    """
    psp_coupon_id: str | None
    """ID of the Stripe coupon used for this campaign’s affiliate coupons."""
    default: bool
    """`true` if affiliates created without a campaign join this one. At most one campaign is the default."""
    external_id: str | None
    """Your ID for the record."""
    metadata: Metadata
    archived_at: str | None
    """ISO 8601 time in UTC with milliseconds."""
    livemode: bool
    """`false` for records of test mode."""
    created_at: str
    """ISO 8601 time in UTC with milliseconds."""
    updated_at: str
    """ISO 8601 time in UTC with milliseconds."""
    usage: NotRequired[CampaignUsage | None]
    """Present if `expand` includes `usage`."""


class CampaignUsage(TypedDict):
    """Numbers of records that depend on a campaign and end when it is archived."""

    affiliates: int
    """Affiliates of the campaign that are not archived."""
    links: int
    """Links that are not archived."""
    promo_codes: int
    """Promo codes whose tracking was not stopped."""
    subscriptions: int
    """Customers who have bought and whose next sale would still earn a commission."""


class TimelineEntries(TypedDict):
    at: str
    """ISO 8601 time in UTC with milliseconds."""
    kind: TimelineKind
    record_id: str
    """ID of the referral, sale, commission, or payout of this entry."""
    amount_cents: int | None
    """Amount at the time of the entry, as long as its event is kept; later the current amount."""
    previous_amount_cents: int | None
    """The amount before a change, if the change was one of the amount."""
    currency: str | None
    """ISO 4217 currency code."""
    note: str | None
    """Reason or reference, if any."""
    actor: str | None
    """`visitor`, `stripe`, `report`, or the id of a user, API key, connector, run, or export; null if unknown."""
    actor_name: str | None
    """Name of the person, key or assistant who did it."""


class Timeline(TypedDict):
    """History of a record and of the records related to it."""

    entries: List[TimelineEntries]
    """Newest first. Of entries of one kind, the latest 50."""


class OverviewDuePayable(TypedDict):
    """Eligible payouts."""

    count: int
    """Number of records."""
    amount_cents: int
    """Amount in the currency’s minor unit."""


class OverviewDueWaiting(TypedDict):
    """Open payouts above zero that are not eligible: below minimum, on hold, or affiliate inactive, for example."""

    count: int
    """Number of records."""
    amount_cents: int
    """Amount in the currency’s minor unit."""


class OverviewDueObstacles(TypedDict):
    reason: IneligibleReason
    count: int
    """Number of records."""
    amount_cents: int
    """Amount in the currency’s minor unit."""


class OverviewDueDebts(TypedDict):
    """Open payouts below zero: more was taken back than earned. They are never netted against payouts of other
    affiliates.
    """

    count: int
    """Number of records."""
    amount_cents: int
    """Amount in the currency’s minor unit."""


class OverviewDueProcessing(TypedDict):
    """Payouts claimed by an export or a run."""

    count: int
    """Number of records."""
    amount_cents: int
    """Amount in the currency’s minor unit."""


class OverviewDueNotDueYet(TypedDict):
    """Pending commissions that do not wait for a review."""

    count: int
    """Number of records."""
    amount_cents: int
    """Amount in the currency’s minor unit."""


class OverviewDueUnderReview(TypedDict):
    """Flagged commissions that wait for a review. They are in no payout until they are approved."""

    count: int
    """Number of records."""
    amount_cents: int
    """Amount in the currency’s minor unit."""


class OverviewDue(TypedDict):
    currency: str
    """ISO 4217 currency code."""
    payable: OverviewDuePayable
    """Eligible payouts."""
    waiting: OverviewDueWaiting
    """Open payouts above zero that are not eligible: below minimum, on hold, or affiliate inactive, for example."""
    obstacles: List[OverviewDueObstacles]
    """The payouts of `waiting` by reason. A payout with several reasons is counted for each."""
    debts: OverviewDueDebts
    """Open payouts below zero: more was taken back than earned. They are never netted against payouts of other
    affiliates.
    """
    processing: OverviewDueProcessing
    """Payouts claimed by an export or a run."""
    not_due_yet: OverviewDueNotDueYet
    """Pending commissions that do not wait for a review."""
    under_review: OverviewDueUnderReview
    """Flagged commissions that wait for a review. They are in no payout until they are approved."""


class OverviewNeedsReviewCommissions(TypedDict):
    id: str
    """ID of the commission."""
    affiliate_id: str
    """ID of the affiliate."""
    amount_cents: int
    """Amount in the currency’s minor unit."""
    currency: str
    """ISO 4217 currency code."""
    created_at: str
    """ISO 8601 time in UTC with milliseconds."""


class OverviewNeedsReviewAffiliates(TypedDict):
    id: str
    """ID of the affiliate."""
    email: str
    """Email address."""
    state: AffiliateState
    created_at: str
    """ISO 8601 time in UTC with milliseconds."""


class OverviewNeedsReview(TypedDict):
    """Records that wait for a decision."""

    commissions_count: int
    """Number of commissions."""
    commissions: List[OverviewNeedsReviewCommissions]
    """Commissions that wait for a review; the ten oldest."""
    rewards_count: int
    """Paid bonuses, rewards for leads and milestones that facts contradict."""
    sales_count: int
    """Sales whose paid commission facts contradict, or whose refunds are in doubt."""
    affiliates: List[OverviewNeedsReviewAffiliates]
    """Pending and suspicious affiliates; the ten oldest."""


class OverviewAffiliates(TypedDict):
    """Number of affiliates in each state, excluding archived ones."""

    pending: int
    """Number of pending ones."""
    active: int
    """Number of active ones."""
    disabled: int
    """Number of disabled ones."""
    suspicious: int
    """Number of suspicious ones."""
    rejected: int
    """Number of rejected ones."""


class OverviewRecentActivity(TypedDict):
    id: str
    """ID of the event."""
    type: str
    """Type."""
    occurred_at: str
    """ISO 8601 time in UTC with milliseconds."""
    affiliate_name: str | None
    """Name or email address of the affiliate; null if unknown."""
    data: Dict[str, Any]
    """The records."""


class Overview(TypedDict):
    """Balances, records that need review, and recent activity."""

    as_of: str
    """ISO 8601 time in UTC with milliseconds."""
    due: List[OverviewDue]
    """Amounts owed to affiliates, per currency."""
    needs_review: OverviewNeedsReview
    """Records that wait for a decision."""
    affiliates: OverviewAffiliates
    """Number of affiliates in each state, excluding archived ones."""
    recent_activity: List[OverviewRecentActivity]
    """The ten most recent events, in webhook format."""


class FallingDueMonths(TypedDict):
    month: str
    """Month, e.g. `2026-12`."""
    currency: str
    """ISO 4217 currency code."""
    count: int
    """Number of records."""
    amount_cents: int
    """Amount in the currency’s minor unit."""


class FallingDue(TypedDict):
    """Pending commissions by the month in which they become due."""

    months: List[FallingDueMonths]
    """Pending live commissions by the month (UTC) in which they become due, e.g. `2026-12`."""


class PayableCurrenciesPayable(TypedDict):
    """Payouts that could be paid then."""

    count: int
    """Number of records."""
    amount_cents: int
    """Amount in the currency’s minor unit."""


class PayableCurrenciesFallingDue(TypedDict):
    """Commissions that become due until then. Included in the payouts."""

    count: int
    """Number of records."""
    amount_cents: int
    """Amount in the currency’s minor unit."""


class PayableCurrenciesUnderReview(TypedDict):
    """Flagged commissions. They are in no payout until they are approved."""

    count: int
    """Number of records."""
    amount_cents: int
    """Amount in the currency’s minor unit."""


class PayableCurrenciesObstacles(TypedDict):
    reason: IneligibleReason
    count: int
    """Number of records."""
    amount_cents: int
    """Amount in the currency’s minor unit."""


class PayableCurrencies(TypedDict):
    currency: str
    """ISO 4217 currency code."""
    payable: PayableCurrenciesPayable
    """Payouts that could be paid then."""
    falling_due: PayableCurrenciesFallingDue
    """Commissions that become due until then. Included in the payouts."""
    under_review: PayableCurrenciesUnderReview
    """Flagged commissions. They are in no payout until they are approved."""
    obstacles: List[PayableCurrenciesObstacles]
    """Payouts that could not be paid, by reason. A payout with several reasons is counted for each."""


class PayableLargest(TypedDict):
    affiliate_id: str
    """ID of the affiliate."""
    email: str
    """Email address."""
    currency: str
    """ISO 4217 currency code."""
    amount_cents: int
    """Amount in the currency’s minor unit."""
    ineligible_reasons: List[IneligibleReason]
    """Reasons why the payout cannot be paid now."""


class Payable(TypedDict):
    """Payouts that could be paid at a time, if nothing else happens until then."""

    at: str
    """ISO 8601 time in UTC with milliseconds."""
    currencies: List[PayableCurrencies]
    """Live payouts per currency, without those that an export or a run has claimed."""
    largest: List[PayableLargest]
    """The ten payouts with the largest amounts."""


class DailySeriesDaysCurrencies(TypedDict):
    currency: str
    """ISO 4217 currency code."""
    sales: int
    """Sales of affiliates."""
    sales_cents: int
    """Sales of affiliates charged on this day, net of tax and refunds to date. Sales that no affiliate brought are
    not included.
    """
    commissions_cents: int
    """Commissions in this currency on this day’s sales, net of voids and adjustments, and manual commissions
    created on this day.
    """
    payouts: int
    """Payouts marked paid on this day."""
    payouts_cents: int
    """Amount of the paid payouts."""


class DailySeriesDays(TypedDict):
    date: str
    """Day in the account’s time zone."""
    clicks: int
    """Number of clicks."""
    referrals: int
    """Referrals created on this day."""
    conversions: int
    """Referrals that converted on this day."""
    currencies: List[DailySeriesDaysCurrencies]
    """Currencies with sales, commissions, or payouts on this day."""


# Daily figures of a date range, in UTC.
DailySeries = TypedDict(
    "DailySeries",
    {
        "from": "str",
        "to": "str",
        "days": "List[DailySeriesDays]",
    },
)


class TopAffiliatesAffiliates(TypedDict):
    id: str
    """ID of the affiliate."""
    email: str
    """Email address."""
    first_name: str | None
    """First name."""
    last_name: str | None
    """Last name."""
    state: AffiliateState
    sales: int
    """Number of sales."""
    sales_cents: int
    """Sales charged in the range, net of tax and refunds to date."""
    previous_sales_cents: int
    """Sales in the same number of days before the range."""
    commissions_cents: int
    """Commissions on these sales in the same currency, net of voids and adjustments."""


# Affiliates with the highest sales in a date range, in one currency.
TopAffiliates = TypedDict(
    "TopAffiliates",
    {
        "from": "str",
        "to": "str",
        "currency": "str",
        "affiliates": "List[TopAffiliatesAffiliates]",
    },
)


class AnalyticsReportDataPrevious(TypedDict):
    """Present with `compare`."""

    clicks: int
    """Number of clicks."""
    unique_visitors: int
    """Unique visitors, counted per link and day (UTC)."""
    leads: int
    """Referrals created in the range that are now a lead or converted."""
    conversions: int
    """Referrals that converted in the range."""
    converted_visitors: int
    """Visitors who came in the range and have converted since. Codes bring no visitors."""
    sales: int
    """Sales of referrals, charged in the range."""
    charges_cents: int
    """Charges of these sales, tax included."""
    refunds_cents: int
    """Refunds of these sales, whenever they were made."""
    net_revenue_cents: int
    """Amount of these sales, without tax and refunds."""
    commissions_cents: int
    """Commissions of these sales, and commissions without a sale that were created in the range."""
    payouts_cents: int | None
    """Payouts paid in the range. Null if `group_by` or a filter is a dimension that payouts do not have."""
    conversion_rate: float | None
    """Share of the unique visitors who have converted since: `converted_visitors` divided by `unique_visitors`.
    Null without visitors.
    """
    earnings_per_click_cents: int | None
    """Commissions per click."""
    refund_rate: float | None
    """Refunds divided by charges."""
    average_order_cents: int | None
    """Net revenue per sale."""
    lifetime_value_cents: int | None
    """Net revenue per customer."""


class AnalyticsReportData(TypedDict):
    value: str | None
    """Day, first day of the week (Monday), first day of the month, ID, or text. Null for the totals and for
    records without a value.
    """
    clicks: int
    """Number of clicks."""
    unique_visitors: int
    """Unique visitors, counted per link and day (UTC)."""
    leads: int
    """Referrals created in the range that are now a lead or converted."""
    conversions: int
    """Referrals that converted in the range."""
    converted_visitors: int
    """Visitors who came in the range and have converted since. Codes bring no visitors."""
    sales: int
    """Sales of referrals, charged in the range."""
    charges_cents: int
    """Charges of these sales, tax included."""
    refunds_cents: int
    """Refunds of these sales, whenever they were made."""
    net_revenue_cents: int
    """Amount of these sales, without tax and refunds."""
    commissions_cents: int
    """Commissions of these sales, and commissions without a sale that were created in the range."""
    payouts_cents: int | None
    """Payouts paid in the range. Null if `group_by` or a filter is a dimension that payouts do not have."""
    conversion_rate: float | None
    """Share of the unique visitors who have converted since: `converted_visitors` divided by `unique_visitors`.
    Null without visitors.
    """
    earnings_per_click_cents: int | None
    """Commissions per click."""
    refund_rate: float | None
    """Refunds divided by charges."""
    average_order_cents: int | None
    """Net revenue per sale."""
    lifetime_value_cents: int | None
    """Net revenue per customer."""
    previous: NotRequired[AnalyticsReportDataPrevious]
    """Present with `compare`."""


class AnalyticsReport(TypedDict):
    """Metrics for a range of days, grouped by one dimension."""

    group_by: AnalyticsDimension | None
    """The requested dimension."""
    since: str
    """First day of the range."""
    until: str
    """Last day of the range."""
    time_zone: str
    """Time zone of the days."""
    currency: str
    """ISO 4217 currency code."""
    data: List[AnalyticsReportData]
    """One row for each value of the dimension."""
    csv: NotRequired[str]
    """Present with `format=csv`."""


class PromoCodeAssignment(TypedDict):
    """A Stripe promotion code, or a code of your own shop, assigned to one affiliate. An assignment does not prove
    that a sale was attributed or paid.
    """

    id: str | None
    """`null` in a preview of a new assignment."""
    affiliate_id: str
    """ID of the affiliate."""
    campaign_id: str
    """ID of the campaign."""
    psp_promotion_code_id: str | None
    """`null` in a preview of a new code, and for a code of your own shop."""
    psp_coupon_id: str | None
    """ID of the Stripe coupon that the code applies."""
    code: str
    """Code of the promotion, as customers enter it."""
    livemode: bool
    """`false` for records of test mode."""
    tracking_token: str | None
    """Opaque identifier kept for compatibility; not for display."""
    status: PromoCodeStatus
    """`active`: redeemable and tracked. `inactive`: not redeemable in Stripe. `stopped`: tracking has ended
    permanently.
    """
    observation: PromoCodeObservation | None
    """The code at the payment provider, when it was last read."""
    observed_at: str | None
    """`null` for a code of your own shop."""
    stopped_at: str | None
    """ISO 8601 time in UTC with milliseconds."""
    created_at: str | None
    """ISO 8601 time in UTC with milliseconds."""
    updated_at: str | None
    """ISO 8601 time in UTC with milliseconds."""


class PromoCodeMatch(TypedDict):
    """A Stripe promotion code whose code matches `q` exactly."""

    psp_promotion_code_id: str
    """ID of the promotion code at the payment provider."""
    livemode: bool
    """`false` for records of test mode."""
    observation: PromoCodeObservation
    assignment_id: str | None
    """ID of the assignment, if the code is assigned."""
    affiliate_id: str | None
    """Affiliate that the code is assigned to, if any."""
    status: PromoCodeStatus | None
    """Status of the record."""


class PspDiscount(TypedDict):
    """A Stripe coupon that can be redeemed now."""

    psp_coupon_id: str
    """ID of the coupon at the payment provider."""
    name: str | None
    """Name."""
    percent_off: float | None
    """Percentage that the discount takes off."""
    amount_off_cents: int | None
    """Amount that the discount takes off."""
    currency: str | None
    """ISO 4217 currency code of the amount; `null` for a percentage."""
    duration: str
    """`once`, `repeating` (for `duration_in_months`), or `forever`."""
    duration_in_months: int | None
    """Number of months for which the discount applies."""
    redeem_by: str | None
    """ISO 8601 time in UTC with milliseconds."""
    max_redemptions: int | None
    """Number of times that the code can be redeemed; `null` for no limit."""
    times_redeemed: int
    """Number of times that the code was redeemed."""
    livemode: bool
    """`false` for records of test mode."""


class PromoCodeOutcomeOperation(TypedDict):
    """The operation on the code."""

    id: str | None
    """ID of the operation that imported or created the code; otherwise `null`."""
    type: PromoCodeOperation
    state: PromoCodeOperationState


class PromoCodeOutcomeWarnings(TypedDict):
    code: str
    """Stable code of the warning, for programs."""
    message: str
    """Explanation for people."""


class PromoCodeOutcome(TypedDict):
    """Result of a promo code write, or its preview."""

    dry_run: bool
    """`true` if nothing was changed."""
    operation: PromoCodeOutcomeOperation
    """The operation on the code."""
    assignment: PromoCodeAssignment
    warnings: List[PromoCodeOutcomeWarnings]
    """Facts that may surprise you."""


class PromoCodesBulkData(TypedDict):
    index: int
    """Position of the item in the request, starting at 0."""
    result: BulkResult
    """`updated`: the record exists and has the given fields now. `unchanged`: the record exists, with the same
    content. `failed`: nothing was changed; see `error`.
    """
    record: PromoCodeAssignment | None
    """The record, as in the response of a single call; `null` if the item failed."""
    error: BulkError | None
    """`null` unless the item failed."""


class PromoCodesBulk(TypedDict):
    """The results of a bulk call."""

    data: List[PromoCodesBulkData]
    """A result for each item, in the order of the items."""
    succeeded_count: int
    """Number of items that did not fail."""
    failed_count: int
    """Number of items that failed."""


class Commission(TypedDict):
    """Amount that an affiliate earns from a sale, or that was entered by hand."""

    id: str
    """ID of the commission."""
    state: CommissionState
    """`pending`: not due yet; `due`: ready for payout; `paid`; or `voided`."""
    kind: CommissionKind
    """`sale`: earned from a sale; `bonus`: paid on top of it by a reward rule; `lead`: earned for a lead;
    `milestone`: earned for a number of customers or sales, or for revenue; `adjustment`: correction of a
    commission that was already claimed or paid; `manual`: created by hand; `imported`: decided by another tool,
    and changed only by refunds from after the import.
    """
    amount_cents: int
    """Amount in the minor unit of `currency`; negative for a clawback."""
    currency: str
    """ISO 4217 currency code."""
    livemode: bool
    """`false` for records of test mode."""
    due_at: str
    """Time at which the commission becomes due."""
    paid_at: str | None
    """Time at which the commission was marked paid."""
    voided_at: str | None
    """ISO 8601 time in UTC with milliseconds."""
    void_reason: str | None
    """Reason why the commission was voided."""
    review_status: ReviewStatus | None
    """`suspicious`: the commission is flagged and excluded from payouts until you approve it. `approved`: you
    approved it.
    """
    review_reason: ReviewReason | None
    """Reason why the commission was flagged automatically. `self_referral`: the customer uses an email address of
    the affiliate. `possible_duplicate`: both Stripe and you reported a sale of the same customer and amount
    (with or without tax) within 15 minutes. `tax_currency`: Stripe reported the tax in another currency than
    the charge, so the tax was ignored. `crowded_network`: a lead from a page connects the customer with the
    affiliate, and it was one of at least 20 within ten minutes from one network; the flag ends when you name
    the referral for the customer. `unproven_lead`: only a lead from a page, which anyone can send, connects the
    customer with the affiliate; the flag ends when your server, a checkout or a payment names the same
    referral. `unverified_address`: only an email address that somebody typed connects the sale with the
    affiliate, until you name the referral or the address; or the sale names another affiliate, and no ID of the
    customer. `suspicious_affiliate`: the affiliate was suspicious when the customer was charged; the flag ends
    when you set the affiliate to `active`. `unpaid_lead`: a reward for a lead who has not paid yet; the flag
    ends with the first payment or when the commission becomes due. `dispute`: the customer disputes the
    payment, and the dispute is open.
    """
    campaign_id: str
    """ID of the campaign."""
    affiliate_id: str
    """ID of the affiliate."""
    referral_id: str | None
    """`null` for manual commissions, milestones and their adjustments."""
    sale_id: str | None
    """`null` for manual commissions, leads, milestones and their adjustments."""
    rule_id: str | None
    """The reward rule that pays a bonus, a lead or a milestone; `null` for other kinds."""
    payout_id: str | None
    """ID of the payout."""
    adjusts_commission_id: str | None
    """Commission that this adjustment corrects; `null` for other kinds."""
    note: str | None
    """Purpose of a manual commission; `null` for other kinds."""
    created_by: str | None
    """ID of the user, API key, or connector that created a manual commission; `null` for other kinds."""
    external_id: str | None
    """Your ID for the record."""
    metadata: Metadata
    created_at: str
    """ISO 8601 time in UTC with milliseconds."""
    updated_at: str
    """ISO 8601 time in UTC with milliseconds."""
    campaign: NotRequired[Campaign | None]
    """Present if `expand` includes `campaign`."""
    sale: NotRequired[SaleOfRecord | None]
    """Present if `expand` includes `sale`."""
    affiliate: NotRequired[AffiliateOfRecord | None]
    """Present if `expand` includes `affiliate`."""
    lines: NotRequired[List[CommissionLine] | None]
    """Present if `expand` includes `lines`."""
    contested: NotRequired[ContestedReward | None]
    """Present if `expand` includes `contested`."""
    explanation: NotRequired[AmountExplanation | None]
    """Present if `expand` includes `explanation`."""


class SaleOfRecordReferral(TypedDict):
    """The referral."""

    id: str
    """ID of the referral."""
    conversion_state: str
    """`visitor`, `lead` (signed up), or `conversion` (paid)."""
    psp_customer_id: str | None
    """ID of the customer at the payment provider."""
    customer: Customer | None
    """The customer."""


class SaleOfRecordAffiliate(TypedDict):
    """The affiliate."""

    id: str
    """ID of the affiliate."""
    email: str
    """Email address."""
    first_name: str | None
    """First name."""
    last_name: str | None
    """Last name."""


class SaleOfRecord(TypedDict):
    """The sale of a record, on request with the customer who paid. The customer of its referral may be another
    one.
    """

    id: str
    """ID of the sale."""
    livemode: bool
    """`false` for records of test mode."""
    external_id: str | None
    """Your ID for the record."""
    metadata: Metadata
    psp_charge_id: str | None
    """ID of the charge at the payment provider."""
    psp_invoice_id: str | None
    """ID of the invoice at the payment provider."""
    psp_payment_intent_id: str | None
    """ID of the payment intent at the payment provider."""
    promo_code: str | None
    """Promo code with which the customer paid."""
    charge_amount_cents: int
    """Amount charged to the customer, including tax."""
    tax_amount_cents: int
    """Tax included in the charge."""
    refund_amount_cents: int
    """Total refunded to date."""
    sale_amount_cents: int
    """Charge minus tax, reduced by refunds in proportion to the charge; 0 after a full refund. Commissions are
    calculated from this amount.
    """
    currency: str
    """ISO 4217 currency code."""
    description: str | None
    """Description."""
    paid_outside: PaidOutside | None
    """Set if the invoice was marked as paid outside the payment provider. `counted`: the sale earns like any
    other. `excluded`: nobody earns from it, as the settings of the connection say.
    """
    charged_at: str
    """ISO 8601 time in UTC with milliseconds."""
    referral_id: str | None
    """ID of the referral."""
    affiliate_id: str | None
    """ID of the affiliate."""
    customer_id: str | None
    """ID of the customer."""
    referral: SaleOfRecordReferral | None
    """The referral."""
    affiliate: SaleOfRecordAffiliate | None
    """The affiliate."""
    created_at: str
    """ISO 8601 time in UTC with milliseconds."""
    updated_at: str
    """ISO 8601 time in UTC with milliseconds."""
    customer: NotRequired[Customer | None]
    """Present if `expand` includes `customer`."""


class AffiliateOfRecord(TypedDict):
    """The affiliate of a record, on request with the campaign."""

    id: str
    """ID of the affiliate."""
    email: str
    """Email address, unique among affiliates that are not archived."""
    campaign_id: str
    """ID of the campaign."""
    first_name: str | None
    """First name."""
    last_name: str | None
    """Last name."""
    state: AffiliateState
    """State of the affiliate. `active` affiliates track visits and earn commissions. So do `suspicious` ones, but
    their commissions are flagged for review and their payouts are on hold; setting the affiliate to `active`
    releases both. Affiliates in any other state do neither.
    """
    walleta_email: str | None
    """PayPal email address for payouts."""
    walletb_email: str | None
    """Wise email address for payouts."""
    external_id: str | None
    """Your ID for the record."""
    metadata: Metadata
    psp_customer_id: str | None
    """ID of the Stripe customer with this email address."""
    payouts_held_until: str | None
    """No payout is eligible before this time, because the payout details have changed."""
    archived_at: str | None
    """ISO 8601 time in UTC with milliseconds."""
    erased_at: str | None
    """Time at which the personal data were erased; `null` if they were not."""
    livemode: bool
    """`false` for records of test mode."""
    created_at: str
    """ISO 8601 time in UTC with milliseconds."""
    updated_at: str
    """ISO 8601 time in UTC with milliseconds."""
    campaign: NotRequired[Campaign | None]
    """Present if `expand` includes `campaign`."""


class CommissionLinePayFixed(TypedDict):
    """Fixed amount."""

    amount_cents: int
    """Amount in the currency’s minor unit."""
    currency: str
    """ISO 4217 currency code."""
    per: PayPer
    """`sale`: once per sale; `unit`: for each unit of the lines that the rule decides. Default: `"sale"`."""


class CommissionLinePay(TypedDict):
    """Payment of the rule when the sale was charged. Later changes of the rule have no effect."""

    percent: NotRequired[float]
    """Percentage of the lines that the rule decides."""
    fixed: NotRequired[CommissionLinePayFixed]
    """Fixed amount."""
    nothing: NotRequired[Literal[True]]
    """The lines that the rule decides earn nothing."""


class CommissionLine(TypedDict):
    """Earnings of a line of a sale."""

    product: str | None
    """`null` if the lines of the sale are not known."""
    price: str | None
    """Price of the line, e.g. its ID at the payment provider."""
    name: str | None
    """Name of what was sold, for people."""
    interval: PriceInterval | None
    """Billing interval of the price."""
    quantity: int
    """Number of units."""
    rule_id: str | None
    """The rule that decided; `null` for the base reward of the campaign."""
    rule_name: str | None
    """Name of the rule now."""
    rule_version: int | None
    """Version of the reward rule that applied."""
    pay: CommissionLinePay
    """Payment of the rule when the sale was charged. Later changes of the rule have no effect."""
    note: LineNote | None
    """`other_currency`: the line earns nothing, because it would earn in another currency than the commission.
    `cap_other_currency`: the cap of the rule is in another currency than its payment, so it does not count.
    """
    base_cents: int
    """Amount of the line without tax, after refunds."""
    amount_cents: int
    """Earnings of the line after refunds and adjustments."""
    explanation: str
    """Which rule decided, and how the amount is computed, in plain words."""


class ContestedReward(TypedDict):
    """The reward that the facts known now give instead of a paid one."""

    affiliate_id: str | None
    """Affiliate who would earn the reward for the lead. `null` if nobody would, or the same affiliate another
    amount.
    """
    amount_cents: int
    """Amount that would be earned, in the currency of the commission."""


class AmountExplanationInWords(TypedDict):
    """`text` in each language."""

    en: str
    """The text in English."""
    de: str
    """The text in German."""


class AmountExplanationStepsInWords(TypedDict):
    """`text` in each language."""

    en: str
    """The text in English."""
    de: str
    """The text in German."""


class AmountExplanationSteps(TypedDict):
    kind: ExplanationStep
    """`sale`: the amount of the sale that counts. `line`: a line of the sale, by its rule. `base_reward`: by the
    terms of the campaign. `rule`: a reward of a rule that no line of a sale earns. `commissions`: commissions
    of a kind in a payout. `difference`: caps, rounding, and changes after the amount was claimed or paid.
    `fee`: the part of the payout that is not sent, because the affiliate bears it as the fee. `screening`: the
    reason why the affiliate is not paid yet.
    """
    text: str
    """Text."""
    in_words: AmountExplanationStepsInWords
    """`text` in each language."""
    amount_cents: int | None
    """Part of the amount; `null` for a step that only explains. The parts add up to the amount."""


class AmountExplanation(TypedDict):
    """The steps by which an amount came about."""

    amount_cents: int
    """The explained amount."""
    currency: str
    """ISO 4217 currency code."""
    text: str
    """The explanation in plain English: all steps, one after the other."""
    in_words: AmountExplanationInWords
    """`text` in each language."""
    steps: List[AmountExplanationSteps]
    """Steps from what was sold to the amount."""


class CommissionsBulkData(TypedDict):
    index: int
    """Position of the item in the request, starting at 0."""
    result: BulkResult
    """`updated`: the record exists and has the given fields now. `unchanged`: the record exists, with the same
    content. `failed`: nothing was changed; see `error`.
    """
    record: Commission | None
    """The record, as in the response of a single call; `null` if the item failed."""
    error: BulkError | None
    """`null` unless the item failed."""


class CommissionsBulk(TypedDict):
    """The results of a bulk call."""

    data: List[CommissionsBulkData]
    """A result for each item, in the order of the items."""
    succeeded_count: int
    """Number of items that did not fail."""
    failed_count: int
    """Number of items that failed."""


class ListedCustomer(TypedDict):
    """A customer with its referral and affiliate."""

    id: str
    """ID of the customer."""
    email: str | None
    """Email address."""
    name: str | None
    """Name."""
    first_name: str | None
    """First name."""
    last_name: str | None
    """Last name."""
    psp_customer_id: str | None
    """ID of the customer at the payment provider."""
    external_id: str | None
    """Your ID for the record."""
    metadata: Metadata
    erased_at: str | None
    """Time at which the personal data were erased; `null` if they were not."""
    trial_until: str | None
    """End of the customer’s trial of a subscription; `null` if there is none."""
    livemode: bool
    """`false` for records of test mode."""
    created_at: str
    """ISO 8601 time in UTC with milliseconds."""
    updated_at: str
    """ISO 8601 time in UTC with milliseconds."""
    referral_id: str | None
    """Referral of the customer; null if there is none."""
    affiliate_id: str | None
    """Affiliate of the referral."""
    affiliate: NotRequired[AffiliateOfRecord | None]
    """Present if `expand` includes `affiliate`."""


class Referral(TypedDict):
    """A visitor referred by an affiliate, tracked until and after conversion."""

    id: str
    """ID of the referral."""
    affiliate_id: str
    """ID of the affiliate."""
    campaign_id: str
    """ID of the campaign."""
    link_id: str | None
    """ID of the link."""
    customer_id: str | None
    """ID of the customer."""
    conversion_state: ConversionState
    """`visitor`, `lead` (signed up), or `conversion` (paid)."""
    psp_customer_id: str | None
    """Stripe customer ID."""
    converted_at: str | None
    """ISO 8601 time in UTC with milliseconds."""
    expires_at: str | None
    """End of the attribution window. A referral that converts before this time keeps earning afterwards."""
    deactivated_at: str | None
    """ISO 8601 time in UTC with milliseconds."""
    external_id: str | None
    """Your ID for the record."""
    metadata: Metadata
    livemode: bool
    """`false` for records of test mode."""
    created_at: str
    """ISO 8601 time in UTC with milliseconds."""
    updated_at: str
    """ISO 8601 time in UTC with milliseconds."""
    link: NotRequired[Link | None]
    """Present if `expand` includes `link`."""
    customer: NotRequired[Customer | None]
    """Present if `expand` includes `customer`."""
    affiliate: NotRequired[AffiliateOfRecord | None]
    """Present if `expand` includes `affiliate`."""
    touches: NotRequired[List[Touch] | None]
    """Present if `expand` includes `touches`."""


class Touch(TypedDict):
    """A click that started this referral, or after which the visitor kept it."""

    at: str
    """Time of the visit."""
    link_id: str
    """Link that was clicked. With `first_click`, it may be another affiliate’s link."""
    affiliate_id: str
    """ID of the affiliate."""
    campaign_id: str
    """ID of the campaign."""
    rule: AppliedTouchRule
    """`new_visitor`: the click started the referral; `first_click`: the visitor kept the live referral that they
    had; `last_click`: the campaign uses the last click, so the click started a new referral in place of the
    former one; `former_not_live`: the visitor's former referral had expired, was deactivated, or could not
    earn.
    """
    is_unique: bool
    """First click of the visitor on this link and day (UTC)."""
    referrer_host: str | None
    """Host of the page from which the visitor came."""
    referrer_path: str | None
    """Path of the page from which the visitor came."""
    landing_path: str | None
    """Path of the page that the visitor opened."""
    utm_source: str | None
    """`utm_source` of the visit."""
    utm_medium: str | None
    """`utm_medium` of the visit."""
    utm_campaign: str | None
    """`utm_campaign` of the visit."""
    device: str | None
    """Kind of device of the visitor."""
    browser: str | None
    """Browser of the visitor."""
    os: str | None
    """Operating system of the visitor."""
    country: str | None
    """Country of the visitor."""


class LinksBulkData(TypedDict):
    index: int
    """Position of the item in the request, starting at 0."""
    result: BulkResult
    """`updated`: the record exists and has the given fields now. `unchanged`: the record exists, with the same
    content. `failed`: nothing was changed; see `error`.
    """
    record: Link | None
    """The record, as in the response of a single call; `null` if the item failed."""
    error: BulkError | None
    """`null` unless the item failed."""


class LinksBulk(TypedDict):
    """The results of a bulk call."""

    data: List[LinksBulkData]
    """A result for each item, in the order of the items."""
    succeeded_count: int
    """Number of items that did not fail."""
    failed_count: int
    """Number of items that failed."""


class Payout(TypedDict):
    """Commissions of one affiliate in one currency and mode that are paid together."""

    id: str
    """ID of the payout."""
    affiliate_id: str
    """ID of the affiliate."""
    state: PayoutState
    """`pending`: open but not eligible yet; `due`: open and eligible; `processing`: claimed by an export or a run;
    `paid`; `returned`: the transfer bounced, and the commissions are in another payout.
    """
    amount_cents: int
    """Sum of the commissions, in the minor unit of `currency`."""
    currency: str
    """ISO 4217 currency code."""
    livemode: bool
    """`false` for records of test mode."""
    commissions_count: int
    """Number of commissions."""
    eligible: bool
    """`true` if the payout can be exported or added to a run now."""
    ineligible_reasons: List[IneligibleReason]
    """Reasons why the payout is not eligible; empty once it is paid or returned. `on_hold`: the affiliate is
    suspicious. `details_changed`: the payout details have just changed. `moving_in`: your former tool pays
    until the account is no shadow any more. `screening`: the affiliate has not been cleared by the screening
    (`payout_screenings`). `below_minimum`: the amount is below the campaign’s minimum payout; applies only if
    both are in the same currency.
    """
    payment_reference: str | None
    """Your reference of the payment."""
    paid_at: str | None
    """ISO 8601 time in UTC with milliseconds."""
    returned_at: str | None
    """ISO 8601 time in UTC with milliseconds."""
    return_reason: str | None
    """Reason why the transfer was returned."""
    external_id: str | None
    """Your ID for the record."""
    metadata: Metadata
    created_at: str
    """ISO 8601 time in UTC with milliseconds."""
    updated_at: str
    """ISO 8601 time in UTC with milliseconds."""
    affiliate: NotRequired[AffiliateOfRecord | None]
    """Present if `expand` includes `affiliate`."""
    commissions: NotRequired[List[CommissionOfPayout] | None]
    """Present if `expand` includes `commissions`."""
    attempts: NotRequired[List[PayoutAttempt] | None]
    """Present if `expand` includes `attempts`."""
    shared_accounts: NotRequired[List[SharedPayoutAccount] | None]
    """Present if `expand` includes `shared_accounts`."""
    under_review: NotRequired[UnderReview | None]
    """Present if `expand` includes `under_review`."""
    explanation: NotRequired[AmountExplanation | None]
    """Present if `expand` includes `explanation`."""


class CommissionOfPayout(TypedDict):
    """A commission of a payout, on request with its campaign and sale."""

    id: str
    """ID of the commission."""
    state: CommissionState
    """`pending`: not due yet; `due`: ready for payout; `paid`; or `voided`."""
    kind: CommissionKind
    """`sale`: earned from a sale; `bonus`: paid on top of it by a reward rule; `lead`: earned for a lead;
    `milestone`: earned for a number of customers or sales, or for revenue; `adjustment`: correction of a
    commission that was already claimed or paid; `manual`: created by hand; `imported`: decided by another tool,
    and changed only by refunds from after the import.
    """
    amount_cents: int
    """Amount in the minor unit of `currency`; negative for a clawback."""
    currency: str
    """ISO 4217 currency code."""
    livemode: bool
    """`false` for records of test mode."""
    due_at: str
    """Time at which the commission becomes due."""
    paid_at: str | None
    """Time at which the commission was marked paid."""
    voided_at: str | None
    """ISO 8601 time in UTC with milliseconds."""
    void_reason: str | None
    """Reason why the commission was voided."""
    review_status: ReviewStatus | None
    """`suspicious`: the commission is flagged and excluded from payouts until you approve it. `approved`: you
    approved it.
    """
    review_reason: ReviewReason | None
    """Reason why the commission was flagged automatically. `self_referral`: the customer uses an email address of
    the affiliate. `possible_duplicate`: both Stripe and you reported a sale of the same customer and amount
    (with or without tax) within 15 minutes. `tax_currency`: Stripe reported the tax in another currency than
    the charge, so the tax was ignored. `crowded_network`: a lead from a page connects the customer with the
    affiliate, and it was one of at least 20 within ten minutes from one network; the flag ends when you name
    the referral for the customer. `unproven_lead`: only a lead from a page, which anyone can send, connects the
    customer with the affiliate; the flag ends when your server, a checkout or a payment names the same
    referral. `unverified_address`: only an email address that somebody typed connects the sale with the
    affiliate, until you name the referral or the address; or the sale names another affiliate, and no ID of the
    customer. `suspicious_affiliate`: the affiliate was suspicious when the customer was charged; the flag ends
    when you set the affiliate to `active`. `unpaid_lead`: a reward for a lead who has not paid yet; the flag
    ends with the first payment or when the commission becomes due. `dispute`: the customer disputes the
    payment, and the dispute is open.
    """
    campaign_id: str
    """ID of the campaign."""
    affiliate_id: str
    """ID of the affiliate."""
    referral_id: str | None
    """`null` for manual commissions, milestones and their adjustments."""
    sale_id: str | None
    """`null` for manual commissions, leads, milestones and their adjustments."""
    rule_id: str | None
    """The reward rule that pays a bonus, a lead or a milestone; `null` for other kinds."""
    payout_id: str | None
    """ID of the payout."""
    adjusts_commission_id: str | None
    """Commission that this adjustment corrects; `null` for other kinds."""
    note: str | None
    """Purpose of a manual commission; `null` for other kinds."""
    created_by: str | None
    """ID of the user, API key, or connector that created a manual commission; `null` for other kinds."""
    external_id: str | None
    """Your ID for the record."""
    metadata: Metadata
    created_at: str
    """ISO 8601 time in UTC with milliseconds."""
    updated_at: str
    """ISO 8601 time in UTC with milliseconds."""
    campaign: NotRequired[Campaign | None]
    """Present if `expand` includes `campaign`."""
    sale: NotRequired[Sale | None]
    """Present if `expand` includes `sale`."""


class PayoutAttempt(TypedDict):
    """One try to pay a payout. At most one attempt of a payout is unfinished or has arrived."""

    id: str
    """ID of the payout attempt."""
    payout_id: str
    """A payout that was merged into another one since no longer exists."""
    affiliate_id: str
    """ID of the affiliate."""
    batch_id: str | None
    """The export, the run or the batch that prepared the attempt. `null` for a payment by hand."""
    method: str
    """Kind of the method: `by_hand`, `csv`, `paypal`, `wise`."""
    state: PayoutAttemptState
    """`prepared` and `approved`: not sent yet; `sent`; `unknown`: no answer, so nothing else can pay the payout;
    `in_transit`; `unclaimed`: waits for the receiver; `arrived`; `returned`: the money came back; `failed`:
    refused, see `reason`; `withdrawn`: ended before it was sent.
    """
    reason: str | None
    """Reason for which the attempt failed, was withdrawn or came back. `screening`: it is not sent before the
    affiliate has been cleared (`payout_screenings`).
    """
    amount_cents: int
    """Amount of the payout, with the fee that the affiliate bears."""
    currency: str
    """ISO 4217 currency code."""
    livemode: bool
    """`false` for records of test mode."""
    raw_state: str | None
    """State in the words of the service that pays."""
    rail_id: str | None
    """The connected account through which the payment is sent. `null` if it is not sent yet, or a person pays."""
    provider_batch_id: str | None
    """ID of the batch of the payment at the service that pays."""
    provider_item_id: str | None
    """ID of the payment at the service that pays."""
    key_generation: int
    """Number of this try of the batch. A new try has a new key, and is made only after a certain failure."""
    cancel_requested_at: str | None
    """Time at which somebody asked to call the payment back. `null` once that is decided."""
    can_cancel: bool
    """`true` if `cancel` asks the service that pays to call the payment back."""
    receiver_name: str | None
    """Name of the receiver at the service that pays."""
    affiliate_fee_cents: int | None
    """Part of `amount_cents` that is not sent, because the affiliate bears it as the fee. `null`: the service that
    pays is still asked for it.
    """
    quoted_fee_cents: int | None
    """Fee that was expected when the payment was prepared, in the minor unit of `quoted_fee_currency`. `null`:
    unknown.
    """
    quoted_fee_currency: str | None
    """ISO 4217 currency code."""
    fee_cents: int | None
    """Fee of the payment, in the minor unit of `fee_currency`."""
    fee_currency: str | None
    """ISO 4217 currency code."""
    debited_cents: int | None
    """Amount that was taken from you, in the minor unit of `debited_currency`."""
    debited_currency: str | None
    """ISO 4217 currency code."""
    credited_cents: int | None
    """Amount that the receiver got, in the minor unit of `credited_currency`."""
    credited_currency: str | None
    """ISO 4217 currency code."""
    exchange_rate: str | None
    """Units of `credited_currency` for one unit of `debited_currency`, as a decimal number."""
    returned_cents: int | None
    """Amount that came back, in the minor unit of `currency`."""
    prepared_at: str | None
    """ISO 8601 time in UTC with milliseconds."""
    first_posted_at: str | None
    """Time at which the payment was first sent to the service that pays. The service may send it again, with the
    same key.
    """
    sent_at: str | None
    """ISO 8601 time in UTC with milliseconds."""
    arrived_at: str | None
    """ISO 8601 time in UTC with milliseconds."""
    returned_at: str | None
    """ISO 8601 time in UTC with milliseconds."""
    expires_at: str | None
    """Time at which an unclaimed payment comes back."""
    ended_at: str | None
    """Time at which the attempt failed or was withdrawn."""
    created_at: str
    """ISO 8601 time in UTC with milliseconds."""
    updated_at: str
    """ISO 8601 time in UTC with milliseconds."""


class UnderReview(TypedDict):
    """Unpaid commissions of the affiliate, in the currency and mode of an open payout, that are flagged for
    review. They join a payout once they are due and approved. `null` for a payout that is not open.
    """

    amount_cents: int
    """Amount in the currency’s minor unit."""
    commissions_count: int
    """Number of commissions."""


class ListedPayoutAttempt(TypedDict):
    """One try to pay a payout, on request with the affiliate."""

    id: str
    """ID of the payout attempt."""
    payout_id: str
    """A payout that was merged into another one since no longer exists."""
    affiliate_id: str
    """ID of the affiliate."""
    batch_id: str | None
    """The export, the run or the batch that prepared the attempt. `null` for a payment by hand."""
    method: str
    """Kind of the method: `by_hand`, `csv`, `paypal`, `wise`."""
    state: PayoutAttemptState
    """`prepared` and `approved`: not sent yet; `sent`; `unknown`: no answer, so nothing else can pay the payout;
    `in_transit`; `unclaimed`: waits for the receiver; `arrived`; `returned`: the money came back; `failed`:
    refused, see `reason`; `withdrawn`: ended before it was sent.
    """
    reason: str | None
    """Reason for which the attempt failed, was withdrawn or came back. `screening`: it is not sent before the
    affiliate has been cleared (`payout_screenings`).
    """
    amount_cents: int
    """Amount of the payout, with the fee that the affiliate bears."""
    currency: str
    """ISO 4217 currency code."""
    livemode: bool
    """`false` for records of test mode."""
    raw_state: str | None
    """State in the words of the service that pays."""
    rail_id: str | None
    """The connected account through which the payment is sent. `null` if it is not sent yet, or a person pays."""
    provider_batch_id: str | None
    """ID of the batch of the payment at the service that pays."""
    provider_item_id: str | None
    """ID of the payment at the service that pays."""
    key_generation: int
    """Number of this try of the batch. A new try has a new key, and is made only after a certain failure."""
    cancel_requested_at: str | None
    """Time at which somebody asked to call the payment back. `null` once that is decided."""
    can_cancel: bool
    """`true` if `cancel` asks the service that pays to call the payment back."""
    receiver_name: str | None
    """Name of the receiver at the service that pays."""
    affiliate_fee_cents: int | None
    """Part of `amount_cents` that is not sent, because the affiliate bears it as the fee. `null`: the service that
    pays is still asked for it.
    """
    quoted_fee_cents: int | None
    """Fee that was expected when the payment was prepared, in the minor unit of `quoted_fee_currency`. `null`:
    unknown.
    """
    quoted_fee_currency: str | None
    """ISO 4217 currency code."""
    fee_cents: int | None
    """Fee of the payment, in the minor unit of `fee_currency`."""
    fee_currency: str | None
    """ISO 4217 currency code."""
    debited_cents: int | None
    """Amount that was taken from you, in the minor unit of `debited_currency`."""
    debited_currency: str | None
    """ISO 4217 currency code."""
    credited_cents: int | None
    """Amount that the receiver got, in the minor unit of `credited_currency`."""
    credited_currency: str | None
    """ISO 4217 currency code."""
    exchange_rate: str | None
    """Units of `credited_currency` for one unit of `debited_currency`, as a decimal number."""
    returned_cents: int | None
    """Amount that came back, in the minor unit of `currency`."""
    prepared_at: str | None
    """ISO 8601 time in UTC with milliseconds."""
    first_posted_at: str | None
    """Time at which the payment was first sent to the service that pays. The service may send it again, with the
    same key.
    """
    sent_at: str | None
    """ISO 8601 time in UTC with milliseconds."""
    arrived_at: str | None
    """ISO 8601 time in UTC with milliseconds."""
    returned_at: str | None
    """ISO 8601 time in UTC with milliseconds."""
    expires_at: str | None
    """Time at which an unclaimed payment comes back."""
    ended_at: str | None
    """Time at which the attempt failed or was withdrawn."""
    created_at: str
    """ISO 8601 time in UTC with milliseconds."""
    updated_at: str
    """ISO 8601 time in UTC with milliseconds."""
    affiliate: NotRequired[AffiliateOfRecord | None]
    """Present if `expand` includes `affiliate`."""


class PreparedPayoutsTotals(TypedDict):
    currency: str
    """ISO 4217 currency code."""
    payouts_count: int
    """Number of payouts."""
    amount_cents: int
    """Amount in the currency’s minor unit."""


class PreparedPayoutsLeftOut(TypedDict):
    payout_id: str
    """ID of the payout."""
    affiliate_id: str
    """ID of the affiliate."""
    affiliate_name: str
    """Name of the affiliate, or the email address if there is no name."""
    code: PayoutObstacle
    message: str
    """Explanation for people."""


class PreparedPayouts(TypedDict):
    """Payouts that the service will pay."""

    batch_id: str
    """The attempts have this `batch_id`."""
    method: str
    """Kind of the method."""
    livemode: bool
    """`false` for records of test mode."""
    payouts_count: int
    """Number of payouts."""
    totals: List[PreparedPayoutsTotals]
    """Totals by currency."""
    waits_until: str | None
    """Time until which the payments wait, because of `allowed_hours` of the account. `null`: they are sent at
    once.
    """
    left_out_count: int
    """Number of payouts that do not fit into the format."""
    left_out: List[PreparedPayoutsLeftOut]
    """At most 100 of the eligible payouts that the method cannot pay."""


class ListedPayoutBatchTotals(TypedDict):
    currency: str
    """ISO 4217 currency code."""
    payouts_count: int
    """Number of payouts."""
    amount_cents: int
    """Amount in the currency’s minor unit."""
    unsent_cents: int
    """Prepared and not sent."""
    underway_cents: int
    """Sent and neither arrived nor ended."""
    arrived_cents: int
    """Arrived, and not returned."""
    ended_cents: int
    """Failed, withdrawn or returned."""


class ListedPayoutBatchFees(TypedDict):
    currency: str
    """ISO 4217 currency code."""
    quoted_cents: int
    """Expected."""
    charged_cents: int
    """Taken so far."""
    affiliate_cents: int
    """Borne by affiliates: not sent to them."""


class ListedPayoutBatch(TypedDict):
    """Payments that the service sends together, in a list."""

    id: str
    """ID of the payout batch."""
    state: PayoutBatchState
    """`prepared`: nothing is sent yet; `approved`: somebody else agreed; `paying`: payments are sent or under way;
    `paid`: all have arrived; `partly_paid`: some have not arrived and never will; `withdrawn`.
    """
    method: str
    """Kind of the method."""
    livemode: bool
    """`false` for records of test mode."""
    payouts_count: int
    """Number of payouts."""
    unknown_count: int
    """Number of payments without an answer."""
    totals: List[ListedPayoutBatchTotals]
    """Totals per currency."""
    fees: List[ListedPayoutBatchFees]
    """Fees per currency: expected when the payments were prepared, and taken so far."""
    unquoted_count: int
    """Number of payments whose fee was not known before."""
    items_hash: str | None
    """Hash of the payments with their amounts and receivers, while they are prepared. It is what an approval is
    for.
    """
    needs_approval: bool
    """`true` if somebody else has to approve the payments before they are sent."""
    waits_until: str | None
    """Time until which payments that may be sent wait, because of `allowed_hours` of the account. `null`: none
    waits for that.
    """
    waits_for: PayoutBatchStop | None
    """Reason why payments that may be sent wait: a switch of the account (`payouts_stopped`, `paused` of
    `payout_terms`), its `allowed_hours`, or the account at the service that pays, which has refused to pay
    (`rail_stopped`, see `problem` of the rail) or is not connected (`rail_missing`). `screening`: some
    affiliates have not been cleared (`payout_screenings`). `null`: none waits.
    """
    prepared_by: str
    """ID of the caller."""
    approved_by: str | None
    """ID of the person who approved the payments. `null` again when the payments have changed."""
    approved_at: str | None
    """ISO 8601 time in UTC with milliseconds."""
    started_at: str | None
    """Time from which the payments may be sent."""
    withdrawn_at: str | None
    """Time at which the payments were withdrawn before they were sent."""
    created_at: str
    """ISO 8601 time in UTC with milliseconds."""
    updated_at: str
    """ISO 8601 time in UTC with milliseconds."""


class CreatedPayoutBatchTotals(TypedDict):
    currency: str
    """ISO 4217 currency code."""
    payouts_count: int
    """Number of payouts."""
    amount_cents: int
    """Amount in the currency’s minor unit."""
    unsent_cents: int
    """Prepared and not sent."""
    underway_cents: int
    """Sent and neither arrived nor ended."""
    arrived_cents: int
    """Arrived, and not returned."""
    ended_cents: int
    """Failed, withdrawn or returned."""


class CreatedPayoutBatchFees(TypedDict):
    currency: str
    """ISO 4217 currency code."""
    quoted_cents: int
    """Expected."""
    charged_cents: int
    """Taken so far."""
    affiliate_cents: int
    """Borne by affiliates: not sent to them."""


class CreatedPayoutBatchFunds(TypedDict):
    currency: str
    """ISO 4217 currency code."""
    needed_cents: int
    """The payments, with the fees that are known before and that you bear."""
    unquoted_count: int
    """Number of payments whose fee is not known before, and is taken besides."""
    available_cents: int | None
    """Balance at the service that pays. `null`: it does not say."""


class CreatedPayoutBatchLeftOut(TypedDict):
    payout_id: str
    """ID of the payout."""
    affiliate_id: str
    """ID of the affiliate."""
    affiliate_name: str
    """Name of the affiliate, or the email address if there is no name."""
    code: PayoutObstacle
    message: str
    """Explanation for people."""


class CreatedPayoutBatch(TypedDict):
    """New payments, which are not sent yet."""

    id: str
    """ID of the payout batch."""
    state: PayoutBatchState
    """`prepared`: nothing is sent yet; `approved`: somebody else agreed; `paying`: payments are sent or under way;
    `paid`: all have arrived; `partly_paid`: some have not arrived and never will; `withdrawn`.
    """
    method: str
    """Kind of the method."""
    livemode: bool
    """`false` for records of test mode."""
    payouts_count: int
    """Number of payouts."""
    unknown_count: int
    """Number of payments without an answer."""
    totals: List[CreatedPayoutBatchTotals]
    """Totals per currency."""
    fees: List[CreatedPayoutBatchFees]
    """Fees per currency: expected when the payments were prepared, and taken so far."""
    unquoted_count: int
    """Number of payments whose fee was not known before."""
    items_hash: str | None
    """Hash of the payments with their amounts and receivers, while they are prepared. It is what an approval is
    for.
    """
    needs_approval: bool
    """`true` if somebody else has to approve the payments before they are sent."""
    waits_until: str | None
    """Time until which payments that may be sent wait, because of `allowed_hours` of the account. `null`: none
    waits for that.
    """
    waits_for: PayoutBatchStop | None
    """Reason why payments that may be sent wait: a switch of the account (`payouts_stopped`, `paused` of
    `payout_terms`), its `allowed_hours`, or the account at the service that pays, which has refused to pay
    (`rail_stopped`, see `problem` of the rail) or is not connected (`rail_missing`). `screening`: some
    affiliates have not been cleared (`payout_screenings`). `null`: none waits.
    """
    prepared_by: str
    """ID of the caller."""
    approved_by: str | None
    """ID of the person who approved the payments. `null` again when the payments have changed."""
    approved_at: str | None
    """ISO 8601 time in UTC with milliseconds."""
    started_at: str | None
    """Time from which the payments may be sent."""
    withdrawn_at: str | None
    """Time at which the payments were withdrawn before they were sent."""
    created_at: str
    """ISO 8601 time in UTC with milliseconds."""
    updated_at: str
    """ISO 8601 time in UTC with milliseconds."""
    attempts: NotRequired[List[PayoutAttempt] | None]
    """Present if `expand` includes `attempts`."""
    funds: List[CreatedPayoutBatchFunds]
    """Needs of the payments against your balance at the service that pays, per currency."""
    left_out_count: int
    """Number of payouts that do not fit into the format."""
    left_out: List[CreatedPayoutBatchLeftOut]
    """At most 100 of the eligible payouts that the method cannot pay."""


class PayoutBatchTotals(TypedDict):
    currency: str
    """ISO 4217 currency code."""
    payouts_count: int
    """Number of payouts."""
    amount_cents: int
    """Amount in the currency’s minor unit."""
    unsent_cents: int
    """Prepared and not sent."""
    underway_cents: int
    """Sent and neither arrived nor ended."""
    arrived_cents: int
    """Arrived, and not returned."""
    ended_cents: int
    """Failed, withdrawn or returned."""


class PayoutBatchFees(TypedDict):
    currency: str
    """ISO 4217 currency code."""
    quoted_cents: int
    """Expected."""
    charged_cents: int
    """Taken so far."""
    affiliate_cents: int
    """Borne by affiliates: not sent to them."""


class PayoutBatch(TypedDict):
    """Payments that the service sends together."""

    id: str
    """ID of the payout batch."""
    state: PayoutBatchState
    """`prepared`: nothing is sent yet; `approved`: somebody else agreed; `paying`: payments are sent or under way;
    `paid`: all have arrived; `partly_paid`: some have not arrived and never will; `withdrawn`.
    """
    method: str
    """Kind of the method."""
    livemode: bool
    """`false` for records of test mode."""
    payouts_count: int
    """Number of payouts."""
    unknown_count: int
    """Number of payments without an answer."""
    totals: List[PayoutBatchTotals]
    """Totals per currency."""
    fees: List[PayoutBatchFees]
    """Fees per currency: expected when the payments were prepared, and taken so far."""
    unquoted_count: int
    """Number of payments whose fee was not known before."""
    items_hash: str | None
    """Hash of the payments with their amounts and receivers, while they are prepared. It is what an approval is
    for.
    """
    needs_approval: bool
    """`true` if somebody else has to approve the payments before they are sent."""
    waits_until: str | None
    """Time until which payments that may be sent wait, because of `allowed_hours` of the account. `null`: none
    waits for that.
    """
    waits_for: PayoutBatchStop | None
    """Reason why payments that may be sent wait: a switch of the account (`payouts_stopped`, `paused` of
    `payout_terms`), its `allowed_hours`, or the account at the service that pays, which has refused to pay
    (`rail_stopped`, see `problem` of the rail) or is not connected (`rail_missing`). `screening`: some
    affiliates have not been cleared (`payout_screenings`). `null`: none waits.
    """
    prepared_by: str
    """ID of the caller."""
    approved_by: str | None
    """ID of the person who approved the payments. `null` again when the payments have changed."""
    approved_at: str | None
    """ISO 8601 time in UTC with milliseconds."""
    started_at: str | None
    """Time from which the payments may be sent."""
    withdrawn_at: str | None
    """Time at which the payments were withdrawn before they were sent."""
    created_at: str
    """ISO 8601 time in UTC with milliseconds."""
    updated_at: str
    """ISO 8601 time in UTC with milliseconds."""
    attempts: NotRequired[List[PayoutAttempt] | None]
    """Present if `expand` includes `attempts`."""


class PayoutMethod(TypedDict):
    """A way in which an affiliate is paid. An affiliate has at most one method of a kind."""

    id: str
    """ID of the payout method."""
    affiliate_id: str
    """ID of the affiliate."""
    kind: str
    """Kind of the method, e.g. `paypal` or `wise`."""
    state: PayoutMethodState
    """`confirmed`: payouts can be paid to it; `held`: the payout details have just changed, and payouts wait until
    `payouts_held_until`; `retired`: it was removed.
    """
    hint: str
    """Part of the address by which its owner recognizes it. The address itself is never shown."""
    since: str
    """Time of the last change of the address."""
    retired_at: str | None
    """ISO 8601 time in UTC with milliseconds."""
    livemode: bool
    """`false` for records of test mode."""
    created_at: str
    """ISO 8601 time in UTC with milliseconds."""
    updated_at: str
    """ISO 8601 time in UTC with milliseconds."""


class PayoutMethodKindName(TypedDict):
    """Name of the addresses, for people."""

    en: str
    """The text in English."""
    de: str
    """The text in German."""


class PayoutMethodKindFees(TypedDict):
    currency: str
    """ISO 4217 currency code."""
    amount_cents: int
    """Amount in the currency’s minor unit."""


class PayoutMethodKindMinimums(TypedDict):
    currency: str
    """ISO 4217 currency code."""
    amount_cents: int
    """Amount in the currency’s minor unit."""


class PayoutMethodKindTermsInWords(TypedDict):
    """Minimum and fee of payments in words, and whether they are paused. Empty if there is nothing to say."""

    en: str
    """The text in English."""
    de: str
    """The text in German."""


class PayoutMethodKind(TypedDict):
    """A kind of payout method, with the form of its addresses."""

    kind: str
    """Kind of the method, e.g. `paypal` or `wise`."""
    name: PayoutMethodKindName
    """Name of the addresses, for people."""
    paid_by: str | None
    """Kind that pays to these addresses and has the terms, if these are another form of its addresses."""
    opens_account: bool
    """`true` if `open_account` opens accounts of this kind."""
    fields: List[PayoutAddressField]
    """The parts of an `address`."""
    fee_bearer: FeeBearer
    """`affiliate`: the fee of a payment is taken from the amount that is sent. `merchant`: it is paid besides."""
    fees: List[PayoutMethodKindFees]
    """Fee of a payment that an affiliate bears. In other currencies, it is the fee that the service quotes before;
    without a quote, you bear it.
    """
    minimums: List[PayoutMethodKindMinimums]
    """Smallest payouts that are paid by the method. No minimum in other currencies."""
    paused: bool
    """`true`: nothing new is prepared or sent by the method. Payments that the service which pays has are followed
    to their end.
    """
    terms_in_words: PayoutMethodKindTermsInWords
    """Minimum and fee of payments in words, and whether they are paused. Empty if there is nothing to say."""


class PayoutAddressField(TypedDict):
    name: str
    """Name."""
    required: bool
    """`true` if the answer is required."""
    values: List[str] | None
    """The only values that are taken. Null if there is no such list."""


class OpenedPayoutAccount(TypedDict):
    """An account of an affiliate at a service that pays."""

    url: str
    """Page of the service where the affiliate enters what it asks for. For the affiliate only, and for a short
    time.
    """
    expires_at: str | None
    """Time at which `url` ends. Ask for another one then."""
    payout_method: PayoutMethod


class PayoutScreeningLists(TypedDict):
    list: str
    """`ofac`: United States; `un`: United Nations; `uk`: United Kingdom; `eu`: European Union."""
    list_date: str
    """Day of the version of the list."""


class PayoutScreeningMatches(TypedDict):
    list: str
    """`ofac`: United States; `un`: United Nations; `uk`: United Kingdom; `eu`: European Union."""
    entry: str
    """Reference of the entry in the list."""
    name: str
    """Name in the list."""
    born: str | None
    """Days or years of birth, as the list has them."""


class PayoutScreening(TypedDict):
    """A comparison of an affiliate with lists of people and companies that nobody may pay."""

    id: str
    """ID of the payout screening."""
    affiliate_id: str
    """ID of the affiliate."""
    livemode: bool
    """`false` for records of test mode."""
    names: List[str]
    """The names that were compared: that of the affiliate, and those of the holders of accounts. Empty if there is
    none, and once they are erased.
    """
    result: ScreeningResult
    """`clear`: no name is alike; `hit`: names of `matches` are alike; `unavailable`: there is no name to compare,
    no list is loaded, or a list is too old.
    """
    held: bool
    """`true` if the affiliate is not paid because of the result."""
    current: bool
    """`false` for a former screening, e.g. of a former name."""
    lists: List[PayoutScreeningLists]
    """The lists, in the versions with which the names were compared."""
    matches: List[PayoutScreeningMatches]
    """At most 20."""
    screened_at: str
    """Time of the last comparison with this outcome."""
    released_at: str | None
    """Time at which a person released the hit. It stays released for these names, payout methods and entries."""
    released_by: str | None
    """ID of the person."""
    release_reason: str | None
    """Reason that the person gave."""
    created_at: str
    """ISO 8601 time in UTC with milliseconds."""
    updated_at: str
    """ISO 8601 time in UTC with milliseconds."""


class PayoutExportTotals(TypedDict):
    currency: str
    """ISO 4217 currency code."""
    payouts_count: int
    """Number of payouts."""
    amount_cents: int
    """Amount in the currency’s minor unit."""


class PayoutExport(TypedDict):
    """A set of payouts exported to a file, to be paid outside the service."""

    id: str
    """ID of the payout export."""
    state: PayoutExportState
    """`processing`: the export holds its payouts until it is paid or deleted; `paying`: the payouts of a large
    export are being marked as paid, see `paid_count`; `paid`; `released`: the export was deleted, and its
    payouts were released.
    """
    export_format: ExportFormat
    """`csv`: spreadsheet with every field; `walleta`: PayPal Payouts upload; `walletb`: Wise batch payment by
    email; `bank_sepa`: bank file in euros (pain.001); `bank_ach`: in US dollars (NACHA).
    """
    livemode: bool
    """`false` for records of test mode."""
    notes: str | None
    """Your notes."""
    payouts_count: int
    """Number of payouts."""
    totals: List[PayoutExportTotals]
    """Totals by currency."""
    payment_reference: str | None
    """Your reference of the payment."""
    paid_at: str | None
    """ISO 8601 time in UTC with milliseconds."""
    paid_count: int
    """Number of payouts paid so far."""
    returned_count: int
    """Number of payouts that were paid and then returned."""
    released_at: str | None
    """ISO 8601 time in UTC with milliseconds."""
    needs_approval: bool
    """`true` if somebody else has to approve the export before its file can be read."""
    items_hash: str | None
    """Hash of the payouts with their amounts and receivers, while they need an approval. It is what the approval
    is for.
    """
    approved_by: str | None
    """ID of the person who approved the export."""
    approved_at: str | None
    """ISO 8601 time in UTC with milliseconds."""
    created_at: str
    """ISO 8601 time in UTC with milliseconds."""
    updated_at: str
    """ISO 8601 time in UTC with milliseconds."""


class CreatedPayoutExportTotals(TypedDict):
    currency: str
    """ISO 4217 currency code."""
    payouts_count: int
    """Number of payouts."""
    amount_cents: int
    """Amount in the currency’s minor unit."""


class CreatedPayoutExport(TypedDict):
    """A new payout export."""

    id: str
    """ID of the payout export."""
    state: PayoutExportState
    """`processing`: the export holds its payouts until it is paid or deleted; `paying`: the payouts of a large
    export are being marked as paid, see `paid_count`; `paid`; `released`: the export was deleted, and its
    payouts were released.
    """
    export_format: ExportFormat
    """`csv`: spreadsheet with every field; `walleta`: PayPal Payouts upload; `walletb`: Wise batch payment by
    email; `bank_sepa`: bank file in euros (pain.001); `bank_ach`: in US dollars (NACHA).
    """
    livemode: bool
    """`false` for records of test mode."""
    notes: str | None
    """Your notes."""
    payouts_count: int
    """Number of payouts."""
    totals: List[CreatedPayoutExportTotals]
    """Totals by currency."""
    payment_reference: str | None
    """Your reference of the payment."""
    paid_at: str | None
    """ISO 8601 time in UTC with milliseconds."""
    paid_count: int
    """Number of payouts paid so far."""
    returned_count: int
    """Number of payouts that were paid and then returned."""
    released_at: str | None
    """ISO 8601 time in UTC with milliseconds."""
    needs_approval: bool
    """`true` if somebody else has to approve the export before its file can be read."""
    items_hash: str | None
    """Hash of the payouts with their amounts and receivers, while they need an approval. It is what the approval
    is for.
    """
    approved_by: str | None
    """ID of the person who approved the export."""
    approved_at: str | None
    """ISO 8601 time in UTC with milliseconds."""
    created_at: str
    """ISO 8601 time in UTC with milliseconds."""
    updated_at: str
    """ISO 8601 time in UTC with milliseconds."""
    left_out: NotRequired[List[PayoutLeftOut]]
    """With `leave_out_unpayable`: at most 100 of the payouts that were left out."""


class PayoutLeftOut(TypedDict):
    """A payout that a file of a format cannot pay, with the first reason."""

    payout_id: str
    """ID of the payout."""
    affiliate_id: str
    """ID of the affiliate."""
    affiliate_name: str
    """Name of the affiliate, or the email address if there is no name."""
    code: ExportObstacle
    """`method_paused`: the account has paused the method (`payout_terms`); `missing_wallet_address`: the affiliate
    has no address for this format; `unsafe_wallet_address`: the address starts like a spreadsheet formula;
    `mixed_currencies`: the file pays another currency; `fractional_amount`: the method pays the currency in
    whole units only; `unsupported_currency`: the format does not pay the currency; `unsupported_amount`: the
    amount is too large for the format; `below_minimum` and `fee_exceeds_amount`: the amount is below the
    minimum of the method, or not above its fee; `too_many_rows`: the file is full.
    """
    message: str
    """Explanation for people."""


class PayoutExportCheckFormatsTotals(TypedDict):
    currency: str
    """ISO 4217 currency code."""
    payouts_count: int
    """Number of payouts."""
    amount_cents: int
    """Amount in the currency’s minor unit."""


class PayoutExportCheckFormats(TypedDict):
    export_format: ExportFormat
    """`csv`: spreadsheet with every field; `walleta`: PayPal Payouts upload; `walletb`: Wise batch payment by
    email; `bank_sepa`: bank file in euros (pain.001); `bank_ach`: in US dollars (NACHA).
    """
    payouts_count: int
    """Number of payouts that a file of this format can pay."""
    totals: List[PayoutExportCheckFormatsTotals]
    """Totals by currency."""
    left_out_count: int
    """Number of payouts that do not fit into the format."""
    left_out: List[PayoutLeftOut]
    """At most 100 of the payouts that the file cannot pay."""


class PayoutExportCheck(TypedDict):
    """Contents of an export that is not created, by format."""

    formats: List[PayoutExportCheckFormats]
    """Results by format."""


class PayoutExportFileTotals(TypedDict):
    currency: str
    """ISO 4217 currency code."""
    payouts_count: int
    """Number of payouts."""
    amount_cents: int
    """Amount in the currency’s minor unit."""


class PayoutExportFile(TypedDict):
    """A payout export with its file."""

    id: str
    """ID of the payout export."""
    state: PayoutExportState
    """`processing`: the export holds its payouts until it is paid or deleted; `paying`: the payouts of a large
    export are being marked as paid, see `paid_count`; `paid`; `released`: the export was deleted, and its
    payouts were released.
    """
    export_format: ExportFormat
    """`csv`: spreadsheet with every field; `walleta`: PayPal Payouts upload; `walletb`: Wise batch payment by
    email; `bank_sepa`: bank file in euros (pain.001); `bank_ach`: in US dollars (NACHA).
    """
    livemode: bool
    """`false` for records of test mode."""
    notes: str | None
    """Your notes."""
    payouts_count: int
    """Number of payouts."""
    totals: List[PayoutExportFileTotals]
    """Totals by currency."""
    payment_reference: str | None
    """Your reference of the payment."""
    paid_at: str | None
    """ISO 8601 time in UTC with milliseconds."""
    paid_count: int
    """Number of payouts paid so far."""
    returned_count: int
    """Number of payouts that were paid and then returned."""
    released_at: str | None
    """ISO 8601 time in UTC with milliseconds."""
    needs_approval: bool
    """`true` if somebody else has to approve the export before its file can be read."""
    items_hash: str | None
    """Hash of the payouts with their amounts and receivers, while they need an approval. It is what the approval
    is for.
    """
    approved_by: str | None
    """ID of the person who approved the export."""
    approved_at: str | None
    """ISO 8601 time in UTC with milliseconds."""
    created_at: str
    """ISO 8601 time in UTC with milliseconds."""
    updated_at: str
    """ISO 8601 time in UTC with milliseconds."""
    filename: str
    """Name of the file."""
    content: str
    """File content, fixed when the export is created. Empty while the export needs an approval."""


class PayoutExportReport(TypedDict):
    """The effect of a report of a bank on the payouts of an export."""

    payout_export: PayoutExport
    booked_count: int
    """Number of payouts that the report has marked as paid."""
    rejected_count: int
    """Number of payouts that were not paid and are open again."""
    returned_count: int
    """Number of payouts whose money has come back."""
    unchanged_count: int
    """Number of payouts about which the report says nothing new."""
    other_count: int
    """Number of statements about payments of other files."""
    problems: List[BankReportProblem]
    """At most 100."""


class BankReportProblem(TypedDict):
    """A statement of a bank that a person has to look at."""

    payout_id: str | None
    """Null for a problem of the whole file."""
    code: BankReportProblemCode
    """`amount_mismatch`: the bank has booked another amount, so the payout stays claimed; `sum_mismatch`: the bank
    has booked the file as a whole with another sum or number of payments; `arrived_after_all`: the bank has
    booked a payment that was given up here, and may have been paid again.
    """


class PayoutRunSummaryTotals(TypedDict):
    currency: str
    """ISO 4217 currency code."""
    items_count: int
    """Number of items."""
    amount_cents: int
    """Total of all items."""
    planned_cents: int
    """Amount of the items that are not executed yet."""
    paid_cents: int
    """Amount that was paid."""
    returned_cents: int
    """Amount of the payouts that were returned."""
    failed_cents: int
    """Amount of the failed items."""
    excluded_cents: int
    """Amount of the excluded items."""
    canceled_cents: int
    """Amount of the canceled items."""


class PayoutRunSummaryIssues(TypedDict):
    code: PayoutRunIssue
    """`missing_payout_details`: the affiliate has neither a PayPal (`walleta_email`) nor a Wise email address
    (`walletb_email`). `affiliate_inactive`: the affiliate is not active or is archived.
    """
    items_count: int
    """Number of items."""


class PayoutRunSummary(TypedDict):
    """A payout run without its items."""

    id: str
    """ID of the payout run."""
    state: PayoutRunState
    """`planned`; `executing`; `completed`: no failed items remain; `partially_completed`: some items failed, see
    `issues`; `canceled`.
    """
    idempotency_key: str
    """Key that was sent when the run was created."""
    livemode: bool
    """`false` for records of test mode."""
    affiliate_ids: List[str] | None
    """Affiliates that the run is limited to; `null` for all."""
    payment_reference: str | None
    """Your reference of the payment."""
    items_total: int
    """Number of items of the run."""
    items_done: int
    """Number of items that are paid, failed, excluded, or canceled."""
    totals: List[PayoutRunSummaryTotals]
    """Totals per currency."""
    issues: List[PayoutRunSummaryIssues]
    """Issues of failed items, by code."""
    executed_at: str | None
    """ISO 8601 time in UTC with milliseconds."""
    completed_at: str | None
    """ISO 8601 time in UTC with milliseconds."""
    canceled_at: str | None
    """ISO 8601 time in UTC with milliseconds."""
    created_at: str
    """ISO 8601 time in UTC with milliseconds."""
    updated_at: str
    """ISO 8601 time in UTC with milliseconds."""


class PayoutRunTotals(TypedDict):
    currency: str
    """ISO 4217 currency code."""
    items_count: int
    """Number of items."""
    amount_cents: int
    """Total of all items."""
    planned_cents: int
    """Amount of the items that are not executed yet."""
    paid_cents: int
    """Amount that was paid."""
    returned_cents: int
    """Amount of the payouts that were returned."""
    failed_cents: int
    """Amount of the failed items."""
    excluded_cents: int
    """Amount of the excluded items."""
    canceled_cents: int
    """Amount of the canceled items."""


class PayoutRunIssues(TypedDict):
    code: PayoutRunIssue
    """`missing_payout_details`: the affiliate has neither a PayPal (`walleta_email`) nor a Wise email address
    (`walletb_email`). `affiliate_inactive`: the affiliate is not active or is archived.
    """
    items_count: int
    """Number of items."""


class PayoutRunItemsIssue(TypedDict):
    """Reason why the item failed."""

    code: PayoutRunIssue
    """`missing_payout_details`: the affiliate has neither a PayPal (`walleta_email`) nor a Wise email address
    (`walletb_email`). `affiliate_inactive`: the affiliate is not active or is archived.
    """
    message: str
    """Explanation for people."""


class PayoutRunItems(TypedDict):
    payout_id: str
    """ID of the payout."""
    affiliate_id: str
    """ID of the affiliate."""
    state: PayoutRunItemState
    """`planned`: the run has claimed or is about to claim the payout; `paid`; `returned`: the payout was paid, but
    the transfer bounced; `failed`: the item has an issue, and its payout is open again; `excluded`: the item
    was removed from the run, or its payout was claimed or paid elsewhere first; `canceled`: the payout was
    released when the run was canceled.
    """
    amount_cents: int
    """Amount when the payout was claimed."""
    currency: str
    """ISO 4217 currency code."""
    commissions_count: int
    """Number of commissions."""
    issue: PayoutRunItemsIssue | None
    """Reason why the item failed."""


class PayoutRun(TypedDict):
    """A batch of payouts that are checked and marked paid together."""

    id: str
    """ID of the payout run."""
    state: PayoutRunState
    """`planned`; `executing`; `completed`: no failed items remain; `partially_completed`: some items failed, see
    `issues`; `canceled`.
    """
    idempotency_key: str
    """Key that was sent when the run was created."""
    livemode: bool
    """`false` for records of test mode."""
    affiliate_ids: List[str] | None
    """Affiliates that the run is limited to; `null` for all."""
    payment_reference: str | None
    """Your reference of the payment."""
    items_total: int
    """Number of items of the run."""
    items_done: int
    """Number of items that are paid, failed, excluded, or canceled."""
    totals: List[PayoutRunTotals]
    """Totals per currency."""
    issues: List[PayoutRunIssues]
    """Issues of failed items, by code."""
    items: List[PayoutRunItems]
    """Up to 1000 items: failed items first, then oldest payouts first."""
    executed_at: str | None
    """ISO 8601 time in UTC with milliseconds."""
    completed_at: str | None
    """ISO 8601 time in UTC with milliseconds."""
    canceled_at: str | None
    """ISO 8601 time in UTC with milliseconds."""
    created_at: str
    """ISO 8601 time in UTC with milliseconds."""
    updated_at: str
    """ISO 8601 time in UTC with milliseconds."""


class PayoutReconciliationRuns(TypedDict):
    """Number of runs created in the window, by state."""

    planned: int
    """Number of planned ones."""
    executing: int
    """Number of those that are being executed."""
    completed: int
    """Number of completed ones."""
    partially_completed: int
    """Number of those that were completed in part."""
    canceled: int
    """Number of canceled ones."""


class PayoutReconciliationWaiting(TypedDict):
    """Records that are incomplete until further events arrive. This is normal; they are not discrepancies."""

    events: int
    """Stripe events that failed and will be retried."""
    payments_without_amount: int
    """Stripe payments, changed in the window, that have a checkout or a refund but no charge yet."""
    sales_without_referral: int
    """Sales charged in the window that are not attributed to a referral."""


class PayoutReconciliationTotals(TypedDict):
    currency: str
    """ISO 4217 currency code."""
    payouts_count: int
    """Number of payouts."""
    paid_cents: int
    """Amount that was paid."""
    paid_by_run_cents: int
    """Amount that was paid with runs."""
    paid_by_export_cents: int
    """Amount that was paid with exports."""
    paid_by_hand_cents: int
    """Amount that was paid one payout at a time."""
    paid_by_service_cents: int
    """Amount that this service sent."""
    returned_cents: int
    """Total of payouts returned in the window, whenever they were paid. Not included in `paid_cents`."""


class PayoutReconciliationFees(TypedDict):
    currency: str
    """ISO 4217 currency code."""
    fee_cents: int
    """Sum of the fees."""
    affiliate_fee_cents: int
    """Fees that affiliates bear: parts of payments that have arrived, and that were not sent."""


class PayoutReconciliationDiscrepancies(TypedDict):
    code: DiscrepancyCode
    """`run_stuck`: the run has unfinished items and made no progress for 15 minutes; `export_stuck`: the export is
    being paid and made no progress for 15 minutes; `missing_claim`: the payout is processing, but no export or
    run holds it; `orphaned_claim`: a finished export or run still holds the payout, or an export or run holds
    an open payout; `amount_mismatch`: the amount differs from the sum of the commissions; `item_mismatch`: the
    amount or paid state of the payout differs from the one that its export or run records;
    `unpaid_commissions`: the payout is paid, but some of its commissions are not; `uncollected_commissions`:
    commissions are due, but are not in a payout; `paid_commissions`: the payout is not paid, but some of its
    commissions are; `sale_mismatch`: the commission of a sale and its adjustments do not add up to the amount
    that the sale earns; `paid_attribution`: the commission of a sale is paid, but facts that arrived later give
    the sale to `affiliate_id` or to nobody; `paid_reward`: the commission of a sale is paid, but by the tiers
    or the time of the charge that are known now it would have another amount, or a bonus is paid whose
    commission of the sale was voided or went to another affiliate; `paid_lead`: the reward for a lead is paid,
    but by the facts that are known now another affiliate (`affiliate_id`), nobody or another amount would be
    rewarded; `paid_milestone`: a milestone is paid that is reached less often now; `uncounted_refund`: refunds
    of another report of the same payment are not counted, because they may be the same refunds; `failed_event`:
    a Stripe event could not be applied and will not be retried; `kept_event`: Stripe events had no effect so
    far, because they could not be read or are in another mode (live or test) than the key; `mode_mismatch`: the
    payout, its commissions, and the export or run that holds it do not have the same `livemode`;
    `terms_mismatch`: a commission does not have the terms that its campaign had at the charge;
    `earner_mismatch`: a commission belongs to another affiliate, referral or mode than its sale, or its
    affiliate could not earn from the sale; `limit_exceeded`: a referral has more commissions than its campaign
    allowed; `cap_exceeded`: a line of a commission, or the unpaid commissions of a referral or an affiliate
    together, pay more than the cap of a rule; `bonus_mismatch`: a bonus stands although the commission of its
    sale does not, or is flagged or falls due otherwise; `credit_mismatch`: a commission without a sale and its
    adjustments do not add up; `review_mismatch`: a flagged commission is in a payout, or a dispute or a
    suspicion does not hold a commission, or holds it although it has ended; `payout_mismatch`: a payout holds
    commissions of another affiliate or currency, or commissions that are pending or voided; `paid_twice`:
    several exports or runs say that they paid the payout, or a payment that was given up has been made after
    all; `open_payment`: a person has to ask about a payment: it has no certain answer, the service that pays
    names another amount, or it has been under way for 14 days; `event_mismatch`: the events about a commission
    or a payout were not emitted exactly once; `payment_mismatch`: a sale contradicts its Stripe payment;
    `refund_mismatch`: the refunds of a sale are not those that were reported.
    """
    message: str
    """Explanation for people."""
    payout_run_id: str | None
    """ID of the payout run."""
    payout_export_id: str | None
    """ID of the payout export."""
    payout_id: str | None
    """ID of the payout."""
    sale_id: str | None
    """Sale whose paid commission differs from the facts (`paid_attribution`, `paid_reward`), or whose refunds are
    in doubt (`uncounted_refund`).
    """
    affiliate_id: str | None
    """Affiliate who would earn from the sale by all known facts. `null` if nobody would, and for all other codes."""
    psp_event_id: str | None
    """Stripe event that could not be applied. The oldest one if there are several."""
    currency: str | None
    """ISO 4217 currency code."""
    expected_cents: int | None
    """Amount that was expected."""
    actual_cents: int | None
    """Amount that was found."""
    commission_ids: List[str]
    """Affected commissions, up to 100."""


# Consistency report of payouts, commissions, exports, and runs.
PayoutReconciliation = TypedDict(
    "PayoutReconciliation",
    {
        "lookback_days": "int",
        "from": "str",
        "until": "str",
        "runs": "PayoutReconciliationRuns",
        "waiting": "PayoutReconciliationWaiting",
        "totals": "List[PayoutReconciliationTotals]",
        "fees": "List[PayoutReconciliationFees]",
        "discrepancies": "List[PayoutReconciliationDiscrepancies]",
    },
)


class ReferralsBulkData(TypedDict):
    index: int
    """Position of the item in the request, starting at 0."""
    result: BulkResult
    """`updated`: the record exists and has the given fields now. `unchanged`: the record exists, with the same
    content. `failed`: nothing was changed; see `error`.
    """
    record: Referral | None
    """The record, as in the response of a single call; `null` if the item failed."""
    error: BulkError | None
    """`null` unless the item failed."""


class ReferralsBulk(TypedDict):
    """The results of a bulk call."""

    data: List[ReferralsBulkData]
    """A result for each item, in the order of the items."""
    succeeded_count: int
    """Number of items that did not fail."""
    failed_count: int
    """Number of items that failed."""


class RefundsOfSaleRefunds(TypedDict):
    at: str
    """ISO 8601 time in UTC with milliseconds."""
    kind: RefundKind
    """`refund_failed`: the money came back."""
    amount_cents: int
    """Negative for money that went back to the customer."""
    source: str
    """Kind of the source, e.g. `stripe`, or `report` for a report of the merchant."""


class RefundsOfSale(TypedDict):
    """Refunds of a sale."""

    sale_id: str
    """ID of the sale."""
    external_id: str | None
    """Your ID for the sale."""
    affiliate_id: str | None
    """ID of the affiliate."""
    customer_id: str | None
    """ID of the customer."""
    currency: str
    """ISO 4217 currency code."""
    refund_amount_cents: int
    """Sum of the refunds and lost disputes."""
    refunds: List[RefundsOfSaleRefunds]
    """Each refund, failed refund and lost dispute, oldest first."""
    created_at: str
    """Time at which the sale was recorded."""
    updated_at: str
    """Time at which the sale last changed."""


# Place of the sale among those of its referral, counted from 1. Both ends are included: 1 to 1 is the
# first sale.
RewardRuleWhenSaleNumber = TypedDict(
    "RewardRuleWhenSaleNumber",
    {
        "from": "NotRequired[int]",
        "to": "NotRequired[int]",
    },
)


# Whole months since the first sale of the referral. `to` is not included: 0 to 12 are the first
# twelve months.
RewardRuleWhenAgeMonths = TypedDict(
    "RewardRuleWhenAgeMonths",
    {
        "from": "NotRequired[int]",
        "to": "NotRequired[int]",
    },
)


# Amount of the sale without tax, in cents. `to` is not included. Holds only for sales in this
# currency.
RewardRuleWhenAmount = TypedDict(
    "RewardRuleWhenAmount",
    {
        "from": "NotRequired[int]",
        "to": "NotRequired[int]",
        "currency": "str",
    },
)


class RewardRuleWhen(TypedDict):
    """Conditions. All given conditions must hold; a list holds if any of its values does."""

    products: NotRequired[List[str]]
    """IDs of products at the payment provider, or those in the `lines` of your reports."""
    prices: NotRequired[List[str]]
    """IDs of prices, like `products`."""
    interval: NotRequired[List[PriceInterval]]
    """Interval at which the price is charged."""
    codes: NotRequired[List[str]]
    """Codes redeemed with the sale, in any case."""
    countries: NotRequired[List[str]]
    """Countries of the customer, by ISO 3166. Does not hold if the country is not known."""
    metadata: NotRequired[Dict[str, List[str]]]
    """Values that the metadata of the sale may have when it earns, by key. Every key must match."""
    sale_number: NotRequired[RewardRuleWhenSaleNumber]
    """Place of the sale among those of its referral, counted from 1. Both ends are included: 1 to 1 is the first
    sale.
    """
    age_months: NotRequired[RewardRuleWhenAgeMonths]
    """Whole months since the first sale of the referral. `to` is not included: 0 to 12 are the first twelve
    months.
    """
    amount: NotRequired[RewardRuleWhenAmount]
    """Amount of the sale without tax, in cents. `to` is not included. Holds only for sales in this currency."""
    tier: NotRequired[List[str]]
    """Tiers, of which the affiliate has reached one before the charge."""
    customer: NotRequired[CustomerAge]
    """`new`: the first sale of the customer; `returning`: later sales."""


class RewardRulePayFixed(TypedDict):
    """Fixed amount."""

    amount_cents: int
    """Amount in the currency’s minor unit."""
    currency: str
    """ISO 4217 currency code."""
    per: PayPer
    """`sale`: once per sale; `unit`: for each unit of the lines that the rule decides. Default: `"sale"`."""


class RewardRulePay(TypedDict):
    """Payment of the rule: exactly one of `percent`, `fixed` and `nothing`."""

    percent: NotRequired[float]
    """Percentage of the lines that the rule decides."""
    fixed: NotRequired[RewardRulePayFixed]
    """Fixed amount."""
    nothing: NotRequired[Literal[True]]
    """The lines that the rule decides earn nothing."""


class RewardRuleCap(TypedDict):
    """The most that the rule pays. Has no effect on commissions in another currency."""

    amount_cents: int
    """Amount in the currency’s minor unit."""
    currency: str
    """ISO 4217 currency code."""
    per: CapScope
    """Unit of the maximum: each sale, each referral, or each affiliate."""
    window: CapWindow
    """Calendar period in UTC to which the maximum applies. Default: `"ever"`."""


class RewardRuleMilestone(TypedDict):
    """For rules of `milestone`: exactly one of `every` and `at`. A change starts the count again."""

    metric: MilestoneMetric
    """`customers`: customers who paid; `sales`: sales; `revenue`: amount of the sales in the currency of `pay`, in
    cents.
    """
    window: MilestoneWindow
    """Calendar period in UTC over which the milestone counts. `ever`: since the rule is in force. Default:
    `"ever"`.
    """
    every: NotRequired[int]
    """Pays at each multiple of this number."""
    at: NotRequired[int]
    """Pays once, when this number is reached."""


# Reward of some sales of a campaign, instead of its base reward or on top of it, or of leads or
# milestones.
RewardRule = TypedDict(
    "RewardRule",
    {
        "id": "str",
        "livemode": "bool",
        "campaign_id": "str",
        "affiliate_id": "str | None",
        "link_id": "str | None",
        "event": "RewardEvent",
        "name": "str",
        "position": "int",
        "when": "RewardRuleWhen",
        "pay": "RewardRulePay",
        "cap": "RewardRuleCap | None",
        "apply": "RewardApply",
        "milestone": "RewardRuleMilestone | None",
        "hold_days": "int | None",
        "from": "str | None",
        "until": "str | None",
        "version": "int",
        "changed_at": "str",
        "ended_at": "str | None",
        "created_at": "str",
        "updated_at": "str",
    },
)


class RewardsPreviewLinesPayFixed(TypedDict):
    """Fixed amount."""

    amount_cents: int
    """Amount in the currency’s minor unit."""
    currency: str
    """ISO 4217 currency code."""
    per: PayPer
    """`sale`: once per sale; `unit`: for each unit of the lines that the rule decides. Default: `"sale"`."""


class RewardsPreviewLinesPay(TypedDict):
    """Payment of the rule."""

    percent: NotRequired[float]
    """Percentage of the lines that the rule decides."""
    fixed: NotRequired[RewardsPreviewLinesPayFixed]
    """Fixed amount."""
    nothing: NotRequired[Literal[True]]
    """The lines that the rule decides earn nothing."""


class RewardsPreviewLines(TypedDict):
    product: str | None
    """Product of the line, e.g. its ID at the payment provider."""
    rule_id: str | None
    """The rule that decides; `null` for the base reward of the campaign."""
    rule_name: str | None
    """Name of the reward rule."""
    pay: RewardsPreviewLinesPay
    """Payment of the rule."""
    note: LineNote | None
    """Reason why the line earns nothing."""
    base_cents: int
    """Amount of the line that the reward is computed from."""
    amount_cents: int
    """Amount in the currency’s minor unit."""


class RewardsPreviewBonuses(TypedDict):
    rule_id: str
    """ID of the reward rule."""
    rule_name: str
    """Name of the reward rule."""
    amount_cents: int
    """Amount in the currency’s minor unit."""
    currency: str
    """ISO 4217 currency code."""


class RewardsPreview(TypedDict):
    """Earnings of a sale that is not recorded, by the rules of a campaign."""

    amount_cents: int
    """Amount of the commission of the sale, without `bonuses`."""
    currency: str
    """ISO 4217 currency code."""
    lines: List[RewardsPreviewLines]
    """Lines of the sale."""
    bonuses: List[RewardsPreviewBonuses]
    """Further commissions of the sale, by rules that pay on top."""


class RewardEffectTotals(TypedDict):
    currency: str
    """ISO 4217 currency code."""
    current_cents: int
    """Cost of these sales by the rules as they are now."""
    changed_cents: int
    """Cost of these sales by the changed rules."""


# Cost that the sales of a campaign would have had with other rewards. Rewards for leads and
# milestones are left out.
RewardEffect = TypedDict(
    "RewardEffect",
    {
        "explanation": "str",
        "from": "str",
        "until": "str",
        "sales_count": "int",
        "is_complete": "bool",
        "totals": "List[RewardEffectTotals]",
        "warnings": "List[RewardWarning]",
    },
)


# Place of the sale among those of its referral, counted from 1. Both ends are included: 1 to 1 is the
# first sale.
RewardWarningWhenSaleNumber = TypedDict(
    "RewardWarningWhenSaleNumber",
    {
        "from": "NotRequired[int]",
        "to": "NotRequired[int]",
    },
)


# Whole months since the first sale of the referral. `to` is not included: 0 to 12 are the first
# twelve months.
RewardWarningWhenAgeMonths = TypedDict(
    "RewardWarningWhenAgeMonths",
    {
        "from": "NotRequired[int]",
        "to": "NotRequired[int]",
    },
)


# Amount of the sale without tax, in cents. `to` is not included. Holds only for sales in this
# currency.
RewardWarningWhenAmount = TypedDict(
    "RewardWarningWhenAmount",
    {
        "from": "NotRequired[int]",
        "to": "NotRequired[int]",
        "currency": "str",
    },
)


class RewardWarningWhen(TypedDict):
    """Conditions of the sales about which that rule decides (`partly_shadowed`)."""

    products: NotRequired[List[str]]
    """IDs of products at the payment provider, or those in the `lines` of your reports."""
    prices: NotRequired[List[str]]
    """IDs of prices, like `products`."""
    interval: NotRequired[List[PriceInterval]]
    """Interval at which the price is charged."""
    codes: NotRequired[List[str]]
    """Codes redeemed with the sale, in any case."""
    countries: NotRequired[List[str]]
    """Countries of the customer, by ISO 3166. Does not hold if the country is not known."""
    metadata: NotRequired[Dict[str, List[str]]]
    """Values that the metadata of the sale may have when it earns, by key. Every key must match."""
    sale_number: NotRequired[RewardWarningWhenSaleNumber]
    """Place of the sale among those of its referral, counted from 1. Both ends are included: 1 to 1 is the first
    sale.
    """
    age_months: NotRequired[RewardWarningWhenAgeMonths]
    """Whole months since the first sale of the referral. `to` is not included: 0 to 12 are the first twelve
    months.
    """
    amount: NotRequired[RewardWarningWhenAmount]
    """Amount of the sale without tax, in cents. `to` is not included. Holds only for sales in this currency."""
    tier: NotRequired[List[str]]
    """Tiers, of which the affiliate has reached one before the charge."""
    customer: NotRequired[CustomerAge]
    """`new`: the first sale of the customer; `returning`: later sales."""


class RewardWarning(TypedDict):
    """A reward rule that can never match, or from which an earlier one takes sales."""

    rule_id: str | None
    """The rule; `null` for a rule that is not created yet."""
    code: RewardWarningCode
    """`shadowed`: an earlier rule always decides; `partly_shadowed`: an earlier rule decides about the sales in
    `when`, for which this rule is, too; `contradiction`: no sale can meet all conditions; `unknown_product` and
    `unknown_price`: the connected payment provider has none of them; `ended_tier`: all its tiers have ended;
    `ended_period`: its period is over.
    """
    by_rule_id: str | None
    """The rule that decides before (`shadowed`, `partly_shadowed`)."""
    when: RewardWarningWhen | None
    """Conditions of the sales about which that rule decides (`partly_shadowed`)."""


# A tier of a campaign. Reward rules can pay more to affiliates who have reached it.
Tier = TypedDict(
    "Tier",
    {
        "id": "str",
        "livemode": "bool",
        "campaign_id": "str",
        "name": "str",
        "metric": "MilestoneMetric",
        "window": "MilestoneWindow",
        "from": "int",
        "currency": "str | None",
        "ended_at": "str | None",
        "created_at": "str",
        "updated_at": "str",
    },
)


class RecordedSaleWarnings(TypedDict):
    code: ReportWarning
    """`unknown_promo_code`: no affiliate has the code, or it was stopped before the charge."""
    message: str
    """Explanation for people."""


class RecordedSale(TypedDict):
    sale: Sale
    commission: PlainCommission | None
    """The commission."""
    reason: NoCommissionReason | None
    """Reason why the sale earned no commission; `null` if it earned one."""
    warnings: List[RecordedSaleWarnings]
    """Parts of the report that had no effect."""


class SalesBulkData(TypedDict):
    index: int
    """Position of the item in the request, starting at 0."""
    result: BulkResult
    """`updated`: the record exists and has the given fields now. `unchanged`: the record exists, with the same
    content. `failed`: nothing was changed; see `error`.
    """
    record: RecordedSale | None
    """The record, as in the response of a single call; `null` if the item failed."""
    error: BulkError | None
    """`null` unless the item failed."""


class SalesBulk(TypedDict):
    """The results of a bulk call."""

    data: List[SalesBulkData]
    """A result for each item, in the order of the items."""
    succeeded_count: int
    """Number of items that did not fail."""
    failed_count: int
    """Number of items that failed."""


class Invitation(TypedDict):
    """An emailed invitation to join the account as a member or an affiliate."""

    id: str
    """ID of the invitation."""
    livemode: bool
    """`false` for records of test mode."""
    kind: InvitationKind
    """`member`: the person joins the account’s team; `affiliate`: the person becomes an affiliate."""
    email: str
    """Email address."""
    role: Role | None
    """Role of the new member, for `kind` `member`."""
    campaign_id: str | None
    """Campaign to join, for `kind` `affiliate`."""
    status: InvitationStatus
    """Status of the invitation. An expired pending invitation can be resent but not accepted."""
    invited_by_user_id: str | None
    """User who sent the invitation; `null` if it was sent with an API key."""
    accepted_by_user_id: str | None
    """ID of the user."""
    affiliate_id: str | None
    """Affiliate created or activated by accepting the invitation."""
    email_problem: BlockReason | None
    """Reason why the person gets no emails: `no_such_recipient`, the address does not exist; `complaint`, its
    owner reported an email as spam. `null` otherwise.
    """
    expires_at: str
    """Expiration time: seven days after the invitation was last sent."""
    resent_at: str | None
    """ISO 8601 time in UTC with milliseconds."""
    accepted_at: str | None
    """ISO 8601 time in UTC with milliseconds."""
    revoked_at: str | None
    """ISO 8601 time in UTC with milliseconds."""
    created_at: str
    """ISO 8601 time in UTC with milliseconds."""
    updated_at: str
    """ISO 8601 time in UTC with milliseconds."""


class SaleInListReferral(TypedDict):
    """The referral."""

    id: str
    """ID of the referral."""
    conversion_state: str
    """`visitor`, `lead` (signed up), or `conversion` (paid)."""
    psp_customer_id: str | None
    """ID of the customer at the payment provider."""
    customer: Customer | None
    """The customer."""


class SaleInListAffiliate(TypedDict):
    """The affiliate."""

    id: str
    """ID of the affiliate."""
    email: str
    """Email address."""
    first_name: str | None
    """First name."""
    last_name: str | None
    """Last name."""


class SaleInList(TypedDict):
    """A sale in a list and, on request, what it lacked, or what a person should look at."""

    id: str
    """ID of the sale."""
    livemode: bool
    """`false` for records of test mode."""
    external_id: str | None
    """Your ID for the record."""
    metadata: Metadata
    psp_charge_id: str | None
    """ID of the charge at the payment provider."""
    psp_invoice_id: str | None
    """ID of the invoice at the payment provider."""
    psp_payment_intent_id: str | None
    """ID of the payment intent at the payment provider."""
    promo_code: str | None
    """Promo code with which the customer paid."""
    charge_amount_cents: int
    """Amount charged to the customer, including tax."""
    tax_amount_cents: int
    """Tax included in the charge."""
    refund_amount_cents: int
    """Total refunded to date."""
    sale_amount_cents: int
    """Charge minus tax, reduced by refunds in proportion to the charge; 0 after a full refund. Commissions are
    calculated from this amount.
    """
    currency: str
    """ISO 4217 currency code."""
    description: str | None
    """Description."""
    paid_outside: PaidOutside | None
    """Set if the invoice was marked as paid outside the payment provider. `counted`: the sale earns like any
    other. `excluded`: nobody earns from it, as the settings of the connection say.
    """
    charged_at: str
    """ISO 8601 time in UTC with milliseconds."""
    referral_id: str | None
    """ID of the referral."""
    affiliate_id: str | None
    """ID of the affiliate."""
    customer_id: str | None
    """ID of the customer."""
    referral: SaleInListReferral | None
    """The referral."""
    affiliate: SaleInListAffiliate | None
    """The affiliate."""
    created_at: str
    """ISO 8601 time in UTC with milliseconds."""
    updated_at: str
    """ISO 8601 time in UTC with milliseconds."""
    no_commission_reason: NoCommissionReason | None
    """Reason why the sale earned no commission."""
    customer: Customer | None
    """The customer."""
    missing: NotRequired[SaleGap | None]
    """Present if `expand` includes `missing`."""
    review: NotRequired[SaleReview | None]
    """Present if `expand` includes `review`."""
    explanation: NotRequired[AmountExplanation | None]
    """Present if `expand` includes `explanation`."""


class SaleGapFixes(TypedDict):
    kind: SaleFixKind
    text: str
    """Text."""


class SaleGap(TypedDict):
    """Reason why a sale has no commission, and the change that would have given it one."""

    gap: SaleGapReason
    """Missing fact. `no_reference`: nothing named a referral. `unknown_reference`: `reference` is not a referral.
    `named_later`: the referral was named after the payment. The others are as in `no_commission_reason`, or
    `paid_outside`: the payment was made outside Stripe.
    """
    way: SaleWay
    """Way in which the customer paid at the payment provider, or `report`: your server reported the sale."""
    reference: str | None
    """The value that named no referral."""
    unknown_codes: List[str]
    """Redeemed promotion codes of Stripe that belong to no affiliate."""
    named_at: str | None
    """Time at which the referral was named, after the payment."""
    explanation: str
    """Description of what was missing, in plain words."""
    fixes: List[SaleGapFixes]
    """Each line of code or setting that would have made the sale count."""


class SaleReviewContested(TypedDict):
    """By the facts that are known now, the sale would earn otherwise than it was paid."""

    commission_id: str
    """The commission of the sale."""
    commission_state: CommissionState
    """`voided`: a person has taken the commission back, and can have the sale decided again."""
    commission_cents: int
    """Amount of the commission."""
    earned_cents: int
    """Earnings of the affiliate from the sale, with bonuses. They are paid at least in part."""
    currency: str
    """ISO 4217 currency code."""
    affiliate_id: str | None
    """The affiliate who would earn; `null` if nobody would."""
    affiliate_email: str | None
    """Email of that affiliate."""
    no_commission_reason: NoCommissionReason | None
    """Reason why nobody would earn."""
    amount_cents: int | None
    """Amount that the affiliate who was paid would earn, with bonuses; `null` if another affiliate or nobody would
    earn.
    """


class SaleReview(TypedDict):
    """Doubts about a sale, for a person to decide."""

    contested: SaleReviewContested | None
    """By the facts that are known now, the sale would earn otherwise than it was paid."""
    uncounted_refund_cents: int | None
    """Refunds of another report of the same payment that are not counted, because they may be the same refunds."""


class DetailedSaleReferral(TypedDict):
    """The referral."""

    id: str
    """ID of the referral."""
    conversion_state: str
    """`visitor`, `lead` (signed up), or `conversion` (paid)."""
    psp_customer_id: str | None
    """ID of the customer at the payment provider."""
    customer: Customer | None
    """The customer."""


class DetailedSaleAffiliate(TypedDict):
    """The affiliate."""

    id: str
    """ID of the affiliate."""
    email: str
    """Email address."""
    first_name: str | None
    """First name."""
    last_name: str | None
    """Last name."""


class DetailedSale(TypedDict):
    """A sale with its customer and, on request, the decision about it."""

    id: str
    """ID of the sale."""
    livemode: bool
    """`false` for records of test mode."""
    external_id: str | None
    """Your ID for the record."""
    metadata: Metadata
    psp_charge_id: str | None
    """ID of the charge at the payment provider."""
    psp_invoice_id: str | None
    """ID of the invoice at the payment provider."""
    psp_payment_intent_id: str | None
    """ID of the payment intent at the payment provider."""
    promo_code: str | None
    """Promo code with which the customer paid."""
    charge_amount_cents: int
    """Amount charged to the customer, including tax."""
    tax_amount_cents: int
    """Tax included in the charge."""
    refund_amount_cents: int
    """Total refunded to date."""
    sale_amount_cents: int
    """Charge minus tax, reduced by refunds in proportion to the charge; 0 after a full refund. Commissions are
    calculated from this amount.
    """
    currency: str
    """ISO 4217 currency code."""
    description: str | None
    """Description."""
    paid_outside: PaidOutside | None
    """Set if the invoice was marked as paid outside the payment provider. `counted`: the sale earns like any
    other. `excluded`: nobody earns from it, as the settings of the connection say.
    """
    charged_at: str
    """ISO 8601 time in UTC with milliseconds."""
    referral_id: str | None
    """ID of the referral."""
    affiliate_id: str | None
    """ID of the affiliate."""
    customer_id: str | None
    """ID of the customer."""
    referral: DetailedSaleReferral | None
    """The referral."""
    affiliate: DetailedSaleAffiliate | None
    """The affiliate."""
    created_at: str
    """ISO 8601 time in UTC with milliseconds."""
    updated_at: str
    """ISO 8601 time in UTC with milliseconds."""
    no_commission_reason: NoCommissionReason | None
    """Reason why the sale earned no commission."""
    customer: Customer | None
    """The customer."""
    decision: NotRequired[SaleDecision | None]
    """Present if `expand` includes `decision`."""
    missing: NotRequired[SaleGap | None]
    """Present if `expand` includes `missing`."""
    review: NotRequired[SaleReview | None]
    """Present if `expand` includes `review`."""
    explanation: NotRequired[AmountExplanation | None]
    """Present if `expand` includes `explanation`."""


class SaleDecisionClaims(TypedDict):
    kind: SaleClaimKind
    """`link`: a referral was named for the customer. `code`: a promo code was redeemed."""
    affiliate_id: str
    """ID of the affiliate."""
    campaign_id: str
    """ID of the campaign."""
    referral_id: str | None
    """Null as long as a claim by a code has no referral."""
    code: str | None
    """The promo code; null for a link."""
    visited_at: str
    """Time of the visit or of the redemption. The claim earns nothing from earlier charges."""
    made_at: str
    """Time at which the claim was made, e.g. when the checkout was opened. A claim does not change who earned from
    earlier charges.
    """
    proven: bool
    """`false` if only a public lead made the claim."""
    status: SaleClaimStatus
    """Outcome of the claim for this sale."""
    explanation: str
    """The status in plain words."""


class SaleDecisionTerms(TypedDict):
    """The base reward and the limits of the campaign for this sale; null if the sale belongs to nobody. Rules may
    pay otherwise: `expand=explanation` has what the sale earns.
    """

    commission_percent: float | None
    """The percentage, if the campaign pays one."""
    commission_amount_cents: int | None
    """The fixed amount, if the campaign pays one."""
    commission_amount_currency: str | None
    """ISO 4217 currency code."""
    max_commissions: int | None
    """Number of commissions that a referral earns at most; `null` for no limit."""
    max_commission_period_months: int | None
    """Months during which a referral earns commissions; `null` for no limit."""
    in_effect_at: str
    """Time whose terms apply: of the charge or, after a person has reconsidered the sale, of that moment."""


class SaleDecisionFlags(TypedDict):
    reason: ReviewReason
    explanation: str
    """The reason in words."""


class SaleDecisionContested(TypedDict):
    """Affiliate who would earn if the commission had not been paid; null if the facts agree with the payment."""

    affiliate_id: str | None
    """ID of the affiliate."""
    no_commission_reason: NoCommissionReason | None
    """Reason why the sale earned no commission; `null` if it earned one."""
    explanation: str
    """The reason in words."""


class SaleDecision(TypedDict):
    """Reasons why a sale belongs to an affiliate or to nobody: the claims, the rule that chose one of them, the
    terms, and what a person should look at.
    """

    rule: SaleRule
    """The rule that chose the claim."""
    explanation: str
    """The decision in plain words."""
    claims: List[SaleDecisionClaims]
    """All claims on the customer, in the order of their visits."""
    affiliate_id: str | None
    """The affiliate to whom the sale belongs, or null."""
    referral_id: str | None
    """ID of the referral."""
    no_commission_reason: NoCommissionReason | None
    """Reason why the sale earns nothing; null if it may earn."""
    terms: SaleDecisionTerms | None
    """The base reward and the limits of the campaign for this sale; null if the sale belongs to nobody. Rules may
    pay otherwise: `expand=explanation` has what the sale earns.
    """
    flags: List[SaleDecisionFlags]
    """Reasons to look at the commission before it is paid. They hold the commission, unless a person has approved
    it.
    """
    contested: SaleDecisionContested | None
    """Affiliate who would earn if the commission had not been paid; null if the facts agree with the payment."""


class UpdatedSaleReferral(TypedDict):
    """The referral."""

    id: str
    """ID of the referral."""
    conversion_state: str
    """`visitor`, `lead` (signed up), or `conversion` (paid)."""
    psp_customer_id: str | None
    """ID of the customer at the payment provider."""
    customer: Customer | None
    """The customer."""


class UpdatedSaleAffiliate(TypedDict):
    """The affiliate."""

    id: str
    """ID of the affiliate."""
    email: str
    """Email address."""
    first_name: str | None
    """First name."""
    last_name: str | None
    """Last name."""


class UpdatedSale(TypedDict):
    """A changed sale, and what its affiliate earns."""

    id: str
    """ID of the sale."""
    livemode: bool
    """`false` for records of test mode."""
    external_id: str | None
    """Your ID for the record."""
    metadata: Metadata
    psp_charge_id: str | None
    """ID of the charge at the payment provider."""
    psp_invoice_id: str | None
    """ID of the invoice at the payment provider."""
    psp_payment_intent_id: str | None
    """ID of the payment intent at the payment provider."""
    promo_code: str | None
    """Promo code with which the customer paid."""
    charge_amount_cents: int
    """Amount charged to the customer, including tax."""
    tax_amount_cents: int
    """Tax included in the charge."""
    refund_amount_cents: int
    """Total refunded to date."""
    sale_amount_cents: int
    """Charge minus tax, reduced by refunds in proportion to the charge; 0 after a full refund. Commissions are
    calculated from this amount.
    """
    currency: str
    """ISO 4217 currency code."""
    description: str | None
    """Description."""
    paid_outside: PaidOutside | None
    """Set if the invoice was marked as paid outside the payment provider. `counted`: the sale earns like any
    other. `excluded`: nobody earns from it, as the settings of the connection say.
    """
    charged_at: str
    """ISO 8601 time in UTC with milliseconds."""
    referral_id: str | None
    """ID of the referral."""
    affiliate_id: str | None
    """ID of the affiliate."""
    customer_id: str | None
    """ID of the customer."""
    referral: UpdatedSaleReferral | None
    """The referral."""
    affiliate: UpdatedSaleAffiliate | None
    """The affiliate."""
    created_at: str
    """ISO 8601 time in UTC with milliseconds."""
    updated_at: str
    """ISO 8601 time in UTC with milliseconds."""
    no_commission_reason: NoCommissionReason | None
    """Reason why the sale earned no commission."""
    customer: Customer | None
    """The customer."""
    commission: PlainCommission | None
    """The commission of the sale; `null` if it earned none. Its amount stays if the commission is claimed or paid."""
    adjustment: PlainCommission | None
    """The adjustment that this change created, because the commission is claimed or paid; otherwise `null`."""


class ReconsideredSale(TypedDict):
    sale: Sale
    commission: PlainCommission | None
    """The commission."""
    reason: NoCommissionReason | None
    """Reason why the sale still earns no commission."""


class ListedSaleReferral(TypedDict):
    """The referral."""

    id: str
    """ID of the referral."""
    conversion_state: str
    """`visitor`, `lead` (signed up), or `conversion` (paid)."""
    psp_customer_id: str | None
    """ID of the customer at the payment provider."""
    customer: Customer | None
    """The customer."""


class ListedSaleAffiliate(TypedDict):
    """The affiliate."""

    id: str
    """ID of the affiliate."""
    email: str
    """Email address."""
    first_name: str | None
    """First name."""
    last_name: str | None
    """Last name."""


class ListedSale(TypedDict):
    """A sale with its customer, whether or not it earned a commission."""

    id: str
    """ID of the sale."""
    livemode: bool
    """`false` for records of test mode."""
    external_id: str | None
    """Your ID for the record."""
    metadata: Metadata
    psp_charge_id: str | None
    """ID of the charge at the payment provider."""
    psp_invoice_id: str | None
    """ID of the invoice at the payment provider."""
    psp_payment_intent_id: str | None
    """ID of the payment intent at the payment provider."""
    promo_code: str | None
    """Promo code with which the customer paid."""
    charge_amount_cents: int
    """Amount charged to the customer, including tax."""
    tax_amount_cents: int
    """Tax included in the charge."""
    refund_amount_cents: int
    """Total refunded to date."""
    sale_amount_cents: int
    """Charge minus tax, reduced by refunds in proportion to the charge; 0 after a full refund. Commissions are
    calculated from this amount.
    """
    currency: str
    """ISO 4217 currency code."""
    description: str | None
    """Description."""
    paid_outside: PaidOutside | None
    """Set if the invoice was marked as paid outside the payment provider. `counted`: the sale earns like any
    other. `excluded`: nobody earns from it, as the settings of the connection say.
    """
    charged_at: str
    """ISO 8601 time in UTC with milliseconds."""
    referral_id: str | None
    """ID of the referral."""
    affiliate_id: str | None
    """ID of the affiliate."""
    customer_id: str | None
    """ID of the customer."""
    referral: ListedSaleReferral | None
    """The referral."""
    affiliate: ListedSaleAffiliate | None
    """The affiliate."""
    created_at: str
    """ISO 8601 time in UTC with milliseconds."""
    updated_at: str
    """ISO 8601 time in UTC with milliseconds."""
    no_commission_reason: NoCommissionReason | None
    """Reason why the sale earned no commission."""
    customer: Customer | None
    """The customer."""


class AssignedSaleAlsoTotals(TypedDict):
    currency: str
    """ISO 4217 currency code."""
    commissions_count: int
    """Number of commissions."""
    amount_cents: int
    """Amount in the currency’s minor unit."""


class AssignedSale(TypedDict):
    """A sale that was assigned to an affiliate, with the commissions it led to."""

    sale: Sale
    commission: PlainCommission
    also: List[PlainCommission]
    """Commissions that the customer’s later sales earn as a result: the first 20."""
    also_totals: List[AssignedSaleAlsoTotals]
    """Count and sum of all commissions that later sales earn as a result, by currency."""


class SearchResultsData(TypedDict):
    kind: SearchedKind
    record_id: str
    """ID of the record to open. For a link or promo code, this is the affiliate."""
    title: str
    """Title of the record."""
    detail: str | None
    """Further text about the record."""


class SearchResults(TypedDict):
    """The records that match a search."""

    data: List[SearchResultsData]
    """A few records of each kind; affiliates and customers first. Not paginated."""


class EventReceipt(TypedDict):
    """The answer to an event of a payment provider."""

    received: Literal[True]
    """Always `true`."""
    outcome: EventOutcome
    """The effect of the event."""


class FactsReceipt(TypedDict):
    """Facts in the order of the delivery."""

    facts: List[AcceptedFact]
    """The facts, in the order of the delivery."""
    dry_run: bool
    """`true` if nothing was changed."""


class AcceptedFact(TypedDict):
    id: str
    """ID of the fact. The same content always has the same ID."""
    type: str
    """Type."""
    outcome: FactOutcome
    """`pending`: it is stored, and takes effect within moments. `duplicate`: it was received before. `ignored`: it
    is of another mode (live or test) than the account. `valid`: the answer to a dry run.
    """


class TrackedVisit(TypedDict):
    referral_id: str | None
    """`null` if the visitor got no referral, e.g. because the link is unknown or archived, or its affiliate or
    campaign is not active.
    """
    expires_at: str | None
    """Time before which the referral must convert."""
    max_age: int | None
    """Time for which the browser should remember the referral, in seconds: at least one day."""


class TrackedLead(TypedDict):
    referral_id: str
    """ID of the referral."""
    conversion_state: ConversionState


class MalformedJsonError(TypedDict):
    """The body is not valid JSON in UTF-8."""

    error: str
    """Human-readable message. Its wording may change."""
    code: Literal["MALFORMED_JSON"]
    """Stable code for programs."""
    request_id: NotRequired[str]
    """ID of the request, as in the header `X-Request-Id`. Quote it when you report the error."""
    documentation_url: NotRequired[str]
    """Manual that describes the errors."""


class MalformedRequestError(TypedDict):
    """The request is not valid HTTP."""

    error: str
    """Human-readable message. Its wording may change."""
    code: Literal["MALFORMED_REQUEST"]
    """Stable code for programs."""
    request_id: NotRequired[str]
    """ID of the request, as in the header `X-Request-Id`. Quote it when you report the error."""
    documentation_url: NotRequired[str]
    """Manual that describes the errors."""


class MissingAccountIdError(TypedDict):
    """The request does not name an account."""

    error: str
    """Human-readable message. Its wording may change."""
    code: Literal["MISSING_ACCOUNT_ID"]
    """Stable code for programs."""
    request_id: NotRequired[str]
    """ID of the request, as in the header `X-Request-Id`. Quote it when you report the error."""
    documentation_url: NotRequired[str]
    """Manual that describes the errors."""


class InvalidSignatureError(TypedDict):
    """The signature does not match the body, or is too old."""

    error: str
    """Human-readable message. Its wording may change."""
    code: Literal["INVALID_SIGNATURE"]
    """Stable code for programs."""
    request_id: NotRequired[str]
    """ID of the request, as in the header `X-Request-Id`. Quote it when you report the error."""
    documentation_url: NotRequired[str]
    """Manual that describes the errors."""


class UnauthorizedError(TypedDict):
    """Credentials are missing or invalid."""

    error: str
    """Human-readable message. Its wording may change."""
    code: Literal["UNAUTHORIZED"]
    """Stable code for programs."""
    request_id: NotRequired[str]
    """ID of the request, as in the header `X-Request-Id`. Quote it when you report the error."""
    documentation_url: NotRequired[str]
    """Manual that describes the errors."""


class ForbiddenError(TypedDict):
    """The caller lacks the required role or permission (`details.permission`), the credential belongs to another
    account, or the request comes from another site.
    """

    error: str
    """Human-readable message. Its wording may change."""
    code: Literal["FORBIDDEN"]
    """Stable code for programs."""
    details: NotRequired[ForbiddenDetails]
    request_id: NotRequired[str]
    """ID of the request, as in the header `X-Request-Id`. Quote it when you report the error."""
    documentation_url: NotRequired[str]
    """Manual that describes the errors."""


class PayLimitExceededError(TypedDict):
    """The assistant would mark more as paid within 24 hours than the daily limit of its connector allows;
    `details` has the amounts.
    """

    error: str
    """Human-readable message. Its wording may change."""
    code: Literal["PAY_LIMIT_EXCEEDED"]
    """Stable code for programs."""
    details: NotRequired[PayLimitDetails]
    request_id: NotRequired[str]
    """ID of the request, as in the header `X-Request-Id`. Quote it when you report the error."""
    documentation_url: NotRequired[str]
    """Manual that describes the errors."""


class SecondFactorRequiredError(TypedDict):
    """The account requires its members to have a second factor, and the signed-in person, or the person who
    connected the assistant, has none.
    """

    error: str
    """Human-readable message. Its wording may change."""
    code: Literal["SECOND_FACTOR_REQUIRED"]
    """Stable code for programs."""
    request_id: NotRequired[str]
    """ID of the request, as in the header `X-Request-Id`. Quote it when you report the error."""
    documentation_url: NotRequired[str]
    """Manual that describes the errors."""


class NotFoundError(TypedDict):
    """This account has no such record, or the path does not exist."""

    error: str
    """Human-readable message. Its wording may change."""
    code: Literal["NOT_FOUND"]
    """Stable code for programs."""
    request_id: NotRequired[str]
    """ID of the request, as in the header `X-Request-Id`. Quote it when you report the error."""
    documentation_url: NotRequired[str]
    """Manual that describes the errors."""


class ConflictError(TypedDict):
    """The request conflicts with the state of other records, or another request changed the record at the same
    time.
    """

    error: str
    """Human-readable message. Its wording may change."""
    code: Literal["CONFLICT"]
    """Stable code for programs."""
    details: NotRequired[ConflictDetails]
    request_id: NotRequired[str]
    """ID of the request, as in the header `X-Request-Id`. Quote it when you report the error."""
    documentation_url: NotRequired[str]
    """Manual that describes the errors."""


class OperationPendingError(TypedDict):
    """An earlier request with this Idempotency-Key is still running, or its outcome is unknown: send the same
    request with the same key again.
    """

    error: str
    """Human-readable message. Its wording may change."""
    code: Literal["OPERATION_PENDING"]
    """Stable code for programs."""
    details: NotRequired[OperationDetails]
    request_id: NotRequired[str]
    """ID of the request, as in the header `X-Request-Id`. Quote it when you report the error."""
    documentation_url: NotRequired[str]
    """Manual that describes the errors."""


class ReconciliationRequiredError(TypedDict):
    """An earlier operation on this code at the payment provider has an unknown outcome and must be finished first;
    `details.operation_id` names it.
    """

    error: str
    """Human-readable message. Its wording may change."""
    code: Literal["RECONCILIATION_REQUIRED"]
    """Stable code for programs."""
    details: NotRequired[OperationDetails]
    request_id: NotRequired[str]
    """ID of the request, as in the header `X-Request-Id`. Quote it when you report the error."""
    documentation_url: NotRequired[str]
    """Manual that describes the errors."""


class PreconditionFailedError(TypedDict):
    """The record does not have the version that `If-Match` names: it was changed meanwhile. Or it exists, although
    the request has `If-None-Match: *`.
    """

    error: str
    """Human-readable message. Its wording may change."""
    code: Literal["PRECONDITION_FAILED"]
    """Stable code for programs."""
    details: NotRequired[PreconditionDetails]
    request_id: NotRequired[str]
    """ID of the request, as in the header `X-Request-Id`. Quote it when you report the error."""
    documentation_url: NotRequired[str]
    """Manual that describes the errors."""


class PayloadTooLargeError(TypedDict):
    """The body is larger than 1 MiB, or than 16 KiB where no credentials are needed, or has more than 20,000
    values or 5,000 fields.
    """

    error: str
    """Human-readable message. Its wording may change."""
    code: Literal["PAYLOAD_TOO_LARGE"]
    """Stable code for programs."""
    request_id: NotRequired[str]
    """ID of the request, as in the header `X-Request-Id`. Quote it when you report the error."""
    documentation_url: NotRequired[str]
    """Manual that describes the errors."""


class UnsupportedMediaTypeError(TypedDict):
    """The body is not sent as `application/json`."""

    error: str
    """Human-readable message. Its wording may change."""
    code: Literal["UNSUPPORTED_MEDIA_TYPE"]
    """Stable code for programs."""
    request_id: NotRequired[str]
    """ID of the request, as in the header `X-Request-Id`. Quote it when you report the error."""
    documentation_url: NotRequired[str]
    """Manual that describes the errors."""


class ValidationError(TypedDict):
    """A field or parameter is missing, unknown or invalid, or the state of the record does not allow the change;
    `details` lists each problem.
    """

    error: str
    """Human-readable message. Its wording may change."""
    code: Literal["VALIDATION_ERROR"]
    """Stable code for programs."""
    details: List[ValidationDetail]
    """The problems."""
    request_id: NotRequired[str]
    """ID of the request, as in the header `X-Request-Id`. Quote it when you report the error."""
    documentation_url: NotRequired[str]
    """Manual that describes the errors."""


class PspNotConnectedError(TypedDict):
    """The account is not connected to a payment provider."""

    error: str
    """Human-readable message. Its wording may change."""
    code: Literal["PSP_NOT_CONNECTED"]
    """Stable code for programs."""
    request_id: NotRequired[str]
    """ID of the request, as in the header `X-Request-Id`. Quote it when you report the error."""
    documentation_url: NotRequired[str]
    """Manual that describes the errors."""


class RateLimitedError(TypedDict):
    """There were too many requests; `Retry-After` and `details.retry_after` say how many seconds to wait."""

    error: str
    """Human-readable message. Its wording may change."""
    code: Literal["RATE_LIMITED"]
    """Stable code for programs."""
    details: NotRequired[RetryDetails]
    request_id: NotRequired[str]
    """ID of the request, as in the header `X-Request-Id`. Quote it when you report the error."""
    documentation_url: NotRequired[str]
    """Manual that describes the errors."""


class InternalError(TypedDict):
    """Something failed in the service; nothing was changed. Quote the `X-Request-Id` when you report it."""

    error: str
    """Human-readable message. Its wording may change."""
    code: Literal["INTERNAL_ERROR"]
    """Stable code for programs."""
    request_id: NotRequired[str]
    """ID of the request, as in the header `X-Request-Id`. Quote it when you report the error."""
    documentation_url: NotRequired[str]
    """Manual that describes the errors."""


class UnavailableError(TypedDict):
    """The database cannot be reached or is overloaded, or a record stayed locked for too long. Send the request
    again after `Retry-After` (also `details.retry_after`) seconds. Repeat a write with the same
    `Idempotency-Key`.
    """

    error: str
    """Human-readable message. Its wording may change."""
    code: Literal["UNAVAILABLE"]
    """Stable code for programs."""
    details: NotRequired[RetryDetails]
    request_id: NotRequired[str]
    """ID of the request, as in the header `X-Request-Id`. Quote it when you report the error."""
    documentation_url: NotRequired[str]
    """Manual that describes the errors."""


class PspError(TypedDict):
    """The payment provider refused the request or could not be reached."""

    error: str
    """Human-readable message. Its wording may change."""
    code: Literal["PSP_ERROR"]
    """Stable code for programs."""
    details: NotRequired[ProviderDetails]
    request_id: NotRequired[str]
    """ID of the request, as in the header `X-Request-Id`. Quote it when you report the error."""
    documentation_url: NotRequired[str]
    """Manual that describes the errors."""


class MethodNotAllowedError(TypedDict):
    """The path does not accept this method; the header `Allow` lists the accepted methods."""

    error: str
    """Human-readable message. Its wording may change."""
    code: Literal["METHOD_NOT_ALLOWED"]
    """Stable code for programs."""
    request_id: NotRequired[str]
    """ID of the request, as in the header `X-Request-Id`. Quote it when you report the error."""
    documentation_url: NotRequired[str]
    """Manual that describes the errors."""


class RequestTimeoutError(TypedDict):
    """The request did not arrive in time."""

    error: str
    """Human-readable message. Its wording may change."""
    code: Literal["REQUEST_TIMEOUT"]
    """Stable code for programs."""
    request_id: NotRequired[str]
    """ID of the request, as in the header `X-Request-Id`. Quote it when you report the error."""
    documentation_url: NotRequired[str]
    """Manual that describes the errors."""


class HeadersTooLargeError(TypedDict):
    """The URL and the headers together are larger than 16 KiB."""

    error: str
    """Human-readable message. Its wording may change."""
    code: Literal["HEADERS_TOO_LARGE"]
    """Stable code for programs."""
    request_id: NotRequired[str]
    """ID of the request, as in the header `X-Request-Id`. Quote it when you report the error."""
    documentation_url: NotRequired[str]
    """Manual that describes the errors."""


class AffiliatesListResponse(TypedDict):
    data: List[Affiliate]
    """The records."""
    pagination: Pagination


class ApiKeysListResponse(TypedDict):
    data: List[ApiKey]
    """The records."""
    pagination: Pagination


class ApplicationsListResponse(TypedDict):
    data: List[Application]
    """The records."""
    pagination: Pagination


class ApplicationsDecideResponse(TypedDict):
    decided: List[str]
    """Number of decided applications."""
    skipped: List[str]
    """Affiliates who were no longer pending. They were not changed."""


class AssetsListResponse(TypedDict):
    data: List[Asset]
    """The records."""
    pagination: Pagination


class CampaignsListResponse(TypedDict):
    data: List[Campaign]
    """The records."""
    pagination: Pagination


class PromoCodesListResponse(TypedDict):
    data: List[PromoCodeAssignment]
    """The records."""
    pagination: Pagination
    matches: NotRequired[List[PromoCodeMatch]]
    """Stripe promotion codes matching `q`. Present only with `q`."""
    discounts: NotRequired[List[PspDiscount]]
    """Valid Stripe coupons. Present only with `discounts=true`."""


class PromoCodesListAllResponse(TypedDict):
    data: List[PromoCodeAssignment]
    """The records."""
    pagination: Pagination


class PromoCodesPendingResponseData(TypedDict):
    id: str
    """ID of the operation."""
    affiliate_id: str
    """ID of the affiliate."""
    type: PromoCodePendingOperation
    livemode: bool
    """`false` for records of test mode."""
    code: str | None
    """The code to create."""
    psp_coupon_id: str | None
    """ID of the coupon at the payment provider."""
    psp_promotion_code_id: str | None
    """The Stripe promotion code to import."""
    is_running: bool
    """`true` if a request is working on the operation right now."""
    created_at: str
    """ISO 8601 time in UTC with milliseconds."""


class PromoCodesPendingResponse(TypedDict):
    data: List[PromoCodesPendingResponseData]
    """The records."""


class PromoCodesStopRequest(TypedDict):
    dry_run: NotRequired[bool]
    """If `true`, returns a preview and changes nothing here or in Stripe. Default: `true`."""


class CommissionsListResponse(TypedDict):
    data: List[Commission]
    """The records."""
    pagination: Pagination


class CommissionsVoidRequest(TypedDict):
    void_reason: NotRequired[str]
    """Reason, stored with the commission."""


class CustomersListResponse(TypedDict):
    data: List[ListedCustomer]
    """The records."""
    pagination: Pagination


class CustomersIdentitiesResponseData(TypedDict):
    kind: IdentityKind
    value: str
    """The address in lower case, or the ID."""
    is_verified: bool
    """`true` if you or a payment provider vouch for it. Anyone can enter an address on a page."""
    source: IdentitySource
    """Source that stated it first."""
    created_at: str
    """ISO 8601 time in UTC with milliseconds."""


class CustomersIdentitiesResponse(TypedDict):
    data: List[CustomersIdentitiesResponseData]
    """The records."""


class EventsListResponse(TypedDict):
    data: List[Event]
    """The records."""
    pagination: Pagination


class LeadsListResponse(TypedDict):
    data: List[Referral]
    """The records."""
    pagination: Pagination


class LinksListResponse(TypedDict):
    data: List[Link]
    """The records."""
    pagination: Pagination


class PayoutsListResponse(TypedDict):
    data: List[Payout]
    """The records."""
    pagination: NotRequired[Pagination]
    """Omitted with `eligible=true`."""


class PayoutsItemsResponse(TypedDict):
    data: List[Commission]
    """The records."""
    pagination: Pagination


class PayoutAttemptsListResponse(TypedDict):
    data: List[ListedPayoutAttempt]
    """The records."""
    pagination: Pagination


class PayoutBatchesListResponse(TypedDict):
    data: List[ListedPayoutBatch]
    """The records."""
    pagination: Pagination


class PayoutMethodsListResponse(TypedDict):
    data: List[PayoutMethod]
    """The records."""
    pagination: Pagination


class PayoutMethodsKindsResponse(TypedDict):
    data: List[PayoutMethodKind]
    """The records."""


class PayoutScreeningsListResponse(TypedDict):
    data: List[PayoutScreening]
    """The records."""
    pagination: Pagination


class PayoutExportsListResponse(TypedDict):
    data: List[PayoutExport]
    """The records."""
    pagination: Pagination


class PayoutRunsListResponse(TypedDict):
    data: List[PayoutRunSummary]
    """The records."""
    pagination: Pagination


class PayoutRunsItemsResponseDataIssue(TypedDict):
    """Reason why the item failed."""

    code: PayoutRunIssue
    """`missing_payout_details`: the affiliate has neither a PayPal (`walleta_email`) nor a Wise email address
    (`walletb_email`). `affiliate_inactive`: the affiliate is not active or is archived.
    """
    message: str
    """Explanation for people."""


class PayoutRunsItemsResponseDataAffiliate(TypedDict):
    """Current details of the affiliate."""

    email: str
    """Email address."""
    first_name: str | None
    """First name."""
    last_name: str | None
    """Last name."""


class PayoutRunsItemsResponseData(TypedDict):
    payout_id: str
    """ID of the payout."""
    affiliate_id: str
    """ID of the affiliate."""
    state: PayoutRunItemState
    """`planned`: the run has claimed or is about to claim the payout; `paid`; `returned`: the payout was paid, but
    the transfer bounced; `failed`: the item has an issue, and its payout is open again; `excluded`: the item
    was removed from the run, or its payout was claimed or paid elsewhere first; `canceled`: the payout was
    released when the run was canceled.
    """
    amount_cents: int
    """Amount when the payout was claimed."""
    currency: str
    """ISO 4217 currency code."""
    commissions_count: int
    """Number of commissions."""
    issue: PayoutRunsItemsResponseDataIssue | None
    """Reason why the item failed."""
    affiliate: PayoutRunsItemsResponseDataAffiliate
    """Current details of the affiliate."""


class PayoutRunsItemsResponse(TypedDict):
    data: List[PayoutRunsItemsResponseData]
    """The records."""
    pagination: Pagination


class ReferralsListResponse(TypedDict):
    data: List[Referral]
    """The records."""
    pagination: Pagination


class RefundsListResponse(TypedDict):
    data: List[RefundsOfSale]
    """The records."""
    pagination: Pagination


class RewardRulesListResponse(TypedDict):
    data: List[RewardRule]
    """The records."""
    pagination: Pagination


class RewardRulesWarningsResponse(TypedDict):
    data: List[RewardWarning]
    """The records."""


class RewardRulesReorderResponse(TypedDict):
    data: List[RewardRule]
    """The records."""


class TiersListResponse(TypedDict):
    data: List[Tier]
    """The records."""
    pagination: Pagination


class InvitationsListResponse(TypedDict):
    data: List[Invitation]
    """The records."""
    pagination: Pagination


class InvitationsDeleteRequest(TypedDict):
    kind: NotRequired[InvitationKind]
    """Expected kind. If set, an invitation of the other kind is not found."""


class SalesListResponse(TypedDict):
    data: List[SaleInList]
    """The records."""
    pagination: Pagination


class Account(TypedDict):
    """An account as a signed-in member sees it."""

    id: str
    """ID of the account."""
    livemode: bool
    """`false` for the test account, which holds the records of test mode."""
    name: str
    """Name."""
    currency: str
    """Default currency for new amounts."""
    role: Role
    """Role of the signed-in person in the account."""
    time_zone: str
    """Time zone of the account. Days in pages, emails, statements and analytics are days in it."""
    mail_language: MailLanguage
    """Language of emails to people who have not chosen a language."""
    code_before_link: bool
    """`true` if promo codes take precedence over links."""
    payout_approval: PayoutApproval
    payout_terms: List[PayoutTerms]
    """Fees, minimums and pauses of methods. Methods that are not named have none."""
    payouts_stopped_at: str | None
    """Time from which the service sends no payments; `null` if it does."""
    is_example: bool
    """`true` if the service filled the account with example data."""
    second_factor_required_from: str | None
    """Time from which the account is closed to members without a second factor; null when none is required."""
    lacks_second_factor: bool
    """`true` if the account is closed to the user because the user has no second factor."""
    deletion_scheduled_at: str | None
    """Time at which the account will be deleted; null if no deletion is scheduled."""


class PayoutApprovalAbove(TypedDict):
    currency: str
    """ISO 4217 currency code."""
    amount_cents: int
    """Amount in the currency’s minor unit."""


class PayoutApprovalDailyLimits(TypedDict):
    currency: str
    """ISO 4217 currency code."""
    amount_cents: int
    """Amount in the currency’s minor unit."""


# Hours of the day, in the time zone of the account, in which payments are sent: from the beginning of
# `from` to the beginning of `until`. `null`: all hours.
PayoutApprovalAllowedHours = TypedDict(
    "PayoutApprovalAllowedHours",
    {
        "from": "int",
        "until": "int",
    },
)


class PayoutApproval(TypedDict):
    """Rules for payments that the service sends."""

    second_person: SecondPerson
    """Payments that somebody else than who prepared them must approve: none, all, or those that exceed the amounts
    of `above`.
    """
    above: List[PayoutApprovalAbove]
    """Largest amounts that are sent within 24 hours without approval. `0` in other currencies. Only for `above`."""
    daily_limits: List[PayoutApprovalDailyLimits] | None
    """Largest amounts that are sent within 24 hours, with or without approval. `0` in other currencies. `null`: no
    limit.
    """
    new_methods: bool
    """`true`: somebody else must approve the first payment of an affiliate by a method, and the first one after a
    change of addresses.
    """
    allowed_hours: PayoutApprovalAllowedHours | None
    """Hours of the day, in the time zone of the account, in which payments are sent: from the beginning of `from`
    to the beginning of `until`. `null`: all hours.
    """


class PayoutTermsFees(TypedDict):
    currency: str
    """ISO 4217 currency code."""
    amount_cents: int
    """Amount in the currency’s minor unit."""


class PayoutTermsMinimums(TypedDict):
    currency: str
    """ISO 4217 currency code."""
    amount_cents: int
    """Amount in the currency’s minor unit."""


class PayoutTerms(TypedDict):
    """The terms on which affiliates are paid by a method."""

    method: str
    """Kind of the method."""
    fee_bearer: FeeBearer
    """`affiliate`: the fee of a payment is taken from the amount that is sent. `merchant`: it is paid besides."""
    fees: List[PayoutTermsFees]
    """Fee of a payment that an affiliate bears. In other currencies, it is the fee that the service quotes before;
    without a quote, you bear it.
    """
    minimums: List[PayoutTermsMinimums]
    """Smallest payouts that are paid by the method. No minimum in other currencies."""
    paused: bool
    """`true`: nothing new is prepared or sent by the method. Payments that the service which pays has are followed
    to their end.
    """


class ApiRequest(TypedDict):
    """A request with an API key. Kept for 7 days, at most 20,000 entries a day."""

    id: str
    """ID of the API request."""
    key_id: str
    """ID of the API key."""
    method: str
    """HTTP method."""
    path: str
    """Path without the query. Other values than IDs of records are replaced by the name of the parameter."""
    status: int
    """HTTP status of the response, or that of a canceled request if the client did not read the whole response."""
    error_code: str | None
    """`code` of an error."""
    request_id: str
    """The `X-Request-Id` of the response."""
    duration_ms: float
    """Time until the response was sent, in milliseconds."""
    count: int
    """Number of requests. Refusals within a second with the same key, method, route, status and error code are one
    entry.
    """
    created_at: str
    """ISO 8601 time in UTC with milliseconds."""


class AuditEntry(TypedDict):
    """A recorded action: a write by a member or an AI assistant, a write by an API key in the settings, a sign-in
    of a member, or a merge of customers by the service.
    """

    id: str
    """ID of the audit entry."""
    caller_kind: str
    """`connector`, `api_key`, `session`, or `system` for changes that the service made itself, e.g. after a Stripe
    event.
    """
    caller_id: str
    """ID of the connector, API key, or user; `system` for changes that the service made itself."""
    tool: str
    """Name of the group of operations."""
    action: str
    """Action, e.g. `create`."""
    arguments: Any
    """Arguments of the call. Secrets are removed and long texts truncated."""
    preview: bool
    """`true` if the call was a preview, which changes nothing."""
    outcome: str | None
    """`succeeded`, `replayed` (stored response of an earlier call), or an error code. `null` while the call runs
    or if the process stopped before it finished.
    """
    request_id: str
    """ID of the request."""
    created_at: str
    """ISO 8601 time in UTC with milliseconds."""
    completed_at: str | None
    """ISO 8601 time in UTC with milliseconds."""


class ConnectorDailyPayLimits(TypedDict):
    currency: str
    """ISO 4217 currency code."""
    amount_cents: int
    """Amount in the currency’s minor unit."""


class Connector(TypedDict):
    """Access of an AI assistant to the account."""

    id: str
    """ID of the connector."""
    livemode: bool
    """`false` for records of test mode."""
    name: str
    """Name."""
    kind: ConnectorKind
    """`token`: uses its own token. `oauth`: authorized by a user in the browser."""
    prefix: str
    """First characters of the token, for identification. Empty for `oauth`."""
    authorized_by_user_id: str | None
    """User who authorized the connector; `null` for `token`."""
    permissions: Dict[str, bool]
    """Map of permission names (`mcp.*`, `settings.webhooks.*`, `settings.members.read` and
    `settings.connectors.read`) to booleans. Permissions that are absent are denied.
    """
    daily_pay_limits: List[ConnectorDailyPayLimits] | None
    """Largest amount per currency that the assistant may mark as paid within 24 hours; `null`: no limit."""
    live_only: bool
    """`true` if an API key of live mode made the connector. Such a connector sees and makes only live records."""
    expires_at: str | None
    """ISO 8601 time in UTC with milliseconds."""
    last_used_at: str | None
    """Time of last use, to the minute."""
    revoked_at: str | None
    """ISO 8601 time in UTC with milliseconds."""
    created_at: str
    """ISO 8601 time in UTC with milliseconds."""
    updated_at: str
    """ISO 8601 time in UTC with milliseconds."""


class CreatedConnectorDailyPayLimits(TypedDict):
    currency: str
    """ISO 4217 currency code."""
    amount_cents: int
    """Amount in the currency’s minor unit."""


class CreatedConnector(TypedDict):
    id: str
    """ID of the connector."""
    livemode: bool
    """`false` for records of test mode."""
    name: str
    """Name."""
    kind: ConnectorKind
    """`token`: uses its own token. `oauth`: authorized by a user in the browser."""
    prefix: str
    """First characters of the token, for identification. Empty for `oauth`."""
    authorized_by_user_id: str | None
    """User who authorized the connector; `null` for `token`."""
    permissions: Dict[str, bool]
    """Map of permission names (`mcp.*`, `settings.webhooks.*`, `settings.members.read` and
    `settings.connectors.read`) to booleans. Permissions that are absent are denied.
    """
    daily_pay_limits: List[CreatedConnectorDailyPayLimits] | None
    """Largest amount per currency that the assistant may mark as paid within 24 hours; `null`: no limit."""
    live_only: bool
    """`true` if an API key of live mode made the connector. Such a connector sees and makes only live records."""
    expires_at: str | None
    """ISO 8601 time in UTC with milliseconds."""
    last_used_at: str | None
    """Time of last use, to the minute."""
    revoked_at: str | None
    """ISO 8601 time in UTC with milliseconds."""
    created_at: str
    """ISO 8601 time in UTC with milliseconds."""
    updated_at: str
    """ISO 8601 time in UTC with milliseconds."""
    token: str
    """The secret token. Returned only once."""


class ProviderConnection(TypedDict):
    """A connection to an account at a payment provider. Contains no secrets."""

    id: str
    """ID of the connection."""
    source: str
    """Kind of the source: a payment provider, or `facts` for facts that your own server signs."""
    livemode: bool
    """`false` for records of test mode."""
    provider_account_id: str
    """ID of your account at the provider."""
    provider_account_name: str | None
    """Name of your account at the provider."""
    webhook_url: str
    """URL to which the provider must send events."""
    events_url: str
    """The same URL as `webhook_url`."""
    webhook_event_types: List[str]
    """Event types to subscribe to at the provider."""
    choices: Dict[str, str]
    """Your decisions about what earns, by name. `GET /connections/sources` lists the options."""
    has_signing_secret: bool
    """`false` while events are refused, because no signing secret is set."""
    problem: str | None
    """Reason why the provider could not be asked for events that were not delivered, e.g. because the key has
    expired. `null` if it could, the last time.
    """
    last_event_at: str | None
    """Time of the last event; `null` if there was none in 90 days."""
    ignored_events: int
    """Number of events that are kept without an effect, e.g. because they are of the other mode."""
    ignored_reasons: List[IgnoredReason]
    """Reasons why these events had no effect, with the number of events each. The most frequent reasons come
    first.
    """
    waiting_events: int
    """Number of events that could not be applied so far."""
    key_expires_at: str | None
    """Time from which the provider refuses the key. `null` unless the provider has announced it."""
    looked_at: str | None
    """Time at which the provider was last asked for events that were not delivered."""
    created_at: str
    """ISO 8601 time in UTC with milliseconds."""
    updated_at: str
    """ISO 8601 time in UTC with milliseconds."""


class IgnoredReason(TypedDict):
    reason: str
    """The reason."""
    count: int
    """Number of records."""


class ProviderConnectionWithSecret(TypedDict):
    """A connection to an account at a payment provider."""

    id: str
    """ID of the connection."""
    source: str
    """Kind of the source: a payment provider, or `facts` for facts that your own server signs."""
    livemode: bool
    """`false` for records of test mode."""
    provider_account_id: str
    """ID of your account at the provider."""
    provider_account_name: str | None
    """Name of your account at the provider."""
    webhook_url: str
    """URL to which the provider must send events."""
    events_url: str
    """The same URL as `webhook_url`."""
    webhook_event_types: List[str]
    """Event types to subscribe to at the provider."""
    choices: Dict[str, str]
    """Your decisions about what earns, by name. `GET /connections/sources` lists the options."""
    has_signing_secret: bool
    """`false` while events are refused, because no signing secret is set."""
    problem: str | None
    """Reason why the provider could not be asked for events that were not delivered, e.g. because the key has
    expired. `null` if it could, the last time.
    """
    last_event_at: str | None
    """Time of the last event; `null` if there was none in 90 days."""
    ignored_events: int
    """Number of events that are kept without an effect, e.g. because they are of the other mode."""
    ignored_reasons: List[IgnoredReason]
    """Reasons why these events had no effect, with the number of events each. The most frequent reasons come
    first.
    """
    waiting_events: int
    """Number of events that could not be applied so far."""
    key_expires_at: str | None
    """Time from which the provider refuses the key. `null` unless the provider has announced it."""
    looked_at: str | None
    """Time at which the provider was last asked for events that were not delivered."""
    created_at: str
    """ISO 8601 time in UTC with milliseconds."""
    updated_at: str
    """ISO 8601 time in UTC with milliseconds."""
    signing_secret: NotRequired[str]
    """Secret with which you sign, or that you enter at the provider. Only if this service has made it, and
    returned only once.
    """


class Source(TypedDict):
    """A kind of source that can be connected."""

    source: str
    """Kind of the source: a payment provider, or `facts` for facts that your own server signs."""
    name: str
    """Name of the provider."""
    fields: List[CredentialField]
    """The fields of `credentials`. Empty if the source needs none."""
    makes_secret: bool
    """`true` if this service makes the signing secret, and returns it when the source is connected."""
    creates_endpoint: bool
    """`true` if this service creates the endpoint at the provider."""
    choices: List[ConnectionChoice]
    """Decisions about what earns, which a connection of this source offers."""
    event_types: List[str]
    """The event types that the service handles."""


class CredentialField(TypedDict):
    name: str
    """Name."""
    secret: bool
    """`true` for a value that pages hide."""
    placeholder: str
    """Form of the value."""


class ConnectionChoice(TypedDict):
    name: str
    """Name."""
    options: List[str]
    """The first one holds until you choose."""


class PspConnection(TypedDict):
    """The account’s connection to Stripe. Contains no secrets."""

    connected: bool
    """`true` if the account is connected."""
    livemode: bool | None
    """`true` for a live-mode key, `false` for a test-mode key, `null` without a connection."""
    psp_account_id: str | None
    """ID of the account at the payment provider."""
    psp_account_name: str | None
    """Name of the account at the payment provider."""
    endpoint_id: str | None
    """ID of the webhook endpoint in Stripe, if the service created it; otherwise `null`."""
    connected_account_id: str | None
    """For a Stripe Connect platform: the connected account whose events count. `null` for the platform’s own
    account. Events of other accounts are kept without an effect.
    """
    customer_id_key: str | None
    """Key of Stripe metadata under which you store your own ID of the customer. Initially `customer_id`. `null` if
    there is no such key.
    """
    outside_payments: OutsidePayments
    """Effect of an invoice that is marked as paid outside Stripe: `count` (earns commissions) or `exclude`.
    Applies to payments that become known afterwards. Initially `count`.
    """
    write_back: bool
    """`true` if the service writes the IDs of `affiliate`, `campaign` and `commission` into the metadata of the
    customer and the invoice in Stripe. Applies to commissions that change afterwards. Initially `false`.
    """
    write_back_problem: str | None
    """Reason why the last attempt to write metadata failed. It is repeated."""
    webhook_url: str
    """URL to which Stripe must send events."""
    webhook_event_types: List[str]
    """Event types to subscribe to in Stripe."""
    previous_webhook_secret_expires_at: str | None
    """Time until which the previous signing secret is also accepted."""
    created_at: str | None
    """ISO 8601 time in UTC with milliseconds."""
    updated_at: str | None
    """ISO 8601 time in UTC with milliseconds."""


class PspCatalogProducts(TypedDict):
    id: str
    """ID."""
    name: str
    """The ID if the name cannot be read."""


class PspCatalogPrices(TypedDict):
    id: str
    """ID."""
    name: str | None
    """Name."""
    product_id: str
    """The product that the price is for."""
    interval: PriceInterval
    unit_cents: int | None
    """Amount of a unit; `null` if it depends on the quantity or the customer."""
    currency: str
    """ISO 4217 currency code."""
    active: bool
    """Number of active ones."""


class PspCatalog(TypedDict):
    """The products and prices at the connected payment providers."""

    connected: bool
    """`false` if no payment provider is connected. Then the lists are empty."""
    problem: str | None
    """Reason why the products could not be read, in plain words; `null` if they were."""
    is_complete: bool
    """`false` if a provider has more prices than its 1,000 newest ones, which are listed, or does not list its
    products.
    """
    products: List[PspCatalogProducts]
    """The products, by name."""
    prices: List[PspCatalogPrices]
    """Their prices, newest first."""


class PspEndpointStatusEndpoint(TypedDict):
    """The endpoint at the payment provider."""

    id: str
    """ID."""
    is_managed: bool
    """`true` if the service created the endpoint."""
    is_enabled: bool
    """`true` if it is enabled."""
    api_version: str | None
    """`null` for the default version of the Stripe account."""
    missing_event_types: List[str]
    """Event types that the service handles and the endpoint does not receive."""


class PspEndpointStatusMissingPermissions(TypedDict):
    resource: str
    """Resource at the payment provider."""
    access: PspAccess
    purpose: PermissionPurpose


class PspEndpointStatus(TypedDict):
    """The webhook endpoint in Stripe, and what the key may not do."""

    endpoint: PspEndpointStatusEndpoint | None
    """The endpoint at the payment provider."""
    problem: PspEndpointProblem | None
    """Reason why events may be missing. `unreadable`: the key may not read endpoints."""
    missing_permissions: List[PspEndpointStatusMissingPermissions]
    """Permissions that the key lacks, as Stripe names them. `purpose`: `endpoint` to create and repair the webhook
    endpoint, `events` to read what events leave out, `lines` to read what was sold, `codes` for promo codes,
    `write_back` to write metadata, if you have switched that on.
    """


class StartedTestPurchase(TypedDict):
    """A checkout in the test mode of Stripe that waits for its payment."""

    id: str
    """ID of the operation."""
    checkout_url: str
    """Address of the checkout at Stripe. Pay there with a test card."""
    affiliate_id: str
    """The affiliate whose link the checkout names."""
    amount_cents: int
    """Amount in the currency’s minor unit."""
    currency: str
    """ISO 4217 currency code."""


class TestPurchaseCheckout(TypedDict):
    """`null` until the event of the completed checkout has arrived."""

    at: str
    """ISO 8601 time in UTC with milliseconds."""
    referral_id: str | None
    """ID of the referral."""


class TestPurchaseSale(TypedDict):
    """`null` until the event of the payment has arrived."""

    id: str
    """ID of the sale."""
    amount_cents: int
    """Amount in the currency’s minor unit."""
    currency: str
    """ISO 4217 currency code."""
    no_commission_reason: NoCommissionReason | None
    """Reason why the sale earned no commission; `null` if it earned one."""


class TestPurchaseCommission(TypedDict):
    """The commission."""

    id: str
    """ID of the commission."""
    amount_cents: int
    """Amount in the currency’s minor unit."""
    currency: str
    """ISO 4217 currency code."""


class TestPurchase(TypedDict):
    """Progress of a test purchase."""

    checkout: TestPurchaseCheckout | None
    """`null` until the event of the completed checkout has arrived."""
    sale: TestPurchaseSale | None
    """`null` until the event of the payment has arrived."""
    commission: TestPurchaseCommission | None
    """The commission."""


class ImportFiles(TypedDict):
    kind: str
    """The records in the file."""
    bytes: int
    """Bytes of the text in UTF-8 that have arrived."""
    is_complete: bool
    """False while parts of the file are still to come."""


class ImportCounts(TypedDict):
    kind: ImportedKind
    """Kind of the record."""
    outcome: ImportOutcome | None
    """`null` for records that are not checked yet."""
    count: int
    """Number of records."""
    done: int
    """Number of them with which the import has finished."""


class ImportTotals(TypedDict):
    kind: ImportedAmount
    """Kind of the records."""
    currency: str | None
    """ISO 4217 currency code."""
    state: str
    """State of the records at the source, in the words of this API."""
    count: int
    """Number of records."""
    source_cents: int
    """Sum of all records of the source."""
    here_cents: int
    """Sum of those that the import makes or has made, or that your account has. The difference is that of the
    records that are skipped or a problem.
    """


class ImportProgress(TypedDict):
    """Progress of the work in the background; `null` if there is none."""

    phase: ImportPhase
    """The present work."""
    done: int
    """Number of records with which it is done."""
    total: int | None
    """Number of all records, or `null` if the source does not say how many it has."""
    per_minute: int
    """Records in a minute since the work began, or went on."""
    seconds_left: int | None
    """Seconds until the work is done, at this rate."""


class Import(TypedDict):
    """A move of your program from another tool. Contains no key."""

    id: str
    """ID of the import."""
    livemode: bool
    """`false` for records of test mode."""
    source: str
    """The tool from which the records come."""
    state: ImportState
    """`reading`: the records are read and checked, and nothing is made yet; `draft`: files arrive in parts, or
    reading was stopped; `ready`: everything is known that the import would make; `running`: records are made;
    `done`; `undoing` and `undone`: the records that the import made are removed; `failed`: see `failure`.
    """
    files: List[ImportFiles]
    """Files that were not read yet. They are deleted as soon as they are read, or cannot be read."""
    campaign_id: str | None
    """Campaign of affiliates for whom the source names none."""
    currency: str | None
    """Currency of amounts for which the source names none."""
    counts: List[ImportCounts]
    """Numbers of records by kind and outcome."""
    totals: List[ImportTotals]
    """Amounts of commissions and payouts by currency and state."""
    progress: ImportProgress | None
    """Progress of the work in the background; `null` if there is none."""
    expected_count: int | None
    """Number of records that the source says to have, or `null`."""
    failure: ImportFailure | None
    """Reason why the import failed. `key_refused`: the source does not accept the key; `no_api_access`: your plan
    there has no API; `not_understood`: an answer has another form than documented; `goes_round`: a list begins
    again and again; `unreachable`: the source did not answer for hours; `file_unreadable`: a file is not the
    CSV that its kind needs. Run the import again to go on where it stopped.
    """
    failure_detail: str | None
    """The column of a file, or the list of the source, that the failure is about."""
    resume_at: str | None
    """Time at which a source that asked to wait is asked again."""
    read_at: str | None
    """ISO 8601 time in UTC with milliseconds."""
    done_at: str | None
    """ISO 8601 time in UTC with milliseconds."""
    created_at: str
    """ISO 8601 time in UTC with milliseconds."""
    updated_at: str
    """ISO 8601 time in UTC with milliseconds."""


class ImportRow(TypedDict):
    """A record of the source, and what becomes of it."""

    kind: ImportedKind
    """Kind of the record."""
    source_id: str
    """ID of the record at the source, or its place in a file."""
    outcome: ImportOutcome | None
    """`new`: the record is made, or was made by this import; `existing`: your account has the record already, and
    it stays as it is; `skipped`: there is nothing to do; `problem`: the record cannot be made, see `reason`.
    """
    reason: ImportRowReason | None
    """`repeated`: an earlier record of the import is the same; `no_customer`: a visitor who left no name, a
    customer of a test, or one whom the source no longer counts for the affiliate; `invalid`: a field has no
    valid value, see `detail`; `campaign_missing`, `affiliate_missing`: the record refers to one that is not
    there, or is a campaign of which the source does not tell what affiliates earn and that has no namesake
    here; `token_taken`: a link of another affiliate has the token; `other_affiliate`: the customer belongs to
    another affiliate here; `currency_missing`: neither the record nor the import names a currency; `no_money`:
    points, months and the like; `earned_here`: the sale has a commission here already; `not_paid`: the payout
    is not paid yet, and its commissions wait for a payout here; `being_paid`: the former tool is paying the
    payout, so run the import again when it has; `commissions_differ`: the commissions of the payout are not
    known, not all of them are paid, or they do not add up to its amount; `changed_there`: the record has
    changed at the source, but its commission was paid or adjusted here; `refused`: see `detail`; `in_use`: the
    record has earned or was paid since, so it is not removed.
    """
    detail: str | None
    """The field that is wrong, and the code of the error."""
    record_id: str | None
    """ID of the record here. For a customer, that of the referral."""
    data: Dict[str, Any]
    """The record as it was understood."""


class ShadowHistory(TypedDict):
    """Reading of the payments since `since` at your payment providers."""

    open: int
    """Number of connections whose history is still being read."""
    problem: str | None
    """Reason why the last attempt to read one failed. It is repeated."""


class Shadow(TypedDict):
    """The time in which your former tool still decides what sales earn."""

    state: ShadowState
    """`on`: the former tool decides what sales earn, nothing is paid, and affiliates get no news by email;
    `ending`: sales earn here, and nothing is paid until the imports have read the former tool once more; `off`:
    the account is no shadow.
    """
    since: str | None
    """Time from which the former tool decides or, unless the state is `on`, until which it did; null if there was
    no shadow.
    """
    history: ShadowHistory
    """Reading of the payments since `since` at your payment providers."""


class ShadowCustomerSalesThere(TypedDict):
    """Commission of the former tool."""

    affiliate_id: str
    """ID of the affiliate."""
    affiliate_name: str
    """Name of the affiliate, or the email address if there is no name."""
    amount_cents: int
    """Amount in the currency’s minor unit."""
    currency: str
    """ISO 4217 currency code."""


class ShadowCustomerSalesHere(TypedDict):
    """Commission of this service, bonuses included."""

    affiliate_id: str
    """ID of the affiliate."""
    affiliate_name: str
    """Name of the affiliate, or the email address if there is no name."""
    amount_cents: int
    """Amount in the currency’s minor unit."""
    currency: str
    """ISO 4217 currency code."""


class ShadowCustomerSales(TypedDict):
    sale_id: str | None
    """Null if the former tool names no payment."""
    charged_at: str
    """ISO 8601 time in UTC with milliseconds."""
    outcome: ShadowOutcome
    """`equal`: both give the same; `differs`: see `cause`; `only_there`: nothing is earned here; `only_here`: the
    former tool gives nothing.
    """
    cause: ShadowCause | None
    """Cause of the difference. `affiliate`: another affiliate earns; `currency`: the former tool has converted the
    amount; `tax`, `refund`, `tax_and_refund`: the former tool pays for tax or for what was refunded or lost in
    a dispute; `rounding`: one cent; `charge`: the former tool pays the same percentage of another amount, e.g.
    of the price without discount; `terms`: another percentage, a fixed amount or reward rules; `duplicate`: the
    former tool has a further commission for the same payment; `no_payment`, `no_customer`: it names no payment,
    or no customer; `voided_there`: a person or a refund has voided the commission there; `not_earned_there`:
    the former tool knows no commission. Other values say why the sale earns nothing here.
    """
    there: ShadowCustomerSalesThere | None
    """Commission of the former tool."""
    here: ShadowCustomerSalesHere | None
    """Commission of this service, bonuses included."""
    explanation: str
    """The decision of this service in plain words."""


class ShadowCustomer(TypedDict):
    """The sales of a customer, as a former tool and as this service decide them."""

    customer_id: str
    """ID of the customer."""
    sales: List[ShadowCustomerSales]
    """In the order of the charges. Sales that earn nothing in either are left out."""


class ShadowSumsData(TypedDict):
    affiliate_id: str
    """ID of the affiliate."""
    affiliate_name: str
    """Name of the affiliate, or the email address if there is no name."""
    month: str
    """Month of the charges, in UTC."""
    currency: str
    """ISO 4217 currency code."""
    there_cents: int
    """Sum of the commissions of the former tool."""
    here_cents: int
    """Sum of those of this service."""


class ShadowSumsCauses(TypedDict):
    outcome: ShadowOutcome
    """`equal`: both give the same; `differs`: see `cause`; `only_there`: nothing is earned here; `only_here`: the
    former tool gives nothing.
    """
    cause: ShadowCause | None
    """Cause of the difference. `affiliate`: another affiliate earns; `currency`: the former tool has converted the
    amount; `tax`, `refund`, `tax_and_refund`: the former tool pays for tax or for what was refunded or lost in
    a dispute; `rounding`: one cent; `charge`: the former tool pays the same percentage of another amount, e.g.
    of the price without discount; `terms`: another percentage, a fixed amount or reward rules; `duplicate`: the
    former tool has a further commission for the same payment; `no_payment`, `no_customer`: it names no payment,
    or no customer; `voided_there`: a person or a refund has voided the commission there; `not_earned_there`:
    the former tool knows no commission. Other values say why the sale earns nothing here.
    """
    currency: str
    """ISO 4217 currency code."""
    sales_count: int
    """Number of sales. One with two currencies is in both of them."""
    there_cents: int
    """Sum of the commissions of the former tool."""
    here_cents: int
    """Sum of those of this service."""


class ShadowSums(TypedDict):
    """Sums of the commissions of a former tool and of this service, for a part of the customers."""

    data: List[ShadowSumsData]
    """Sums by affiliate, month and currency, in no order."""
    causes: List[ShadowSumsCauses]
    """The same amounts by outcome, cause and currency, in no order."""
    customers_count: int
    """Number of customers in this part."""
    next: str | None
    """Customer after whom the next part begins, or `null` if this is the last part."""


class CallerAccount(TypedDict):
    """The account that the request is about."""

    name: str
    """Name."""
    currency: str
    """ISO 4217 currency code."""
    time_zone: str
    """Time zone of the days."""


class Caller(TypedDict):
    """The API key or the signed-in person that sends a request."""

    kind: CallerKind
    """`api_key`, or `session` for a signed-in person."""
    id: str
    """ID of the API key or the person."""
    name: str
    """Name of the API key or the person."""
    account_id: str
    """ID of the account."""
    livemode: bool | None
    """The mode of an API key. `false` for every caller in test mode; `null` for a person, or a key without a mode,
    otherwise.
    """
    account: CallerAccount
    """The account that the request is about."""
    role: RoleOfCaller | None
    """Role of the signed-in person, `invitee` for a person with a pending invitation only; `null` for an API key."""
    permissions: List[str]
    """The permissions of the caller on the REST APIs, without those that are not granted."""
    expires_at: str | None
    """Time at which the API key expires; `null` if it does not."""


class EmailText(TypedDict):
    """The texts of an email to affiliates."""

    mail: EmailTextName
    """Name of the email."""
    language: MailLanguage
    subject: str
    """Subject. May contain placeholders."""
    body: str
    """Paragraphs, separated by blank lines. Placeholders are written as `{{name}}`."""
    is_default: bool
    """`true` if these are the default texts."""
    is_optional: bool
    """`true` if you may choose not to send this email."""
    can_unsubscribe: bool
    """`true` for an email of the program. Each of these contains a link with which its reader ends all of them."""
    is_sent: bool
    """`true` if this email is sent."""
    placeholders: List[str]
    """Names of the placeholders that subject and body may contain."""


class BlockedAddress(TypedDict):
    """An address that gets no emails."""

    email: str
    """Email address."""
    reason: BlockReason
    """`no_such_recipient`: the address does not exist. `complaint`: its owner reported an email as spam, and only
    gets emails that they ask for, e.g. sign-in links. `unsubscribed`: the affiliate ended the emails of the
    program, and only the affiliate can start them again.
    """
    blocked_at: str
    """ISO 8601 time in UTC with milliseconds."""
    expires_at: str | None
    """Time from which the address gets emails again. Null if there is none."""


class PayoutRail(TypedDict):
    """An account at a service that pays affiliates. Contains no secrets."""

    id: str
    """ID of the payout rail."""
    kind: str
    """Kind of the method whose payments go through the rail."""
    livemode: bool
    """`false` for records of test mode."""
    provider_account_id: str
    """Your account at the service that pays."""
    events_url: str
    """URL to which the service that pays sends notices."""
    has_endpoint: bool
    """`false` if no notices come, so that payments are only asked about every few minutes."""
    problem: str | None
    """Reason for which no further payment is sent. Correct the cause, and resume the rail."""
    problem_at: str | None
    """ISO 8601 time in UTC with milliseconds."""
    created_at: str
    """ISO 8601 time in UTC with milliseconds."""
    updated_at: str
    """ISO 8601 time in UTC with milliseconds."""


class PayoutRailKind(TypedDict):
    """A service that can be connected to pay affiliates."""

    kind: str
    """Kind of the method whose payments go through the rail."""
    name: str
    """Name of the service that pays."""
    sends: bool
    """`true` if the service sends payments; `false` for a bank account from which you pay the files of exports."""
    fields: List[RailField]
    """The fields of `credentials`."""


class RailField(TypedDict):
    name: str
    """Name."""
    required: bool
    """`true` if the answer is required."""
    secret: bool
    """`true` for a value that pages hide."""
    placeholder: str
    """Form of the value."""


class ScreeningSettings(TypedDict):
    """With what affiliates are compared before they are paid."""

    kind: ScreeningKind | None
    """`lists`: affiliates are compared with the lists before they are paid. `null`: they are not."""
    lists: List[ScreeningList]
    """The lists that the operator of the installation has loaded."""


class ScreeningList(TypedDict):
    """A list that the operator of the installation has loaded."""

    list: str
    """`ofac`: United States; `un`: United Nations; `uk`: United Kingdom; `eu`: European Union."""
    list_date: str
    """Day of the version of the list."""
    names_count: int
    """Number of names in the list."""
    loaded_at: str
    """Time at which the operator of the installation loaded it."""
    fresh: bool
    """`false` if it was loaded more than 30 days ago. Then nobody is cleared."""


class TestClock(TypedDict):
    """The clock of test mode."""

    now: str
    """The time by which dates of the account’s test records are compared."""
    ahead_seconds: int
    """Seconds by which the clock is ahead of the service’s clock."""


class CopiedCampaignsData(TypedDict):
    live_campaign_id: str
    """The campaign in live mode."""
    campaign_id: str | None
    """The campaign in test mode. `null` in a preview of a copy."""
    name: str
    """Name of the campaign in live mode."""
    copied: bool
    """`false` if test mode already had a campaign with this slug or `external_id`. That campaign does not change."""
    rules_count: int
    """Number of copied reward rules."""
    tiers_count: int
    """Number of copied tiers."""
    left_out_rules_count: int
    """Number of reward rules that are not copied because they are for one affiliate or link."""
    provider_ids: List[str]
    """IDs of products, prices and a coupon that the copy names. It has an effect in test mode if the provider’s
    test mode uses the same IDs.
    """


class CopiedCampaigns(TypedDict):
    """The result of copying campaigns to test mode."""

    data: List[CopiedCampaignsData]
    """The campaigns of live mode that are not archived, oldest first."""


class DeletedTestData(TypedDict):
    """The result of deleting all test data."""

    deleted_count: int
    """Number of deleted rows of the database."""


class WebhookDeliveryDetail(TypedDict):
    id: str
    """ID of the delivery, sent as `webhook-id` and `hook-id` with every attempt."""
    livemode: bool
    """`false` for records of test mode."""
    endpoint_id: str
    """ID of the webhook endpoint."""
    event_id: str
    """ID of the event."""
    event_type: EventType
    test: bool
    """`true` for a test delivery."""
    status: DeliveryStatus
    """`pending`: not completed; `succeeded`; `failed`: all scheduled attempts failed; `canceled`: the endpoint was
    deleted before the delivery was completed.
    """
    attempts_count: int
    """Number of attempts so far."""
    next_attempt_at: str | None
    """Time of the next scheduled attempt; `null` if none is scheduled."""
    retry_requested_at: str | None
    """Time at which a manual retry was requested; `null` if none is outstanding."""
    last_attempt_at: str | None
    """ISO 8601 time in UTC with milliseconds."""
    response_status: int | None
    """HTTP status of the last attempt; `null` without a response."""
    error_code: str | None
    """Error code of the last attempt; `null` if it succeeded."""
    completed_at: str | None
    """Time at which the delivery succeeded, finally failed, or was canceled."""
    created_at: str
    """ISO 8601 time in UTC with milliseconds."""
    request_body: str
    """Request body, identical for every attempt."""
    attempts: List[WebhookAttempt]
    """Attempts, oldest first."""


class WebhookAttempt(TypedDict):
    """One request of a delivery and its response. Kept for 30 days."""

    attempt: int
    """Attempt number, starting at 1."""
    trigger: WebhookTrigger
    """Origin of the attempt: the schedule or a manual request."""
    started_at: str
    """ISO 8601 time in UTC with milliseconds."""
    duration_ms: int
    """Duration in milliseconds."""
    request_headers: Dict[str, str]
    """Headers that were sent."""
    response_status: int | None
    """HTTP status; `null` without a response."""
    response_headers: Dict[str, str] | None
    """Headers that were received."""
    response_excerpt: str | None
    """First 16 KiB of the response body."""
    error_code: str | None
    """`null` after a 2xx status; otherwise `private_uri`, `invalid_uri`, `timeout`, `dns_error`, `ssl_error`,
    `connection_error`, or `http_<status>`.
    """


class ResendSummary(TypedDict):
    created_count: int
    """Number of new deliveries, for events without a delivery to the endpoint or with only failed ones."""
    retried_count: int
    """Number of pending deliveries that are attempted again immediately."""


class WebhookEndpoint(TypedDict):
    """A URL that receives signed events of selected types."""

    id: str
    """ID of the webhook endpoint."""
    name: str
    """Name."""
    url: str
    """URL to which events are posted. Must be http or https, without credentials (see `secret_headers`), on a
    public address.
    """
    event_types: List[EventSubscription]
    """Event types sent to this endpoint. `commission.*` stands for all about commissions, `*` for all, later types
    included.
    """
    active: bool
    """`true` if deliveries are sent. Deliveries that come due while the endpoint is inactive are sent when it is
    activated again.
    """
    livemode: bool | None
    """`true`: events about live records only. `false`: events about test records only. `null`: both."""
    secret_header_names: List[str]
    """Names of the headers of `secret_headers`, in lower case."""
    disabled_reason: DisabledReason | None
    """Reason why the service deactivated the endpoint: `gone` (it responded with 410) or `failing` (no success for
    five days). `null` otherwise, and after reactivation.
    """
    disabled_at: str | None
    """ISO 8601 time in UTC with milliseconds."""
    failing_since: str | None
    """Time of the first failure since the last success; `null` while deliveries succeed."""
    last_success_at: str | None
    """Time of the last success, to the minute."""
    previous_secret_expires_at: str | None
    """Time until which deliveries are also signed with the previous secret."""
    deleted_at: str | None
    """ISO 8601 time in UTC with milliseconds."""
    created_at: str
    """ISO 8601 time in UTC with milliseconds."""
    updated_at: str
    """ISO 8601 time in UTC with milliseconds."""


class WebhookEndpointWithSecret(TypedDict):
    id: str
    """ID of the webhook endpoint."""
    name: str
    """Name."""
    url: str
    """URL to which events are posted. Must be http or https, without credentials (see `secret_headers`), on a
    public address.
    """
    event_types: List[EventSubscription]
    """Event types sent to this endpoint. `commission.*` stands for all about commissions, `*` for all, later types
    included.
    """
    active: bool
    """`true` if deliveries are sent. Deliveries that come due while the endpoint is inactive are sent when it is
    activated again.
    """
    livemode: bool | None
    """`true`: events about live records only. `false`: events about test records only. `null`: both."""
    secret_header_names: List[str]
    """Names of the headers of `secret_headers`, in lower case."""
    disabled_reason: DisabledReason | None
    """Reason why the service deactivated the endpoint: `gone` (it responded with 410) or `failing` (no success for
    five days). `null` otherwise, and after reactivation.
    """
    disabled_at: str | None
    """ISO 8601 time in UTC with milliseconds."""
    failing_since: str | None
    """Time of the first failure since the last success; `null` while deliveries succeed."""
    last_success_at: str | None
    """Time of the last success, to the minute."""
    previous_secret_expires_at: str | None
    """Time until which deliveries are also signed with the previous secret."""
    deleted_at: str | None
    """ISO 8601 time in UTC with milliseconds."""
    created_at: str
    """ISO 8601 time in UTC with milliseconds."""
    updated_at: str
    """ISO 8601 time in UTC with milliseconds."""
    signing_secret: str
    """Signing secret. Give it to a library of Standard Webhooks as it is. For `hook-signature`, use its UTF-8 text
    as the HMAC key. Returned only once.
    """


class Member(TypedDict):
    """A user with access to the account."""

    user_id: str
    """ID of the user."""
    email: str
    """Email address."""
    name: str
    """Name."""
    role: Role
    has_second_factor: bool
    """`true` if signing in asks the user for a code."""
    created_at: str
    """Time at which the user joined the account."""
    updated_at: str
    """ISO 8601 time in UTC with milliseconds."""


class PortalSettingsQuestions(TypedDict):
    label: str
    """Text of the question."""
    kind: PortalQuestionKind
    required: bool
    """`true` if the answer is required."""
    choices: List[str]
    """Possible answers to a question of kind `choice`; empty for the other kinds. Default: `[]`."""


class PortalSettingsTerms(TypedDict):
    """The latest terms; null if there are none."""

    version: int
    """Version."""
    body: str
    """Text."""
    summary: str | None
    """Your words about what changes with this version."""
    applies_from: str
    """Time from which affiliates need to have accepted this version."""
    published_at: str
    """ISO 8601 time in UTC with milliseconds."""


class PortalSettings(TypedDict):
    """Settings of sign-up pages and the portal."""

    account_id: str
    """ID of the account."""
    slug: str
    """Name of the account in the addresses of its sign-up pages."""
    brand_name: str | None
    """Name under which affiliates know the account; null if they see the account’s own name."""
    brand: Brand
    support_email: str | None
    """Email address for questions of affiliates."""
    approval: ApprovalMode
    """`manual`: applicants wait until they are approved; `automatic`: all are approved; `rule`: the domain of
    their email address decides.
    """
    approved_domains: List[str]
    """Domains whose applicants are approved."""
    rejected_domains: List[str]
    """Domains whose applicants are rejected."""
    questions: List[PortalSettingsQuestions]
    """Questions to applicants."""
    embed_origins: List[str]
    """Origins of the sites that may show the portal in a frame."""
    payout_details_hold_days: int
    """Days for which payouts are on hold after a change of payout details."""
    billing_details: str | None
    """Your name, address and tax number, as statements of payouts show them."""
    portal_host: PortalHost | None
    """Your own host name for the portal; null without one."""
    terms: PortalSettingsTerms | None
    """The latest terms; null if there are none."""
    program_emails: ProgramEmails
    """Affiliates who get the emails of the program: `everyone`, or only those who have `signed_in` at least once."""


class Brand(TypedDict):
    """Appearance of an account to its affiliates."""

    color: str | None
    """Background color of buttons, e.g. `#1c4ed8`; null if the service’s color is used."""
    text_color: str | None
    """Color of text on `color`: black or white, whichever has the higher contrast. Null without `color`."""
    logo_path: str | None
    """Path of the logo on the service’s host; null without a logo."""
    support_email: str | None
    """Email address for questions of affiliates."""


class PortalHostRecord(TypedDict):
    """TXT record to create in the DNS. It proves that the host name is yours."""

    name: str
    """Name."""
    value: str
    """Value."""


class PortalHost(TypedDict):
    """The merchant’s own host name for the portal."""

    host: str
    """Host name."""
    verified_at: str | None
    """Time at which the host was verified. Null while it is not verified; the portal is not available there then."""
    failure: PortalHostFailure | None
    """Reason why the last check failed; null if it succeeded or has not run yet."""
    failing_since: str | None
    """ISO 8601 time in UTC with milliseconds."""
    record: PortalHostRecord
    """TXT record to create in the DNS. It proves that the host name is yours."""


class AccountUpdateRequestPayoutApprovalAbove(TypedDict):
    currency: str
    """ISO 4217 currency code."""
    amount_cents: int
    """Amount in the currency’s minor unit."""


class AccountUpdateRequestPayoutApprovalDailyLimits(TypedDict):
    currency: str
    """ISO 4217 currency code."""
    amount_cents: int
    """Amount in the currency’s minor unit."""


# Hours of the day, in the time zone of the account, in which payments are sent: from the beginning of
# `from` to the beginning of `until`. `null`: all hours. Default: `null`.
AccountUpdateRequestPayoutApprovalAllowedHours = TypedDict(
    "AccountUpdateRequestPayoutApprovalAllowedHours",
    {
        "from": "int",
        "until": "int",
    },
)


class AccountUpdateRequestPayoutApproval(TypedDict):
    """Rules for payments that the service sends. Needs a sign-in within the last 15 minutes. The former rules hold
    beside the new ones for 24 hours.
    """

    second_person: SecondPerson
    """Payments that somebody else than who prepared them must approve: none, all, or those that exceed the amounts
    of `above`.
    """
    above: NotRequired[List[AccountUpdateRequestPayoutApprovalAbove]]
    """Largest amounts that are sent within 24 hours without approval. `0` in other currencies. Only for `above`.
    Default: `[]`.
    """
    daily_limits: NotRequired[List[AccountUpdateRequestPayoutApprovalDailyLimits] | None]
    """Largest amounts that are sent within 24 hours, with or without approval. `0` in other currencies. `null`: no
    limit. Default: `null`.
    """
    new_methods: NotRequired[bool]
    """`true`: somebody else must approve the first payment of an affiliate by a method, and the first one after a
    change of addresses. Default: `false`.
    """
    allowed_hours: NotRequired[AccountUpdateRequestPayoutApprovalAllowedHours | None]
    """Hours of the day, in the time zone of the account, in which payments are sent: from the beginning of `from`
    to the beginning of `until`. `null`: all hours. Default: `null`.
    """


class AccountUpdateRequestPayoutTermsFees(TypedDict):
    currency: str
    """ISO 4217 currency code."""
    amount_cents: int
    """Amount in the currency’s minor unit."""


class AccountUpdateRequestPayoutTermsMinimums(TypedDict):
    currency: str
    """ISO 4217 currency code."""
    amount_cents: int
    """Amount in the currency’s minor unit."""


class AccountUpdateRequestPayoutTerms(TypedDict):
    method: str
    """Kind of the method."""
    fee_bearer: NotRequired[FeeBearer]
    """`affiliate`: the fee of a payment is taken from the amount that is sent. `merchant`: it is paid besides.
    Default: `"merchant"`.
    """
    fees: NotRequired[List[AccountUpdateRequestPayoutTermsFees]]
    """Fee of a payment that an affiliate bears. In other currencies, it is the fee that the service quotes before;
    without a quote, you bear it. Default: `[]`.
    """
    minimums: NotRequired[List[AccountUpdateRequestPayoutTermsMinimums]]
    """Smallest payouts that are paid by the method. No minimum in other currencies. Default: `[]`."""
    paused: NotRequired[bool]
    """`true`: nothing new is prepared or sent by the method. Payments that the service which pays has are followed
    to their end. Default: `false`.
    """


class AccountUpdateRequest(TypedDict):
    name: NotRequired[str]
    """Account name, shown in the application and in invitations."""
    currency: NotRequired[str]
    """Default currency for new amounts. Existing amounts keep their currency."""
    time_zone: NotRequired[str]
    """Time zone of the account. Days in pages, emails, statements and analytics are days in it. Initially `UTC`."""
    mail_language: NotRequired[MailLanguage]
    """Language of emails to people who have not chosen a language. Initially `en`."""
    code_before_link: NotRequired[bool]
    """`true` if a promo code redeemed with a charge takes precedence over the link that the customer is bound to.
    Initially `false`.
    """
    payout_approval: NotRequired[AccountUpdateRequestPayoutApproval]
    """Rules for payments that the service sends. Needs a sign-in within the last 15 minutes. The former rules hold
    beside the new ones for 24 hours.
    """
    payout_terms: NotRequired[List[AccountUpdateRequestPayoutTerms]]
    """Fees, minimums and pauses of methods, for payments that are prepared from now on. Methods that are not named
    have none.
    """
    payouts_stopped: NotRequired[bool]
    """`true`: the service sends no payment from now on. `false` needs a sign-in within the last 15 minutes."""


class ApiRequestsListResponse(TypedDict):
    data: List[ApiRequest]
    """The records."""
    pagination: Pagination


class AuditLogListResponse(TypedDict):
    data: List[AuditEntry]
    """The records."""
    pagination: Pagination


class ClicksRecentResponseClicks(TypedDict):
    at: str
    """ISO 8601 time in UTC with milliseconds."""
    link_id: str
    """ID of the link."""
    token: str | None
    """Null for a link that was deleted."""
    referral_id: str | None
    """ID of the referral."""
    bot_reason: BotReason | None
    """Reason why the request was not made by a person; null for a person."""
    landing_path: str | None
    """Path of the page that the visitor opened."""
    referrer_host: str | None
    """Host of the page from which the visitor came."""
    device: str | None
    """Kind of device of the visitor."""
    browser: str | None
    """Browser of the visitor."""
    country: str | None
    """Country of the visitor."""


class ClicksRecentResponse(TypedDict):
    clicks: List[ClicksRecentResponseClicks]
    """Number of clicks."""


class SiteCheckResponseScript(TypedDict):
    """The tracking script of the page."""

    src: str
    """URL of the script."""
    account_id: str | None
    """ID of the account."""


class SiteCheckResponse(TypedDict):
    url: str
    """The page that was read, after redirects."""
    failure: SiteCheckFailure | None
    """Reason why the page could not be read; null if it was read."""
    script: SiteCheckResponseScript | None
    """The tracking script of the page."""
    problems: List[SiteProblem]
    """Problems that keep the script from working; empty if there are none."""


class SiteTestVisitResponseClick(TypedDict):
    """Null until the link was followed. The click has no referral if a bot seems to have followed the link."""

    at: str
    """ISO 8601 time in UTC with milliseconds."""
    referral_id: str | None
    """ID of the referral."""


class SiteTestVisitResponseSale(TypedDict):
    """First sale of the referral since the click."""

    id: str
    """ID of the sale."""
    livemode: bool
    """`false` for records of test mode."""
    amount_cents: int
    """Amount in the currency’s minor unit."""
    currency: str
    """ISO 4217 currency code."""


class SiteTestVisitResponseCommission(TypedDict):
    """The commission."""

    id: str
    """ID of the commission."""
    amount_cents: int
    """Amount in the currency’s minor unit."""
    currency: str
    """ISO 4217 currency code."""


class SiteTestVisitResponse(TypedDict):
    click: SiteTestVisitResponseClick | None
    """Null until the link was followed. The click has no referral if a bot seems to have followed the link."""
    is_lead: bool
    """`true` if the visitor has become a lead or has converted."""
    sale: SiteTestVisitResponseSale | None
    """First sale of the referral since the click."""
    commission: SiteTestVisitResponseCommission | None
    """The commission."""


class SiteRecordTestSaleResponse(TypedDict):
    sale_id: str
    """ID of the sale."""


class ConnectorsListResponse(TypedDict):
    data: List[Connector]
    """The records."""
    pagination: Pagination


class ConnectionsListResponse(TypedDict):
    data: List[ProviderConnection]
    """The records."""
    pagination: Pagination


class ConnectionsSourcesResponse(TypedDict):
    data: List[Source]
    """The records."""


class PspConnectionLastEventsResponse(TypedDict):
    live: str | None
    """Time of the last live event; null if there was none in 90 days."""
    test: str | None
    """Time of the last event of the test mode; null if there was none in 90 days."""


class PspConnectionActivityResponseTypes(TypedDict):
    type: str
    """Type."""
    last_at: str | None
    """ISO 8601 time in UTC with milliseconds."""


class PspConnectionActivityResponseUnusedTypes(TypedDict):
    type: str
    """Type."""
    last_at: str
    """ISO 8601 time in UTC with milliseconds."""


class PspConnectionActivityResponseIgnored(TypedDict):
    type: str | None
    """Type of the events; `null` if the reason does not depend on the type."""
    reason: str
    """The reason."""
    count: int
    """Number of records."""
    last_at: str
    """ISO 8601 time in UTC with milliseconds."""


class PspConnectionActivityResponse(TypedDict):
    types: List[PspConnectionActivityResponseTypes]
    """The event types that the service handles, each with the time of its last event in 90 days."""
    unused_types: List[PspConnectionActivityResponseUnusedTypes]
    """Other event types that Stripe has sent. They have no effect."""
    ignored: List[PspConnectionActivityResponseIgnored]
    """Events of handled types that had no effect, by reason: first those that are kept because they may have an
    effect later, then those of the last 7 days that contained nothing of use.
    """
    never_meet: bool
    """`true` if the account has been connected for 7 days, and in the last 7 days affiliates’ links had visitors
    and new customers paid, but no checkout or payment named a referral. Then the pages probably do not pass the
    referral to Stripe.
    """


class ImportsListResponse(TypedDict):
    data: List[Import]
    """The records."""
    pagination: Pagination


class ImportsRowsResponse(TypedDict):
    data: List[ImportRow]
    """The records."""
    pagination: Pagination


class ShadowsListResponse(TypedDict):
    data: List[ShadowCustomer]
    """The records."""
    pagination: Pagination


class EmailTextsListResponse(TypedDict):
    data: List[EmailText]
    """The records."""


class EmailTextsListBlockedResponseRecipients(TypedDict):
    """Number of your affiliates who get the emails of the program under each choice of `program_emails`, if their
    addresses take emails.
    """

    everyone: int
    """With `everyone`."""
    signed_in: int
    """With `signed_in`."""


class EmailTextsListBlockedResponse(TypedDict):
    data: List[BlockedAddress]
    """The last 100, newest first."""
    recipients: EmailTextsListBlockedResponseRecipients
    """Number of your affiliates who get the emails of the program under each choice of `program_emails`, if their
    addresses take emails.
    """


class EmailTextsUnblockResponseRecipients(TypedDict):
    """Number of your affiliates who get the emails of the program under each choice of `program_emails`, if their
    addresses take emails.
    """

    everyone: int
    """With `everyone`."""
    signed_in: int
    """With `signed_in`."""


class EmailTextsUnblockResponse(TypedDict):
    data: List[BlockedAddress]
    """The last 100, newest first."""
    recipients: EmailTextsUnblockResponseRecipients
    """Number of your affiliates who get the emails of the program under each choice of `program_emails`, if their
    addresses take emails.
    """


class EmailTextsPreviewResponse(TypedDict):
    subject: str
    """Subject of the email."""
    text: str
    """The email as plain text."""
    html: str
    """The email as HTML."""


class EmailTextsSendTestResponse(TypedDict):
    to: str
    """Email address of the person who requested the mail."""


class PayoutRailsListResponse(TypedDict):
    data: List[PayoutRail]
    """The records."""
    pagination: Pagination


class PayoutRailsKindsResponse(TypedDict):
    data: List[PayoutRailKind]
    """The records."""


class WebhookDeliveriesListResponse(TypedDict):
    data: List[WebhookDelivery]
    """The records."""
    pagination: Pagination


class WebhookEndpointsListResponse(TypedDict):
    data: List[WebhookEndpoint]
    """The records."""
    pagination: Pagination


class MembersListResponse(TypedDict):
    data: List[Member]
    """The records."""
    pagination: Pagination


# The body of every error response. More codes may be added: handle an unknown code by the status of
# the response.
ErrorEnvelope = MalformedJsonError | MalformedRequestError | MissingAccountIdError | InvalidSignatureError | UnauthorizedError | ForbiddenError | PayLimitExceededError | SecondFactorRequiredError | NotFoundError | MethodNotAllowedError | RequestTimeoutError | ConflictError | OperationPendingError | ReconciliationRequiredError | PreconditionFailedError | PayloadTooLargeError | UnsupportedMediaTypeError | ValidationError | PspNotConnectedError | RateLimitedError | HeadersTooLargeError | InternalError | UnavailableError | PspError


# Map of permission names to booleans. `{ "all": true }` grants every permission that is not set to
# `false`.
Permissions = Dict[str, bool]


# One fact, or several facts together.
FactsDelivery = PaymentSeenDelivery | CustomerSeenDelivery | CodeSeenDelivery | FactBatch


# A fact. It is stored in the form in which it was understood.
Fact = PaymentSeen | CustomerSeen | CodeSeen


# Your own pairs of keys and values.
Metadata = Dict[str, str]


# Something that happened to a record, as the service posts it to webhook endpoints. Kept for 90 days.
# More types may be added: ignore unknown ones.
Event = AffiliateCreatedEvent | AffiliateApprovedEvent | AffiliateUpdatedEvent | AffiliateTierChangedEvent | CampaignCreatedEvent | CampaignUpdatedEvent | RewardRuleCreatedEvent | RewardRuleUpdatedEvent | TierCreatedEvent | TierUpdatedEvent | LinkCreatedEvent | LinkUpdatedEvent | PromoCodeCreatedEvent | PromoCodeUpdatedEvent | ReferralCreatedEvent | ReferralConvertedEvent | ReferralUpdatedEvent | CustomerCreatedEvent | CustomerUpdatedEvent | CustomerMergedEvent | SaleRecordedEvent | SaleRefundedEvent | SaleUpdatedEvent | CommissionCreatedEvent | CommissionDueEvent | CommissionPaidEvent | CommissionVoidedEvent | CommissionUpdatedEvent | PayoutCreatedEvent | PayoutUpdatedEvent | PayoutMergedEvent | PayoutPaidEvent | PayoutReturnedEvent | PayoutFailedEvent | PayoutMethodCreatedEvent | PayoutMethodUpdatedEvent | PayoutRunFinishedEvent | PayoutExportPaidEvent | ImportCompletedEvent


# State of an affiliate. More values may be added.
AffiliateState = Literal["pending", "active", "disabled", "suspicious", "rejected"]


# Kind of an entry in the timeline of an affiliate. More values may be added.
AffiliateTimelineKind = Literal["joined", "first_click", "first_sale", "refund", "refund_failed", "dispute_lost", "payout_paid", "payout_returned"]


# Dimension by which a report is grouped. More values may be added.
AnalyticsDimension = Literal["day", "week", "month", "affiliate", "campaign", "link", "landing_path", "referrer", "utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content", "sub1", "sub2", "sub3", "sub4", "sub5", "country", "device", "browser"]


# Decision about applications. More values may be added.
ApplicationDecision = Literal["approve", "reject"]


# Rule that decided which referral a visitor has after a click. More values may be added.
AppliedTouchRule = Literal["new_visitor", "first_click", "last_click", "former_not_live"]


# Which click of a visitor counts. More values may be added.
Attribution = Literal["first_click", "last_click"]


# Contradiction between a report of a bank and the payouts. More values may be added.
BankReportProblemCode = Literal["amount_mismatch", "sum_mismatch", "arrived_after_all"]


# Reason why an address gets no emails. More values may be added.
BlockReason = Literal["no_such_recipient", "complaint"]


# Result of an item of a bulk call. More values may be added.
BulkResult = Literal["created", "updated", "unchanged", "failed"]


# Unit to which the limit of a reward rule applies. More values may be added.
CapScope = Literal["sale", "referral", "affiliate"]


# Time over which the limit of a reward rule applies. More values may be added.
CapWindow = Literal["ever", "month", "year"]


# Origin of a commission. More values may be added.
CommissionKind = Literal["sale", "bonus", "lead", "milestone", "adjustment", "manual", "imported"]


# State of a commission. More values may be added.
CommissionState = Literal["pending", "due", "paid", "voided"]


# `visitor`, `lead` (signed up), or `conversion` (paid). More values may be added.
ConversionState = Literal["visitor", "lead", "conversion"]


# New or returning customer. More values may be added.
CustomerAge = Literal["new", "returning"]


# Status of a webhook delivery. More values may be added.
DeliveryStatus = Literal["pending", "succeeded", "failed", "canceled"]


# Kind of a discrepancy. More values may be added.
DiscrepancyCode = Literal["run_stuck", "export_stuck", "missing_claim", "orphaned_claim", "amount_mismatch", "item_mismatch", "unpaid_commissions", "uncollected_commissions", "paid_commissions", "sale_mismatch", "paid_attribution", "paid_reward", "paid_lead", "paid_milestone", "uncounted_refund", "failed_event", "kept_event", "mode_mismatch", "terms_mismatch", "earner_mismatch", "limit_exceeded", "cap_exceeded", "bonus_mismatch", "credit_mismatch", "review_mismatch", "payout_mismatch", "paid_twice", "open_payment", "event_mismatch", "payment_mismatch", "refund_mismatch"]


# Kind of who has caused an event. More values may be added.
EventActorKind = Literal["session", "affiliate", "api_key", "connector", "system"]


# Effect of an event of a payment provider. More values may be added.
EventOutcome = Literal["processed", "pending", "duplicate", "ignored"]


# An event type, or a pattern for several types. More values may be added.
EventSubscription = Literal["*", "affiliate.*", "campaign.*", "reward_rule.*", "tier.*", "link.*", "promo_code.*", "referral.*", "customer.*", "sale.*", "commission.*", "payout.*", "payout_method.*", "payout_run.*", "payout_export.*", "import.*", "affiliate.created", "affiliate.approved", "affiliate.updated", "affiliate.tier_changed", "campaign.created", "campaign.updated", "reward_rule.created", "reward_rule.updated", "tier.created", "tier.updated", "link.created", "link.updated", "promo_code.created", "promo_code.updated", "referral.created", "referral.converted", "referral.updated", "customer.created", "customer.updated", "customer.merged", "sale.recorded", "sale.refunded", "sale.updated", "commission.created", "commission.due", "commission.paid", "commission.voided", "commission.updated", "payout.created", "payout.updated", "payout.merged", "payout.paid", "payout.returned", "payout.failed", "payout_method.created", "payout_method.updated", "payout_run.finished", "payout_export.paid", "import.completed"]


# Type of an event. More values may be added.
EventType = Literal["affiliate.created", "affiliate.approved", "affiliate.updated", "affiliate.tier_changed", "campaign.created", "campaign.updated", "reward_rule.created", "reward_rule.updated", "tier.created", "tier.updated", "link.created", "link.updated", "promo_code.created", "promo_code.updated", "referral.created", "referral.converted", "referral.updated", "customer.created", "customer.updated", "customer.merged", "sale.recorded", "sale.refunded", "sale.updated", "commission.created", "commission.due", "commission.paid", "commission.voided", "commission.updated", "payout.created", "payout.updated", "payout.merged", "payout.paid", "payout.returned", "payout.failed", "payout_method.created", "payout_method.updated", "payout_run.finished", "payout_export.paid", "import.completed"]


# Kind of a step in the explanation of an amount. More values may be added.
ExplanationStep = Literal["sale", "line", "base_reward", "rule", "adjustment", "manual", "imported", "commissions", "difference", "voided", "fee", "screening"]


# Format of an export file: `csv`, `walleta` (PayPal), `walletb` (Wise), `bank_sepa` or `bank_ach`.
# More values may be added.
ExportFormat = Literal["csv", "walleta", "walletb", "bank_sepa", "bank_ach"]


# Reason why a payout does not fit into an export file. More values may be added.
ExportObstacle = Literal["method_paused", "missing_wallet_address", "unsafe_wallet_address", "mixed_currencies", "fractional_amount", "unsupported_currency", "unsupported_amount", "below_minimum", "fee_exceeds_amount", "too_many_rows"]


# Outcome of a dispute. More values may be added.
FactDisputeOutcome = Literal["open", "won", "lost"]


# Effect of a fact. More values may be added.
FactOutcome = Literal["pending", "duplicate", "ignored", "valid"]


# State of a refund. More values may be added.
FactRefundState = Literal["waiting", "done", "failed"]


# Person who bears the fee of a payment. More values may be added.
FeeBearer = Literal["merchant", "affiliate"]


# Reason why a caller with the permission is refused. More values may be added.
ForbiddenReason = Literal["sign_in_again", "person_needed"]


# Kind of an identity of a customer. More values may be added.
IdentityKind = Literal["email", "psp_customer_id", "external_customer_id", "payer_id"]


# Source of an identity of a customer. More values may be added.
IdentitySource = Literal["merchant", "provider", "lead"]


# Reason why an import failed. More values may be added.
ImportFailure = Literal["key_refused", "no_api_access", "not_understood", "goes_round", "unreachable", "file_unreadable"]


# Outcome of a record of an import. More values may be added.
ImportOutcome = Literal["new", "existing", "skipped", "problem"]


# The present work of an import. More values may be added.
ImportPhase = Literal["reading", "checking", "making", "removing"]


# State of an import. More values may be added.
ImportState = Literal["draft", "reading", "ready", "running", "done", "undoing", "undone", "failed"]


# Kind of records with amounts. More values may be added.
ImportedAmount = Literal["commission", "payout"]


# Kind of a record of an import. More values may be added.
ImportedKind = Literal["campaign", "affiliate", "link", "customer", "code", "commission", "payout"]


# Reason why a payout cannot be paid now. More values may be added.
IneligibleReason = Literal["below_minimum", "affiliate_inactive", "on_hold", "not_positive", "details_changed", "moving_in", "screening", "claimed"]


# Action on an invitation. More values may be added.
InvitationAction = Literal["accept", "revoke"]


# Role that an invitation offers. More values may be added.
InvitationKind = Literal["member", "affiliate"]


# Status of an invitation. More values may be added.
InvitationStatus = Literal["pending", "accepted", "revoked"]


# Reason why a line of a sale earns nothing. More values may be added.
LineNote = Literal["other_currency", "cap_other_currency"]


# Number that a milestone counts. More values may be added.
MilestoneMetric = Literal["customers", "sales", "revenue"]


# Time over which a milestone counts. More values may be added.
MilestoneWindow = Literal["ever", "month", "quarter"]


# Reason why a sale earned no commission. More values may be added.
NoCommissionReason = Literal["no_referral", "before_visit", "referral_expired", "referral_deactivated", "affiliate_inactive", "campaign_archived", "max_commissions_reached", "commission_period_over", "nothing_to_earn", "excluded", "shadow"]


# The next act of a person for a payment. More values may be added.
OutlookAct = Literal["enter_payout_details", "accept_payment", "pay_by_hand", "review_affiliate"]


# Reason why an open payout is not paid. More values may be added.
OutlookObstacle = Literal["negative", "empty", "affiliate_inactive", "on_hold", "no_address", "below_minimum", "details_changed", "moving_in", "screening"]


# Treatment of a payment outside the payment provider. More values may be added.
PaidOutside = Literal["counted", "excluded"]


# Where links carry their token. More values may be added.
ParameterType = Literal["query", "hash"]


# Unit for which a fixed reward is paid. More values may be added.
PayPer = Literal["sale", "unit"]


# Outcome of a payment. More values may be added.
PayoutAttemptOutcome = Literal["arrived", "failed"]


# State of an attempt to pay a payout. More values may be added.
PayoutAttemptState = Literal["prepared", "approved", "sent", "unknown", "in_transit", "unclaimed", "arrived", "returned", "failed", "withdrawn"]


# State of payments that the service sends together. More values may be added.
PayoutBatchState = Literal["prepared", "approved", "paying", "paid", "partly_paid", "withdrawn"]


# Reason why payments that may be sent wait. More values may be added.
PayoutBatchStop = Literal["payouts_stopped", "method_paused", "allowed_hours", "rail_stopped", "rail_missing", "screening"]


# State of a payout export. More values may be added.
PayoutExportState = Literal["processing", "paying", "paid", "released"]


# State of a payout method. More values may be added.
PayoutMethodState = Literal["confirmed", "held", "retired"]


# Reason why a method cannot pay a payout. More values may be added.
PayoutObstacle = Literal["method_paused", "missing_address", "unsafe_address", "unsupported_address", "unsupported_currency", "mixed_currencies", "fractional_amount", "unsupported_amount", "below_minimum", "fee_exceeds_amount", "too_many_items"]


# Reason why an item of a payout run failed. More values may be added.
PayoutRunIssue = Literal["amount_mismatch", "commission_flagged", "affiliate_inactive", "not_positive", "below_minimum", "payout_details_changed", "screening", "missing_payout_details", "payment_failed"]


# State of an item of a payout run. More values may be added.
PayoutRunItemState = Literal["planned", "paid", "returned", "failed", "excluded", "canceled"]


# State of a payout run. More values may be added.
PayoutRunState = Literal["planned", "executing", "completed", "partially_completed", "canceled"]


# State of a payout. More values may be added.
PayoutState = Literal["pending", "due", "processing", "paid", "returned"]


# Kind of a person. More values may be added.
PersonKind = Literal["customer", "affiliate"]


# Role that a person still has. More values may be added.
PersonRole = Literal["customer", "affiliate", "member"]


# Billing interval of a price. More values may be added.
PriceInterval = Literal["day", "week", "month", "year", "one_time"]


# Operation on a promo code. More values may be added.
PromoCodeOperation = Literal["import", "create", "refresh", "stop"]


# Outcome of an operation on a promo code. More values may be added.
PromoCodeOperationState = Literal["previewed", "succeeded"]


# Operation on a promo code whose outcome is unknown. More values may be added.
PromoCodePendingOperation = Literal["import", "create"]


# Status of an assigned promo code. More values may be added.
PromoCodeStatus = Literal["active", "inactive", "stopped"]


# Kind of a refund. More values may be added.
RefundKind = Literal["refund", "refund_failed", "dispute_lost"]


# Action on the failed items of a payout run. More values may be added.
RemediationAction = Literal["retry", "exclude", "cancel"]


# Part of a report that had no effect. More values may be added.
ReportWarning = Literal["unknown_promo_code"]


# Decision about a flagged commission. More values may be added.
ReviewAction = Literal["approve", "suspicious", "deactivate", "reconsider", "keep"]


# Reason why a commission was flagged. More values may be added.
ReviewReason = Literal["self_referral", "possible_duplicate", "tax_currency", "crowded_network", "unproven_lead", "unverified_address", "suspicious_affiliate", "unpaid_lead", "dispute"]


# Result of the review of a commission. More values may be added.
ReviewStatus = Literal["suspicious", "approved"]


# Way in which a reward rule pays. More values may be added.
RewardApply = Literal["instead", "on_top"]


# Event for which a reward rule pays. More values may be added.
RewardEvent = Literal["sale", "lead", "milestone"]


# Way of computing commissions. More values may be added.
RewardType = Literal["percent", "fixed"]


# Fault of a reward rule. More values may be added.
RewardWarningCode = Literal["shadowed", "partly_shadowed", "contradiction", "unknown_product", "unknown_price", "ended_tier", "ended_period"]


# Role in an account. More values may be added.
Role = Literal["viewer", "finance", "member", "admin", "owner"]


# Origin of a claim on a sale. More values may be added.
SaleClaimKind = Literal["link", "code"]


# Outcome of a claim on a sale. More values may be added.
SaleClaimStatus = Literal["won", "another_claim_won", "made_after_charge", "visited_after_charge", "lead_without_effect", "referral_expired", "referral_deactivated", "affiliate_inactive", "campaign_archived"]


# Kind of a proposed change of the integration. More values may be added.
SaleFixKind = Literal["code", "setting"]


# Reason why a sale has no commission. More values may be added.
SaleGapReason = Literal["no_reference", "unknown_reference", "named_later", "before_visit", "referral_expired", "referral_deactivated", "affiliate_inactive", "campaign_archived", "max_commissions_reached", "commission_period_over", "nothing_to_earn", "excluded", "shadow", "paid_outside"]


# Decision about a sale in doubt. More values may be added.
SaleReviewAction = Literal["keep", "same_refunds"]


# Rule that decided who earns from a sale. More values may be added.
SaleRule = Literal["paid", "assigned", "redeemed_code", "converted", "named", "last_click", "first_claim", "none", "imported"]


# Way in which a sale was made. More values may be added.
SaleWay = Literal["payment_link", "checkout", "subscription", "invoice", "payment", "report"]


# Result of a comparison with lists. More values may be added.
ScreeningResult = Literal["clear", "hit", "unavailable"]


# Kind of a record that a search found. More values may be added.
SearchedKind = Literal["affiliate", "customer", "referral", "sale", "commission", "payout", "payout_run", "link", "promo_code"]


# Kind of an entry in a timeline. More values may be added.
TimelineKind = Literal["click", "referral_created", "converted", "deactivated", "sale", "sale_corrected", "sale_assigned", "refund", "refund_failed", "dispute_lost", "commission_created", "commission_changed", "commission_moved", "adjustment_created", "commission_due", "commission_paid", "commission_voided", "payout_claimed", "payout_paid", "payout_returned"]


# Way of approving applications of affiliates. More values may be added.
ApprovalMode = Literal["manual", "automatic", "rule"]


# Reason why a click counts as that of a program. More values may be added.
BotReason = Literal["bot", "preview", "test_visit"]


# Kind of a caller. More values may be added.
CallerKind = Literal["api_key", "session"]


# Way in which an assistant signs in. More values may be added.
ConnectorKind = Literal["token", "oauth"]


# Order of the numbers in a day. More values may be added.
DateOrder = Literal["day_first", "month_first"]


# Mark before the decimals of an amount. More values may be added.
DecimalMark = Literal[".", ","]


# Reason why the service has deactivated a webhook endpoint. More values may be added.
DisabledReason = Literal["gone", "failing"]


# Name of an email. More values may be added.
EmailTextName = Literal["application_received", "application_approved", "application_rejected", "payout_paid", "payout_returned", "email_changed_by_merchant", "payout_details_changed", "payout_details_changed_by_merchant", "payout_details_missing", "commission_digest", "tier_reached", "tier_lost", "membership_ended", "campaign_ended", "rewards_changed", "terms_changed"]


# Reason why a record is not imported. More values may be added.
ImportRowReason = Literal["repeated", "no_customer", "invalid", "campaign_missing", "affiliate_missing", "token_taken", "other_affiliate", "currency_missing", "no_money", "earned_here", "not_paid", "being_paid", "commissions_differ", "changed_there", "refused", "in_use"]


# Records in a file. More values may be added.
ImportedFile = Literal["affiliates", "links", "customers", "codes", "commissions", "payouts"]


# Language of emails. More values may be added.
MailLanguage = Literal["en", "de"]


# Treatment of payments outside the payment provider. More values may be added.
OutsidePayments = Literal["count", "exclude"]


# Purpose of a permission at the payment provider. More values may be added.
PermissionPurpose = Literal["endpoint", "events", "lines", "codes", "write_back"]


# Reason why a host name of the portal is not served. More values may be added.
PortalHostFailure = Literal["unreachable", "refused", "wrong_answer", "no_record", "taken"]


# Kind of a question to applicants. More values may be added.
PortalQuestionKind = Literal["text", "choice", "url"]


# The affiliates who get emails of the program. More values may be added.
ProgramEmails = Literal["everyone", "signed_in"]


# Access to a resource of the payment provider. More values may be added.
PspAccess = Literal["read", "write"]


# Problem of the endpoint at the payment provider. More values may be added.
PspEndpointProblem = Literal["missing", "disabled", "missing_events", "unreadable"]


# Role of a signed-in person. More values may be added.
RoleOfCaller = Literal["viewer", "finance", "member", "admin", "owner", "invitee"]


# With what affiliates are compared before they are paid. More values may be added.
ScreeningKind = Literal["lists"]


# Payments that a second person must approve. More values may be added.
SecondPerson = Literal["never", "above", "always"]


# Cause of a difference between a former tool and this service. More values may be added.
ShadowCause = Literal["affiliate", "currency", "tax", "refund", "tax_and_refund", "rounding", "charge", "terms", "duplicate", "no_payment", "no_customer", "voided_there", "not_earned_there", "no_referral", "before_visit", "referral_expired", "referral_deactivated", "affiliate_inactive", "campaign_archived", "max_commissions_reached", "commission_period_over", "nothing_to_earn", "excluded", "shadow"]


# Last reading of the former tool when a shadow ends. More values may be added.
ShadowEnding = Literal["read", "skip"]


# Result of the comparison of a former tool with this service. More values may be added.
ShadowOutcome = Literal["equal", "differs", "only_there", "only_here"]


# State of a shadow. More values may be added.
ShadowState = Literal["off", "on", "ending"]


# Reason why a page could not be read. More values may be added.
SiteCheckFailure = Literal["invalid_url", "refused", "unreachable", "too_many_redirects", "error_page", "not_html"]


# Problem of the tracking script of a page. More values may be added.
SiteProblem = Literal["missing", "no_account", "wrong_account", "other_host", "missing_params", "blocked_script", "blocked_reports"]


# Origin of an attempt. More values may be added.
WebhookTrigger = Literal["schedule", "manual"]

# An event, as the service posts it to webhook endpoints: a union by `type`.
WebhookEvent = Union[AffiliateCreatedEvent, AffiliateApprovedEvent, AffiliateUpdatedEvent, AffiliateTierChangedEvent, CampaignCreatedEvent, CampaignUpdatedEvent, RewardRuleCreatedEvent, RewardRuleUpdatedEvent, TierCreatedEvent, TierUpdatedEvent, LinkCreatedEvent, LinkUpdatedEvent, PromoCodeCreatedEvent, PromoCodeUpdatedEvent, ReferralCreatedEvent, ReferralConvertedEvent, ReferralUpdatedEvent, CustomerCreatedEvent, CustomerUpdatedEvent, CustomerMergedEvent, SaleRecordedEvent, SaleRefundedEvent, SaleUpdatedEvent, CommissionCreatedEvent, CommissionDueEvent, CommissionPaidEvent, CommissionVoidedEvent, CommissionUpdatedEvent, PayoutCreatedEvent, PayoutUpdatedEvent, PayoutMergedEvent, PayoutPaidEvent, PayoutReturnedEvent, PayoutFailedEvent, PayoutMethodCreatedEvent, PayoutMethodUpdatedEvent, PayoutRunFinishedEvent, PayoutExportPaidEvent, ImportCompletedEvent]
