import { router } from './platform/trpc/trpc.ts';
import { accountRouter, auditLogRouter } from './procedures/account.router.ts';
import { affiliatesRouter } from './procedures/affiliate.router.ts';
import { applicationsRouter, joinRouter } from './procedures/application.router.ts';
import { assetsRouter } from './procedures/asset.router.ts';
import { campaignsRouter } from './procedures/campaign.router.ts';
import { commissionsRouter } from './procedures/commission.router.ts';
import { connectionsRouter } from './procedures/connection.router.ts';
import { apiKeysRouter, apiRequestsRouter, connectorsRouter } from './procedures/credential.router.ts';
import { customersRouter } from './procedures/customer.router.ts';
import { emailTextsRouter } from './procedures/email-text.router.ts';
import { importsRouter, shadowsRouter } from './procedures/import.router.ts';
import { invitationsRouter } from './procedures/invitation.router.ts';
import { clicksRouter, linksRouter } from './procedures/link.router.ts';
import { membersRouter } from './procedures/member.router.ts';
import { analyticsRouter, overviewRouter, searchRouter } from './procedures/overview.router.ts';
import { payoutExportsRouter } from './procedures/payout-export.router.ts';
import { payoutMethodsRouter, payoutRailsRouter } from './procedures/payout-method.router.ts';
import { payoutRunsRouter } from './procedures/payout-run.router.ts';
import { payoutScreeningsRouter } from './procedures/payout-screening.router.ts';
import { payoutAttemptsRouter, payoutBatchesRouter } from './procedures/payout-sending.router.ts';
import { payoutsRouter } from './procedures/payout.router.ts';
import { portalSettingsRouter } from './procedures/portal-settings.router.ts';
import { portalRouter } from './procedures/portal.router.ts';
import { meRouter, profileRouter, sessionRouter } from './procedures/profile.router.ts';
import { affiliateCouponsRouter, promoCodesRouter } from './procedures/promo-code.router.ts';
import { pspConnectionRouter } from './procedures/psp-connection.router.ts';
import { leadsRouter, referralsRouter } from './procedures/referral.router.ts';
import { rewardRulesRouter, tiersRouter } from './procedures/rewards.router.ts';
import { refundsRouter, salesRouter } from './procedures/sale.router.ts';
import { installationRouter, setupRouter, siteRouter } from './procedures/setup.router.ts';
import { testModeRouter } from './procedures/test-mode.router.ts';
import { trackingRouter } from './procedures/tracking.router.ts';
import { eventsRouter, webhookDeliveriesRouter, webhookEndpointsRouter } from './procedures/webhooks.router.ts';

/** All operations of the service. */
export const appRouter = router({
  account: accountRouter,
  affiliateCoupons: affiliateCouponsRouter,
  affiliates: affiliatesRouter,
  apiKeys: apiKeysRouter,
  apiRequests: apiRequestsRouter,
  applications: applicationsRouter,
  assets: assetsRouter,
  auditLog: auditLogRouter,
  campaigns: campaignsRouter,
  clicks: clicksRouter,
  site: siteRouter,
  connectors: connectorsRouter,
  overview: overviewRouter,
  analytics: analyticsRouter,
  promoCodes: promoCodesRouter,
  connections: connectionsRouter,
  pspConnection: pspConnectionRouter,
  commissions: commissionsRouter,
  customers: customersRouter,
  events: eventsRouter,
  imports: importsRouter,
  shadows: shadowsRouter,
  leads: leadsRouter,
  links: linksRouter,
  me: meRouter,
  emailTexts: emailTextsRouter,
  payouts: payoutsRouter,
  payoutAttempts: payoutAttemptsRouter,
  payoutBatches: payoutBatchesRouter,
  payoutMethods: payoutMethodsRouter,
  payoutRails: payoutRailsRouter,
  payoutScreenings: payoutScreeningsRouter,
  payoutExports: payoutExportsRouter,
  payoutRuns: payoutRunsRouter,
  referrals: referralsRouter,
  refunds: refundsRouter,
  rewardRules: rewardRulesRouter,
  testMode: testModeRouter,
  tiers: tiersRouter,
  tracking: trackingRouter,
  webhookDeliveries: webhookDeliveriesRouter,
  webhookEndpoints: webhookEndpointsRouter,
  invitations: invitationsRouter,
  members: membersRouter,
  profile: profileRouter,
  session: sessionRouter,
  sales: salesRouter,
  search: searchRouter,
  setup: setupRouter,
  installation: installationRouter,
  portal: portalRouter,
  join: joinRouter,
  portalSettings: portalSettingsRouter,
});
export type AppRouter = typeof appRouter;
