import { affiliate } from './portal/affiliate.ts';
import { applicant } from './portal/applicant.ts';
import { entrances } from './portal/entrances.ts';
import { usePortal } from './portal/portal.ts';

// All tests of this file share one service and one browser.
const portal = usePortal();

affiliate(portal);
applicant(portal);
entrances(portal);
