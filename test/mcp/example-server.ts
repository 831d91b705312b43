import type { Methods } from '@affiliate/mcp';

/** An image of one red pixel. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
/** A sound without samples. */
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA=';

const text = (words: string) => ({ type: 'text' as const, text: words });
const image = { type: 'image' as const, data: PNG, mimeType: 'image/png' };
const embedded = (uri: string, mimeType: string, words: string) => ({
  type: 'resource' as const,
  resource: { uri, mimeType, text: words },
});

type ToolContent = Awaited<ReturnType<Methods['callTool']>>['content'];

const TOOLS: Record<string, ToolContent> = {
  test_simple_text: [text('This is a simple text response for testing.')],
  test_image_content: [image],
  test_audio_content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }],
  test_embedded_resource: [embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')],
  test_multiple_content_types: [
    text('Multiple content types test:'),
    image,
    embedded('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
  ],
  test_error_handling: [text('This tool intentionally returns an error for testing')],
  test_tool_with_progress: [text('Done')],
};

const PROMPTS: Record<string, (given: Record<string, string>) => Awaited<ReturnType<Methods['getPrompt']>>['messages']> = {
  test_simple_prompt: () => [{ role: 'user', content: text('This is a simple prompt for testing.') }],
  test_prompt_with_arguments: ({ arg1, arg2 }) => [
    { role: 'user', content: text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`) },
  ],
  test_prompt_with_embedded_resource: ({ resourceUri }) => [
    { role: 'user', content: embedded(resourceUri!, 'text/plain', 'Embedded resource content for testing.') },
    { role: 'user', content: text('Please process the embedded resource above.') },
  ],
  test_prompt_with_image: () => [
    { role: 'user', content: image },
    { role: 'user', content: text('Please analyze the image above.') },
  ],
};

/** The methods of the example server that the scenarios of the official conformance suite expect. */
export const EXAMPLE_METHODS: Methods = {
  listTools: async () => ({
    tools: Object.keys(TOOLS).map((name) => ({
      name,
      title: name,
      description: name,
      inputSchema: { type: 'object', properties: {}, required: [], additionalProperties: false },
      annotations: { readOnlyHint: true },
    })),
  }),
  callTool: async ({ name, _meta }, notify) => {
    const progressToken = _meta?.progressToken;
    if (name === 'test_tool_with_progress' && progressToken !== undefined)
      for (const progress of [0, 50, 100])
        await notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } });
    return { content: TOOLS[name]!, ...(name === 'test_error_handling' ? { isError: true } : {}) };
  },
  listPrompts: () => ({ prompts: Object.keys(PROMPTS).map((name) => ({ name })) }),
  getPrompt: ({ name, arguments: given = {} }) => ({ messages: PROMPTS[name]!(given) }),
  listResources: () => ({ resources: [{ uri: 'test://static-text', name: 'static-text' }] }),
  listResourceTemplates: () => ({ resourceTemplates: [{ uriTemplate: 'test://template/{id}/data', name: 'template' }] }),
  readResource: async ({ uri }) => {
    const [, id] = /^test:\/\/template\/(\w+)\/data$/.exec(uri) ?? [];
    if (id !== undefined)
      return { contents: [{ uri, mimeType: 'application/json', text: JSON.stringify({ id, templateTest: true }) }] };
    if (uri === 'test://static-binary') return { contents: [{ uri, mimeType: 'image/png', blob: PNG }] };
    return { contents: [{ uri, mimeType: 'text/plain', text: 'This is the content of the static text resource.' }] };
  },
  complete: async () => ({ completion: { values: ['paris', 'park'], total: 2, hasMore: false } }),
};
