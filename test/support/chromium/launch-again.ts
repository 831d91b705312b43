/** The first line of the error of a launch whose browser has ended. Now and then one crashes at its start, before it has seen any page. */
const CRASHED = /^.* has been closed/;

/** Launches a browser, and once more if it crashed. Throws the second error, with the first as its cause; another error than a crash at once. */
export async function launchAgain<Launched>(launch: () => Promise<Launched>): Promise<Launched> {
  return launch().catch(async (crash: Error) => {
    if (!CRASHED.test(crash.message)) throw crash;
    return launch().catch((error: Error) => Promise.reject(Object.assign(error, { cause: crash })));
  });
}
