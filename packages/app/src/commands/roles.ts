import { Command } from 'commander';
import { readConfiguration } from '../configuration.ts';
import { OperatorError } from '../errors.ts';
import { untilShutdownRequested } from '../lifetime.ts';
import type { Part } from '../serve.ts';

/**
 * Returns the commands that keep running. `start` runs everything in one process. Each of the other commands runs one part of the service, and
 * all parts use the same DATABASE_URL.
 */
export function roleCommands(): Command[] {
  return [
    new Command('start')
      .description('run the whole service in this process; the first start on the embedded database creates a demo account')
      .action(() => run(['worker', 'rest'], { demo: true })),
    role('rest', 'serve HTTP: /api/v1, /track, /trpc, /mcp and the pages'),
    role('worker', 'deliver webhooks, move due commissions into payouts, execute payout runs, send mail, purge expired data'),
  ];
}

function role(part: Part, description: string): Command {
  return new Command(part).description(description).action(() => run([part]));
}

async function run(parts: readonly Part[], options?: { demo: boolean }): Promise<void> {
  const { serve } = await import('../serve.ts');
  return serve(parts, options);
}

export function mcpCommand(): Command {
  return new Command('mcp')
    .description(
      'serve one AI assistant over standard input and output (MCP); needs AFFILIATE_CONNECTOR_TOKEN or AFFILIATE_API_KEY',
    )
    .action(async () => {
      const shutdown = untilShutdownRequested();
      const configuration = readConfiguration(process.env);
      const secret = configuration.AFFILIATE_CONNECTOR_TOKEN ?? configuration.AFFILIATE_API_KEY;
      if (secret === undefined)
        throw new OperatorError('Set AFFILIATE_CONNECTOR_TOKEN to the token of a connector, or AFFILIATE_API_KEY to an API key.');
      const { serveAssistant } = await import('../serve-assistant.ts');
      await serveAssistant(configuration, secret, shutdown);
    });
}
