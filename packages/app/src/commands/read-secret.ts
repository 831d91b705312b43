import { Writable } from 'node:stream';

/**
 * Reads a secret from the first line of standard input. It is not an argument, because other users of the machine can see arguments. At a terminal,
 * asks for it and does not show what is typed.
 */
export async function readSecret(name: string): Promise<string> {
  const { createInterface } = await import('node:readline');
  const isTerminal = process.stdin.isTTY;
  if (isTerminal) process.stderr.write(`${name}: `);
  const hidden = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: isTerminal ? hidden : undefined, terminal: isTerminal });
  try {
    for await (const line of lines) return isTerminal ? line : line.trimEnd();
    return '';
  } finally {
    lines.close();
    if (isTerminal) process.stderr.write('\n');
  }
}
