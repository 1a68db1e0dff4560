// A part of the page that is loaded when it is asked for.
import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { toasts } from '../state/toasts';

export function Later<P extends object>({ load, props }: { load: () => Promise<ComponentType<P>>; props: P }) {
  const [Part, setPart] = useState<ComponentType<P> | null>(null);
  useEffect(() => {
    load().then(
      (part) => setPart(() => part),
      () => toasts.keep('page.failed', {}, { label: 'page.reload', run: () => location.reload() }),
    );
  }, []);
  return Part && <Part {...props} />;
}
