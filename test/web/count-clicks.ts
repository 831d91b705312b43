import type { Visitor } from './visitor.ts';

/** Counts a person's clicks from now on, over all pages that they open. Disposing of the counter ends the counting. */
export async function countClicks({ page }: Visitor) {
  const devtools = await page.context().newCDPSession(page);
  const counter = { clicks: 0, [Symbol.asyncDispose]: () => devtools.detach() };
  devtools.on('Runtime.bindingCalled', ({ name }) => name === 'countClick' && (counter.clicks += 1));
  await devtools.send('Runtime.enable');
  await devtools.send('Runtime.addBinding', { name: 'countClick' });
  await devtools.send('Page.enable');
  // Listens at the document, not at the window. If another element has meanwhile covered the click's target, Playwright stops the click at the
  // window and clicks again.
  const source = `document.addEventListener('click', ({ isTrusted }) => isTrusted && countClick(''), true)`;
  await devtools.send('Page.addScriptToEvaluateOnNewDocument', { source });
  return counter;
}
