import { analytics } from './analytics.ts';
import { applications } from './applications.ts';
import { mails } from './mails.ts';
import { portal } from './portal.ts';
import { portalSettings } from './portal-settings.ts';
import { connection } from './connection.ts';
import { install } from './install.ts';
import { timeline } from './timeline.ts';
import { layout } from './layout.ts';
import { loading } from './loading.ts';
import { session } from './session.ts';
import { signIn } from './sign-in.ts';

/** All German texts, by area. */
export default {
  timeline,
  analytics,
  applications,
  mails,
  connection,
  install,
  layout,
  loading,
  portal,
  'portal-settings': portalSettings,
  session,
  'sign-in': signIn,
};
