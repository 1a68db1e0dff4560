// What bundles replace by platform.browser.ts or platform.node.ts.
import type { EngineOptions, Port } from './engine.js';

export declare function connect(options: EngineOptions): Promise<Port>;
