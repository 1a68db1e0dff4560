/// <reference types="vite/client" />

/** The size of the engine's WebAssembly. */
declare const ENGINE_BYTES: number;
