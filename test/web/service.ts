import { builtPages } from '@affiliate/web/built-pages';
import { type ServiceOptions, type TestService, startService } from '../support/service.ts';

/** The service with its pages, for a local browser. */
export async function startServiceWithPages(options: ServiceOptions = {}): Promise<TestService> {
  return startService({ publicUrl: 'http://localhost', pages: await builtPages(), worker: {}, ...options });
}
