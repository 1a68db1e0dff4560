// A game for two on one board, by the rules of `sakmak/rules`, and a set-up.
(async () => {
  const { createBoard } = globalThis.sakmakBoard;
  const $ = (id) => document.getElementById(id);
  await globalThis.sakmak.init();
  const game = new globalThis.sakmak.Board();

  const board = createBoard($('board'), {
    events: {
      move(from, to) {
        if ($('setup').checked) {
          return;
        }
        game.move({ from, to });
        show();
      },
    },
  });

  /** Shows the game. The board has made the user's moves already. */
  function show() {
    const last = game.history({ verbose: true }).at(-1);
    board.set({
      fen: game.fen({ promoted: true }),
      check: game.isCheck(),
      lastMove: last ? [last.from, last.to] : null,
      movable: { color: 'both', dests: game.dests(), free: false, place: null },
    });
    document.querySelector('output').textContent = last ? last.san : '';
  }

  $('flip').onclick = () => board.set({ orientation: board.state.orientation === 'white' ? 'black' : 'white' });
  $('undo').onclick = () => {
    game.pop();
    show();
  };
  $('set').onchange = (event) => board.set({ pieceSet: globalThis.sakmakBoard[event.target.value] });
  for (const name of ['theme', 'coordinates']) {
    $(name).onchange = (event) => board.set({ [name]: event.target.value });
  }
  $('setup').onchange = () => {
    $('palette').hidden = !$('setup').checked;
    if ($('setup').checked) {
      board.set({ movable: { color: 'both', free: true } });
    } else {
      show();
    }
  };
  for (const color of 'wb') {
    for (const type of 'kmsnrp') {
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = color === 'w' ? type.toUpperCase() : type;
      const choose = () => board.set({ movable: { place: { type, color } } });
      button.onpointerdown = (event) => {
        choose();
        board.dragNewPiece({ type, color }, event);
      };
      // By keyboard.
      button.onclick = choose;
      $('palette').append(button);
    }
  }
  show();
  globalThis.board = board;
})();
