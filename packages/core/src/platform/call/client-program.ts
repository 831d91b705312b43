import Bowser from 'bowser';

/** Family of a program and its device. */
interface ClientProgram {
  device: string | null;
  browser: string | null;
  os: string | null;
}

const UNKNOWN: ClientProgram = { device: null, browser: null, os: null };
/** Most people have one of few programs. What is longer than the name of any is a stranger's, and would fill the memory. */
const MAX_KNOWN = 2_000;
const MAX_LENGTH = 1_000;
const known = new Map<string, ClientProgram>();

/** Families of the program behind a `User-Agent`, without versions: `mobile`, `Safari`, `iOS`. */
export function clientProgramOf(userAgent: string | undefined): ClientProgram {
  if (userAgent === undefined || userAgent === '' || userAgent.length > MAX_LENGTH) return UNKNOWN;
  const found = known.get(userAgent);
  if (found) return found;
  const parser = Bowser.getParser(userAgent);
  const program = {
    device: parser.getPlatformType(true) || null,
    browser: parser.getBrowserName() || null,
    os: parser.getOSName() || null,
  };
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(userAgent, program);
  return program;
}
