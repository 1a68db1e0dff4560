// dist/sakmak.js: the factory `Sakmak` for a plain script.
import { Sakmak } from './engine.js';

(globalThis as { Sakmak?: typeof Sakmak }).Sakmak = Sakmak;
