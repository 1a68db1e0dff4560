// What a file of evaluations knows, beside the board of the analysis, and the choice of the file.
import { useEffect, useState } from 'preact/hooks';
import type { KnownMove, KnownPosition } from '../../state/evaluations';
import type { Session } from '../../state/session';
import { settings } from '../../state/settings';
import { useStores } from '../../state/store';
import '../../style/evaluations.css';
import { Button } from '../common';
import { FileButton } from '../FileButton';
import { scoreText } from '../scores';
import { evaluations, tk } from './stores';

export interface EvaluationsProps {
  session: Session;
  onPlay: (uci: string) => void;
}

export function Evaluations({ session, onPlay }: EvaluationsProps) {
  useStores(evaluations, settings);
  useEffect(() => evaluations.show(session));
  useEffect(() => () => evaluations.leave(), []);
  const { isOn, problem, name, size } = evaluations;
  if (!isOn || session.view.outcome) {
    return null;
  }
  const known = evaluations.of(session);
  return (
    <section class="panel known" aria-label={tk('known.title')}>
      <p class="aside known-file">
        {size > 0 ? tk('known.size', { name, positions: size }) : tk('known.file', { name })}
      </p>
      {problem ? (
        <div class="row">
          <p role="alert">{tk(`known.fault.${problem}`)}</p>
          <Button label={tk('known.again')} onClick={() => evaluations.again()} />
        </div>
      ) : known === 'rules' ? (
        <p role="status">{tk('known.rules')}</p>
      ) : known ? (
        <KnownOfPosition session={session} known={known} onPlay={onPlay} />
      ) : (
        <p class="aside">{tk('known.reading')}</p>
      )}
    </section>
  );
}

function KnownOfPosition({ session, known, onPlay }: EvaluationsProps & { known: KnownPosition }) {
  const { own, moves } = known;
  const nameOf = (uci: string) => session.view.moves.find((move) => move.uci === uci)?.san ?? uci;
  const button = (uci: string) => (
    <button type="button" class="known-move" onClick={() => onPlay(uci)}>
      {nameOf(uci)}
    </button>
  );
  return (
    <>
      {own ? (
        <p class="known-own">
          <strong class="known-score">
            <span class="hidden">{tk('known.score', { score: '' })}</span>
            {scoreText(own.score)}
          </strong>
          <span class="aside">{tk('known.depth', { depth: own.depth })}</span>
          <span>
            {tk('known.best')} {button(own.best)}
          </span>
          {own.second && (
            <span>
              {tk('known.second')} {button(own.second)}
            </span>
          )}
        </p>
      ) : (
        <p>{tk(moves.length > 0 ? 'known.none' : 'known.nothing')}</p>
      )}
      {moves.length > 0 && (
        <ol class="known-moves" aria-label={tk('known.moves')}>
          {moves.map(({ uci, score, depth }: KnownMove) => (
            <li key={uci}>
              {button(uci)} <span class="known-score">{scoreText(score)}</span>{' '}
              <span class="aside">{tk('known.depth', { depth })}</span>
            </li>
          ))}
        </ol>
      )}
    </>
  );
}

/** Which file is read: that at an address, which is kept, or one of this computer. */
export function EvaluationsForm() {
  useStores(evaluations, settings);
  const { evaluations: used } = settings.value;
  const [address, setAddress] = useState(used);
  const apply = (chosen: string) => {
    setAddress(chosen);
    settings.set({ evaluations: chosen });
    evaluations.useAddress(chosen);
  };
  const { isOn, isLocal, name } = evaluations;
  return (
    <form
      class="known-form"
      onSubmit={(event) => {
        event.preventDefault();
        apply(address.trim());
      }}
    >
      <label class="field">
        <span>{tk('known.address')}</span>
        <input
          type="text"
          value={address}
          maxLength={500}
          placeholder="./evaluations/known.skev"
          autoCapitalize="off"
          spellcheck={false}
          onInput={(event) => setAddress(event.currentTarget.value)}
        />
      </label>
      <p class="aside">{isLocal ? tk('known.local', { name }) : tk(isOn ? 'known.on' : 'known.off')}</p>
      <div class="row">
        <button type="submit" class="button" disabled={address.trim() === ''}>
          {tk('known.use')}
        </button>
        <FileButton
          label={tk('known.choose')}
          accept=".skev"
          onFile={async (file) => {
            apply('');
            evaluations.useFile(file);
          }}
        />
        <Button label={tk('known.useNone')} disabled={!isOn} onClick={() => apply('')} />
      </div>
    </form>
  );
}
