/** Name of the service in the configuration of an assistant. */
const NAME = 'affiliate';

/** How an assistant gets the address of the service: by a link that opens it, or by a text that the person copies. */
export type Installation = { assistant: string; link: string } | { assistant: string; text: string; file?: string };

/**
 * Returns how to add the service to each assistant. The links open the programs themselves, so that no other site learns the address.
 *
 * @param url address of the service's MCP endpoint
 */
export function installationsFor(url: string): Installation[] {
  const vscode = { name: NAME, type: 'http', url };
  const copilot = { mcpServers: { [NAME]: { type: 'http', url, tools: ['*'] } } };
  return [
    { assistant: 'Visual Studio Code', link: `vscode:mcp/install?${encodeURIComponent(JSON.stringify(vscode))}` },
    {
      assistant: 'Cursor',
      link: `cursor://anysphere.cursor-deeplink/mcp/install?name=${NAME}&config=${encodeURIComponent(btoa(JSON.stringify({ url })))}`,
    },
    { assistant: 'Claude, ChatGPT', text: url },
    { assistant: 'Claude Code', text: `claude mcp add --transport http ${NAME} ${url}` },
    { assistant: 'Gemini CLI', text: `gemini mcp add --transport http ${NAME} ${url}` },
    { assistant: 'Copilot CLI', text: JSON.stringify(copilot, null, 2), file: '~/.copilot/mcp-config.json' },
  ];
}
