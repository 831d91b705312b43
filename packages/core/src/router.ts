import { accountRouter } from './accounts/account.router.ts';
import { affiliateCouponsRouter } from './affiliate-coupons/affiliate-coupon.router.ts';
import { affiliatesRouter } from './affiliates/affiliate.router.ts';
import { apiKeysRouter } from './api-keys/api-key.router.ts';
import { auditLogRouter } from './audit-log/audit-log.router.ts';
import { campaignsRouter } from './campaigns/campaign.router.ts';
import { connectorsRouter } from './connectors/connector.router.ts';
import { overviewRouter } from './overview/overview.router.ts';
import { promoCodesRouter } from './promo-codes/promo-code.router.ts';
import { pspConnectionRouter } from './psp-connections/psp-connection.router.ts';
import { commissionsRouter } from './commissions/commission.router.ts';
import { linksRouter } from './links/link.router.ts';
import { payoutExportsRouter } from './payout-exports/payout-export.router.ts';
import { payoutRunsRouter } from './payout-runs/payout-run.router.ts';
import { payoutsRouter } from './payouts/payout.router.ts';
import { referralsRouter } from './referrals/referral.router.ts';
import { trackingRouter } from './tracking/tracking.router.ts';
import { invitationsRouter } from './invitations/invitation.router.ts';
import { membersRouter } from './members/member.router.ts';
import { sessionRouter } from './sessions/session.router.ts';
import { router } from './trpc.ts';
import { webhookDeliveriesRouter } from './webhooks/webhook-delivery.router.ts';
import { webhookEndpointsRouter } from './webhooks/webhook-endpoint.router.ts';

/** Every operation of the service. */
export const appRouter = router({
  account: accountRouter,
  affiliateCoupons: affiliateCouponsRouter,
  affiliates: affiliatesRouter,
  apiKeys: apiKeysRouter,
  auditLog: auditLogRouter,
  campaigns: campaignsRouter,
  connectors: connectorsRouter,
  overview: overviewRouter,
  promoCodes: promoCodesRouter,
  pspConnection: pspConnectionRouter,
  commissions: commissionsRouter,
  links: linksRouter,
  payouts: payoutsRouter,
  payoutExports: payoutExportsRouter,
  payoutRuns: payoutRunsRouter,
  referrals: referralsRouter,
  tracking: trackingRouter,
  webhookDeliveries: webhookDeliveriesRouter,
  webhookEndpoints: webhookEndpointsRouter,
  invitations: invitationsRouter,
  members: membersRouter,
  session: sessionRouter,
});
export type AppRouter = typeof appRouter;
