/** A button that asks for a file. The same one may be chosen again once `onFile` has read it. */
export function FileButton(props: {
  label: string;
  accept: string;
  disabled?: boolean;
  onFile: (file: File) => Promise<void>;
}) {
  return (
    <label class="button file">
      <span>{props.label}</span>
      <input
        type="file"
        accept={props.accept}
        disabled={props.disabled}
        onChange={async (event) => {
          const input = event.currentTarget;
          const file = input.files?.[0];
          if (file) {
            await props.onFile(file);
            input.value = '';
          }
        }}
      />
    </label>
  );
}
