import { builtPages } from '@affiliate/web/built-pages';
import { type ServiceOptions, type TestService, startService } from '../support/service.ts';

/** Port of the last service with pages in this process. */
let formerPort: number | undefined;

/**
 * Starts a service with its pages, for a local browser: at the address of the former one, where the windows that its users have left know the
 * scripts and style sheets.
 */
export async function withPages<Service extends TestService>(
  start: (options: ServiceOptions) => Promise<Service>,
): Promise<Service> {
  const service = await start({ publicUrl: 'http://localhost', pages: await builtPages(), preferredPort: formerPort });
  formerPort = Number(new URL(service.url).port);
  return service;
}

/** The service with its pages, for a local browser. */
export async function startServiceWithPages(options: ServiceOptions = {}): Promise<TestService> {
  return withPages((common) => startService({ ...common, worker: {}, ...options }));
}
