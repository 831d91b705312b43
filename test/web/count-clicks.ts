import type { Visitor } from './visitor.ts';

/** Counts a person's clicks, and the fields that they fill in, from now on, over all pages that they open. Disposing of the counter ends the counting. */
export async function countClicks({ page }: Visitor) {
  const devtools = await page.context().newCDPSession(page);
  const counter = { clicks: 0, fields: 0, [Symbol.asyncDispose]: () => devtools.detach() };
  devtools.on('Runtime.bindingCalled', ({ name }) => {
    if (name === 'countClick') counter.clicks += 1;
    if (name === 'countField') counter.fields += 1;
  });
  await devtools.send('Runtime.enable');
  await devtools.send('Runtime.addBinding', { name: 'countClick' });
  await devtools.send('Runtime.addBinding', { name: 'countField' });
  await devtools.send('Page.enable');
  // Listens at the document, not at the window. If another element has meanwhile covered the click's target, Playwright stops the click at the
  // window and clicks again. Boxes are filled in by clicks.
  const source = `document.addEventListener('click', ({ isTrusted }) => isTrusted && countClick(''), true);
    const filled = new WeakSet();
    document.addEventListener('input', ({ target }) => {
      if (filled.has(target) || target.type === 'checkbox' || target.type === 'radio') return;
      filled.add(target);
      countField('');
    }, true)`;
  await devtools.send('Page.addScriptToEvaluateOnNewDocument', { source });
  return counter;
}
