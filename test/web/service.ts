import { builtPages } from '@affiliate/web/built-pages';
import { afterAll, beforeAll } from 'vitest';
import { type Chromium, launchChromium } from '../support/chromium/index.ts';
import { type ServiceOptions, type TestService, startService } from '../support/service.ts';

/** Port of the last service with pages that this process started. */
let formerPort: number | undefined;

/**
 * Starts a service with its pages, for a local browser. Uses the address of the previous service, because browser windows that are reused have cached
 * the scripts and style sheets of that address.
 */
export async function withPages<Service extends TestService>(
  start: (options: ServiceOptions) => Promise<Service>,
): Promise<Service> {
  const service = await start({ publicUrl: 'http://localhost', pages: await builtPages(), preferredPort: formerPort });
  formerPort = Number(new URL(service.url).port);
  return service;
}

/** Starts a service with its pages and a worker, for a local browser. */
export async function startServiceWithPages(options: ServiceOptions = {}): Promise<TestService> {
  return withPages((common) => startService({ ...common, worker: {}, ...options }));
}

/** Starts a service with its pages and a browser for the tests of a file, at the same time. Stops both after them. */
export function usePages(options: ServiceOptions = {}): { service: TestService; browser: Chromium } {
  const { service, browser } = { service: {} as TestService, browser: {} as Chromium };
  beforeAll(async () => {
    const [started, launched] = await Promise.all([startServiceWithPages(options), launchChromium()]);
    Object.assign(service, started);
    Object.assign(browser, launched);
  });
  afterAll(async () => {
    await browser.close();
    await service.stop();
  });
  return { service, browser };
}
