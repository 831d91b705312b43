/**
 * Values and rules that the pages share with the service. The modules behind these exports import only each other, so that no
 * server code gets into the bundle (test/architecture/imports.test.ts).
 */
export { COMMISSION_STATES } from './platform/wire/states.ts';
export { EXPORT_FORMATS, type ExportFormat } from './payouts/exports/formats/export-formats.ts';
export { PAYOUT_STATES } from './platform/wire/states.ts';
export { PAYOUT_RUN_ITEM_STATES, PAYOUT_RUN_STATES } from './platform/wire/states.ts';
export { type Action, permissionName, type Resource, type Role, ROLES, roleAtLeast } from './platform/access/permissions.ts';
export { MAX_SORTED_BY_AMOUNT } from './platform/wire/amount-order-limit.ts';
export { CURRENCIES } from './platform/money/money.ts';
export { decimalAmount, minorUnitDigits, parseDecimalAmount } from './platform/money/money.ts';
export { AFFILIATE_STATES } from './platform/wire/states.ts';
export { INVITATION_STATUSES } from './platform/wire/states.ts';
export { DELIVERY_STATUSES } from './platform/wire/states.ts';
export { EVENT_SUBSCRIPTIONS, EVENT_TYPES, type EventSubscription, type EventType } from './webhooks/events/event-types.ts';
export { textColorOn } from './identity/branding/brand-color.ts';
export { trackingSnippet } from './program/links/tracking-snippet.ts';
export { CONSENT_PERMISSIONS, mayGrant, PAYING_PERMISSIONS, PROMO_CODE_MANAGEMENT } from './identity/connectors/grantable.ts';
