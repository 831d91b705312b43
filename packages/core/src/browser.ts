/**
 * Values and rules that the pages share with the service. The modules behind these exports import only each other, so that no
 * server code gets into the bundle (test/architecture/imports.test.ts).
 */
export { COMMISSION_STATES } from './ledger/commissions/commission.states.ts';
export { EXPORT_FORMATS, type ExportFormat } from './payouts/exports/formats/export-formats.ts';
export { PAYOUT_STATES } from './ledger/payouts/payout.states.ts';
export { PAYOUT_RUN_ITEM_STATES, PAYOUT_RUN_STATES } from './payouts/runs/payout-run.states.ts';
export { type Action, permissionName, type Resource, type Role, ROLES, roleAtLeast } from './platform/access/permissions.ts';
export { MAX_SORTED_BY_AMOUNT } from './platform/wire/amount-order-limit.ts';
export { CURRENCIES } from './platform/money/currencies.ts';
export { decimalAmount, minorUnitDigits, parseDecimalAmount } from './platform/money/decimal.ts';
export { AFFILIATE_STATES } from './program/affiliates/affiliate.states.ts';
export { INVITATION_STATUSES } from './program/invitations/invitation.states.ts';
export { DELIVERY_STATUSES } from './webhooks/deliveries/webhook-delivery.states.ts';
export { EVENT_SUBSCRIPTIONS, EVENT_TYPES, type EventSubscription, type EventType } from './webhooks/events/event-types.ts';
export { textColorOn } from './identity/branding/brand-color.ts';
export { trackingSnippet } from './program/links/tracking-snippet.ts';
