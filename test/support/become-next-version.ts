/** Makes the process that imports this module behave as the next version of the service. Not for tests, because several test files share a process. */
import { MIGRATIONS } from '../../packages/core/src/platform/db/migrations/index.ts';
import { NEXT } from './next-version.ts';

MIGRATIONS.push(...NEXT);
