// Node, Deno and Bun: everything works after the import.
import assert from 'node:assert/strict';
import { Board as FfishBoard } from 'sakmak/ffish';
import { Board, init, START_FEN } from 'sakmak/rules';

const board = new Board();
board.move('Nd2');
await init();
assert.equal(board.fen().split(' ')[1], 'b');
assert.equal(new Board().fen(), START_FEN);
assert.equal(new FfishBoard('makruk').numberLegalMoves(), 23);
assert.equal((await import('sakmak')).Board, Board);
console.log('ok');
