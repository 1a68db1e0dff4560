// The position that is being set up. It stays until it is used or given up, whatever is shown meanwhile, and over a
// reload of the page.
import { checkSetup, readSetup } from 'sakmak/study';
import { withPromoted } from '../board/squares';
import { faultOf, newRecord, optionsOf } from '../rules/rules';
import type { FaultData, RulesChoice, SetupBoard } from '../rules/types';
import { Session } from './session';
import { Store } from './store';
import { drop, forget, load, save } from './stored';
import { toasts } from './toasts';

const EMPTY = '.'.repeat(64);
/** Steps that can be undone. */
const MOST_STEPS = 200;

/** Who says what is counted: nobody counts, the rules, or the person. */
type Counting = 'none' | 'rules' | 'hand';

export interface Draft {
  board: Required<Omit<SetupBoard, 'number' | 'byRules'>> & { number?: number };
  counting: Counting;
  rules: RulesChoice;
}

type Step = Pick<Draft, 'board' | 'counting'>;

/** What is known of a draft: its FEN, what is wrong with it, and the position if nothing is. */
export interface Checked {
  fen: string;
  fault: FaultData | null;
  session: Session | null;
}

export class SetupStore extends Store {
  private isOpen = false;
  /** The game that the editor stands before. */
  private game: Session | null = null;
  /** Whether the position was changed, here or before a reload. */
  private isWork = false;
  private current: Draft | null = null;
  private past: Step[] = [];
  private checked: { draft: Draft; result: Checked } | null = null;

  get draft(): Draft | null {
    return this.current;
  }

  get mayUndo(): boolean {
    return this.past.length > 0;
  }

  /** Whether the editor is shown in place of a game. Another game on the board hides it, and what is set up stays. */
  shows(game: Session): boolean {
    // The first one after a reload is the one that stood there.
    this.game ??= game;
    return this.isOpen && this.game === game;
  }

  protected override changed(): void {
    const { current, isOpen } = this;
    if (current) {
      save('setup', { ...current, isOpen });
    } else {
      forget('setup');
    }
    super.changed();
  }

  /** Brings back what was being set up. */
  restore(): void {
    const saved = load('setup');
    if (!saved) {
      return;
    }
    const { isOpen = false, ...draft } = saved;
    try {
      // Another version of the page may know other rules.
      newRecord(draft.rules).free();
      this.current = draft;
      this.isOpen = isOpen;
      this.isWork = true;
    } catch {
      drop('setup');
    }
  }

  /** Shows the editor: with what was left there, else with the position of a game. */
  open(session: Session): void {
    this.isOpen = true;
    this.game = session;
    this.current ??= { ...stepOf(session), rules: session.rules };
    this.changed();
  }

  /** Shows the analysis. What is being set up stays. */
  hide(): void {
    this.isOpen = false;
    this.changed();
  }

  /** The position is used: the next set-up begins anew. */
  finish(): void {
    this.current = null;
    this.past = [];
    this.isWork = false;
    this.hide();
  }

  /** Gives the position up; it can be brought back. */
  giveUp(): void {
    const { current, past, isWork } = this;
    this.finish();
    if (isWork) {
      const run = () => {
        this.current = current;
        this.past = past;
        this.isWork = true;
        this.isOpen = true;
        this.changed();
      };
      toasts.offer('setup.givenUp', {}, { label: 'undo', run });
    }
  }

  undo(): void {
    const step = this.past.pop();
    if (step && this.current) {
      this.current = { ...this.current, ...step };
      this.changed();
    }
  }

  private step(step: Partial<Step>): void {
    if (this.current) {
      const { board, counting } = this.current;
      this.past = [...this.past, { board, counting }].slice(-MOST_STEPS);
      this.current = { ...this.current, ...step };
      this.isWork = true;
      this.changed();
    }
  }

  change(part: Partial<Draft['board']>): void {
    if (this.current) {
      this.step({ board: { ...this.current.board, ...part } });
    }
  }

  /** Sets or removes a piece. `index` counts the squares from a1. */
  put(index: number, letter: string | null): void {
    const letters = [...(this.current?.board.board ?? EMPTY)];
    letters[index] = letter ?? '.';
    this.change({ board: letters.join('') });
  }

  clear(): void {
    if (this.current) {
      const { number: _, ...board } = this.current.board;
      this.step({ board: { ...board, board: EMPTY, plyLimit: 0, ply: 0 }, counting: 'none' });
    }
  }

  /** The start position of the rules. */
  start(): void {
    if (this.current) {
      this.step(stepOf(new Session(newRecord(this.current.rules))));
    }
  }

  /** The position of a game in place of what is being set up. */
  take(session: Session): void {
    this.step(stepOf(session));
  }

  /** Reads a FEN; what is wrong with its text. */
  read(fen: string): FaultData | null {
    try {
      const board = readSetup(fen);
      this.step({ board, counting: board.plyLimit > 0 ? 'hand' : 'none' });
      return null;
    } catch (error) {
      return faultOf(error);
    }
  }

  /** Chooses who says what is counted. By hand begins with the count that there was. */
  count(counting: Counting): void {
    if (!this.current || this.current.counting === counting) {
      return;
    }
    const count = this.check().session?.view.count;
    const { number: _, ...board } = this.current.board;
    const kept = { plyLimit: count?.plyLimit ?? 128, ply: count?.ply ?? 0 };
    this.step({ counting, board: counting === 'hand' ? { ...board, ...kept } : { ...board, plyLimit: 0, ply: 0 } });
  }

  setRules(rules: RulesChoice): void {
    if (this.current) {
      this.current = { ...this.current, rules };
      this.changed();
    }
  }

  check(): Checked {
    const draft = this.current;
    if (!draft) {
      return { fen: '', fault: null, session: null };
    }
    if (this.checked?.draft !== draft) {
      const byRules = draft.counting === 'rules';
      const { fen, error } = checkSetup({ ...draft.board, byRules }, optionsOf(draft.rules));
      const fault = error && faultOf(error);
      this.checked = { draft, result: { fen, fault, session: fault ? null : Session.start(draft.rules, fen) } };
    }
    return this.checked.result;
  }
}

/** The position of a game as it is set up. */
function stepOf({ view }: Session): Step {
  const { board, promoted, turn, fen, count, moveNumber } = view;
  return {
    board: {
      board: withPromoted(board, promoted),
      turn,
      rights: fen.split(' ')[2] ?? '-',
      plyLimit: count?.plyLimit ?? 0,
      ply: count?.plyLimit == null ? 0 : count.ply,
      moveNumber,
    },
    counting: count?.plyLimit == null ? 'none' : 'hand',
  };
}
