import { type ComponentType, type ReactNode, useEffect, useState } from 'react';
import { Loading } from './components/loading.tsx';

export interface PageOnDemand {
  (): ReactNode;
  /** Loads the code, once. Rejects if that fails. */
  load: () => Promise<void>;
}

/**
 * A page whose code is loaded when somebody opens it. Not with `lazy` and `Suspense`: once React has shown a fallback, it keeps the page back
 * until 300 ms have passed.
 */
export function page<Name extends string>(name: Name, load: () => Promise<Record<Name, ComponentType>>): PageOnDemand {
  let Loaded: ComponentType | undefined;
  let loading: Promise<void> | undefined;
  const loadOnce = () => (loading ??= load().then((module) => void (Loaded = module[name])));
  function OnDemand() {
    const [failure, fail] = useState<{ error: unknown }>();
    const [, show] = useState(false);
    useEffect(() => {
      let isShown = true;
      if (!Loaded)
        loadOnce().then(
          () => isShown && show(true),
          (error: unknown) => isShown && fail({ error }),
        );
      return () => void (isShown = false);
    }, []);
    if (failure) throw failure.error;
    return Loaded ? <Loaded /> : <Loading />;
  }
  return Object.assign(OnDemand, { load: loadOnce });
}
