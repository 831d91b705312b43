import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { BrowserContext, CDPSession, Frame, Page } from 'playwright-core';
import type { Chromium } from '../support/chromium/index.ts';
import type { TestAccount, TestService } from '../support/service.ts';
import { THOROUGH } from '../support/thorough.ts';

interface Look {
  look: string;
  size: { width: number; height: number };
  colorScheme: 'light' | 'dark';
}

/** The sizes and color schemes in which pages are checked. */
export const LOOKS: readonly [Look, Look, Look, Look] = [
  { look: 'light', size: { width: 1280, height: 900 }, colorScheme: 'light' },
  { look: 'dark', size: { width: 1280, height: 900 }, colorScheme: 'dark' },
  { look: 'phone', size: { width: 390, height: 844 }, colorScheme: 'dark' },
  { look: 'light-phone', size: { width: 390, height: 844 }, colorScheme: 'light' },
];

/** Heights of the screenshots of pages that are taller than the window. */
const PICTURE_HEIGHTS: Record<string, number> = {
  overview: 1_480,
  'overview-dark': 1_480,
  'overview-phone': 1_480,
  affiliate: 1_080,
  gallery: 3_100,
  'gallery-dark': 3_100,
};
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** Long enough for a busy machine. A wait ends as soon as its condition holds. */
const TIMEOUT_MS = 15_000;

const LOCALE = 'en-GB';

/** Script that runs axe. It returns only the faults from the browser, because the complete results are thousands of objects. */
function barriersScript(contrast: boolean): string {
  return `axe.run({
      resultTypes: ['violations'],
      // Skips style sheets, because none of the enabled rules reads them, and parsing them takes a long time.
      preload: { assets: ['media'] },
      // axe leaves out the size of targets unless it is asked for.
      rules: { 'color-contrast': { enabled: ${contrast} }, 'target-size': { enabled: true } },
    }).then(({ violations }) =>
      violations.flatMap(({ id, help, nodes }) => nodes.map(({ html, failureSummary }) =>
        id + ' (' + help + '): ' + html.slice(0, 300) + ' ' + (failureSummary ?? ''))))`;
}

/** Returns the accessibility faults of a document in a frame, including contrast. */
export async function barriersIn(frame: Frame): Promise<string[]> {
  if (!(await frame.evaluate<boolean>('"axe" in window'))) await frame.evaluate(AXE);
  return frame.evaluate<string[]>(barriersScript(true));
}

async function newWindow(
  browser: Chromium,
  { width, height, locale, timeZone }: { width: number; height: number; locale: string; timeZone: string | undefined },
) {
  const zone = timeZone === undefined ? {} : { timezoneId: timeZone };
  const context = await browser.newContext({ viewport: { width, height }, reducedMotion: 'reduce', locale, ...zone });
  context.setDefaultTimeout(TIMEOUT_MS);
  return context.newPage();
}

/** The window of a user. */
interface Arrival {
  width?: number;
  height?: number;
  locale?: string;
  /** Time zone of the browser. Default: that of the machine. */
  timeZone?: string;
  isFresh?: boolean;
}

/** A user with a separate browser profile. An error that a page logs, including a blocked style or script, counts as a fault. */
export class Visitor implements AsyncDisposable {
  readonly page: Page;
  readonly #context: BrowserContext;
  readonly #baseUrl: string;
  #devtools: CDPSession | undefined;
  /** The browser to which the window is returned, so that another user can reuse the window. Null if the window is closed after use. */
  #leaveTo: Chromium | null = null;
  /** Errors logged by the page so far. */
  readonly errors: string[] = [];

  private constructor(context: BrowserContext, page: Page, baseUrl: string) {
    this.#context = context;
    this.page = page;
    this.#baseUrl = baseUrl;
    page.on('pageerror', (error) => this.errors.push(String(error)));
    page.on('console', (message) => {
      // The browser also logs failed requests. They are not faults, because the page shows their error.
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) this.errors.push(message.text());
    });
  }

  /**
   * Returns a new user. Reuses the window of a previous user if there is one, even from another test file: its process has already compiled
   * the scripts of the pages, so they load in half the time.
   *
   * @param options.isFresh true for a new window with an empty cache, which no other user gets afterwards
   */
  static async arrive(
    browser: Chromium,
    baseUrl: string,
    { width = 1280, height = 900, locale = LOCALE, timeZone, isFresh = false }: Arrival = {},
  ): Promise<Visitor> {
    const isShared = !isFresh && locale === LOCALE && timeZone === undefined;
    const known = isShared ? browser.takeWindow() : undefined;
    const page = known ?? (await newWindow(browser, { width, height, locale, timeZone }));
    if (known) await known.setViewportSize({ width, height });
    const visitor = new Visitor(page.context(), page, baseUrl);
    if (isShared) visitor.#leaveTo = browser;
    return visitor;
  }

  /** Opens a page as the owner of an account. */
  static async ownerAt(path: string, browser: Chromium, service: TestService, account: TestAccount): Promise<Visitor> {
    const owner = await Visitor.arrive(browser, service.url);
    await owner.enter(path, { email: account.ownerEmail, password: account.ownerPassword });
    return owner;
  }

  async open(path: string): Promise<void> {
    await this.page.goto(`${this.#baseUrl}${path}`);
  }

  /**
   * Navigates within the open application without a reload. Waits until the previous page is gone, because both pages may contain the
   * elements that a test looks for.
   */
  async turnTo(path: string): Promise<void> {
    const former = await this.page.locator('h1').elementHandle();
    await this.page.evaluate(
      `history.pushState(null, '', ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent('popstate'));`,
    );
    await this.page.waitForFunction((title) => !(title as { isConnected: boolean }).isConnected, former);
  }

  async signIn(email: string, password: string): Promise<void> {
    await this.open('/sign-in');
    await this.page.getByLabel('Email').fill(email);
    await this.page.getByLabel('Password', { exact: true }).fill(password);
    await this.page.getByRole('button', { name: 'Sign in' }).click();
    await this.heading('Overview');
  }

  /** Opens a page with a session that is created through the API, because other tests cover the sign-in page. */
  async enter(path: string, { email, password }: { email: string; password: string }): Promise<void> {
    const answer = await this.page.request.post(`${this.#baseUrl}/auth/sign-in/email`, {
      data: { email, password },
      headers: { Origin: this.#baseUrl },
    });
    if (!answer.ok()) throw new Error(`Signing in as ${email} failed with status ${answer.status()}`);
    await this.open(path);
  }

  /** Waits until the page with this title is shown. */
  async heading(name: string | RegExp): Promise<void> {
    await this.page.getByRole('heading', { level: 1, name }).waitFor();
  }

  button(name: string | RegExp) {
    return this.page.getByRole('button', { name });
  }

  dialog() {
    return this.page.getByRole('dialog');
  }

  /** Returns the complete content of the page, including hidden elements and form values. */
  async content(): Promise<string> {
    const values = await this.page
      .locator('input, textarea')
      .evaluateAll((fields) => fields.map((field) => (field as { value?: string }).value));
    return `${await this.page.content()}\n${values.join('\n')}`;
  }

  /** Returns everything that the page keeps: its heap after garbage collection, and its storage. */
  async memory(): Promise<string> {
    const session = await this.#context.newCDPSession(this.page);
    const heap: string[] = [];
    session.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => void heap.push(chunk));
    await session.send('HeapProfiler.collectGarbage');
    await session.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
    await session.detach();
    const storage = await this.page.evaluate<string>(`Promise.all([indexedDB.databases(), caches.keys()])
      .then((names) => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, ...names]))`);
    return `${heap.join('')}\n${storage}`;
  }

  /** Waits until loading and animations have finished. The two frames let charts take their final width. */
  async settled(): Promise<void> {
    const loading = this.page.getByRole('status', { name: 'Loading' });
    while ((await loading.count()) > 0) await loading.first().waitFor({ state: 'detached' });
    await this.page
      .evaluate(`new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve))))
      .then(() => Promise.allSettled(document.getAnimations()
        .filter((animation) => animation.effect.getComputedTiming().endTime !== Infinity)
        .map((animation) => animation.finished)))`);
  }

  /** Changes the size of the window and the color scheme. */
  async putOn({ size, colorScheme }: Omit<Look, 'look'>): Promise<void> {
    await this.page.setViewportSize(size);
    await this.page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    // Waits until the component library has noticed the color scheme, one frame later. Pages without the library match at once.
    const takenOn = `html:not([data-mantine-color-scheme]), html[data-mantine-color-scheme="${colorScheme}"]`;
    await this.page.locator(takenOn).waitFor({ state: 'attached' });
    await this.settled();
  }

  /** Saves a screenshot if SCREENSHOTS names a directory. */
  async picture(name: string): Promise<void> {
    const directory = process.env['SCREENSHOTS'];
    if (!directory) return;
    const { width, height } = this.page.viewportSize()!;
    await this.page.setViewportSize({ width, height: PICTURE_HEIGHTS[name] ?? height });
    await this.settled();
    const png = await this.page.screenshot({ animations: 'disabled' });
    await this.page.setViewportSize({ width, height });
    // Imported on demand, because only screenshots need it.
    const { default: sharp } = await import('sharp');
    await mkdir(directory, { recursive: true });
    await sharp(png)
      .png({ palette: true, quality: 90, effort: 10, dither: 0 })
      .toFile(join(directory, `${name}.png`));
  }

  /**
   * Returns the accessibility faults of the page (WCAG 2.2 A and AA, and best practices), and the errors that the page logged.
   *
   * @param options.contrast whether to check contrast, which takes as long as all other checks. The test of all pages checks it on each
   * page.
   * @param options.isCheckedElsewhere true if another test checks this page, possibly with more content. Then only the thorough run checks
   * its accessibility here.
   */
  async faults({ contrast = THOROUGH, isCheckedElsewhere = false } = {}): Promise<string[]> {
    // A dialog gets its accessible name one frame after it is shown.
    await this.settled();
    if (isCheckedElsewhere && !THOROUGH) return this.errors;
    // The script is half a megabyte, so it is loaded once per document. It is sent over the DevTools protocol, because Playwright's own method
    // takes twice as long.
    if (!(await this.page.evaluate<boolean>('"axe" in window'))) {
      this.#devtools ??= await this.#context.newCDPSession(this.page);
      await this.#devtools.send('Runtime.evaluate', { expression: AXE });
    }
    return [...(await this.page.evaluate<string[]>(barriersScript(contrast))), ...this.errors];
  }

  /** Returns the elements that are wider than the screen, which cause horizontal scrolling. */
  async overflow(): Promise<string[]> {
    return this.page.evaluate<string[]>(`
      document.documentElement.scrollWidth <= innerWidth ? [] : [...document.querySelectorAll('main *')]
        .filter((element) => element.getBoundingClientRect().right > innerWidth + 1)
        .map((element) => element.outerHTML.slice(0, 200))`);
  }

  /** Returns the amounts that break over several lines, the labels that do not stand beside their box, and the tables that are wider than their card. */
  async brokenFigures(): Promise<string[]> {
    return this.page.evaluate<string[]>(`(() => {
      const found = [];
      const texts = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
      for (let node = texts.nextNode(); node; node = texts.nextNode())
        for (const { index, 0: amount } of node.data.matchAll(/[A-Z]{0,3}[$€¥]?[\\s\u00a0]?\\d{1,3}(?:[.,]\\d{2,3})+(?:[\\s\u00a0]?[€$])?/g)) {
          const range = new Range();
          range.setStart(node, index);
          range.setEnd(node, index + amount.length);
          const lines = new Set([...range.getClientRects()].filter(({ width }) => width > 1).map(({ top }) => Math.round(top)));
          if (lines.size > 1) found.push('broken amount: ' + amount);
        }
      for (const box of document.querySelectorAll('main input:is([type=checkbox], [type=radio])')) {
        const { top, bottom, height } = box.getBoundingClientRect();
        for (const label of box.labels) {
          const text = label.getBoundingClientRect();
          if (height > 0 && text.height > 0 && (text.top >= bottom || text.bottom <= top))
            found.push('label not beside its box: ' + label.textContent);
        }
      }
      for (const table of document.querySelectorAll('main table')) {
        const card = table.closest('section, .mantine-Paper-root, main');
        if (table.getBoundingClientRect().right > card.getBoundingClientRect().right + 1)
          found.push('table wider than its card: ' + (table.caption?.textContent ?? ''));
      }
      return found;
    })()`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const browser = this.#leaveTo;
    if (browser === null || !(await this.#isEmptied())) return this.#context.close();
    browser.leaveWindow(this.page);
  }

  /** Removes everything that the window has stored about this user. Returns false if that fails, e.g. because the page has crashed. */
  async #isEmptied(): Promise<boolean> {
    const { page } = this;
    try {
      page.removeAllListeners();
      await this.#devtools?.detach();
      for (const other of this.#context.pages()) if (other !== page) await other.close();
      await page.unrouteAll();
      await this.#context.setOffline(false);
      await this.#context.clearPermissions();
      // Opens a page of the service that has no scripts. For a page of another site or an empty page, the browser would start another process for the
      // window.
      await page.goto(`${this.#baseUrl}/healthz`);
      await page.evaluate('localStorage.clear(); sessionStorage.clear()');
      await this.#context.clearCookies();
      await page.setViewportSize(LOOKS[0].size);
      await page.emulateMedia({ colorScheme: LOOKS[0].colorScheme, reducedMotion: 'reduce' });
      return true;
    } catch {
      return false;
    }
  }
}
