import { type ComponentType, type ReactNode, useEffect, useState } from 'react';
import { Loading } from './components/loading.tsx';

interface OnDemand<Props> {
  (props: Props): ReactNode;
  /** Loads the code, or waits for an earlier call to load it. Rejects if loading fails. */
  load: () => Promise<void>;
}

/** A page whose code is loaded when it is opened. */
export type PageOnDemand = OnDemand<object>;

export function pageOnDemand(load: () => Promise<ComponentType>): PageOnDemand {
  return onDemand<object>(load, <Loading />);
}

/** Loads that wait until somebody uses the page. */
const waiting = new Set<() => Promise<void>>();
let isUsed = false;

/** Starts to load code in the background. If that fails, the part itself loads it again, and shows the error. */
const prepare = (load: () => Promise<void>) => void load().catch(() => undefined);

for (const event of ['pointermove', 'pointerdown', 'keydown'])
  document.addEventListener(
    event,
    () => {
      isUsed = true;
      waiting.forEach(prepare);
      waiting.clear();
    },
    { once: true, passive: true },
  );

/**
 * Makes a part of a page whose code the first view does not need, such as a dialog. The code is loaded when somebody begins to use the page, so that
 * it is there when the part is opened.
 *
 * @param fallback shown until the code is loaded
 */
export function partOnDemand<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  fallback: ReactNode = null,
): OnDemand<Props> {
  const part = rarePart(load, fallback);
  if (isUsed) prepare(part.load);
  else waiting.add(part.load);
  return part;
}

/** Like `partOnDemand`, for a part that few people see, or that belongs to the first view of some: its code is loaded only if it is shown. */
export function rarePart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  fallback: ReactNode = null,
): OnDemand<Props> {
  return onDemand(load, fallback);
}

/**
 * Makes a component whose code is loaded when it is first rendered. Does not use `lazy` and `Suspense`, because React delays such a component until
 * 300 ms after React showed the fallback.
 */
function onDemand<Props extends object>(load: () => Promise<ComponentType<Props>>, fallback: ReactNode): OnDemand<Props> {
  let Loaded: ComponentType<Props> | undefined;
  let loading: Promise<void> | undefined;
  const loadOnce = () => {
    loading ??= load().then(
      (component) => void (Loaded = component),
      (error: unknown) => {
        loading = undefined;
        throw error;
      },
    );
    return loading;
  };
  function Component(props: Props) {
    const [failure, fail] = useState<{ error: unknown }>();
    const [, show] = useState(false);
    // The code may arrive between the first drawing and its effect. Then the fallback was drawn, and must give way, too.
    const wasLoaded = Loaded !== undefined;
    useEffect(() => {
      let isShown = true;
      if (!wasLoaded)
        loadOnce().then(
          () => isShown && show(true),
          (error: unknown) => isShown && fail({ error }),
        );
      return () => void (isShown = false);
    }, []);
    if (failure) throw failure.error;
    return Loaded ? <Loaded {...props} /> : fallback;
  }
  return Object.assign(Component, { load: loadOnce });
}
