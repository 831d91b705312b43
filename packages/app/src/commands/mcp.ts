import { Command } from 'commander';
import { readConfiguration } from '../configuration.ts';
import { untilShutdownRequested } from '../lifetime.ts';
import { OperatorError } from '../operator-error.ts';

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
