import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { t } from '../messages/i18n';
import { loading } from '../state/loading';
import { useStores } from '../state/store';
import { toasts } from '../state/toasts';

/** Icons, drawn on 24 units. */
const ICONS = {
  back: 'M15 5 L8 12 L15 19',
  forward: 'M9 5 L16 12 L9 19',
  first: 'M18 5 L11 12 L18 19 M7 5 V19',
  last: 'M6 5 L13 12 L6 19 M17 5 V19',
  flip: 'M7 4 V18 M7 4 L3.5 8 M7 4 L10.5 8 M17 20 V6 M17 20 L13.5 16 M17 20 L20.5 16',
  undo: 'M9 7 L4 12 L9 17 M4 12 H15 a5 5 0 0 1 0 10 H12',
  hint: 'M9 18 H15 M10 21 H14 M12 3 a6 6 0 0 0 -3.5 11 c1 .8 .5 2 .5 4 h6 c0 -2 -.5 -3.2 .5 -4 A6 6 0 0 0 12 3',
  flag: 'M6 21 V4 M6 4 H18 L15 8.5 L18 13 H6',
  draw: 'M4 9 H20 M4 15 H20',
  plus: 'M12 5 V19 M5 12 H19',
  chart: 'M4 19 V5 M4 19 H20 M7 15 L11 10 L14 13 L19 7',
  download: 'M12 4 V15 M12 15 L8 11 M12 15 L16 11 M6 19 H18',
  open: 'M4 19 V6 H10 L12 8 H20 V19 Z',
  share: 'M12 15 V4 M12 4 L8 8 M12 4 L16 8 M6 12 V20 H18 V12',
  edit: 'M5 19 L6 15 L16 5 L19 8 L9 18 Z',
  settings: 'M4 7 H9 M13 7 H20 M11 5 a2 2 0 1 0 .01 0 M4 17 H13 M17 17 H20 M15 15 a2 2 0 1 0 .01 0',
  cross: 'M6 6 L18 18 M18 6 L6 18',
  check: 'M5 12.5 L10 17.5 L19 7',
  trash: 'M5 7 H19 M10 7 V4 H14 V7 M7 7 L8 20 H16 L17 7',
  up: 'M12 19 V5 M6 11 L12 5 L18 11',
  play: 'M8 5 L19 12 L8 19 Z',
  comment: 'M4 5 H20 V16 H11 L7 20 V16 H4 Z',
  stop: 'M7 7 H17 V17 H7 Z',
  more: 'M5 12 H5.01 M12 12 H12.01 M19 12 H19.01',
  minus: 'M5 12 H19',
  copy: 'M9 9 H20 V20 H9 Z M5 15 H4 V4 H15 V5',
  warn: 'M12 4 L21 20 H3 Z M12 10 V14 M12 17 H12.01',
  games: 'M8 6 H20 M8 12 H20 M8 18 H20 M4 6 H4.01 M4 12 H4.01 M4 18 H4.01',
  lock: 'M6 11 H18 V20 H6 Z M9 11 V8 a3 3 0 0 1 6 0 V11',
} as const;

export type IconName = keyof typeof ICONS;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path
        d={ICONS[name]}
        fill="none"
        stroke="currentColor"
        stroke-width="2"
        stroke-linecap="round"
        stroke-linejoin="round"
      />
    </svg>
  );
}

export interface ButtonProps {
  label: string;
  icon?: IconName;
  onClick: (event: MouseEvent) => void;
  disabled?: boolean;
  /** Only the icon is shown; the label is for screen readers and as a tip. */
  quiet?: boolean;
  primary?: boolean;
  pressed?: boolean;
}

export function Button({
  label,
  icon,
  onClick,
  disabled = false,
  quiet = false,
  primary = false,
  pressed,
}: ButtonProps) {
  return (
    <button
      type="button"
      class={`button ${quiet ? 'quiet' : ''} ${primary ? 'primary' : ''}`}
      onClick={onClick}
      disabled={disabled}
      aria-label={quiet ? label : undefined}
      title={quiet ? label : undefined}
      aria-pressed={pressed}
    >
      {icon && <Icon name={icon} />}
      {!quiet && <span>{label}</span>}
    </button>
  );
}

/** Says that somebody waits, once that has taken 0.3 seconds; while the engine loads, how much of it has come. */
export function Waiting({ text }: { text: string }) {
  useStores(loading);
  const { percent } = loading;
  return (
    <span class="waiting">
      {percent === null ? (
        text
      ) : (
        <>
          {t('engine.loads')} <span aria-hidden="true">{percent} %</span>
          <progress value={percent} max={100} aria-label={t('engine.loads')} />
        </>
      )}
    </span>
  );
}

/** A button whose second press within some seconds acts. */
export function SureButton(props: ButtonProps) {
  const [asked, setAsked] = useState(false);
  useEffect(() => {
    const timer = asked ? window.setTimeout(() => setAsked(false), 4_000) : 0;
    return () => window.clearTimeout(timer);
  }, [asked]);
  const press = (event: MouseEvent) => {
    if (asked) {
      setAsked(false);
      props.onClick(event);
    } else {
      // Nothing is done yet: a sheet stays open.
      event.stopPropagation();
      setAsked(true);
    }
  };
  return (
    <Button
      {...props}
      onClick={press}
      label={asked ? t('play.sure') : props.label}
      primary={asked}
      quiet={!asked && (props.quiet ?? false)}
    />
  );
}

/** What had the focus before each open dialog. */
const openers = new WeakMap<Element, Element>();

/** What gets the focus once a dialog that opens now is closed: one that a button in another dialog opens outlives it. */
function openerNow(): Element | null {
  const focused = document.activeElement;
  const outer = focused?.closest('dialog');
  return (outer && openers.get(outer)) ?? focused;
}

export function Dialog({
  title,
  onClose,
  children,
  kind = '',
}: {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
  /** `sheet` stands at the lower edge of a phone. */
  kind?: '' | 'wide' | 'sheet';
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const isGone = useRef(false);
  useLayoutEffect(() => {
    const element = dialog.current as HTMLDialogElement;
    const opener = openerNow();
    if (opener) {
      openers.set(element, opener);
    }
    element.showModal();
    return () => {
      // Closed, not only removed, it gives the focus back.
      isGone.current = true;
      element.close();
      const focused = document.activeElement;
      if (!focused || focused === document.body || element.contains(focused)) {
        (opener as HTMLElement | null)?.focus();
      }
    };
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it too, by the browser
    <dialog
      ref={dialog}
      class={`dialog ${kind}`}
      aria-label={title}
      onClose={() => !isGone.current && onClose()}
      onClick={(event) => {
        if (event.target === dialog.current) {
          onClose();
        }
      }}
    >
      <div class="dialog-head">
        <h2>{title}</h2>
        <Button label={t('close')} icon="cross" quiet onClick={onClose} />
      </div>
      <div class="dialog-body">{children}</div>
    </dialog>
  );
}

export interface Choice<T extends string | number> {
  value: T;
  label: string;
  /** A second line in smaller type. */
  detail?: string;
  /** What is shown of a long label. */
  short?: string;
}

export function Select<T extends string | number>({
  label,
  value,
  choices,
  onChange,
}: {
  label: string;
  value: T;
  choices: Choice<T>[];
  onChange: (value: T) => void;
}) {
  return (
    <label class="field">
      <span>{label}</span>
      <select
        value={String(value)}
        onChange={(event) => {
          const chosen = choices.find((choice) => String(choice.value) === event.currentTarget.value);
          if (chosen) {
            onChange(chosen.value);
          }
        }}
      >
        {choices.map((choice) => (
          <option key={choice.value} value={String(choice.value)} selected={choice.value === value}>
            {choice.label}
          </option>
        ))}
      </select>
    </label>
  );
}

/** A few choices side by side: `cards` in a grid, an `even` row whose label is for screen readers, `chips`. */
export function Segments<T extends string | number>({
  label,
  value,
  choices,
  onChange,
  look = '',
}: {
  label: string;
  value: T;
  choices: Choice<T>[];
  onChange: (value: T) => void;
  look?: '' | 'cards' | 'even' | 'chips';
}) {
  return (
    <fieldset class={`field segments ${look}`}>
      <legend class={look === 'even' ? 'hidden' : ''}>{label}</legend>
      <div>
        {choices.map((choice) => (
          <label key={choice.value} class={choice.value === value ? 'chosen' : ''}>
            <input type="radio" name={label} checked={choice.value === value} onChange={() => onChange(choice.value)} />
            <span>
              {choice.short}
              {choice.short ? <span class="hidden">, {choice.label}</span> : choice.label}
              {choice.detail && <small> {choice.detail}</small>}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

export function Check({
  label,
  value,
  onChange,
  disabled = false,
}: {
  label: string;
  value: boolean;
  onChange: (value: boolean) => void;
  disabled?: boolean;
}) {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={value}
        disabled={disabled}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <span>{label}</span>
    </label>
  );
}

/** Gives the board the focus, for those who use the keyboard. */
export function focusBoard(): void {
  document.querySelector<HTMLElement>('[role="gridcell"][tabindex="0"]')?.focus();
}

export async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toasts.note('copied');
  } catch {
    toasts.note('copy.failed');
  }
}
