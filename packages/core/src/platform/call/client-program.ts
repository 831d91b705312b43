import Bowser from 'bowser';

/** Families of a client's device, browser and operating system. */
interface ClientProgram {
  device: string | null;
  browser: string | null;
  os: string | null;
}

const UNKNOWN: ClientProgram = { device: null, browser: null, os: null };
/** These limits keep arbitrary `User-Agent` headers from filling the memory. The real ones are few and short. */
const MAX_KNOWN = 2_000;
const MAX_LENGTH = 1_000;
const known = new Map<string, ClientProgram>();

/** Parses a `User-Agent` into families without versions, e.g. `mobile`, `Safari` and `iOS`. */
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
