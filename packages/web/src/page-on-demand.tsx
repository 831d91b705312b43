import { type ComponentType, type ReactNode, useEffect, useState } from 'react';
import { Loading } from './components/loading.tsx';

export interface PageOnDemand {
  (): ReactNode;
  /** Loads the code of the page, or waits for an earlier call to load it. Rejects if loading fails. */
  load: () => Promise<void>;
}

/**
 * Makes a page whose code is loaded when the page is opened. Does not use `lazy` and `Suspense`, because React delays such a page until 300 ms after
 * React showed the fallback.
 */
export function pageOnDemand(load: () => Promise<ComponentType>): PageOnDemand {
  let Loaded: ComponentType | undefined;
  let loading: Promise<void> | undefined;
  const loadOnce = () => (loading ??= load().then((page) => void (Loaded = page)));
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
