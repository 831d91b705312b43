import { components } from './components.ts';
import { connection } from './connection.ts';
import { join } from './join.ts';
import { language } from './language.ts';
import { layout } from './layout.ts';
import { loading } from './loading.ts';
import { portalPages } from './portal-pages.ts';
import { portal } from './portal.ts';
import { session } from './session.ts';
import { values } from './values.ts';

/** The German texts of the portal. They are loaded without the texts of the merchants' pages. */
export default { components, connection, join, language, layout, loading, 'portal-pages': portalPages, portal, session, values };
