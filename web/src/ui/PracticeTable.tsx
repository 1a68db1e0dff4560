// The board of who practises: moves of one side, the arrow keys, and the wheel, a swipe or the list of moves to look back.
import type { ComponentChildren } from 'preact';
import type { Arrow } from '../board/Board';
import type { Facts, Side } from '../rules/types';
import type { Session } from '../state/session';
import { CountPanel } from './CountPanel';
import { GameBoard, MoveInput } from './GameBoard';
import { useKey } from './practice';
import { Table } from './Table';

export interface PracticeTableProps {
  session: Session;
  /** The side of the person, and whether it may move now. */
  side: Side;
  mayMove: boolean;
  flipped: boolean;
  /** What the solved endings know of the position, where that may be shown. */
  facts?: Facts | null;
  arrows?: Arrow[];
  report: ComponentChildren;
  onMove: (uci: string) => void;
  /** After a step through the moves. */
  redraw: () => void;
  onFlip: () => void;
}

export function PracticeTable(props: PracticeTableProps) {
  const { session, side, mayMove, flipped, facts = null, arrows = [], report, onMove, redraw, onFlip } = props;
  const step = (act: () => void) => {
    act();
    redraw();
  };
  const onStep = (plies: number) => step(() => session.step(plies));
  useKey((key) => {
    if (key === 'ArrowLeft' || key === 'ArrowRight') {
      onStep(key === 'ArrowLeft' ? -1 : 1);
    }
  });
  const play = ({ uci }: { uci: string }) => onMove(uci);
  return (
    <Table
      session={session}
      own={side}
      board={
        <GameBoard
          session={session}
          flipped={flipped}
          movable={mayMove ? side : null}
          onMove={play}
          onStep={onStep}
          arrows={arrows}
        />
      }
      count={<CountPanel view={session.view} facts={facts} />}
      report={report}
      onGo={(node) => step(() => session.go(node))}
      onStep={onStep}
      onFlip={onFlip}
      moveInput={mayMove && <MoveInput session={session} onMove={play} />}
      more={null}
    />
  );
}
