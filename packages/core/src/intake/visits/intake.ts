import { clientNetwork } from '../../identity/sessions/client-network.ts';
import type { ClientFacts, Services } from '../../platform/call/context.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Instant } from '../../platform/time/instant.ts';
import { botReasonOf } from '../../program/clicks/bots.ts';
import { recordScriptSight } from '../../program/links/link-url.ts';
import { LinkDirectory } from './link-directory.ts';
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

/** Number of networks whose visitors must have reported from a site. A single stranger cannot pretend that a site has the script. */
const NETWORKS = 3;
/** Maximum number of sites kept in memory. */
const MAX_SITES = 10_000;

/** Reports of visits from one site to one account. */
interface Site {
  /** Networks since the last sight was recorded, at most `NETWORKS`. */
  networks: Set<string>;
  /** Day of the last recorded sight, e.g. 2027-01-31. */
  recordedOn: string | null;
}

/**
 * Finds out from reports of visits on which sites the tracking script runs (docs/rules/intake.md#sites-with-the-script). Records at most one
 * sight a day for each site.
 */
class ScriptSights {
  readonly #services: Pick<Services, 'database' | 'log'>;
  readonly #sites = new Map<string, Site>();

  constructor(services: Pick<Services, 'database' | 'log'>) {
    this.#services = services;
  }

  /**
   * Notes a report of a visit to `destination`, the destination of a link. Does nothing if the report came from another origin or from a bot.
   * A sight that cannot be recorded is logged, because the visit counts without it.
   */
  async note(
    { account_id, destination, now }: { account_id: string; destination: string; now: Instant },
    client: ClientFacts | undefined,
  ): Promise<void> {
    if (!client?.origin || URL.parse(destination)?.origin !== client.origin || botReasonOf(client.userAgent) !== null) return;
    const { origin } = client;
    const day = now.slice(0, 10);
    const site = this.#siteOf(`${account_id} ${origin}`);
    if (site.recordedOn === day) return;
    site.networks.add(clientNetwork(client.address));
    if (site.networks.size < NETWORKS) return;
    site.networks.clear();
    site.recordedOn = day;
    try {
      await recordScriptSight(this.#services.database.kysely, { account_id, origin, seen_at: now });
    } catch (error) {
      this.#services.log.warn({ err: error, account_id }, 'a site with the tracking script could not be recorded');
    }
  }

  #siteOf(key: string): Site {
    const known = this.#sites.get(key);
    if (known) return known;
    if (this.#sites.size >= MAX_SITES) this.#sites.clear();
    const site = { networks: new Set<string>(), recordedOn: null };
    this.#sites.set(key, site);
    return site;
  }
}
