// What a file of evaluations knows of the position on the board and of those after its moves.
import type { TableProblem, TableSource } from 'sakmak/engine';
import { newRecord } from '../rules/rules';
import type { Evaluation, Side } from '../rules/types';
import { EvaluationsFile, FileFault, type KnownRecord, type ReadRange } from './evaluations-file';
import { moveOf } from './explorer-book';
import type { Session } from './session';
import { Store } from './store';

/** The board rests so many milliseconds before the file is asked about it: who steps on quickly asks nothing. */
const REST_MS = 80;
/** Positions whose evaluations are kept. */
const MOST_KEPT = 200;

/** Why nothing is shown. `address`: it is none, or names no file. `local`: the file of this computer cannot be read. */
export type Problem =
  | 'address'
  | 'absent'
  | 'local'
  | Exclude<FileFault['code'], 'gone'>
  | (TableProblem extends `tables.${infer Name}` ? Name : never);

/** What is known of a position. */
export interface Known {
  /** From White's side. */
  score: Evaluation;
  depth: number;
}

export interface KnownMove extends Known {
  uci: string;
}

export interface KnownPosition {
  /** The position's own record, and its best moves in coordinates. */
  own: (Known & { best: string; second: string | null }) | null;
  /** What is known of the positions after its moves, the best one for the side to move first. */
  moves: KnownMove[];
}

/** Opens a source of ranges. `report` is called with what goes wrong. */
type Open = (report: (code: TableProblem) => void) => Promise<ReadRange>;

type Sources = Pick<typeof import('sakmak/engine'), 'TableSource'>;

/** The position that is shown. */
interface Shown {
  key: string;
  known: KnownPosition | 'rules' | null;
}

export class EvaluationsStore extends Store {
  problem: Problem | null = null;
  private open: Open | null = null;
  /** The name of the file; empty for none. */
  name = '';
  /** Whether it is one of this computer. */
  isLocal = false;
  private file: EvaluationsFile | null = null;
  private shown: Shown | null = null;
  private readonly kept = new Map<string, KnownPosition | 'rules'>();
  /** Ends the requests for the shown position. */
  private asking = new AbortController();

  /** `sources` loads what reads ranges. */
  constructor(
    private readonly sources: () => Promise<Sources> = () => import('sakmak/engine'),
    private readonly rest = REST_MS,
  ) {
    super();
  }

  /** Whether there is a file. */
  get isOn(): boolean {
    return this.name !== '';
  }

  /** The number of positions in the file; 0 until it is open. */
  get size(): number {
    return this.file?.size ?? 0;
  }

  /** Reads the file at an address from here on; none if it is empty. */
  useAddress(address: string): void {
    let url: URL | null = null;
    try {
      url = address ? new URL(address, globalThis.location?.href) : null;
    } catch {
      // Shown as a problem.
    }
    const name = url?.pathname.split('/').at(-1) ?? '';
    this.use(address && (decoded(name) || address), false, async (report) => {
      if (!url || !name) {
        throw new SourceFault('address');
      }
      const folder = new URL('.', url);
      folder.search = url.search;
      return this.reader(folder, `./${name}`, report);
    });
  }

  /** Reads a file of this computer from here on. */
  useFile(file: File): void {
    this.use(file.name, true, (report) =>
      this.reader(
        async (_, start, end) => ({
          bytes: new Uint8Array(await file.slice(start, end).arrayBuffer()),
          fileBytes: file.size,
        }),
        file.name,
        report,
      ),
    );
  }

  /** Opens the file again, where something was wrong with it. */
  again(): void {
    this.use(this.name, this.isLocal, this.open);
  }

  private use(name: string, isLocal: boolean, open: Open | null): void {
    this.asking.abort();
    this.kept.clear();
    Object.assign(this, { name, isLocal, open, file: null, shown: null, problem: null });
    this.changed();
  }

  private async reader(
    from: ConstructorParameters<typeof TableSource>[0],
    file: string,
    report: (code: TableProblem) => void,
  ): Promise<ReadRange> {
    const { TableSource } = await this.sources().catch(() => {
      throw new SourceFault('offline');
    });
    const source = new TableSource(from, { onProblem: report });
    return (start, end, signal) => source.read([file, start, end], signal);
  }

  /**
   * What is known of the position on the board; `null` while that is being read, and if nothing is read; `rules` if the
   * file is for games by other rules.
   */
  of(session: Session): KnownPosition | 'rules' | null {
    return this.shown?.key === keyOf(session) ? this.shown.known : null;
  }

  /** Looks the position on the board up. */
  show(session: Session): void {
    const key = keyOf(session);
    if (!this.isOn || this.shown?.key === key || this.problem !== null) {
      return;
    }
    this.asking.abort();
    this.asking = new AbortController();
    this.shown = { key, known: this.kept.get(key) ?? null };
    if (!this.shown.known) {
      void this.look(session, this.shown, this.asking.signal);
    }
    this.changed();
  }

  /** The board is not shown any more. */
  leave(): void {
    this.asking.abort();
    this.shown = null;
  }

  private async look(session: Session, shown: Shown, signal: AbortSignal): Promise<void> {
    const { node, view } = session;
    const moves = new Map(view.moves.map(({ uci }) => [uci.slice(0, 4), uci]));
    await new Promise((resolve) => setTimeout(resolve, this.rest));
    try {
      const file = signal.aborted ? null : await this.opened(signal);
      if (!file || signal.aborted) {
        return;
      }
      const keys = hasRules(session, file.rules) ? keysOf(session.record.evaluationKeys(node)) : null;
      const records = keys && (await Promise.all(keys.map((key) => recordOf(file, key, signal))));
      if (!signal.aborted) {
        shown.known = records ? positionOf(keys, records, moves) : 'rules';
        this.keep(shown.key, shown.known);
        this.changed();
      }
    } catch (error) {
      const isKnown = error instanceof FileFault || error instanceof SourceFault;
      if (!isKnown) {
        throw error;
      }
      this.fail(error instanceof SourceFault ? error.problem : codeOf(error), signal);
    }
  }

  /** The file, with its header read. */
  private async opened(signal: AbortSignal): Promise<EvaluationsFile | null> {
    const { open } = this;
    if (this.file || !open) {
      return this.file;
    }
    const read = await open((code) => {
      if (this.open === open) {
        this.fail(this.isLocal ? 'local' : (code.slice('tables.'.length) as Problem));
      }
    });
    const file = await EvaluationsFile.open(read, signal);
    if (this.open === open && file) {
      this.file = file;
    }
    return this.file;
  }

  /** Shows what is wrong. The first word counts. */
  private fail(problem: Problem, signal?: AbortSignal): void {
    if (!signal?.aborted && this.problem === null) {
      this.problem = problem;
      this.asking.abort();
      this.changed();
    }
  }

  private keep(key: string, known: KnownPosition | 'rules'): void {
    this.kept.set(key, known);
    if (this.kept.size > MOST_KEPT) {
      this.kept.delete(this.kept.keys().next().value ?? '');
    }
  }
}

/** Why a source of ranges cannot be opened. */
class SourceFault extends Error {
  constructor(readonly problem: Problem) {
    super(problem);
  }
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

function codeOf({ code }: FileFault): Problem {
  return code === 'gone' ? 'absent' : code;
}

function keyOf({ view, rules }: Session): string {
  return `${view.fen} ${rules.variant} ${rules.ruleset} ${rules.parts} ${view.outcome !== null}`;
}

/** By what a file finds a position. */
interface Key {
  /** The side to move. */
  turn: Side;
  /** The number by which records are sorted; `null` where the game is over. */
  number: bigint | null;
  /** The bits of the legal moves. */
  moves: number[];
}

/** The keys of a position, and of those after its moves, as the package has them. */
function keysOf(numbers: Uint32Array): Key[] {
  const keys: Key[] = [];
  for (let at = 0; at < numbers.length; ) {
    const [flags = 0, low = 0, high = 0, count = 0] = numbers.subarray(at, at + 4);
    const number = flags & 2 ? (BigInt(high) << 32n) | BigInt(low) : null;
    at += 4 + count;
    keys.push({ turn: flags & 1 ? 'b' : 'w', number, moves: [...numbers.subarray(at - count, at)] });
  }
  return keys;
}

/** Whether a game is played by the rules of a file: variant, ruleset, and the parts that differ. */
function hasRules({ record }: Session, rules: string): boolean {
  const [variant = '', ruleset = '', ...parts] = rules.split(' ');
  try {
    const other = newRecord({ variant, ruleset, parts: parts.join(' ') });
    const isSame = record.hasRulesOf(other);
    other.free();
    return isSame;
  } catch {
    return false;
  }
}

/** The record of a position, if its moves are legal there: another position may have the same number. */
async function recordOf(file: EvaluationsFile, key: Key, signal: AbortSignal): Promise<KnownRecord | null> {
  const record = key.number === null ? null : await file.find(key.number, signal);
  const isLegal = (move: number) => key.moves.includes(move);
  return record && isLegal(record.best) && (record.second === 0 || isLegal(record.second)) ? record : null;
}

function knownOf({ score, isMate, depth }: KnownRecord, { turn }: Key): Known {
  // No negative zero.
  const value = turn === 'w' ? score : -score || 0;
  return { score: isMate ? { mate: value } : { cp: value }, depth };
}

/** `ucis` has the moves in coordinates by their two squares. */
function positionOf(
  [root, ...after]: Key[],
  [first, ...rest]: (KnownRecord | null)[],
  ucis: Map<string, string>,
): KnownPosition {
  if (!root) {
    return { own: null, moves: [] };
  }
  const uciOf = (bits: number) => ucis.get(moveOf(bits).slice(0, 4)) ?? '';
  const moves = after.flatMap((key, at) => {
    const record = rest[at];
    return record ? [{ uci: uciOf(root.moves[at] ?? 0), ...knownOf(record, key) }] : [];
  });
  const sign = root.turn === 'b' ? -1 : 1;
  moves.sort((a, b) => sign * (rankOf(b.score) - rankOf(a.score)));
  const second = first?.second ? uciOf(first.second) : null;
  return { own: first ? { ...knownOf(first, root), best: uciOf(first.best), second } : null, moves };
}

/** Mates come before all other scores, the quicker ones first. */
function rankOf({ cp = 0, mate }: Evaluation): number {
  return mate === undefined ? cp : mate > 0 ? 1e6 - mate : -1e6 - mate;
}
