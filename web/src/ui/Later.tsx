// A part of the page that is loaded when it is asked for.
import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { toasts } from '../state/toasts';

/** Loads a component. The same function each time: what it has loaded is kept by it. */
export type Load<P extends object> = () => Promise<ComponentType<P>>;

const parts = new WeakMap<() => Promise<unknown>, unknown>();

/** Loads a part before it is shown, so that `Later` has it at once. */
export async function loadPart<P extends object>(load: Load<P>): Promise<ComponentType<P>> {
  const part = await load();
  parts.set(load, part);
  return part;
}

export function Later<P extends object>({ load, props }: { load: Load<P>; props: P }) {
  const [Part, setPart] = useState(() => (parts.get(load) as ComponentType<P> | undefined) ?? null);
  useEffect(() => {
    if (Part) {
      return;
    }
    loadPart(load).then(
      (part) => setPart(() => part),
      () => toasts.keep('page.failed', {}, { label: 'page.reload', run: () => location.reload() }),
    );
  }, []);
  return Part && <Part {...props} />;
}
