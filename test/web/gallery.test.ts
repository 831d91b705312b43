import { serveGallery } from '@affiliate/web/gallery';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Chromium, launchChromium } from '../support/chromium/index.ts';
import { LOOKS, Visitor } from './visitor.ts';

let browser: Chromium;
let gallery: Awaited<ReturnType<typeof serveGallery>>;

beforeAll(async () => {
  [browser, gallery] = await Promise.all([launchChromium(), serveGallery()]);
});
afterAll(async () => {
  await browser.close();
  await gallery.close();
});

it('the gallery shows each component in each state, without faults at any size, in light and dark mode', async () => {
  await using visitor = await Visitor.arrive(browser, gallery.url, { isFresh: true });
  await visitor.open('/gallery/');
  await visitor.heading('Gallery');
  for (const look of LOOKS) {
    await visitor.page.setViewportSize(look.size);
    await visitor.page.emulateMedia({ colorScheme: look.colorScheme, reducedMotion: 'reduce' });
    await visitor.page.locator(`html[data-mantine-color-scheme="${look.colorScheme}"]`).waitFor({ state: 'attached' });
    if (look.look === 'light') await visitor.picture('gallery');
    if (look.look === 'dark') await visitor.picture('gallery-dark');
    expect({
      look: look.look,
      faults: await visitor.faults({ contrast: true }),
      overflow: [...(await visitor.overflow()), ...(await visitor.brokenFigures())],
    }).toEqual({ look: look.look, faults: [], overflow: [] });
  }
});
