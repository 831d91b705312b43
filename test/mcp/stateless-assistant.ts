import { Client, type Transport } from '@modelcontextprotocol/client';
import { ToolCaller } from './assistant.ts';

/** Revision of the stateless generation of the protocol. */
export const REVISION = '2026-07-28';

/** An AI assistant: the official client of the stateless generation. It refuses servers that do not offer the revision. */
export class StatelessAssistant extends ToolCaller {
  readonly client = new Client({ name: 'test assistant', version: '1' }, { versionNegotiation: { mode: { pin: REVISION } } });

  static async connect(transport: Transport): Promise<StatelessAssistant> {
    const assistant = new StatelessAssistant();
    await assistant.client.connect(transport);
    await assistant.client.listTools();
    return assistant;
  }
}
