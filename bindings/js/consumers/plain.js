sakmak.init().then(() => {
  const board = new sakmak.Board();
  board.move('Nd2');
  document.querySelector('output').textContent = board.fen();
});
