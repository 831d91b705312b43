import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';

/**
 * Bash script that runs scripts from descriptor 3, each ended by NUL. A command that reads its input can therefore not swallow the scripts after it.
 */
const READ_AND_RUN = `set -euo pipefail
end_jobs() { jobs -p | xargs -r kill 2> /dev/null || true; }
trap end_jobs EXIT
while IFS= read -r -d '' script <&3; do eval "$script"; done`;

/** The bash of a reader who pastes commands. It exits at the first command that fails. */
export class Terminal {
  readonly #shell;
  readonly #input: Writable;
  #output = '';
  #pasted = 0;

  constructor(options: { cwd: string; env: NodeJS.ProcessEnv }) {
    this.#shell = spawn('bash', ['-c', READ_AND_RUN], { ...options, stdio: ['ignore', 'pipe', 'inherit', 'pipe'] });
    this.#input = this.#shell.stdio[3] as Writable;
    this.#input.on('error', () => undefined);
    (this.#shell.stdout as Readable).on('data', (chunk: Buffer) => (this.#output += chunk.toString()));
  }

  /** Runs commands in the terminal. Returns their output. */
  async paste(commands: readonly string[]): Promise<string> {
    return this.#run(commands.join('\n'));
  }

  /** Runs commands in a subshell, which starts with the variables of this terminal and does not change them. Returns their output. */
  async pasteAside(commands: readonly string[]): Promise<string> {
    return this.#run(`(\ntrap end_jobs EXIT\n${commands.join('\n')}\n)`);
  }

  async #run(script: string): Promise<string> {
    const start = this.#output.length;
    this.#pasted += 1;
    const end = `\n-- end of paste ${this.#pasted}\n`;
    this.#input.write(`${script}\nprintf '%s' $'${end.replaceAll('\n', '\\n')}'\0`);
    const failed = once(this.#shell, 'close').then(([code]) => {
      throw new Error(`A command failed (exit code ${code}). Until then the terminal showed:\n${this.#output.slice(start)}`);
    });
    failed.catch(() => undefined);
    while (!this.#output.includes(end, start)) await Promise.race([once(this.#shell.stdout as Readable, 'data'), failed]);
    return this.#output.slice(start, this.#output.indexOf(end, start));
  }

  async close(): Promise<void> {
    if (this.#shell.exitCode !== null) return;
    this.#input.end();
    await once(this.#shell, 'close');
  }
}
