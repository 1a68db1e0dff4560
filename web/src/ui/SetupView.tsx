// The editor of positions.
import { useState } from 'preact/hooks';
import { analyse, facts, router, setup } from '../app';
import { Board } from '../board/Board';
import { Piece } from '../board/Piece';
import { SQUARES } from '../board/squares';
import { faultText } from '../messages/faults';
import { sideName, t } from '../messages/i18n';
import type { FaultData } from '../rules/types';
import { settings } from '../state/settings';
import type { Checked, Draft } from '../state/setup';
import { useStores } from '../state/store';
import { Button, Dialog, Segments } from './common';
import { countSentences, factSentences } from './countWords';
import { NewGameForm, NumberField } from './NewGame';
import { RulesForm } from './RulesForm';
import { useCompact } from './Table';

const KINDS = ['k', 'm', 's', 'n', 'r', 'p', 'o'] as const;

export function SetupView() {
  useStores(setup, facts, settings);
  const [chosen, setChosen] = useState<string | null>('K');
  const [playing, setPlaying] = useState(false);
  const isCompact = useCompact();
  const { draft } = setup;
  if (!draft) {
    return null;
  }
  const checked = setup.check();
  const { fen, fault } = checked;
  return (
    <div class={isCompact ? 'table compact editor' : 'table editor'}>
      <div class="seat">
        <Board
          board={draft.board.board}
          flipped={router.flipped.analyse}
          onPut={(square, letter) => setup.put(SQUARES.indexOf(square), letter)}
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
        <div class="row tight">
          <Button label={t('setup.erase')} pressed={chosen === null} onClick={() => setChosen(null)} />
          <Button label={t('undo')} icon="undo" disabled={!setup.mayUndo} onClick={() => setup.undo()} />
          <Button label={t('play.flip')} icon="flip" quiet onClick={() => router.flip()} />
        </div>
      </div>
      <div class="side">
        <section class="panel">
          <h2>{t('setup.title')}</h2>
          <p class="aside">{t('setup.hint')}</p>
          <div class="row">
            <Button label={t('setup.clear')} onClick={() => setup.clear()} />
            <Button label={t('setup.start')} onClick={() => setup.start()} />
            <Button label={t('setup.fromBoard')} onClick={() => setup.take(analyse.session)} />
          </div>
          <Segments
            label={t('setup.turn')}
            value={draft.board.turn}
            choices={[
              { value: 'w', label: t('white') },
              { value: 'b', label: t('black') },
            ]}
            onChange={(turn) => setup.change({ turn })}
          />
          <CountFields draft={draft} checked={checked} />
          <details>
            <summary>{t('new.rules')}</summary>
            <RulesForm value={draft.rules} onChange={(rules) => setup.setRules(rules)} />
            <label class="field">
              <span>{t('setup.rights')}</span>
              <input
                type="text"
                value={draft.board.rights}
                maxLength={16}
                onInput={(event) => setup.change({ rights: event.currentTarget.value.trim() })}
              />
            </label>
          </details>
          <FenField fen={fen} />
          <p class={fault ? 'fault' : 'mood-good'} role="status">
            {fault ? faultText(fault) : t('setup.ok')}
          </p>
          <div class="row">
            <Button
              label={t('setup.use')}
              icon="check"
              primary
              disabled={fault !== null}
              onClick={() => {
                analyse.reset(draft.rules, fen);
                setup.finish();
              }}
            />
            <Button label={t('setup.play')} icon="play" disabled={fault !== null} onClick={() => setPlaying(true)} />
            <Button label={t('cancel')} onClick={() => setup.giveUp()} />
          </div>
        </section>
      </div>
      {playing && (
        <Dialog title={t('new.title')} onClose={() => setPlaying(false)}>
          <NewGameForm fen={fen} rules={draft.rules} onBegun={() => setup.finish()} />
        </Dialog>
      )}
    </div>
  );
}

/** Who says what is counted, and whether there is time to mate. */
function CountFields({ draft, checked }: { draft: Draft; checked: Checked }) {
  const { session } = checked;
  const count = session?.view.count;
  const { board, counting } = draft;
  const number = board.number ?? count?.number ?? Math.floor(board.ply / 2);
  const sentences = session ? [...countSentences(session.view), ...factSentences(session.view, facts.of(session))] : [];
  return (
    <>
      <Segments
        label={t('count.title')}
        value={counting}
        choices={[
          { value: 'none', label: t('setup.count.none') },
          { value: 'rules', label: t('setup.count.rules') },
          { value: 'hand', label: t('setup.count.hand') },
        ]}
        onChange={(chosen) => setup.count(chosen)}
      />
      {counting === 'hand' && (
        <div class="row">
          <NumberField
            label={t('setup.limit')}
            value={board.plyLimit / 2}
            min={1}
            max={255}
            onChange={(limit) => setup.change({ plyLimit: limit * 2, number })}
          />
          <NumberField
            label={t('setup.number')}
            value={number}
            min={0}
            max={255}
            onChange={(spoken) => setup.change({ number: spoken })}
          />
        </div>
      )}
      <div class="setup-count" aria-live="polite">
        {sentences.map(({ text, mood }) => (
          <p key={text} class={`mood-${mood}`}>
            {text}
          </p>
        ))}
      </div>
    </>
  );
}

/** The FEN of the position. A text that is typed or pasted there becomes the position once it is one. */
function FenField({ fen }: { fen: string }) {
  const [typed, setTyped] = useState<string | null>(null);
  const [fault, setFault] = useState<FaultData | null>(null);
  return (
    <label class="field">
      <span>{t('setup.fen')}</span>
      <textarea
        class="fen"
        rows={2}
        value={typed ?? fen}
        aria-invalid={fault !== null}
        aria-describedby="fen-fault"
        autoComplete="off"
        autoCapitalize="off"
        spellcheck={false}
        maxLength={400}
        onInput={(event) => {
          const { value } = event.currentTarget;
          setTyped(value);
          setFault(setup.read(value));
        }}
        onBlur={() => {
          // A wrong text stays, to be repaired.
          if (!fault) {
            setTyped(null);
          }
        }}
      />
      <span id="fen-fault" class={fault ? 'fault' : 'hidden'} role="alert">
        {fault && faultText(fault)}
      </span>
    </label>
  );
}
