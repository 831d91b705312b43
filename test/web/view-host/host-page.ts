/** A small assistant in a browser: it calls a tool with the official client, and shows the tool's view with the official bridge for hosts. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { AppBridge, PostMessageTransport, getToolUiResourceUri } from '@modelcontextprotocol/ext-apps/app-bridge';

/** The assistant's settings, in the fragment of the page's address. */
export interface HostSettings {
  mcp: string;
  token: string;
  call: { name: string; arguments: Record<string, unknown> };
  theme: 'light' | 'dark';
  locale: string;
  /** Revision of the protocol, or null for the revisions of 2025. */
  revision: string | null;
  /** False for a host that does not let views call tools. */
  isActive: boolean;
}

const VIEWS = { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } };

const settings = JSON.parse(decodeURIComponent(location.hash.slice(1))) as HostSettings;

/** The data that the test reads: the assistant's context, as the view changed it. */
const context: string[] = [];
Object.assign(window, { context });

async function start(): Promise<void> {
  const client = new Client(
    { name: 'test host', version: '1' },
    {
      capabilities: { extensions: VIEWS },
      ...(settings.revision === null ? {} : { versionNegotiation: { mode: { pin: settings.revision } } }),
    },
  );
  await client.connect(
    new StreamableHTTPClientTransport(new URL(settings.mcp), {
      requestInit: { headers: { Authorization: `Bearer ${settings.token}` } },
    }),
  );
  const { tools } = await client.listTools();
  const uri = getToolUiResourceUri(tools.find(({ name }) => name === settings.call.name)!);
  const { contents } = await client.readResource({ uri: uri! });
  const reply = await client.callTool(settings.call);

  const frame = document.createElement('iframe');
  frame.title = 'View';
  frame.setAttribute('sandbox', 'allow-scripts');
  frame.style.cssText = 'border:0;width:100%;height:600px';
  document.body.append(frame);
  const bridge = new AppBridge(
    client,
    { name: 'test host', version: '1' },
    { ...(settings.isActive ? { serverTools: {}, updateModelContext: { text: {} } } : {}), openLinks: {} },
    { hostContext: { theme: settings.theme, locale: settings.locale } },
  );
  bridge.onupdatemodelcontext = ({ content = [] }) => {
    context.splice(0, context.length, ...content.map((block) => ('text' in block ? block.text : '')));
    return Promise.resolve({});
  };
  bridge.onsizechange = ({ height }) => {
    if (height !== undefined) frame.style.height = `${height}px`;
  };
  bridge.oninitialized = () => {
    void bridge.sendToolInput({ arguments: settings.call.arguments });
    void bridge.sendToolResult(reply);
  };
  await bridge.connect(new PostMessageTransport(frame.contentWindow!, frame.contentWindow!));
  const [view] = contents as { text: string }[];
  frame.srcdoc = view!.text;
}

start().catch((error: unknown) => document.body.append(String(error)));
