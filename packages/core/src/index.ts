export { purgeDeletedAccounts } from './identity/accounts/account-deletion.ts';
export { createAccount, createMember, issueApiKey, listAccounts, type NewAccount } from './identity/accounts/create-account.ts';
export { resetPassword } from './identity/members/user.ts';
export { removeSecondFactorOf } from './identity/second-factor/members-second-factor.ts';
export { createSetupToken } from './identity/setup/setup-token.ts';
export { isSetupNeeded } from './program/setup/setup.ts';
export { isTestAccount, liveAccountOf, testAccountOf } from './platform/call/test-account-id.ts';
export { readMode } from './platform/call/mode.ts';
export { principalIn } from './identity/test-accounts/test-account.ts';
export { authenticateApiKey, authenticateConnector } from './identity/credentials/authenticate.ts';
export { visiblePrefix } from './identity/credentials/secret.ts';
export { beginAuditEntry, completeAuditEntry } from './platform/audit-log/audit-entry.ts';
export { findLogo } from './identity/branding/branding.ts';
export { PICTURE } from './portal/cards/picture.ts';
export { type ProgramCard, findProgramCard, getCardPicture } from './portal/cards/program-card.ts';
export { botReasonOf } from './program/clicks/bots.ts';
export { checkPortalHosts } from './portal/host/check-portal-hosts.ts';
export { mailRequestedPortalLinks } from './portal/host/portal-host.ts';
export { PROOF_PATH, type ResolveTexts, findPortalHosts, proofOf } from './portal/host/portal-host.ts';
export { isServedHere, callerId } from './platform/call/caller.ts';
export { writeDigests } from './portal/notices/digests.ts';
export { remindOfPayoutDetails, tellOfTerms } from './portal/notices/notices.ts';
export { tellOfChangedRewards, tellOfEndedCampaigns, tellOfEndedMemberships } from './portal/notices/notices.ts';
export { writeMemberDigests } from './reports/member-digests/member-digests.ts';
export { emailChoice } from './portal/notices/unsubscribe.ts';
export { embedOrigins } from './portal/entry/portal-access.ts';
export { type Clock, systemClock } from './platform/time/clock.ts';
export { discardUpload, purgeUploads, receiveUpload } from './platform/files/upload.ts';
export { openDownload } from './portal/files/open-download.ts';
export { DEFAULT_INVITATIONS_PER_HOUR } from './platform/mail/budgets.ts';
export { recordMailReports, mailReportsIn } from './platform/mail/blocked-recipients.ts';
export { idsInPath } from './platform/wire/ids.ts';
export { EXTERNAL, isPossibleReference } from './platform/wire/merchant-data.ts';
export { MAX_DEPTH, tooDeep } from './platform/wire/text-safety.ts';
export { settleDueDecisions } from './attribution/settle-decisions.ts';
export { sweepDueCommissions } from './ledger/earning/sweep-due.ts';
export { foldCommissionCounts } from './ledger/commissions/commission-counts.ts';
export { ERRORS, type ErrorCode, exampleOf } from './platform/errors/error-table.ts';
export {
  DomainError,
  invalid,
  methodNotAllowed,
  notFound,
  rateLimited,
  unknownField,
  untranslated,
  validationError,
} from './platform/errors/errors.ts';
export { type Reason, reasons } from './platform/texts/reason.ts';
export { EarlyRefusal, type ErrorEnvelope, toEnvelope } from './platform/trpc/error-envelope.ts';
export {
  PERMISSION_NAMES,
  RESOURCES,
  roleMay,
  ROLES,
  type PermissionMap,
  type Resource,
  type Role,
  grants,
  permissionName,
} from './platform/access/permissions.ts';
export * as scalars from './platform/wire/scalars.ts';
export { createSecretBox } from './platform/secrets/secret-box.ts';
export { hasSecretKey, isKeyOfDatabase } from './platform/secrets/secret-box.ts';
export { reencryptSecrets } from './identity/auth-library/reencrypt-secrets.ts';
export type { CsvPart } from './platform/wire/csv.ts';
export type {
  CallContext,
  ClientFacts,
  Precondition,
  Logger,
  Preview,
  Progress,
  Principal,
  Services,
  Upload,
  Visitor,
} from './platform/call/context.ts';
export type { JobKind, Jobs } from './platform/jobs/jobs.ts';
export { asDownload, asParty, beginUpload, countingResults, forgetResults, LongWork, takeTurn } from '@affiliate/postgres';
export type { Database } from './platform/db/database.ts';
export type { MustStop } from './platform/db/purge.ts';
export { recordApiRequest, writeApiLog } from './identity/api-log/api-log.ts';
export { JOB_KINDS, RETAINED_TABLES, openDatabase, purgeRows, tableOfKind } from './database.ts';
export { versionOf } from './platform/call/precondition.ts';
export {
  MIGRATION_LOCK,
  OtherSchemaError,
  acceptsWrites,
  compareSchema,
  isReady,
  knownMigrations,
  migrate,
  schemaBuild,
  schemaState,
} from './platform/db/migrate.ts';
export { describeMigrations, planMigrations } from './platform/db/migrate.ts';
export { backfillPspEvents } from './intake/provider-events/find-lost-events.ts';
export { createSources } from './sources/sources.ts';
export { EventReceipt, FactsDelivery, FactsReceipt } from './sources/facts/fact.schema.ts';
export { type Fetch, NoAnswer } from './platform/operations/ask-json.ts';
export { findLostEvents } from './intake/provider-events/find-lost-events.ts';
export { repairPspEndpoints } from './sources/connections/endpoint.service.ts';
export { createClickPartition, oldestDayOfClicks } from './program/clicks/partitions.ts';
export type { ReadPage } from './intake/site/check-page.ts';
export { maintainClickPartitions, rollUpClicks } from './reports/analytics/roll-up.ts';
export { carryLateDebts } from './ledger/earning/carry-debts.ts';
export { refreshFacts } from './reports/analytics/facts.ts';
export { purgeExpiredVisitors } from './program/referrals/referral.transitions.ts';
export { writeBackMetadata, writeBackSoon } from './ledger/write-back/write-back.ts';
export { retryPspEvents } from './intake/provider-events/retry-events.ts';
export { advanceImports } from './imports/advance-imports.ts';
export { finishErasures } from './privacy/finish-erasures.ts';
export {
  type AcceptedFacts,
  receivePspEvent,
  type EventOutcome,
  type PspDelivery,
} from './intake/provider-events/receive-event.ts';
export { flagCrowdedLeads } from './attribution/crowded-leads.ts';
export { advancePayoutBatches } from './payouts/producers.ts';
export { advancePayoutAttempts } from './payouts/sending/advance-attempts.ts';
export { listScreeningLists, loadScreeningList, removeScreeningList } from './payouts/screening/load-list.ts';
export { UnreadableList } from './payouts/screening/lists/read-list.ts';
export { screenAffiliates } from './payouts/screening/screen-affiliates.ts';
export { createPayoutMethods } from './payouts/methods/methods.ts';
export { type NoticeOutcome, receiveRailNotice } from './payouts/rails/receive-notice.ts';
export { preload } from './preload.ts';
export {
  type MutationPath,
  type Procedure,
  type ProcedurePath,
  type QueryPath,
  PROCEDURES,
  callProcedure,
  findProcedure,
  getProcedure,
} from './procedure-list.ts';
export { type Manual, readManuals } from './platform/manuals/manuals.ts';
export { convertText, declaredIn, readClientInput } from './procedures/client-input.ts';
export { ERROR_DETAILS, type ErrorDetails } from './error-details.ts';
export { type AppRouter, appRouter } from './router.ts';
export { declaredBodyBytes, type Meta, neededRole, permissionsNeeded } from './platform/trpc/meta.ts';
export type { BrowserField, Mount } from './platform/trpc/rest-route.ts';
export { assertMayCall, createCallerFactory } from './platform/trpc/trpc.ts';
export { EVENT_API_VERSION, EVENT_TYPES, type EventSubscription, type EventType } from './webhooks/events/event-types.ts';
export { toInstant } from './platform/time/instant.ts';
export { EVENT_CATALOG, type EventData } from './event-catalog.ts';
export { EventActor } from './webhooks/events/event.ts';
export { WebhookDeliveryRecord } from './webhooks/deliveries/webhook-delivery.ts';
export {
  type DueDelivery,
  type DueEndpoint,
  type DueRequest,
  type DueRound,
  type EndpointLock,
  findDueEndpoints,
  findDueOf,
  findEndpoints,
  lockedEndpoint,
  takeDueRounds,
} from './webhooks/deliveries/due-deliveries.ts';
export {
  checkEndpointUrl,
  type EndpointUrlCheck,
  MAX_ENDPOINT_URL_LENGTH,
  type ResolveHost,
} from './webhooks/endpoints/endpoint-url.ts';
export { type AllowedNetworks, parseAllowedNetworks } from './webhooks/endpoints/public-address.ts';
export {
  type AttemptedRound,
  type AttemptOutcome,
  type KnownHealth,
  recordAttempts,
} from './webhooks/deliveries/record-attempts.ts';
export { bringDeliveriesForward } from './webhooks/deliveries/retry-schedule.ts';
export { cancelOrphanedDeliveries } from './webhooks/deliveries/webhook-delivery.service.ts';
export { signatureHeaders } from './webhooks/endpoints/signature.ts';
export { type Language, LANGUAGES } from './platform/texts/texts.ts';
export { escapeHtml } from './platform/mail/letter.ts';
export { DEMO_DOMAIN } from './platform/mail/outbox.ts';
export { type Mail, MailFailure, type Mailer } from './platform/mail/mailer.ts';
export { mailRequestedLinks } from './identity/auth-library/mailed-links.ts';
export { mayLieInOne } from './platform/sweeps/failures.ts';
export { MAILER_CALLS, sendDueMail, untilMailIsSent, wakeMailSender } from './platform/mail/send-mail.ts';
export { BASE_SCOPE, CONSENT_PERMISSIONS } from './identity/connectors/grantable.ts';
export { authorize, decideConsent, describeConsentRequest } from './identity/oauth/consent.ts';
export type { ReadDocument } from './identity/oauth/register-client.ts';
export { authorizationServerMetadata, protectedResourceMetadata, resourceMetadataUrl } from './identity/oauth/metadata.ts';
export { databaseFailure } from './platform/errors/database-failures.ts';
export { storePreview } from './platform/previews/confirm-effect.ts';
export { registerClient } from './identity/oauth/register-client.ts';
export { type OauthReply, oauthError } from './identity/oauth/register-client.ts';
export { exchangeToken, revokeToken } from './identity/oauth/tokens.ts';
export { type AuthReply, answerAuth } from './identity/sessions/answer-auth.ts';
export { recordAttempt } from './identity/auth-library/attempts.ts';
export { clientNetwork } from './identity/sessions/client-network.ts';
export { callerOfSession } from './identity/sessions/caller.ts';
export { keptVisits, openVisits } from './intake/visits/intake.ts';
export { recordPastVisits } from './intake/visits/write-visits.ts';
export type { Landing, TrackedVisit } from './intake/visits/visit.schema.ts';
