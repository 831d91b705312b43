import { describe, expect, it } from 'vitest';
import { launchAgain } from './launch-again.ts';

/** A crash as Playwright reports it: the first line says what happened, and the browser's log follows. */
const crash = (nth: number) =>
  new Error(`browserType.launch: Target page, context or browser has been closed\nBrowser logs:\n<launched> ${nth}`);

/** Returns a launch function whose calls have these outcomes, one after the other. */
function launches(...outcomes: (Error | string)[]) {
  const left = [...outcomes];
  const launch = async () => {
    const outcome = left.shift();
    if (outcome === undefined) throw new Error('The browser was launched more often than expected.');
    if (typeof outcome === 'string') return outcome;
    throw outcome;
  };
  return { launch, left };
}

describe('the launch of a browser', () => {
  it('is not repeated when it succeeds', async () => {
    const { launch, left } = launches('browser', 'another browser');
    expect(await launchAgain(launch)).toBe('browser');
    expect(left).toEqual(['another browser']);
  });

  it('is repeated once after a crash', async () => {
    expect(await launchAgain(launches(crash(1), 'browser').launch)).toBe('browser');
  });

  it('fails after two crashes, with both errors', async () => {
    const [first, second] = [crash(1), crash(2)];
    const { launch, left } = launches(first, second, 'browser');
    await expect(launchAgain(launch)).rejects.toBe(second);
    expect(second.cause).toBe(first);
    expect(left).toEqual(['browser']);
  });

  it('is not repeated after another error, even if the log mentions a closed browser', async () => {
    const error = new Error('browserType.launch: Failed to launch\nBrowser logs:\nThe pipe has been closed');
    const { launch, left } = launches(error, 'browser');
    await expect(launchAgain(launch)).rejects.toBe(error);
    expect(left).toEqual(['browser']);
  });
});
