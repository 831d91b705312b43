import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';

const ROOT = resolve(import.meta.dirname, '../..');

/** A service of compose.yml that runs the image. */
export interface ComposeService {
  command: string[];
  environment: Record<string, string>;
  replicas: number;
}

interface Declared {
  command?: string[];
  environment?: Record<string, string>;
  deploy?: { replicas?: number };
}

/**
 * Returns the services that compose.yml starts, with the Dockerfile's environment. Variables have the values of .env.example, overridden by
 * `values`.
 */
export function composeServices(values: Record<string, string>): Record<'migrate' | 'rest' | 'worker', ComposeService> {
  const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
  const settings = { ...Object.fromEntries(assignments(read('.env.example'), /^(\w+)=(.*)$/gm)), ...values };
  const [, image = ''] = /^ENV (.+)$/m.exec(read('Dockerfile')) ?? [];
  const ofImage = Object.fromEntries(assignments(image, /(\w+)=(\S+)/g));
  const { services } = parse(read('compose.yml'), { merge: true }) as { services: Record<string, Declared> };
  const resolved = Object.entries(services).flatMap(([name, { command, environment = {}, deploy }]) =>
    command === undefined
      ? []
      : [
          [
            name,
            { command, environment: { ...ofImage, ...substituted(environment, settings) }, replicas: deploy?.replicas ?? 1 },
          ],
        ],
  );
  return Object.fromEntries(resolved) as ReturnType<typeof composeServices>;
}

function assignments(text: string, pattern: RegExp): [string, string][] {
  return [...text.matchAll(pattern)].map(([, name, value]) => [name!, value!]);
}

/** Replaces `${NAME:-default}` and `${NAME:?message}` as Compose does. An empty variable counts as absent. */
function substituted(environment: Record<string, string>, settings: Record<string, string>): Record<string, string> {
  const replace = (text: string) =>
    text.replaceAll(/\$\{(\w+):([-?])([^}]*)\}/g, (_, name: string, kind: string, rest: string) => {
      const value = settings[name] || (kind === '-' ? rest : undefined);
      if (value === undefined) throw new Error(rest);
      return value;
    });
  return Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, replace(value)]));
}
