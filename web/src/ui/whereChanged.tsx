// Views are drawn again whenever a store has changed. Parts that cost something are drawn only where what they show has.
import { type ComponentType, h, type VNode } from 'preact';
import { useRef } from 'preact/hooks';
import { settings } from '../state/settings';

/**
 * A component that is drawn again only if a value of `shown`, or a setting, has changed. Its functions are always those
 * of the last call.
 */
export function whereChanged<P extends object>(
  component: ComponentType<P>,
  shown: (props: P) => unknown[],
): ComponentType<P> {
  return function Kept(props: P) {
    const latest = useRef(props);
    latest.current = props;
    const last = useRef<{ values: unknown[]; drawn: VNode } | null>(null);
    const handlers = Object.entries(props).filter(([, value]) => typeof value === 'function');
    const values = [settings.value, handlers.map(([name]) => name).join(), ...shown(props)];
    if (
      last.current?.values.length !== values.length ||
      values.some((value, at) => value !== last.current?.values[at])
    ) {
      const call = (name: string) => [name, (...args: unknown[]) => functionOf(latest.current, name)?.(...args)];
      const forwarded = Object.fromEntries(handlers.map(([name]) => call(name)));
      last.current = { values, drawn: h(component as ComponentType<object>, { ...props, ...forwarded }) };
    }
    return last.current.drawn;
  };
}

function functionOf(props: object, name: string): ((...args: unknown[]) => unknown) | undefined {
  return (props as Record<string, (...args: unknown[]) => unknown>)[name];
}
