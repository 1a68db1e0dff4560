// What bundles replace by platform.browser.ts or platform.node.ts.
import type { EngineOptions, Port } from './engine.js';

/** Starts the build with threads, or the one without. */
export declare function connect(options: EngineOptions, threads: boolean): Promise<Port>;
