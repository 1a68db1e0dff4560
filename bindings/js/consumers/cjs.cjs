const assert = require('node:assert/strict');
const { Board, START_FEN } = require('sakmak/rules');
const { default: Module } = require('sakmak/ffish');

assert.equal(new Board().fen(), START_FEN);
Module().then((ffish) => {
  assert.equal(new ffish.Board('cambodian').numberLegalMoves(), 25);
  console.log('ok');
});
