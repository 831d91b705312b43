/** Makes the process that imports this module behave as the next version of the service. */
import { MIGRATIONS } from '../../packages/core/src/platform/db/migrations/index.ts';
import { NEXT } from './next-version.ts';

MIGRATIONS.push(...NEXT);
