import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Browser, type BrowserContext, type Page, chromium } from 'playwright-core';
import { launchAgain } from './launch-again.ts';

const run = promisify(execFile);
const FLAGS = [
  '--no-sandbox',
  // There is no GPU, so a separate process for it would only cost time.
  '--disable-gpu',
  '--in-process-gpu',
  '--disable-quic',
  // Without this limit, each page starts a spare process, which takes half a second and is rarely used. Profiles do not share processes even with the
  // limit.
  '--renderer-process-limit=1',
  '--font-render-hinting=none',
  // A page lives for a second or two, so optimizing its code takes more time than it saves.
  '--js-flags=--no-opt --no-maglev',
];

/** A test file's access to the browser. */
export interface Chromium {
  newContext: Browser['newContext'];
  /** Takes a window that was left for reuse, possibly by another test file. Undefined if there is none. */
  takeWindow: () => Page | undefined;
  /** Leaves the only window of a context for reuse. The context must not contain any data of its former user. */
  leaveWindow: (page: Page) => void;
  /** Closes all contexts of the test file, except those of windows left for reuse. */
  close: () => Promise<void>;
}

/** The browser that the test files of this process use one after the other, with the windows left for reuse. Ends with the process. */
let shared: { browser: Browser; left: Page[] } | undefined;

/**
 * Launches Chromium from the npm package, for any user including root.
 *
 * @param flags additional command-line flags; if there are any, the browser is not shared
 */
export async function launchChromium(flags: readonly string[] = []): Promise<Chromium> {
  if (flags.length > 0) {
    const browser = await launch(flags);
    return { ...windowsOf(browser, []), close: () => browser.close() };
  }
  if (!shared?.browser.isConnected()) shared = { browser: await launch([]), left: [] };
  return windowsOf(shared.browser, shared.left);
}

function windowsOf(browser: Browser, left: Page[]): Chromium {
  const contexts = new Set<BrowserContext>();
  const own = (context: BrowserContext) => {
    contexts.add(context);
    context.once('close', () => contexts.delete(context));
  };
  return {
    newContext: async (options) => {
      const context = await browser.newContext(options);
      own(context);
      return context;
    },
    takeWindow: () => {
      const page = left.pop();
      if (page) own(page.context());
      return page;
    },
    leaveWindow: (page) => {
      contexts.delete(page.context());
      left.push(page);
    },
    close: async () => void (await Promise.all([...contexts].map((context) => context.close()))),
  };
}

async function launch(flags: readonly string[]): Promise<Browser> {
  const home = await unpackedChromium();
  const executablePath = join(home, 'chromium');
  const lacksLibraries = (await run('ldd', [executablePath])).stdout.includes('not found');
  const options = {
    executablePath,
    args: [...FLAGS, ...flags],
    env: {
      ...process.env,
      FONTCONFIG_FILE: join(home, 'fonts.conf'),
      // Minimal machines lack libraries that desktops have.
      ...(lacksLibraries ? { LD_LIBRARY_PATH: join(home, 'al2023', 'lib') } : {}),
    },
  };
  return launchAgain(() => chromium.launch(options));
}

/** Unpacks the browser once per machine and user. Returns its directory. Several processes may call this at the same time. */
export async function unpackedChromium(): Promise<string> {
  const manifest = join(createRequire(import.meta.url).resolve('@sparticuz/chromium'), '../../package.json');
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
  const home = join(tmpdir(), `affiliate-chromium-${version}-${userInfo().uid}`);
  if (existsSync(home)) return home;
  const fresh = `${home}-${process.pid}`;
  await mkdir(fresh);
  await run(process.execPath, [join(import.meta.dirname, 'unpack.ts')], { env: { ...process.env, TMPDIR: fresh } });
  await writeFile(join(fresh, 'fonts.conf'), fontConfiguration(home));
  try {
    await rename(fresh, home);
  } catch (error) {
    await rm(fresh, { recursive: true });
    if (!existsSync(home)) throw error;
  }
  return home;
}

/** Makes the package's font the only one, so that pages look the same on every machine. */
function fontConfiguration(home: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${join(home, 'fonts')}</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir>${join(home, 'fonts-cache')}</cachedir>
  <alias><family>system-ui</family><prefer><family>Open Sans</family></prefer></alias>
  <alias><family>sans-serif</family><prefer><family>Open Sans</family></prefer></alias>
  <alias><family>monospace</family><prefer><family>DejaVu Sans Mono</family></prefer></alias>
</fontconfig>
`;
}
