// Node, Deno and Bun: everything works after the import.
import assert from 'node:assert/strict';
import Sakmak from 'sakmak/engine';
import { Board as FfishBoard } from 'sakmak/ffish';
import { Board, init, START_FEN } from 'sakmak/rules';
import { GameRecord } from 'sakmak/study';

const board = new Board();
board.move('Nd2');
await init();
assert.equal(board.fen().split(' ')[1], 'b');
assert.equal(new Board().fen(), START_FEN);
assert.equal(new FfishBoard('makruk').numberLegalMoves(), 23);
assert.equal((await import('sakmak')).Board, Board);
const record = new GameRecord();
record.play(0, 'e4');
assert.equal(record.tree().length, 2);
const engine = await Sakmak();
assert.equal(await engine.play('3k4/8/8/3K4/8/8/8/R6R w - - 0 1', { depth: 6 }).then((move) => move.length), 4);
engine.terminate();
console.log('ok');
