import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { OperatorError } from '../errors.ts';

const Profile = z.object({
  url: z.string(),
  api_key: z.string(),
  account_id: z.string(),
  /** False for test mode, with a key that has no mode of its own. */
  livemode: z.literal(false).optional(),
});
/** How to reach an account of a running service, anywhere. */
export type Profile = z.infer<typeof Profile>;

const File = z.object({
  profiles: z.record(z.string(), Profile).default({}),
  /** Sequence of the last event that `affiliate listen` forwarded, by profile and address. */
  forwarded: z.record(z.string(), z.int()).default({}),
});
type File = z.infer<typeof File>;

type Environment = Readonly<Record<string, string | undefined>>;

/** Profiles in the user's configuration directory. The file is readable only by the user, because it contains API keys. */
export class Profiles {
  readonly #env: Environment;
  readonly #path: string;

  constructor(env: Environment) {
    this.#env = env;
    this.#path = join(configurationDirectory(env), 'affiliate', 'profiles.json');
  }

  get path(): string {
    return this.#path;
  }

  list(): [name: string, profile: Profile][] {
    return Object.entries(this.#read().profiles);
  }

  /**
   * Returns the profile with this name. AFFILIATE_URL, AFFILIATE_API_KEY and AFFILIATE_ACCOUNT_ID replace its values, so that programs need no
   * file.
   *
   * @throws OperatorError if values are missing
   */
  get(name: string): Profile {
    const { AFFILIATE_URL: url, AFFILIATE_API_KEY: api_key, AFFILIATE_ACCOUNT_ID: account_id } = this.#env;
    const stored = this.#read().profiles[name];
    const given = { ...(url && { url }), ...(api_key && { api_key }), ...(account_id && { account_id }) };
    const { data } = Profile.safeParse({ ...stored, ...given });
    if (data) return data;
    throw new OperatorError(
      `There is no profile ${name}. Run \`affiliate login\`, or set AFFILIATE_URL, AFFILIATE_API_KEY and AFFILIATE_ACCOUNT_ID.`,
    );
  }

  save(name: string, profile: Profile): void {
    const file = this.#read();
    this.#write({ ...file, profiles: { ...file.profiles, [name]: profile } });
  }

  /** Removes a profile. Returns false if there is none. */
  remove(name: string): boolean {
    const { [name]: removed, ...profiles } = this.#read().profiles;
    if (removed) this.#write({ ...this.#read(), profiles });
    return removed !== undefined;
  }

  /** Returns the sequence of the last event that was forwarded to an address, or null. */
  lastForwarded(key: string): number | null {
    return this.#read().forwarded[key] ?? null;
  }

  keepForwarded(key: string, sequence: number): void {
    const file = this.#read();
    this.#write({ ...file, forwarded: { ...file.forwarded, [key]: sequence } });
  }

  #read(): File {
    let text: string;
    try {
      text = readFileSync(this.#path, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { profiles: {}, forwarded: {} };
      throw new OperatorError(`${this.#path} cannot be read: ${(error as Error).message}`, { cause: error });
    }
    try {
      return File.parse(JSON.parse(text));
    } catch (cause) {
      throw new OperatorError(`${this.#path} is damaged. Remove it, and run \`affiliate login\` again.`, { cause });
    }
  }

  /** Replaces the file at once, so that no other command reads half of it. */
  #write(file: File): void {
    mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
    const fresh = `${this.#path}.${process.pid}`;
    writeFileSync(fresh, `${JSON.stringify(file, null, 2)}\n`, { mode: 0o600 });
    // The mode of writeFileSync does not apply to a file that exists.
    chmodSync(fresh, 0o600);
    renameSync(fresh, this.#path);
  }
}

function configurationDirectory({ XDG_CONFIG_HOME, APPDATA }: Environment): string {
  if (XDG_CONFIG_HOME) return XDG_CONFIG_HOME;
  return process.platform === 'win32' && APPDATA ? APPDATA : join(homedir(), '.config');
}
