import type { Page } from 'playwright-core';

/**
 * A script that yields the time, by the page's own clock, at which a condition held first and the browser had painted what it then showed. The
 * driver looks at a page again after 20, 50, 100, 100 and then 500 milliseconds, which is too seldom for a measure.
 *
 * @param condition an expression over the page
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

/** The condition that the page shows a text. */
export function shows(text: string): string {
  return `document.body?.textContent.includes(${JSON.stringify(text)})`;
}

/** Milliseconds from the click on a button until `condition` holds. By the page's clock: the driver waits before it clicks, as no person does. */
export async function fromClick(page: Page, button: string, condition: string): Promise<number> {
  const clicked = page.evaluate<number>(
    `new Promise((resolve) => addEventListener('click', ({ timeStamp }) => resolve(timeStamp), { once: true, capture: true }))`,
  );
  const end = page.evaluate<number>(painted(condition));
  await page.getByRole('button', { name: button }).click();
  return Math.round((await end) - (await clicked));
}
