// A game on the board: a record, and where in it the board stands.
import type { GameRecord } from 'sakmak/study';
import { choiceOf, newRecord } from '../rules/rules';
import type { LegalMove, Notation, PositionView, RulesChoice, TreeNode } from '../rules/types';
import { settings } from './settings';

export class Session {
  private current = 0;
  private cachedView: { key: string; view: PositionView } | null = null;
  private cachedTree: { notation: Notation; version: number; tree: TreeNode[]; byId: Map<number, TreeNode> } | null =
    null;
  /** Counts the changes of the record. */
  version = 0;

  constructor(readonly record: GameRecord) {}

  static start(rules: RulesChoice, fen?: string): Session {
    return new Session(newRecord(rules, fen));
  }

  get node(): number {
    return this.current;
  }

  get rules(): RulesChoice {
    return choiceOf(this.record.rules);
  }

  get view(): PositionView {
    const { notation } = settings.value;
    const key = `${this.current} ${this.version} ${notation}`;
    if (this.cachedView?.key !== key) {
      this.cachedView = { key, view: this.record.view(this.current, notation) };
    }
    return this.cachedView.view;
  }

  get tree(): TreeNode[] {
    return this.indexed().tree;
  }

  nodeById(id: number): TreeNode | undefined {
    return this.indexed().byId.get(id);
  }

  private indexed() {
    const { notation } = settings.value;
    if (this.cachedTree?.notation !== notation || this.cachedTree.version !== this.version) {
      const tree = this.record.tree(notation);
      this.cachedTree = { notation, version: this.version, tree, byId: new Map(tree.map((node) => [node.id, node])) };
    }
    return this.cachedTree;
  }

  /** Ids from the start to the end of the line on which the board stands. */
  get line(): number[] {
    return this.record.lineThrough(this.current);
  }

  /** The last move made, in squares. */
  get lastMove(): { from: string; to: string } | null {
    const uci = this.nodeById(this.current)?.uci;
    return uci ? { from: uci.slice(0, 2), to: uci.slice(2, 4) } : null;
  }

  get isAtEnd(): boolean {
    return (this.nodeById(this.current)?.children.length ?? 0) === 0;
  }

  go(node: number): void {
    if (this.nodeById(node)) {
      this.current = node;
    }
  }

  /** Moves along the line by so many plies. */
  step(plies: number): void {
    const { line } = this;
    const at = line.indexOf(this.current);
    this.current = line[Math.max(0, Math.min(line.length - 1, at + plies))] ?? this.current;
  }

  play(text: string): void {
    this.current = this.record.play(this.current, text);
    this.version += 1;
  }

  /** Makes several moves, or none if one is illegal. Returns the first position that the record did not have. */
  playLine(moves: string[]): number | null {
    const { node, added } = this.follow(moves);
    this.current = node;
    this.version += added === null ? 0 : 1;
    return added;
  }

  /** The position after moves that are not made. */
  preview(...moves: string[]): PositionView {
    const { node, added } = this.follow(moves);
    try {
      return this.record.view(node, settings.value.notation);
    } finally {
      if (added !== null) {
        this.record.deleteFrom(added);
      }
    }
  }

  /** Adds moves to the record as far as it lacks them, or none if one is illegal; the board stays where it is. */
  private follow(moves: string[]): { node: number; added: number | null } {
    let node = this.current;
    let added: number | null = null;
    try {
      for (const move of moves) {
        node = this.record.play(node, move);
        added ??= this.nodeById(node) ? null : node;
      }
    } catch (error) {
      if (added !== null) {
        this.record.deleteFrom(added);
      }
      throw error;
    }
    return { node, added };
  }

  /** Takes the move at the board's place out, with all that follows. */
  takeBack(): void {
    if (this.current !== 0) {
      this.current = this.record.deleteFrom(this.current);
      this.version += 1;
    }
  }

  /** The legal move that a text means, in any notation; undefined for none. */
  findMove(text: string): LegalMove | undefined {
    const uci = this.record.readMove(this.current, text.trim());
    return this.view.moves.find((move) => move.uci === uci);
  }

  /** Changes the record by `work`. */
  edit(work: (record: GameRecord) => void): void {
    work(this.record);
    this.version += 1;
  }
}
