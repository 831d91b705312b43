/**
 * Values and rules that the pages share with the service. The modules behind these exports import only each other, so that no
 * server code gets into the bundle (test/architecture/imports.test.ts).
 */
export {
  AFFILIATE_STATES,
  COMMISSION_STATES,
  DELIVERY_STATUSES,
  INVITATION_STATUSES,
  PAYOUT_RUN_ITEM_STATES,
  PAYOUT_RUN_STATES,
  PAYOUT_STATES,
} from './platform/wire/states.ts';
export { CURRENCIES, decimalAmount, minorUnitDigits, parseDecimalAmount } from './platform/money/money.ts';
export { CSV_KINDS, type CsvKind, fieldOf, fieldsOf } from './imports/csv/columns.ts';
export { type LocalFile, NotText, piecesOf } from './imports/csv/file-text.ts';
export { firstLines } from './imports/port/file-format.ts';
export { type Tool, type ToolKind, TOOLS } from './imports/tools.ts';
export { PROVIDER_KINDS } from './sources/kinds.ts';
export { isRoutingNumber } from './payouts/methods/bank_ach/routing-number.ts';
export { plainIban, problemOfIban } from './payouts/methods/bank_sepa/iban.ts';
export { EXPORT_FORMATS, type ExportFormat } from './payouts/exports/export-formats.schema.ts';
export {
  type Action,
  isNamed,
  permissionName,
  type Resource,
  type Role,
  ROLES,
  roleAtLeast,
  roleMay,
} from './platform/access/permissions.ts';
export { liveAccountOf, testAccountOf } from './platform/call/test-account-id.ts';
export { MAX_ASSET_BYTES, MAX_LOGO_BYTES, MAX_SORTED_BY_AMOUNT } from './platform/wire/limits.ts';
export { BYTE_ORDER_MARK, writeCsv } from './platform/wire/csv-line.ts';
export { EVENT_SUBSCRIPTIONS, EVENT_TYPES, type EventSubscription, type EventType } from './webhooks/events/event-types.ts';
export { textColorOn } from './identity/branding/brand-color.ts';
export { EVENT_CONDITIONS } from './rewards/worth/rule.ts';
export { ruleInWords, type SpokenRule } from './rewards/words/rule-in-words.ts';
export { trackingSnippet } from './program/links/tracking-snippet.ts';
export { type Forms, inEachLanguage, type Language, type PlacesOf, type Text, render } from './platform/texts/texts.ts';
export { KIND_WORDS } from './ledger/commissions/kind-words.ts';
export { ROLE_WORDS, STATE_WORDS } from './platform/texts/enum-words.ts';
export { type Installation, installationsFor } from './identity/connectors/installation.ts';
export { CONSENT_PERMISSIONS, mayGrant, PAYING_PERMISSIONS, PROMO_CODE_MANAGEMENT } from './identity/connectors/grantable.ts';
