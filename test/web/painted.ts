import type { Page } from 'playwright-core';

/**
 * Returns a script that resolves to the time, by the page's clock, at which a condition first held and the browser had painted the page.
 * The driver itself checks a page after 20, 50, 100, 100 and then every 500 milliseconds, which is too seldom for a measurement.
 *
 * @param condition a JavaScript expression, evaluated in the page
 */
export function painted(condition: string): string {
  return `new Promise((resolve) => {
    const look = () => {
      if (!(${condition})) return false;
      requestAnimationFrame(() => setTimeout(() => resolve(performance.now())));
      return true;
    };
    if (look()) return;
    const observer = new MutationObserver(() => look() && observer.disconnect());
    observer.observe(document, { childList: true, subtree: true });
  })`;
}

/** Returns a condition that holds when the page shows a text. */
export function shows(text: string): string {
  return `document.body?.textContent.includes(${JSON.stringify(text)})`;
}

/**
 * Returns the milliseconds from a click on a button until `condition` holds. Uses the time of the click event, because Playwright waits
 * before it clicks.
 */
export async function fromClick(page: Page, button: string, condition: string): Promise<number> {
  const clicked = page.evaluate<number>(
    `new Promise((resolve) => addEventListener('click', ({ timeStamp }) => resolve(timeStamp), { once: true, capture: true }))`,
  );
  const end = page.evaluate<number>(painted(condition));
  await page.getByRole('button', { name: button }).click();
  return Math.round((await end) - (await clicked));
}
