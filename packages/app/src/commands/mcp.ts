import { Command } from 'commander';
import { readConfiguration } from '../configuration.ts';
import { untilAskedToEnd } from '../lifetime.ts';
import { OperatorError } from '../operator-error.ts';

export function mcpCommand(): Command {
  return new Command('mcp')
    .description(
      'serve one AI assistant on standard input and output (MCP); AFFILIATE_CONNECTOR_TOKEN or AFFILIATE_API_KEY says on whose behalf',
    )
    .action(async () => {
      const asked = untilAskedToEnd();
      const configuration = readConfiguration(process.env);
      const secret = configuration.AFFILIATE_CONNECTOR_TOKEN ?? configuration.AFFILIATE_API_KEY;
      if (secret === undefined)
        throw new OperatorError('Set AFFILIATE_CONNECTOR_TOKEN or AFFILIATE_API_KEY to the credential of the caller.');
      const { serveAssistant } = await import('../serve-assistant.ts');
      await serveAssistant(configuration, secret, asked);
    });
}
