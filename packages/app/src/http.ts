import type { Services } from '@affiliate/core';
import { mcpOverHttp, preloadProtocol } from '@affiliate/mcp/http';
import { DEFAULT_RATE_LIMITS, type RestOptions, createApp, preloadContract } from '@affiliate/rest';
import { builtPages } from '@affiliate/web/built-pages';
import { BUILD } from './build-name.ts';
import type { Configuration } from './configuration.ts';
import { recentMails } from './mail/log-mailer.ts';
import { isForThisMachine, mailPage } from './mail/mail-page.ts';

/** Creates the HTTP application for the API, the pages and assistants. */
export async function createDoors(
  services: Services,
  configuration: Configuration,
  { metrics, health }: Pick<RestOptions, 'metrics' | 'health'>,
): Promise<ReturnType<typeof createApp>> {
  const allowedOrigins = configuration.MCP_ALLOWED_ORIGINS;
  const doors: Record<string, NonNullable<RestOptions['doors']>[string]> = {
    '/mcp': (limits) => mcpOverHttp(services, limits, { allowedOrigins }),
  };
  const recent = recentMails(services.mailer);
  if (recent !== null && isForThisMachine(configuration)) doors['/mail'] = () => mailPage(recent);
  const pages = await builtPages();
  return createApp(services, { ...restOptions(configuration), metrics, health, doors, pages });
}

/** Loads the modules for assistants and for the contract, so that the first requests do not wait for them. */
export async function preloadDoors(): Promise<void> {
  await preloadProtocol();
  await preloadContract();
}

function restOptions(configuration: Configuration): RestOptions {
  return {
    version: BUILD.version,
    commit: BUILD.commit,
    trustedProxies: configuration.TRUSTED_PROXIES,
    countryHeader: configuration.COUNTRY_HEADER,
    mailReportsToken: configuration.MAIL_REPORTS_TOKEN,
    metricsToken: configuration.METRICS_TOKEN,
    rateLimits: {
      caller: configuration.RATE_LIMIT_PER_MINUTE ?? DEFAULT_RATE_LIMITS.caller,
      publicAddress: configuration.RATE_LIMIT_PUBLIC_PER_MINUTE ?? DEFAULT_RATE_LIMITS.publicAddress,
      failedCredentials: configuration.RATE_LIMIT_FAILED_CREDENTIALS_PER_MINUTE ?? DEFAULT_RATE_LIMITS.failedCredentials,
    },
  };
}
