// The editor of positions.
import { useState } from 'preact/hooks';
import { checkSetup } from 'sakmak/study';
import { analyse, router } from '../app';
import { Board } from '../board/Board';
import { Piece } from '../board/Piece';
import { SQUARES, withPromoted } from '../board/squares';
import { faultText } from '../messages/faults';
import { sideName, t } from '../messages/i18n';
import { faultOf, newRecord, optionsOf } from '../rules/rules';
import type { SetupBoard } from '../rules/types';
import { settings } from '../state/settings';
import { Button, Dialog, Segments } from './common';
import { NewGameForm, NumberField } from './NewGame';
import { RulesForm } from './RulesForm';
import { useCompact } from './Table';

const KINDS = ['k', 'm', 's', 'n', 'r', 'p', 'o'] as const;
const EMPTY = '.'.repeat(64);

export function SetupView({ onDone }: { onDone: () => void }) {
  const { view } = analyse.session;
  const [rules, setRules] = useState(analyse.session.rules.variant ? analyse.session.rules : settings.value.rules);
  const [chosen, setChosen] = useState<string | null>('K');
  const [playing, setPlaying] = useState(false);
  const [setup, setSetup] = useState<Required<SetupBoard>>({
    board: withPromoted(view.board, view.promoted),
    turn: view.turn,
    rights: view.fen.split(' ')[2] ?? '-',
    plyLimit: view.count?.plyLimit ?? 0,
    ply: view.count?.ply ?? 0,
    moveNumber: view.moveNumber,
  });
  const { fen, error } = checkSetup(setup, optionsOf(rules));
  const change = (part: Partial<SetupBoard>) => setSetup({ ...setup, ...part });

  const put = (square: string, letter: string | null) =>
    setSetup((before) => {
      const letters = [...before.board];
      letters[SQUARES.indexOf(square)] = letter ?? '.';
      return { ...before, board: letters.join('') };
    });
  const start = () => {
    const first = newRecord(rules).view();
    setSetup({
      board: withPromoted(first.board, first.promoted),
      turn: 'w',
      rights: first.fen.split(' ')[2] ?? '-',
      plyLimit: 0,
      ply: 0,
      moveNumber: 1,
    });
  };

  return (
    <div class={useCompact() ? 'table compact editor' : 'table editor'}>
      <div class="seat">
        <Board
          board={setup.board}
          flipped={router.flipped.analyse}
          onPut={put}
          placed={chosen}
          label={t('setup.title')}
        />
        <div class="palette" role="group" aria-label={t('setup.palette')}>
          {[...KINDS.map((kind) => kind.toUpperCase()), ...KINDS].map((letter) => (
            <button
              key={letter}
              type="button"
              class={letter === chosen ? 'chosen' : ''}
              aria-pressed={letter === chosen}
              aria-label={`${sideName(letter < 'a' ? 'w' : 'b')} ${t(`piece.${letter.toLowerCase()}` as 'piece.k')}`}
              onClick={() => setChosen(letter)}
            >
              <svg viewBox="0 0 100 100" aria-hidden="true">
                <Piece letter={letter} set={settings.value.pieces} />
              </svg>
            </button>
          ))}
        </div>
      </div>
      <div class="side">
        <section class="panel">
          <h2>{t('setup.title')}</h2>
          <p class="aside">{t('setup.hint')}</p>
          <Segments
            label={t('setup.turn')}
            value={setup.turn}
            choices={[
              { value: 'w', label: t('white') },
              { value: 'b', label: t('black') },
            ]}
            onChange={(turn) => change({ turn })}
          />
          <div class="row">
            <NumberField
              label={t('setup.limit')}
              value={setup.plyLimit / 2}
              min={0}
              max={255}
              onChange={(limit) => change({ plyLimit: limit * 2 })}
            />
            <NumberField
              label={t('setup.ply')}
              value={setup.ply}
              min={0}
              max={510}
              onChange={(ply) => change({ ply })}
            />
          </div>
          <details>
            <summary>{t('new.rules')}</summary>
            <RulesForm value={rules} onChange={setRules} />
            <label class="field">
              <span>{t('setup.rights')}</span>
              <input
                type="text"
                value={setup.rights}
                maxLength={16}
                onInput={(event) => change({ rights: event.currentTarget.value.trim() })}
              />
            </label>
          </details>
          <p class="fen">{fen}</p>
          <p class={error ? 'fault' : 'mood-good'} role="status">
            {error ? faultText(faultOf(error)) : t('setup.ok')}
          </p>
          <div class="row">
            <Button
              label={t('setup.use')}
              icon="check"
              primary
              disabled={error !== null}
              onClick={() => {
                analyse.reset(rules, fen);
                onDone();
              }}
            />
            <Button label={t('setup.play')} icon="play" disabled={error !== null} onClick={() => setPlaying(true)} />
            <Button label={t('cancel')} onClick={onDone} />
          </div>
          <div class="row">
            <Button label={t('setup.erase')} pressed={chosen === null} onClick={() => setChosen(null)} />
            <Button label={t('setup.clear')} onClick={() => change({ board: EMPTY, plyLimit: 0, ply: 0 })} />
            <Button label={t('setup.start')} onClick={start} />
            <Button label={t('play.flip')} icon="flip" quiet onClick={() => router.flip()} />
          </div>
        </section>
      </div>
      {playing && (
        <Dialog title={t('new.title')} onClose={() => setPlaying(false)}>
          <NewGameForm
            fen={fen}
            rules={rules}
            onBegun={() => {
              setPlaying(false);
              onDone();
            }}
          />
        </Dialog>
      )}
    </div>
  );
}
