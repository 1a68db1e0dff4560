/** White or Black. */
export type Color = 'w' | 'b';
/** Khun, met, khon (s), maa (n), rua and bia (p), by their letters in FENs. */
export type PieceType = 'k' | 'm' | 's' | 'n' | 'r' | 'p';
/** A square, `a1` to `h8`. */
export type Square = `${'a' | 'b' | 'c' | 'd' | 'e' | 'f' | 'g' | 'h'}${1 | 2 | 3 | 4 | 5 | 6 | 7 | 8}`;
/** The game: Thai chess, Ouk Chaktrang, or Thai chess in which a khun in check may not step aside. */
export type Variant = 'makruk' | 'cambodian' | 'makpong';
/** The source of the rules; `none` ends a game by mate and stalemate only. */
export type Ruleset =
  | 'fairy-stockfish'
  | 'cutechess'
  | 'schemingmind'
  | 'wikipedia'
  | 'cyningstan'
  | 'knowlton'
  | 'chessvariants'
  | 'none';
/** A way to write moves: `Nd2`, `Nb1-d2`, `ม-ง๒`, `ม ข๑-ง๒`, Western letters, `b1d2`. */
export type Notation = 'san' | 'lan' | 'thai-san' | 'thai-lan' | 'schemingmind' | 'uci';
/** The result of a game as PGN writes it. */
export type Result = '1-0' | '0-1' | '1/2-1/2' | '*';

/** The rules of a board. */
export interface RulesOptions {
  /** The game; `makruk` if left out. */
  variant?: Variant;
  /** The source of the rules; `fairy-stockfish` if left out. */
  ruleset?: Ruleset;
  /** Parts that differ from the ruleset, such as `{ Repetition: 'none', SutMet: 'on' }`. */
  parts?: Readonly<Record<string, string | number | boolean>>;
}

/** A piece. */
export interface Piece {
  type: PieceType;
  color: Color;
  /** Whether it is a met that was a bia. */
  promoted?: boolean;
}

/** A legal move in detail. */
export interface Move {
  /** In coordinates: `e3e4`, `e5e6m`. */
  uci: string;
  /** In short algebraic notation, or the notation asked for. */
  san: string;
  from: Square;
  to: Square;
  color: Color;
  piece: PieceType;
  /** The piece it takes. */
  captured?: PieceType;
  /** `m` if a bia becomes a met. */
  promotion?: 'm';
  /** Whether a bia on the target square steps ahead at the same time (Sut Met, Sut Ma). */
  twoPiece?: true;
}

/** A move as an argument: UCI, SAN, Thai SAN or squares. The rules leave no choice of promotion. */
export type MoveInput = string | { from: string; to: string; promotion?: string | undefined };

/** A running count. */
export interface Count {
  /** `pieces` (sak mak: a bare khun must be mated), `board` (sak kradan: no bia is left) or chess's fifty moves. */
  honour: 'board' | 'pieces' | 'fifty-moves';
  /** The side that counts; `null` if the count belongs to neither. */
  counter: Color | null;
  /** The side that has to mate; the side to move if the count belongs to neither. */
  attacker: Color;
  /** The number that the counter spoke last. */
  number: number;
  /** The number at which the game is drawn; `null` if the count has no end. */
  limit: number | null;
  /** The moves that the attacker has left; `null` if the count has no end. */
  movesLeft: number | null;
  /** Plies counted. */
  ply: number;
  /** The limit in plies; `null` if the count has no end. */
  plyLimit: number | null;
}

/** Why a game is over. */
export type Termination =
  | 'checkmate'
  | 'stalemate'
  | 'pieces-honour'
  | 'board-honour'
  | 'counter-mated'
  | 'repetition'
  | 'dead-material'
  | 'fifty-moves';

/** How a game ended. */
export interface Outcome {
  /** `null` for a draw. */
  winner: Color | null;
  reason: Termination;
}

/** What is wrong with a FEN. */
export type FenReport =
  | { ok: true }
  | {
      ok: false;
      /** Such as `fen.rank`. */
      code: string;
      /** `board`, `turn`, `rights`, `count`, `clock`, `number`, `trailing` or `fen`. */
      field: string;
      message: string;
      args: Readonly<Record<string, string>>;
    };

/** A move of a game record. */
export interface PgnMove {
  uci: string;
  san: string;
  /** Numeric annotation glyphs: 1 for `!`, 2 for `?` and so on. */
  nags: number[];
  /** The comments after the move. */
  comments: string[];
  /** Alternatives to this move. */
  variations: PgnLine[];
}

/** A variation. */
export interface PgnLine {
  /** The comments before its first move. */
  comments: string[];
  moves: PgnMove[];
}

/** A game record. */
export interface PgnGame extends PgnLine {
  /** The tags in the order of the file. */
  headers: Record<string, string>;
  variant: Variant;
  ruleset: Ruleset;
  /** The parts of the rules that differ from the ruleset, from the tag RuleParts. */
  parts: NonNullable<RulesOptions['parts']>;
  /** The start position. */
  fen: string;
  result: Result;
  /** The line on which the game begins, from 1. */
  line: number;
  /** What was read differently from the text. */
  warnings: Error[];
}
