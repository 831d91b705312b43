import { access } from './access.ts';
import { account } from './account.ts';
import { affiliates } from './affiliates.ts';
import { analytics } from './analytics.ts';
import { funnel } from './funnel.ts';
import { apiKeys } from './api-keys.ts';
import { applications } from './applications.ts';
import { archive } from './archive.ts';
import { assigning } from './assigning.ts';
import { auditLog } from './audit-log.ts';
import { campaigns } from './campaigns.ts';
import { commissions } from './commissions.ts';
import { components } from './components.ts';
import { connection } from './connection.ts';
import { connectors } from './connectors.ts';
import { consent } from './consent.ts';
import { counts } from './counts.ts';
import { customers } from './customers.ts';
import { exampleNotice } from './example-notice.ts';
import { install } from './install.ts';
import { invitation } from './invitation.ts';
import { join } from './join.ts';
import { language } from './language.ts';
import { layout } from './layout.ts';
import { lists } from './lists.ts';
import { loading } from './loading.ts';
import { mailOccasions } from './mail-occasions.ts';
import { mails } from './mails.ts';
import { members } from './members.ts';
import { onboarding } from './onboarding.ts';
import { overview } from './overview.ts';
import { paymentProvider } from './payment-provider.ts';
import { payouts } from './payouts.ts';
import { portalPages } from './portal-pages.ts';
import { portalSettings } from './portal-settings.ts';
import { portal } from './portal.ts';
import { profile } from './profile.ts';
import { promoCodes } from './promo-codes.ts';
import { requiredFactor } from './required-factor.ts';
import { search } from './search.ts';
import { session } from './session.ts';
import { setup } from './setup.ts';
import { signIn } from './sign-in.ts';
import { timeline } from './timeline.ts';
import { values } from './values.ts';
import { webhooks } from './webhooks.ts';

/** All German texts, by area. */
export default {
  funnel,
  access,
  account,
  affiliates,
  analytics,
  'api-keys': apiKeys,
  applications,
  archive,
  assigning,
  'audit-log': auditLog,
  campaigns,
  commissions,
  components,
  connection,
  connectors,
  consent,
  counts,
  customers,
  'example-notice': exampleNotice,
  install,
  invitation,
  join,
  language,
  layout,
  lists,
  loading,
  'mail-occasions': mailOccasions,
  mails,
  members,
  onboarding,
  overview,
  'payment-provider': paymentProvider,
  payouts,
  'portal-pages': portalPages,
  'portal-settings': portalSettings,
  portal,
  profile,
  'promo-codes': promoCodes,
  'required-factor': requiredFactor,
  search,
  session,
  setup,
  'sign-in': signIn,
  timeline,
  values,
  webhooks,
};
