/** Matches the first line of the error when a launched browser has exited. Occasionally a browser crashes at its start, before it opens a page. */
const CRASHED = /^.* has been closed/;

/**
 * Launches a browser, and tries again if it crashed. If the second launch fails too, throws its error with the first error as the cause. Throws
 * errors other than crashes at once.
 */
export async function launchAgain<Launched>(launch: () => Promise<Launched>): Promise<Launched> {
  return launch().catch(async (crash: Error) => {
    if (!CRASHED.test(crash.message)) throw crash;
    return launch().catch((error: Error) => Promise.reject(Object.assign(error, { cause: crash })));
  });
}
