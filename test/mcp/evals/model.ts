import type { Fields } from '../../support/http.ts';
import { type ToolCaller, textOf } from '../assistant.ts';

/** Most rounds of calls of one story. */
const MAX_ROUNDS = 30;

/** Answers of the person in the stories, who approves all that the assistant previews. */
const SYSTEM =
  'You run an affiliate program with the tools. The user has approved everything in advance: preview each change, then carry it out without asking. Answer briefly at the end.';

interface Message {
  role: string;
  content: string | null;
  tool_calls?: { id: string; function: { name: string; arguments: string } }[];
  tool_call_id?: string;
}

/** A model behind an endpoint with the API of OpenAI's chat completions, which most providers and local servers offer. */
export class Model {
  readonly #url: string;
  readonly #name: string;
  readonly #key: string | undefined;

  private constructor(url: string, name: string, key: string | undefined) {
    this.#url = url;
    this.#name = name;
    this.#key = key;
  }

  /** Returns the model that the environment configures, or null. */
  static configured({ EVAL_MODEL_URL, EVAL_MODEL = 'default', EVAL_MODEL_KEY }: NodeJS.ProcessEnv): Model | null {
    return EVAL_MODEL_URL ? new Model(EVAL_MODEL_URL, EVAL_MODEL, EVAL_MODEL_KEY) : null;
  }

  /** Lets the model answer a question with the tools of an assistant. Returns the answer, and the actions that it called. */
  async answer(assistant: ToolCaller, question: string): Promise<{ answer: string; calls: string[] }> {
    const { tools } = await assistant.client.listTools();
    const functions = tools.map(({ name, description, inputSchema }) => ({
      type: 'function',
      function: { name, description, parameters: inputSchema },
    }));
    const messages: Message[] = [
      { role: 'system', content: `${assistant.client.getInstructions() ?? ''}\n${SYSTEM}` },
      { role: 'user', content: question },
    ];
    const calls: string[] = [];
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const message = await this.#complete(messages, functions);
      messages.push(message);
      if (!message.tool_calls?.length) return { answer: message.content ?? '', calls };
      for (const { id, function: called } of message.tool_calls) {
        const args = JSON.parse(called.arguments || '{}') as Fields;
        calls.push(`${called.name} ${String(args['action'])}`);
        const reply = await assistant.client.callTool({ name: called.name, arguments: args }).then(
          (result) => textOf(result as Parameters<typeof textOf>[0]),
          (error: unknown) => String(error),
        );
        messages.push({ role: 'tool', tool_call_id: id, content: reply });
      }
    }
    throw new Error(`The model did not answer within ${MAX_ROUNDS} rounds.`);
  }

  async #complete(messages: Message[], tools: object[]): Promise<Message> {
    const response = await fetch(this.#url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...(this.#key ? { Authorization: `Bearer ${this.#key}` } : {}) },
      body: JSON.stringify({ model: this.#name, messages, tools, temperature: 0 }),
    });
    if (!response.ok) throw new Error(`The model answered ${response.status}: ${await response.text()}`);
    const { choices } = (await response.json()) as { choices: { message: Message }[] };
    return choices[0]!.message;
  }
}
