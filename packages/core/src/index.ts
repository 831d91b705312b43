export { createAccount, createMember, issueApiKey, type NewAccount } from './accounts/create-account.ts';
export { authenticateApiKey, authenticateConnector } from './api-keys/authenticate.ts';
export { type AuditOutcome, beginAuditEntry, completeAuditEntry } from './audit-log/audit-entry.ts';
export { forgetOldAuditEntries } from './audit-log/retention.ts';
export { type Clock, systemClock } from './api/clock.ts';
export { callerId } from './api/caller.ts';
export { isPossibleId } from './api/ids.ts';
export { sweepDueCommissions } from './commissions/sweep-due.ts';
export { ApiError, ERROR_CODES, type ErrorCode, type ErrorEnvelope, toEnvelope, invalid, validationError } from './api/errors.ts';
export {
  PERMISSION_NAMES,
  RESOURCES,
  ROLES,
  type PermissionMap,
  type Resource,
  type Role,
  grants,
  permissionName,
} from './api/permissions.ts';
export * as scalars from './api/scalars.ts';
export { createSecretBox, type SecretBox } from './api/secret-box.ts';
export type { CallContext, Logger, Preview, Principal, Services, Visitor, WakeUps } from './context.ts';
export { Database } from './db/database.ts';
export { migrate, pendingMigrations } from './db/migrate.ts';
export { backfillPspEvents, type BackfillResult } from './psp-events/backfill.ts';
export { forgetOldPspEvents } from './psp-events/retention.ts';
export { receivePspEvent, type EventOutcome } from './psp-events/receive-event.ts';
export { advancePayoutRuns } from './payout-runs/execute-run.ts';
export { preload } from './preload.ts';
export { StripeGateway } from './psp/stripe/stripe-gateway.ts';
export { type AppRouter, appRouter } from './router.ts';
export { createCallerFactory, type Meta, neededRole, permissionsNeeded } from './trpc.ts';
export { EVENT_TYPES, type EventType } from './events/event-types.ts';
export { forgetOldIdempotencyKeys } from './api/idempotency.ts';
export { toInstant } from './db/instant.ts';
export { EVENT_CATALOG, type EventData } from './events/catalog.ts';
export {
  type DueDelivery,
  type DueEndpoint,
  type DueRound,
  findDueEndpoints,
  findEndpoints,
  takeDueRound,
} from './webhooks/due-deliveries.ts';
export { checkEndpointUrl, type EndpointUrlCheck, MAX_ENDPOINT_URL_LENGTH, type ResolveHost } from './webhooks/endpoint-url.ts';
export { type AllowedNetworks, parseAllowedNetworks } from './webhooks/public-address.ts';
export { type AttemptOutcome, recordAttempts } from './webhooks/record-attempts.ts';
export { cancelOrphanedDeliveries, dropOldAttempts, dropOldEvents } from './webhooks/retention.ts';
export { signatureHeader } from './webhooks/signature.ts';
export type { Mail, Mailer } from './mail/mailer.ts';
export { sendDueMail } from './mail/outbox.ts';
export { authorize } from './oauth/authorize.ts';
export { decideConsent, describeConsentRequest } from './oauth/consent.ts';
export { authorizationServerMetadata, protectedResourceMetadata, resourceMetadataUrl } from './oauth/metadata.ts';
export { registerClient } from './oauth/register-client.ts';
export { type OauthReply, oauthError } from './oauth/reply.ts';
export { exchangeToken, revokeToken } from './oauth/tokens.ts';
export { forgetOauthLeftovers } from './oauth/forget-leftovers.ts';
export { answerAuth } from './sessions/answer-auth.ts';
export { callerOfSession } from './sessions/caller.ts';
export { trackLead } from './tracking/leads.ts';
export { TrackLead, TrackVisit, TrackedLead, TrackedVisit } from './tracking/visit.schema.ts';
export { followLink, trackVisit } from './tracking/visits.ts';
export { parseInput } from './api/input.ts';
export { forgetExpiredSessions } from './sessions/forget-expired.ts';
