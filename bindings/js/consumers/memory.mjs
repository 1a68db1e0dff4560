// Memory of the rules and of the engine in this program, in MB.
const resident = () => {
  globalThis.gc?.();
  return process.memoryUsage().rss / 1e6;
};
const steps = [['the runtime', resident()]];
const { Board } = await import('sakmak/rules');
new Board().legalMoves();
steps.push(['with sakmak/rules', resident()]);
const boards = Array.from({ length: 10_000 }, () => new Board());
steps.push(['10,000 boards', resident()]);
for (const board of boards) {
  board.free();
}
const { Sakmak } = await import('sakmak/engine');
const engine = await Sakmak();
await engine.setOption('Hash', 16);
await engine.play('startpos', { depth: 10 });
steps.push(['with sakmak/engine, Hash 16', resident()]);
engine.terminate();
console.log(steps.map(([name, size]) => `${name} ${size.toFixed(0)} MB`).join(', '));
