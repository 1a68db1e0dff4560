// What the count trainer, the puzzles and the drill share: a button that Enter presses, keys, clocks.
import { useEffect, useReducer, useRef } from 'preact/hooks';

/** A button that has the focus as soon as it is there: Enter goes on. */
export function NextButton({ label, onClick }: { label: string; onClick: () => void }) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus({ preventScroll: true }), []);
  return (
    <button ref={button} type="button" class="button primary wide" onClick={onClick}>
      <span>{label}</span>
    </button>
  );
}

/** Keys without the board's and those of fields. */
export function useKey(press: (key: string, event: KeyboardEvent) => void): void {
  const latest = useRef(press);
  latest.current = press;
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const isField = /^(INPUT|TEXTAREA|SELECT)$/.test((event.target as HTMLElement).tagName);
      if (!isField && !event.altKey && !event.ctrlKey && !event.metaKey && !document.querySelector('dialog[open]')) {
        latest.current(event.key, event);
      }
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}

/** Draws anew several times a second while a clock runs. */
export function useTicks(isOn: boolean): void {
  const [, tick] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    const timer = isOn ? window.setInterval(() => tick(0), 250) : 0;
    return () => window.clearInterval(timer);
  }, [isOn]);
}
