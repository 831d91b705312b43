import { applications } from './applications.ts';
import { portal } from './portal.ts';
import { portalSettings } from './portal-settings.ts';
import { session } from './session.ts';

/** All German texts, by area. */
export default { applications, portal, 'portal-settings': portalSettings, session };
