import { StateError } from './errors.js';

/** Where the WebAssembly comes from: an address, a response, its bytes, or the compiled module. */
export type WasmSource = string | URL | Request | Response | Promise<Response> | BufferSource | WebAssembly.Module;

/** What wasm-bindgen makes for a module. */
interface Glue<Exports> {
  default(source: { module_or_path: string }): Promise<Exports>;
  initSync(source: { module: BufferSource | WebAssembly.Module }): Exports;
}

/** The element of a plain script is known only while it runs. */
const script = typeof document === 'undefined' ? null : (document.currentScript as HTMLScriptElement | null);

/** Loads one WebAssembly module, once. */
export class Loader<Exports> {
  #isLoaded = false;
  #loading: Promise<void> | undefined;

  /**
   * `file` lies beside the script. `beside` gives its address for modules: bundlers look for `new URL('./file',
   * import.meta.url)`. `begin` gets the module once it is loaded.
   */
  constructor(
    private readonly glue: Glue<Exports>,
    private readonly file: string,
    private readonly beside: () => URL,
    private readonly begin: (exports: Exports) => void = () => {},
  ) {}

  /** Throws unless the WebAssembly is loaded. */
  ready(): void {
    if (!this.#isLoaded) {
      throw new StateError('state.notReady', 'call and await init() first: the WebAssembly is not loaded yet');
    }
  }

  /** Loads it. Later calls wait for the first one; after a failure the next call tries again. */
  load(source: WasmSource | undefined): Promise<void> {
    if (this.#isLoaded) {
      return Promise.resolve();
    }
    this.#loading ??= this.#fetch(source).catch((error: unknown) => {
      this.#loading = undefined;
      throw new StateError('state.load', `the WebAssembly cannot be loaded: ${error}`, {}, error);
    });
    return this.#loading;
  }

  /** Loads it from its bytes or the compiled module, at once. */
  loadSync(module: BufferSource | WebAssembly.Module): void {
    if (!this.#isLoaded) {
      this.#start(this.glue.initSync({ module }));
    }
  }

  async #fetch(source: WasmSource | undefined): Promise<void> {
    // A bundler has replaced what `beside` names. Only a plain script has no address of its own.
    const plain = () => new URL(this.file, script?.src || location.href);
    const fallback = () => (import.meta.url ? this.beside() : plain());
    this.#start(await this.glue.default({ module_or_path: (source ?? fallback()) as string }));
  }

  #start(exports: Exports): void {
    this.begin(exports);
    this.#isLoaded = true;
  }
}
