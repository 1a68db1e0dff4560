// dist/sakmak-uci.js: a worker that speaks UCI, classic or module, with `sakmak.wasm`.
import init, { UciSession } from '../build/engine/sakmak.js';
import { browserSurroundings, fetchWasm, locateWasm, reportFault } from './uci-browser.js';
import { UciLoop } from './uci-loop.js';

const wasm = locateWasm('sakmak.wasm');
const loop = new UciLoop(browserSurroundings(wasm));
self.onmessage = ({ data }) => loop.receive(data);
init({ module_or_path: fetchWasm(wasm) })
  .then(() => loop.begin(new UciSession()))
  .catch((error) => reportFault(wasm, error));
