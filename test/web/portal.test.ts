import { affiliate } from './portal/affiliate.ts';
import { applicant } from './portal/applicant.ts';
import { entrances } from './portal/entrances.ts';
import { usePortal } from './portal/portal.ts';

// One service and one browser for all of them.
const portal = usePortal();

affiliate(portal);
applicant(portal);
entrances(portal);
