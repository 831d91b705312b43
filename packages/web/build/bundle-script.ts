import { type Rolldown, build } from 'vite';

/**
 * Bundles a module and all that it imports into one minified script, which needs no module loader.
 *
 * @param options.onlyUsed true to leave out every imported module of which nothing is used, so that changes of such modules do not change the script
 */
export async function bundleScript(entry: string, { onlyUsed = false } = {}): Promise<string> {
  const { output } = (await build({
    configFile: false,
    logLevel: 'warn',
    // Otherwise modules that choose their code by this variable would run the development code.
    mode: 'production',
    build: {
      write: false,
      target: 'es2023',
      modulePreload: false,
      rolldownOptions: {
        input: entry,
        output: { format: 'iife', codeSplitting: false },
        ...(onlyUsed ? { treeshake: { moduleSideEffects: false } } : {}),
      },
    },
  })) as Rolldown.RolldownOutput;
  const [script, ...others] = output;
  if (others.length > 0) throw new Error(`${entry} was not bundled into one script.`);
  // The text would end the script element into which the script may be put.
  return script.code.replaceAll('</script', String.raw`<\/script`);
}
