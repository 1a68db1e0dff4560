// A search by the package's engine, with lines and answer as the page shows them.
import type { Engine, Info, SearchOptions } from 'sakmak/engine';
import type { EngineLine, Go, RulesChoice, SearchDone, SearchLine } from '../rules/types';
import { type Chances, lineOf, positionOf, sideToMove, whiteChances } from './forms';

/** Lines are reported at most every so many milliseconds. */
const REPORT_MS = 80;
/** Set aside on a clock for the messages between page and worker. */
const OVERHEAD_MS = 60;

export interface SearchJob {
  rules: RulesChoice;
  line: EngineLine;
  go: Go;
}

/** Searches, and reports lines now and then. */
export async function search(
  engine: Engine,
  job: SearchJob,
  signal: AbortSignal,
  report?: (lines: SearchLine[]) => void,
): Promise<SearchDone> {
  const side = sideToMove(job.line);
  const reporter = report && new Reporter(engine, job, report);
  let best: Info | undefined;
  const onInfo = (info: Info) => {
    if (info.bound !== undefined || info.pv.length === 0) {
      return;
    }
    best = info.multiPv === 1 ? info : best;
    reporter?.add(info);
  };
  const options = { ...optionsOf(job.go), signal, onInfo, wdl: true };
  const { bestMove, ponder, stopsCount, lines } = await engine.analyse(positionOf(job), options);
  await reporter?.finish();
  const [score] = lines.map((info) => info.score);
  const isMated = bestMove === null && score !== undefined && 'mate' in score;
  const chances: Chances = best?.wdl ?? (isMated ? [0, 0, 1000] : [0, 1000, 0]);
  const [own, others] = await engine.acceptsDraw(chances);
  return {
    best: bestMove,
    stopsCount,
    reply: ponder,
    chances: whiteChances(chances, side),
    takesDraw: side === 'w' ? [own, others] : [others, own],
    nodes: best?.nodes ?? 0,
    depth: best?.depth ?? 0,
  };
}

function optionsOf({
  nodes,
  depth,
  moveTime,
  clock,
  increment = [0, 0],
  lines,
  rating,
  opponent,
  seed,
}: Go): SearchOptions {
  return {
    ...(nodes !== undefined && { nodes }),
    ...(depth !== undefined && { depth }),
    ...(moveTime !== undefined && { movetime: moveTime }),
    ...(clock && { wtime: clock[0], btime: clock[1], winc: increment[0], binc: increment[1] }),
    ...(rating !== undefined && { elo: rating, seed: seed ?? 0 }),
    ...(opponent !== undefined && { opponent, seed: seed ?? 0 }),
    multiPv: lines ?? 1,
    moveOverhead: clock ? OVERHEAD_MS : 0,
  };
}

/** Collects lines, names their moves, and reports them. */
class Reporter {
  private readonly fresh = new Map<number, Info>();
  private timer = 0;
  private last = 0;

  constructor(
    private readonly engine: Engine,
    private readonly job: SearchJob,
    private readonly report: (lines: SearchLine[]) => void,
  ) {}

  add(info: Info): void {
    this.fresh.set(info.multiPv, info);
    if (!this.timer) {
      const wait = Math.max(0, REPORT_MS - (performance.now() - this.last));
      this.timer = window.setTimeout(() => {
        this.send().catch(() => {
          // The engine has ended, which its client sees.
        });
      }, wait);
    }
  }

  /** Reports what is left. */
  async finish(): Promise<void> {
    if (this.timer) {
      await this.send();
    }
  }

  private async send(): Promise<void> {
    window.clearTimeout(this.timer);
    this.timer = 0;
    this.last = performance.now();
    const infos = [...this.fresh.values()];
    this.fresh.clear();
    const lines = infos.map((info) => info.pv);
    const names = await this.engine.names(positionOf(this.job), lines, this.job.go.notation);
    const side = sideToMove(this.job.line);
    this.report(infos.map((info, at) => lineOf(info, side, names[at] ?? [])));
  }
}
