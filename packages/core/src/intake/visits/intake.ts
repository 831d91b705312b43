import type { Services } from '../../platform/call/context.ts';
import type { Database } from '../../platform/db/database.ts';
import { LinkDirectory } from './link-directory.ts';
import { ScriptSights } from './script-sights.ts';
import { VisitQueue } from './visit-queue.ts';

/** The link directory, the visit queue and the reports of sites that a process keeps in memory. */
interface Intake {
  links: LinkDirectory;
  visits: VisitQueue;
  sights: ScriptSights;
}

/** The process's intakes, one per database. */
const intakes = new WeakMap<Database, Intake>();

export function intakeOf(services: Services): Intake {
  const known = intakes.get(services.database);
  if (known) return known;
  const intake = {
    links: new LinkDirectory(services.database.kysely),
    visits: new VisitQueue(services),
    sights: new ScriptSights(services),
  };
  intakes.set(services.database, intake);
  return intake;
}

/**
 * Returns the number of visits that this process holds in memory because the database does not answer in time, and the number of visits
 * lost since the process started.
 */
export function keptVisits(services: Services): { kept: number; lost: number } {
  return intakeOf(services).visits.figures;
}

/**
 * Starts caching the destinations of links in this process. A separate connection to the database reports changes. Without this call, every
 * visit asks the database. `close` writes the remaining visits.
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
