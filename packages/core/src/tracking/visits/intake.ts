import type { Services } from '../../platform/call/context.ts';
import type { Database } from '../../platform/db/database.ts';
import { LinkDirectory } from './link-directory.ts';
import { VisitQueue } from './visit-queue.ts';

/** Links and waiting visits that a process keeps in memory. */
interface Intake {
  links: LinkDirectory;
  visits: VisitQueue;
}

/** One per process: its connections and its memory are shared by all calls. */
const intakes = new WeakMap<Database, Intake>();

export function intakeOf(services: Services): Intake {
  const known = intakes.get(services.database);
  if (known) return known;
  const intake = { links: new LinkDirectory(services.database.kysely), visits: new VisitQueue(services) };
  intakes.set(services.database, intake);
  return intake;
}

/** Visits that a process holds in memory because the database does not answer, and those that it has lost since its start. */
export function keptVisits(services: Services): { kept: number; lost: number } {
  return intakeOf(services).visits.figures;
}

/**
 * Lets this process remember where links lead, over a connection that tells it of changes; without it, every visit asks the database. `close`
 * writes the visits that are left.
 *
 * @param url connection string of the service's database; not through a pooler in transaction mode
 */
export async function openVisits(services: Services, url: string): Promise<{ close(): Promise<void> }> {
  const { links, visits } = intakeOf(services);
  await links.listen(url);
  return {
    close: async () => {
      await links.close();
      await visits.close();
    },
  };
}
