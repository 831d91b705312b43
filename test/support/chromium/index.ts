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
  // There is no GPU, so a process of its own for it only costs time.
  '--disable-gpu',
  '--in-process-gpu',
  '--disable-quic',
  // Otherwise each page starts a spare process for a next one, which takes half a second and is seldom used. Profiles never share processes.
  '--renderer-process-limit=1',
  '--font-render-hinting=none',
  // A page lives for a second or two: optimizing its code takes more time than it saves.
  '--js-flags=--no-opt --no-maglev',
];

/** A browser as one test file sees it. */
export interface Chromium {
  newContext: Browser['newContext'];
  /** Takes a window that an earlier user left, possibly in another test file. Undefined when there is none. */
  takeWindow: () => Page | undefined;
  /** Leaves the only window of a context, which knows nothing of its user any more, to the next one. */
  leaveWindow: (page: Page) => void;
  /** Ends all contexts of the file, except those of windows that were left. */
  close: () => Promise<void>;
}

/** The browser that the test files of this process share, one after the other, and the windows left in it. It ends with the process. */
let shared: { browser: Browser; left: Page[] } | undefined;

/**
 * Launches Chromium from the npm package, for any user including root.
 *
 * @param flags further flags of its command line, for a browser of its own
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
      // Slim machines lack libraries that desktops have.
      ...(lacksLibraries ? { LD_LIBRARY_PATH: join(home, 'al2023', 'lib') } : {}),
    },
  };
  return launchAgain(() => chromium.launch(options));
}

/** Unpacks the browser once per machine and user, and returns its directory. Several processes may call it at once. */
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

/** The font of the package, so that pages look the same on every machine. */
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
